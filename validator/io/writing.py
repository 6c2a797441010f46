"""Write and delete files: every output passes through here.

A regular file is replaced as a whole. A device or a pipe is opened and written. A run deletes only
the files that its own manifest names, and only while their content is what the run wrote.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import signal
import stat
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from evalmark.schemas.errors import FolderInUse
from evalmark.validator.io.opening import read_whole, refuse_link

#: Name of a file that is being written; the number is that of the process.
_TEMPORARY = re.compile(r"\.evalmark-(\d+)-[a-z0-9_]+\Z")
#: Seconds after which a temporary file is no longer being written.
_ABANDONED = 3600
#: Bytes of a ``Spool`` above which it is a temporary file.
_IN_MEMORY = 1 << 24
# No terminal that is written becomes ours; Windows would change line ends.
_AS_BYTES = getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # for the reader of a pipe
#: Seconds for which a pipe waits for the program that reads it.
PATIENCE = 5.0
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


#: Folders whose files may not be written or deleted elsewhere; see ``confined_to``.
_HOMES: list[str] = []


class Spool:
    """Bytes that are collected before their file may be written: in memory, or on disk if many."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        self.size = 0  # in bytes
        weakref.finalize(self, self._file.close)

    def add(self, piece: bytes) -> None:
        """Add bytes at the end."""
        self._file.seek(self.size)
        self._file.write(piece)
        self.size += len(piece)

    def read(self, start: int, size: int) -> bytes:
        """Some of the bytes."""
        self._file.seek(start)
        return self._file.read(size)

    def __iter__(self) -> Iterator[bytes]:
        self._file.seek(0)
        while piece := self._file.read(1 << 20):
            yield piece


