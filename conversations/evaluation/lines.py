"""Lines of a test's log: speaker, time and text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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


def questions_of(definition: Mapping[str, Any], log: Sequence[str]) -> list[str]:
    """The questions; that of a temporal test is the last message outside of its script."""
    script, flags = definition["script"], definition["is_question"]
    asked = [line for line, question in zip(script, flags, strict=False) if question]
    if definition["is_temporal"]:
        messages = (line.text for line in map(read_line, log) if line.who == "Test")
        asked += [text for text in messages if text not in script][-1:]
    return asked
