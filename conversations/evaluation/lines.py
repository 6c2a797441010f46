"""The lines of a log: who said it, when, and what."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEAD = re.compile(r"(Test|Agent|System) \(([^)]*)\): ")


@dataclass(frozen=True, slots=True)
class Line:
    """A message: who said it (``Test``, ``Agent`` or ``System``), when, and what."""

    who: str
    when: str
    text: str


def read_line(line: str) -> Line:
    """A line of a log; one without a head, as the first generation has them, is the system's."""
    head = _HEAD.match(line)
    return Line(head[1], head[2], line[head.end() :]) if head else Line("System", "", line)
