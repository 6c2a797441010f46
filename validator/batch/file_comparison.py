"""Comparison of the files of one call: by identities, and by what their formats compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from evalmark.schemas.errors import ExtensionError
from evalmark.validator.batch.walking import Entry
from evalmark.validator.findings.report import CallComparison, Comparable, PathsOf, Report
from evalmark.validator.findings.rule import others_error
from evalmark.validator.format import CheckResult
from evalmark.validator.io.opening import read_or_nothing
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source

if TYPE_CHECKING:  # most calls have one record
    from evalmark.validator.formats.shared.duplicate_rows import Repeats

#: The files of a call, as often as they are asked for.
Listing = Callable[[], Iterator[Entry]]
#: Bits of a number that are the format of a file; the others are the number of the file.
_KIND = 8


class Identity(NamedTuple):
    """The identity of a file, which no other may have, and the name of its format."""

    text: str
    kind: str

    def comparison(self) -> SameIdentity:
        """Finds files with the identity of another one."""
        return SameIdentity()


class SameIdentity:
    """The identities of the files of a call, with 16 bytes for each."""

    def __init__(self) -> None:
        self._first: tuple[str, int] | None = None
        self._texts: Repeats | None = None
        self._kinds: dict[str, int] = {}

    def add(self, number: int, file: Identity) -> None:
        """Add the identity of a file with its number."""
        number = number << _KIND | self._kinds.setdefault(file.kind, len(self._kinds))
        if self._first is None:
            self._first = file.text, number
            return
        if self._texts is None:
            from evalmark.validator.formats.shared.duplicate_rows import Repeats

            self._texts = Repeats()
            self._texts.add(*self._first)
        self._texts.add(file.text, number)

    def reports(self, paths_of: PathsOf) -> Iterator[Report]:
        """The findings of files with the identity of another one."""
        pairs = list(self._texts.pairs()) if self._texts else []
        if not pairs:
            return
        kinds = tuple(self._kinds)
        paths = paths_of({number >> _KIND for pair in pairs for number in pair})
        for first, later in pairs:
            number, kind = divmod(later, 1 << _KIND)
            path, namesake = paths[number], paths[first >> _KIND]
            yield same_identity(
                kinds[kind], path, read_or_nothing(path), namesake, read_or_nothing(namesake)
            )


def same_identity(kind: str, path: str, raw: bytes, namesake: str, namesake_raw: bytes) -> Report:
    """The report of a file whose identity another one has; ``namesake`` is that one, in words."""
    from evalmark.validator.formats.plugins import format_named, result_of  # few files are alike

    source = read(raw, path).source or Source(path, "")
    form = format_named(kind, path)

    def check(_: object) -> CheckResult:
        return CheckResult([form.checks.same_identity(source, raw, namesake, namesake_raw)])

    try:
        (finding,) = (check(None) if form.origin is None else result_of(form, check)).findings
    except ExtensionError as error:
        finding = others_error(error, path)
    return Report(path, kind, None, (finding,))


class Shared:
    """The comparisons of the files of a call."""

    def __init__(self) -> None:
        self._comparisons: dict[type[Comparable], CallComparison] = {}

    def add(self, number: int, report: Report) -> None:
        """Take in what other files are compared with."""
        if report.identity is not None and report.kind is not None:
            self._add(number, Identity(report.identity, report.kind))
        if report.repeats is not None:
            self._add(number, report.repeats)

    def _add(self, number: int, file: Comparable) -> None:
        if type(file) not in self._comparisons:
            self._comparisons[type(file)] = file.comparison()
        self._comparisons[type(file)].add(number, file)

    def repeated(self, listing: Listing) -> Iterator[Report]:
        """The findings of files that do not fit others."""

        def paths_of(numbers: set[int]) -> dict[int, str]:
            return {entry.number: entry.path for entry in listing() if entry.number in numbers}

        for comparison in self._comparisons.values():
            yield from comparison.reports(paths_of)
