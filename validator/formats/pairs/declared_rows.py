"""Rows of pairs that declared columns make of other rows: the places of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from evalmark.validator.findings.finding import At, Finding, Places, Span
from evalmark.validator.formats.pairs.pair_files import NotEdited
from evalmark.validator.reading.source import make_pointer, parse_pointer

#: Makes what finds the places of a row.
Placing = Callable[[], Places | None]


class RowOrigin(NamedTuple):
    """A row of a file, which is a pair or a part of one."""

    number: int  # its line, or its place in a list, from 1
    at: str  # its pointer in the document
    places: Placing | None  # what makes a finder of its places, if it is not in a document


@dataclass(frozen=True)
class ColumnPlaces(NotEdited):
    """The places of a row of a set that was made of one row with other keys, or of two."""

    keys: Mapping[str, str]  # key of the row -> the column that its value is from
    # the places of the row with the right text, and how many lines further down it is
    good: tuple[Places | None, int]
    bad: tuple[Places | None, int]  # the same for the wrong text

    def span_of(self, at: At) -> Span | None:
        """The span of a place in the row that its value is in."""
        key, *rest = parse_pointer(at.pointer) or [""]
        places, down = self.bad if str(key) in WRONG_TEXTS else self.good
        column = self.keys.get(str(key), str(key))
        pointer = make_pointer([column, *rest]) if key else ""
        span = places.span_of(at._replace(pointer=pointer)) if places else None
        return span and span.below(down)


#: The keys of the wrong text in the rows that columns become.
WRONG_TEXTS = ("sentence_bad", "bad_continuation")


def in_columns(finding: Finding, keys: Mapping[str, str]) -> Finding:
    """A finding on a row of a set, as one on the columns that it was made of."""
    key, *rest = parse_pointer(finding.pointer) or [""]
    pointer = make_pointer([keys.get(key, key), *rest]) if key else ""
    texts = [finding.message, *finding.helps, *finding.notes]
    if len(set(keys.values())) == len(keys):
        for name, column in keys.items():
            texts = [text.replace(f"`{name}`", f"`{column}`") for text in texts]
    message, *others = texts
    helps, notes = others[: len(finding.helps)], others[len(finding.helps) :]
    return replace(
        finding, pointer=pointer, message=message, helps=tuple(helps), notes=tuple(notes)
    )
