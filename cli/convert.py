"""``evalmark convert``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from evalmark.cli.conversion_values import edits_of, supplied_of
from evalmark.cli.typed import completing, one_of, option
from evalmark.converters.convert_files import convert_files, is_several
from evalmark.converters.converted_file import ConvertedFile
from evalmark.converters.formats import FORMATS, TARGETS
from evalmark.converters.graph import STEPS
from evalmark.converters.importers.registry import IMPORTERS
from evalmark.converters.records.fit import NOT_STATED
from evalmark.converters.records.writer import WRITTEN_VERSIONS
from evalmark.schemas.errors import ConversionError, UsageError
from evalmark.validator.edge.escaping import json_text
from evalmark.validator.edge.lines import (
    CLEAN,
    FOUND,
    complain,
    print_diff,
    put,
    put_json,
    reason_of,
    say,
    tell,
)
from evalmark.validator.edge.progress import counting
from evalmark.validator.edge.writing import sweep, write_atomically

EPILOG = """
Examples:
  evalmark convert old.json -o new.json
  evalmark convert --in-place suites/
  evalmark convert npi.csv --predictions formulas.txt -o npi.json
  evalmark convert --to record-0.3.0 --defaults defaults.yaml records/ -o new/
  evalmark convert results_2026-01-21.json -o store/

