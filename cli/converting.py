"""What ``evalmark convert`` prints about the files that are converted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalmark.cli.checking import CLEAN, FOUND
from evalmark.cli.showing import print_diff
from evalmark.converters.batch import convert_files, is_several
from evalmark.converters.converted_file import ConvertedFile
from evalmark.converters.records.fit import NOT_STATED
from evalmark.schemas.errors import ConversionError
from evalmark.validator.edge.escaping import json_text
from evalmark.validator.edge.lines import complain, put, say, tell
from evalmark.validator.edge.writing import write_atomically

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


def run(paths: Sequence[str], *, report: Path | None, check: bool, diff: bool, **asked: Any) -> int:
    """Convert files, and print what became of each; ``asked`` goes to ``convert_files``.

    Raises:
        UsageError: The arguments exclude each other.
    """
    writes = asked["in_place"] or asked["output"] is not None
    if is_several(paths) and not (writes or check or diff):
        return complain("several files: use --in-place, -o FOLDER, --check or --diff")
    worst = CLEAN
    entries: list[dict[str, Any]] = []
    for outcome in convert_files(paths, write=not (check or diff), **asked):
        worst = max(worst, _show(outcome, check=check, diff=diff))
        entries.append(_entry(outcome))
    if not entries and not asked["skip_unknown"]:
        return complain("no files to convert")
    if report is not None:
        text = json_text({"version": 1, "files": entries}, indent=2) + "\n"
        if str(report) == "-":
            put(text)
        else:
            write_atomically(report, text.encode())
    return worst


def _show(outcome: ConvertedFile, *, check: bool, diff: bool) -> int:
    """Print one outcome; its exit code."""
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
        tell(str(outcome.target))
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
