"""A formula while it is typed: what is wrong with it, and what it says in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.formula.formula_syntax import read_formula
from evalmark.validator.formats.suites.formula.formula_words import in_words
from evalmark.validator.formats.suites.formula.meaning import type_problems
from evalmark.workbench.page_check import check

#: How a sentence compares -> the operator.
RELATIONS = {"less surprising than": "<", "more surprising than": ">", "as surprising as": "="}
_CONNECTIVES = {"and": "&", "or": "|"}
_CONNECTIVE = re.compile(r"\s+(and|or)\s+")
_RELATION = re.compile(rf"\s+(?:is|are)\s+({'|'.join(RELATIONS)})\s+")
#: A region and its condition: `region 3 (Verb) of match`, `the verb in match`.
_PLACE = re.compile(r"(?:the\s+)?(?P<region>.+?)\s+(?:of|in)\s+(?P<condition>\S+)", re.IGNORECASE)
_REGION = re.compile(r"region\s+(?P<number>[0-9]+)(?:\s+\(.*\))?")
#: A reference whose region is not a number.
_NAMED = re.compile(r"\(\s*(?P<name>[^\W\d][^;()]*?)\s*;\s*%")
WHOLE = ("the whole sentence", "whole sentence")


def numbered(formula: str, names: Mapping[str, str]) -> str:
    """A formula with the numbers of regions, the keys of ``names``, where it has their names."""

    def number(match: re.Match[str]) -> str:
        key = _region(match["name"], names)
        return f"({key};%" if key else match[0]

    return _NAMED.sub(number, formula)


def from_sentence(sentence: str, conditions: Sequence[str], names: Mapping[str, str]) -> str:
    """The formula that a sentence means; empty if it is not understood.

    The sentence has comparisons, as the page writes them under a formula, with `and` or `or`.
    """
    text = sentence.strip().rstrip(".")
    parts = _CONNECTIVE.split(text)
    connectives = set(parts[1::2])
    comparisons = [_comparison(part, conditions, names) for part in parts[::2]]
    if len(connectives) > 1 or not all(comparisons):
        return ""
    if not connectives:
        return comparisons[0]
    return f" {_CONNECTIVES[connectives.pop()]} ".join(f"({part})" for part in comparisons)


def _comparison(text: str, conditions: Sequence[str], names: Mapping[str, str]) -> str:
    parts = _RELATION.split(text)
    if len(parts) != 3:
        return ""
    left, right = (_reference(part, conditions, names) for part in parts[::2])
    return f"{left} {RELATIONS[parts[1]]} {right}" if left and right else ""


def _reference(text: str, conditions: Sequence[str], names: Mapping[str, str]) -> str:
    match = _PLACE.fullmatch(text.strip())
    if match is None:
        return ""
    region = _region(match["region"], names)
    same = [name for name in conditions if name.casefold() == match["condition"].casefold()]
    return f"({region};%{same[0]}%)" if region and len(same) == 1 else ""


def _region(text: str, names: Mapping[str, str]) -> str:
    name = text.strip().casefold()
    if name in WHOLE:
        return "*"
    if number := _REGION.fullmatch(name):
        return number["number"] if number["number"] in names else ""
    same = [key for key, other in names.items() if other.strip().casefold() == name]
    return same[0] if len(same) == 1 else ""


#: Mistakes in a formula itself; other rules are about the sentences, or about several formulas.
RULES = frozenset({"SG201", "SG202", "SG203", "SG204", "SG421"})
AT = "/predictions/0/formula"
#: A suggestion that says what to write.
_SUGGESTED = re.compile(r"^(?:write|did you mean) `([^`]+)`\??\Z")


def look_at(
    formula: str,
    conditions: Sequence[str],
    regions: int,
    names: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Checks a formula as one of a suite: the first mistake in it, and its meaning in words."""
    findings = check(_suite(formula, conditions, regions))["findings"]
    wrong = next((f for f in findings if f["code"] in RULES and f["pointer"] == AT), None)
    try:
        words = in_words(read_formula(formula).tree, names or {})
    except FormulaSyntaxError:
        words = ""
    answer: dict[str, Any] = {"error": None, "words": words}
    if wrong is not None:
        shown = ("code", "message", "start", "end", "notes", "suggestion")
        # A finding that has a fix is offered one where it is listed.
        correction = "" if wrong["fix"] else _correction(formula, wrong)
        answer["error"] = problem = {key: wrong[key] for key in shown} | {"correction": correction}
        if meant := _meaning(formula, conditions, names or {}):
            problem |= {"suggestion": f"write `{meant}`", "correction": meant, "notes": []}
    return answer


def _meaning(formula: str, conditions: Sequence[str], names: Mapping[str, str]) -> str:
    candidates = (numbered(formula, names), from_sentence(formula, conditions, names))
    return next((new for new in candidates if new not in ("", formula) and _is_formula(new)), "")


def _correction(formula: str, finding: Mapping[str, Any]) -> str:
    match = _SUGGESTED.search(finding["suggestion"])
    if match is None:
        return ""
    units = formula.encode("utf-16-le", "surrogatepass")
    before, after = units[: 2 * (finding["start"] or 0)], units[2 * (finding["end"] or 0) :]
    corrected = match[1].encode("utf-16-le", "surrogatepass").join((before, after))
    # What can be read is a whole formula; else it belongs where the mistake is.
    candidates = (match[1], corrected.decode("utf-16-le", "surrogatepass"))
    return next(filter(_is_formula, candidates), "")


def _is_formula(text: str) -> bool:
    try:
        return not any(type_problems(read_formula(text).tree))
    except FormulaSyntaxError:
        return False


def _suite(formula: str, conditions: Sequence[str], regions: int) -> dict[str, Any]:
    numbers = range(1, regions + 1)
    return {
        "meta": {"name": "formula", "metric": "sum"},
        "region_meta": {str(number): "" for number in numbers},
        "predictions": [{"type": "formula", "formula": formula}],
        "items": [
            {
                "item_number": 1,
                "conditions": [
                    {
                        "condition_name": name,
                        "regions": [
                            {"region_number": number, "content": f"{place} {number}"}
                            for number in numbers
                        ],
                    }
                    for place, name in enumerate(conditions)
                ],
            }
        ],
    }
