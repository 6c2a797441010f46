"""JSON as the LTM benchmark reads it from replies: which replies it repairs, and which it rejects.

Written from its behavior, since the scores of ``ltm-1`` to ``ltm-3`` depend on it. What evalmark
itself reads with is ``lenient_json``, which repairs more.
"""

from __future__ import annotations

import json
import re
from json import JSONDecodeError
from typing import Any

_FENCE = "```"


def benchmark_json(text: str) -> Any:
    """The value in a reply.

    If the reply is not JSON, the contents of its last code fence are, or the reply from the first
    brace or bracket on. Each mistake that the parser names is repaired if it is one of those below.

    Raises:
        ValueError: A mistake of another kind, or too many mistakes.
        RecursionError: It is nested too deeply.
    """
    try:
        return json.loads(text)
    except JSONDecodeError:
        text = _fenced(text)
    for _ in range(max(5, len(text) // 50)):
        text = text.strip()
        try:
            return json.loads(text)
        except JSONDecodeError as error:
            text = _repaired(text, error)
    raise ValueError("too many mistakes")


def _fenced(text: str) -> str:
    """The contents of the last code fence; JavaScript comes first. The text if there is none."""
    end = text.rfind(_FENCE)
    for head in (_FENCE + "javascript", _FENCE):
        start = text.rfind(head, 0, max(end, 0))
        if start >= 0:
            start += len(head)
            if head == _FENCE and text.startswith("json", start) and start + 4 <= end:
                start += 4
            return text[start:end]
    return text


def _repaired(text: str, error: JSONDecodeError) -> str:
    """The text without one mistake."""
    at, rest = error.pos, text[error.pos :].lstrip()
    match error.msg:
        case "Extra data":
            return text[:at]
        case "Expecting value" if at == 0:
            start = re.search(r"[\[{]", text)
            if start is None:
                raise ValueError("no JSON")
            return text[start.start() :]
        case "Expecting value":
            found = _without_extra(text, at, rest, closes="]")
            return f'{text[:at]}"{text[at:]}' if found is None else found
        case "Expecting property name enclosed in double quotes":
            found = _without_extra(text, at, rest, closes="}")
            if found is not None:
                return found
        case "Illegal trailing comma before end of array" | (
            "Illegal trailing comma before end of object"
        ):  # as Python 3.13 calls it
            return text[:at] + text[at + 1 :]
        case "Expecting ',' delimiter":
            return f"{text[:at]},{text[at:]}"
        case "Expecting ':' delimiter" if rest.startswith(("}", ",")):
            return f"{text[:at]}: null{text[at:]}"
        case "Invalid control character at" if text[at] == "\n":
            return text[:at] + text[at + 1 :]
    raise error


def _without_extra(text: str, at: int, rest: str, *, closes: str) -> str | None:
    """The text without a comment, an ellipsis or a comma where a value is missing."""
    if rest.startswith("//"):
        start = text.index("//", at)
        return text[:start] + text[text.index("\n", start) + 1 :]
    if rest.startswith("..."):
        dots = text.index("...", at)
        return text[:dots] + text[dots + 3 :]
    if rest.startswith(closes):
        comma = text.rindex(",", 0, at + 1)
        return text[:comma] + text[comma + 1 :]
    return None
