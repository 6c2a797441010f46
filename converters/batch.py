"""Converting many files: which ones, where to, and what became of each."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evalmark.converters.convert import Conversion, convert_parsed
from evalmark.converters.converted_file import ConvertedFile
from evalmark.converters.formats import FORMATS, TARGETS, Syntax, kind_of, require_known
from evalmark.converters.import_file import import_file
from evalmark.converters.importers.registry import IMPORTERS, folder_format
from evalmark.converters.step import NOTHING, SuiteEdit, Supplied
from evalmark.converters.syntax import ParsedText, parse_text
from evalmark.converters.with_samples import Pair, convert_pair
from evalmark.schemas.errors import (
    ConversionError,
    EvalmarkError,
    Rejected,
    UsageError,
)
from evalmark.validator.batch.walking import expand
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.edge.writing import sweep, write_atomically
from evalmark.validator.findings.file_findings import PLEASE_REPORT, failure
from evalmark.validator.kinds import KINDS, could_be_ours
from evalmark.validator.reading.strict_json import decode

#: Files that a folder is searched for.
_ENDINGS = (".json", ".jsonl", ".yaml", ".yml", ".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class _Asked:
    """The arguments of ``convert_files``."""

    to: str | None
    supplied: Supplied
    edits: tuple[SuiteEdit, ...]
    output: Path | None = None
    in_place: bool = False
    write: bool = True
    skip_unknown: bool = False
    several: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """A file that is looked at: named, or found in a folder."""

    path: str
    root: str = ""

    @property
    def is_named(self) -> bool:
        return not self.root


def convert_file(
    path: str | os.PathLike[str],
    *,
    to: str | None = None,
    supplied: Supplied = NOTHING,
    edits: tuple[SuiteEdit, ...] = (),
) -> ConvertedFile:
    """Convert one file; nothing is written.

    The arguments are those of ``convert_files``, which also imports results.

    Raises:
        ConversionError: The file cannot be converted exactly.
        OSError: The file cannot be read.
        UnknownNameError: ``to`` is not a target.
    """
    asked = _Asked(to, supplied, edits, write=False)
    require_known("format", to, TARGETS)
    outcome = next(_convert(_Found(os.fspath(path)), asked))
    if outcome.refused is not None:
        raise outcome.refused
    if outcome.failed is not None:
        raise ConversionError(outcome.failed)
    return outcome


def convert_files(
    paths: Iterable[str | os.PathLike[str]],
    *,
    to: str | None = None,
    supplied: Supplied = NOTHING,
    edits: tuple[SuiteEdit, ...] = (),
    output: str | os.PathLike[str] | None = None,
    in_place: bool = False,
    write: bool = True,
    skip_unknown: bool = False,
) -> Iterator[ConvertedFile]:
    """Convert files and the files in folders, one after the other.

    A record is followed by the samples it names. One file that cannot be converted does not stop
    the others.

    Args:
        paths: Files, folders, ``-`` for standard input, and folders of results.
        to: The format that is wanted: one of ``TARGETS``; the current one of each kind if None.
        supplied: What the files do not state.
        edits: Changes to suites.
        output: Where to write: a file, or a folder for several, which keeps their tree.
        in_place: Replace the files.
        write: False to write nothing, and only say what would change.
        skip_unknown: Skip files that are not recognized, or of another kind than ``to``, even if
            they are named. In folders they are always skipped.

    Raises:
        UnknownNameError: ``to`` is not a target.
        UsageError: The arguments exclude each other.
    """
    names = [os.fspath(path) for path in paths]
    require_known("format", to, TARGETS)
    place = None if output is None else Path(output)
    if place is not None and in_place:
        raise UsageError("output and in-place exclude each other")
    several = is_several(names)
    if several and place is not None and place.is_file():
        raise UsageError(f"cannot write several files to {place}, which is a file")
    asked = _Asked(
        to, supplied, edits, place, in_place, write, skip_unknown, several=len(names) > 1
    )
    return _convert_all(names, asked)


def is_several(paths: Sequence[str]) -> bool:
    """Whether paths stand for several files: more than one, or a folder that is searched."""
    return len(paths) > 1 or any(_is_searched(path) for path in paths)


def _convert_all(paths: list[str], asked: _Asked) -> Iterator[ConvertedFile]:
    with_record: set[str] = set()
    for path in paths:
        for found in _files(path, asked):
            if os.path.realpath(found.path) in with_record:
                continue
            try:
                for outcome in _convert(found, asked):
                    if outcome.path != found.path:
                        with_record.add(os.path.realpath(outcome.path))
                    yield _put(outcome, asked)
            except OSError as error:
                yield ConvertedFile(found.path, failed=f"cannot be read: {error.strerror}")
            except EvalmarkError:
                raise
            except Exception as error:  # a bug of ours fails one file; the others are converted
                yield ConvertedFile(found.path, failed=f"{failure(error)}; {PLEASE_REPORT}")


def _is_searched(path: str) -> bool:
    return _is_folder(path) and folder_format(Path(path)) is None


def _is_folder(path: str) -> bool:
    return path != "-" and Path(path).is_dir()


def _files(path: str, asked: _Asked) -> Iterator[_Found]:
    if not _is_searched(path):
        yield _Found(path)
        return
    if asked.in_place and asked.write:
        sweep(path)  # temporary files of an interrupted run
    for candidate in expand([path], _ENDINGS):
        yield _Found(candidate.path, path)


def _convert(found: _Found, asked: _Asked) -> Iterator[ConvertedFile]:
    """The outcome of a file, and of the samples of a record; nothing for a file that is skipped."""
    path = found.path
    try:
        parsed = _parsed(path)
    except Rejected:
        yield ConvertedFile(path, failed="cannot be read: not UTF-8 text")
        return
    if _is_skipped(parsed, found, asked):
        return
    if parsed.format in IMPORTERS:
        yield from import_file(
            path, parsed.format, parsed.data,
            to=asked.to, supplied=asked.supplied, output=asked.output, write=asked.write,
        )  # fmt: skip
        return
    try:
        converted = _converted(parsed, asked)
        _require_place(converted, parsed, asked)
    except ConversionError as error:
        yield ConvertedFile(path, parsed.format, refused=error)
        return
    done = converted.record if isinstance(converted, Pair) else converted
    yield _outcome(parsed, path, done, found, asked)
    if isinstance(converted, Pair):
        source, name = converted.source, converted.name
        place = source.path if asked.in_place else str(Path(path).parent / name)
        yield _outcome(source, place, converted.samples, found, asked)


def _parsed(path: str) -> ParsedText:
    """What a path holds; a folder is that of results."""
    if _is_folder(path):
        error = ConversionError("the folder is not recognized as results")
        return ParsedText("", path, Syntax.JSON, format=folder_format(Path(path)), error=error)
    raw = sys.stdin.buffer.read() if path == "-" else read_whole(path)
    return parse_text(decode(raw), path)


def _is_skipped(parsed: ParsedText, found: _Found, asked: _Asked) -> bool:
    """Whether a file is not one that the call is about: folders hold other files too."""
    lenient = asked.skip_unknown or not found.is_named
    if parsed.is_unreadable:
        # A broken file that nobody named may still be one of ours.
        return asked.skip_unknown or not (found.is_named or could_be_ours(parsed.text.encode()))
    if parsed.format is None:
        return lenient
    if parsed.format in IMPORTERS:
        return not found.is_named
    wanted = FORMATS.get(asked.to or "")
    # What a table becomes cannot be written in its place.
    needs_output = parsed.format == "table" and asked.output is None
    return lenient and (
        needs_output or (wanted is not None and wanted.kind != kind_of(parsed.format))
    )


def _converted(parsed: ParsedText, asked: _Asked) -> Conversion | Pair:
    stem = Path(parsed.path).name.partition(".")[0] if parsed.path != "-" else None
    supplied = replace(asked.supplied, name=asked.supplied.name or stem)
    output = asked.output
    is_file = output is not None and output.suffix and not output.is_dir()
    try:
        if parsed.syntax is Syntax.JSON and _has_companions(parsed):
            pair = convert_pair(parsed, to=asked.to, supplied=supplied)
            if pair is not None:
                return pair
        syntax = Syntax.of(output.name) if output and is_file else None
        return convert_parsed(
            parsed, to=asked.to, syntax=syntax, supplied=supplied, edits=asked.edits
        )
    except ConversionError:
        raise
    except ValueError as error:
        raise ConversionError(str(error)) from error


def _has_companions(parsed: ParsedText) -> bool:
    kind = KINDS.get(kind_of(parsed.format)) if parsed.format else None
    return kind is not None and kind.has_companions


def _require_place(converted: Conversion | Pair, parsed: ParsedText, asked: _Asked) -> None:
    """Refuse to replace a file by one that needs another name."""
    if not asked.in_place:
        return
    if isinstance(converted, Pair):
        if converted.name != Path(converted.source.path).name:
            raise ConversionError(
                f"the samples would be called {converted.name}", needs="output", subject="FOLDER"
            )
    elif converted.syntax is not parsed.syntax:
        raise ConversionError(
            f"{converted.format} is written as {converted.syntax}", needs="output", subject="FILE"
        )


def _outcome(
    source: ParsedText, place: str, done: Conversion, found: _Found, asked: _Asked
) -> ConvertedFile:
    target = Path(place) if asked.in_place else None
    if asked.output is not None:
        target = _target(place, asked.output, done, found, asked)
    return ConvertedFile(
        source.path, source.format, done.format, done.steps, done.notes, source.text, done.text,
        target,
    )  # fmt: skip


def _target(place: str, output: Path, done: Conversion, found: _Found, asked: _Asked) -> Path:
    if place.endswith("_samples.jsonl") and output.suffix == ".json" and found.is_named:
        return output.with_name(Path(place).name)
    if found.root:
        target = output / os.path.relpath(place, found.root)
    elif output.is_dir() or asked.several:
        target = output / Path(place).name
    else:
        return output
    known = FORMATS.get(done.format)
    syntax = known.syntax if known else None
    if syntax is None and asked.to in ("json", "yaml"):
        syntax = Syntax(asked.to)
    if syntax is None and target.suffix in (".csv", ".tsv"):
        syntax = Syntax.JSON
    return target.with_suffix(f".{syntax}") if syntax else target


def _put(outcome: ConvertedFile, asked: _Asked) -> ConvertedFile:
    """Write the new text where it belongs."""
    text, target = outcome.text, outcome.target
    if not asked.write or text is None or target is None:
        return outcome
    if asked.in_place and not outcome.changed:
        return outcome
    try:
        if asked.output is not None and target != asked.output:
            target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, text.encode("utf-8"))
    except OSError as error:
        return replace(outcome, failed=f"{target} cannot be written: {error.strerror}")
    return outcome
