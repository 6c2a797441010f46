"""What predictions compare, and which of their inequalities fail in an item."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalmark.pages.run_folder import ItemView, SuiteView
from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.formula.meaning import ValueOf, evaluate, number
from evalmark.validator.formats.suites.formula.parser import read
from evalmark.validator.formats.suites.formula.tree import (
    Comparison,
    Logic,
    Node,
    Reference,
    children,
    references,
    unparse,
)


@dataclass(frozen=True, slots=True)
class Compared:
    """What the predictions of a suite compare.

    A tree is None if its formula cannot be read: the folder of a run may come from elsewhere.
    """

    trees: tuple[Node | None, ...]
    #: Region -> the labels of the predictions that refer to it.
    regions: Mapping[int, tuple[str, ...]]
    #: Conditions and regions that predictions refer to; a region of None is the whole sentence.
    cells: frozenset[tuple[str, int | None]]


@dataclass(frozen=True, slots=True)
class Failure:
    """An inequality that does not hold in an item, with its two values in bits."""

    prediction: str  # its label
    inequality: str  # empty if it is the whole prediction
    operator: str
    left: float
    right: float

    @property
    def bits(self) -> float:
        """By how much it fails: how far apart the two sides are."""
        return abs(self.left - self.right)


def compared(suite: SuiteView) -> Compared:
    """What the predictions of a suite compare."""
    trees = tuple(_tree(p.formula) for p in suite.predictions if p.label != "all")
    regions: dict[int, list[str]] = {}
    cells: set[tuple[str, int | None]] = set()
    for label, tree in enumerate(trees, 1):
        for part in references(tree) if tree is not None else ():
            cells.add((part.condition, part.region))
            if part.region is not None:
                labels = regions.setdefault(part.region, [])
                labels += [str(label)] if str(label) not in labels else []
    return Compared(
        trees, {key: tuple(labels) for key, labels in regions.items()}, frozenset(cells)
    )


def failures(item: ItemView, trees: Sequence[Node | None]) -> list[Failure]:
    """The inequalities because of which predictions fail; none where a value is undefined."""
    values: dict[tuple[str, int | None], float] = {}
    for condition, sentence in item.sentences:
        known = {key: cell.value for key, cell in sentence.items() if cell.value is not None}
        values.update({(condition, key): value for key, value in known.items()})
        if len(known) == len(sentence):
            values[condition, None] = math.fsum(known.values())

    def value_of(reference: Reference) -> float:
        return values[reference.condition, reference.region]

    found: list[Failure] = []
    for label, (tree, holds) in enumerate(zip(trees, item.holds, strict=False), 1):
        if tree is None or holds:
            continue
        try:
            for node in _to_blame(tree, value_of)[1]:
                sides = number(node.left, value_of), number(node.right, value_of)
                text = "" if node is tree else unparse(node)
                found.append(Failure(str(label), text, node.operator, *sides))
        except (KeyError, TypeError):  # an undefined value, or a formula that is not a truth value
            continue
    return found


def _tree(formula: str) -> Node | None:
    try:
        return read(formula).tree
    except FormulaSyntaxError:
        return None


def _to_blame(node: Node, value_of: ValueOf) -> tuple[bool, list[Comparison]]:
    """Whether a part holds, and if not, its inequalities that would have to hold instead."""
    if not isinstance(node, Logic):
        holds = bool(evaluate(node, value_of))
        return holds, [node] if not holds and isinstance(node, Comparison) else []
    first, *others = children(node)
    holds, blamed = _to_blame(first, value_of)
    for (operator, _), operand in zip(node.rest, others, strict=True):
        also, more = _to_blame(operand, value_of)
        holds = (holds and also) if operator == "&" else (holds or also)
        blamed = [] if holds else [*blamed, *more]
    return holds, blamed
