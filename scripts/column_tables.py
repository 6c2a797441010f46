"""The columns of a store, as docs/running-a-leaderboard.md lists them."""

from __future__ import annotations

from pathlib import Path

from evalmark.leaderboard.columns import RESULTS, SAMPLES
from evalmark.leaderboard.identity import KEYS

PAGE = Path(__file__).resolve().parent.parent / "docs/running-a-leaderboard.md"
BEGIN, END = "<!-- columns: generated -->\n", "<!-- end -->\n"


def columns_page(page: str) -> str:
    """The page with the columns as they are now."""
    before, _, rest = page.partition(BEGIN)
    keys = {name: ("VARCHAR", meaning) for name, meaning in KEYS.items()}
    results = {name: (column.type, column.meaning) for name, column in RESULTS.items()}
    samples = {name: (column.type, column.meaning) for name, column in SAMPLES.items()}
    tables = (
        f"Of the table `results`; any of them may be null:\n\n{_table(results)}\n"
        f"A connection adds:\n\n{_table(keys)}\n"
        f"Of the table `samples`:\n\n{_table(samples)}"
    )
    return f"{before}{BEGIN}{tables}{END}{rest.partition(END)[2]}"


def _table(columns: dict[str, tuple[str, str]]) -> str:
    lines = ["| column | type | what it holds |", "|---|---|---|"]
    for name, (kind, meaning) in columns.items():
        escaped = meaning.replace("|", r"\|")
        lines.append(f"| `{name}` | {kind} | {escaped} |")
    return "\n".join(lines) + "\n"
