"""The files of a conversion: named, or found in folders; some results are a folder themselves."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from evalmark.converters.formats import kind_of_format
from evalmark.converters.importers.registry import importer_of_folder, is_samples_of_lm_eval
from evalmark.converters.step import SuiteEdit, Supplied
from evalmark.schemas.versions import RECORD
from evalmark.validator.batch.walking import Skipped, expand

#: Files that a folder is searched for, and those that may be results of other programs.
_ENDINGS = (".json", ".jsonl", ".yaml", ".yml", ".csv", ".tsv", ".xlsx")
_RESULTS = (*_ENDINGS, ".eval")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file of a call: named, or found in a folder. It may be a folder of results."""

    path: str
    root: str = ""

    @property
    def is_named(self) -> bool:
        """True if the user named it."""
        return not self.root


@dataclass(frozen=True, slots=True)
class ConversionTask:
    """The task for each file: the arguments of ``convert_files``, and what has been written so far.

    ``written`` has the identities of files, and ``runs`` that of each run with the file it is from.
    """

    to: str | None
    supplied: Supplied
    edits: tuple[SuiteEdit, ...]
    output: Path | None = None
    in_place: bool = False
    write: bool = True
    skip_unknown: bool = False
    several: bool = False
    written: set[tuple[int, int]] = field(default_factory=set)
    runs: dict[str, str] = field(default_factory=dict)

    @property
    def takes_results(self) -> bool:
        """True if results of other programs in folders become records, which have a place."""
        return self.output is not None and (self.to is None or kind_of_format(self.to) == RECORD)


def is_folder(path: str) -> bool:
    """True if a path of a call is a folder."""
    return path != "-" and os.path.isdir(path)  # noqa: PTH112 - an empty path is not a folder


def is_searched(path: str) -> bool:
    """True if a path is a folder that is searched, not one of results."""
    return is_folder(path) and importer_of_folder(Path(path)) is None


def found_files(
    path: str, skipped: Skipped | None, *, has_results: bool = False
) -> Iterator[FoundFile]:
    """The file at a path, or the files in a folder that is not one of results.

    With ``has_results``, results of other programs that are a folder are found as one, and so are
    files that can be nothing but results.
    """
    if not is_searched(path):
        yield FoundFile(path)
        return
    yielded: set[Path] = set()

    @cache
    def around(folder: Path) -> Path | None:
        """The outermost folder of results that a folder is or is in; None if there is none."""
        if folder == Path(path):
            return None
        return around(folder.parent) or (folder if importer_of_folder(folder) else None)

    for candidate in expand([path], _RESULTS if has_results else _ENDINGS, skipped):
        found = candidate.path
        if not has_results:
            yield FoundFile(found, path)
            continue
        folder = around(Path(found).parent)
        if folder is not None:
            if folder not in yielded:
                yielded.add(folder)
                yield FoundFile(str(folder), path)
        elif is_samples_of_lm_eval(Path(found)):
            if skipped:
                skipped(found, "read with its results_*.json")
        else:
            yield FoundFile(found, path)
