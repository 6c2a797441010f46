"""What files of one call are compared by: ids of records, names of suites, pairs, questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalmark.validator.batch.walking import Entry
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.findings.report import CallComparison, Report

if TYPE_CHECKING:  # most calls have one record
    from evalmark.validator.rows.duplicates import Repeats

#: The files of a call, as often as they are asked for.
Listing = Callable[[], Iterator[Entry]]


@dataclass(frozen=True, slots=True)
class _Files:
    listing: Listing

    def paths(self, numbers: set[int]) -> dict[int, str]:
        return {entry.number: entry.path for entry in self.listing() if entry.number in numbers}

    def every(self) -> Iterator[str]:
        return (entry.path for entry in self.listing())


class Shared:
    """The identities and rows of the files of a call, with 16 bytes for each."""

    def __init__(self) -> None:
        self._first: tuple[str, int] | None = None
        self._identities: Repeats | None = None
        self._comparisons: dict[type[CallComparison], CallComparison] = {}

    def add(self, number: int, report: Report) -> None:
        """Take in what other files are compared with."""
        if report.identity is not None:
            self._identify(report.identity, number)
        if report.repeats is not None:
            new = report.repeats.comparison()
            self._comparisons.setdefault(type(new), new).add(number, report.repeats)

    def _identify(self, identity: str, number: int) -> None:
        if self._first is None:
            self._first = identity, number  # most calls have one record
            return
        if self._identities is None:
            from evalmark.validator.rows.duplicates import Repeats

            self._identities = Repeats()
            self._identities.add(*self._first)
        self._identities.add(identity, number)

    def repeated(self, listing: Listing, kind: str | None) -> Iterator[Report]:
        """The findings of files that do not fit others."""
        files = _Files(listing)
        for comparison in self._comparisons.values():
            yield from comparison.reports(files)
        pairs = list(self._identities.pairs()) if self._identities else []
        if not pairs:
            return
        from evalmark.validator.batch.differences import same_identity  # repeats are rare

        paths = files.paths({number for pair in pairs for number in pair})
        for first, later in pairs:
            one, other = _raw(paths[first]), _raw(paths[later])
            yield same_identity(paths[later], other, paths[first], one, kind)


def _raw(path: str) -> bytes:
    """The bytes of a file; none if it cannot be read."""
    with suppress(OSError):
        return read_whole(path)
    return b""
