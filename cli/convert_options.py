"""The options of ``evalmark convert``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

from evalmark.cli.options import TableFormatOption, dash_is_stdout
from evalmark.validator.options.declaration import Argument, Option, choice_of, file_option
from evalmark.validator.settings.check_options import pairs_option

fact_option = partial(Option, rich_help_panel="Overrides")
override_option = partial(Option, rich_help_panel="Changes to suites")


def _formats() -> tuple[str, ...]:
    from evalmark.converters.formats import TARGETS

    return TARGETS


_FORMAT = choice_of("format", _formats)


def _format(value: str) -> str:
    """A format; record@0.3.0 is another way to write record-0.3.0."""
    return str(_FORMAT["parser"](value.replace("@", "-")))


@dataclass(frozen=True, kw_only=True)
class ConvertOptions:
    """The options of ``evalmark convert``."""

    paths: Annotated[
        Sequence[str], Argument(metavar="FILES|FOLDERS|-", help="What to convert; - is stdin.")
    ] = ()
    to: Annotated[
        str | None,
        file_option(
            "--to",
            metavar="FORMAT",
            parser=_format,
            autocompletion=_FORMAT["autocompletion"],
            help="Format to write, json or yaml; `evalmark explain` lists all.",
        ),
    ] = None
    output: Annotated[
        Path | None,
        file_option(
            "--out",
            "-o",
            metavar="PATH",
            callback=dash_is_stdout,
            help="File to write, or folder for several; - is stdout.",
        ),
    ] = None
    in_place: Annotated[bool, file_option("--in-place", help="Replace the files.")] = False
    check: Annotated[
        bool, file_option("--check", help="Write nothing; exit 1 if a file would change.")
    ] = False
    diff: Annotated[bool, file_option("--diff", help="Show what would change; write nothing.")] = (
        False
    )
    report: Annotated[
        Path | None,
        file_option("--report", metavar="FILE", help="Write what was done as JSON; - is stdout."),
    ] = None
    output_format: TableFormatOption = "table"
    skip_unknown: Annotated[
        bool, file_option("--skip-unknown", help="Skip files of unknown formats.")
    ] = False
    metric: Annotated[
        str | None,
        fact_option(
            "--metric", metavar="NAME", help="Metric of suites that name none, or several."
        ),
    ] = None
    predictions: Annotated[
        Path | None,
        fact_option(
            "--predictions", metavar="FILE", help="Predictions of a table: formulas, or a suite."
        ),
    ] = None
    no_predictions: Annotated[
        bool, fact_option("--no-predictions", help="Write an empty list of predictions.")
    ] = False
    set_value: Annotated[
        Sequence[str],
        fact_option("--set", metavar="POINTER=VALUE", help="Supply a value that a record lacks."),
    ] = ()
    needs: Annotated[
        bool, fact_option("--needs", help="Print what records lack, as a file to fill in.")
    ] = False
    defaults: Annotated[
        Sequence[Path],
        fact_option(
            "--defaults", metavar="FILE", help="Supply values from such a file; repeatable."
        ),
    ] = ()
    mapping: Annotated[
        Path | None,
        fact_option(
            "--mapping", metavar="FILE", help="Read a table of scores by this description."
        ),
    ] = None
    pairs: Annotated[Sequence[str], pairs_option(rich_help_panel="Overrides")] = ()
    column: Annotated[
        Sequence[str],
        file_option(
            "--column",
            metavar="NAME=ROLE",
            help="What a column of a table holds, if its name does not say it.",
        ),
    ] = ()
    rename: Annotated[
        Sequence[str], override_option("--rename", metavar="OLD=NEW", help="Rename a condition.")
    ] = ()
    split_conjunctions: Annotated[
        bool,
        override_option(
            "--split-conjunctions", help="Write one prediction for each part of an `&`."
        ),
    ] = False
    strip_results: Annotated[
        bool, override_option("--strip-results", help="Remove the results of a model from a suite.")
    ] = False

    @property
    def as_json(self) -> bool:
        """True if the report goes to stdout."""
        return self.output_format == "json"
