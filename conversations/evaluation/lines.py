"""Lines of a test's log: speaker, time and text."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
