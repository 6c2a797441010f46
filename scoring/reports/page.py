"""The type of a row of the table of pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Page:
    """A page.

    Attributes:
        title: What it shows, in words.
        recognizes: Whether a path holds that.
        read: Path -> what the page shows of it.
        draw: Views, how many items to show of each suite, and where the page will be -> HTML.
        has_scores: Whether runs have accuracies of models: many of them get one table.
    """

    title: str
    recognizes: Callable[[Path], bool]
    read: Callable[[Path], Any]
    draw: Callable[[Sequence[Any], int, Path], str]
    has_scores: bool = False
