"""The files of a call, in order, each with its number."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from evalmark.validator.formats.hub.repositories import RESULTS
from evalmark.validator.io.paths import leads_out

#: Folders without evaluation files.
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "build", "dist"})
#: Endings of the files that are checked in folders.
ENDINGS = (".json", ".jsonl", ".yaml", ".yml")

#: Called with a path in a folder and why a search of the folder skips it.
Skipped = Callable[[str, str], object]
OUT, TWICE = "a link out of the folder or to a hidden file", "a link to another file of the folder"
IRREGULAR = "not a regular file"


class Candidate(NamedTuple):
    """A file, and whether the user named it rather than a folder."""

    path: str
    named: bool


class Entry(NamedTuple):
    """A file of a call: its number, its path, and whether the user named it."""

    number: int
    path: str
    named: bool


def entries(
    paths: Iterable[str],
    excluded: Sequence[str],
    *,
    even_named: bool = False,
    skipped: Skipped | None = None,
) -> Iterator[Entry]:
    """The files behind paths, numbered from 1, without those that globs exclude.

    A file that is named, not found in a folder, is excluded only with ``even_named``. What
    ``expand`` skips is passed to ``skipped``.
    """
    number = 0
    for path, named in expand(paths, skipped=skipped):
        if excluded and (even_named or not named) and matches(path, excluded):
            continue
        number += 1
        yield Entry(number, path, named)


def expand(
    paths: Iterable[str],
    endings: tuple[str, ...] = ENDINGS,
    skipped: Skipped | None = None,
) -> Iterator[Candidate]:
    """The files behind paths. Folders are searched for regular files with these endings.

    Hidden files and folders are skipped, except ``.eval_results``, and links to folders are not
    followed. Links out of the folder, links to another file of it, what is not a regular file and
    folders that cannot be read are skipped too, and passed to ``skipped``.
    """
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            yield Candidate(path, True)
            continue
        root = os.path.realpath(path)
        for entry in _walk(path, endings, skipped):
            why = _why_skipped(entry, root, endings)
            if not why:
                yield Candidate(entry.path, False)
            elif skipped:
                skipped(entry.path, why)


def _why_skipped(entry: os.DirEntry[str], root: str, endings: tuple[str, ...]) -> str:
    """Why a search skips an entry with the right ending; empty if it does not."""
    if entry.is_symlink():
        if leads_out(entry.path, root):
            return OUT
        if not os.path.exists(entry.path):
            return ""  # a broken link becomes a finding
        target = os.path.realpath(entry.path)
        below = os.path.relpath(os.path.dirname(target), root).split(os.sep)
        if target.endswith(endings) and os.path.isfile(target):
            return "" if SKIPPED_FOLDERS.intersection(below) else TWICE
    return "" if _is_regular(entry) else IRREGULAR


def _walk(
    folder: str, endings: tuple[str, ...], skipped: Skipped | None
) -> Iterator[os.DirEntry[str]]:
    """Files in order of their names, then those of the folders below."""
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here) as found:
                inside = sorted(found, key=attrgetter("name"))
        except OSError as error:
            if skipped:
                skipped(here, f"cannot be read: {(error.strerror or str(error)).lower()}")
            continue
        below = []
        for entry in inside:
            if entry.name[0] == "." and entry.name != RESULTS:
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED_FOLDERS:
                    below.append(entry.path)
            elif entry.name.endswith(endings):
                yield entry
        waiting += reversed(below)


def _is_regular(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def matches(path: str, globs: Iterable[str]) -> bool:
    """Whether one of the globs names a path."""
    from fnmatch import fnmatch  # most calls have no globs

    plain = os.path.normpath(path).replace(os.sep, "/")
    return any(fnmatch(plain, glob) for glob in globs)


def size_of(path: str) -> int:
    """Bytes of a file; 0 if it does not exist."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
