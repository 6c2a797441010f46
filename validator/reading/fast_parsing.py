"""Fast parsing and searching by compiled libraries, where they are installed and worth loading.

Parsing may only ever say "this is strict JSON, and here is the data", with the very data that
``parse`` gives; whatever it is not sure of, ``parse`` looks at again. Both have one verdict.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from typing import Any

import jsonschema_rs
import orjson
from evalmark.validator.reading.strict_json import MAX_DEPTH, digits_as_zeros

#: Integers of so many digits may not fit 64 bits, and orjson makes floats of those.
_LONG = b"0" * 19
#: Spaces before a container on its own line that is nested too deep.
_DEEP = b" " * (2 * MAX_DEPTH)


def parse_fast(raw: bytes) -> tuple[Any, bytes] | None:
    """The value of a JSON text, and a text of it without needless escapes; None if unsure.

    orjson silently keeps the last of two equal keys and turns long integers into floats. But
    where what it writes from the data is the very text that was read, nothing can be lost; most
    records and rows are laid out as it does. In other texts a lost pair lacks its colon: the text
    has as many colons as what is written from the data, unless one is written as an escape.
    """
    try:
        data = orjson.loads(raw)
        if raw[1:4] == b"\n  " and _is_laid_out(raw, data):
            return data, raw
        compact = _written(data)
    except (ValueError, TypeError):  # no JSON, or too deep
        return None
    if compact == raw:
        return data, raw
    if raw.count(b":") != compact.count(b":") or (b"\\" in raw and b"\\u003" in raw):
        return None
    return None if _holds_long_integer(digits_as_zeros(raw)) else (data, compact)


def _is_laid_out(raw: bytes, data: object) -> bool:
    """True if a text is its data as orjson lays it out, with two spaces for each level."""
    option = orjson.OPT_INDENT_2
    if raw.endswith(b"\n"):
        option |= orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(data, option=option) == raw and _DEEP not in raw


def _holds_long_integer(digits: bytes) -> bool:
    at = digits.find(_LONG)
    while at >= 0:
        if digits[at - 1 : at] not in (b".", b"0"):  # no fraction, and not its later digits
            return True
        at = digits.find(_LONG, at + len(_LONG))
    return False


def _is_written(levels: int) -> bool:
    data: list[Any] = []
    for _ in range(levels - 1):
        data = [data]
    try:
        orjson.dumps(data)
    except TypeError:
        return False
    return True


#: Arrays to put around data, as many as leave orjson ``MAX_DEPTH`` levels for it: it refuses what
#: is deeper, and so counts levels at no cost.
_AROUND = max(
    1, bisect_left(range(2000), True, key=lambda levels: not _is_written(levels)) - 1 - MAX_DEPTH
)


def _written(data: object) -> bytes:
    """The data as compact JSON; raises TypeError if it has more than ``MAX_DEPTH`` levels."""
    try:
        outermost, innermost = _NESTS.pop()  # no other thread has it now
    except IndexError:
        outermost, innermost = _nest()
    innermost.append(data)
    try:
        written = orjson.dumps(outermost)
    finally:
        innermost.clear()
        _NESTS.append((outermost, innermost))
    return written[_AROUND : len(written) - _AROUND]


#: Such arrays that are not in use: the outermost and the innermost.
_NESTS: list[tuple[Any, list[Any]]] = []


def _nest() -> tuple[Any, list[Any]]:
    innermost: list[Any] = []
    outermost = innermost
    for _ in range(_AROUND - 1):
        outermost = [outermost]
    return outermost, innermost


def holds(patterns: tuple[str, ...], text: str) -> bool:
    """True if a regular expression matches somewhere in a text; in a pass for each of them."""
    return bool(_searcher(patterns).is_valid(text))


@cache
def _searcher(patterns: tuple[str, ...]) -> Any:
    return jsonschema_rs.Draft7Validator({"anyOf": [{"pattern": pattern} for pattern in patterns]})
