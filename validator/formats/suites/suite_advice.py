"""Suggestions for values of a suite that its schema rejects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evalmark.validator.findings.finding import Action
from evalmark.validator.format import Advice, Document, SchemaMistake
from evalmark.validator.formats.suites.condition_names import (
    is_condition_name,
    names_of_conditions,
    normal_name,
)
from evalmark.validator.formats.suites.formula.formula_syntax import Formula, formula_or_error
from evalmark.validator.formats.suites.renaming import rewriting
from evalmark.validator.formats.suites.suite import LEGACY, OF_TRIPLES
from evalmark.validator.formats.suites.triples import RELATIONS, TRIPLE, formula_of
from evalmark.validator.reading.source import parse_pointer

#: Characters of a value that is written out.
MAX_TEXT = 240


class SuiteAdvice(Advice):
    """Advice on regions and on the operands of triples."""

    def suggest_values(self, key: str, value: object) -> tuple[str, ...] | None:
        """The content of an empty region; nothing for a number as an operand, which has a name."""
        if key == "content" and value is None:
            return ('write "" if the region is empty',)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return () if is_number and key.endswith("_operand") else None

    def merge_violations(
        self, document: Document, violations: list[SchemaMistake]
    ) -> list[SchemaMistake]:
        """The violations; where a value has another shape than the format's, what to write."""
        if document.kind == LEGACY:
            return violations  # the shapes are those of the current format
        predictions = document.data.get("predictions") if isinstance(document.data, dict) else None
        if isinstance(predictions, list) and all(map(_is_formula, predictions)):
            inside = [v for v in violations if v.mistake.at.pointer.startswith("/predictions/")]
            if inside:
                others = [v for v in violations if v not in inside]
                return [_bare_formulas(inside[0], document.data, others), *others]
        return [_with_help(document.data, violation) for violation in violations]


_SPELLINGS = {
    "lessthan": ("<", "lt", "less", "smaller"),
    "greaterthan": (">", "gt", "greater", "larger"),
    "equals": ("=", "==", "eq", "equal"),
}
_METRICS = {"average": "mean", "avg": "mean", "total": "sum", "minimum": "min", "maximum": "max"}
SUITE_ADVICE = SuiteAdvice(
    spellings={text: relation for relation, texts in _SPELLINGS.items() for text in texts}
    | _METRICS
)


def _bare_formulas(
    violation: SchemaMistake, data: Any, others: list[SchemaMistake]
) -> SchemaMistake:
    # A suite without a metric is rewritten too; one that is damaged elsewhere is not.
    is_damaged = not isinstance(data.get("meta"), dict) or any(
        violation.mistake.at.pointer != "/meta" for violation in others
    )
    effect = "rewrites them in the current dialect"
    mistake = replace(
        violation.mistake,
        message="predictions are bare formulas, an old dialect",
        caret="expected an object with this formula",
        helps=() if is_damaged else (rewriting(data, effect),),
        fold="bare",
    )
    return SchemaMistake(violation.rule, mistake)


def _is_formula(value: object) -> bool:
    return isinstance(value, str) and isinstance(formula_or_error(value), Formula)


def _with_help(data: Any, violation: SchemaMistake) -> SchemaMistake:
    """A violation; where a value of another shape shows what is meant, with what to write."""
    mistake = violation.mistake
    if mistake.helps or violation.rule not in ("wrong-type", "missing-key"):
        return violation
    path, value = parse_pointer(mistake.at.pointer), data
    for token in path:
        value = value[int(token)] if isinstance(value, list) else value[token]
    is_triple = violation.rule == "missing-key"
    if is_triple:
        if path[:-1] != ["predictions"] or not _is_triple(value) or not _has_formula(data):
            return violation
        mistake = replace(
            mistake,
            message="prediction is a legacy triple, and others of this suite are formulas",
            caret="expected an object with a formula",
        )
    meant = _formula_of(value, data) if is_triple else _meant(path, value)
    text = json.dumps(meant, ensure_ascii=False)
    helps = () if meant is None or len(text) > MAX_TEXT else (Action.WRITE(text),)
    return SchemaMistake(violation.rule, replace(mistake, helps=helps))


def _is_triple(value: object) -> bool:
    """True for a legacy prediction; one that has a formula too is none."""
    return isinstance(value, dict) and "formula" not in value and value.keys() >= OF_TRIPLES


def _has_formula(data: Any) -> bool:
    return any(isinstance(other, dict) and "formula" in other for other in data["predictions"])


def _formula_of(triple: Mapping[str, Any], data: Any) -> dict[str, Any] | None:
    """The prediction with the meaning of a legacy one; None if the suite has not what it names."""
    region, left, relation, right = (triple.get(key, "") for key in TRIPLE)
    try:
        conditions, regions = names_of_conditions(data), data["region_meta"].keys()
        names = {normal_name(left), normal_name(right)}
    except (AttributeError, KeyError, TypeError):  # the suite is damaged there, too
        return None
    is_right = names <= conditions and all(map(is_condition_name, names))
    is_known = isinstance(region, int) and str(region) in regions and str(region).isdecimal()
    if not is_right or not is_known or str(relation) not in RELATIONS:
        return None
    others = {key: value for key, value in triple.items() if key not in (*TRIPLE, "type")}
    return {"type": "formula", "formula": formula_of(triple).source, **others}


def _meant(path: list[str], value: object) -> object:
    match path, value:
        case _, {} | [] if not value:
            return None
        case [*_, "region_meta"], [*names] if all(isinstance(name, str) for name in names):
            return {str(number): name for number, name in enumerate(names, 1)}
        case [*_, "predictions"], str() if _is_formula(value):
            return [{"type": "formula", "formula": value}]
        case [*_, "predictions", _], str() if _is_formula(value):
            return {"type": "formula", "formula": value}
        case [*_, "regions", place], str() if place.isdecimal():
            return {"region_number": int(place) + 1, "content": value}
        case [*_, "regions"], dict() if all(
            number.isdecimal() and isinstance(text, str) for number, text in value.items()
        ):
            return [{"region_number": int(n), "content": text} for n, text in value.items()]
        case [*_, "conditions"], dict() if all(isinstance(part, list) for part in value.values()):
            return [{"condition_name": name, "regions": part} for name, part in value.items()]
        case [*_, "items"], dict() if all(isinstance(item, dict) for item in value.values()):
            return list(value.values())
    return None
