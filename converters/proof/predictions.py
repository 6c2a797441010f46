"""Predictions before and after a conversion, read as trees and compared.

Triples are read by their keys, formulas by the small reader here, not by the parser of formulas. It
drops parentheses and expands the chains of older formulas. A tree does not say which regions ``*``
adds, for which sentences are compared with all of theirs, nor whether ``=`` has a tolerance, which
no older language knows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NoReturn
from unicodedata import normalize

from evalmark.schemas.errors import PLEASE_REPORT, ConversionError

#: A number, a region under a condition, or a sign with what it joins.
Tree = Any
#: The relation of a legacy prediction -> its operator, in the words of the documentation.
RELATIONS = {"lessthan": "<", "equals": "=", "greaterthan": ">"}
#: Keys of a prediction that its tree is read from.
READ = frozenset({"formula", "region_number", "l_operand", "relation", "r_operand"})
_WORD = re.compile(
    r"\(\s*([0-9]+|\*)\s*;\s*%([^%]*)%\s*\)|((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(\S)"
)
#: Levels of signs, the loosest first: those of today, and of Python, which read older formulas.
_TODAY, _PYTHON = ("&|", "<>=", "+-"), ("<>=", "|", "&", "+-")
_CLOSED_BY = {"(": ")", "[": "]"}


def refuse(reason: str) -> NoReturn:
    """Refuse a conversion that is wrong, with a ConversionError."""
    raise ConversionError(reason, PLEASE_REPORT)


def tree_of(stated: Any, names: Mapping[str, str] = {}) -> Tree:
    """The tree of a triple, or of a formula of any dialect; ``names`` has new names of conditions.

    Raises ValueError if it cannot be read.
    """
    if isinstance(stated, dict) and "formula" not in stated:
        sides = (
            _region(stated["region_number"], stated[key], names)
            for key in ("l_operand", "r_operand")
        )
        return RELATIONS[stated["relation"]], *sides
    try:
        reader = _Reader(text_of(stated), names, _PYTHON if _is_exact(stated) else _TODAY)
        tree = reader.level(reader.levels)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if reader.words:
        raise ValueError(f"`{reader.words[-1][0]}` is not expected")
    return tree


def text_of(stated: Any) -> str:
    """A prediction as a text: its formula, or one for its triple."""
    if isinstance(stated, str) or "formula" in stated:
        return str(stated if isinstance(stated, str) else stated["formula"])
    region, sign = stated["region_number"], RELATIONS[stated["relation"]]
    return f"({region};%{stated['l_operand']}%) {sign} ({region};%{stated['r_operand']}%)"


def _written(stated: Any) -> tuple[str, bool]:
    return text_of(stated), _is_exact(stated)


def _is_exact(stated: Any) -> bool:
    """True for a prediction whose ``=`` has no tolerance: a triple, or an older formula."""
    is_formula = isinstance(stated, dict) and "formula" in stated
    return not is_formula or "[" in stated["formula"] or "]" in stated["formula"]


def _region(number: Any, condition: str, names: Mapping[str, str]) -> Tree:
    name = normalize("NFC", condition.strip(" \t\r\n"))
    return "region", "*" if number == "*" else int(number), names.get(name, name)


class _Reader:
    """Reads the words of a formula, the last of which comes first in its list."""

    def __init__(self, source: str, names: Mapping[str, str], levels: Sequence[str]) -> None:
        self.words = [*_WORD.finditer(source)][::-1]
        self.names, self.levels = names, levels

    def take(self, signs: str) -> str:
        is_sign = self.words and str(self.words[-1][4]) in signs
        return self.words.pop()[0] if is_sign else ""

    def level(self, levels: Sequence[str]) -> Tree:
        """What the signs of a level join, each part read by the levels below it."""
        if not levels:
            return self.atom()
        signs, parts = list[str](), [self.level(levels[1:])]
        while sign := self.take(levels[0]):
            signs.append(sign)
            parts.append(self.level(levels[1:]))
        if not signs:
            return parts[0]
        if levels[0] == "<>=":
            links = [(s, *sides) for s, sides in zip(signs, pairwise(parts), strict=True)]
            # Today a chain is an error, and has to stay the same one.
            return links[0] if len(links) == 1 else ("&" if levels is _PYTHON else "chain", *links)
        is_logic = len({*signs}) == 1 and levels[0] != "+-"
        return (
            (signs[0], *parts)
            if is_logic
            else ("mixed", parts[0], *zip(signs, parts[1:], strict=True))
        )

    def atom(self) -> Tree:
        if opening := self.take("(["):
            inner = self.level(self.levels)
            if self.take(_CLOSED_BY[opening]):
                return inner
            raise ValueError(f"`{opening}` is not closed")
        sign, word = self.take("+-"), self.words.pop() if self.words else None
        if word and word[3]:
            return float(sign + word[3])
        if word and word[1] and not sign:
            return _region(word[1], word[2], self.names)
        raise ValueError("a region, a number or a parenthesis is expected")


def _parts(tree: Tree) -> list[Tree]:
    is_all = isinstance(tree, tuple) and tree[0] == "&"
    return [part for side in tree[1:] for part in _parts(side)] if is_all else [tree]


def _compares(tree: Tree) -> bool:
    return isinstance(tree, tuple) and (tree[0] == "=" or any(map(_compares, tree[1:])))


def compared_predictions(
    old: Sequence[Any],
    new: Sequence[Any],
    names: Mapping[str, str],
    *,
    are_split: bool,
    is_old: bool = False,
) -> tuple[list[Any], Counter[str]]:
    """For each new prediction the one that it was, and the numbers of the proof.

    ``names`` has the new name of each renamed condition. With ``are_split`` a prediction becomes
    one for each part that is joined by ``&``; with ``is_old`` new formulas may be of an older
    language.

    Raises:
        ConversionError: A prediction would be another, or there would be more or fewer.
    """
    numbers, origins = Counter[str](), list[Any]()
    if not is_old:
        _require_current(new)
    for number, stated in enumerate(old, 1):
        rest = new[len(origins) :]
        as_before = rest and _written(rest[0]) == _written(stated)
        if as_before and not names and not are_split:
            origins.append(stated)
            numbers["unchanged"] += 1
            continue
        try:
            tree = tree_of(stated, names)
            parts = _parts(tree) if are_split else [tree]
            made = rest[: len(parts)]
            is_right = [*map(tree_of, made)] == parts
        except ValueError as error:
            refuse(f"prediction {number} cannot be compared: {error}")
        if len(made) == len(parts) and not is_right:
            _refuse_another(number, stated, made)
        origins += [stated] * len(parts)
        numbers["predictions"] += 1
        if _compares(tree) and {*map(_is_exact, made)} == {not _is_exact(stated)}:
            numbers["tolerant" if _is_exact(stated) else "exact"] += 1
    if len(origins) != len(new):
        made_of = f"the result would have {len(new)}, and not {len(origins)}"
        refuse(f"the source has {len(old)} predictions, and {made_of}")
    return origins, numbers


def _require_current(predictions: Sequence[Any]) -> None:
    for prediction in predictions:
        if isinstance(prediction, str) or ("formula" in prediction and _is_exact(prediction)):
            refuse(f"a prediction would be `{text_of(prediction)}`, which is of an older language")


def _refuse_another(number: int, stated: Any, made: Sequence[Any]) -> NoReturn:
    texts = " and ".join(f"`{text_of(prediction)}`" for prediction in made)
    refuse(f"prediction {number} would be another: `{text_of(stated)}` becomes {texts}")
