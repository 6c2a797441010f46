"""Chance accuracy: a simulation of a model that knows nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evalmark.schemas.extras import require
from evalmark.validator.formula.meaning import evaluate
from evalmark.validator.formula.tree import Node, Reference, references
from evalmark.validator.views.suite import Suite
from evalmark.validator.views.unknowns import item_forms

DRAWS = 100_000
SEED = 20_140_701

_Key = tuple[str, int | None]


def chance(suite: Suite, trees: Sequence[Node], join: str = "core", context: str = "left") -> float:
    """The expected share of items for which all predictions hold by chance.

    The unknowns of the static analysis (the surprisal that each stretch of text adds) are drawn
    independently from the exponential distribution with mean 1 bit, so equal texts have equal
    values. The draws are seeded: the same suite has the same chance.
    """
    require("numpy")
    import numpy as np

    known: dict[Any, float] = {}
    total = 0.0
    for item in suite.items:
        forms = item_forms(item, suite.metric, join, context)
        used = [(part.condition, part.region) for tree in trees for part in references(tree)]
        if any(key not in forms for key in used):
            continue  # with an undefined value the prediction does not hold
        names: dict[int, int] = {}
        pattern = tuple(
            tuple(sorted((names.setdefault(u, len(names)), n) for u, n in forms[key].items()))
            for key in used
        )
        if pattern not in known:
            draws = np.random.default_rng(SEED).exponential(size=(len(names), DRAWS))
            values = {
                key: sum((n * draws[names[u]] for u, n in forms[key].items()), np.zeros(DRAWS))
                for key in used
            }

            def value_of(reference: Reference, values: Mapping[_Key, Any] = values) -> Any:
                return values[reference.condition, reference.region]

            holds = np.ones(DRAWS, dtype=bool)
            for tree in trees:
                holds &= evaluate(tree, value_of)
            known[pattern] = float(holds.mean())
        total += known[pattern]
    return total / len(suite.items) if suite.items else 0.0
