"""Models whose packs gave the values of plain rows, remembered in the user's cache folder.

One small file for each model: its name is the digest of all that decides whether packs are exact,
its content how far the packs reached that were compared. It is written as a whole and is nothing
but a note: a file that is damaged, that is too large or that another user can have written is
ignored, and packs are compared again.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from evalmark.scoring.surprisals.packs import Pack
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.edge.writing import json_bytes, write_atomically
from evalmark.validator.user_config import user_folder

#: Bytes of the largest note that is read.
_LARGEST = 1000


class Extent(NamedTuple):
    """How far packs reach.

    Attributes:
        tokens: Tokens of the largest pack: attention to a window is exact in smaller ones only.
        depth: Tokens of the longest sentence: some models change their positions with the length.
    """

    tokens: int = 0
    depth: int = 0

    def is_within(self, other: Extent) -> bool:
        """Whether packs that reach as far as the other one include these."""
        return self.tokens <= other.tokens and self.depth <= other.depth

    def joined(self, other: Extent) -> Extent:
        """How far both reach; each was compared."""
        return Extent(max(self.tokens, other.tokens), max(self.depth, other.depth))


def extent_of(made: Iterable[Pack]) -> Extent:
    """How far some packs reach."""
    sizes = [(len(pack.tokens), max(pack.depths, default=-1) + 1) for pack in made]
    return Extent(*map(max, zip(*sizes, strict=True)))


def remembered(digest: str) -> Extent:
    """How far the packs reached that were compared for a model; nowhere if that is not known."""
    path = _path(digest)
    if path is None:
        return Extent()
    try:
        if not _is_own(os.lstat(path)):
            return Extent()
        data = json.loads(read_whole(path, follow=False, most=_LARGEST))
    except (OSError, ValueError, RecursionError):
        return Extent()
    keys = set(Extent._fields)
    if not isinstance(data, dict) or data.keys() != keys:
        return Extent()
    whole = all(type(value) is int for value in data.values())
    return Extent(**data) if whole else Extent()


def remember(digest: str, extent: Extent) -> None:
    """Note that packs of a model were compared; without a place for notes, nothing happens."""
    path = _path(digest)
    if path is None:
        return
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(path, json_bytes(extent.joined(remembered(digest))._asdict()))


def _path(digest: str) -> Path | None:
    """The note on a model; None for a model without a digest, or without a place."""
    folder = user_folder("cache")
    return Path(folder, "packs", f"{digest}.json") if digest and folder else None


def _is_own(status: os.stat_result) -> bool:
    """Whether this user has written a file; on Windows the folder is the user's."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & stat.S_IWOTH
