"""Paths: where links lead, what is inside a folder, and names for files."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # checks do without
    from pathlib import Path


#: Bytes of a name: file systems allow 255, and suffixes are added to it.
LONGEST_NAME = 200


def is_plain_name(name: str) -> bool:
    """Whether a name is one part of a path on every system, and can be shown."""
    from pathlib import PurePosixPath, PureWindowsPath  # checks do without

    alone = PurePosixPath(name).parts == PureWindowsPath(name).parts == (name,)
    alone = alone and not PureWindowsPath(name).drive and name not in (".", "..")
    return alone and name.isprintable() and len(name.encode()) <= LONGEST_NAME


def without_links(path: Path) -> Path:
    """A path without symbolic links. ``Path.resolve`` raises an error of its own for loops."""
    return type(path)(os.path.realpath(path))


def is_below(real: str, root: str) -> bool:
    """Whether a path is at or below a folder and not hidden in it; both have no links."""
    try:
        relative = os.path.relpath(real, root)
    except ValueError:  # another drive
        return False
    return relative == os.curdir or not any(part.startswith(".") for part in relative.split(os.sep))


def leads_out(path: str, root: str) -> bool:
    """Whether a path leads out of a folder, which has no links, or to a hidden file in it."""
    try:
        return not is_below(os.path.realpath(path), root)
    except (OSError, ValueError):  # a name that no file can have is a ValueError
        return True


def leaves_repository(path: str) -> bool:
    """Whether a path is a link out of the current repository or to a hidden file in it."""
    if not _has_link(path):
        return False
    return leads_out(path, _repository())


def _has_link(path: str) -> bool:
    """Whether a path is a link, or leads through one that is below the current folder."""
    try:
        if os.path.isabs(path):
            return os.path.islink(path)
        plain = os.path.join(os.path.realpath(os.curdir), os.path.normpath(path))
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


#: Characters that Windows allows in no name, and ``/``, which nobody does.
_FORBIDDEN = re.compile(r'[\x00-\x1f<>:"/\\|?*]')
#: Names of devices on Windows, in any case and with any ending; superscript digits count too.
_DEVICES = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{port}{number}" for port in ("COM", "LPT") for number in "123456789¹²³"]
)


def is_portable_name(name: str) -> bool:
    """Whether a file can have a name on Windows, macOS and Linux."""
    return not why_not_portable(name)


def why_not_portable(name: str) -> str:
    """Why a file cannot have a name on every system; empty if it can.

    >>> why_not_portable("con.json")
    'Windows reserves "con" for a device'
    """
    if not name:
        return "it is empty"
    found = _FORBIDDEN.search(name)
    if found is not None:
        character = found.group()
        shown = character if character.isprintable() else f"\\x{ord(character):02x}"
        return f"Windows allows no `{shown}` in a name"
    if name != name.rstrip(". "):
        return "Windows allows no dot or blank at the end of a name"
    stem = _stem(name)
    return f'Windows reserves "{stem}" for a device' if stem.upper() in _DEVICES else ""


def portable_name(name: str) -> str:
    """A name that every system allows: the name itself, or the nearest one with ``_``.

    Two names can become the same one.

    >>> portable_name("aux.html"), portable_name("a: b?.html"), portable_name("gpt-4.")
    ('aux_.html', 'a_ b_.html', 'gpt-4_')
    """
    plain = _FORBIDDEN.sub("_", name)
    kept = plain.rstrip(". ")
    plain = kept + "_" * (len(plain) - len(kept))
    stem = _stem(plain)
    return f"{stem}_{plain[len(stem) :]}" if not plain or stem.upper() in _DEVICES else plain


def _stem(name: str) -> str:
    """The part of a name that names a device: blanks before the first dot do not count."""
    return name.partition(".")[0].rstrip(" ")
