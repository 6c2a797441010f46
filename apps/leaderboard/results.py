"""Results of many records: rows that wait on disk, and what only all of them together decide."""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from evalmark.leaderboard.competing_results import (
    NOT_STATED,
    conflict_of,
    differing,
    represent,
    settings_of,
    width_of,
)
from evalmark.leaderboard.result_columns import ResultRow
from evalmark.validator.io.writing import Spool

#: Rows that are put aside together.
_PIECE = 1 << 12


class Results:
    """Rows in the order in which they were added.

    Where a model has several results on a benchmark, all of that benchmark decide which one
    represents it, and whether they contradict each other: the columns ``represents``, ``conflict``
    and ``differs`` are right when rows are read, however they were added.
    """

    def __init__(self, rows: Iterable[ResultRow] = (), *, is_of_table: bool = False) -> None:
        """Begin with some rows; those of a table may name files that the user has not named."""
        self.count, self.is_of_table = 0, is_of_table
        self._spool, self._sizes, self._waiting = Spool(), array("q"), list[ResultRow]()
        #: Hashes of the pairs of a model and a benchmark, and benchmarks where one is there twice.
        self._seen, self._several = set[int](), set[str]()
        self.add(rows)

    def add(self, rows: Iterable[ResultRow]) -> None:
        """Add rows."""
        for row in rows:
            self.count += 1
            self._waiting.append(row)
            if row.model_key is not None:
                pair = hash((row.model_key, row.benchmark_key))
                if pair in self._seen:
                    self._several.add(row.benchmark_key)
                self._seen.add(pair)
            if len(self._waiting) >= _PIECE:
                self._put_aside()

    def __iter__(self) -> Iterator[ResultRow]:
        decided = self._decided()
        for number, row in enumerate(self._stored()):
            yield decided.get(number, row)

    def _put_aside(self) -> None:
        piece = marshal.dumps([tuple(row) for row in self._waiting])
        self._spool.add(piece)
        self._sizes.append(len(piece))
        self._waiting.clear()

    def _stored(self) -> Iterator[ResultRow]:
        at = 0
        for size in self._sizes:
            # Nobody else can write to this file.
            yield from map(ResultRow._make, marshal.loads(self._spool.read(at, size)))  # noqa: S302
            at += size
        yield from self._waiting

    def _decided(self) -> dict[int, ResultRow]:
        """Number of a row -> the row as decided, if a benchmark has several results of a model."""
        numbers: dict[int, int] = {}  # of each row by its identity
        groups: dict[str, dict[str, list[ResultRow]]] = {}
        for number, row in enumerate(self._stored()):
            if row.benchmark_key in self._several and row.model_key is not None:
                numbers[id(row)] = number
                models = groups.setdefault(row.benchmark_key, {})
                models.setdefault(row.model_key, []).append(row)
        pairs = chain.from_iterable(map(_decide, groups.values()))
        return {numbers[id(row)]: decided for row, decided in pairs}


def _decide(models: Mapping[str, Sequence[ResultRow]]) -> Iterator[tuple[ResultRow, ResultRow]]:
    """Each result of a benchmark as it was, and as it is decided."""
    width = width_of(models)
    ordered, _ = represent(models)
    for rows in ordered.values():
        conflict = conflict_of(rows, width)
        settings = [settings_of(row) for row in rows] if len(rows) > 1 else [{}]
        names = differing(settings)
        for place, (row, own) in enumerate(zip(rows, settings, strict=True)):
            differs = ", ".join(f"{name}={own.get(name, NOT_STATED)}" for name in names) or None
            is_first = place == 0 and row.score is not None
            yield row, row._replace(represents=is_first, conflict=conflict, differs=differs)
