"""What has changed on purpose: calls have the new words; the old installation gets its own.

The tables are for one comparison: fill them beside a change, and empty them once it has landed.
Those of an earlier edition are in the history of this file. They are printed with the result, with
how often each line was used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

#: Command -> its words in the old installation.
COMMANDS: dict[tuple[str, ...], tuple[str, ...]] = {("memory",): ("memory", "run")}
#: Command -> option -> what it was.
OPTIONS: dict[tuple[str, ...], dict[str, str]] = {}
#: Command -> a whole word -> what it was.
WORDS: dict[tuple[str, ...], dict[str, list[str]]] = {}
#: What the old installation says, what is said now, and the declared change.
TEXTS: list[tuple[re.Pattern[str], str, str]] = [
    (
        re.compile(r'  "beside": \[\],\n  "costs": \[\],\n'), "",
        "compare has no questions beside a total, and no costs of memory sets",
    ),
    (
        re.compile(r"memory-set: an object with `memory_set`.*?one per line in \.jsonl; "), "",
        "formats of memory sets go",
    ),
    (
        re.compile(r"style-src &#39;sha256-77Aw1bz4[^&]*"),
        "style-src &#39;sha256-sKc1EiE90fETalNsl2n6Rfn41lW4yPZXehDD1HIUNms=",
        "pages have no styles of conversations",
    ),
    (
        re.compile(
            r"(?m)^ *\.(?:figures|message|reply|asked)\b[^\n]*\n"
            r"|, \.message(?: small)?(?=[,\s])"
        ),
        "",
        "pages have no styles of conversations",
    ),
]  # fmt: skip
#: Call and product that differ by a declared change as a whole, and the change.
NOT_COMPARED: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"evalmark( memory| check| compare| report)? --help: .*"),
        "help without memory sets, judges, rescore",
    ),
    (re.compile(r"evalmark-names: .*"), "public names of memory sets and of rescore go"),
    (
        re.compile(r"evalmark (explain (MT\d+|X1)|rules|formats|schema( x)?)\b.*"),
        "lists of rules, formats and schemas without those of memory sets",
    ),
    (re.compile(r"evalmark check .*fixtures/trees: .*"), "LT302 has another help"),
)
used: Counter[str] = Counter()


def old_words(words: Sequence[str]) -> list[str]:
    """The arguments of a call, as the old installation takes them."""
    known = (*COMMANDS, *(c for c in WORDS if len(c) > 1))
    command = next((c for c in known if tuple(words[: len(c)]) == c), tuple(words[:1]))
    if command in COMMANDS:
        used[f"{' '.join(COMMANDS[command])} → {' '.join(command)}"] += 1
    options = OPTIONS.get(command, {})
    result = list(COMMANDS.get(command, command))
    for word in words[len(command) :]:
        name, equals, value = word.partition("=")
        if name in options:
            used[f"{' '.join(command)}: {options[name]} → {name}"] += 1
            result.append(f"{options[name]}{equals}{value}")
        else:
            old = WORDS.get(command, {}).get(word, [word])
            used[f"{' '.join(command)}: {' '.join(old)} → {word}"] += old != [word]
            result += old
    return result


def new_text(text: str) -> str:
    """What the old installation wrote, with the texts of the new one."""
    for pattern, replacement, reason in TEXTS:
        text, count = pattern.subn(replacement, text)
        used[reason] += count
    return text


def is_compared(call: str, product: str) -> bool:
    """True unless a declared change concerns the product of a call as a whole."""
    for pattern, change in NOT_COMPARED:
        if pattern.fullmatch(f"{call}: {product}"):
            used[change] += 1
            return False
    return True


def table() -> str:
    """The declared changes that occurred, as Markdown."""
    rows = [f"| {name} | {count} |" for name, count in used.items() if count]
    return "\n".join(["| declared change | times |", "|---|---|", *rows])
