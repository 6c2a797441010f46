"""The accuracy of a model that knows nothing: a simulation over what it is free to choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evalmark.schemas.extras import require
from evalmark.validator.formula.meaning import evaluate
from evalmark.validator.formula.tree import Node, Reference, references
from evalmark.validator.views.suite import Suite
from evalmark.validator.views.unknowns import item_forms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Draws = NDArray[np.float64]

DRAWS = 100_000
SEED = 20_140_701


def chance(suite: Suite, trees: Sequence[Node], join: str = "core", context: str = "left") -> float:
    """The expected share of items for which all predictions hold by chance.

    The unknowns of the static analysis (what each stretch of text adds to the surprisal) are drawn
    independently from the exponential distribution with mean 1 bit, so that texts that are equal
    have equal values; ``context`` as in ``item_forms``. Seeded: the same suite has the same chance.

    Raises:
        NotInstalledError: numpy is not installed.
    """
    require("numpy")
    import numpy as np

    known: dict[Any, float] = {}
    total = 0.0
    for item in suite.items:
        forms = item_forms(item, suite.metric, join, context)
        used = [(part.condition, part.region) for tree in trees for part in references(tree)]
        if any(key not in forms for key in used):
            continue  # an undefined value: the prediction does not hold
        names: dict[int, int] = {}
        pattern = tuple(
            tuple(sorted((names.setdefault(u, len(names)), n) for u, n in forms[key].items()))
            for key in used
        )
        if pattern not in known:
            draws = np.random.default_rng(SEED).exponential(size=(len(names), DRAWS))
            values = {key: _value(forms[key], names, draws) for key in used}

            def value_of(reference: Reference, values: _Values = values) -> Any:
                return values[reference.condition, reference.region]

            holds = np.ones(DRAWS, dtype=bool)
            for tree in trees:
                holds &= evaluate(tree, value_of)
            known[pattern] = float(holds.mean())
        total += known[pattern]
    return total / len(suite.items) if suite.items else 0.0


_Values = Mapping[tuple[str, int | None], "Draws"]


def _value(form: Mapping[int, int], names: Mapping[int, int], draws: Draws) -> Draws:
    import numpy as np

    value = np.zeros(draws.shape[1])
    for unknown, count in form.items():
        value = value + count * draws[names[unknown]]
    return value
