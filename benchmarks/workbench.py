"""How fast the page of the workbench is, in Chromium: ``python -m benchmarks.workbench [FOLDER]``.

FOLDER has suites; the one with the most cells is measured, and one of 16,000 cells that is made up.
Every figure is the median of several, in milliseconds, as the person at the screen has it: from a
key to the painted frame, or to the findings of what was typed.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.workbench_page import Measured, Served, page_of, served

#: How often each thing is measured.
TIMES = 15
#: Items, conditions and regions of a suite of 16,000 cells.
LARGE = (500, 4, 8)


def cells(path: Path) -> int:
    """How many cells a suite has; none if the file is not one."""
    try:
        items = json.loads(path.read_bytes())["items"]
        return sum(len(c["regions"]) for item in items for c in item["conditions"])
    except (ValueError, LookupError, TypeError):
        return 0


def made_up(items: int, conditions: int, regions: int) -> dict[str, object]:
    """A suite whose texts all differ."""
    numbers = range(1, regions + 1)
    return {
        "meta": {"name": "large", "metric": "sum"},
        "region_meta": {str(number): f"Region {number}" for number in numbers},
        "predictions": [{"type": "formula", "formula": "(2;%c0%) < (2;%c1%)"}],
        "items": [
            {
                "item_number": item,
                "conditions": [
                    {
                        "condition_name": f"c{condition}",
                        "regions": [
                            {"region_number": n, "content": f"word{item}x{condition}x{n} more"}
                            for n in numbers
                        ],
                    }
                    for condition in range(conditions)
                ],
            }
            for item in range(1, items + 1)
        ],
    }


def measure(page: Measured, server: Served, name: str) -> dict[str, float]:
    """Medians of each thing that people wait for."""
    found: dict[str, list[float]] = {}
    for turn in range(5):
        found.setdefault("open, to the painted table", []).append(page.opened(name))
        if turn == 0:
            page.settled()
    page.settled()
    for turn in range(TIMES):
        painted, checked = page.typed("x", enter=turn % 3 == 2)
        found.setdefault("key to the painted frame", []).append(painted)
        found.setdefault("key to findings", []).append(checked)
    page.settled()
    for _ in range(5):
        found.setdefault("paste of 1,000 cells", []).append(page.pasted(125, 8))
        found.setdefault("undo of it", []).append(page.key("Control+z"))
    page.settled()
    for key in ("Control+End", "Control+Home", "PageDown", "ArrowDown"):
        found.setdefault(f"{key}", []).extend(page.key(key) for _ in range(3))
    before = server.cpu()
    found["longest task while typing 40 keys"] = [page.longest(40)]
    found["CPU of the server meanwhile"] = [server.cpu() - before]
    return {what: statistics.median(values) for what, values in found.items()}


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "fixtures/suites")
    largest = max(folder.rglob("*.json"), key=cells)
    with tempfile.TemporaryDirectory() as place:
        shutil.copy(largest, Path(place, "largest.json"))
        Path(place, "large.json").write_text(json.dumps(made_up(*LARGE)))
        print(f"largest: {largest.name}, {cells(largest):,} cells; large: 16,000 cells")
        tables = {}
        with served(place) as server, page_of(server.address) as page:
            for name in ("largest", "large"):
                tables[name] = measure(page, server, f"{name}.json")
    print(f"{'milliseconds':36}{'largest':>10}{'large':>10}")
    for what in tables["largest"]:
        print(f"{what:36}{tables['largest'][what]:10.1f}{tables['large'][what]:10.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
