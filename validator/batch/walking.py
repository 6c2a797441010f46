"""The files of a call, in order, each with its number."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from evalmark.validator.format import Glob
from evalmark.validator.io.paths import leads_out, place_in

#: Folders without evaluation files.
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "build", "dist"})
#: Those of them that may be a part of a name: the others are made by programs.
_MAY_HOLD_OURS = frozenset({"build", "dist"})
#: Endings of the files that are checked in folders.
ENDINGS = (".json", ".jsonl", ".yaml", ".yml")

#: Called with a path in a folder and why a search of the folder skips it.
Skipped = Callable[[str, str], object]
OUT, TWICE = "a link out of the folder or to a hidden file", "a link to another file of the folder"
IRREGULAR = "not a regular file"
FOLDER_LINK = "a link to a folder"
OTHER_ENDING = "name does not end in .json, .jsonl, .yaml or .yml"
HIDDEN = "a hidden file, or in a hidden folder"
UNSEARCHED = "folders named build or dist are not searched"
UNRECOGNIZED = "unrecognized"
#: Names that were to end in one of ours: in upper case, compressed, or kept by an editor.
_NEARLY = (
    r"(?i)\.(?:jsonl?|ya?ml)(?:\.(?:gz|bz2|xz|zst|zip|bak|old|orig|txt|tmp)|~)?$"
    r"|\.(?:ndjson|json5|jsonc)$"
)


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
    excluded: Sequence[Glob],
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

    Hidden files and folders are skipped, and links to folders are not followed. Links out of the
    folder, links to another file of it, what is not a regular file and folders that cannot be read
    are skipped too, and passed to ``skipped``.
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


def _list_folder(folder: str, skipped: Skipped | None) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            return sorted(listing, key=attrgetter("name"))
    except OSError as error:
        if skipped:
            skipped(folder, f"cannot be read: {(error.strerror or str(error)).lower()}")
        return []


def _walk(
    folder: str, endings: tuple[str, ...], skipped: Skipped | None
) -> Iterator[os.DirEntry[str]]:
    """Files in order of their names, then those of the folders below."""
    waiting = [folder]
    while waiting:
        below = []
        for entry in _list_folder(waiting.pop(), skipped):
            if entry.name[0] == ".":
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED_FOLDERS:
                    below.append(entry.path)
                elif skipped and entry.name in _MAY_HOLD_OURS:
                    skipped(entry.path, UNSEARCHED)
            elif entry.name.endswith(endings):
                yield entry
            elif skipped and (why := _nearly_ours(entry, endings)):
                skipped(entry.path, why)
        waiting += reversed(below)


def has_other_ending(name: str) -> bool:
    """True if a file is named as ours are, but for its ending."""
    return not name.endswith(ENDINGS) and re.search(_NEARLY, name) is not None


def _nearly_ours(entry: os.DirEntry[str], endings: tuple[str, ...]) -> str:
    """The reason to skip an entry without our endings that may hold one of ours; else empty."""
    if entry.is_symlink() and entry.is_dir():
        return FOLDER_LINK
    return OTHER_ENDING if endings == ENDINGS and has_other_ending(entry.name) else ""


def _is_regular(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def matches(path: str, globs: Iterable[Glob]) -> bool:
    """True if one of the globs names a path."""
    from fnmatch import fnmatch  # most calls have no globs

    return any(
        fnmatch(place_in(path, glob.folder), glob.pattern.replace(os.sep, "/")) for glob in globs
    )


def size_of(path: str) -> int:
    """Bytes of a file; 0 if it does not exist."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
