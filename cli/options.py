"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from evalmark.validator.options.declaration import (
    choice_of,
    model_option,
    output_option,
    tests_option,
)


def dash_is_stdout(path: Path | None) -> Path | None:
    """`-` is what a command does that is given no file."""
    return None if str(path) == "-" else path


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
        **choice_of("table format", ("table", "json")),
        help="Output format.",
    ),
]
DeviceOption = Annotated[
    str,
    model_option(
        "--device",
        metavar="DEVICE",
        **choice_of("device", _devices),
        show_default=False,
        help="auto (default), cpu, cuda or mps.",
    ),
]
QuietOption = Annotated[bool, output_option("--quiet", "-q", help="Print no table.")]
SeedOption = Annotated[
    int | None, tests_option("--seed", metavar="N", help="Seed of tests and sampling (default 0).")
]
