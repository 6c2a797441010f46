"""The tables of a run: one column after the other, for data frames and as exported files.

Runs over suites have ``predictions``, ``items``, ``regions``, ``tokens``, ``effects`` and
``effect_sizes``; those over minimal pairs ``uids``, ``pairs``, ``tokens``, ``effects`` and
``effect_sizes``. All numbers are in bits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from evalmark.converters.records.run import Run
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.pairs.pair_averages import GROUPED, IMPOSSIBLE
from evalmark.scoring.runs.pair_views import PairRunView, is_of_pairs, pair_run
from evalmark.scoring.runs.run_tables import (
    CONTEST_COLUMNS,
    EFFECT_COLUMNS,
    PAIR_COLUMNS,
    PAIR_TOKEN_COLUMNS,
    REGION_COLUMNS,
    TOKEN_COLUMNS,
    Columns,
    RunTable,
)
from evalmark.scoring.runs.suite_views import (
    RunView,
    is_of_suite,
    suite_run,
)
from evalmark.stats.effect_sizes import EffectSize, effect_size
from evalmark.validator.formats.suites.formula.formula_syntax import unparse

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
    """A run over suites, or over minimal pairs.

    Raises:
        ScoringError: It is neither, or it has no samples.
        OSError: Its samples cannot be read.
    """
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


def exports(run: Run, names: Collection[str]) -> list[RunTable]:
    """The named tables of a run as files; with ``parquet`` alone, all of them.

    Raises:
        ScoringError: The run has no such table.
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
    return [RunTable(f"{n}.csv", known[n].columns, partial(known[n].rows, view)) for n in chosen]


# Suites


def _prediction_rows(run: RunView) -> Iterator[_Row]:
    for suite in run.suites:
        for shown in suite.shown:
            yield (
                run.model, suite.name, suite.metric, shown.label, shown.formula, shown.items,
                shown.correct, shown.accuracy, *shown.interval, shown.chance, len(shown.ties),
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
            for place, side in enumerate(json.loads(pair.tokens)):
                columns = zip(side["tokens"], side["ids"], side["surprisals"], strict=True)
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
