"""Convert files: find and read them, then skip, import or convert, and write each.

``convert_document.py`` is the way of the document in a file.
"""

from __future__ import annotations

import os
import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from evalmark.converters.conversion_formats import CONVERTIBLE, TARGETS, Syntax, kind_of_format
from evalmark.converters.convert_document import NOT_A_SUITE, Conversion, convert_parsed
from evalmark.converters.found_files import (
    ConversionTask,
    FoundFile,
    found_files,
    is_folder,
    is_searched,
)
from evalmark.converters.importers.registry import (
    SCORES,
    added_importers,
    importer_named,
    importer_of_path,
)
from evalmark.converters.outcomes import ConvertedFile
from evalmark.converters.overrides.defaults import Seen
from evalmark.converters.step import SuiteEdit
from evalmark.converters.supplied import NOTHING, Supplied
from evalmark.converters.syntax import DELIMITERS, ParsedText, parse_text
from evalmark.converters.tables.any_table.any_tables import parsed_any_table
from evalmark.converters.tables.sheets import ITEMS, owner_of, place_of, refused_place
from evalmark.converters.tables.table_files import parse_workbook, with_tables_beside
from evalmark.schemas.errors import (
    PLEASE_REPORT,
    ConversionError,
    EvalmarkError,
    ParseRejected,
    UnknownNameError,
    UsageError,
    failure,
    require_known,
)
from evalmark.schemas.versions import RECORD
from evalmark.validator.batch.walking import Skipped
from evalmark.validator.formats.unrecognized import format_in, has_signs
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import (
    confined_to,
    make_folder,
    remove_stale_temp_files,
    write_atomically,
)
from evalmark.validator.reading.pair_columns import NO_TABLES, TABLES, PairTables
from evalmark.validator.reading.strict_json import decode

if TYPE_CHECKING:
    from evalmark.converters.records.with_samples import ConvertedDocument


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
    skipped: Skipped | None = None,
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
        skipped: Called with the path and the reason of each entry that a search of folders skips.

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
    task = ConversionTask(
        to,
        supplied,
        edits,
        place,
        in_place,
        write,
        skip_unknown,
        several=len(names) > 1,
    )
    if write and (in_place or place is not None):
        remove_stale_temp_files(
            *(names if place is None else [place])
        )  # temporary files of an interrupted run
    unusable = (ConvertedFile(name, refused=why) for name, why in supplied.unusable.items())
    return chain(unusable, _convert_all(names, task, skipped))


def is_several(paths: Sequence[str]) -> bool:
    """True if paths stand for several files: more than one, or a folder that is searched."""
    return len(paths) > 1 or any(is_searched(path) for path in paths)


def _convert_all(
    paths: list[str], task: ConversionTask, skipped: Skipped | None
) -> Iterator[ConvertedFile]:
    skip = skipped or _ignore
    with_record: set[str] = set()
    for path in paths:
        for file in found_files(path, skipped, has_results=task.takes_results):
            if os.path.realpath(file.path) in with_record:
                continue
            owner = owner_of(Path(file.path))
            if owner is not None and owner.is_file():
                skip(file.path, f"converted with {owner.name}")
                continue
            outcome = None
            for outcome in _outcomes(file, task):
                if outcome.path != file.path:
                    with_record.add(os.path.realpath(outcome.path))
                yield outcome
            if outcome is None and not file.is_named:
                skip(file.path, "not a file that is converted")


def _ignore(path: str, why: str) -> None:
    pass


def _outcomes(file: FoundFile, task: ConversionTask) -> Iterator[ConvertedFile]:
    try:
        yield from convert_one(file, task)
    except (UnknownNameError, UsageError):  # the call is wrong, and not this file
        raise
    except Exception as error:
        yield _stopped_outcome(file.path, error)


