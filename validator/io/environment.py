"""The folders that packages are installed in: few calls have one that adds to evalmark.

This module is light: the list of commands asks it, before ``extensions`` is loaded.
"""

from __future__ import annotations

import os
import sys

from evalmark.validator.io.opening import read_whole

#: The ends of names of folders that describe a package.
_DESCRIBED = (".dist-info", ".egg-info")


def may_add(group: str, path: tuple[str, ...]) -> bool:
    """True if a package in one of these folders may have entry points of a group."""
    return any(_may_have(group, folder) for folder in path)


def trusted_path(file: str) -> tuple[str, ...]:
    """The folders of ``sys.path`` that are no data: neither the current one, nor one of a file."""
    current = os.path.realpath(os.curdir)
    about = os.path.realpath(file) if file else None

    def is_data(entry: str) -> bool:
        real = os.path.realpath(entry)
        return real == current or (
            about is not None and f"{about}{os.sep}".startswith(f"{real}{os.sep}")
        )

    return tuple(e for e in sys.path if os.path.isabs(e) and not is_data(e))


def _may_have(group: str, folder: str) -> bool:
    """True if a package in a folder, or in an archive, may have entry points of a group."""
    try:
        names = os.listdir(folder)
    except NotADirectoryError:
        return True
    except OSError:
        return False
    for name in names:
        if name.endswith(_DESCRIBED):
            try:
                raw = read_whole(os.path.join(folder, name, "entry_points.txt"))
            except OSError:
                continue
            if f"[{group}]".encode() in raw:
                return True
    return any(name.endswith(".egg") for name in names)
