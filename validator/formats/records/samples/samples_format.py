"""Sample files of evaluation records: how they are recognized."""

from __future__ import annotations

from evalmark.validator.format import Format, LightFormat


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
