"""What files of one call are compared by: identities, and what their formats compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalmark.validator.batch.same_identity import Identity
from evalmark.validator.batch.walking import Entry
from evalmark.validator.findings.report import CallComparison, Comparable, Report

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
    """The comparisons of the files of a call."""

    def __init__(self) -> None:
        self._comparisons: dict[type[CallComparison], CallComparison] = {}

    def add(self, number: int, report: Report) -> None:
        """Take in what other files are compared with."""
        if report.identity is not None and report.kind is not None:
            self._add(number, Identity(report.identity, report.kind))
        if report.repeats is not None:
            self._add(number, report.repeats)

    def _add(self, number: int, file: Comparable) -> None:
        new = file.comparison()
        self._comparisons.setdefault(type(new), new).add(number, file)

    def repeated(self, listing: Listing) -> Iterator[Report]:
        """The findings of files that do not fit others."""
        files = _Files(listing)
        for comparison in self._comparisons.values():
            yield from comparison.reports(files)
