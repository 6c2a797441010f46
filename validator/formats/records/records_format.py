"""Evaluation records and their sample files: how they are recognized."""

from __future__ import annotations

import os

from evalmark.validator.format import Checks, Format


def _record_checks(form: Format) -> Checks:
    from evalmark.validator.formats.records.record_checks import RecordChecks

    return RecordChecks(form, SAMPLE_FORMAT)


def _sample_checks(form: Format) -> Checks:
    from evalmark.validator.formats.records.samples.check_samples import SampleChecks

    return SampleChecks(form)


def is_in_datastore(path: str) -> bool:
    """True if a file lies three folders below a folder ``data``, as in a datastore."""
    if path.startswith(os.sep) and f"{os.sep}data{os.sep}" not in path:
        return False
    return os.path.abspath(path).split(os.sep)[-5:-4] == ["data"]


def _is_named_as_samples(path: str) -> bool:
    return path.endswith("_samples.jsonl")


RECORD_FORMAT = Format(
    "record",
    "an object with `evaluation_results`, or `schema_version` and `model_info`",
    "EE",
    (frozenset(("evaluation_results",)), frozenset(("schema_version", "model_info"))),
    _record_checks,
    may_match_path=is_in_datastore,
)
SAMPLE_FORMAT = Format(
    "sample",
    "an object with `evaluation_name` and `interaction_type`; one per line in .jsonl",
    "EE",
    (frozenset(("evaluation_name", "interaction_type")),),
    _sample_checks,
    may_match_path=_is_named_as_samples,
    has_rows=True,
)
