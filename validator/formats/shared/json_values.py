"""Values of JSON as the types that a reader asks for: objects, texts, numbers, times."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any


def mapping(value: object) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def text(value: Any) -> str | None:
    """The value if it is a text."""
    return value if isinstance(value, str) else None


def number(value: Any) -> float | None:
    """The value as a number; the format's "Infinity" counts, true and false do not."""
    kind = type(value)
    if kind is int:
        try:
            return float(value)
        except OverflowError:  # more than 308 digits
            return math.inf if value > 0 else -math.inf
    if value in ("Infinity", "-Infinity"):
        return math.inf if value == "Infinity" else -math.inf
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


def timestamp(value: object) -> float | None:
    """The value as a Unix timestamp, where it is one, as a text or a number."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    seconds = number(value)
    # From 2000 on: smaller numbers are not dates of evaluations.
    return seconds if seconds is not None and 946_684_800 <= seconds < 1e11 else None


def seconds_in(value: object) -> str:
    """The seconds in a number of milliseconds, microseconds or nanoseconds; else nothing."""
    digits = str(value)
    if not re.fullmatch(r"1\d{12}(\d{3}){0,2}", digits, re.ASCII):
        return ""
    return f"{digits[:10]}.{digits[10:]}".rstrip("0").rstrip(".")
