"""The table of settings, as docs/checking-a-suite-repository.md shows it."""

from __future__ import annotations

from pathlib import Path

from evalmark.validator.config import MEANINGS, SETTINGS

PAGE = Path(__file__).resolve().parent.parent / "docs/checking-a-suite-repository.md"
BEGIN, END = "<!-- settings: generated -->\n", "<!-- end -->\n"


def settings_page(page: str) -> str:
    """The page with the settings as they are now."""
    before, _, rest = page.partition(BEGIN)
    lines = ["| setting | default | meaning |", "|---|---|---|"]
    for table, keys in SETTINGS.items():
        for name in (f"{table}.{key}".lstrip(".") for key in keys):
            default, meaning = MEANINGS[name]
            lines.append(f"| `{name}` | {default} | {meaning} |")
    rows = "\n".join(lines)
    return f"{before}{BEGIN}{rows}\n{END}{rest.partition(END)[2]}"
