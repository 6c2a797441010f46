"""Suggestions for suites that the schema rejects, and for other shapes and dialects."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.findings.finding import Hit
from evalmark.validator.format import Advice, Violation
from evalmark.validator.formats.suites.formula.formula_syntax import read
from evalmark.validator.reading.source import parse_pointer

#: Characters of a value that is written out.
MAX_TEXT = 240


class SuiteAdvice(Advice):
    """Advice on regions and on the operands of triples."""

    def instead(self, key: str, value: Any) -> tuple[str, ...] | None:
        """The content of an empty region; nothing for a number as an operand, which has a name."""
        if key == "content" and value is None:
            return ('write "", if the region is empty',)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return () if is_number and key.endswith("_operand") else None


SUITE_ADVICE = SuiteAdvice(
    spellings={
        "<": "lessthan", "lt": "lessthan", "less": "lessthan", "smaller": "lessthan",
        ">": "greaterthan", "gt": "greaterthan", "greater": "greaterthan", "larger": "greaterthan",
        "=": "equals", "==": "equals", "eq": "equals", "equal": "equals",
    }
)  # fmt: skip


def in_shape(data: Any, explained: list[Violation]) -> list[Violation]:
    """The violations; where a value of another shape says what is meant, what to write."""
    predictions = data.get("predictions") if isinstance(data, dict) else None
    bare = isinstance(predictions, list) and all(map(_is_formula, predictions))
    inside = [v for v in explained if v.hit.at.pointer.startswith("/predictions/")]
    if bare and inside:
        first, *rest = inside
        hit = replace(
            first.hit,
            message="predictions are bare formulas, an old dialect",
            caret="expected an object with this formula",
            helps=("`evalmark convert --in-place FILE` rewrites them in the current dialect",),
            fold="bare",
        )
        others = [violation for violation in explained if violation not in (first, *rest)]
        return [Violation(first.rule, hit), *others]
    return [_with_help(data, violation) for violation in explained]


def _is_formula(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(read(value))
    except FormulaSyntaxError:
        return False


def _with_help(data: Any, violation: Violation) -> Violation:
    hit: Hit = violation.hit
    if hit.helps or violation.rule != "wrong-type":
        return violation
    path = parse_pointer(hit.at.pointer)
    value = _at(data, path)
    meant = _meant(path, value)
    if meant is None:
        return violation
    text = json.dumps(meant, ensure_ascii=False)
    if len(text) > MAX_TEXT:
        return violation
    return Violation(violation.rule, replace(hit, helps=(f"write {text}",)))


def _at(data: Any, path: list[str]) -> Any:
    for token in path:
        data = data[int(token)] if isinstance(data, list) else data[token]
    return data


def _meant(path: list[str], value: Any) -> Any:
    """The value in the shape of the format; None if that is unknown."""
    key = next((token for token in reversed(path) if not token.isdecimal()), "")
    is_element = bool(path) and path[-1].isdecimal()
    if value in ({}, []):
        return None
    match key, value:
        case "region_meta", [*names] if all(isinstance(name, str) for name in names):
            return {str(number): name for number, name in enumerate(names, 1)}
        case "predictions", str() if _is_formula(value):
            prediction = {"type": "formula", "formula": value}
            return prediction if is_element else [prediction]
        case "regions", str() if is_element:
            return {"region_number": int(path[-1]) + 1, "content": value}
        case "regions", {}:
            return _numbered(value)
        case "conditions", {}:
            return _named(value)
        case "items", {} if all(isinstance(item, dict) for item in value.values()):
            return list(value.values())
    return None


def _numbered(value: dict[str, Any]) -> Any:
    if not all(number.isdecimal() and isinstance(text, str) for number, text in value.items()):
        return None
    return [{"region_number": int(number), "content": text} for number, text in value.items()]


def _named(value: dict[str, Any]) -> Any:
    if not all(isinstance(regions, list) for regions in value.values()):
        return None
    return [{"condition_name": name, "regions": regions} for name, regions in value.items()]
