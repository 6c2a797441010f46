"""The scores of many models, from the results of their records, and one table of them."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evalmark.converters.records.run import Run
from evalmark.scoring.comparison.compared_run import ALL as WHOLE
from evalmark.scoring.comparison.gates import ALL, Measured, measured_mean
from evalmark.scoring.comparison.run_items import result_name
from evalmark.scoring.pairs.pair_averages import GROUPED
from evalmark.scoring.reports.comparison.cross_table import CrossCell, CrossLabel, CrossTable
from evalmark.scoring.runs.pair_views import (
    SHARES,
    PairRunView,
    is_of_pairs,
    label_of_uid,
    undefined_correlation,
)
from evalmark.scoring.runs.run_origin import MARKS, facts_of, run_names, series_of, viewing
from evalmark.scoring.runs.run_tables import view_of_run
from evalmark.scoring.runs.scores import CORRECT, RIGHT, Score, score_of
from evalmark.scoring.runs.suite_views import SURPRISALS, is_of_suite, suite_label
from evalmark.validator.findings.phrasing import listed

#: The names of the column of means and of the row of chance.
MEAN, CHANCE = "mean", "chance"
#: Runs and suites that a note names.
NAMED = 3
_PAIRS = "pairs"
#: The column of the tags of suites, and their detail.
TAGS = "tags"
#: What was scored -> what a part of it is called, and what a detail of that.
COLUMNS = {
    "suites": ("suite", "prediction"),
    _PAIRS: ("set", "UID"),
    "": ("result", "result"),
}


@dataclass(frozen=True, slots=True)
class ModelScores:
    """The scores of a run, whatever was scored and whoever ran it."""

    name: str  # the id of its model, or more where several runs have that
    facts: Mapping[str, str]  # what is known of the model and the settings, by name
    run: Run  # the run
    kind: str  # what was scored: a key of ``COLUMNS``
    #: Suite, set or result -> its score: of all predictions, or the average over UIDs.
    parts: Mapping[str, Score]
    #: The names of a row (suite and prediction, UID or result) -> its score.
    details: Mapping[tuple[str, ...], Score]
    tags: Mapping[tuple[str, ...], Mapping[str, Sequence[str]]]  # the same -> its tags, by column
    series: str = ""  # name of the series of checkpoints that it is of; empty if it is of none
    step: int | None = None  # its step in that series; None if its name has none

    @property
    def is_of_pairs(self) -> bool:
        """True if minimal pairs were scored."""
        return self.kind == _PAIRS

    def scores(self, *, detailed: bool) -> Mapping[str, Score]:
        """The scores that a table shows: of suites or sets, or with those of their parts."""
        if not detailed:
            return self.parts
        averages = {f"{name} (average)": score for name, score in self.parts.items()}
        details = {"/".join(names): score for names, score in self.details.items()}
        return {**averages, **details} if self.is_of_pairs else details


def scores_of(run: Run) -> ModelScores:
    """The scores of a run, from its results alone; ScoringError if they are not evalmark's."""
    with viewing(replace(run, lacks="")):
        return _scores_of(run)


def _scores_of(run: Run) -> ModelScores:
    parts: dict[str, Score] = {}
    details: dict[tuple[str, ...], Score] = {}
    tags: dict[tuple[str, ...], Mapping[str, Sequence[str]]] = {}
    kind = ""
    if any(map(is_of_suite, run.results)):
        kind = "suites"
        for result in filter(is_of_suite, run.results):
            label, prediction = names = suite_label(result)
            if prediction != SURPRISALS:
                details[names] = score_of(result, CORRECT)
                tags[names] = {TAGS: tuple(json.loads(result.details.get(TAGS, "[]")))}
                if prediction == WHOLE:
                    parts[label] = details[names]
    elif any(map(is_of_pairs, run.results)):
        kind = _PAIRS
        uids = {label_of_uid(result) for result in run.results if is_of_pairs(result)}
        for result in run.results:
            if "averaged" not in result.details and label_of_uid(result) not in uids:
                continue  # the run has it from elsewhere
            if "averaged" in result.details:
                parts[result.name.removesuffix("/average")] = score_of(result)
            elif result.name.endswith(f"/{SHARES}"):
                details.setdefault((label_of_uid(result),), undefined_correlation(result))
            else:
                name = (result.name,)
                details[name] = score_of(result, RIGHT if RIGHT in result.details else "")
                tags[name] = {k: (v,) for k in GROUPED if (v := result.details.get(k))}
                parts.setdefault(
                    result.dataset.details.get("set", result.dataset.name), details[name]
                )
    else:
        parts = {result_name(result): score_of(result) for result in run.results}
        details = {(name,): score for name, score in parts.items()}
    facts, (series, step) = facts_of(run), series_of(run)
    return ModelScores(run.model.id, facts, run, kind, parts, details, tags, series, step)


