"""What Every Eval Ever's validator sees of a sample file.

It reads the file twice, and splits it in two ways: into the lines of a text file, where a carriage
return ends a line too, for the models; and at everything that Python takes for the end of a line,
U+2028 among them, to compare the rows with their record.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

from evalmark.schemas.files import bundle
from evalmark.schemas.versions import GATES
from evalmark.validator.edge.opening import open_regular
from evalmark.validator.formats.records.gate.gate_models import misfits
from evalmark.validator.formats.records.gate.refusal import Refusal

#: The version whose models the gate has.
VERSION = GATES["eee"]
#: Ends of lines besides the line feed.
_ODD = re.compile(rb"[\r\v\f\x1c-\x1e]|\xc2\x85|\xe2\x80[\xa8\xa9]")
UNREAD = object()


def parse_strict(text: str) -> Any:
    """The value of a JSON text as the gate parses it; unlike ours it accepts lone surrogates.

    Raises:
        ValueError: It rejects the text.
        RecursionError: It is nested too deep.
    """

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError
        return dict(pairs)

    def constant(_: str) -> Any:
        raise ValueError

    def fraction(digits: str) -> float:
        if math.isinf(value := float(digits)):
            raise ValueError
        return value

    return json.loads(
        text, object_pairs_hook=members, parse_constant=constant, parse_float=fraction
    )


@dataclass(slots=True)
class _Split:
    """The rows that one way of splitting gives."""

    rows: int = 0
    evaluation_ids: set[str] = field(default_factory=set)
    model_ids: set[str] = field(default_factory=set)
    is_readable: bool = True

    def add(self, data: Any) -> None:
        self.rows += 1
        if not isinstance(data, dict):
            self.is_readable = False
            return
        self.evaluation_ids.add(identifier(data.get("evaluation_id")))
        self.model_ids.add(identifier(data.get("model_id")))

    def take(self, other: _Split) -> None:
        self.rows += other.rows
        self.evaluation_ids |= other.evaluation_ids
        self.model_ids |= other.model_ids
        self.is_readable &= other.is_readable


@dataclass(slots=True)
class GateRows:
    """The rows of a sample file, or of a part of it, as the gate sees them."""

    #: As the validator of the sample file reads them: readable if the models accept each.
    as_samples: _Split = field(default_factory=_Split)
    #: As the validator of the record reads them.
    as_companion: _Split = field(default_factory=_Split)

    def see(self, body: bytes, data: Any = UNREAD) -> list[Refusal]:
        """Take in a line without its end, and what we parsed it to; what the models refuse."""
        if data is not UNREAD and not _ODD.search(body):
            self.as_companion.add(data)
            return self._model(data)
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            self.refuse()
            return [Refusal("schema", "not UTF-8")]
        for row in _rows(text.splitlines()):
            self.as_companion.add(_parsed(row))
        refused: list[Refusal] = []
        for row in _rows(text.split("\r")):
            refused += self._model(_parsed(row))
        return refused

    def refuse(self) -> None:
        """Take in a file that does not have rows."""
        self.as_samples.is_readable = self.as_companion.is_readable = False

    def _model(self, data: Any) -> list[Refusal]:
        self.as_samples.add(data)
        refused = misfits(data, bundle(f"sample-{VERSION}"))
        self.as_samples.is_readable &= not refused
        return refused

    def take(self, other: GateRows) -> None:
        """Append the rows of the part that follows this one."""
        self.as_samples.take(other.as_samples)
        self.as_companion.take(other.as_companion)


def rows_of(path: str) -> GateRows:
    """What the gate sees of a file that was not checked otherwise."""
    seen = GateRows()
    with open_regular(path) as file:
        for line in file:
            if body := line.rstrip(b"\r\n"):
                seen.see(body)
    return seen


def identifier(value: Any) -> str:
    """How the gate compares an id that may not be a text."""
    return value if isinstance(value, str) else repr(value)


def _rows(texts: list[str]) -> list[str]:
    return [stripped for text in texts if (stripped := text.strip())]


def _parsed(text: str) -> Any:
    try:
        return parse_strict(text)
    except (ValueError, RecursionError):
        return None  # no row of ours is null; neither is accepted
