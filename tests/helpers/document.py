"""Pages of docs/ that tests follow to the letter: their blocks of code, and what these print."""

from __future__ import annotations

import re
from typing import NamedTuple


class Block(NamedTuple):
    """A block of code: its language, its content, and the file that the text before it names."""

    language: str
    content: str
    file: str


def blocks(text: str) -> list[Block]:
    """The blocks of a page, in order."""
    found: list[Block] = []
    end = 0
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        before = text[end : match.start()].strip().rpartition("\n\n")[2]
        named = re.findall(r"`([\w./-]+)`", before) if before.endswith(":") else []
        files = [name for name in named if re.search(r"\.(toml|jsonl?|csv|yml|py)$|^hooks/", name)]
        found.append(Block(match[1], match[2], files[-1] if files else ""))
        end = match.end()
    return found


def is_shown(text: str, output: str) -> None:
    """Whether each line is in the output, in this order; `…` stands for anything."""
    at = 0
    for line in text.splitlines():
        pattern = ".*?".join(map(re.escape, line.strip().split("…")))
        match = re.compile(pattern).search(output, at)
        assert match, f"not shown: {line}\n{output}"
        at = match.end()