def measured(run: Run) -> list[Measured]:
    """The scores of a run that can have a floor; ``all`` is the mean over suites or sets."""
    scores = scores_of(run)
    named = [*scores.parts.items()]
    if scores.is_of_pairs and isinstance(view := view_of_run(run), PairRunView):
        named += [(value, score) for (_, label, value), score in view.averages.items() if label]
    named += [("/".join(names), score) for names, score in scores.details.items()]
    parts_text = f"{len(scores.parts)} {COLUMNS[scores.kind][0]}{'s'[: len(scores.parts) != 1]}"
    values = [score.score for score in scores.parts.values() if score.score is not None]
    return [
        measured_mean((ALL,), f"mean over {parts_text}", values),
        *(Measured((name,), name, score.score, score.interval) for name, score in named),
    ]


def in_series(runs: Sequence[ModelScores]) -> list[ModelScores]:
    """The runs in the order of their steps, if they are of one series; else none."""
    if len({run.series for run in runs}) > 1 or not runs[0].series:
        return []
    return sorted(runs, key=lambda run: (run.step is None, run.step or 0))


def with_unique_names(runs: Sequence[ModelScores]) -> list[ModelScores]:
    """The runs with names that differ."""
    names = run_names([run.run for run in runs])
    return [replace(run, name=name) for run, name in zip(runs, names, strict=True)]


def same_weights(runs: Sequence[ModelScores]) -> Iterator[str]:
    """Notes on runs of several names whose models have the same weights."""
    by_digest: dict[str, list[str]] = {}
    for run in runs:
        if digest := run.facts.get("weights_sha256"):
            key = f"{digest} {[run.facts.get(key) for key in [*MARKS][1:]]}"
            by_digest.setdefault(key, []).append(run.name)
    for names in by_digest.values():
        if len(names) > 1:
            yield f"the same weights: {', '.join(names)}"


def score_table(runs: Sequence[ModelScores], *, detailed: bool = False) -> CrossTable:
    """One table of models by suites or sets, with chance as its last row if it is known.

    Suites have a mean, over those that all runs have. Of minimal pairs there is none: sets have
    averages of their own. With ``detailed`` columns are predictions, or sets and their UIDs.
    """
    scores = [run.scores(detailed=detailed) for run in runs]
    parts = list(dict.fromkeys(part for row in scores for part in row))
    shared = [part for part in parts if all(part in row for row in scores)]
    has_mean = not detailed and len(shared) > 1 and all(run.kind == "suites" for run in runs)
    averaged = shared if has_mean else []
    rows = [CrossLabel(run.name) for run in runs]
    cells = [
        _row({part: score.score for part, score in row.items()}, parts, averaged) for row in scores
    ]
    chances = _chances(scores, parts)
    if chances is not None:
        rows.append(CrossLabel(CHANCE, is_fixed=True))
        cells.append(_row(chances, parts, averaged))
    columns = [CrossLabel(MEAN, is_fixed=True)] if has_mean else []
    columns += map(CrossLabel, parts)
    return CrossTable("model", tuple(rows), tuple(columns), tuple(cells))


def _chances(
    scores: Sequence[Mapping[str, Score]], parts: Sequence[str]
) -> dict[str, float | None] | None:
    """The chance of each part that has one; None if no run says it, as other programs do not."""
    chances = {part: {row[part].chance for row in scores if part in row} for part in parts}
    if all(known == {None} for known in chances.values()):
        return None
    return {part: next(iter(known)) for part, known in chances.items() if len(known) == 1}


def _row(
    scores: Mapping[str, float | None], parts: Sequence[str], averaged: Sequence[str]
) -> tuple[CrossCell, ...]:
    mean = [_mean([scores.get(part) for part in averaged])] if averaged else []
    return (*mean, *(_entry(scores.get(part)) for part in parts))


def kind_of_columns(runs: Sequence[ModelScores], *, detailed: bool) -> str:
    """The heading of the columns of a table."""
    kinds = {run.kind for run in runs}
    return COLUMNS[kinds.pop() if len(kinds) == 1 else ""][detailed]


def notes_of_table(runs: Sequence[ModelScores]) -> Iterator[str]:
    """Notes on a table: what was not scored, what its mean is over, and equal weights."""
    parts = {part for run in runs for part in run.parts}
    shared = [part for part in parts if all(part in run.parts for run in runs)]
    if 1 < len(shared) < len(parts) and all(run.kind == "suites" for run in runs):
        yield f"the mean is over the {len(shared)} of {len(parts)} suites that all models have"
    limited: dict[str, list[str]] = {}
    for run in runs:
        if scored := [f"{name} ({score.part})" for name, score in run.parts.items() if score.part]:
            limited.setdefault(listed(scored, NAMED), []).append(run.name)
    for scored_parts, names in limited.items():
        prefix = "" if len(names) == len(runs) else f"{listed(names, NAMED)}: "
        yield f"{prefix}only a part was scored: {scored_parts}"
    yield from same_weights(runs)


def _mean(values: Sequence[float | None]) -> CrossCell:
    present = [value for value in values if value is not None]
    if len(present) < len(values):
        return CrossCell()
    mean = statistics.fmean(present)
    return CrossCell(f"{mean:.3f}", f"{100 * mean:.1f}", mean)


def _entry(value: float | None) -> CrossCell:
    return CrossCell() if value is None else CrossCell(f"{value:.3f}", f"{100 * value:.0f}", value)
