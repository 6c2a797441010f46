"""Which files a call is about, and how a file is replaced."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: Folders that hold no one's evaluation files.
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "build", "dist"})

_BINARY = getattr(os, "O_BINARY", 0)  # Windows would change line ends
#: Bytes of what is no plain file that are read at a time.
_PART = 1 << 20

#: What the name of a file that is being written begins with; the number of the process follows.
_TEMPORARY = ".evalmark-"


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


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace a file as a whole: whoever reads it sees the old content or the new one.

    Its mode is kept; a symbolic link stays, and what it points to is replaced.

    Raises:
        OSError: The file cannot be written.
    """
    import tempfile

    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    prefix = f"{_TEMPORARY}{os.getpid()}-"
    handle, temporary = tempfile.mkstemp(prefix=prefix, dir=folder)
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


def sweep(folder: str | os.PathLike[str]) -> None:
    """Remove what an interrupted ``write_atomically`` has left in a folder and those below it.

    Files that another program writes at the same time are young: only those of an hour ago go, or
    those whose writer is gone.
    """
    import time

    for here, _, files in os.walk(folder):
        for name in files:
            parts = name.removeprefix(_TEMPORARY).split("-")
            if not name.startswith(_TEMPORARY):
                continue
            path = os.path.join(here, name)
            try:
                old = time.time() - os.stat(path).st_mtime > 3600
                if old or not _runs(parts[0]):
                    os.unlink(path)
            except OSError:
                continue  # someone else was faster


def _runs(process: str) -> bool:
    if not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
