"""Effects: by how many bits each comparison of a prediction holds in each item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from evalmark.scoring.predictions import RegionValues, item_values
from evalmark.scoring.suite_scores import Scores, unique_names
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Node,
    references,
    walk,
)
from evalmark.validator.formats.suites.formula.meaning import number, tolerance

#: Columns of ``effects.csv``: a row for each comparison of each prediction and item.
EFFECT_COLUMNS = ("suite", "prediction", "comparison", "item", "left", "right", "margin")

EffectRow = tuple[str, str, int, int, float | None, float | None, float | None]


class Sides(NamedTuple):
    """The two sides of a comparison in an item, in bits; None for a side that is undefined."""

    left: float | None
    right: float | None


def comparisons(tree: Node) -> list[Comparison]:
    """The comparisons of a prediction, from left to right."""
    return [node for node in walk(tree) if isinstance(node, Comparison)]


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
    return number(node, lambda reference: regions[reference.condition, reference.region])


def margin(operator: str, sides: Sides) -> float | None:
    """The bits by which a comparison holds; negative if it fails, None if a side is undefined.

    For ``<`` and ``>`` the distance of the sides, which must be above 0 for the comparison to hold.
    For ``=`` the part of the tolerance that the distance leaves, which must be at least 0.
    """
    left, right = sides
    if left is None or right is None:
        return None
    if operator == "=":
        return tolerance(right) - abs(left - right)
    return right - left if operator == "<" else left - right


def effect_rows(scores: Scores) -> Iterator[EffectRow]:
    """The rows of ``effects.csv``, by suite, prediction, comparison and item."""
    for name, scored in zip(unique_names(scores), scores.suites, strict=True):
        suite = scored.source.suite
        metric = scored.metric or suite.metric
        values: list[RegionValues] = [
            item_values(item, tokens, metric) if suite.formulas else {}
            for item, tokens in zip(suite.items, scored.surprisals, strict=True)
        ]
        for label, tree in enumerate(scored.source.trees, 1):
            for place, comparison in enumerate(comparisons(tree), 1):
                for item, of_item in zip(suite.items, values, strict=True):
                    sides = sides_of(comparison, of_item)
                    bits = margin(comparison.operator, sides)
                    yield name, str(label), place, item.number, *sides, bits
