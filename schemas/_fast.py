"""Schemas as jsonschema-rs holds them; it walks the same Python objects, several times faster."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema_rs

from ._files import bundle


@cache
def _validator(name: str) -> Any:
    # Formats are no assertions in draft-07, nor with the others.
    return jsonschema_rs.Draft7Validator(bundle(name), validate_formats=False)


def says_yes(name: str, data: Any) -> bool:
    """Whether the data is certainly valid; it is not nested deeper than ``validator`` allows."""
    try:
        return bool(_validator(name).is_valid(data))
    except (ValueError, TypeError, OverflowError, UnicodeError):
        return False
