"""Effects: by how many bits each comparison of a prediction holds in each item.

The margin is ``right - left`` for ``<`` and ``left - right`` for ``>``; at exactly 0 they fail. For
``=`` it is the part of the tolerance (0.001 bits, and 0.00001 of the right side) that the distance
of the sides leaves. The size of an effect is the mean margin of a comparison over items.

An interaction is a comparison of differences, such as ``(2;%a%) - (2;%b%) > (2;%c%) - (2;%d%)``.
Its margin is the contrast (a − b) − (c − d) of a 2 × 2 design. The main effect (a − b) + (c − d) of
a factor has the same form, so the names of the conditions decide if they combine the levels of
two factors, as ``what_gap``, ``what_nogap``, ``that_gap`` and ``that_nogap`` do: in an interaction,
conditions that share no level have the same sign. If the names do not say, the order of the signs
does: + − − + is an interaction. Each condition may have several regions, if they are the same in
all four.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.scoring.suites.prediction_results import RegionValues
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Node,
    nodes_of,
    read_formula,
    references,
)
from evalmark.validator.formats.suites.formula.meaning import (
    Exact,
    difference_of,
    tolerance,
    value_of_sum,
)

#: Kinds of comparisons: two values, the difference of two differences, and ``=``.
DIFFERENCE, INTERACTION, EQUALITY = "difference", "interaction", "equality"


class Sides(NamedTuple):
    """The two sides of a comparison in an item, in bits; None for a side that is undefined."""

    left: float | None
    right: float | None


def tree_of(formula: str) -> Node | None:
    """The tree of a formula; None if it cannot be read: a run may come from elsewhere."""
    try:
        return read_formula(formula).tree
    except FormulaSyntaxError:
        return None


def comparisons(tree: Node) -> list[Comparison]:
    """The comparisons of a prediction, from left to right."""
    return [node for node in nodes_of(tree) if isinstance(node, Comparison)]


def kind_of(comparison: Comparison) -> str:
    """``difference``, ``interaction`` or ``equality``; the module says what is an interaction."""
    if comparison.operator == "=":
        return EQUALITY
    signs = _signs(comparison)
    if sorted(signs.values()) != [-1, -1, 1, 1]:
        return DIFFERENCE
    first, *others = signs
    corner = _opposite(first, others) or others[-1]
    return INTERACTION if signs[first] == signs[corner] else DIFFERENCE


def _signs(comparison: Comparison) -> dict[str, int]:
    """Condition -> 1 if it is added, -1 if it is subtracted; empty for any other comparison.

    Both sides are moved to the left.
    """
    weights, constant = difference_of(comparison)
    if constant:
        return {}  # a difference that has to be above a number
    by_condition: dict[str, dict[int | None, Exact]] = {}
    for reference, count in weights.items():
        if count:
            by_condition.setdefault(reference.condition, {})[reference.region] = count
    pattern = next(iter(by_condition.values()), {})
    reverse = {region: -count for region, count in pattern.items()}
    if any(regions not in (pattern, reverse) for regions in by_condition.values()):
        return {}
    return {name: 1 if regions == pattern else -1 for name, regions in by_condition.items()}


def _opposite(first: str, others: Sequence[str]) -> str | None:
    """The condition of a 2 × 2 design that shares no level with the first, if names say so."""
    corners = {
        corner
        for place in range(len(first) + 1)
        for near, far, corner in permutations(others)
        if near.startswith(first[:place])
        and far.endswith(first[place:])
        and corner == far.removesuffix(first[place:]) + near[place:]
    }
    return corners.pop() if len(corners) == 1 else None


def sides_of(comparison: Comparison, values: RegionValues) -> Sides:
    """The values of both sides of a comparison, given those of the regions of an item."""
    return Sides(_side(comparison.left, values), _side(comparison.right, values))


def _side(node: Node, values: RegionValues) -> float | None:
    regions: dict[tuple[str, int | None], float] = {}
    for reference in references(node):
        place = reference.condition, reference.region
        value = values.get(place)
        if value is None:
            return None
        regions[place] = value
    return value_of_sum(node, lambda reference: regions[reference.condition, reference.region])


def margin(operator: str, sides: Sides) -> float | None:
    """The bits by which a comparison holds; negative if it fails, None if a side is undefined."""
    left, right = sides
    if left is None or right is None:
        return None
    if operator == "=":
        return tolerance(right) - abs(left - right)
    return right - left if operator == "<" else left - right
