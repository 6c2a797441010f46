"""Opening regular files only: never a device, a pipe or a folder, even if a path changes."""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO

# A pipe without a writer must not block; Windows would change line ends, and has neither flag.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def open_regular(path: str, *, follow: bool = True) -> BinaryIO:
    """Open a regular file to read its bytes.

    Args:
        path: The file.
        follow: Accept a symbolic link as the last part of the path.

    Raises:
        OSError: It cannot be opened, or it is not a regular file.
    """
    handle = os.open(path, _FLAGS if follow else _FLAGS | _NO_LINK)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise
