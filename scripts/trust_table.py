"""The table of trust, as SECURITY.md shows it."""

from __future__ import annotations

from pathlib import Path

from evalmark.validator.settings.trust import TRUST, Trusted

PAGE = Path(__file__).resolve().parent.parent / "docs/SECURITY.md"
BEGIN, END = "<!-- table of trust: generated -->\n", "<!-- end -->\n"


def security_page(page: str) -> str:
    """SECURITY.md with the table as it is now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}{_table()}{END}{rest.partition(END)[2]}"


def _table() -> str:
    lines = ["| value | risk | rule | give it with |", "|---|---|---|---|"]
    source = ""
    for entry in TRUST:
        if entry.source != source:
            source = entry.source
            lines.append(f"| **{source}** | | | |")
        names = ", ".join(f"`{n}`" if " " not in n else n for n in entry.names)
        could = ", ".join(sink.value for sink in entry.sinks) or "none"
        lines.append(f"| {names} | {could} | {entry.rule.value} | {_instead(entry)} |")
    return "\n".join(lines) + "\n"


def _instead(entry: Trusted) -> str:
    ways = [f"`{way}`" for way in (entry.option, *entry.variables) if way]
    return ", ".join([*ways, *(["config.toml"] if entry.of_user else [])])
