"""Paths in folders and repositories that may come from anyone: links that may lead anywhere.

Links are followed before a place is judged. Hidden files are refused too: `.git` and `.env` hold
credentials.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # checks do without
    from pathlib import Path


#: Bytes of a name: file systems allow 255, and suffixes are added to it.
LONGEST_NAME = 200


def is_plain_name(name: str) -> bool:
    """True if a name is one part of a path on every system, and can be shown."""
    from pathlib import PurePosixPath, PureWindowsPath  # checks do without

    alone = PurePosixPath(name).parts == PureWindowsPath(name).parts == (name,)
    alone = alone and not PureWindowsPath(name).drive and name not in (".", "..")
    return alone and name.isprintable() and len(name.encode()) <= LONGEST_NAME


def without_links(path: Path) -> Path:
    """A path without symbolic links. ``Path.resolve`` raises an error of its own for loops."""
    return type(path)(os.path.realpath(path))


def is_below(real: str, root: str) -> bool:
    """True if a path is at or below a folder and not hidden in it; both have no links."""
    try:
        relative = os.path.relpath(real, root)
    except ValueError:  # another drive
        return False
    return relative == os.curdir or not any(part.startswith(".") for part in relative.split(os.sep))


def place_in(path: str, folder: str) -> str:
    """A path as globs name it: from a folder, or as it is written if that is empty; with `/`."""
    place = os.path.normpath(path)
    if folder:
        with suppress(ValueError):  # another drive
            place = os.path.relpath(place, folder)
    return place.replace(os.sep, "/")


def leads_out(path: str, root: str) -> bool:
    """True if a path leads out of a folder, which has no links, or to a hidden file in it."""
    try:
        return not is_below(os.path.realpath(path), root)
    except (OSError, ValueError):  # a name that no file can have is a ValueError
        return True


def leaves_repository(path: str) -> bool:
    """True if a path is a link out of the current repository or to a hidden file in it."""
    return _has_link(path) and leads_out(path, _repository())


def _has_link(path: str) -> bool:
    """True if a path is a link, or leads through one that is below the current folder."""
    try:
        if os.path.isabs(path):
            return os.path.islink(path)
        plain = os.path.normpath(os.path.join(os.path.realpath(os.curdir), path))
        return os.path.realpath(path) != plain
    except (OSError, ValueError):
        return False  # opening it says what is wrong


def _repository() -> str:
    """The nearest folder with `.git` at or above the current one, which is the answer without."""
    here = above = os.path.realpath(os.curdir)
    while not os.path.lexists(os.path.join(above, ".git")):
        if os.path.dirname(above) == above:
            return here
        above = os.path.dirname(above)
    return above
