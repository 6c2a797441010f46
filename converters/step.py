"""Steps of a conversion from one format to the next, and values of a map of strings."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evalmark.converters.supplied import Supplied

Data = Any
#: A JSON object.
Object = dict[str, Any]

#: In a note: the format's word for not knowing is written, since the value is missing.
NOT_STATED = "is not stated"


@dataclass(frozen=True, slots=True)
class Stepped:
    """The data after a step, and what a reader should know."""

    data: Data
    notes: tuple[str, ...] = ()


#: A change to a suite that keeps its format.
SuiteEdit = Callable[[Data], Stepped]


@dataclass(frozen=True, slots=True)
class Step:
    """A conversion between two neighbouring formats."""

    source: str  # the format before, for example ``suite-brackets``
    target: str  # the format after
    #: A pure function: data and what is supplied -> data and notes.
    run: Callable[[Data, Supplied], Stepped]
    needs: str = ""  # what must be supplied if the file lacks it
    loses: str = ""  # what the new format cannot hold

    @property
    def name(self) -> str:
        """``source → target``."""
        return f"{self.source} → {self.target}"


def with_counts(notes: Mapping[str, int], unit: str = "times") -> tuple[str, ...]:
    """Notes with how often each of them holds."""
    return tuple(f"{text} ({n} {unit})" if n > 1 else text for text, n in notes.items())


def as_list(value: object) -> list[Any]:
    """A list as it is, anything else as a list of one."""
    return value if isinstance(value, list) else [value]


def spaced(value: object) -> str:
    """A string as it is, anything else as JSON with spaces."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_text(value: object) -> str:
    """A value in a map of strings: a string as it is, anything else as compact JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
