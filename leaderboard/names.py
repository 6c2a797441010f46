"""The different names of models and benchmarks in a table of results, and their numbers.

A large table has few of them: rows have the numbers, and the table says once what each means.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any

#: What decides which model or benchmark a result is of: columns of ``results``.
DECIDES = {
    "model": ("model", "model_name", "developer"),
    "benchmark": (
        "collection", "dataset", "subset", "split", "metric", "metric_parameters",
        "lower_is_better", "score_type", "min_score", "max_score",
    ),
}  # fmt: skip
#: The columns that have the numbers.
NUMBERS = {what: f"{what}_number" for what in DECIDES}
#: What the table calls its list of names.
NAMES = "evalmark.names"
Name = tuple[Any, ...]


class NumberedNames:
    """Names of models and of benchmarks as records write them, each with a number from 0.

    Attributes:
        listed: Model or benchmark -> all names, in the order of their numbers.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, dict[Name, int]] = {what: {} for what in DECIDES}
        self.listed: dict[str, list[Name]] = {what: [] for what in DECIDES}

    def number(self, what: str, name: Name) -> int:
        """The number of a name, which is the next if it is new."""
        numbers, listed = self._numbers[what], self.listed[what]
        number = numbers.get(name)
        if number is None:
            own = tuple(map(_plain, name))
            number = numbers[name] = numbers.setdefault(own, len(listed))
            if number == len(listed):
                listed.append(own)
        return number

    def numbers(
        self, same: Mapping[str, Any], each: Mapping[str, Sequence[Any]], rows: int
    ) -> Iterator[tuple[str, list[int]]]:
        """The columns of numbers of some rows, whose columns have one value or one each."""
        for what, columns in DECIDES.items():
            if not any(column in each for column in columns):
                number = self.number(what, tuple(same[column] for column in columns))
                yield NUMBERS[what], [number] * rows
                continue
            known = self._numbers[what]
            values = [each[c] if c in each else repeat(same[c], rows) for c in columns]
            yield (
                NUMBERS[what],
                [
                    known[name] if name in known else self.number(what, name)
                    for name in zip(*values, strict=True)
                ],
            )

    def as_text(self) -> str:
        """The names as a table has them in its metadata."""
        return json.dumps(self.listed, separators=(",", ":"))


def listed_names(text: str) -> dict[str, list[Name]]:
    """The names that ``NumberedNames.as_text`` has written.

    Raises:
        KeyError, TypeError, ValueError: It has not written this.
    """
    found = json.loads(text)
    names = {what: list(map(tuple, found[what])) for what in DECIDES}
    for what, columns in DECIDES.items():
        if any(len(name) != len(columns) for name in names[what]):
            raise ValueError(f"a {what} has {len(columns)} columns")
    return names


def _plain(value: Any) -> Any:
    """A value as a table can hold it; 0 has no sign."""
    if type(value) is str:
        return encodable(value)
    return 0.0 if type(value) is float and not value else value


def encodable(text: str) -> str:
    """A text that UTF-8 can hold: halves of surrogate pairs are written as escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
