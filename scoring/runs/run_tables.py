"""The tables of a run: typed columns and rows, for data frames and as exported CSV and Parquet.

Runs over suites have ``predictions``, ``items``, ``regions``, ``tokens``, ``effects`` and
``effect_sizes``; those over minimal pairs ``uids``, ``pairs``, ``tokens``, ``effects`` and
``effect_sizes``. All numbers are in bits.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from evalmark.converters.records.run import Run
from evalmark.schemas.errors import ScoringError, require
from evalmark.scoring.pairs.pair_averages import GROUPED, IMPOSSIBLE
from evalmark.scoring.runs.pair_views import PairRunView, is_of_pairs, pair_run
from evalmark.scoring.runs.suite_views import RunView, is_of_suite, suite_run
from evalmark.stats.effect_sizes import EffectSize, effect_size
from evalmark.validator.formats.suites.formula.formula_syntax import unparse
from evalmark.validator.io.escaping import text_cell
from evalmark.validator.io.writing import Spool, write_atomically

TABLES = ("regions.csv", "pairs.csv", "tokens.csv", "effects.csv")
PARQUET = ".parquet"

#: Rows of a CSV that are in memory at once, and those of a row group of a Parquet file.
ROWS_AT_ONCE, ROWS_OF_A_GROUP = 4096, 1 << 16


class OptionalInt(int):
    """An integer that can be missing."""


#: Column -> its type; a float can be missing.
Columns = Mapping[str, type]
#: Columns of ``regions.csv``: a row for each region of each sentence.
REGION_COLUMNS: Columns = {
    "model": str, "suite": str, "metric": str, "item": int, "condition": str, "region": int,
    "region_name": str, "content": str, "tokens": int, "value": float,
}  # fmt: skip
#: Columns of ``tokens.csv``: a row for each token of each sentence.
TOKEN_COLUMNS: Columns = {
    "suite": str, "item": int, "condition": str, "region": int, "position": int, "token": str,
    "id": OptionalInt, "surprisal": float,
}  # fmt: skip
#: Columns of ``effects.csv``: a row for each comparison of each prediction and item.
EFFECT_COLUMNS: Columns = {
    "suite": str, "prediction": str, "comparison": int, "item": int, "left": float,
    "right": float, "margin": float,
}  # fmt: skip
#: Columns of ``pairs.csv``: a row for each text of each contest; the right one is side 0.
PAIR_COLUMNS: Columns = {
    "model": str, "set": str, "uid": str, "item": str, "side": int, "context": str, "text": str,
    "tokens": int, "surprisal": float, "score": float, "method": str, "outcome": str,
}  # fmt: skip
#: Columns of ``tokens.csv`` of minimal pairs: a row for each token of each text.
PAIR_TOKEN_COLUMNS: Columns = {
    "set": str, "uid": str, "item": str, "side": int, "position": int, "token": str,
    "id": OptionalInt, "surprisal": float,
}  # fmt: skip
#: Columns of ``effects.csv`` of minimal pairs: a row for each contest.
CONTEST_COLUMNS: Columns = {
    "set": str, "uid": str, "item": str, "file": str, "field": str, "term": str, "language": str,
    "method": str, "outcome": str, "right_surprisal": float, "wrong_surprisal": float,
    "difference": float, "margin": float,
}  # fmt: skip
#: Type -> its name in pyarrow.
_ARROW = {str: "string", int: "int64", OptionalInt: "int64", float: "float64", bool: "bool_"}

Row = TypeVar("Row")
View = TypeVar("View")
AnyView: TypeAlias = RunView | PairRunView
_Row = Sequence[Any]
_PREDICTIONS: Columns = {
    "model": str, "suite": str, "metric": str, "prediction": str, "formula": str, "items": int,
    "correct": int, "accuracy": float, "lower": float, "upper": float, "chance": float, "ties": int,
}  # fmt: skip
_ITEMS: Columns = {
    "model": str, "suite": str, "metric": str, "item": int, "prediction": str, "holds": bool,
    "tie": bool,
}  # fmt: skip
_UIDS: Columns = {
    "model": str, "set": str, "uid": str, "method": str, "items": int, "score": float,
    "lower": float, "upper": float, "chance": float, "ties": int, "impossible": int,
}  # fmt: skip
_SIZES: Columns = {
    "items": int, "mean": float, "lower": float, "upper": float, "t": float, "p_t": float,
    "p_sign_flip": float,
}  # fmt: skip
_EFFECT_SIZES: Columns = {
    "suite": str, "prediction": str, "comparison": int, "formula": str, "kind": str, **_SIZES,
}  # fmt: skip
_UID_SIZES: Columns = {"set": str, "uid": str, **_SIZES}


class TableRows(NamedTuple, Generic[View]):
    """A table of a run: its columns, and its rows."""

    columns: Columns
    rows: Callable[[View], Iterator[_Row]]


def view_of_run(run: Run) -> AnyView:
    """A run over suites or minimal pairs; ScoringError if it is neither, or has no samples."""
    if any(map(is_of_suite, run.results)):
        return suite_run(run)
    if any(map(is_of_pairs, run.results)):
        return pair_run(run)
    raise ScoringError(f"{run.path or run.id} is not a run over suites or minimal pairs")


def tables_of(view: AnyView) -> Mapping[str, TableRows[Any]]:
    """The tables of a run, by name; the first is that of its scores."""
    return PAIR_TABLES if isinstance(view, PairRunView) else SUITE_TABLES


def require_tokens(view: AnyView) -> None:
    """Refuse a run without tokens; a ScoringError."""
    if not view.has_tokens:
        raise ScoringError(
            "the run has no tokens: `--also tokens` adds those of minimal pairs, and recorded "
            "values of regions have none"
        )


# Suites


def _prediction_rows(run: RunView) -> Iterator[_Row]:
    for suite in run.suites:
        for shown in suite.shown:
            score = shown.score
            yield (
                run.model, suite.name, suite.metric, shown.label, shown.formula, score.items,
                score.right, score.score, *(score.interval or ()), score.chance, len(shown.ties),
            )  # fmt: skip


def _item_rows(run: RunView) -> Iterator[_Row]:
    for suite in run.suites:
        for shown in suite.shown:
            for item, holds in zip(suite.items, shown.outcomes, strict=True):
                tie = item.number in shown.ties
                yield run.model, suite.name, suite.metric, item.number, shown.label, holds, tie


def _region_rows(run: RunView) -> Iterator[_Row]:
    for suite in run.suites:
        for item in suite.items:
            for condition, cells in item.sentences:
                for cell in cells.values():
                    yield (
                        run.model, suite.name, suite.metric, item.number, condition, cell.number,
                        cell.name, cell.text, len(cell.surprisals or ()), cell.value,
                    )  # fmt: skip


def _token_rows(run: RunView) -> Iterator[_Row]:
    for suite in run.suites:
        for item in suite.items:
            for condition, cells in item.conditions:
                position = 0
                for cell in cells:
                    for place, text in enumerate(cell.tokens):
                        position += 1
                        number = cell.ids[place] if cell.ids else None
                        bits = None if cell.surprisals is None else cell.surprisals[place]
                        yield (
                            suite.name, item.number, condition, cell.number, position, text, number,
                            bits,
                        )  # fmt: skip


def _effect_rows(run: RunView) -> Iterator[_Row]:
    for suite in run.suites:
        for effect in suite.effects:
            for item, bits in effect.margins.items():
                sides = effect.sides[item]
                yield suite.name, effect.prediction, effect.place, item, *sides, bits


def _size_rows(run: RunView) -> Iterator[_Row]:
    for suite in run.suites:
        for effect in suite.effects:
            formula = unparse(effect.comparison)
            cells = effect.prediction, effect.place, formula, effect.kind, *_cells(effect.size)
            yield suite.name, *cells


def _cells(size: EffectSize | None) -> _Row:
    if size is None:
        return 0, *[None] * 6
    low, high = size.interval or (None, None)
    flipped = None if size.sign_flip is None else size.sign_flip.value
    return size.items, size.mean, low, high, size.t, size.t_test, flipped


# Minimal pairs


def _uid_rows(run: PairRunView) -> Iterator[_Row]:
    for uid in run.uids:
        score = uid.score
        low, high = score.interval or (None, None)
        yield (
            run.model, uid.set, uid.label, uid.method, score.items, score.score, low, high,
            score.chance, score.ties, score.impossible,
        )  # fmt: skip


def _pair_rows(run: PairRunView) -> Iterator[_Row]:
    for uid in run.uids:
        for pair in uid.contests:
            for place, text in enumerate(pair.texts):
                yield (
                    run.model, uid.set, uid.label, pair.name, place, *text, pair.counts[place],
                    pair.bits[place], pair.scores[place], uid.method, pair.outcome,
                )  # fmt: skip


def _contest_rows(run: PairRunView) -> Iterator[_Row]:
    for uid in run.uids:
        for pair in uid.contests:
            other = pair.rival
            right, wrong = pair.bits[0], pair.bits[other]
            yield (
                uid.set, uid.label, pair.name, pair.path,
                *(pair.labels.get(label, "") for label in GROUPED), uid.method, pair.outcome,
                right, wrong, _difference(right, wrong),
                _difference(pair.scores[0], pair.scores[other]),
            )  # fmt: skip


def _difference(right: float | None, wrong: float | None) -> float | None:
    return None if right is None or wrong is None else wrong - right


def _pair_token_rows(run: PairRunView) -> Iterator[_Row]:
    """A surprisal is None if it is undefined, or if its token is one of a context."""
    for uid in run.uids:
        for pair in uid.contests:
            for place, text in enumerate(json.loads(pair.tokens)):
                columns = zip(text["tokens"], text["ids"], text["surprisals"], strict=True)
                for position, cells in enumerate(columns, 1):
                    yield uid.set, uid.label, pair.name, place, position, *cells


def _uid_size_rows(run: PairRunView) -> Iterator[_Row]:
    for uid in run.uids:
        if uid.is_correlated:
            continue
        differences = (
            _difference(pair.bits[0], pair.bits[pair.rival])
            for pair in uid.contests
            if pair.outcome != IMPOSSIBLE
        )
        size = effect_size([bits for bits in differences if bits is not None])
        yield uid.set, uid.label, *_cells(size)


SUITE_TABLES: Mapping[str, TableRows[RunView]] = {
    "predictions": TableRows(_PREDICTIONS, _prediction_rows),
    "items": TableRows(_ITEMS, _item_rows),
    "regions": TableRows(REGION_COLUMNS, _region_rows),
    "tokens": TableRows(TOKEN_COLUMNS, _token_rows),
    "effects": TableRows(EFFECT_COLUMNS, _effect_rows),
    "effect_sizes": TableRows(_EFFECT_SIZES, _size_rows),
}
PAIR_TABLES: Mapping[str, TableRows[PairRunView]] = {
    "uids": TableRows(_UIDS, _uid_rows),
    "pairs": TableRows(PAIR_COLUMNS, _pair_rows),
    "tokens": TableRows(PAIR_TOKEN_COLUMNS, _pair_token_rows),
    "effects": TableRows(CONTEST_COLUMNS, _contest_rows),
    "effect_sizes": TableRows(_UID_SIZES, _uid_size_rows),
}
#: The tables that are exported as files.
SUITE_EXPORTS = ("regions", "effects", "tokens")
PAIR_EXPORTS = ("pairs", "effects")


# Files


def write_tables(run: Run, folder: Path, names: Collection[str]) -> list[Path]:
    """Write the named tables of a run as CSV; with ``parquet`` as Parquet too, alone all of them.

    Raises:
        NotInstalledError: pyarrow is not installed.
        ScoringError: The run has no such table.
        OSError: A file cannot be written.
    """
    if not names:
        return []
    view = view_of_run(run)
    known = tables_of(view)
    of_run = PAIR_EXPORTS if isinstance(view, PairRunView) else SUITE_EXPORTS
    chosen = [name for name in names if name != "parquet"]
    if absent := [name for name in chosen if name not in known]:
        raise ScoringError(f"a run over {of_run[0]} has no table of {absent[0]}")
    if "tokens" in chosen:
        require_tokens(view)
    chosen = chosen or [name for name in of_run if name != "tokens" or view.has_tokens]
    endings = (".csv", PARQUET) if "parquet" in names else (".csv",)
    return [
        write_table(folder, f"{name}{ending}", known[name].columns, known[name].rows(view))
        for name in chosen
        for ending in endings
    ]


def write_table(folder: Path, name: str, columns: Columns, rows: Iterator[_Row]) -> Path:
    """Write a table as CSV, or as Parquet if its name ends so; its path."""
    path = folder / name
    if path.suffix == PARQUET:
        write_atomically(path, _parquet(columns, rows))
        return path
    spool = Spool()
    for piece in _csv_pieces(columns, rows):
        spool.add(piece.encode("utf-8"))
    write_atomically(path, spool)
    return path


def arrow_schema(columns: Columns) -> Any:
    """The names and types of columns, as pyarrow has them."""
    import pyarrow as pa

    return pa.schema([(name, getattr(pa, _ARROW[kind])()) for name, kind in columns.items()])


def _parquet(columns: Columns, rows: Iterable[Sequence[object]]) -> bytes:
    """A Parquet file. Its columns have their types also where all values are missing."""
    require("pyarrow")
    import pyarrow as pa
    from pyarrow import parquet

    schema = arrow_schema(columns)
    stream = io.BytesIO()
    with parquet.ParquetWriter(stream, schema) as writer:
        for batch in _batches(rows, ROWS_OF_A_GROUP):
            cells = [list(column) for column in zip(*batch, strict=True)]
            writer.write_table(pa.table(cells, schema=schema))
    return stream.getvalue()


def _batches(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, size)):
        yield batch


def _csv_pieces(columns: Iterable[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    lines: list[str] = []
    # Lines end with ``\n``; the writer only quotes a carriage return if its own lines have one.
    writer = csv.writer(_LineList(lines), lineterminator="\r\n")
    for batch in _batches(chain([list(columns)], rows), ROWS_AT_ONCE):
        writer.writerows(
            [text_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in batch
        )
        yield "".join(f"{line[:-2]}\n" for line in lines)
        lines.clear()


@dataclass(frozen=True, slots=True)
class _LineList:
    """A file for a CSV writer: a list of what it writes, line by line."""

    lines: list[str]

    def write(self, line: str) -> None:
        self.lines.append(line)
