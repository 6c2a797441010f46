"""The house, drawn from its imports: ``docs/images/house.svg`` and ``docs/images/validator.svg``.

Each row is a room, and each arc on the right an import of a room further down. Imports that follow
from others (indirect ones) are left out, to keep the picture readable.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("schemas", "validator", "converters", "scoring", "conversations", "leaderboard", "pages",
         "workbench", "lsp", "cli")  # fmt: skip
IMAGES = ROOT / "docs/images"
ROW, WIDTH, RIGHT = 34, 990, 770
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1f2328}"
    ".name{font:600 13px ui-monospace,monospace}"
    ".box{fill:#f6f8fa;stroke:#8c959f}"
    ".import{fill:none;stroke:#0969da;stroke-width:1.3;opacity:.75}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.box{fill:#21262d;stroke:#6e7681}"
    ".import{stroke:#58a6ff}}"
)


@dataclass(frozen=True)
class Room:
    """A folder or module of the house, and the rooms beside it that it imports."""

    name: str
    purpose: str
    imports: frozenset[str]


def rooms_of(folder: Path, dotted: str) -> dict[str, Room]:
    """The folders and modules directly in a folder, which is installed as ``dotted``."""
    names = [p.stem if p.suffix else p.name for p in sorted(folder.iterdir()) if is_room(p)]
    rooms = {}
    for name in names:
        path = folder / name
        sources = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        targets = {
            module.removeprefix(f"{dotted}.").partition(".")[0]
            for source in sources
            for module in imported_modules(source)
            if module.startswith(f"{dotted}.")
        }
        first = path / "__init__.py" if path.is_dir() else sources[0]
        rooms[name] = Room(name, purpose(first), frozenset(targets & set(names) - {name}))
    return rooms


def is_room(path: Path) -> bool:
    if path.parent == ROOT:
        return path.name in ROOMS
    return (path / "__init__.py").exists() or (path.suffix == ".py" and path.stem != "__init__")


def imported_modules(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def purpose(source: Path) -> str:
    """The first sentence of a module's docstring."""
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return " ".join(text.replace("``", "").split()).partition(". ")[0].rstrip(".")


def in_order(rooms: dict[str, Room]) -> list[Room]:
    """The rooms from top to bottom; those of one height as ROOMS has them, or by name."""
    height: dict[str, int] = {}
    for name in TopologicalSorter({n: room.imports for n, room in rooms.items()}).static_order():
        height[name] = 1 + max((height[other] for other in rooms[name].imports), default=0)
    rank = {name: -k for k, name in enumerate(ROOMS)}
    return sorted(rooms.values(), key=lambda r: (-height[r.name], rank.get(r.name, 0), r.name))


def direct(rooms: dict[str, Room]) -> Iterator[tuple[str, str]]:
    """The imports that do not follow from others."""
    reach: dict[str, set[str]] = {}
    for name in TopologicalSorter({n: room.imports for n, room in rooms.items()}).static_order():
        below = set().union(*(reach[target] for target in rooms[name].imports))
        yield from ((name, target) for target in sorted(rooms[name].imports - below))
        reach[name] = below | rooms[name].imports


def drawing(rooms: dict[str, Room], title: str) -> str:
    """An SVG with a row for each room."""
    order = in_order(rooms)
    middle = {room.name: 20 + ROW * row for row, room in enumerate(order)}
    height = 20 + ROW * len(order)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"'
        ' markerHeight="7" orient="auto"><path class="import" d="M0 0 7 4 0 8"/></marker></defs>',
    ]
    for room in order:
        y = middle[room.name]
        parts.append(
            f'<rect class="box" x="8" y="{y - 13}" width="{RIGHT - 8}" height="26" rx="4"/>'
            f'<text class="name" x="18" y="{y + 5}">{escape(room.name)}</text>'
            f'<text x="150" y="{y + 5}">{escape(room.purpose)}</text>'
        )
    for name, target in sorted(direct(rooms), key=lambda pair: (middle[pair[0]], middle[pair[1]])):
        start, end = middle[name] + 5, middle[target] - 5
        reach = RIGHT + min(WIDTH - RIGHT - 10, 18 + (end - start) * 0.45)
        parts.append(
            f'<path class="import" marker-end="url(#tip)" d="M{RIGHT} {start}'
            f'C{reach:.0f} {start} {reach:.0f} {end} {RIGHT + 2} {end}"/>'
        )
    return "\n".join((*parts, "</svg>\n"))


def drawings() -> dict[Path, str]:
    """The drawings by file."""
    return {
        IMAGES / "house.svg": drawing(rooms_of(ROOT, "evalmark"), "The rooms and their imports"),
        IMAGES / "validator.svg": drawing(
            rooms_of(ROOT / "validator", "evalmark.validator"),
            "The rooms of the validator and their imports",
        ),
    }
