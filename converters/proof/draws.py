"""Values of regions on which two readings of a prediction are compared: at random, and at edges.

Values are multiples of a power of two, so that sums are exact in whatever order they are made. The
seed is fixed: equal files have equal draws.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from random import Random
from typing import Any

from evalmark.converters.proof.old_languages import (
    ABSOLUTE,
    RELATIVE,
    Code,
    Key,
    Prediction,
    computed,
    keys_of,
)

#: Condition -> its regions.
Regions = Mapping[str, Sequence[int]]
#: Random draws of each prediction, and how many more at edges at most.
DRAWS, AT_EDGES = 1000, 400
#: Left minus right at an edge: of tolerances (1), or of a value (0), and how many of them.
_EDGES = tuple(
    (unit, sign * size)
    for sign in (1.0, -1.0)
    for unit, size in ((0, 0.0), (0, 2.0**-40), (1, 1 - 5e-6), (1, 1 + 5e-6), (1, 3.0), (0, 4.0))
)
#: Left minus right that makes a comparison true.
_TRUE = {"<": -1.0, ">": 1.0, "=": 0.0}


def _operation(combine: Callable[[Any, Any], Any], *, is_turned: bool = False) -> Any:
    def method(self: Draws, other: Any) -> Draws:
        cells: Iterable[Any] = other.cells if isinstance(other, Draws) else repeat(other)
        return Draws(map(combine, *((cells, self.cells) if is_turned else (self.cells, cells))))

    return method


class Draws:
    """A value in every draw; operators are those of values, one by one."""

    __slots__ = ("cells",)

    def __init__(self, cells: Iterable[Any]) -> None:
        self.cells = list(cells)

    __add__ = __radd__ = _operation(operator.add)
    __mul__ = __rmul__ = _operation(operator.mul)
    __sub__, __rsub__ = _operation(operator.sub), _operation(operator.sub, is_turned=True)
    __and__ = __rand__ = _operation(operator.and_)
    __or__ = __ror__ = _operation(operator.or_)
    __lt__, __gt__, __le__ = map(_operation, (operator.lt, operator.gt, operator.le))
    __eq__ = _operation(operator.eq)
    __hash__ = None  # type: ignore[assignment]

    def __abs__(self) -> Draws:
        return Draws(map(abs, self.cells))


class Values(dict[Key, Any]):
    """Key -> its value in so many draws.

    What nothing has put there is at random; ``*`` is the sum of the regions of its condition.
    """

    def __init__(self, count: int, regions: Regions, stated: Mapping[Key, Any]) -> None:
        super().__init__(stated)
        self.count, self.regions = count, regions

    def __missing__(self, key: Key) -> Any:
        number, condition = key
        if number == "*":
            return sum((self[part, condition] for part in self.regions.get(condition, ())), 0.0)
        self[key] = Draws(_random(repr(key))[: self.count])
        return self[key]

    def cells(self, value: Any) -> list[Any]:
        """A value in each draw, also of what does not depend on them."""
        return value.cells if isinstance(value, Draws) else [value] * self.count


@lru_cache(maxsize=256)
def _random(seed: str) -> tuple[float, ...]:
    draw = Random(seed).getrandbits  # noqa: S311 - equal files have equal draws
    return tuple(draw(11) / 64 for _ in range(DRAWS + 2 * AT_EDGES))


def drawn(prediction: Prediction, regions: Regions) -> Values:
    """Draws for a prediction: at edges of its comparisons, and ``DRAWS`` at random.

    At an edge, one comparison is a tie, or its sides differ by hardly anything, by the tolerance of
    ``=`` or by hardly more or less, while most of the others are true. In one draw all values are
    zero; then one value after the other is zero, and undefined.
    """
    keys, comparisons = keys_of(prediction.code), [*prediction.comparisons()]
    edges = [(at, edge) for at in range(len(comparisons)) for edge in _EDGES][:AT_EDGES]
    singled = keys[: AT_EDGES // 8]
    values = Values(len(edges) + 1 + 2 * len(singled) + DRAWS, regions, {})
    for number, key in enumerate(keys):  # the sums as well, while comparisons are solved
        values[key] = Draws(_random(number)[: values.count])
        values[key].cells[len(edges)] = 0.0
    flip = Random(len(edges)).random  # noqa: S311 - the same
    for is_last in (False, True):  # the comparison in question has the last word
        for at, (sign, left, right) in enumerate(comparisons):
            targets = {
                row: edge if focus == at else (0, _TRUE[sign] + (flip() < 0.2))
                for row, (focus, edge) in enumerate(edges)
                if (focus == at) is is_last
            }
            _solve(left, right, values, targets)
    for row, key in enumerate(singled, len(edges) + 1):
        values[key].cells[row], values[key].cells[row + len(singled)] = 0.0, float("nan")
    for star, name in [key for key in keys if key[0] == "*"]:
        total = values.pop((star, name))
        if free := [n for n in regions.get(name, ()) if (n, name) not in keys]:
            others = sum((values[n, name] for n in regions[name] if n != free[0]), 0.0)
            values[free[0], name] = total - others
    return values


def _solve(
    left: Code, right: Code, values: Values, targets: Mapping[int, tuple[int, float]]
) -> None:
    """Change one value of a comparison, so that its sides differ as they should in some draws."""

    def difference(known: Mapping[Key, Any]) -> Any:
        return computed([*left, *right, "-"], known)

    keys, of_right = keys_of(left, right), keys_of(right)
    none = dict.fromkeys(keys, 0.0)
    for key in sorted(keys, key=of_right.__contains__):  # left ones do not change the tolerance
        if factor := difference({**none, key: 1.0}) - difference(none):
            break
    else:
        return
    now, other = values.cells(difference(values)), values.cells(computed(right, values))
    for row, (unit, size) in targets.items():
        scale = ABSOLUTE + RELATIVE * abs(other[row]) if unit else 1.0
        values[key].cells[row] += (size * scale - now[row]) / factor
