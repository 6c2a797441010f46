"""Formulas in pages."""

from __future__ import annotations

import re
from html import escape


def formula_code(formula: str) -> str:
    """A formula as HTML. It goes from left to right, whatever the script of its conditions.

    Without the isolation, conditions in Arabic or Hebrew reorder the numbers and signs beside them.
    """
    text = escape(formula)
    if not formula.isascii():
        text = re.sub(r"%[^%]*%", lambda name: f"<bdi>{name[0]}</bdi>", text)
    return f"<code>{text}</code>"
