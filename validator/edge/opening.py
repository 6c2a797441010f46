"""The edge for inputs: regular files only, never a device, a pipe, a folder or a file of /proc.

A path is opened before its type is looked at, so that it cannot change in between.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from typing import BinaryIO

# A pipe without a writer must not block; Windows would change line ends, and has neither flag.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
# Their files look regular, but hold the secrets and settings of the machine and its processes.
_OF_THE_SYSTEM = ("/proc/", "/sys/", "/dev/")
_IN_MEMORY = "/dev/shm/"  # noqa: S108  # files of users
#: Bytes of a file that is read as a whole. Its data takes many times as much memory.
MAX_SIZE = 1 << 30


def open_regular(path: str | os.PathLike[str], *, follow: bool = True) -> BinaryIO:
    """Open a regular file to read its bytes.

    Without ``follow``, the last part of the path cannot be a symbolic link.

    Raises:
        OSError: It cannot be opened, or it is not a regular file.
    """
    handle, _ = _opened(path, follow)
    return os.fdopen(handle, "rb")


def read_whole(path: str | os.PathLike[str], *, follow: bool = True, most: int = MAX_SIZE) -> bytes:
    """The bytes of a regular file, with as few system calls as possible.

    Without ``follow``, the last part of the path cannot be a symbolic link.

    Raises:
        OSError: It cannot be read, it is not a regular file, or it has more than ``most`` bytes.
    """
    handle, size = _opened(path, follow)
    try:
        if size > most:
            raise _too_large(path, most)
        first = os.read(handle, size + 1)
        if len(first) == size:
            return first
        parts, size = [first], len(first)  # the system returned less, or the file has grown
        while parts[-1]:
            parts.append(os.read(handle, 1 << 20))
            size += len(parts[-1])
            if size > most:
                raise _too_large(path, most)
        return b"".join(parts)
    finally:
        os.close(handle)


def _too_large(path: str | os.PathLike[str], most: int) -> OSError:
    limit = f"larger than {most >> 20} MiB"
    return OSError(errno.EFBIG, limit, os.fspath(path))


def _opened(path: str | os.PathLike[str], follow: bool) -> tuple[int, int]:
    """A handle, and the size of the file."""
    try:
        handle = os.open(path, _FLAGS if follow else _FLAGS | _NO_LINK)
    except ValueError as error:  # a NUL, or what the file system cannot encode
        raise OSError(errno.EINVAL, "not a valid file name", os.fspath(path)) from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        if sys.platform == "linux" and _is_of_the_system(handle, path):
            raise OSError(errno.EINVAL, "a file of the system", os.fspath(path))
    except BaseException:
        os.close(handle)
        raise
    return handle, status.st_size


def _is_of_the_system(handle: int, path: str | os.PathLike[str]) -> bool:
    """Whether an open file is one that the kernel makes up."""
    try:
        place = os.readlink(f"/proc/self/fd/{handle}")
    except OSError:  # no /proc
        place = os.path.realpath(os.fspath(path))
    return place.startswith(_OF_THE_SYSTEM) and not place.startswith(_IN_MEMORY)
