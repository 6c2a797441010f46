"""Strict JSON: only what every parser reads in the same way.

``decode`` and ``parse`` raise ``ParseRejected``; ``diagnose`` finds the reasons, for rejected files
only.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from types import NoneType
from typing import Any

from evalmark.schemas.errors import ParseRejected

#: Levels of objects and arrays that every Python and every backend can parse.
MAX_DEPTH = 200

#: All digits as zeros, and one way to write exponents: only a text that then holds one of these
#: can hold a number beyond double.
_ZEROS = bytes(range(48)) + b"0" * 10 + bytes(range(58, 256)).replace(b"E", b"e")
_LARGE = (b"0" * 309, b"0e000", b"0e+000")
#: Only a text with one of these can hold a lone surrogate.
_SURROGATE = r"\\u[dD][89a-fA-F]"
_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]"
_CONTAINERS = frozenset({dict, list})
_MOST = sys.float_info.max
#: What is wrong with a number of too many digits.
TOO_LARGE = "number is larger than a double can hold"
#: Whether deep nesting ends Python, without an exception: the stack is that of a browser.
_SMALL_STACK = sys.platform == "emscripten"
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"?'
_NO_BRACKET = r"[^][{}]+"


def decode(raw: bytes) -> str:
    """The text of a JSON file: UTF-8 without a byte order mark. ParseRejected for anything else."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise ParseRejected from None
    if "\0" in text:
        raise ParseRejected("it has NUL bytes, as no text has")
    if text.startswith("\ufeff"):
        raise ParseRejected
    return text


def parse(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        ParseRejected: The text is not JSON, or contains a duplicate key, NaN, Infinity, a number
            beyond double, a lone surrogate, or too many levels.
    """
    hooks: dict[str, Any] = {}
    # Much faster than a regular expression, which would start again at every digit.
    digits = digits_as_zeros(text.encode("utf-8", "surrogatepass"))
    if any(large in digits for large in _LARGE):
        hooks = {"parse_int": _integer, "parse_float": double_of}
    try:
        spare_stack(text)
        data = loads(text, **hooks)
    except (ValueError, RecursionError):
        raise ParseRejected from None
    is_escaped = "\\" in text and re.search(_SURROGATE, text)
    if (is_escaped and _lone_surrogate(text)) or not is_shallow(data):
        raise ParseRejected
    return data


def loads(text: str, **hooks: Any) -> Any:
    """The value of a JSON text; raises ParseRejected if it has duplicate keys, NaN or Infinity."""
    return json.loads(text, object_pairs_hook=_object, parse_constant=_constant, **hooks)


def spare_stack(text: str) -> None:
    """Raise a RecursionError for a text too deep for the stack of a browser, which would end."""
    if _SMALL_STACK and is_deep(text):
        raise RecursionError


def is_deep(text: str) -> bool:
    """True if objects and arrays of a text are nested so deeply that it is not even parsed.

    Never up to ``MAX_DEPTH`` levels, always beyond twice as many. Pairs of brackets are removed
    from the inside outwards, which needs no stack.
    """
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    brackets = re.sub(_NO_BRACKET, "", re.sub(_STRING, "", text))
    for _ in range(MAX_DEPTH):
        outer = brackets.replace("[]", "").replace("{}", "")
        if len(outer) == len(brackets):
            break
        brackets = outer
    unclosed = brackets.count("[") + brackets.count("{")
    return "[]" in brackets or "{}" in brackets or unclosed > MAX_DEPTH


def digits_as_zeros(raw: bytes) -> bytes:
    """A text in which every digit is 0: long numbers are found by looking for zeros."""
    return raw.translate(_ZEROS)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ParseRejected
    return members


def _constant(_: str) -> Any:
    raise ParseRejected


def double_of(digits: str) -> float:
    """The number of some digits; ParseRejected if it is beyond double."""
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ParseRejected
    return value


def _integer(digits: str) -> int:
    if len(digits) > 308:
        double_of(digits)
    return int(digits)


def _lone_surrogate(text: str) -> bool:
    plain = re.sub(_PAIR, "", text.replace("\\\\", ""))
    # What is left of a pair is two digits; they make no surrogate with anything.
    return re.search(_SURROGATE, plain) is not None


def is_shallow(data: Any) -> bool:
    """True if objects and arrays are nested no deeper than ``MAX_DEPTH``."""
    level = [data] if type(data) in _CONTAINERS else []
    for _ in range(MAX_DEPTH):
        level = [
            child
            for node in level
            for child in (node.values() if type(node) is dict else node)
            if type(child) in _CONTAINERS
        ]
        if not level:
            return True
    return False


def what_json_lacks(data: Any) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """What parsed data have and a JSON text cannot: the keys that lead to it, a code, what it is.

    NaN and numbers beyond double, keys that are not strings, dates, tuples, sets and other types of
    Python, and more than ``MAX_DEPTH`` levels, after which it ends.
    """
    left: list[tuple[tuple[str | int, ...], Any]] = [((), data)]
    while left:
        keys, node = left.pop()
        if len(keys) >= MAX_DEPTH and isinstance(node, (dict, list)):
            yield (), "F009", f"more than {MAX_DEPTH} levels of objects and arrays"
            return
        if isinstance(node, dict):
            for key, child in node.items():
                if isinstance(key, str):
                    left.append(((*keys, key), child))
                else:
                    yield keys, "F016", f"key {key!r} is not a string"
        elif isinstance(node, list):
            left += [((*keys, place), child) for place, child in enumerate(node)]
        elif isinstance(node, float) and not -_MOST <= node <= _MOST:
            yield keys, "F006", f"{json.dumps(node)} is not JSON"
        elif isinstance(node, int) and not -_MOST <= node <= _MOST:
            yield keys, "F007", TOO_LARGE
        elif not isinstance(node, (str, int, float, NoneType)):
            yield keys, "F016", f"{type(node).__qualname__} is not a type of JSON"
