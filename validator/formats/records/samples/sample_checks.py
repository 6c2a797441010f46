"""Sample files: how they are checked, by themselves and with their record."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.rule import failed_check
from evalmark.validator.format import Advice, CheckContext, CheckResult, Document, Format
from evalmark.validator.formats.records.record_view import fields_of
from evalmark.validator.formats.records.samples.check_samples import check_samples
from evalmark.validator.formats.records.samples.companions import companion, link_findings
from evalmark.validator.formats.shared.json_checks import JsonChecks
from evalmark.validator.formats.shared.row_findings import merge_conflict
from evalmark.validator.reading.source import Source

if TYPE_CHECKING:  # loaded for a profile
    from evalmark.validator.formats.records.gate.gate_files import GateRows


class SampleChecks(JsonChecks):
    """Rows of sample files; a single one may be a document."""

    def advice(self) -> Advice:
        """Suggestions for turns."""
        from evalmark.validator.formats.records.record_advice import SAMPLE_ADVICE

        return SAMPLE_ADVICE

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check a sample file without its record."""
        if not context.options.profile:
            return check_samples(self.format, file, path, context)
        from evalmark.validator.formats.records.gate.gate import judge_samples
        from evalmark.validator.formats.records.gate.gate_files import GateRows

        rows = GateRows()
        checked = check_samples(self.format, file, path, context, gate=rows)
        if merge_conflict(checked.findings, path):
            checked.verdicts = ((path, "refuse"),)
            return checked
        checked.findings, checked.verdicts = judge_samples(path, checked.findings, rows)
        return checked


def add_samples(
    form: Format,
    checked: CheckResult,
    document: Document,
    source: Source,
    context: CheckContext,
    gate: GateRows | None,
) -> None:
    """Add what is found in the sample file, of a format, that a record names."""
    samples = companion(document.data, source.path)
    if samples is None:
        return
    if not samples.path and any(
        finding.name == "wrong-form" and finding.pointer.endswith("/file_path")
        for finding in checked.findings
    ):
        return  # there is no such file because of that
    if not samples.path:
        checked.findings += link_findings(samples, source.path, source, tuple(checked.findings))
        return
    checked.companions = (samples.path,)
    finding: Finding | None = None
    try:
        with samples.opened() as file:
            has_rows = fields_of(document).number("samples_rows") != 0
            if context.no_rows is not None:
                finding = context.no_rows(file, samples.path, is_sample=has_rows)
            if finding is None:
                result = check_samples(
                    form, file, samples.path, context, record=document, source=source, gate=gate
                )
                finding = merge_conflict(result.findings, samples.path)
    except Exception as error:  # what was found in the record stands
        finding = failed_check(error, samples.path, samples.real)
    if finding is None:
        known = {each.pointer for each in result.findings if each.path == source.path}
        known.add(fields_of(document).at("samples_rows"))
        checked.findings = [
            each  # the file says better what is wrong with its count and its checksum
            for each in checked.findings
            if each.name != "samples-file-contradicts" or each.pointer not in known
        ]
        checked.findings += result.findings
        return
    if gate is not None:
        gate.refuse()
    checked.findings.append(finding)
