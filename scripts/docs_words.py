"""Hand-written words of the documentation, by page: ``python -m scripts.docs_words``.

Words are counted as ``wc -w`` counts them, without blocks of code. What ``make generate`` writes is
reference and is not counted: whole pages, and sections between two comments.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GENERATED = {"api.md", "commands.md", "conformance.md", "metrics.md", "rules.md"}

_NOT_PROSE = re.compile(
    r"^ *```.*?^ *```$|<!-- (?:[^\n]*: generated|made by [^\n]*) -->.*?<!-- end -->|<!--.*?-->",
    re.DOTALL | re.MULTILINE,
)


def words() -> dict[str, int]:
    """The number of hand-written words of each page, by its path."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {
        page.relative_to(ROOT).as_posix(): len(
            _NOT_PROSE.sub("", page.read_text(encoding="utf-8")).split()
        )
        for page in pages
        if page.name not in GENERATED
    }


if __name__ == "__main__":
    counts = words()
    for path, count in sorted(counts.items(), key=lambda pair: -pair[1]):
        print(f"{count:7,}  {path}")
    print(f"{sum(counts.values()):7,}  in all")
