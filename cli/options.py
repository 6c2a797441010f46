"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from evalmark.schemas.errors import UsageError
from evalmark.schemas.versions import written
from evalmark.validator.options.declaration import (
    model_option,
    one_of,
    output_option,
    tests_option,
)


def dash_is_stdout(path: Path | None) -> Path | None:
    """`-` is what a command does that is given no file."""
    return None if str(path) == "-" else path


def refuse_dash(path: Path | None) -> Path | None:
    """`-` is nowhere the name of a file or a folder that is written."""
    if str(path) == "-":
        raise UsageError("`-` is not a file name, and this is not written to stdout")
    return path


def _devices() -> tuple[str, ...]:
    from evalmark.scoring.score_settings import DEVICES

    return ("auto", *DEVICES)


AtLeastOption = Annotated[
    Sequence[str],
    output_option(
        "--at-least",
        metavar="NAME=X",
        help="Exit with 1 below this score; repeatable.",
        details="NAME is that of a suite, a set, field or UID of pairs, a dataset, or `all`, with "
        "`X` from 0 to 1. The score is the one that is printed, not its interval.",
    ),
]
TableFormatOption = Annotated[
    str,
    output_option(
        "--format",
        metavar="table|json",
        **one_of("table format", ("table", "json")),
        help="Output format.",
    ),
]
DeviceOption = Annotated[
    str,
    model_option(
        "--device",
        metavar="DEVICE",
        **one_of("device", _devices),
        show_default=False,
        help="auto (default), cpu, cuda or mps.",
    ),
]
ModelIdOption = Annotated[
    str | None,
    output_option(
        "--model-id",
        metavar="ID",
        help="organization/model, for the record.",
        details="For recorded numbers, the default is `meta.model` of the suites, or the name of "
        "the only file; suites that state different models are refused.",
    ),
]
RecordVersionOption = Annotated[
    str | None,
    output_option(
        "--record-version",
        metavar="VERSION",
        **one_of("record version", written("record")),
        help="Version of the record: 0.2.0 (default), 0.3.0.",
        details="Without it, the setting `version` under `[record]` decides, then `profile`: `eee` "
        "means the version that Every Eval Ever's validator reads.",
    ),
]
QuietOption = Annotated[bool, output_option("--quiet", "-q", help="Print no table.")]
SeedOption = Annotated[
    int | None, tests_option("--seed", metavar="N", help="Seed of tests and sampling (default 0).")
]
