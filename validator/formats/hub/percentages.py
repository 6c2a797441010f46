"""Values of community evals that are texts: which number they are."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from evalmark.validator.explaining.advice import Violation
from evalmark.validator.findings.words import quoted

_PERCENTAGE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*%\s*")


def as_numbers(data: Any, explained: list[Violation]) -> list[Violation]:
    """The violations of a result; where its value is a percentage with its sign, what to write."""
    value = data.get("value") if isinstance(data, dict) else None
    found = _PERCENTAGE.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return explained
    number = quoted(float(found[1])) if "." in found[1] else found[1].lstrip("0") or "0"
    help_text = f"if the scale is from 0 to 100, write {number}"
    return [
        replace(one, hit=replace(one.hit, helps=(help_text,)))
        if one.hit.at.pointer == "/value"
        else one
        for one in explained
    ]
