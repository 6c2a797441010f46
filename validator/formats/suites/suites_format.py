"""Suites: how they are recognized and checked, and what to write in other shapes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import SUITE_NAME
from evalmark.validator.findings.rule import Rule, same_suite_name
from evalmark.validator.format import Advice, CheckContext, Document, Format
from evalmark.validator.formats.shared.json_checks import JsonChecks
from evalmark.validator.formats.suites.suite import LEGACY, MODELS, has_triples
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Source

if TYPE_CHECKING:  # few files are in an editor
    from evalmark.validator.findings.editing import Editing


class SuiteChecks(JsonChecks):
    """Suites whose predictions are formulas, or triples of operand, relation, operand."""

    def identity(self, document: Document) -> str | None:
        """The name of the suite."""
        meta = document.data.get("meta") if isinstance(document.data, dict) else None
        name = meta.get("name") if isinstance(meta, dict) else None
        return f"{SUITE_NAME}{name}" if isinstance(name, str) and name.strip() else None

    def same_identity(self, source: Source, raw: bytes, other: str, other_raw: bytes) -> Finding:
        """The finding for a suite with the name of another one."""
        del raw, other_raw
        return same_suite_name(source.path, other, source)

    def advice(self) -> Advice:
        """Advice on regions and operands."""
        from evalmark.validator.formats.suites.suite_advice import SUITE_ADVICE

        return SUITE_ADVICE

    def rules(self) -> tuple[Rule, ...]:
        """The rules on suites."""
        from evalmark.validator.formats.suites.suite_rule_table import SUITE_RULES

        return SUITE_RULES

    def view(self, document: Document, reading: Reading, context: CheckContext) -> object:
        """The suite with its formulas parsed, and pointers."""
        from evalmark.validator.formats.suites.suite_view import SuiteFileView

        del reading
        return SuiteFileView(document.data, context.join, MODELS[context.models], context.words)

    def editing(self, data: object, context: CheckContext) -> Editing:
        """Formulas in words, the regions they refer to, conditions that are renamed."""
        from evalmark.validator.formats.suites.suite_editing import SuiteEditing

        return SuiteEditing(self.format.name, data, context)


def _has_formulas(data: dict[str, Any]) -> bool:
    return not has_triples(data)


_KEYS = (frozenset(("items", "predictions")), frozenset(("items", "region_meta")))

SUITE = Format(
    "suite",
    "an object with `items` and `predictions` or `region_meta`",
    "SG",
    _KEYS,
    SuiteChecks,
    values_match=_has_formulas,
)
LEGACY_SUITE = Format(
    LEGACY,
    "a suite whose predictions have `l_operand`, `relation` and `r_operand`",
    "SG",
    _KEYS,
    SuiteChecks,
    values_match=has_triples,
)