Exit code: 0 done, 1 refused (or --check: would change), 2 something failed.
"""

#: What a conversion needs -> the option that gives it; ``{}`` is what it is needed for.
_OPTIONS = {
    "formats": "`evalmark convert --list` names all formats",
    "metric": "choose with --metric",
    "output": "use -o {}",
    "predictions": "--predictions FILE takes them from a file; "
    "--no-predictions writes an empty list",
    "renames": '--rename "{}=NEW" renames it',
    "report": "`evalmark check` shows where",
    "split_conjunctions": "--split-conjunctions makes a prediction of each part of an `&`",
    "values": "supply it with --set {}=VALUE",
}


def _target() -> typer.models.OptionInfo:
    """The option --to; record@0.3.0 is another way to write record-0.3.0."""
    found: typer.models.OptionInfo = option("to")
    read = one_of("format", TARGETS)
    found.parser = lambda value: read(value.replace("@", "-"))
    found.autocompletion = completing(TARGETS)
    return found


def command(
    paths: Annotated[list[str] | None, option("convert_paths")] = None,
    to: Annotated[str | None, _target()] = None,
    output: Annotated[Path | None, option("output")] = None,
    in_place: Annotated[bool, option("in_place")] = False,
    check: Annotated[bool, option("convert_check")] = False,
    diff: Annotated[bool, option("convert_diff")] = False,
    report: Annotated[Path | None, option("convert_report")] = None,
    spreadsheet: Annotated[bool, option("spreadsheet")] = False,
    output_format: Annotated[str, option("table_format")] = "table",
    skip_unknown: Annotated[bool, option("skip_unknown")] = False,
    metric: Annotated[str | None, option("convert_metric")] = None,
    predictions: Annotated[Path | None, option("predictions")] = None,
    no_predictions: Annotated[bool, option("no_predictions")] = False,
    set_value: Annotated[list[str] | None, option("set")] = None,
    defaults: Annotated[Path | None, option("defaults")] = None,
    rename: Annotated[list[str] | None, option("rename")] = None,
    renumber: Annotated[list[str] | None, option("renumber")] = None,
    insert_region: Annotated[str | None, option("insert_region")] = None,
    split_conjunctions: Annotated[bool, option("split_conjunctions")] = False,
    canonical: Annotated[bool, option("canonical")] = False,
    strip_results: Annotated[bool, option("strip_results")] = False,
    show_list: Annotated[bool, option("convert_list")] = False,
) -> None:
    """Convert files to the current format, or to another one.

    Reads suites of every dialect, tables, records and samples of every version, LTM definitions,
    and results of other programs. A conversion that would not be exact is refused, or asks for what
    the file does not state.
    """
    if show_list:
        put_json(_map_data()) if output_format == "json" else sys.stdout.write(_map())
        raise typer.Exit
    if not paths:
        raise typer.Exit(complain("nothing to convert"))
    supplied = supplied_of(
        metric=metric,
        renames=rename or (),
        predictions=predictions,
        no_predictions=no_predictions,
        values=set_value or (),
        defaults=defaults,
    )
    edits = edits_of(
        strip=strip_results,
        renumbered=renumber or (),
        inserted=insert_region,
        split=split_conjunctions,
        canonical_formulas=canonical,
    )
    code = run(
        paths,
        report=report,
        as_json=output_format == "json",
        check=check,
        diff=diff,
        to=to,
        supplied=supplied,
        edits=edits,
        output=output,
        in_place=in_place,
        skip_unknown=skip_unknown,
        spreadsheet=spreadsheet,
    )
    raise typer.Exit(code)


def _map() -> str:
    lines = ["Formats:", *(f"  {name:<18} {entry.what}" for name, entry in FORMATS.items())]
    lines += ["", "Steps:"]
    for step in STEPS:
        lines.append(f"  {step.name}")
        lines += [f"      needs {step.needs}"] if step.needs else []
        lines += [f"      loses {step.loses}"] if step.loses else []
    lines += ["", f"Results, which become records of version {' or '.join(WRITTEN_VERSIONS)}:"]
    lines += [f"  {name:<18} {importer.what}" for name, importer in IMPORTERS.items()]
    lines += ["", "Every JSON format can be written as YAML and back: --to yaml, --to json."]
    return "\n".join(lines) + "\n"


def _map_data() -> dict[str, Any]:
    """The same as JSON."""
    return {
        "formats": [{"name": name, "what": entry.what} for name, entry in FORMATS.items()],
        "steps": [
            {"from": step.source, "to": step.target, "needs": step.needs, "loses": step.loses}
            for step in STEPS
        ],
        "results": [{"name": name, "what": one.what} for name, one in IMPORTERS.items()],
        "record_versions": list(WRITTEN_VERSIONS),
    }


def run(
    paths: Sequence[str],
    *,
    report: Path | None,
    as_json: bool,
    check: bool,
    diff: bool,
    **asked: Any,
) -> int:
    """Convert files, and print what became of each; ``asked`` goes to ``convert_files``."""
    writes = asked["in_place"] or asked["output"] is not None
    if is_several(paths) and not (writes or check or diff):
        return complain("several files: use --in-place, -o FOLDER, --check or --diff")
    to_stdout = as_json or str(report) == "-"
    if to_stdout and (diff or not (writes or check)):
        option = "--format json" if as_json else "--report -"
        raise UsageError(
            f"{option} needs stdout for itself: use -o, --in-place or --check, without --diff"
        )
    worst = CLEAN
    entries: list[dict[str, Any]] = []
    skipped: list[tuple[str, str]] = []
    outcomes = convert_files(
        paths, write=not (check or diff), skipped=lambda *entry: skipped.append(entry), **asked
    )
    with counting("converting", "files", wanted=writes, resumes=asked["in_place"]) as progress:
        for outcome in outcomes:
            worst = max(worst, _show(outcome, check=check, diff=diff, report_only=to_stdout))
            entries.append(_entry(outcome))
            if progress:
                progress(len(entries))
    if not entries and not asked["skip_unknown"]:
        return complain(f"no files to convert{reason_of(skipped)}")
    if to_stdout:
        put_json({"files": entries})
    if report is not None and str(report) != "-":
        text = json_text({"version": 1, "files": entries}, indent=2) + "\n"
        sweep(report)  # temporary files of an interrupted run
        write_atomically(report, text.encode())
    return worst


def _show(outcome: ConvertedFile, *, check: bool, diff: bool, report_only: bool) -> int:
    """Print one outcome, with ``report_only`` on stderr alone; its exit code."""
    path = outcome.path
    if outcome.refused is not None:
        say(f"{path}: refused: {outcome.refused.reason}{_and(_help(outcome.refused))}")
        return FOUND
    if outcome.failed is not None:
        return complain(f"{path}: {outcome.failed}")
    say(f"{path}: {', '.join(outcome.steps) or 'already current'}")
    for note in outcome.notes:
        say(f"{path}: note: {note}")
    if any(NOT_STATED in note for note in outcome.notes):
        say(f"{path}: note: supply what is not stated with --set POINTER=VALUE or --defaults FILE")
    if outcome.text is None:
        (say if report_only else tell)(str(outcome.target))
    elif diff:
        print_diff(outcome.old, outcome.text, path)
    elif outcome.target is None and not check:
        put(outcome.text)
    return FOUND if check and outcome.changed else CLEAN


def _help(error: ConversionError) -> str:
    """How the refusal can be avoided, in terms of options."""
    return _OPTIONS.get(error.needs, error.help).format(error.subject)


def _and(text: str) -> str:
    return f"; {text}" if text else ""


def _entry(outcome: ConvertedFile) -> dict[str, Any]:
    """An outcome in the report."""
    entry: dict[str, Any] = {"path": outcome.path, "from": outcome.source}
    if outcome.refused is not None:
        return {**entry, "refused": outcome.refused.reason, "help": _help(outcome.refused)}
    if outcome.failed is not None:
        return {**entry, "failed": outcome.failed}
    entry |= {"to": outcome.format, "steps": list(outcome.steps), "notes": list(outcome.notes)}
    return entry if outcome.text is not None else {**entry, "written": str(outcome.target)}
