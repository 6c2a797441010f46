"""Evaluation records and their samples: how they are recognized."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from evalmark.validator.format import Format, LightFormat


@dataclass(frozen=True)
class RecordFormat(LightFormat):
    """Records of Every Eval Ever.

    Attributes:
        samples: The format of the sample files that they name.
    """

    samples: Format = field(kw_only=True)

    def checks(self) -> type[Format]:
        """The class of the format with its rules."""
        from evalmark.validator.formats.records.record_checks import RecordChecks

        return RecordChecks

    def may_lie_at(self, path: str) -> bool:
        """True if a file lies three folders below a folder ``data``, as in a datastore."""
        return os.path.abspath(path).split(os.sep)[-5:-4] == ["data"]


class SampleFormat(LightFormat):
    """Rows of sample files; a single one may be a document."""

    def checks(self) -> type[Format]:
        """The class of the format with all that it checks."""
        from evalmark.validator.formats.records.samples.sample_checks import SampleChecks

        return SampleChecks


SAMPLE = SampleFormat(
    "sample",
    "an object with `evaluation_name` and `interaction_type`; one per line in .jsonl",
    "EE",
    (frozenset(("evaluation_name", "interaction_type")),),
    ending="_samples.jsonl",
    has_rows=True,
)
RECORD = RecordFormat(
    "record",
    "an object with `evaluation_results`, or `schema_version` and `model_info`",
    "EE",
    (frozenset(("evaluation_results",)), frozenset(("schema_version", "model_info"))),
    samples=SAMPLE,
)
