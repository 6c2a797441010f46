"""What findings and conversions say, as it helps in the page: what to click, and no options.

The commands say what to type in a terminal. Whatever the page shows of theirs goes through here.
"""

from __future__ import annotations

import re

#: What a text says -> what the page says instead.
_REWRITES: tuple[tuple[str, str], ...] = (
    # fixes: a button is beside the text
    (r"`--fix(?: --unsafe-fixes)?`; ", ""),
    (r" \(`--fix(?: --unsafe-fixes)?`\)", ""),
    (
        r"(name the condition `[^`]*`), here, in every item and in the formulas.*",
        r"\1 in its cell in the table, and in the formulas",
    ),
    # dialects: an old file is converted when it is opened
    (
        r"`evalmark convert --in-place [^`]*` (?:rewrites|moves) (?:it|them)(?: in .*)?",
        "save the file and open it again: the page converts it",
    ),
    # tables and pasted rows
    (
        r"the list of predictions is empty, as supplied",
        "there are no predictions yet: add them below the table",
    ),
    (
        r"this format names no metric: `sum` is written",
        "the value of a region is the sum of the surprisals of its words (metric, under Details)",
    ),
    (
        r"this format names no suite: `suite` is written",
        "the suite has no name yet: write one under Details",
    ),
    (r"columns that a suite cannot hold: (.*)", r"left out, since a suite has no place for it: \1"),
    (
        r"this format has no region names: they are left empty",
        "the regions have no names yet: write them above the columns",
    ),
    (
        r"the file names no metric; its format meant `sum`",
        "the value of a region is the sum of the surprisals of its words, as in such files",
    ),
    (r"line (\d+) has (\d+) cells, the header (\d+)", r"row \1 has \2 cells, and the first row \3"),
    (
        r"put a cell that contains the delimiter in double quotes",
        'a text with the character that separates cells has to be in double quotes: "…"',
    ),
    (r"the table has no column (.*)", r"the first row does not name these columns: \1"),
    (r"\bline (\d+): ", r"row \1: "),
    (
        r"the rows have (\d+) UIDs, each of which becomes a suite",
        r"\1 suites: choose one",
    ),
    (r"the rows are of several sets: (.*)", r"the rows have the columns of several data sets: \1"),
    (
        r"row (\d+) is not a row of minimal pairs",
        r"row \1 does not have the two texts of a minimal pair",
    ),
)
_COMPILED = tuple((re.compile(pattern), said) for pattern, said in _REWRITES)
#: What is of no use in a page: a command, or an option.
_COMMAND = re.compile(r"`evalmark |--[a-z]")


def in_page(text: str) -> str:
    """A text without what only a terminal can do; empty if nothing is left."""
    for pattern, said in _COMPILED:
        text = pattern.sub(said, text)
    if not _COMMAND.search(text):
        return text
    return "; ".join(part for part in text.split("; ") if not _COMMAND.search(part))
