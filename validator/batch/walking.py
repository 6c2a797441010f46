"""Which files a call is about."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: Folders that hold no one's evaluation files.
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "build", "dist"})

_BINARY = getattr(os, "O_BINARY", 0)  # Windows would change line ends
#: Bytes of what is no plain file that are read at a time.
_PART = 1 << 20


class Candidate(NamedTuple):
    """A file to look at, and whether the user named it himself."""

    path: str
    named: bool


def expand(
    paths: Iterable[str], endings: tuple[str, ...] = (".json", ".jsonl", ".yaml", ".yml")
) -> Iterator[Candidate]:
    """The files behind paths; folders are walked for files that end so, hidden ones left out."""
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            yield Candidate(path, True)
            continue
        for folder, folders, files in os.walk(path):
            folders[:] = sorted(
                name for name in folders if name[0] != "." and name not in SKIPPED_FOLDERS
            )
            for name in sorted(files):
                if name.endswith(endings) and name[0] != ".":
                    yield Candidate(os.path.join(folder, name), False)


def read_whole(path: str) -> bytes:
    """The bytes of a file, with the fewest calls of the system.

    Raises:
        OSError: It cannot be read.
    """
    handle = os.open(path, os.O_RDONLY | _BINARY)
    try:
        first = os.read(handle, os.fstat(handle).st_size + 1)
        parts = [first]
        while parts[-1]:
            parts.append(os.read(handle, _PART))
    finally:
        os.close(handle)
    return b"".join(parts) if len(parts) > 2 else first
