"""What people get wrong in predictions: in formulas, and in the triples of legacy suites."""

from __future__ import annotations

import random
import re
from typing import Any

from benchmarks.mistakes.operators import Operator, holders, misspelt, one, put


def _formula(change: Any) -> Operator:
    """An operator on the text of one formula; the text stays if there is no room for it."""

    def changed(suite: Any, r: random.Random) -> bool:
        holder = one(holders(suite, "formula"), r)
        return holder is not None and put(holder, "formula", change(holder["formula"], suite, r))

    changed.__name__ = change.__name__
    changed.__doc__ = change.__doc__
    return changed


def _replaced(text: str, found: list[re.Match[str]], new: Any, r: random.Random) -> str:
    """The text with one of the matches replaced."""
    if not found:
        return text
    match = r.choice(found)
    return text[: match.start()] + new(match) + text[match.end() :]


def _at(pattern: str, text: str) -> list[re.Match[str]]:
    return list(re.finditer(pattern, text))


def formula_region(text: str, suite: Any, r: random.Random) -> str:
    """A formula reads a region that does not exist: a digit typed twice, or counted from 0."""
    return _replaced(
        text, _at(r"(?<=\()\d+(?=;)", text), lambda m: r.choice([m[0] * 2, "0", "99"]), r
    )


def formula_condition(text: str, suite: Any, r: random.Random) -> str:
    """A condition is misspelt in a formula."""
    return _replaced(text, _at(r"(?<=%)[\w-]+(?=%)", text), lambda m: misspelt(m[0], r), r)


def operator_doubled(text: str, suite: Any, r: random.Random) -> str:
    """An operator was typed twice."""
    return _replaced(text, _at(r"[<>&|=+-](?=[^%]*(\(|$))", text), lambda m: m[0] * 2, r)


def operator_of_python(text: str, suite: Any, r: random.Random) -> str:
    """An operator of another language: `>=`, `==`, `and`, `or`, `!=`."""
    others = {"<": ["<=", "!="], ">": [">=", "=>"], "=": ["=="], "&": ["and", "&&"], "|": ["or"]}
    return _replaced(text, _at(r"[<>=&|]", text), lambda m: r.choice(others[m[0]]), r)


def operator_missing(text: str, suite: Any, r: random.Random) -> str:
    """An operator is missing."""
    return _replaced(text, _at(r"[<>=&|]", text), lambda m: "", r)


def parenthesis_missing(text: str, suite: Any, r: random.Random) -> str:
    """A parenthesis is missing."""
    return _replaced(text, _at(r"[()\[\]]", text), lambda m: "", r)


def reference_mark(text: str, suite: Any, r: random.Random) -> str:
    """A reference lacks a `%`, or has a comma or colon for its semicolon."""
    mark = {";": [",", ":", ""], "%": [""]}
    return _replaced(text, _at(r"[;%]", text), lambda m: r.choice(mark[m[0]]), r)


def comparison_chained(text: str, suite: Any, r: random.Random) -> str:
    """Three values in one comparison: a < b < c."""
    found = _at(r"([<>])(\s*)(\(\d+;%[\w-]+%\))", text)
    return _replaced(text, found, lambda m: f"{m[0]} {m[1]} {m[3]}", r)


def compared_with_itself(text: str, suite: Any, r: random.Random) -> str:
    """Both sides of a comparison are the same reference: copied and not changed."""
    found = _at(r"(\(\d+;%[\w-]+%\))(\s*[<>]\s*)(\(\d+;%[\w-]+%\))", text)
    return _replaced(text, found, lambda m: m[1] + m[2] + m[1], r)


def other_region_on_one_side(text: str, suite: Any, r: random.Random) -> str:
    """One side of a comparison reads another region than the other side."""
    regions = sorted({x["region_number"] for x in holders(suite, "region_number", "content")})
    found = _at(r"(\((\d+)(;%[\w-]+%\)\s*[<>]\s*\())\2(?=;)", text)
    return _replaced(
        text,
        found,
        lambda m: m[1] + str(r.choice([n for n in regions if n != int(m[2])] or [0])),
        r,
    )


def formula_bare(suite: Any, r: random.Random) -> bool:
    """A prediction is the text of its formula, not an object."""
    found = [at for at, p in enumerate(suite["predictions"]) if "formula" in p]
    at = one(found, r)
    return at is not None and put(suite["predictions"], at, suite["predictions"][at]["formula"])


def formula_empty(text: str, suite: Any, r: random.Random) -> str:
    """The formula is empty, or one value that is compared with nothing."""
    return r.choice(["", text.split("<")[0].split(">")[0].lstrip("([ ")])


FORMULAS: tuple[Operator, ...] = tuple(
    _formula(change)
    for change in (
        formula_region, formula_condition, operator_doubled, operator_of_python, operator_missing,
        parenthesis_missing, reference_mark, comparison_chained, compared_with_itself,
        other_region_on_one_side, formula_empty,
    )
)  # fmt: skip


def _triple(suite: Any, r: random.Random) -> dict[str, Any] | None:
    found: dict[str, Any] | None = one(holders(suite, "l_operand", "r_operand"), r)
    return found


def operand_misspelt(suite: Any, r: random.Random) -> bool:
    """An operand names no condition."""
    triple, side = _triple(suite, r), r.choice(["l_operand", "r_operand"])
    return triple is not None and put(triple, side, misspelt(triple[side], r))


def operand_twice(suite: Any, r: random.Random) -> bool:
    """Both operands are the same condition."""
    triple = _triple(suite, r)
    return triple is not None and put(triple, "l_operand", triple["r_operand"])


def triple_region(suite: Any, r: random.Random) -> bool:
    """A prediction is about a region that no sentence has."""
    return put(_triple(suite, r), "region_number", r.choice([0, 22, 99]))


def triple_region_as_text(suite: Any, r: random.Random) -> bool:
    """The region of a prediction is a name, not a number."""
    return put(_triple(suite, r), "region_number", "Verb")


def relation_word(suite: Any, r: random.Random) -> bool:
    """A relation is written as a sign or another word."""
    return put(_triple(suite, r), "relation", r.choice(["<", ">", "less_than", "greater", "equal"]))


def triple_key(suite: Any, r: random.Random) -> bool:
    """A key of a prediction is missing."""
    triple = _triple(suite, r)
    if triple is None:
        return False
    del triple[r.choice(["region_number", "l_operand", "relation", "r_operand"])]
    return True


TRIPLES: tuple[Operator, ...] = (
    operand_misspelt, operand_twice, triple_region, triple_region_as_text, relation_word,
    triple_key,
)  # fmt: skip
