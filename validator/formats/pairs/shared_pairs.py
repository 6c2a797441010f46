"""Pairs that several files of a call have."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from evalmark.validator.findings.finding import At, Mistake, locate
from evalmark.validator.findings.report import PathsOf, Report
from evalmark.validator.formats.pairs.pair_rule_table import SAME_PAIR
from evalmark.validator.formats.shared.duplicate_rows import Repeats
from evalmark.validator.formats.shared.row_findings import RowFindings
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.pair_columns import TABLES
from evalmark.validator.reading.source import Source

#: Bits of a number that are the place of a row in its file; the others are the number of the file.
_PLACE = 40


@dataclass(frozen=True, slots=True)
class PairDigests:
    """The pairs of a file, each by 16 bytes."""

    rows: Repeats

    def comparison(self) -> SharedRows:
        """Finds pairs that several files have."""
        return SharedRows()


class SharedRows:
    """The rows of all files of a call, by 16 bytes each."""

    def __init__(self) -> None:
        self._rows = Repeats()

    def add(self, number: int, file: PairDigests) -> None:
        """Add the rows of a file with its number."""
        self._rows.take(file.rows, number << _PLACE)

    def reports(self, paths_of: PathsOf) -> Iterator[Report]:
        """The findings of files with rows of other files; a row is reported once in a file."""
        shared: dict[int, dict[int, tuple[int, int]]] = {}
        for earlier_row, later_row in self._rows.pairs():
            (first, before), (file, place) = (
                divmod(earlier_row, 1 << _PLACE),
                divmod(later_row, 1 << _PLACE),
            )
            if file != first:
                shared.setdefault(file, {}).setdefault(place, (first, before))
        files_to_name = shared.keys() | {
            file for rows in shared.values() for file, _ in rows.values()
        }
        paths = paths_of(set(files_to_name))
        for file, rows in sorted(shared.items()):
            here = os.path.realpath(paths[file])
            of_others = {
                place: before
                for place, before in rows.items()
                if os.path.realpath(paths[before[0]]) != here  # a file may be named twice
            }
            if of_others:
                yield _report(paths[file], of_others, paths)


def _report(path: str, rows: dict[int, tuple[int, int]], paths: dict[int, str]) -> Report:
    findings = RowFindings(path)
    source = None if _has_lines(path) else _source(path)
    for place, (first, before) in sorted(rows.items()):
        where = f"{'line' if _has_lines(paths[first]) else 'entry'} {before}"
        message = f"this pair is also in {paths[first]} ({where})"
        at = "" if _has_lines(path) else f"/{place - 1}"
        mistake = Mistake(message, At(at), fold="pair in another file")
        line = place if _has_lines(path) else None
        findings.add([locate(mistake, SAME_PAIR, path, source)], line)
    return Report(path, "pairs", None, tuple(findings.close()))


def _has_lines(path: str) -> bool:
    return path.endswith((".jsonl", *TABLES))


def _source(path: str) -> Source | None:
    try:
        return Source(path, read_whole(path).decode("utf-8", "replace"))
    except OSError:
        return None
