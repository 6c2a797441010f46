"""What became of a file that was to be converted or imported."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evalmark.schemas.errors import ConversionError

if TYPE_CHECKING:
    from evalmark.converters.overrides.defaults import Seen


@dataclass(frozen=True, slots=True)
class LeftOutResults:
    """Results of one metric that are left out, because nobody says whether less is better.

    Attributes:
        reason: Which they are, and why.
        count: How many.
    """

    reason: ConversionError
    count: int


@dataclass(frozen=True, slots=True)
class ConvertedFile:
    """What became of a file.

    Attributes:
        path: The file, or the folder of results.
        source: Its format; None if it is not recognized.
        format: The format it is converted to.
        steps: The steps that were taken, by name; empty if it is current.
        notes: What a reader should know.
        old: Its text.
        text: The new text; None if there is none, or if it is several files (imported results).
        target: Where the new text belongs; None if no place was given.
        refused: Why it cannot be converted exactly.
        seen: What it is about, if it is a record.
        left_out: Results of another program that are left out, by metric; others are written.
        failed: Why it could not be read or written, or what failed in evalmark.
    """

    path: str
    source: str | None = None
    format: str = ""
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    old: str = ""
    text: str | None = None
    target: Path | None = None
    refused: ConversionError | None = None
    failed: str | None = None
    seen: Seen | None = None
    left_out: tuple[LeftOutResults, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether there is a text, and it is another one than before."""
        return self.text is not None and self.text != self.old
