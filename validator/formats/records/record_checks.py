"""Evaluation records: how they are checked, with their samples and their place."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from evalmark.validator.findings.finding import Finding, Severity
from evalmark.validator.findings.rule import Rule, RuleGroup, grouped
from evalmark.validator.format import Advice, CheckContext, CheckResult, Document, Format
from evalmark.validator.formats.records.record_fields import fields_of
from evalmark.validator.formats.records.record_rule_table import RECORD_RULES
from evalmark.validator.formats.records.record_view import RecordView, view_of
from evalmark.validator.formats.records.rules.source_rules import OWN_PATH
from evalmark.validator.formats.shared.field_layout import Fields
from evalmark.validator.formats.shared.json_checks import JsonChecks
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Source

if TYPE_CHECKING:  # for a profile
    from evalmark.validator.formats.records.eee_gate import GateRows


_GROUPS = grouped(RECORD_RULES)


@cache
def _with_details() -> tuple[RuleGroup, ...]:
    from evalmark.validator.formats.records.detail_rule_table import DETAIL_RULES  # many have none

    return (*_GROUPS, *grouped(DETAIL_RULES))


class RecordChecks(JsonChecks):
    """Records of Every Eval Ever; with their samples and their place."""

    def __init__(self, form: Format, samples: Format) -> None:
        super().__init__(form)
        self.samples = samples  # the format of the sample files that records name

    def identity(self, document: Document) -> str | None:
        """The evaluation id."""
        declared = fields_of(document).text("evaluation_id")
        return declared if declared and declared.strip() else None

    def same_identity(self, source: Source, raw: bytes, other: str, other_raw: bytes) -> Finding:
        """The finding, with what differs between the two records."""
        from evalmark.validator.formats.records.compared_records import same_evaluation_id

        return same_evaluation_id(source, raw, other, other_raw)

    def advice(self) -> Advice:
        """Suggestions for scores and times."""
        from evalmark.validator.formats.records.record_advice import RECORD_ADVICE

        return RECORD_ADVICE

    def rules(self) -> tuple[Rule, ...]:
        """The rules on records."""
        from evalmark.validator.formats.records.detail_rule_table import DETAIL_RULES

        return (*RECORD_RULES, *DETAIL_RULES)

    def groups(self, view: object) -> tuple[RuleGroup, ...]:
        """The same; those on details if the record has some."""
        assert isinstance(view, RecordView)
        return _with_details() if view.has_details else _GROUPS

    def view(self, document: Document, reading: Reading, context: CheckContext) -> object:
        """The same fields for every version."""
        del context
        text = None if reading.plain else reading.text
        return view_of(document, time.time(), text, reading.plain)

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check a record, its place in a datastore, its samples, and what a profile asks."""
        checked = super().check(document, reading, context)
        is_placed = self.format.may_be_at(reading.path)
        if context.profile or context.datastore or is_placed:
            from evalmark.validator.formats.records.datastore import datastore_findings

            checked.findings = datastore_findings(
                document,
                reading,
                checked.findings,
                gate=context.profile == "eee",
                everywhere=context.datastore,
            )
        if context.profile:
            from evalmark.validator.formats.records.eee_gate import GateRows, judge_record

            rows = GateRows()
            self._add_samples(checked, document, reading, context, rows)
            samples = checked.companions[0] if checked.companions else None
            checked.findings, checked.verdicts = judge_record(
                document, reading, checked.findings, rows if samples else None, samples
            )
        else:
            self._add_samples(checked, document, reading, context)
        if checked.findings:
            checked.findings = _on_one_link(checked.findings, fields_of(document))
            checked.findings = _without_consequences(checked.findings)
        return checked

    def _add_samples(
        self,
        checked: CheckResult,
        document: Document,
        reading: Reading,
        context: CheckContext,
        gate: GateRows | None = None,
    ) -> None:
        is_read = context.is_file and not context.schema_only
        if not is_read or not fields_of(document).has("samples") or reading.source is None:
            return
        from evalmark.validator.formats.records.samples.check_samples import add_samples

        add_samples(self.samples, checked, document, reading.source, context, gate)


#: Rules on the link of a record to its samples; the first broken one is reported.
_OF_LINKS = (
    "unknown-value", "samples-path", "wrong-form", "datastore-samples", "samples-missing",
)  # fmt: skip


def _on_one_link(findings: list[Finding], record: Fields) -> list[Finding]:
    """The findings; those on the link to the samples made one: a path is wrong in one way."""
    name = record.text("samples_path") or ""
    link = record.at("samples_format"), record.at("samples_path")
    of_link = [f for f in findings if f.pointer in link and f.name in _OF_LINKS]
    if any(finding.name == "samples-path" for finding in of_link):
        findings = [f for f in findings if f.fold != OWN_PATH]  # which says the same, and less
    if name.endswith(".jsonl") and len({f.pointer for f in of_link}) > 1:
        # Whatever the form is called, there is no such file.
        of_link = [f for f in of_link if f.name != "samples-missing"]
    if len(of_link) < 2:
        return findings
    first, *others = sorted(of_link, key=lambda finding: _OF_LINKS.index(finding.name))
    here = [finding for finding in (first, *others) if finding.pointer == first.pointer]
    combined = _merged(first, others, here)
    return [combined if f is first else f for f in findings if f not in others]


#: Code -> those of the mistakes that it follows from: of the same place, or of the same result.
_CONSEQUENCES = {
    "EE209": ("EE254",), "EE247": ("EE254",), "EE249": ("EE268", "EE269"), "EE254": ("EE271",),
    "EE257": ("EE201", "EE248"), "EE268": ("EE258",), "EE402": ("EE266",), "EE403": ("EE255",),
}  # fmt: skip
_OF_PLACE = ("EE249", "EE268", "EE402", "EE403")
_OF_COUNT = ("EE209", "EE247")
_BY_NUMBERS = (*_OF_COUNT, "EE249")


def _without_consequences(findings: list[Finding]) -> list[Finding]:
    """The findings; those that follow from another one are its notes."""
    for after in [finding for finding in findings if finding.code in _CONSEQUENCES]:
        causes = (f for f in findings if f.code in _CONSEQUENCES[after.code])
        cause = next((f for f in causes if _is_of_one_place(f, after)), None)
        if cause is not None:
            # What to write by wrong numbers is wrong too.
            suggesting = (cause,) if after.code in _BY_NUMBERS else (cause, after)
            told = _merged(cause, (after,), suggesting)
            findings = [told if f is cause else f for f in findings if f is not after]
    return findings


def _is_of_one_place(cause: Finding, after: Finding) -> bool:
    if after.code in _OF_COUNT and not cause.pointer.endswith("num_samples"):
        return False  # it is not computed from what is wrong
    if after.code in _OF_PLACE:
        return after.pointer in (cause.pointer, *cause.also)
    return cause.pointer.split("/")[:3] == after.pointer.split("/")[:3]


def _merged(first: Finding, others: Sequence[Finding], suggesting: Sequence[Finding]) -> Finding:
    """A finding that says what others say too, with the first suggestion of some of them."""
    is_error = any(finding.severity is Severity.ERROR for finding in (first, *others))
    return replace(
        first,
        helps=next((finding.helps for finding in suggesting if finding.helps), ()),
        fix=next((finding.fix for finding in suggesting if finding.fix), None),
        notes=(*first.notes, *(finding.message for finding in others)),
        severity=Severity.ERROR if is_error else first.severity,
    )
