"""The design of an item: what decides its predictions, whatever its words are.

A design is a formula over inequalities between unknowns. Designs that differ only in the order and
the names of unknowns and inequalities are equal, so they have equal chances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, permutations, product
from math import gcd
from typing import Any, NamedTuple, TypeAlias

from evalmark.scoring.chance.logic import Joint, Logic, joined, leaves, replaced, truth
from evalmark.validator.formats.suites.formula.proof import FormOf, combined, linear_form
from evalmark.validator.formats.suites.formula.tree import Comparison, Node
from evalmark.validator.formats.suites.formula.tree import Logic as LogicNode

#: Orders of the inequalities of a design that are tried. Designs with more that look alike may get
#: different simulated numbers.
MAX_ORDERS = 720

#: Coefficients of a design that are compared at all, to find an order.
MAX_SIZE = 10_000

#: An unknown: its coefficient in each inequality.
Column: TypeAlias = tuple[int, ...]


class Design(NamedTuple):
    """``logic`` over inequalities ``sum of coefficient * unknown + constant > 0``."""

    logic: Logic
    columns: tuple[Column, ...]
    constants: tuple[Fraction, ...]


_Coefficients: TypeAlias = tuple[tuple[int, int], ...]
_Rows: TypeAlias = dict[tuple[_Coefficients, Fraction], int]


def design_of(trees: Sequence[Node], form_of: FormOf) -> Design:
    """The design of some predictions that must all hold, given the values of their regions."""
    rows: _Rows = {}
    logic = joined("&", [_read(tree, form_of, rows) for tree in trees])
    used = sorted(set(leaves(logic)))
    known = list(rows)
    unknowns = sorted({unknown for row in used for unknown, _ in known[row][0]})
    matrix = [dict(known[row][0]) for row in used]
    return Design(
        replaced(logic, {row: number for number, row in enumerate(used)}),
        tuple(tuple(row.get(unknown, 0) for row in matrix) for unknown in unknowns),
        tuple(known[row][1] for row in used),
    )


def _read(tree: Node, form_of: FormOf, rows: _Rows) -> Logic:
    match tree:
        case Comparison():
            return _inequality(tree, form_of, rows)
        case LogicNode():
            found = _read(tree.first, form_of, rows)
            for operator, operand in tree.rest:
                found = joined(operator, [found, _read(operand, form_of, rows)])
            return found
    raise TypeError("formula is not a truth value")


def _inequality(tree: Comparison, form_of: FormOf, rows: _Rows) -> Logic:
    left, right = linear_form(tree.left, form_of), linear_form(tree.right, form_of)
    gap, constant = combined(right, left, -1) if tree.operator == "<" else combined(left, right, -1)
    coefficients = {unknown: int(value) for unknown, value in gap.items() if value}
    if tree.operator == "=":
        # Different values are taken to be never equal: the tolerance is far below their size.
        tolerance = Fraction(1, 1000) + abs(Fraction(right[1])) / 100_000
        return truth(not coefficients and abs(Fraction(constant)) <= tolerance)
    if not coefficients:
        return truth(constant > 0)
    if constant >= 0 and min(coefficients.values()) > 0:
        return truth(True)
    if constant <= 0 and max(coefficients.values()) < 0:
        return truth(False)
    factor = gcd(*coefficients.values())
    scaled = tuple((unknown, value // factor) for unknown, value in sorted(coefficients.items()))
    return rows.setdefault((scaled, Fraction(constant) / factor), len(rows))


def canonical(design: Design) -> Design:
    """The same design for all that differ only in order and names."""
    if len(design.columns) * len(design.constants) > MAX_SIZE:
        return design
    places: dict[int, list[tuple[Any, ...]]] = {row: [] for row in range(len(design.constants))}
    for row, place in _places(design.logic, ()):
        places[row].append(place)
    ranks = [
        (
            design.constants[row],
            sorted(column[row] for column in design.columns),
            sorted(places[row]),
        )
        for row in range(len(design.constants))
    ]
    groups = _groups(_refined(ranks, design.columns))
    orders = product(*(permutations(group) for group in groups))
    return min(
        (_reordered(design, [row for group in order for row in group]) for order in
         islice(orders, MAX_ORDERS)),
        key=lambda found: (found.columns, _sortable(found.logic)),
    )  # fmt: skip


def _places(logic: Logic, above: tuple[Any, ...]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Where each inequality is, as far as it is the same in every order of parts."""
    if isinstance(logic, Joint):
        for part in logic.parts:
            yield from _places(part, (*above, logic.operator, len(logic.parts)))
    else:
        yield logic, above


def _refined(keys: Sequence[Any], columns: Sequence[Column]) -> list[int]:
    """Ranks of inequalities: equal where they and the unknowns that they share look alike."""
    ranks = _ranked(keys)
    while True:
        shared = _ranked([sorted(zip(column, ranks, strict=True)) for column in columns])
        finer = _ranked([
            (rank, sorted((column[row], own) for column, own in zip(columns, shared, strict=True)))
            for row, rank in enumerate(ranks)
        ])  # fmt: skip
        if max(finer, default=0) == max(ranks, default=0):
            return finer
        ranks = finer


def _ranked(keys: Sequence[Any]) -> list[int]:
    distinct: list[Any] = []
    for key in sorted(keys):
        if not distinct or distinct[-1] != key:
            distinct.append(key)
    return [distinct.index(key) for key in keys]


def _groups(ranks: Sequence[int]) -> list[list[int]]:
    return [[row for row, own in enumerate(ranks) if own == rank] for rank in sorted(set(ranks))]


def _reordered(design: Design, order: Sequence[int]) -> Design:
    numbers = {row: number for number, row in enumerate(order)}
    return Design(
        _sorted(replaced(design.logic, numbers)),
        tuple(sorted(tuple(column[row] for row in order) for column in design.columns)),
        tuple(design.constants[row] for row in order),
    )


def _sorted(logic: Logic) -> Logic:
    if isinstance(logic, Joint):
        return Joint(logic.operator, tuple(sorted(map(_sorted, logic.parts), key=_sortable)))
    return logic


def _sortable(logic: Logic) -> tuple[Any, ...]:
    if isinstance(logic, Joint):
        return (1, logic.operator, *map(_sortable, logic.parts))
    return (0, logic)