def _stopped_outcome(path: str, error: Exception) -> ConvertedFile:
    if isinstance(error, ConversionError):
        return ConvertedFile(path, refused=error)
    if isinstance(error, OSError):
        return ConvertedFile(path, failed=f"cannot be read: {error.strerror}")
    bug = f"F099 {failure(error)}; {PLEASE_REPORT}"
    return ConvertedFile(path, failed=str(error) if isinstance(error, EvalmarkError) else bug)


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
    task = ConversionTask(to, supplied, edits, write=False)
    require_known("format", to, TARGETS)
    outcome = next(convert_one(FoundFile(os.fspath(path)), task))
    if outcome.refused is not None:
        raise outcome.refused
    if outcome.failed is not None:
        raise ConversionError(outcome.failed)
    return outcome


def convert_one(file: FoundFile, task: ConversionTask) -> Iterator[ConvertedFile]:
    """The way of one file: read → skip, import or convert → find a place → write.

    It yields what became of the file, of the samples of a record, or of each run of results;
    nothing if the file is skipped.
    """
    path = file.path
    try:
        supplied = task.supplied
        is_mapped = supplied.mapping is not None
        columns = supplied.columns if file.is_named else None
        parsed = parsed_file(path, is_mapped=is_mapped, tables=supplied.pairs, columns=columns)
    except ParseRejected as error:
        yield ConvertedFile(path, failed=f"cannot be read: {error or 'not UTF-8 text'}")
        return
    if _is_skipped(parsed, file, task):
        return
    if parsed.importer is not None:
        if task.edits or supplied.renames:
            refused = ConversionError(NOT_A_SUITE)
            yield ConvertedFile(path, parsed.importer.name, refused=refused)
            return
        from evalmark.converters.import_file import import_file  # and the writers of records

        yield from import_file(path, parsed.importer, parsed.data, task)
        return
    seen = None
    if _is_record(parsed) and isinstance(parsed.data, dict):
        seen = Seen.of(parsed.data, path)
    try:
        documents = _documents(parsed, task)
        _require_place(documents, task)
    except ConversionError as error:
        yield ConvertedFile(path, parsed.format, refused=_explain_refusal(error, parsed), seen=seen)
        has_others = task.several or not file.is_named  # its samples may be among them
        if seen is not None and has_others:
            yield from _without_record(parsed, path)
        return
    is_part = len(documents) > 1 and _is_folder_of(task)
    for source, place, done in documents:
        place = source.path if task.in_place else place
        target = _target(place, done, file, task, is_part=is_part)
        yield _write_outcome(
            ConvertedFile(
                source.path,
                source.format,
                done.format,
                done.steps,
                done.notes,
                source.text,
                done.text,
                target,
                seen=seen,
                files=done.files,
                proof=done.proof,
            ),
            task,
        )


def _explain_refusal(error: ConversionError, parsed: ParsedText) -> ConversionError:
    """A refusal; of a file that nothing recognizes, with the importers that cannot be used."""
    for unused in added_importers(parsed.path).refused if parsed.format is None else ():
        error.reason += f"; {unused}"
    return error


def _without_record(parsed: ParsedText, path: str) -> Iterator[ConvertedFile]:
    from evalmark.validator.formats.records.samples.companions import companion

    samples = companion(parsed.data, path)
    if samples is not None and samples.path:
        reason = ConversionError(f"its record {Path(path).name} is refused")
        yield ConvertedFile(samples.path, refused=reason)


def parsed_file(
    path: str,
    *,
    is_mapped: bool = False,
    tables: PairTables = NO_TABLES,
    columns: Mapping[str, str] | None = None,
) -> ParsedText:
    """The parsed content of a path; a folder is one of results, a mapped table one of scores.

    With ``columns``, which may be empty, any other table is one of a suite if it can be.
    """
    importer, has_files = importer_of_path(Path(path)), is_folder(path)
    if is_mapped and not has_files and path.lower().endswith(SCORES):
        importer = importer_named("scores")
    if importer:  # they are not parsed as a whole
        return ParsedText("", path, Syntax.JSON, None, importer.name, importer)
    if has_files:
        error = ConversionError("the folder is not recognized as results")
        return ParsedText("", path, Syntax.JSON, error=error)
    raw = sys.stdin.buffer.read() if path == "-" else read_whole(path, is_text=True)
    if columns is None:
        return _parsed_content(raw, path, tables)

    try:
        parsed = _parsed_content(raw, path, tables)
    except ParseRejected:
        if (parsed_table := parsed_any_table(raw, path, None, columns)) is None:
            raise
        return parsed_table
    return parsed_any_table(raw, path, parsed, columns) or parsed


