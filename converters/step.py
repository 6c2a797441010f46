"""What a conversion is made of: small steps from one form to the next."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Data = Any


@dataclass(frozen=True)
class Facts:
    """What a conversion may need and the file does not say.

    Attributes:
        metric: Which of several metrics a suite is about, or that of a suite that names none.
        renames: Old condition name → new one.
        name: Name of a suite whose form has none: a table's.
        predictions: Formulas of a suite whose form has none; None if nobody has said.
        values: Pointer within a record (``*`` stands for every index) → value that it lacks.
    """

    metric: str | None = None
    renames: Mapping[str, str] = field(default_factory=dict)
    name: str | None = None
    predictions: tuple[str, ...] | None = None
    values: Mapping[str, Any] = field(default_factory=dict)


class Stepped(NamedTuple):
    """The data after a step, and what a reader should know."""

    data: Data
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A conversion between two forms that have no form between them.

    Attributes:
        source: The form before, for example ``suite-brackets``.
        target: The form after.
        run: A pure function: data and facts → data and notes.
        needs: What must be said where the old form lacks it.
        loses: What the new form cannot hold.
    """

    source: str
    target: str
    run: Callable[[Data, Facts], Stepped]
    needs: str = ""
    loses: str = ""

    @property
    def name(self) -> str:
        """``source → target``."""
        return f"{self.source} → {self.target}"


def counted(notes: Mapping[str, int]) -> tuple[str, ...]:
    """Notes with how often each of them holds."""
    return tuple(f"{text} ({count} times)" if count > 1 else text for text, count in notes.items())


def text_of(value: Any) -> str:
    """A value in a map of strings: a string as it is, anything else as compact JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
