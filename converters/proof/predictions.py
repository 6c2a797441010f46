"""Predictions before and after a conversion, on the same values of regions.

Those of a source are read without our parser of formulas, and those of today in a result with it.
Legacy triples mean what their documentation says. Older formulas were evaluated as Python, and so
Python's ``ast`` reads them: ``[`` is ``(``, and ``=`` is ``==``. It reads those of today too, with
operators of Python in the place of theirs that bind in the same order. Only sums, comparisons and
logic are let through, and nothing is executed.

Values are multiples of a power of two, so that sums are exact in whatever order they are made. The
seed is fixed: equal files have equal draws.
"""

from __future__ import annotations

import ast
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import repeat
from random import Random
from typing import Any, NamedTuple, NoReturn
from unicodedata import normalize

from evalmark.schemas.errors import PLEASE_REPORT, ConversionError, FormulaSyntaxError
from evalmark.validator.formats.suites.formula.formula_syntax import Reference, parse
from evalmark.validator.formats.suites.formula.meaning import evaluate

#: Number of a region, ``*`` for all of them, and the name of a condition in NFC.
Key = tuple[int | str, str]
#: Condition -> its regions.
Regions = Mapping[str, Sequence[int]]
#: A number, a key, or a sign with its two sides.
Tree = Any
#: Random draws of each prediction, and how many more at edges at most.
DRAWS, AT_EDGES = 1000, 400
#: The difference that ``=`` allows between its sides, in the words of the language of today.
ABSOLUTE, RELATIVE = 1e-3, 1e-5
#: The relation of a legacy prediction -> its operator, in the words of the documentation.
RELATIONS = {"lessthan": "<", "equals": "=", "greaterthan": ">"}
_WORD = re.compile(
    r"\(\s*(\d+|\*)\s*;\s*%([^%]*)%\s*\)|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|([()\[\]<>=&|+-])|\s+|(.)"
)
#: Signs as Python reads them: of today's, comparisons bind tighter than ``&`` and
#: ``|``, which share one level; of older formulas, Python's own.
_PYTHON = (
    {"<": "<<", ">": ">>", "=": "&", "&": "<", "|": ">"},
    {"=": "==", "[": "(", "]": ")"},
)
_SUMS: dict[type[ast.AST], str] = {ast.Add: "+", ast.Sub: "-", ast.UAdd: "+", ast.USub: "-"}
#: The signs of what Python has read, of today's and of older formulas; ``and`` is an ``&`` whose
#: sides may become predictions of their own.
_SIGNS: tuple[dict[type[ast.AST], str], ...] = (
    {ast.LShift: "<", ast.RShift: ">", ast.BitAnd: "=", ast.Lt: "and", ast.Gt: "|", **_SUMS},
    {ast.Lt: "<", ast.Gt: ">", ast.Eq: "=", ast.BitAnd: "and", ast.BitOr: "|", **_SUMS},
)
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "<": operator.lt, ">": operator.gt,
    "&": operator.and_, "and": operator.and_, "|": operator.or_,
    "=": lambda one, two: abs(one - two) <= abs(two) * RELATIVE + ABSOLUTE,
}  # fmt: skip
_EXACT = {**_OPERATIONS, "=": operator.eq}
#: How many predictions a formula may become.
_PARTS = {**dict.fromkeys(_OPERATIONS, lambda *_: 1), "and": operator.add}
#: Left minus right at an edge: of tolerances (1), or of a value (0), and how many of them.
_EDGES = tuple(
    (unit, sign * size)
    for sign in (1.0, -1.0)
    for unit, size in ((0, 0.0), (0, 2.0**-40), (1, 1 - 5e-6), (1, 1 + 5e-6), (1, 3.0), (0, 4.0))
)
#: Left minus right that makes a comparison true.
_TRUE = {"<": -1.0, ">": 1.0, "=": 0.0}


class Prediction(NamedTuple):
    """A prediction that was read: its text, what it computes, and whether it knows no tolerance."""

    source: str
    tree: Tree
    is_exact: bool


def refuse(reason: str) -> NoReturn:
    """Refuse a conversion that is wrong.

    Raises:
        ConversionError: Always.
    """
    raise ConversionError(reason, PLEASE_REPORT)


