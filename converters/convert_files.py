"""Converting many files: which ones. ``convert_file.py`` is the way of each of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from evalmark.converters.convert_files import ConversionTask, FoundFile, convert_one, is_folder
from evalmark.converters.formats import TARGETS, require_known
from evalmark.converters.importers.registry import importer_of_folder
from evalmark.converters.outcomes import ConvertedFile
from evalmark.converters.step import NOTHING, SuiteEdit, Supplied
from evalmark.schemas.errors import PLEASE_REPORT, EvalmarkError, UsageError, failure
from evalmark.validator.batch.walking import Skipped, expand
from evalmark.validator.io.writing import sweep

#: Files that a folder is searched for.
_ENDINGS = (".json", ".jsonl", ".yaml", ".yml", ".csv", ".tsv")


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
    spreadsheet: bool = False,
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
        spreadsheet: Put an apostrophe before cells of a table that a spreadsheet would compute.
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
        to, supplied, edits, place, in_place, write, skip_unknown,
        several=len(names) > 1, spreadsheet=spreadsheet,
    )  # fmt: skip
    if write and (in_place or place is not None):
        sweep(*(names if place is None else [place]))  # temporary files of an interrupted run
    return _convert_all(names, task, skipped)


def is_several(paths: Sequence[str]) -> bool:
    """Whether paths stand for several files: more than one, or a folder that is searched."""
    return len(paths) > 1 or any(_is_searched(path) for path in paths)


def _convert_all(
    paths: list[str], task: ConversionTask, skipped: Skipped | None
) -> Iterator[ConvertedFile]:
    with_record: set[str] = set()
    for path in paths:
        for found in found_files(path, skipped):
            if os.path.realpath(found.path) in with_record:
                continue
            is_skipped = True
            try:
                for outcome in convert_one(found, task):
                    is_skipped = False
                    if outcome.path != found.path:
                        with_record.add(os.path.realpath(outcome.path))
                    yield outcome
                if is_skipped and skipped and not found.is_named:
                    skipped(found.path, "not a file that is converted")
            except OSError as error:
                yield ConvertedFile(found.path, failed=f"cannot be read: {error.strerror}")
            except EvalmarkError:
                raise
            except Exception as error:  # a bug of ours fails one file; the others are converted
                yield ConvertedFile(found.path, failed=f"F099 {failure(error)}; {PLEASE_REPORT}")


def _is_searched(path: str) -> bool:
    return is_folder(path) and importer_of_folder(Path(path)) is None


def found_files(path: str, skipped: Skipped | None) -> Iterator[FoundFile]:
    """The file at a path, or the files in a folder that is not one of results."""
    if not _is_searched(path):
        yield FoundFile(path)
        return
    for candidate in expand([path], _ENDINGS, skipped):
        yield FoundFile(candidate.path, path)