def _parsed_content(raw: bytes, path: str, tables: PairTables) -> ParsedText:
    syntax = Syntax.of(path)
    if syntax is Syntax.XLSX:
        return parse_workbook(raw, path)
    if syntax not in DELIMITERS:
        return parse_text(decode(raw), path, tables)

    text = decode(raw.removeprefix(BOM_UTF8))
    return with_tables_beside(parse_text(text, path, tables))


def _is_skipped(parsed: ParsedText, file: FoundFile, task: ConversionTask) -> bool:
    """True if the call is not about a file: folders hold other files too."""
    lenient = task.skip_unknown or not file.is_named
    if parsed.is_unreadable:
        # A broken file that was not named may still be one of ours.
        return lenient and not has_signs(parsed.text.encode(), parsed.path)
    if parsed.format is None:
        form = format_in(parsed.data, parsed.path)
        return lenient and (form is None or not _is_meant(form.name, task))
    if parsed.importer is not None:
        return not (file.is_named or task.takes_results)
    return lenient and _is_misplaced(parsed.format, task)


def _is_meant(name: str, task: ConversionTask) -> bool:
    """True if a call is about files of a format, which are damaged."""
    kind = CONVERTIBLE[name].kind if name in CONVERTIBLE else name
    target = CONVERTIBLE.get(task.to or "")
    return kind == target.kind if target else kind in {form.kind for form in CONVERTIBLE.values()}


def _is_misplaced(name: str, task: ConversionTask) -> bool:
    """True if a format is of another kind than is asked for, or a table has no place."""
    form, target = CONVERTIBLE.get(name), CONVERTIBLE.get(task.to or "")
    if target is not None and target.kind != kind_of_format(name):
        return True
    return form is not None and form.is_table and task.output is None


def _is_folder_of(task: ConversionTask) -> bool:
    output = task.output
    return output is not None and (output.is_dir() or not output.suffix or task.several)


def _documents(parsed: ParsedText, task: ConversionTask) -> list[ConvertedDocument]:
    stem = Path(parsed.path).name.partition(".")[0] if parsed.path != "-" else None
    supplied = task.supplied.for_suite(stem)
    output = task.output
    is_file = output is not None and output.suffix and not output.is_dir()
    takes_samples = task.to not in CONVERTIBLE or CONVERTIBLE[task.to].kind == RECORD
    if parsed.syntax is Syntax.JSON and _is_record(parsed) and takes_samples:
        from evalmark.converters.records.with_samples import convert_pair

        pair = convert_pair(parsed, to=task.to, supplied=supplied)
        if pair is not None:
            return pair
    syntax = Syntax.of(output.name) if output and is_file else None
    done = convert_parsed(parsed, to=task.to, syntax=syntax, supplied=supplied, edits=task.edits)
    return [(parsed, parsed.path, done)]


def _is_record(parsed: ParsedText) -> bool:
    return kind_of_format(parsed.format or "") == RECORD


