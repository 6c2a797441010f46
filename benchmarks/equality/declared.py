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
#: Command -> option -> what it was.
OPTIONS: dict[tuple[str, ...], dict[str, str]] = {
    ("check",): {"--out": "--output"},
    ("memory", "run"): {"--agent": "--script"},
}
#: What the old installation says, what is said now, and the declared change.
TEXTS: list[tuple[re.Pattern[str], str, str]] = [
    (re.compile(r"evalmark converse\b"), "evalmark memory run", "advice: evalmark memory run"),
    (re.compile(r"evalmark rescore\b"), "evalmark memory rescore", "advice: memory rescore"),
    (re.compile(r"evalmark publish\b"), "evalmark store publish", "advice: store publish"),
    (re.compile(r"evalmark store bounds"), "evalmark store sql --name bounds", "advice: store sql"),
    (
        re.compile(r"^[^\n]*the record has version[^\n]*\n", re.MULTILINE),
        "",
        "the line on the version of a record went",
    ),
    (re.compile("--limit N shows more"), "--format csv has all", "store: --limit is top's"),
    (
        re.compile(
            r'<li><a href="#costs">[^\n]*\n|\n*<section id="costs">.*?</section>\n', re.DOTALL
        ),
        "",
        "reports: the chart of scores against costs went",
    ),
    (re.compile(r"; [\d.]+[BMT] parameters"), "", "sites: series of models went"),
]
#: Group -> products that differ by a declared change as a whole, and the change.
NOT_COMPARED: dict[str, tuple[re.Pattern[str], str]] = {
    "publish": (
        re.compile(r".*/evalmark-site\.json|.*models/index\.html"),
        "sites: the list of models has no series and sizes, the manifest other digests",
    ),
}
used: Counter[str] = Counter()


def old_words(words: Sequence[str]) -> list[str]:
    """The arguments of a call, as the old installation takes them."""
    command = next((c for c in COMMANDS if tuple(words[: len(c)]) == c), tuple(words[:1]))
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
            result.append(word)
    return result


def new_text(text: str) -> str:
    """What the old installation wrote, with the texts of the new one."""
    for pattern, replacement, reason in TEXTS:
        text, count = pattern.subn(replacement, text)
        used[reason] += count
    return text


def is_compared(group: str, product: str) -> bool:
    """True unless a declared change concerns the product as a whole."""
    pattern, change = NOT_COMPARED.get(group, (None, ""))
    if pattern is None or not pattern.fullmatch(product):
        return True
    used[change] += 1
    return False


def table() -> str:
    """The declared changes that occurred, as Markdown."""
    rows = [f"| {name} | {count} |" for name, count in used.items() if count]
    return "\n".join(["| declared change | times |", "|---|---|", *rows])
