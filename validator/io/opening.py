"""Open inputs: regular files only, never a device, a pipe, a folder or a file of /proc.

A path is opened before its type is looked at, so that it cannot change in between.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

# A pipe without a writer must not block; Windows would change line ends, and has neither flag.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
# Their files look regular, but hold the secrets and settings of the machine and its processes.
_OF_THE_SYSTEM = ("/proc/", "/sys/", "/dev/")
_IN_MEMORY = "/dev/shm/"  # noqa: S108  # files of users
#: File systems that a file was read from: the kernel makes up its own on others.
_OF_USERS: set[int] = set()
#: Bytes that are read at a time.
_PIECE = 1 << 16
#: Bytes of a file whose beginning is looked at before the rest is read.
_LARGE = 1 << 20
_WITH_NUL = (b"PK", BOM_UTF16_LE, BOM_UTF16_BE)
#: Bytes of a file that is read as a whole. Its data takes many times as much memory.
MAX_SIZE = 1 << 30
#: How many times its size a compressed file may hold, and the bytes that any of them may hold.
MAX_RATIO = 50
MAX_UNPACKED = 1 << 25
#: Ways of compression in zip files. `zipfile` unpacks no more at once than it is asked for of the
#: first two; of others, what so many compressed bytes hold: some thousand times as many.
_STORED, _DEFLATED, _BZIP2 = 0, 8, 12
_FEW = 1 << 12


class _Input(io.FileIO):
    """A file whose errors name it, also those of reading, which may be on another machine."""

    def __init__(self, handle: int, path: str | os.PathLike[str]) -> None:
        super().__init__(handle, "rb")
        self.path = path

    def readinto(self, buffer: Any, /) -> int | None:
        try:
            return super().readinto(buffer)
        except OSError as error:
            error.filename = self.path
            raise


def open_regular(path: str | os.PathLike[str], *, follow: bool = True) -> BinaryIO:
    """Open a regular file to read its bytes; raises OSError if it is not one.

    Without ``follow``, the last part of the path cannot be a symbolic link.
    """
    handle, _ = _open(path, follow)
    return io.BufferedReader(_Input(handle, path), _PIECE)


def read_whole(
    path: str | os.PathLike[str],
    *,
    follow: bool = True,
    most: int | None = None,
    is_text: bool = False,
) -> bytes:
    """The bytes of a regular file, with as few system calls as possible.

    Without ``follow``, the last part of the path cannot be a symbolic link. With ``is_text``, only
    the beginning of a large file is read if it has NUL bytes, as no text has.

    Raises:
        OSError: It cannot be read, it is not a regular file, or it has more than ``most`` bytes:
            ``MAX_SIZE`` unless said.
    """
    most = MAX_SIZE if most is None else most
    handle, size = _open(path, follow)
    try:
        if size > most:
            raise _too_large(path, most)
        is_large = is_text and size > _LARGE
        first = os.read(handle, _PIECE if is_large else size + 1)
        if len(first) == size or (is_large and _is_no_text(first)):
            return first
        parts, size = [first], len(first)  # the system returned less, or the file has grown
        while parts[-1]:
            parts.append(os.read(handle, 1 << 20))
            size += len(parts[-1])
            if size > most:
                raise _too_large(path, most)
        return b"".join(parts)
    except OSError as error:
        error.filename = os.fspath(path)
        raise
    finally:
        os.close(handle)


def _is_no_text(first: bytes) -> bool:
    """True if a file has NUL bytes, and begins as no archive and no text in UTF-16 does."""
    return b"\0" in first and not first.startswith(_WITH_NUL)


def read_or_nothing(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a regular file; none if it cannot be read."""
    try:
        return read_whole(path)
    except OSError:
        return b""


def refuse_link(path: str | os.PathLike[str]) -> None:
    """Raise an OSError for a symbolic link where ``os.open`` cannot, as on Windows."""
    if not _NO_LINK and os.path.islink(path):
        raise OSError(errno.ELOOP, "a symbolic link", os.fspath(path))


def _too_large(path: str | os.PathLike[str], most: int) -> OSError:
    limit = f"larger than {most >> 20} MiB"
    return OSError(errno.EFBIG, limit, os.fspath(path))


def why_too_compressed(packed: int, unpacked: int) -> str:
    """The reason not to read a compressed file that would hold far more than its size; else empty.

    >>> why_too_compressed(900_000, 1 << 30)
    'it holds 1024 MiB, 1193 times its size; at most 50 times, or 32 MiB, are read'
    """
    if unpacked <= max(MAX_UNPACKED, MAX_RATIO * packed):
        return ""
    times = f"{unpacked // max(packed, 1)} times its size"
    limit = f"at most {MAX_RATIO} times, or {MAX_UNPACKED >> 20} MiB, are read"
    return f"it holds {unpacked >> 20} MiB, {times}; {limit}"


def read_member(archive: ZipFile, info: ZipInfo) -> bytes:
    """Read a member of a zip file up to its stated size; ``ZipFile.read`` would unpack all of it.

    Raises:
        NotImplementedError: It is compressed in another way than by deflate or LZMA.
    """
    if info.compress_type == _BZIP2:
        raise NotImplementedError  # a few bytes of it can be any number
    piece = 1 << 20 if info.compress_type in (_STORED, _DEFLATED) else _FEW
    pieces, size = [], 0
    with archive.open(info) as member:
        while size <= info.file_size and (read := member.read(piece)):
            pieces.append(read)
            size += len(read)
    return b"".join(pieces)


def _open(path: str | os.PathLike[str], follow: bool) -> tuple[int, int]:
    """A file descriptor, and the size of the file in bytes."""
    if not follow:
        refuse_link(path)
    try:
        handle = os.open(path, _FLAGS if follow else _FLAGS | _NO_LINK)
    except ValueError as error:  # a NUL, or what the file system cannot encode
        raise OSError(errno.EINVAL, "not a valid file name", os.fspath(path)) from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        if sys.platform == "linux" and status.st_dev not in _OF_USERS:
            if _is_of_the_system(handle, path):
                raise OSError(errno.EINVAL, "a file of the system", os.fspath(path))
            _OF_USERS.add(status.st_dev)
    except BaseException:
        os.close(handle)
        raise
    return handle, status.st_size


def _is_of_the_system(handle: int, path: str | os.PathLike[str]) -> bool:
    try:
        place = os.readlink(f"/proc/self/fd/{handle}")
    except OSError:  # no /proc
        place = os.path.realpath(os.fspath(path))
    return place.startswith(_OF_THE_SYSTEM) and not place.startswith(_IN_MEMORY)