def key_of(region: Any, condition: str, names: Mapping[str, str]) -> Key:
    """The key of a region, ``*`` or a whole number, and a condition."""
    name = normalize("NFC", condition)
    return "*" if region == "*" else int(region), names.get(name, name)


def prediction_of(stated: Any, names: Mapping[str, str] = {}) -> Prediction:
    """A prediction of any dialect: a triple, a bare formula, which is an older one, or a formula.

    ``names`` has old names of conditions and new ones, which its tree has.

    Raises:
        ValueError: It cannot be read.
        RecursionError: It is too long.
    """
    if isinstance(stated, dict) and "formula" not in stated:
        region, *sides = (stated[key] for key in ("region_number", "l_operand", "r_operand"))
        sign = RELATIONS[stated["relation"]]
        source = f" {sign} ".join(f"({region};%{side}%)" for side in sides)
        return Prediction(source, (sign, *(key_of(region, side, names) for side in sides)), True)
    source = stated if isinstance(stated, str) else stated["formula"]
    is_old = isinstance(stated, str) or "[" in source or "]" in source  # the mark of the older ones
    words: list[Key | float] = []

    def python(match: re.Match[str]) -> str:
        region, name, number, sign, odd = match.groups()
        if odd:
            raise ValueError(f"unexpected `{odd}`")
        if region or number:
            named = region and key_of(region, name.strip(" \t\r\n"), names)
            words.append(named or float(number))
            return f" v{len(words) - 1} "
        return _PYTHON[is_old].get(sign, sign) if sign else " "

    try:
        tree = ast.parse(_WORD.sub(python, source).strip(), mode="eval").body
    except (SyntaxError, MemoryError) as error:
        raise ValueError("it is not a formula") from error
    return Prediction(source, _tree(tree, words, is_old=is_old), is_old)


def _tree(tree: ast.AST, words: Sequence[Key | float], *, is_old: bool) -> Tree:
    """The tree of a parsed formula; old ones compare ``b`` in ``a < b < c`` twice, others once."""
    signs = _SIGNS[is_old]
    match tree:
        case ast.Name(id=name):
            return words[int(name[1:])]
        case ast.UnaryOp(op=sign, operand=right) if type(sign) in signs:
            sides = [0.0, _tree(right, words, is_old=is_old)]
        case (
            ast.BinOp(left=left, op=sign, right=right)
            | ast.Compare(left=left, ops=[sign], comparators=[right])
        ) if type(sign) in signs:
            sides = [_tree(side, words, is_old=is_old) for side in (left, right)]
        case ast.Compare(left=left, ops=[*first, sign], comparators=[*middle, right]) if middle:
            last = ast.Compare(middle[-1], [sign], [right]) if is_old else right
            pair = (ast.Compare(left, first, middle), last)
            sides = [_tree(side, words, is_old=is_old) for side in pair]
            is_and = is_old or {*map(type, (*first, sign))} == {ast.Lt}
            return "and" if is_and else signs[type(sign)].replace("and", "&"), *sides
        case odd:
            raise ValueError(f"{type(odd).__name__} is not a part of formulas")
    return signs[type(sign)], *sides


def computed(tree: Tree, values: Mapping[Key, Any], operations: Any = _OPERATIONS) -> Any:
    """The value of a tree; with ``_EXACT``, ``=`` has no tolerance."""
    if isinstance(tree, float):
        return tree
    if tree[0] not in operations:
        return values[tree]
    sign, *sides = tree
    return operations[sign](*(computed(side, values, operations) for side in sides))


def _nodes(tree: Tree) -> Iterator[Tree]:
    """A tree and all that is in it."""
    yield tree
    for side in tree[1:] if isinstance(tree, tuple) and tree[0] in _OPERATIONS else ():
        yield from _nodes(side)


class Draws(list[Any]):
    """A value in every draw; operators are those of values, one by one."""

    def __abs__(self) -> Draws:
        return Draws(map(abs, self))


def _operators(do: Callable[[Any, Any], Any]) -> tuple[Callable[[Draws, Any], Draws], ...]:
    """An operator with draws on the left, and with what is the same in every draw there."""
    return (
        lambda one, two: Draws(map(do, one, two if isinstance(two, Draws) else repeat(two))),
        lambda one, two: Draws(map(do, repeat(two), one)),
    )


