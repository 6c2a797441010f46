"""Replies of a test: the lines of its log, what a scorer gets and gives, and JSON in them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n(.*?)(?:```|\Z)", re.DOTALL)
_SKIPPED = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|,|\.\.\.|…)+", re.DOTALL)
_BARE = re.compile(r"[^\s,:\[\]{}\"']+")
_WORDS = {"true": True, "false": False, "null": None, "none": None}
_DEPTH = 50


def lenient_json(text: str) -> Any:
    """The first object or list in a text; raises ValueError if there is none that can be parsed.

    Text before and after it is ignored. Comments, ellipses, extra or missing commas, single quotes,
    Python's constants and a missing end are tolerated.
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


_HEAD = re.compile(r"(Test|Agent|System) \(([^)]*)\): ")


@dataclass(frozen=True, slots=True)
class Line:
    """A message: its speaker (``Test``, ``Agent`` or ``System``), time and text."""

    who: str
    when: str
    text: str


def read_line(line: str) -> Line:
    """Parse a line. The first generation has lines without a speaker: they are the system's."""
    head = _HEAD.match(line)
    return Line(head[1], head[2], line[head.end() :]) if head else Line("System", "", line)


#: The name of the rules by which evalmark scores replies.
EVALUATOR = "evalmark-1"


@dataclass(frozen=True, slots=True)
class Replies:
    """The input of a scorer."""

    questions: Sequence[str]
    responses: Sequence[str]  # the reply to each question
    expected: Sequence[Any]  # the expected responses of the definition
    #: All lines of the test, ``Test (time): text`` and ``Agent (time): text``.
    log: Sequence[str] = ()


#: Score from 0 to 1 and reasons, or None: undecided.
Verdict = tuple[float, list[str]] | None
Scorer = Callable[[Replies], Verdict]


def after_question(log: Sequence[str], question: str) -> list[str]:
    """The replies of the agent, beginning with the one to a question."""
    lines = [read_line(line) for line in log]
    starts = [i for i, line in enumerate(lines) if line.who == "Test" and line.text == question]
    return [line.text for line in lines[starts[0] :] if line.who == "Agent"] if starts else []
