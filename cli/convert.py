"""``evalmark convert``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.conversion_job import Job
from evalmark.cli.converting import Options, run
from evalmark.cli.lines import complain
from evalmark.converters.formats import FORMATS
from evalmark.converters.graph import STEPS

EPILOG = """Examples:

evalmark convert old.json -o new.json

evalmark convert --in-place suites/

evalmark convert npi.csv --predictions formulas.txt -o npi.json

evalmark convert suite.json --to sentences -o suite.txt

evalmark convert --to record-0.3.0 --defaults defaults.yaml records/ -o new/

evalmark convert results_2026-01-21.json --to record-0.3.0 -o store/

Exit code: 0 done, 1 refused (or --check: would change), 2 could not run.
"""

TARGETS = (*FORMATS, "json", "yaml")


def _targets(incomplete: str) -> list[str]:
    return [name for name in TARGETS if name.startswith(incomplete)]


def command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILES|FOLDERS|-", help="What to convert; - is stdin."),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORM",
            help="The form to write; the current one if not given.",
            autocompletion=_targets,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to write: a file, or a folder for several."),
    ] = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Replace the files.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if a file would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what would change; write nothing.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option(help="Write what was done as JSON; - is stdout.")
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="The metric to keep where a suite names several.")
    ] = None,
    rename: Annotated[
        list[str] | None, typer.Option(metavar="OLD=NEW", help="Rename a condition.")
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(help="Predictions of a table: a formula a line, or a suite that has them."),
    ] = None,
    no_predictions: Annotated[
        bool, typer.Option("--no-predictions", help="Write an empty list of predictions.")
    ] = False,
    set_value: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="POINTER=VALUE", help="Say what a record lacks."),
    ] = None,
    defaults: Annotated[
        Path | None, typer.Option(help="A file of pointers and values, as --set takes them.")
    ] = None,
    split_conjunctions: Annotated[
        bool, typer.Option("--split-conjunctions", help="A prediction for each part of an `&`.")
    ] = False,
    insert_region: Annotated[
        str | None,
        typer.Option(metavar="N=NAME", help="An empty region before region N; the rest moves."),
    ] = None,
    renumber: Annotated[
        list[str] | None, typer.Option(metavar="OLD=NEW", help="Give a region another number.")
    ] = None,
    canonical: Annotated[
        bool, typer.Option("--canonical", help="Write every formula as evalmark prints it.")
    ] = False,
    strip_results: Annotated[
        bool, typer.Option("--strip-results", help="Take out what a model has left in a suite.")
    ] = False,
    skip_unknown: Annotated[
        bool, typer.Option("--skip-unknown", help="Pass over files of forms that are not known.")
    ] = False,
    show_list: Annotated[
        bool, typer.Option("--list", help="Print the map of conversions, and stop.")
    ] = False,
) -> None:
    """Write files of older or other forms in the current one.

    Suites of every dialect, tables, records and samples of every version, LTM definitions, and
    results of other programs. Only what must change changes; a conversion that would not be exact
    is refused, or asks for what the file does not say.
    """
    if show_list:
        sys.stdout.write(_map())
        raise typer.Exit
    if not paths:
        raise typer.Exit(complain("nothing to convert"))
    if predictions is not None and no_predictions:
        raise typer.Exit(complain("--predictions and --no-predictions exclude each other"))
    target = to and to.replace("@", "-")  # record@0.3.0 is a way to write it, too
    if target and target not in TARGETS:
        raise typer.Exit(complain(f"there is no form {to}; `evalmark convert --list` names all"))
    options = Options(
        paths=paths,
        to=target,
        output=output,
        in_place=in_place,
        check=check,
        diff=diff,
        report=report,
        skip_unknown=skip_unknown,
    )
    job = Job(
        metric=metric,
        renames=rename or [],
        predictions=predictions,
        no_predictions=no_predictions,
        values=set_value or [],
        defaults=defaults,
        split_conjunctions=split_conjunctions,
        insert_region=insert_region,
        renumber=renumber or [],
        canonical=canonical,
        strip_results=strip_results,
    )
    raise typer.Exit(run(options, job))


def _map() -> str:
    from evalmark.converters.importers.registry import IMPORTERS

    lines = ["Forms:", *(f"  {form:<18} {what}" for form, what in FORMATS.items()), "", "Steps:"]
    for step in STEPS:
        lines.append(f"  {step.name}")
        lines += [f"      needs {step.needs}"] if step.needs else []
        lines += [f"      loses {step.loses}"] if step.loses else []
    lines += ["", "Results that are read as records, 0.2.0 or 0.3.0:"]
    lines += [f"  {form:<18} {reader.reads}" for form, reader in IMPORTERS.items()]
    lines += ["", "Every form of JSON is written as YAML, and back: --to yaml, --to json."]
    return "\n".join(lines) + "\n"
