"""Evaluation records: how they are recognized."""

from __future__ import annotations

import os

from evalmark.validator.format import Format, LightFormat


class RecordFormat(LightFormat):
    """Records of Every Eval Ever."""

    def checks(self) -> type[Format]:
        """The class of the format with its rules."""
        from evalmark.validator.formats.records.record_checks import RecordChecks

        return RecordChecks

    def may_lie_at(self, path: str) -> bool:
        """True if a file lies three folders below a folder ``data``, as in a datastore."""
        return os.path.abspath(path).split(os.sep)[-5:-4] == ["data"]


RECORD = RecordFormat(
    "record",
    "an object with `evaluation_results`, or `schema_version` and `model_info`",
    "EE",
    (frozenset(("evaluation_results",)), frozenset(("schema_version", "model_info"))),
)


class SampleFormat(LightFormat):
    """Rows of sample files; a single one may be a document."""

    def checks(self) -> type[Format]:
        """The class of the format with all that it checks."""
        from evalmark.validator.formats.records.samples.check_samples import SampleChecks

        return SampleChecks


SAMPLE = SampleFormat(
    "sample",
    "an object with `evaluation_name` and `interaction_type`; one per line in .jsonl",
    "EE",
    (frozenset(("evaluation_name", "interaction_type")),),
    ending="_samples.jsonl",
    has_rows=True,
)
