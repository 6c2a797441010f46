"""Paths as references of the web."""

from __future__ import annotations

from pathlib import PurePath
from urllib.parse import quote


def uri(path: str) -> str:
    """A relative reference to a file, whose name may be bytes that are not UTF-8."""
    name = PurePath(path).as_posix()
    try:
        return quote(name, errors="surrogateescape")
    except UnicodeEncodeError:
        return quote(name, errors="surrogatepass")
