"""The tables of docs/checking-a-suite-repository.md: of settings, and of what stops commands."""

from __future__ import annotations

from pathlib import Path

from evalmark.validator.findings.report import STOPS
from evalmark.validator.settings.config import MEANINGS, SETTINGS

PAGE = Path(__file__).resolve().parent.parent / "docs/checking-a-suite-repository.md"
END = "<!-- end -->\n"


def settings_page(page: str) -> str:
    """The page with its tables as they are now."""
    stops = [f"| `{name}` | {stop.at} |" for name, stop in STOPS.items()]
    page = _with_table(page, "stops", ["| command | stops at |", "|---|---|", *stops])
    lines = ["| setting | default | meaning |", "|---|---|---|"]
    for table, keys in SETTINGS.items():
        for name in (f"{table}.{key}".lstrip(".") for key in keys):
            default, meaning = MEANINGS[name]
            lines.append(f"| `{name}` | {default} | {meaning} |")
    return _with_table(page, "settings", lines)


def _with_table(page: str, name: str, lines: list[str]) -> str:
    begin = f"<!-- {name}: generated -->\n"
    before, _, rest = page.partition(begin)
    return "".join((before, begin, *(f"{line}\n" for line in lines), END, rest.partition(END)[2]))
