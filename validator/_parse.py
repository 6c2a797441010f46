"""Strict JSON: what every parser reads alike, and nothing else.

``decode`` and ``parse`` are the accept path: they raise ``Rejected`` without saying why. The why
is the work of ``_diagnose``, which only rejected files meet.
"""

from __future__ import annotations

import json
import re
from typing import Any

#: Objects and arrays within each other; every Python and every engine can follow so far.
MAX_DEPTH = 200

#: Only a text with one of these can hold a number beyond double, or a lone surrogate.
_LARGE = re.compile(r"[0-9]{309}|[0-9][eE][+]?[0-9]{3}")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]")
_BACKSLASHES = re.compile(r"\\\\")


class Rejected(Exception):  # noqa: N818 - it is the file's error, not ours
    """The bytes are not strict JSON."""


def decode(raw: bytes) -> str:
    """The text of a JSON file: UTF-8 without a byte order mark.

    Raises:
        Rejected: It is something else.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Rejected from None
    if text.startswith("\ufeff") or "\0" in text:
        raise Rejected
    return text


def parse(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        Rejected: The text is no JSON, or holds a duplicate key, NaN, Infinity, a number beyond
            double, a lone surrogate, or too many levels.
    """
    hooks: dict[str, Any] = {}
    if _LARGE.search(text):
        hooks = {"parse_int": _integer, "parse_float": _float}
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_constant, **hooks)
    except (ValueError, RecursionError):
        raise Rejected from None
    if _SURROGATE.search(text) and _lone_surrogate(text):
        raise Rejected
    if not is_shallow(data):
        raise Rejected
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Rejected
    return members


def _constant(_: str) -> Any:
    raise Rejected


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise Rejected
    return value


def _integer(digits: str) -> int:
    if len(digits) > 308 and _float(digits):
        pass
    return int(digits)


def _lone_surrogate(text: str) -> bool:
    plain = _PAIR.sub("", _BACKSLASHES.sub("", text))
    # What is left of a pair is two digits; they make no surrogate with anything.
    return _SURROGATE.search(plain) is not None


def is_shallow(data: Any) -> bool:
    """Whether objects and arrays are nested no deeper than ``MAX_DEPTH``."""
    level = [data]
    for _ in range(MAX_DEPTH):
        level = (
            [
                child
                for node in level
                for child in (node.values() if type(node) is dict else node)
                if type(child) in (dict, list)
            ]
            if type(level[0]) in (dict, list)
            else []
        )
        if not level:
            return True
    return False
