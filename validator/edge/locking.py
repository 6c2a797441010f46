"""The lock of a folder that a run writes to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import FolderInUse
from evalmark.validator.edge.writing import remove_superseded, staying_in, sweep

#: Name of the file that is locked, in the folder of a run, where folders have no locks.
LOCK = ".evalmark-lock"


@contextmanager
def only_writer(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Keep other runs out of a folder, where the file system has locks; and sweep it.

    No link in the folder leads what is written out of it: see ``staying_in``.

    Raises:
        FolderInUse: Another run writes to it.
    """
    try:
        import fcntl
    except ImportError:  # Windows has no locks for folders
        locking = _locked_file(folder)
    else:
        locking = _locked(os.open(folder, os.O_RDONLY), _flock(fcntl), BlockingIOError, folder)
    with locking, staying_in(folder):
        sweep(folder)
        yield


def _flock(fcntl: Any) -> Callable[[int], object]:
    return lambda handle: fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def _locked_file(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Lock the first byte of a file in the folder, and delete the file at the end."""
    msvcrt: Any = import_module("msvcrt")
    path = os.path.join(folder, LOCK)
    handle = os.open(path, os.O_RDWR | os.O_CREAT)

    def lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    is_ours = False
    try:
        with _locked(handle, lock, PermissionError, folder):
            is_ours = True
            yield
    finally:
        if is_ours:
            with suppress(OSError):
                remove_superseded(Path(path))


@contextmanager
def _locked(
    handle: int,
    lock: Callable[[int], object],
    taken: type[OSError],
    folder: str | os.PathLike[str],
) -> Iterator[None]:
    """Hold a lock while a handle is open. ``taken`` is the error if another process holds it."""
    try:
        try:
            lock(handle)
        except taken:
            raise FolderInUse(f"another run is writing to {os.fspath(folder)}") from None
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(handle)
