"""Tables with a row for each region or word: which region a row is, and the order of regions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import NamedTuple

from evalmark.converters.suites.suite_tables import renumbered
from evalmark.schemas.errors import ConversionError
from evalmark.validator.findings.phrasing import cited

#: The need of a table whose rows do not say which region they are, or in which order.
ORDER = "order"
#: What tells a region from others.
Label = tuple[str, ...]
#: The rows of each sentence, by item and condition.
Sentences = Mapping[tuple[str, str], Sequence[int]]
_WHOLE_NUMBER = re.compile(r"([0-9]{1,9})(\.0+)?")


@dataclass(eq=False)
class LabelColumn:
    """A column that says which region a row is: its number, its name, or the number of a word."""

    title: str
    cells: Sequence[str]

    def __post_init__(self) -> None:
        """Write each number in one way."""
        matches = map(_WHOLE_NUMBER.fullmatch, self.cells)
        self.cells = [
            str(int(m[1])) if m else cell for m, cell in zip(matches, self.cells, strict=True)
        ]

    @cached_property
    def numbers(self) -> list[int]:
        """The cells, if all are numbers; else none."""
        is_number = all(map(_WHOLE_NUMBER.fullmatch, self.cells))
        return [*map(int, self.cells)] if is_number else []

    def tells_apart(self, sentences: Sentences) -> bool:
        """True if all are numbers, and no sentence has one twice."""
        return bool(self.numbers) and all(
            len({self.numbers[at] for at in rows}) == len(rows) for rows in sentences.values()
        )


class LabelledRows(NamedTuple):
    """The region of each row."""

    labels: list[Label]  # of each row, in order
    names: dict[Label, str]  # the name of each region, in the order of all sentences
    notes: list[str]


def label_rows(
    columns: Sequence[LabelColumn], sentences: Sentences, places: Sequence[int]
) -> LabelledRows:
    """Say which region each row is.

    That is a number, if one column has numbers that tell the rows of a sentence apart, and a number
    has the same name in all of them. Else it is all that the columns say.

    Raises:
        ConversionError: A row has no label, or the words of a sentence have no certain order.
    """
    _require_labels(columns, places)
    orders = [column for column in columns if column.tells_apart(sentences)]
    others = [column for column in columns if column not in orders]
    for column in orders:
        if (names := _names_of_numbers(column.numbers, others)) is not None:
            named = next((other for other in others if not other.numbers), None)
            unused = [c.title for c in columns if c is not column and c is not named]
            labels: list[Label] = [(cell,) for cell in column.cells]
            notes = [f"columns that are not used: {', '.join(unused)}"] if unused else []
            notes += renumbered((str(n), place) for place, n in enumerate(sorted(names), 1))
            return LabelledRows(
                labels, {(str(n),): names[n] or f"region {n}" for n in sorted(names)}, notes
            )
    labels = [*zip(*(column.cells for column in columns), strict=True)]
    rows = [*sentences.values()]
    if orders:
        rows = [sorted(of_one, key=orders[0].numbers.__getitem__) for of_one in rows]
    else:
        _require_ascending(columns, rows, places)
    in_order = _merged_order(labels, rows)
    number_of = dict(zip(labels, orders[0].cells, strict=True)) if orders else {}
    numbers = [(number_of[label], place) for place, label in enumerate(in_order, 1) if orders]
    return LabelledRows(labels, {label: _name(label) for label in in_order}, renumbered(numbers))


def _require_labels(columns: Sequence[LabelColumn], places: Sequence[int]) -> None:
    for column in columns:
        are_numbers = all(map(_WHOLE_NUMBER.fullmatch, filter(None, column.cells)))
        for at, cell in enumerate(column.cells):
            if not cell and (are_numbers or not any(other.cells[at] for other in columns)):
                raise ConversionError(
                    f"row {places[at]} has nothing in {cited(column.title)}",
                    "write the region of each row",
                    needs=ORDER,
                )


def _names_of_numbers(
    numbers: Sequence[int], others: Sequence[LabelColumn]
) -> dict[int, str] | None:
    """The name of each number, which may be empty; None if it has several labels."""
    names = dict.fromkeys(numbers, "")
    for column in others:
        seen: dict[int, str] = {}
        for number, cell in zip(numbers, column.cells, strict=True):
            before = seen[number] = seen.get(number) or cell
            if cell and cell != before:
                return None
        if not column.numbers:
            names = {number: name or seen[number] for number, name in names.items()}
    return names


def _require_ascending(
    columns: Sequence[LabelColumn], sentences: Iterable[Sequence[int]], places: Sequence[int]
) -> None:
    """Refuse rows that are not in the order of numbers such as those of regions and words.

    Where another column names regions, numbers may begin again with each.
    """
    numbers = [column.numbers for column in columns if column.numbers]
    words = [column.cells for column in columns if not column.numbers]
    for rows in sentences if numbers else ():
        given = [(tuple(cells[at] for cells in words), [n[at] for n in numbers]) for at in rows]
        as_stated = all(a <= b or of_a != of_b for (of_a, a), (of_b, b) in pairwise(given))
        if not as_stated and not all(a[::-1] <= b[::-1] for (_, a), (_, b) in pairwise(given)):
            raise ConversionError(
                f"the rows from {places[rows[0]]} on are not in the order of their numbers",
                "put the words of a sentence in their order",
                needs=ORDER,
            )


def _merged_order(labels: Sequence[Label], sentences: Sequence[Sequence[int]]) -> list[Label]:
    """The regions in an order that all sentences have: by number, if that is one."""
    steps = {
        (labels[at], labels[following])
        for rows in sentences
        for at, following in pairwise(rows)
        if labels[at] != labels[following]
    }
    by_number = sorted(dict.fromkeys(labels), key=_first_number)
    place = {label: number for number, label in enumerate(by_number)}
    if all(place[first] < place[second] for first, second in steps):
        return by_number
    sorter = TopologicalSorter[Label](dict.fromkeys(by_number, ()))
    for first, second in sorted(steps, key=lambda step: (place[step[1]], place[step[0]])):
        sorter.add(second, first)
    try:
        return [*sorter.static_order()]
    except CycleError as error:
        cycle = " → ".join(" ".join(filter(None, label)) for label in error.args[1])
        raise ConversionError(
            f"the rows of the sentences have their regions in different orders: {cycle}",
            "number the regions of a sentence in their order, in a column of their own",
            needs=ORDER,
        ) from None


def _first_number(label: Label) -> int:
    """The number of a region, if its label has one; others stay in the order of the rows."""
    return next((int(part) for part in label if _WHOLE_NUMBER.fullmatch(part)), 0)


def _name(label: Label) -> str:
    words = [part for part in label if part and not part.isdecimal()]
    return words[0] if words else f"region {label[0]}"
