"""The accuracy of a model that knows nothing: a simulation over what it is free to choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evalmark.validator import Forms, Suite, item_forms
from evalmark.validator.formula import (
    Comparison,
    Logic,
    Node,
    Number,
    Reference,
    Sum,
    references,
    tolerance,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Draws = NDArray[np.float64]

DRAWS = 100_000
SEED = 20_140_701


def chance(suite: Suite, trees: Sequence[Node], join: str = "core") -> float:
    """The expected share of items for which all predictions hold by chance.

    The unknowns of the static analysis (what each stretch of text adds to the surprisal) are drawn
    independently from the exponential distribution with mean 1 bit, so that texts that are equal
    have equal values. Seeded: the same suite has the same chance.
    """
    import numpy as np

    known: dict[Any, float] = {}
    total = 0.0
    for item in suite.items:
        forms = item_forms(item, suite.metric, join)
        used = [(part.condition, part.region) for tree in trees for part in references(tree)]
        if any(key not in forms for key in used):
            continue  # an undefined value: the prediction does not hold
        names: dict[int, int] = {}
        pattern = tuple(
            tuple(sorted((names.setdefault(u, len(names)), n) for u, n in forms[key].items()))
            for key in used
        )
        if pattern not in known:
            random = np.random.default_rng(SEED)
            draws = random.exponential(size=(len(names), DRAWS))
            values = {key: _value(forms[key], names, draws) for key in used}
            holds = np.ones(DRAWS, dtype=bool)
            for tree in trees:
                holds &= _truth(tree, values)
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


def _truth(tree: Node, values: _Values) -> NDArray[np.bool_]:
    import numpy as np

    match tree:
        case Comparison():
            left, right = _number(tree.left, values), _number(tree.right, values)
            if tree.operator == "=":
                near: NDArray[np.bool_] = np.abs(left - right) <= tolerance_of(right)
                return near
            holds: NDArray[np.bool_] = left < right if tree.operator == "<" else left > right
            return holds
        case Logic():
            truth = _truth(tree.first, values)
            for operator, operand in tree.rest:
                other = _truth(operand, values)
                truth = truth & other if operator == "&" else truth | other
            return truth
    raise TypeError("formula is no truth value")


def tolerance_of(right: Draws) -> Draws:
    """``tolerance`` for many values at once."""
    return tolerance(right)  # type: ignore[arg-type,return-value]


def _number(node: Node, values: _Values) -> Any:
    import numpy as np

    match node:
        case Number():
            return np.full(DRAWS, node.value)
        case Reference():
            return values[node.condition, node.region]
        case Sum():
            total = _number(node.first, values)
            for operator, term in node.rest:
                value = _number(term, values)
                total = total + value if operator == "+" else total - value
            return total
    raise TypeError("truth value where a number must stand")


__all__ = ["Forms", "chance"]
