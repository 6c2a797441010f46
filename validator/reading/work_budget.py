"""How much work a file may be: what it repeats is counted before it is made.

A file of a kilobyte can state a million rows of one long text. What it really has, it may have: the
budget of a large file is larger.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from evalmark.schemas.errors import TooMuchError
from evalmark.validator.reading.strict_json import MAX_DEPTH

#: Columns of a table, as many as a spreadsheet program shows, and the sheets of a file.
MAX_COLUMNS, MAX_SHEETS = 1 << 14, 1 << 10
_CURE = "delete empty rows and columns, unmerge cells, or make several files of it"


@dataclass(slots=True)
class WorkBudget:
    """The amount that may be read of a file; one object passes through everything that reads it."""

    characters: int = 1 << 24  # characters of its parts and of its texts, as often as they come
    cells: int = 1 << 19  # cells of tables, also empty ones before others, and values of YAML
    parts: int = 1 << 20  # tags of XML
    depth: int = MAX_DEPTH  # levels of what is in something else
    _taken: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, size: int) -> WorkBudget:
        """The budget of a file of so many bytes.

        >>> WorkBudget.of(1 << 20).cells
        1048576
        """
        plain = cls()
        return cls(
            max(plain.characters, 50 * size), max(plain.cells, size), max(plain.parts, 4 * size)
        )

    def take(self, **counts: int) -> None:
        """Count what is about to be made; raises TooMuchError if it is more than what is left."""
        taken = self._taken
        for name, count in counts.items():
            taken[name] = taken.get(name, 0) + count
            if taken[name] > getattr(self, name):
                self._refuse(name)

    def open_sheets(self, count: int) -> None:
        """Raise a TooMuchError for more sheets than a file may have."""
        if count > MAX_SHEETS:
            raise TooMuchError(f"the file has more than {MAX_SHEETS:,} sheets", _CURE)

    def enter(self, depth: int) -> None:
        """Raise a TooMuchError for what is too deep."""
        if depth > self.depth:
            self._refuse("depth")

    def _refuse(self, name: str) -> None:
        noun = "levels" if name == "depth" else f"{name}, with those that it repeats"
        raise TooMuchError(f"the file has more than {getattr(self, name):,} {noun}", _CURE)


def require_columns(count: int) -> None:
    """Raise a TooMuchError for a table of more columns than are read."""
    if count > MAX_COLUMNS:
        raise TooMuchError(
            f"the table has {count:,} columns; at most {MAX_COLUMNS:,} are read",
            "give each region a row: item_number, condition_name, region_number, region_name, "
            "content",
        )
