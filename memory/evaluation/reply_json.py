"""JSON in replies of language models, as evalmark and as the LTM benchmark read it.

``lenient_json`` reads it in a code fence, after a sentence, with extra commas. ``benchmark_json``
is written from the benchmark's behavior, since the scores of ``ltm-1`` to ``ltm-3`` depend on which
replies it repairs, and which it rejects.
"""

from __future__ import annotations

import json
import re
from json import JSONDecodeError
from typing import Any

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n(.*?)(?:```|\Z)", re.DOTALL)
_SKIPPED = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|,|\.\.\.|…)+", re.DOTALL)
_BARE = re.compile(r"[^\s,:\[\]{}\"']+")
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_DEPTH = 50


def lenient_json(text: str) -> Any:
    """The first object or list in a text.

    Text before and after it is ignored. Comments, ellipses, extra or missing commas, single
    quotes, Python's constants and a missing end are tolerated.

    Raises:
        ValueError: There is none that can be parsed.
    """
    fence = _FENCED.search(text)
    for part in (fence[1], text) if fence else (text,):
        start = re.search(r"[\[{]", part)
        if start is None:
            continue
        part = part[start.start() :]
        try:
            return json.JSONDecoder().raw_decode(part)[0]
        except (ValueError, RecursionError):
            return _Parser(part).value(0)
    raise ValueError(f"no JSON in {text[:80]!r}")


class _Parser:
    """Parses what is nearly JSON, from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def value(self, depth: int) -> object:
        if depth > _DEPTH:
            raise ValueError("nested too deeply")
        self._skip()
        head = self._peek()
        if head == "{":
            return self._object(depth)
        if head == "[":
            return self._list(depth)
        if head in ('"', "'"):
            return self._string(head)
        bare = _BARE.match(self.text, self.at)
        if bare is None:
            raise ValueError(f"nothing to read at {self.text[self.at : self.at + 20]!r}")
        self.at = bare.end()
        return _word(bare[0])

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        members: dict[str, Any] = {}
        while not self._closed("}"):
            key = self.value(depth + 1)
            self._skip()
            if self._peek() != ":" or isinstance(key, (dict, list)):
                raise ValueError(f"no value for {key!r}")
            self.at += 1
            members[str(key)] = self.value(depth + 1)
        return members

    def _list(self, depth: int) -> list[object]:
        self.at += 1
        items = []
        while not self._closed("]"):
            items.append(self.value(depth + 1))
        return items

    def _string(self, quote: str) -> str:
        end = self.at + 1
        while end < len(self.text) and self.text[end] != quote:
            end += 2 if self.text[end] == "\\" else 1
        raw = self.text[self.at + 1 : end]
        self.at = end + 1
        if quote == "'":
            raw = raw.replace("\\'", "'").replace('"', '\\"')
        try:
            text: str = json.loads(f'"{raw}"', strict=False)
        except ValueError:
            return raw
        return text

    def _closed(self, bracket: str) -> bool:
        """True if a list or object ends here; the end of the text ends all of them."""
        self._skip()
        head = self._peek()
        if head == bracket:
            self.at += 1
        elif head in ("]", "}"):
            raise ValueError(f"{head!r} closes nothing")
        return head in ("", bracket)

    def _skip(self) -> None:
        skipped = _SKIPPED.match(self.text, self.at)
        if skipped:
            self.at = skipped.end()

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]


def _word(text: str) -> object:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


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
            repaired = _without_extra(text, at, rest, closes="]")
            return f'{text[:at]}"{text[at:]}' if repaired is None else repaired
        case "Expecting property name enclosed in double quotes":
            repaired = _without_extra(text, at, rest, closes="}")
            if repaired is not None:
                return repaired
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
