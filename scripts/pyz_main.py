"""What evalmark.pyz starts: its first word is ``check``, ``convert`` or ``hook``.

The first call unpacks the file into the user's cache, where Python keeps compiled modules: from an
archive it would compile them in each call. Without a cache to write to, that is what it does.
"""

from __future__ import annotations

import os
import sys
from zipimport import zipimporter

ARCHIVE = sys.path[0]


def unpacked() -> str:
    """The folder with the modules of this file, or the file itself."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):  # a relative one is in whatever folder is current
        cache = os.path.expanduser("~/.cache")
    place = os.path.join(cache, "evalmark", f"pyz-{_digest()}")
    if os.path.isdir(place):
        return place
    from shutil import rmtree
    from tempfile import mkdtemp
    from zipfile import ZipFile

    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        new = mkdtemp(dir=os.path.dirname(place))
    except OSError:
        return ARCHIVE
    try:
        with ZipFile(ARCHIVE) as archive:
            archive.extractall(new)
        os.rename(new, place)  # whole, or not at all: other calls may run
    except OSError:  # another call was first, or the disk is full
        rmtree(new, ignore_errors=True)
    return place if os.path.isdir(place) else ARCHIVE


def _digest() -> str:
    """The digest of all modules: other contents get another folder."""
    return zipimporter(ARCHIVE).get_data(os.path.join(ARCHIVE, "digest")).decode()


def main() -> int:
    """Run a command; its exit code."""
    if sys.argv[1:2] not in (["check"], ["convert"], ["hook"]):
        sys.stderr.write("usage: python evalmark.pyz check|convert|hook ...\n")
        return 2
    sys.path[0] = unpacked()
    if sys.argv[1] == "hook":
        from evalmark.cli import hook

        return hook.main(sys.argv[2:])
    from evalmark.cli.main import main as evalmark

    return evalmark(sys.argv[1:])
