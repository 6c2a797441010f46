"""``evalmark convert``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.command import new_app
from evalmark.cli.options import (
    ConvertPairsOption,
    TableFormatOption,
    dash_is_stdout,
    file_option,
    one_of,
)
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.terminal import complain

app = new_app()


fact_option = partial(typer.Option, rich_help_panel="Overrides")
override_option = partial(typer.Option, rich_help_panel="Changes to suites")


def _formats() -> tuple[str, ...]:
    from evalmark.converters.formats import TARGETS

    return TARGETS


_FORMAT = one_of("format", _formats)


def _format(value: str) -> str:
    """A format; record@0.3.0 is another way to write record-0.3.0."""
    return _FORMAT["parser"](value.replace("@", "-"))


PathsArgument = Annotated[
    list[str] | None, typer.Argument(metavar="FILES|FOLDERS|-", help="What to convert; - is stdin.")
]
ToOption = Annotated[
    str | None,
    file_option(
        "--to",
        metavar="FORMAT",
        parser=_format,
        autocompletion=_FORMAT["autocompletion"],
        help="Format to write, json or yaml; `evalmark explain` lists all.",
    ),
]
OutputOption = Annotated[
    Path | None,
    file_option(
        "--out",
        "-o",
        metavar="PATH",
        callback=dash_is_stdout,
        help="File to write, or folder for several; - is stdout.",
    ),
]
InPlaceOption = Annotated[bool, file_option("--in-place", help="Replace the files.")]
CheckOption = Annotated[
    bool, file_option("--check", help="Write nothing; exit 1 if a file would change.")
]
DiffOption = Annotated[bool, file_option("--diff", help="Show what would change; write nothing.")]
ReportOption = Annotated[
    Path | None,
    file_option("--report", metavar="FILE", help="Write what was done as JSON; - is stdout."),
]
SkipUnknownOption = Annotated[
    bool, file_option("--skip-unknown", help="Skip files of unknown formats.")
]
MetricOption = Annotated[
    str | None,
    fact_option("--metric", metavar="NAME", help="Metric of suites that name none, or several."),
]
PredictionsOption = Annotated[
    Path | None,
    fact_option(
        "--predictions", metavar="FILE", help="Predictions of a table: formulas, or a suite."
    ),
]
NoPredictionsOption = Annotated[
    bool, fact_option("--no-predictions", help="Write an empty list of predictions.")
]
SetValueOption = Annotated[
    list[str] | None,
    fact_option("--set", metavar="POINTER=VALUE", help="Supply a value that a record lacks."),
]
NeedsOption = Annotated[
    bool, fact_option("--needs", help="Print what records lack, as a file to fill in.")
]
DefaultsOption = Annotated[
    list[Path] | None,
    fact_option("--defaults", metavar="FILE", help="Supply values from such a file; repeatable."),
]
MappingOption = Annotated[
    Path | None,
    fact_option("--mapping", metavar="FILE", help="Read a table of scores by this description."),
]
ColumnOption = Annotated[
    list[str] | None,
    file_option(
        "--column",
        metavar="NAME=ROLE",
        help="What a column of a table holds, if its name does not say it.",
    ),
]
RenameOption = Annotated[
    list[str] | None, override_option("--rename", metavar="OLD=NEW", help="Rename a condition.")
]
SplitConjunctionsOption = Annotated[
    bool,
    override_option("--split-conjunctions", help="Write one prediction for each part of an `&`."),
]
StripResultsOption = Annotated[
    bool, override_option("--strip-results", help="Remove the results of a model from a suite.")
]


@app.with_examples(
    "evalmark convert old.json -o new.json",
    "evalmark convert --needs records/ > facts.yaml",
    "evalmark convert --defaults facts.yaml records/ -o new/",
    "evalmark convert results_2026-01-21.json -o store/",
    exit_code="0 done, 1 refused (or --check: would change), 2 something failed",
)
def convert(
    paths: PathsArgument = None,
    to: ToOption = None,
    output: OutputOption = None,
    in_place: InPlaceOption = False,
    check: CheckOption = False,
    diff: DiffOption = False,
    report: ReportOption = None,
    output_format: TableFormatOption = "table",
    skip_unknown: SkipUnknownOption = False,
    metric: MetricOption = None,
    predictions: PredictionsOption = None,
    no_predictions: NoPredictionsOption = False,
    set_value: SetValueOption = None,
    needs: NeedsOption = False,
    defaults: DefaultsOption = None,
    mapping: MappingOption = None,
    pairs: ConvertPairsOption = None,
    column: ColumnOption = None,
    rename: RenameOption = None,
    split_conjunctions: SplitConjunctionsOption = False,
    strip_results: StripResultsOption = False,
) -> None:
    """Convert files and results of other programs; refuse inexact conversions."""
    from evalmark.cli.converting.conversion import convert_paths
    from evalmark.cli.converting.values import edits_of, supplied_of

    if not paths:
        raise typer.Exit(complain("nothing to convert"))
    supplied = supplied_of(
        metric=metric,
        renames=rename or (),
        predictions=predictions,
        no_predictions=no_predictions,
        values=set_value or (),
        defaults=defaults or (),
        mapping=mapping,
        pairs=pairs or (),
        columns=column or (),
    )
    if needs:
        if any((output, in_place, check, diff, report, output_format == "json")):
            raise UsageError("--needs only prints what records lack: leave out -o and its like")
        from evalmark.cli.converting.needs import show_needs

        raise typer.Exit(show_needs(paths, to, supplied))
    code = convert_paths(
        paths,
        report=report,
        as_json=output_format == "json",
        check=check,
        diff=diff,
        to=to,
        supplied=supplied,
        edits=edits_of(strip=strip_results, split=split_conjunctions),
        output=output,
        in_place=in_place,
        skip_unknown=skip_unknown,
    )
    raise typer.Exit(code)
