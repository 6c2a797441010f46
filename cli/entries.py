"""The files of a call, each with its number."""

from __future__ import annotations

import os
from itertools import chain
from typing import NamedTuple

from evalmark.schemas.engine import Engine, engine_for
from evalmark.validator.batch.walking import expand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Entry(NamedTuple):
    """A file of a call: its number, its path, and whether the user named it."""

    number: int
    path: str
    named: bool


def entries_of(
    paths: Sequence[str], excluded: Sequence[str], *, even_named: bool
) -> tuple[Iterator[Entry], Engine]:
    """The files behind paths, and the engine that the sizes of the first ones call for.

    Args:
        paths: What the user named.
        excluded: Globs of files to leave out.
        even_named: Whether to leave them out where the user named them.
    """
    entries = _numbered(paths, excluded, even_named)
    seen: list[Entry] = []

    def sizes() -> Iterator[int]:
        for entry in entries:
            seen.append(entry)
            yield size_of(entry.path)

    engine = engine_for(sizes())
    return chain(seen, entries), engine


def _numbered(paths: Sequence[str], excluded: Sequence[str], even_named: bool) -> Iterator[Entry]:
    number = 0
    for path, named in expand(paths):
        if excluded and (even_named or not named) and matches(path, excluded):
            continue
        number += 1
        yield Entry(number, path, named)


def size_of(path: str) -> int:
    """Bytes of a file; 0 if there is none."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def matches(path: str, globs: Iterable[str]) -> bool:
    """Whether a path is one of those that globs name."""
    from fnmatch import fnmatch

    plain = os.path.normpath(path).replace(os.sep, "/")
    return any(fnmatch(plain, glob) for glob in globs)
