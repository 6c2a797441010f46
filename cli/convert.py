"""``evalmark convert``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from evalmark.converters import ConversionError, Converted, convert_text, is_suite
from evalmark.validator import Rejected, decode, expand, write_atomically

from ._checking import CLEAN, COULD_NOT_RUN, FOUND, complain, unified_diff

EPILOG = """Examples:

evalmark convert old.json -o new.json

evalmark convert --in-place suites/

evalmark convert --metric sum --rename "no gap=no-gap" old.json

Exit code: 0 done, 1 refused (or --check: would change), 2 could not run.
"""


def command(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILES|FOLDERS|-", help="What to convert; - is stdin.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write (one file).")
    ] = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Replace the files.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if a file would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what would change; write nothing.")
    ] = False,
    metric: Annotated[
        str | None, typer.Option(help="The metric to keep where a suite names several.")
    ] = None,
    rename: Annotated[
        list[str] | None, typer.Option(metavar="OLD=NEW", help="Rename a condition.")
    ] = None,
    skip_unknown: Annotated[
        bool, typer.Option("--skip-unknown", help="Pass over files that are no suites.")
    ] = False,
) -> None:
    """Write suites of older forms in the current one.

    Legacy triples, bracket formulas, meta.string_predictions and bare formulas are read as their
    tools read them. Only what must change changes; a conversion that would not be exact is refused.
    """
    renames = dict(_pairs(rename or []))
    candidates = list(expand(paths))
    if not candidates:
        raise typer.Exit(complain("no files to convert"))
    writes = in_place or check or diff
    if len(candidates) > 1 and not writes:
        raise typer.Exit(complain("several files: use --in-place, --check or --diff"))
    if output is not None and in_place:
        raise typer.Exit(complain("--output and --in-place exclude each other"))
    worst = CLEAN
    changed = 0
    for path, named in candidates:
        try:
            text = _read(path)
        except (OSError, Rejected) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            worst = max(worst, complain(f"{path}: cannot be read: {reason}"))
            continue
        if (skip_unknown or not named) and not is_suite(text):
            continue
        try:
            converted = convert_text(text, path=path, metric=metric, renames=renames)
        except ConversionError as error:
            sys.stderr.write(f"{path}: refused: {error}\n")
            worst = max(worst, FOUND)
            continue
        _report(path, converted)
        differs = converted.text != text
        changed += differs
        if diff:
            sys.stdout.write(unified_diff(text, converted.text, path))
        elif in_place and not check:
            if differs and not _written(Path(path), converted.text):
                worst = COULD_NOT_RUN
        elif output is not None and not check:
            if not _written(output, converted.text):
                worst = COULD_NOT_RUN
        elif not check:
            sys.stdout.write(converted.text)
    if check and changed:
        worst = max(worst, FOUND)
    raise typer.Exit(worst)


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    pairs = []
    for word in words:
        old, sign, new = word.partition("=")
        if not sign or not old or not new:
            raise typer.BadParameter(f"{word!r} is not of the form OLD=NEW")
        pairs.append((old, new))
    return pairs


def _read(path: str) -> str:
    raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    return decode(raw)


def _report(path: str, converted: Converted) -> None:
    if not converted.steps:
        sys.stderr.write(f"{path}: already current\n")
        return
    sys.stderr.write(f"{path}: {', '.join(converted.steps)}\n")
    for note in converted.notes:
        sys.stderr.write(f"{path}: note: {note}\n")


def _written(path: Path, text: str) -> bool:
    try:
        write_atomically(path, text.encode("utf-8"))
    except OSError as error:
        complain(f"{path}: cannot be written: {error.strerror}")
        return False
    return True
