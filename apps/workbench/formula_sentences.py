"""Formulas as people write them: with names of regions for numbers, or as sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

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
    """A formula with the numbers of regions where it has their names.

    Args:
        formula: The formula.
        names: The number of a region, as text -> its name.
    """

    def number(match: re.Match[str]) -> str:
        key = _region(match["name"], names)
        return f"({key};%" if key else match[0]

    return _NAMED.sub(number, formula)


def from_sentence(sentence: str, conditions: Sequence[str], names: Mapping[str, str]) -> str:
    """The formula that a sentence means; empty if it is not understood.

    Args:
        sentence: Comparisons, as the page writes them under a formula, with `and` or `or`.
        conditions: Names of the conditions of the suite.
        names: The number of a region, as text -> its name.
    """
    text = sentence.strip().rstrip(".")
    parts = _CONNECTIVE.split(text)
    connectives = set(parts[1::2])
    comparisons = [_comparison(part, conditions, names) for part in parts[::2]]
    if len(connectives) > 1 or not all(comparisons):
        return ""
    if not connectives:
        return comparisons[0]
    return f" {_CONNECTIVES[connectives.pop()]} ".join(f"({one})" for one in comparisons)


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
    """The number of a region that is named; empty if none is, or several are."""
    name = text.strip().casefold()
    if name in WHOLE:
        return "*"
    if number := _REGION.fullmatch(name):
        return number["number"] if number["number"] in names else ""
    same = [key for key, other in names.items() if other.strip().casefold() == name]
    return same[0] if len(same) == 1 else ""
