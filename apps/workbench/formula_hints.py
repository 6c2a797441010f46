"""A formula while it is typed: what is wrong with it, and what it says in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.formula.formula_syntax import read
from evalmark.validator.formats.suites.formula.formula_words import in_words
from evalmark.validator.formats.suites.formula.meaning import type_problems
from evalmark.workbench.formula_sentences import from_sentence, numbered
from evalmark.workbench.page_check import check

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
    """Checks a formula as one of a suite: the first mistake in it, and its meaning in words.

    Args:
        formula: The formula.
        conditions: Names of the conditions of the suite.
        regions: How many regions it has.
        names: The number of a region, as text -> its name.
    """
    findings = check(_suite(formula, conditions, regions))["findings"]
    wrong = next((f for f in findings if f["code"] in RULES and f["pointer"] == AT), None)
    try:
        words = in_words(read(formula).tree, names or {})
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
    """The formula meant by one with names of regions, or by a sentence; empty if it is neither."""
    candidates = (numbered(formula, names), from_sentence(formula, conditions, names))
    return next((one for one in candidates if one not in ("", formula) and _is_formula(one)), "")


def _correction(formula: str, finding: Mapping[str, Any]) -> str:
    """The formula that a suggestion leads to; empty if it says none."""
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
        return not any(type_problems(read(text).tree))
    except FormulaSyntaxError:
        return False


def _suite(formula: str, conditions: Sequence[str], regions: int) -> dict[str, Any]:
    """A suite with a formula, in which nothing else can be wrong with it."""
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
