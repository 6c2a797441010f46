"""Colours of a terminal."""

from __future__ import annotations

from collections.abc import Callable

#: Paints a text in a style.
Painter = Callable[[str, str], str]

_STYLES = {"error": "1;31", "warning": "1;33", "blue": "1;34", "bold": "1"}


def painter(colour: bool) -> Painter:
    """What paints text, or leaves it as it is."""
    if not colour:
        return lambda text, _: text
    return lambda text, style: f"\x1b[{_STYLES[style]}m{text}\x1b[0m"
