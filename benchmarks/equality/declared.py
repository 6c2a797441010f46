"""What has changed on purpose: calls have the new words; the old installation gets its own.

``TEXTS`` are sentences that changed or went; they are replaced in what the old one wrote. The table
is printed with the result, with how often each line was used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

#: Command -> its words in the old installation.
COMMANDS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("memory", "run"): ("converse",),
    ("memory", "rescore"): ("rescore",),
    ("memory", "judge"): ("judge",),
    ("store", "publish"): ("publish",),
}
#: Command -> option -> what it was; empty for one that the old installation does not need.
OPTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "check": {"--out": ("--output",)},
}
#: What the old installation says -> what is said now, and why.
TEXTS: list[tuple[re.Pattern[str], str, str]] = []
used: Counter[str] = Counter()


def old_words(words: Sequence[str]) -> list[str]:
    """The arguments of a call, as the old installation takes them."""
    command = next((c for c in COMMANDS if tuple(words[: len(c)]) == c), tuple(words[:1]))
    if command in COMMANDS:
        used[f"{' '.join(COMMANDS[command])} → {' '.join(command)}"] += 1
    options = OPTIONS.get(command[0] if command else "", {})
    result = list(COMMANDS.get(command, command))
    for word in words[len(command) :]:
        name, equals, value = word.partition("=")
        if name in options:
            used[f"{command[0]} {' '.join(options[name])} → {name}"] += 1
            *first, last = options[name]
            result += [*first, f"{last}{equals}{value}"]
        else:
            result.append(word)
    return result


def new_text(text: str) -> str:
    """What the old installation wrote, with the texts of the new one."""
    for pattern, replacement, reason in TEXTS:
        text, count = pattern.subn(replacement, text)
        used[reason] += count
    return text


def table() -> str:
    """The declared changes that occurred, as Markdown."""
    rows = [f"| {name} | {count} |" for name, count in used.items() if count]
    return "\n".join(["| declared change | times |", "|---|---|", *rows])