for _name in ("add", "sub", "mul", "and", "or", "lt", "gt", "le", "eq"):
    _left, _right = _operators(getattr(operator, f"__{_name}__"))
    setattr(Draws, f"__{_name}__", _left)
    setattr(Draws, f"__r{_name}__", _right)


class Values(dict[Key, Any]):
    """Key -> its value in so many draws.

    What nothing has put there is at random; ``*`` is the sum of the regions of its condition.
    """

    def __init__(self, count: int, regions: Regions, stated: Mapping[Key, Any]) -> None:
        super().__init__(stated)
        self.count, self.regions = count, regions

    def __missing__(self, key: Key) -> Any:
        if key[0] == "*":
            return sum((self[part] for part in self.parts(key)), 0.0)
        self[key] = Draws(_random(repr(key))[: self.count])
        return self[key]

    def parts(self, key: Key) -> list[Key]:
        """The regions that a key stands for."""
        return [(n, key[1]) for n in self.regions.get(key[1], ())] if key[0] == "*" else [key]

    def cells(self, value: Any) -> list[Any]:
        """A value in each draw, also of what does not depend on them."""
        return value if isinstance(value, Draws) else [value] * self.count


@lru_cache(maxsize=256)
def _random(seed: str) -> tuple[float, ...]:
    draw = Random(seed).getrandbits  # noqa: S311 - equal files have equal draws
    return tuple(draw(11) / 64 for _ in range(DRAWS + 2 * AT_EDGES))


