"""Which files a call is about, and how a file is replaced."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: Folders that hold no one's evaluation files.
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "build", "dist"})


class Candidate(NamedTuple):
    """A file to look at, and whether the user named it himself."""

    path: str
    named: bool


def expand(paths: Iterable[str]) -> Iterator[Candidate]:
    """The files behind paths; folders are walked for JSON and YAML, hidden ones left out."""
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            yield Candidate(path, True)
            continue
        for folder, folders, files in os.walk(path):
            folders[:] = sorted(
                name for name in folders if name[0] != "." and name not in SKIPPED_FOLDERS
            )
            for name in sorted(files):
                if name.endswith((".json", ".jsonl", ".yaml", ".yml")) and name[0] != ".":
                    yield Candidate(os.path.join(folder, name), False)


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace a file as a whole: whoever reads it sees the old content or the new one.

    Its mode is kept; a symbolic link stays, and what it points to is replaced.

    Raises:
        OSError: The file cannot be written.
    """
    import tempfile

    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    handle, temporary = tempfile.mkstemp(prefix=".evalmark-", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            mode = os.stat(target).st_mode & 0o7777
        except FileNotFoundError:
            umask = os.umask(0)
            os.umask(umask)
            mode = 0o666 & ~umask
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
