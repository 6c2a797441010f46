"""Sample files: how they are recognized and checked."""

from __future__ import annotations

from typing import BinaryIO

from evalmark.validator.format import Advice, CheckContext, CheckResult, Document, Violation
from evalmark.validator.formats.shared.json_format import JsonFormat


class SampleFormat(JsonFormat):
    """Rows of sample files; a single one may be a document."""

    def advice(self) -> Advice:
        """Suggestions for turns."""
        from evalmark.validator.formats.records.record_advice import SAMPLE_ADVICE

        return SAMPLE_ADVICE

    def explained(self, document: Document, violations: list[Violation]) -> list[Violation]:
        """The violations; a label that is missing is that of the version that fits."""
        from evalmark.validator.formats.records.version_labels import with_version

        return with_version(document, violations)

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check a sample file without its record."""
        from evalmark.validator.formats.records.samples.check_samples import check_samples
        from evalmark.validator.formats.shared.row_findings import merge_conflict

        if not context.options.profile:
            return check_samples(self, file, path, context)
        from evalmark.validator.formats.records.gate.gate import judge_samples
        from evalmark.validator.formats.records.gate.gate_files import GateRows

        rows = GateRows()
        checked = check_samples(self, file, path, context, gate=rows)
        if merge_conflict(checked.findings, path):
            checked.verdicts = ((path, "refuse"),)
            return checked
        document = Document(None, self)
        checked.findings, checked.verdicts = judge_samples(document, path, checked.findings, rows)
        return checked


SAMPLE = SampleFormat(
    "sample",
    "an object with `evaluation_name` and `interaction_type`; one per line in .jsonl",
    "EE",
    (frozenset(("evaluation_name", "interaction_type")),),
    ending="_samples.jsonl",
    has_rows=True,
)
