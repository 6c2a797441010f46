"""Colours of a terminal."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TextIO

#: Paints a text in a style.
Painter = Callable[[str, str], str]

_STYLES = {"error": "1;31", "warning": "1;33", "blue": "1;34", "bold": "1"}


def painter(colour: bool) -> Painter:
    """What paints text, or leaves it as it is."""
    if not colour:
        return lambda text, _: text
    return lambda text, style: f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def colored(choice: str, stream: TextIO) -> bool:
    """Whether a stream gets colours: ``always``, ``never``, or ``auto`` for what it is."""
    if choice != "auto":
        return choice == "always"
    if "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty() or "FORCE_COLOR" in os.environ
