"""Predictions in the languages that they are written in, read without our parser of formulas.

Legacy triples mean what their documentation says. Older formulas were evaluated as Python, and so
Python's ``ast`` reads them: ``[`` is ``(``, and ``=`` is ``==``. It reads those of today too, with
operators of Python in the place of theirs that bind in the same order. Only sums, comparisons and
logic are let through, and nothing is executed.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

#: Number of a region, ``*`` for all of them, and the name of a condition in NFC.
Key = tuple[int | str, str]
#: What regions and conditions of a source are called in its result.
Place = Callable[[Key], Key]
#: Keys, numbers and signs of what is computed: a sign follows its two sides.
Code = Sequence[Key | float | str]
#: The relation of a legacy prediction -> its operator, in the words of the documentation.
RELATIONS = {"lessthan": "<", "equals": "=", "greaterthan": ">"}
#: What the two sides of ``=`` may differ by, in the words of the language of today.
ABSOLUTE, RELATIVE = 1e-3, 1e-5
_KEY = re.compile(r"\(\s*(\d+|\*)\s*;\s*%([^%]*)%\s*\)")
_WORD = re.compile(r"\s*(@|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[()\[\]<>=&|+-])\s*")
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "<": operator.lt, ">": operator.gt, "&": operator.and_,
    "|": operator.or_, "=": lambda one, two: abs(one - two) <= abs(two) * RELATIVE + ABSOLUTE,
}  # fmt: skip
_EXACT = {**_OPERATIONS, "=": operator.eq}
#: What Python reads in the place of signs of older formulas.
_PYTHON = {"=": "==", "[": "(", "]": ")"}
#: The same of today's, where comparisons bind tighter than ``&`` and ``|``, which share one level.
_TODAY = {"<": "<<", ">": ">>", "=": "&", "&": "<", "|": ">"}
_SUMS: dict[type[ast.AST], str] = {ast.Add: "+", ast.Sub: "-", ast.UAdd: "+", ast.USub: "-"}
#: The signs of what Python has read: of older formulas, and of today's.
_SIGNS: tuple[dict[type[ast.AST], str], ...] = (
    {ast.Lt: "<", ast.Gt: ">", ast.Eq: "=", ast.BitAnd: "&", ast.BitOr: "|", **_SUMS},
    {ast.LShift: "<", ast.RShift: ">", ast.BitAnd: "=", ast.Lt: "&", ast.Gt: "|", **_SUMS},
)


@dataclass(frozen=True, slots=True)
class Prediction:
    """A prediction that was read: its text, what it computes, and whether it knows no tolerance."""

    source: str
    code: Code
    is_exact: bool

    def comparisons(self) -> Iterator[tuple[str, Code, Code]]:
        """The sign and the two sides of each comparison."""
        starts: list[int] = []
        for at, word in enumerate(self.code):
            if not isinstance(word, str):
                starts.append(at)
                continue
            right = starts.pop()
            if word in "<>=":
                yield word, self.code[starts[-1] : right], self.code[right:at]

    def value(self, values: Mapping[Key, Any], *, is_exact: bool = False) -> Any:
        """Its verdict; ``is_exact`` is ``=`` without a tolerance."""
        return computed(self.code, values, _EXACT if is_exact else _OPERATIONS)


def computed(
    code: Code,
    values: Mapping[Key, Any],
    operations: Mapping[str, Callable[[Any, Any], Any]] = _OPERATIONS,
) -> Any:
    """The value of a code."""
    results: list[Any] = []
    for word in code:
        if isinstance(word, str):
            right = results.pop()
            results[-1] = operations[word](results[-1], right)
        else:
            results.append(values[word] if isinstance(word, tuple) else word)
    return results.pop()


def keys_of(*codes: Code) -> list[Key]:
    """The keys that codes refer to, each once."""
    return list(dict.fromkeys(w for code in codes for w in code if isinstance(w, tuple)))


def prediction_of(stated: Any, place: Place = lambda key: key) -> Prediction:
    """A prediction of any dialect: a triple, a bare formula, which is an older one, or a formula.

    Raises:
        ValueError: It cannot be read.
        RecursionError: It is too long.
    """
    if isinstance(stated, dict) and "formula" not in stated:
        keys = [key_of(stated["region_number"], stated[f"{side}_operand"]) for side in "lr"]
        sign = RELATIONS[stated["relation"]]
        source = f" {sign} ".join(f"({number};%{name}%)" for number, name in keys)
        return Prediction(source, [*map(place, keys), sign], is_exact=True)
    source = stated if isinstance(stated, str) else stated["formula"]
    is_old = isinstance(stated, str) or "[" in source or "]" in source  # the mark of the older ones
    keys = [key_of(*match.groups()) for match in _KEY.finditer(source)]
    text, at, python = _KEY.sub("@", source), 0, ""
    words: list[Key | float] = []
    while at < len(text):
        match = _WORD.match(text, at)
        if match is None:
            raise ValueError(f"unexpected `{text[at:].strip()[:1]}`")
        at, word = match.end(), match[1]
        if word[0] in "@.0123456789":
            python += f" v{len(words)} "
            words.append(place(keys.pop(0)) if word == "@" else float(word))
        else:
            python += (_PYTHON if is_old else _TODAY).get(word, word)
    try:
        tree = ast.parse(python.strip(), mode="eval").body
    except (SyntaxError, MemoryError) as error:
        raise ValueError("it is not a formula") from error
    return Prediction(source, [*_code(tree, words, is_old=is_old)], is_old)


def _code(tree: ast.expr, words: Sequence[Key | float], *, is_old: bool) -> Code:
    """What a tree computes; Python compares ``b`` in ``a < b < c`` twice, today it is once."""
    todo: list[ast.AST | float] = [tree]
    code: list[Key | float | str] = []
    while todo:
        match todo.pop():
            case ast.Name(id=name):
                code.append(words[int(name[1:])])
            case ast.UnaryOp(op=sign, operand=side):
                todo += [sign, side, 0.0]
            case (
                ast.BinOp(left=left, op=sign, right=right)
                | ast.Compare(left=left, ops=[sign], comparators=[right])
            ):
                todo += [sign, right, left]
            case ast.Compare(left=left, ops=[*signs, sign], comparators=[*sides, right]):
                first = ast.Compare(left, signs, sides)
                last = ast.Compare(sides[-1], [sign], [right])
                todo += [ast.BitAnd(), last, first] if is_old else [sign, right, first]
            case float() as number:
                code.append(number)
            case sign if type(sign) in (signs_of := _SIGNS[not is_old]):
                code.append(signs_of[type(sign)])
            case odd:
                raise ValueError(f"{type(odd).__name__} is not a part of formulas")
    return code


def key_of(region: Any, condition: str) -> Key:
    """The key of a region, ``*`` or a whole number, and a condition."""
    return "*" if region == "*" else int(region), normalize("NFC", condition.strip(" \t\r\n"))
