"""RFC 6901 pointers."""

from __future__ import annotations

from collections.abc import Iterable


def parse_pointer(pointer: str) -> list[str]:
    """The unescaped tokens of an RFC 6901 pointer."""
    if not pointer:
        return []
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def make_pointer(path: Iterable[str | int]) -> str:
    """The RFC 6901 pointer of a path."""
    pointer = ""
    for part in path:
        token = str(part)
        if "~" in token or "/" in token:
            token = token.replace("~", "~0").replace("/", "~1")
        pointer += f"/{token}"
    return pointer
