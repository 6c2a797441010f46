"""Options that several commands share, and what options are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, TypedDict

import typer
from evalmark.cli.command import Details
from evalmark.schemas.errors import UnknownNameError
from evalmark.schemas.versions import written

# Options by the heading of the help under which they are listed.
selection_option = partial(typer.Option, rich_help_panel="File selection")
fix_option = partial(typer.Option, rich_help_panel="Fixing")
run_option = partial(typer.Option, rich_help_panel="Running")
model_option = partial(typer.Option, rich_help_panel="Model")
tests_option = partial(typer.Option, rich_help_panel="Tests")
scoring_option = partial(typer.Option, rich_help_panel="Scoring")
file_option = partial(typer.Option, rich_help_panel="Files")
output_option = partial(typer.Option, rich_help_panel="Output")


class ChoiceOption(TypedDict):
    """The arguments of ``typer.Option`` for an option with a few values."""

    parser: Callable[[str], str]
    autocompletion: Callable[[str], list[str]]


def one_of(name: str, values: Iterable[str] | Callable[[], Iterable[str]]) -> ChoiceOption:
    """A choice; an unknown value gets a suggestion.

    Args:
        name: What a value is called.
        values: The values, or a function that imports them when one is read.
    """

    def allowed() -> tuple[str, ...]:
        return tuple(values() if callable(values) else values)

    def read(value: str) -> str:
        if value not in allowed():
            raise typer.BadParameter(str(UnknownNameError(name, value, allowed())))
        return value

    def complete(incomplete: str) -> list[str]:
        return [value for value in allowed() if value.startswith(incomplete)]

    return {"parser": read, "autocompletion": complete}


def rule_words(incomplete: str) -> list[tuple[str, str]]:
    """The codes of all rules, each with its summary; the names too, once a letter is typed."""
    from evalmark.validator.formats.rule_registry import all_rules

    rules = all_rules().values()
    words = {rule.code: rule.summary for rule in rules}
    if incomplete:
        words |= {rule.name: rule.summary for rule in rules}
    return list(words.items())


def dash_is_stdout(path: Path | None) -> Path | None:
    """`-` is what a command does that is given no file."""
    return None if str(path) == "-" else path


def refuse_dash(path: Path | None) -> Path | None:
    """`-` is nowhere the name of a file or a folder that is written."""
    if str(path) == "-":
        raise typer.BadParameter("`-` is not a file name, and this is not written to stdout")
    return path


def _devices() -> tuple[str, ...]:
    from evalmark.scoring.score_settings import DEVICES

    return ("auto", *DEVICES)


PathsFromOption = Annotated[
    str | None,
    selection_option(
        "--paths-from", metavar="FILE", help="Read the paths from a list; - is stdin."
    ),
]
AtLeastOption = Annotated[
    list[str] | None,
    output_option("--at-least", metavar="NAME=X", help="Exit with 1 below this score; repeatable."),
    Details(
        "NAME is that of a suite, a set, field or UID of pairs, a dataset, a type of questions, or "
        "`all`, with `X` from 0 to 1. The score is the one that is printed, not its interval."
    ),
]
SchemaVersionOption = Annotated[
    str | None,
    selection_option(
        "--schema-version", metavar="VERSION", help="Check records against this version."
    ),
]
SelectOption = Annotated[
    list[str] | None,
    selection_option(
        "--select",
        metavar="RULE",
        autocompletion=lambda incomplete: [*rule_words(incomplete), ("ALL", "Every rule.")],
        help="Enable an optional rule; ALL: every rule.",
    ),
]
IgnoreOption = Annotated[
    list[str] | None,
    selection_option("--ignore", metavar="RULE", autocompletion=rule_words, help="Disable a rule."),
]
ProfileOption = Annotated[
    str | None,
    selection_option(
        "--profile",
        metavar="eee",
        **one_of("profile", ("eee",)),
        help="Also report what Every Eval Ever would reject.",
    ),
]
DatastoreOption = Annotated[
    bool, selection_option("--datastore", help="Check all paths against the datastore layout.")
]
SchemaOnlyOption = Annotated[
    bool, selection_option("--schema-only", help="Check against schemas only; run no rules.")
]


RAY = "ray"


def read_jobs(value: str) -> str:
    """The value of ``--jobs``: a number of processes, or ``ray``."""
    if value != RAY and (not value.isdecimal() or int(value) < 1):
        raise typer.BadParameter(f"{value!r} is neither a number of processes nor `{RAY}`")
    return value


def shared(jobs: str | None) -> tuple[int | None, bool]:
    """The number of processes if it is given, and true if a Ray cluster does the work."""
    return (None, True) if jobs == RAY else (int(jobs) if jobs else None, False)


JobsOption = Annotated[
    str | None,
    run_option(
        "--jobs",
        "-j",
        metavar="N|ray",
        parser=read_jobs,
        show_default=False,
        help="Worker processes; default: one per processor. `ray`: a Ray cluster.",
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
_PAIRS = partial(
    typer.Option,
    "--pairs",
    metavar="COLUMNS",
    help="Minimal pairs: PRESET or KEY=COLUMN; repeatable.",
)
_PAIRS_DETAILS = Details("The [keys](definitions.md#columns-of-minimal-pairs).")
CheckPairsOption = Annotated[
    list[str] | None, _PAIRS(rich_help_panel="File selection"), _PAIRS_DETAILS
]
ScorePairsOption = Annotated[list[str] | None, _PAIRS(rich_help_panel="Scoring"), _PAIRS_DETAILS]
ConvertPairsOption = Annotated[
    list[str] | None, _PAIRS(rich_help_panel="Overrides"), _PAIRS_DETAILS
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
    output_option("--model-id", metavar="ID", help="organization/model, for the record."),
    Details(
        "For recorded numbers, the default is `meta.model` of the suites, or the name of the only "
        "file; suites that state different models are refused."
    ),
]
RecordVersionOption = Annotated[
    str | None,
    output_option(
        "--record-version",
        metavar="VERSION",
        **one_of("record version", written("record")),
        help="Version of the record: 0.2.0 (default), 0.3.0.",
    ),
    Details(
        "Without it, the setting `version` under `[record]` decides, then `profile`: `eee` means "
        "the version that Every Eval Ever's validator reads."
    ),
]
QuietOption = Annotated[bool, output_option("--quiet", "-q", help="Print no table.")]
SeedOption = Annotated[
    int | None, tests_option("--seed", metavar="N", help="Seed of tests and sampling (default 0).")
]
