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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from unicodedata import normalize

#: Number of a region, ``*`` for all of them, and the name of a condition in NFC.
Key = tuple[int | str, str]
#: What regions and conditions of a source are called in its result.
Place = Callable[[Key], Key]
#: Two sides and what compares them.
Comparison = tuple[str, ast.expr, ast.expr]
#: The relation of a legacy prediction -> its operator, in the words of the documentation.
RELATIONS = {"lessthan": "<", "equals": "=", "greaterthan": ">"}
#: What the two sides of ``=`` may differ by, in the words of the language of today.
ABSOLUTE, RELATIVE = 1e-3, 1e-5
_KEY = re.compile(r"\(\s*(\d+|\*)\s*;\s*%([^%]*)%\s*\)")
_WORD = re.compile(r"\s*(@|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[()\[\]<>=&|+-])\s*")
_ODD = "{} is not a part of formulas"
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "<": operator.lt, ">": operator.gt, "=": operator.eq,
    "&": operator.and_, "|": operator.or_,
}  # fmt: skip


class Language(NamedTuple):
    """How Python reads formulas.

    Attributes:
        written: Sign -> what Python reads in its place.
        signs: What Python has read -> the sign.
        is_chain: Whether ``a < b < c`` compares ``b`` twice; else a result is joined with the next.
    """

    written: Mapping[str, str]
    signs: Mapping[type[ast.AST], str]
    is_chain: bool


_SUMS: dict[type[ast.AST], str] = {ast.Add: "+", ast.Sub: "-", ast.UAdd: "+", ast.USub: "-"}
PYTHON = Language(
    {"=": "==", "[": "(", "]": ")"},
    {**_SUMS, ast.Lt: "<", ast.Gt: ">", ast.Eq: "=", ast.BitAnd: "&", ast.BitOr: "|"},
    is_chain=True,
)
#: Comparisons bind tighter than ``&`` and ``|``, which share one level, as ``<`` and ``>`` do.
TODAY = Language(
    {"<": "<<", ">": ">>", "=": "&", "&": "<", "|": ">"},
    {**_SUMS, ast.LShift: "<", ast.RShift: ">", ast.BitAnd: "=", ast.Lt: "&", ast.Gt: "|"},
    is_chain=False,
)


def as_it_is(key: Key) -> Key:
    """The place of a key where nothing is called otherwise."""
    return key


@dataclass(frozen=True, slots=True)
class Prediction:
    """A prediction that was read.

    Attributes:
        source: The formula; of a triple, one that says the same.
        language: What it is written in.
        tree: What Python has read.
        words: What each name in it stands for, by its number.
        is_exact: Whether its language knows no tolerance of ``=``.
    """

    source: str
    language: Language
    tree: ast.expr
    words: list[Key | float]
    is_exact: bool

    def keys(self, *nodes: ast.expr) -> list[Key]:
        """The keys that some of its parts refer to, each once."""
        names = [n for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)]
        words = [self.words[int(name.id[1:])] for name in names]
        return list(dict.fromkeys(word for word in words if isinstance(word, tuple)))

    def comparisons(self) -> list[Comparison]:
        """Its comparisons."""
        found: list[Comparison] = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.BinOp):
                found.append((self._sign(node.op), node.left, node.right))
            elif isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                found += zip(map(self._sign, node.ops), sides, sides[1:], strict=False)
        return [one for one in found if one[0] in "<>="]

    def value(
        self, values: Mapping[Key, Any], node: ast.expr | None = None, *, is_exact: bool = False
    ) -> Any:
        """Its verdict, or the value of a part; ``is_exact`` is ``=`` without a tolerance."""
        node = node or self.tree
        spine: list[tuple[ast.AST, ast.expr]] = []
        while isinstance(node, ast.BinOp):  # a sum of a thousand terms is as deep as one of two
            spine.append((node.op, node.right))
            node = node.left
        if isinstance(node, ast.Name):
            word = self.words[int(node.id[1:])]
            result = values[word] if isinstance(word, tuple) else word
        elif isinstance(node, ast.UnaryOp):
            result = self._joined(node.op, 0.0, self.value(values, node.operand), is_exact)
        elif isinstance(node, ast.Compare):
            result = left = self.value(values, node.left, is_exact=is_exact)
            links: Iterable[tuple[ast.AST, ast.expr]] = zip(node.ops, node.comparators, strict=True)
            for number, (sign, side) in enumerate(links):
                right = self.value(values, side, is_exact=is_exact)
                is_first = number == 0 or not self.language.is_chain
                link = self._joined(sign, result if is_first else left, right, is_exact)
                result, left = link if is_first else result & link, right
        else:
            raise ValueError(_ODD.format(type(node).__name__))  # noqa: TRY004 - of the formula
        for sign, side in reversed(spine):
            result = self._joined(
                sign, result, self.value(values, side, is_exact=is_exact), is_exact
            )
        return result

    def _sign(self, node: ast.AST) -> str:
        sign = self.language.signs.get(type(node))
        if sign is None:
            raise ValueError(_ODD.format(type(node).__name__))
        return sign

    def _joined(self, node: ast.AST, left: Any, right: Any, is_exact: bool) -> Any:
        sign = self._sign(node)
        if sign == "=" and not is_exact:
            return abs(left - right) <= abs(right) * RELATIVE + ABSOLUTE
        return _OPERATIONS[sign](left, right)


def prediction_of(stated: Any, place: Place = as_it_is) -> Prediction:
    """A prediction of any dialect: a triple, a bare formula, which is an older one, or a formula.

    Raises:
        ValueError: It cannot be read.
        RecursionError: It is too long.
    """
    if isinstance(stated, dict) and "formula" not in stated:
        keys = [key_of(stated["region_number"], stated[f"{side}_operand"]) for side in "lr"]
        sign = RELATIONS[stated["relation"]]
        source = f" {sign} ".join(f"({number};%{name}%)" for number, name in keys)
        tree = ast.parse(f"v0 {PYTHON.written.get(sign, sign)} v1", mode="eval").body
        return Prediction(source, PYTHON, tree, [place(key) for key in keys], is_exact=True)
    source = stated if isinstance(stated, str) else stated["formula"]
    is_old = isinstance(stated, str) or "[" in source or "]" in source  # the mark of the older ones
    language = PYTHON if is_old else TODAY
    keys = [key_of(*match.groups()) for match in _KEY.finditer(source)]
    text, at, python = _KEY.sub("@", source), 0, ""
    words: list[Key | float] = []
    while at < len(text):
        match = _WORD.match(text, at)
        if match is None:
            raise ValueError(f"unexpected `{text[at:].strip()[:1]}`")
        at, word = match.end(), match[1]
        if word[0] == "@" or word[0] in ".0123456789":
            python += f" v{len(words)} "
            words.append(place(keys.pop(0)) if word == "@" else float(word))
        else:
            python += language.written.get(word, word)
    try:
        tree = ast.parse(python.strip(), mode="eval").body
    except (SyntaxError, MemoryError) as error:
        raise ValueError("it is not a formula") from error
    return Prediction(source, language, tree, words, is_old)


def key_of(region: Any, condition: str) -> Key:
    """The key of a region, ``*`` or a whole number, and a condition."""
    return "*" if region == "*" else int(region), normalize("NFC", condition.strip(" \t\r\n"))