@contextmanager
def confined_to(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Refuse to write or delete files of a folder where a link in it leads out of it.

    The folder may come from anyone, and its links may lead to any file of the user. The folder
    itself can be a link: the user has named it.
    """
    home = os.path.abspath(folder)
    _HOMES.append(home)
    try:
        yield
    finally:
        _HOMES.remove(home)


def _require_inside(path: str | os.PathLike[str]) -> None:
    """Refuse a path that a link leads out of ``confined_to``: an OSError."""
    plain = os.path.abspath(path)
    for home in _HOMES:
        if not plain.startswith(home.rstrip(os.sep) + os.sep):
            continue
        if not os.path.realpath(plain).startswith(os.path.realpath(home).rstrip(os.sep) + os.sep):
            raise OSError(errno.ELOOP, f"a symbolic link leads out of {home}", os.fspath(path))


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder and those above it; raises OSError if a link leads out of ``confined_to``."""
    _require_inside(path)
    os.makedirs(path, exist_ok=True)


def write_atomically(
    path: str | os.PathLike[str],
    content: bytes | Iterable[bytes],
    *,
    instead_of: bytes | None = None,
) -> None:
    """Write a file; whoever reads it sees the old content or the new one.

    The mode of a file is kept, and its owner where the system allows. A symbolic link stays, and
    its target is replaced. Devices and pipes are never replaced: they are opened and written. A
    file that is read-only, or that has other hard links, is not replaced.

    Args:
        path: The file.
        content: Its new content, or the pieces of it.
        instead_of: The content that it must have now, which the new one was made of.

    Raises:
        OSError: The file cannot be written, or it holds something else than ``instead_of``. The
            error names ``path``, not a temporary file.
    """
    try:
        _require_inside(path)
        old = _status(path)
        if old is not None and not stat.S_ISREG(old.st_mode):
            with os.fdopen(_opened_to_write(path), "wb") as file:
                file.writelines(_pieces(content))
        else:
            if old is not None:
                require_replaceable(path, old)
            _replace(os.path.realpath(path), content, old, instead_of)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def _opened_to_write(path: str | os.PathLike[str]) -> int:
    """A handle of a device or a pipe; a folder refuses, and so does a pipe that nothing reads."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            handle = os.open(path, os.O_WRONLY | _AS_BYTES | _NO_WAIT)
            break
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > deadline:
                raise OSError(errno.ENXIO, "a pipe that no program reads") from error
        time.sleep(0.01)  # a reader that was started at the same time may be later
    if _NO_WAIT:
        os.set_blocking(handle, True)  # what the reader has not taken yet is waited for
    return handle


def require_replaceable(path: str | os.PathLike[str], old: os.stat_result) -> None:
    """Raise an OSError if to replace a file would lose its content to somebody."""
    # Root may write everywhere, but a file without any right to write is meant to stay.
    if not os.access(path, os.W_OK) or not stat.S_IMODE(old.st_mode) & 0o222:
        raise OSError(errno.EACCES, "Permission denied")
    if old.st_nlink > 1:
        raise OSError(errno.EMLINK, "has other hard links, which would keep the old content")


def json_bytes(data: object) -> bytes:
    """Data as the content of a JSON file."""
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def _status(path: str | os.PathLike[str]) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _pieces(content: bytes | Iterable[bytes]) -> Iterable[bytes]:
    return (content,) if isinstance(content, bytes) else content


def _replace(
    target: str,
    content: bytes | Iterable[bytes],
    old: os.stat_result | None,
    instead_of: bytes | None,
) -> None:
    prefix = f".evalmark-{os.getpid()}-"
    with _defer_signals():
        handle, temporary = tempfile.mkstemp(prefix=prefix, dir=os.path.dirname(target))
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines(_pieces(content))
                file.flush()
                os.fsync(file.fileno())
            if old is not None:
                _keep_owner(temporary, old)
            # Last: a change of the owner can clear bits of the mode.
            os.chmod(temporary, _usual_mode() if old is None else stat.S_IMODE(old.st_mode))
            # Last of all: to write takes time, in which another program may save.
            if old is not None and instead_of is not None and read_whole(target) != instead_of:
                again = "changed while evalmark worked on it; run the command again"
                raise OSError(errno.EBUSY, again)
            _move(temporary, target)
        except BaseException:
            _remove(temporary)
            raise


def _move(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Move a file to where one may be, which Windows refuses while any program has that open."""
    try:
        os.replace(source, target)
    except PermissionError as error:
        if not hasattr(error, "winerror"):
            raise
        cure = "close it in the programs that have it open"
        raise OSError(errno.EACCES, f"{error.strerror}; {cure}") from error


@contextmanager
def _defer_signals() -> Iterator[None]:
    """Let SIGTERM and Ctrl-C wait until a file is in its place, so that nothing is left next to it.

    Python would raise its exception anywhere, also before the name of a temporary file is known.
    Then each does what it would have done: SIGTERM ends the process, which no ``except`` stops.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    former = {
        number: signal.signal(number, lambda number, _: came.append(number))
        for number in (signal.SIGTERM, signal.SIGINT)
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler)
    }
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
        for caught in came:
            signal.raise_signal(caught)


def _usual_mode() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def _keep_owner(temporary: str, old: os.stat_result) -> None:
    """Give a file the owner and group of the one it replaces, as far as the system allows."""
    new = os.stat(temporary)
    if not hasattr(os, "chown") or (new.st_uid, new.st_gid) == (old.st_uid, old.st_gid):
        return
    try:
        os.chown(temporary, old.st_uid, old.st_gid)
    except PermissionError:
        with suppress(PermissionError):
            os.chown(temporary, -1, old.st_gid)


def _remove(path: str | os.PathLike[str]) -> None:
    with suppress(OSError):
        os.unlink(path)


def open_to_append(path: str | os.PathLike[str], *, keep: int | None = None) -> BinaryIO:
    """Open a regular file to write at its end; it is created if it does not exist.

    With ``keep``, only so many bytes of it are kept. A symbolic link is not followed: the file is
    one that a run has made itself. Raises OSError if it is not a regular file.
    """
    _require_inside(os.path.dirname(os.path.abspath(path)))
    refuse_link(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | _AS_BYTES | _NO_WAIT | _NO_LINK
    try:
        handle = os.open(path, flags, 0o666)
    except OSError as error:
        if error.errno == errno.ELOOP and os.path.islink(path):
            raise OSError(errno.ELOOP, "a symbolic link", os.fspath(path)) from error
        raise
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        if keep is not None:
            os.truncate(handle, keep)
    except BaseException:
        os.close(handle)
        raise
    return os.fdopen(handle, "ab")


def remove_stale_temp_files(*paths: str | os.PathLike[str]) -> None:
    """Delete temporary files that an interrupted ``write_atomically`` left.

    Of a folder, in the whole tree; of a file, whether it exists or not, beside it. Another program
    may be writing its own: a file is deleted only if its writer is gone, or if it is more than an
    hour old.
    """
    trees = {path for path in paths if os.path.isdir(path)}
    for tree in trees:
        for here, _, names in os.walk(tree):
            _sweep(here, names)
    for here in {os.path.dirname(path) or os.curdir for path in paths if path not in trees}:
        with suppress(OSError):
            _sweep(os.fspath(here), os.listdir(here))


def _sweep(folder: str, names: Iterable[str]) -> None:
    for name in names:
        match = _TEMPORARY.match(name)
        if match is None:
            continue
        path = os.path.join(folder, name)
        try:
            status = os.lstat(path)
        except OSError:
            continue  # its writer was faster
        abandoned = time.time() - status.st_mtime > _ABANDONED or not _runs(int(match[1]))
        if stat.S_ISREG(status.st_mode) and abandoned:
            _remove(path)


def _runs(process: int) -> bool:
    if sys.platform == "win32":
        return True  # signal 0 is Ctrl-C there, so only the age of a file counts
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


@contextmanager
def add_path_to_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Errors of a file that is open already do not say which one it is."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def manifest(folder: Path, paths: Iterable[Path]) -> dict[str, str]:
    """The manifest of a run: names of files relative to its folder, with the SHA-256 of each."""
    existing = (path for path in paths if path.exists())
    return {path.relative_to(folder).as_posix(): _digest(path) for path in existing}


def listed_files(path: Path) -> dict[str, Any]:
    """The files that the manifest of an earlier run lists; none if there is no manifest."""
    files = manifest_in(path).get("files")
    return files if isinstance(files, dict) else {}


def manifest_in(path: Path) -> dict[str, Any]:
    """The manifest of an earlier run; empty if there is none."""
    try:
        data = json.loads(read_whole(path, follow=False))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def remove_listed(
    folder: Path, listed: Mapping[str, Any], *, keep: Mapping[str, str], names: re.Pattern[str]
) -> None:
    """Delete the files of an earlier run that its manifest, as it was read, lists.

    Anyone may have written the manifest. A file stays if the new manifest, ``keep``, lists it too,
    if its content is no longer what the manifest says, if it or a folder that leads to it is a
    link, or if the run would not have given it its name (``names``, relative to the folder).
    """
    home = os.path.realpath(folder)
    for name, digest in listed.items():
        if name in keep or not names.fullmatch(name):
            continue
        path = Path(home, name)
        with suppress(OSError, ValueError):  # unreadable, or no file can have this name
            if os.path.realpath(path) == f"{home}{os.sep}{name}".replace("/", os.sep) and (
                path.is_file() and _digest(path) == digest
            ):
                _remove(path)


def remove_superseded(path: Path) -> None:
    """Delete the one file whose place the file just written takes, if it exists."""
    _require_inside(path.parent)
    path.unlink(missing_ok=True)


def move_file(source: Path, target: Path) -> None:
    """Move a file within a file system, to where a file, if there is one, is replaced."""
    with add_path_to_errors(target):
        if (old := _status(target)) is not None:
            require_replaceable(target, old)
            _keep_owner(os.fspath(source), old)
            os.chmod(source, stat.S_IMODE(old.st_mode))
        _move(source, target)


def remove_tree(folder: Path) -> None:
    """Delete a folder, not a link, that only evalmark writes to, with all that is in it."""
    shutil.rmtree(folder)


def remove_empty(folders: Iterable[Path]) -> None:
    """Delete folders that are empty, in this order."""
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _digest(path: Path) -> str:
    return hashlib.sha256(read_whole(path)).hexdigest()


#: Name of the file that is locked, in the folder of a run, where folders have no locks.
LOCK = ".evalmark-lock"


@contextmanager
def lock_folder(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Keep other runs out of a folder, where the file system has locks; and sweep it.

    No link in the folder leads what is written out of it: see ``confined_to``. A FolderInUse if
    another run writes to it.
    """
    try:
        import fcntl
    except ImportError:  # Windows has no locks for folders
        locking = _locked_file(folder)
    else:

        def lock(handle: int) -> None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

        locking = _hold_lock(os.open(folder, os.O_RDONLY), lock, BlockingIOError, folder)
    with locking, confined_to(folder):
        remove_stale_temp_files(folder)
        yield


@contextmanager
def _locked_file(folder: str | os.PathLike[str]) -> Iterator[None]:
    msvcrt: Any = import_module("msvcrt")
    path = os.path.join(folder, LOCK)
    handle = os.open(path, os.O_RDWR | os.O_CREAT)

    def lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    is_ours = False
    try:
        with _hold_lock(handle, lock, PermissionError, folder):
            is_ours = True
            yield
    finally:
        if is_ours:
            with suppress(OSError):
                remove_superseded(Path(path))


@contextmanager
def _hold_lock(
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