def _require_place(documents: list[ConvertedDocument], task: ConversionTask) -> None:
    """Refuse to replace a file by one that needs another name, and to print several."""
    (parsed, _, done), *others = documents
    if task.write and task.output is None and not task.in_place and done.files:
        raise ConversionError(
            "a wide table is several files, or a workbook", needs="output", subject="FILE.xlsx"
        )
    if not task.in_place:
        output = task.output
        if others and output and output.suffix != ".json" and not _is_folder_of(task):
            reason = f"a record and its samples are two files, which {output.name} cannot be"
            raise ConversionError(reason, needs="output", subject="FOLDER")
        return
    for source, place, _ in others:
        name = Path(place).name
        if name != Path(source.path).name:
            reason = f"the samples would be called {name}"
            raise ConversionError(reason, needs="output", subject="FOLDER")
    # The rows of a table may have become JSON Lines, which its name does not say.
    is_reshaped = parsed.path.endswith(tuple(TABLES)) and parsed.syntax is Syntax.JSONL
    if done.syntax is not parsed.syntax or is_reshaped:
        raise ConversionError(
            f"{done.format} is written as {done.syntax}", needs="output", subject="FILE"
        )


def _target(
    place: str, done: Conversion, file: FoundFile, task: ConversionTask, *, is_part: bool
) -> Path | None:
    output = task.output
    if output is None:
        return Path(place) if task.in_place else None
    if place.endswith("_samples.jsonl") and output.suffix == ".json" and file.is_named:
        return output.with_name(Path(place).name)
    if file.root:
        target = output / os.path.relpath(place, file.root)
    elif output.is_dir() or task.several or is_part:
        target = output / os.path.relpath(place, Path(file.path).parent)
    else:
        return output
    syntax = _new_syntax(target, done, task)
    return target.with_suffix(f".{syntax}") if syntax else target


def _new_syntax(target: Path, done: Conversion, task: ConversionTask) -> Syntax | None:
    """The syntax that the name of a file must end in; None if it may keep its ending."""
    form = CONVERTIBLE.get(done.format)
    if form is not None and form.syntax is not None:
        return form.syntax
    if task.to == done.syntax:  # samples beside a record stay JSON lines
        return done.syntax
    is_of_any = Syntax.of(target.name) in (Syntax.JSON, Syntax.YAML)
    return None if is_of_any else done.syntax


def _write_outcome(outcome: ConvertedFile, task: ConversionTask) -> ConvertedFile:
    text, target = outcome.text, outcome.target
    if not task.write or text is None or target is None:
        return outcome
    if task.in_place and not outcome.changed:
        return outcome
    contents = {
        place_of(target, table): content
        for table, content in (outcome.files or {ITEMS: text.encode("utf-8")}).items()
    }
    form = CONVERTIBLE.get(outcome.format)  # what only its syntax was changed of has none
    reason = None
    if form is not None and form.is_table and task.output is not None:
        reason = refused_place(target, contents)
    reason = reason or _written_twice(contents, task)
    if reason is not None:
        return replace(outcome, text=None, refused=reason)
    place = target
    try:
        if task.output is not None:
            if target == task.output:
                target.parent.mkdir(exist_ok=True)  # the last folder of a new file
            else:
                with confined_to(task.output):
                    make_folder(target.parent)
        old = outcome.old.encode("utf-8") if task.in_place else None
        for place, content in reversed(contents.items()):  # that of the items is the last one
            _write(place, content, target, task, old)
    except OSError as error:
        return replace(outcome, failed=f"{place} cannot be written: {error.strerror}")
    return outcome


def _written_twice(places: Iterable[Path], task: ConversionTask) -> ConversionError | None:
    for place in places:
        if _identity(place) in task.written:
            return ConversionError(f"{place} has been written for another file of this call")
    return None


def _write(
    place: Path, content: bytes, target: Path, task: ConversionTask, old: bytes | None
) -> None:
    """Write one of the files of a target; the link is followed only of a place that was named."""
    is_alone = task.output is None or task.output == target
    home = target.parent if is_alone or task.output is None else task.output
    with nullcontext() if is_alone and place == target else confined_to(home):
        write_atomically(place, content, instead_of=old)
    identity = _identity(place)
    if identity is not None:
        task.written.add(identity)


def _identity(place: Path) -> tuple[int, int] | None:
    """The identity of a file, if it exists: one file has many paths where case does not count."""
    try:
        status = place.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if status.st_ino else None
