"""The tree of a formula: frozen nodes, and their text.

Sums and logical chains are kept flat, as they are written, so that a formula of a thousand terms
is as deep as one of two. Spans are offsets into the text a node was read from; they do not count
when nodes are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

Offsets = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Number:
    """A literal, in the unit of the metric (bits)."""

    value: float
    span: Offsets = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """The value of a region under a condition; region None is ``*``, the sum of all regions."""

    region: int | None
    condition: str
    span: Offsets = field(default=(0, 0), compare=False)
    condition_span: Offsets = field(default=(0, 0), compare=False)
    region_span: Offsets = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Sum:
    """``first`` and then ``+`` or ``-`` terms, from left to right."""

    first: Node
    rest: tuple[tuple[str, Node], ...]
    span: Offsets = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """``left`` is compared with ``right`` by ``<``, ``>`` or ``=``."""

    operator: str
    left: Node
    right: Node
    span: Offsets = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Logic:
    """``first`` and then ``&`` or ``|`` operands, all on one level, from left to right."""

    first: Node
    rest: tuple[tuple[str, Node], ...]
    span: Offsets = field(default=(0, 0), compare=False)

    @property
    def mixed(self) -> bool:
        """True if both operators appear on this level."""
        return len({operator for operator, _ in self.rest}) > 1


Node = Number | Reference | Sum | Comparison | Logic


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below a node, from left to right."""
    match node:
        case Sum() | Logic():
            return (node.first, *(operand for _, operand in node.rest))
        case Comparison():
            return (node.left, node.right)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """The node and all nodes below it, from left to right."""
    yield node
    for child in children(node):
        yield from walk(child)


def references(node: Node) -> Iterator[Reference]:
    """All region references of a formula, from left to right."""
    return (part for part in walk(node) if isinstance(part, Reference))


def terms(node: Node, factor: float = 1) -> dict[Reference | None, float]:
    """The number of times that each region is added; under None, the sum of the numbers."""
    match node:
        case Number():
            return {None: factor * node.value}
        case Reference():
            return {node: factor}
    total: dict[Reference | None, float] = {}
    signs = ["+", *(sign for sign, _ in node.rest)] if isinstance(node, Sum) else []
    for sign, part in zip(signs, children(node), strict=False):
        for term, count in terms(part, factor if sign == "+" else -factor).items():
            total[term] = total.get(term, 0) + count
    return total


def unparse(node: Node) -> str:
    """The formula in its current form; ``parse(unparse(tree)) == tree``."""
    match node:
        case Number():
            return number_text(node.value)
        case Reference():
            region = "*" if node.region is None else str(node.region)
            return f"({region};%{node.condition}%)"
        case Comparison():
            left, right = (_operand(side, Comparison, Logic) for side in (node.left, node.right))
            return f"{left} {node.operator} {right}"
        case Sum() | Logic():
            # A comparison in a chain of logic needs no parentheses, but they help to read it.
            wrapped = (Sum, Comparison, Logic) if isinstance(node, Sum) else (Comparison, Logic)
            parts = [_operand(node.first, *wrapped)]
            parts += (f"{operator} {_operand(part, *wrapped)}" for operator, part in node.rest)
            return " ".join(parts)


def number_text(value: float) -> str:
    """The shortest literal of the grammar that reads back to the same number."""
    if value.is_integer() and abs(value) < 1e16:
        return str(int(value)) if value or str(value)[0] != "-" else "-0"
    return repr(value)


def _operand(node: Node, *wrapped: type) -> str:
    text = unparse(node)
    return f"({text})" if isinstance(node, wrapped) else text