def drawn(tree: Tree, regions: Regions) -> Values:
    """Draws for a prediction: at edges of its comparisons, and ``DRAWS`` at random.

    At an edge, one comparison is a tie, or its sides differ by hardly anything, by the tolerance of
    ``=`` or by hardly more or less, while most of the others are true. In one draw all values are
    zero; then one value after the other is zero, and undefined.
    """
    comparisons = [node for node in _nodes(tree) if isinstance(node, tuple) and node[0] in _TRUE]
    edges = [(at, edge) for at in range(len(comparisons)) for edge in _EDGES][:AT_EDGES]
    keys = _keys(tree, regions)
    singled = keys[: AT_EDGES // 8]
    count = len(edges) + 1 + 2 * len(singled) + DRAWS
    draws = {key: Draws(_random(str(n))[:count]) for n, key in enumerate(keys)}  # made once
    values = Values(count, regions, draws)
    flip = Random(len(edges)).random  # noqa: S311 - the same
    for is_last in (False, True):  # the comparison in question has the last word
        for at, (sign, left, right) in enumerate(comparisons):
            targets = {
                row: edge if focus == at else (0, _TRUE[sign] + (flip() < 0.2))
                for row, (focus, edge) in enumerate(edges)
                if (focus == at) is is_last
            }
            _solve(left, right, values, targets)
    for key in keys:
        values[key][len(edges)] = 0.0
    for row, key in enumerate(singled, len(edges) + 1):
        values[key][row], values[key][row + len(singled)] = 0.0, float("nan")
    return values


def _keys(tree: Tree, regions: Regions) -> list[Key]:
    """The regions that a tree refers to, each once."""
    found = (n for n in _nodes(tree) if isinstance(n, tuple) and n[0] not in _OPERATIONS)
    return list(dict.fromkeys(part for key in found for part in Values(1, regions, {}).parts(key)))


def _solve(
    left: Tree, right: Tree, values: Values, targets: Mapping[int, tuple[int, float]]
) -> None:
    """Change one value of a comparison, so that its sides differ as they should in some draws."""
    regions, difference = values.regions, ("-", left, right)
    none = dict.fromkeys(_keys(difference, regions), 0.0)
    of_right = _keys(right, regions)
    for key in sorted(none, key=of_right.__contains__):  # left ones do not change the tolerance
        at = (computed(difference, Values(1, regions, {**none, key: n})) for n in (1.0, 0.0))
        if factor := operator.sub(*at):
            break
    else:
        return
    now, other = (values.cells(computed(side, values)) for side in (difference, right))
    for row, (unit, size) in targets.items():
        scale = ABSOLUTE + RELATIVE * abs(other[row]) if unit else 1.0
        values[key][row] += (size * scale - now[row]) / factor


class Comparing(NamedTuple):
    """Two suites whose predictions are compared.

    Attributes:
        names: Name of a condition in the source -> its name in the result, if that is another.
        regions: Condition -> its regions, named as in the result.
        item: The number of an item that has these regions.
        are_split: Whether a prediction becomes one for each part that is joined by ``&``.
    """

    names: Mapping[str, str]
    regions: Regions
    item: int
    are_split: bool

    def numbers(self, old: Sequence[Any], new: Sequence[Any]) -> Iterator[Counter[str]]:
        """The numbers of the proof of each prediction, which are those of ``Proof``.

        Raises:
            ConversionError: A verdict is another, or there are more or fewer predictions.
        """
        start = 0
        if odd := next((one for one in new if not isinstance(one, dict)), None):
            refuse(f"a prediction would be {odd!r:.60}, which is of an older language")
        for number, stated in enumerate(old, 1):
            size, numbers = self._compared(f"prediction {number}", stated, new[start:])
            start += size
            yield numbers
        if start != len(new):
            made = f"the result would have {len(new)}, and not {start}"
            refuse(f"the source has {len(old)} predictions, and {made}")

    def _compared(self, name: str, stated: Any, rest: Sequence[Any]) -> tuple[int, Counter[str]]:
        """How many predictions one has become, and the numbers of their verdicts, which are its."""
        if not (self.names or self.are_split) and [*map(_words, rest[:1])] == [_words(stated)]:
            return 1, Counter(unchanged=1)
        try:
            old = prediction_of(stated, self.names)
            size = computed(old.tree, Counter(), _PARTS) if self.are_split else 1
            new, values = rest[:size], drawn(old.tree, self.regions)
            before, after = self._verdicts(old.tree, new, values)
        except RecursionError:
            return 1, Counter(unread=1)
        except (FormulaSyntaxError, TypeError):  # it has no verdict, which a check reports
            with suppress(ValueError):
                if self.are_split or [prediction_of(one).tree for one in new] == [old.tree]:
                    return size, Counter(unread=1)
            refuse(f"{name} has a verdict before or after, and not both")
        except ValueError as error:
            refuse(f"{name} cannot be compared: {error}")
        if len(new) < size:
            return size, Counter()
        if before != after:
            row = next(row for row, one in enumerate(before) if one != after[row])
            self._refuse(name, old, new, values, row)
        is_declared = "=" in old.source and (old.is_exact or "formula" not in new[0])
        exact = values.cells(computed(old.tree, values, _EXACT)) if is_declared else before
        declared = sum(map(operator.ne, exact, before))
        return size, Counter(predictions=1, edges=values.count - DRAWS, declared=declared)

    def _verdicts(
        self, old: Tree, new: Sequence[Any], values: Values
    ) -> tuple[list[Any], list[Any]]:
        """The verdicts before, and after: all that has become of a prediction holds."""

        def value_of(at: Reference) -> Any:
            return values["*" if at.region is None else at.region, at.condition]

        after: Any = True
        for one in new:
            after &= (
                evaluate(parse(one["formula"]).tree, value_of)
                if "formula" in one
                else computed(prediction_of(one).tree, values)
            )
        return [*values.cells(computed(old, values))], [*values.cells(after)]

    def _refuse(
        self, name: str, old: Prediction, new: Sequence[Any], values: Values, row: int
    ) -> NoReturn:
        """Refuse it, with simple values for which the verdicts differ as they do in a draw."""
        shown = Values(1, self.regions, {key: Draws([cells[row]]) for key, cells in values.items()})
        for key, (stated,) in [*shown.items()]:
            for simpler in (0.0, 1.0, 2.0, 3.0, stated):
                shown[key] = Draws([simpler])
                before, after = self._verdicts(old.tree, new, shown)
                if before != after:
                    break
        listed = ", ".join(f"({n};%{name}%) = {value:g}" for (n, name), (value,) in shown.items())
        verdicts = (str(one).lower() for (one,) in self._verdicts(old.tree, new, shown))
        texts = " and ".join(f"`{prediction_of(one).source}`" for one in new)
        refuse(
            f"{name} would get another verdict: in item {self.item}, for {listed}, "
            f"`{old.source}` is {next(verdicts)}, and {texts} {next(verdicts)}"
        )


def _words(stated: Any) -> Any:
    """The text of a prediction: the same formula means the same."""
    return stated.get("formula", stated) if isinstance(stated, dict) else (stated,)
