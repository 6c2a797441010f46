"""The scores of many models, from their ``scores.json``, and one table of them."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evalmark.converters.step import spaced
from evalmark.scoring.comparison.gates import ALL, Measured, measured_mean
from evalmark.scoring.reports.comparison.cross_table import CrossCell, CrossLabel, CrossTable
from evalmark.scoring.reports.pairs.pair_folder import Score, score_from
from evalmark.scoring.reports.run_names import SETTINGS, names_apart
from evalmark.scoring.runs.run_files import (
    LEFT_OUT,
    SCORES,
    any_scores_of,
    is_of_pairs,
    reading_folder,
    scored_part,
)
from evalmark.stats.proportions import wilson_interval
from evalmark.validator.findings.phrasing import listed

#: The names of the column of means and of the row of chance.
MEAN, CHANCE = "mean", "chance"
#: Runs and suites that a note names.
NAMED = 3


@dataclass(frozen=True, slots=True)
class ModelScores:
    """The scores of a run.

    Attributes:
        name: The id of its model, or more where several runs have that.
        facts: What is known of the model and the settings, by name.
        folder: Its folder; None if it was not written.
        is_of_pairs: Whether it is a run over minimal pairs.
        parts: Suite or set -> its score: of all predictions, or the average over UIDs.
        details: Prediction (``suite/1``) or UID -> its score.
        groups: Field, term or language -> the average over its UIDs.
        series: Name of the series of checkpoints that it is of; empty if it is of none.
        step: Its step in that series; None if its name has none.
    """

    name: str
    facts: Mapping[str, str]
    folder: Path | None
    is_of_pairs: bool
    parts: Mapping[str, Score]
    details: Mapping[str, Score]
    groups: Sequence[tuple[str, Score]]
    series: str = ""
    step: int | None = None

    def scores(self, *, detailed: bool) -> Mapping[str, Score]:
        """The scores that a table shows: of suites or sets, or with those of their parts."""
        if not detailed:
            return self.parts
        averages = {f"{name} (average)": score for name, score in self.parts.items()}
        return {**averages, **self.details} if self.is_of_pairs else self.details


def read_scores(path: Path) -> ModelScores:
    """The scores of a run's folder, or of its ``scores.json``; a ScoringError if they are none."""
    folder = path.parent if path.name == SCORES else path
    with reading_folder(folder):
        return scores_from(any_scores_of(folder), folder)


def scores_from(data: Mapping[str, Any], folder: Path | None) -> ModelScores:
    """The scores of parsed ``scores.json``; its folder, if it was written."""
    facts = {
        key: spaced(value)
        for part in ("model", "settings")
        for key, value in data[part].items()
        if isinstance(value, str)
    }
    of_pairs = is_of_pairs(data)
    if of_pairs:
        parts = {spaced(a["set"]): score_from(a) for a in data["averages"] if not a["label"]}
        details = {spaced(uid["label"]): score_from(uid) for uid in data["uids"]}
        groups = [(spaced(a["value"]), score_from(a)) for a in data["averages"] if a["label"]]
    else:
        groups = []
        suites = [suite for suite in data["suites"] if suite["predictions"]]
        parts = {_label(suite): _of_suite(suite) for suite in suites}
        details = {
            f"{_label(suite)}/{name}": _accuracy(prediction)
            for suite in suites
            for name, prediction in _predictions(suite)
        }
    series = data.get("series") or {}
    return ModelScores(
        spaced(data["model"]["id"]), facts, folder, of_pairs, parts, details, groups,
        series.get("name", ""), series.get("step"),
    )  # fmt: skip


def measured(run: ModelScores) -> list[Measured]:
    """The scores of a run that can have a floor; ``all`` is the mean over suites or sets."""
    named = [*run.parts.items(), *run.groups, *run.details.items()]
    of = f"{len(run.parts)} {'set' if run.is_of_pairs else 'suite'}{'s'[: len(run.parts) != 1]}"
    values = [score.score for score in run.parts.values() if score.score is not None]
    return [
        measured_mean((ALL,), f"mean over {of}", values),
        *(Measured((name,), name, score.score, score.interval) for name, score in named),
    ]


def in_series(runs: Sequence[ModelScores]) -> list[ModelScores]:
    """The runs in the order of their steps, if they are of one series; else none."""
    if len({run.series for run in runs}) > 1 or not runs[0].series:
        return []
    return sorted(runs, key=lambda run: (run.step is None, run.step or 0))


def _label(suite: Mapping[str, Any]) -> str:
    return spaced(suite["label"])


def _predictions(suite: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, prediction in enumerate(suite["predictions"], 1):
        yield str(number), prediction
    if len(suite["predictions"]) > 1:
        yield "all", suite["conjunction"]


def _accuracy(data: Mapping[str, Any]) -> Score:
    correct, items = int(data["correct"]), int(data["items"])
    share = correct / items
    interval = wilson_interval(share, items)
    return Score(share, interval, float(data["chance"]), False, items, right=correct)


def _of_suite(data: Mapping[str, Any]) -> Score:
    part = scored_part(int(data["items"]), int(data.get(LEFT_OUT, 0)), "items")
    return replace(_accuracy(data["conjunction"]), part=part)


def told_apart(runs: Sequence[ModelScores]) -> list[ModelScores]:
    """The runs with names that differ."""
    names = names_apart(
        [run.name for run in runs],
        [run.facts for run in runs],
        ["" if run.folder is None else run.folder.name for run in runs],
    )
    return [replace(run, name=name) for run, name in zip(runs, names, strict=True)]


def same_weights(runs: Sequence[ModelScores]) -> Iterator[str]:
    """Notes on runs of several names whose models have the same weights."""
    by_digest: dict[str, list[str]] = {}
    for run in runs:
        if digest := run.facts.get("weights_sha256"):
            key = f"{digest} {[run.facts.get(key) for key in [*SETTINGS][1:]]}"
            by_digest.setdefault(key, []).append(run.name)
    for names in by_digest.values():
        if len(names) > 1:
            yield f"the same weights: {', '.join(names)}"


def score_table(runs: Sequence[ModelScores], *, detailed: bool = False) -> CrossTable:
    """One table of models by suites or sets, with chance as its last row.

    Suites have a mean, over those that all runs have. Of minimal pairs there is none: sets have
    averages of their own.

    Args:
        runs: The runs, whose names differ.
        detailed: Whether columns are predictions, or sets and their UIDs.
    """
    scores = [run.scores(detailed=detailed) for run in runs]
    parts = list(dict.fromkeys(part for row in scores for part in row))
    shared = [part for part in parts if all(part in row for row in scores)]
    has_mean = not detailed and len(shared) > 1 and not any(run.is_of_pairs for run in runs)
    rows = [
        [*([_mean([row[part].score for part in shared])] if has_mean else []),
         *(_entry(row[part].score if part in row else None) for part in parts)]
        for row in scores
    ]  # fmt: skip
    chances = {part: {row[part].chance for row in scores if part in row} for part in parts}
    common = {part: next(iter(of)) if len(of) == 1 else None for part, of in chances.items()}
    last = [_entry(common[part]) for part in parts]
    mean_of_chance = [_mean([common[part] for part in shared])] if has_mean else []
    return CrossTable(
        "model",
        (*(CrossLabel(run.name) for run in runs), CrossLabel(CHANCE, is_fixed=True)),
        (*([CrossLabel(MEAN, is_fixed=True)] if has_mean else []), *map(CrossLabel, parts)),
        (*map(tuple, rows), (*mean_of_chance, *last)),
    )


def kind_of_columns(runs: Sequence[ModelScores], *, detailed: bool) -> str:
    """The heading of the columns of a table."""
    if runs[0].is_of_pairs:
        return "UID" if detailed else "set"
    return "prediction" if detailed else "suite"


def notes_of_table(runs: Sequence[ModelScores]) -> Iterator[str]:
    """Notes on a table: what was not scored, what its mean is over, and equal weights."""
    parts = {part for run in runs for part in run.parts}
    shared = [part for part in parts if all(part in run.parts for run in runs)]
    if len(shared) < len(parts) and not any(run.is_of_pairs for run in runs):
        yield f"the mean is over the {len(shared)} of {len(parts)} suites that all models have"
    limited: dict[str, list[str]] = {}
    for run in runs:
        if scored := [f"{name} ({score.part})" for name, score in run.parts.items() if score.part]:
            limited.setdefault(listed(scored, NAMED), []).append(run.name)
    for scored_parts, names in limited.items():
        of = "" if len(names) == len(runs) else f"{listed(names, NAMED)}: "
        yield f"{of}only a part was scored: {scored_parts}"
    yield from same_weights(runs)


def _mean(values: Sequence[float | None]) -> CrossCell:
    present = [value for value in values if value is not None]
    if len(present) < len(values):
        return CrossCell()
    mean = statistics.fmean(present)
    return CrossCell(f"{mean:.3f}", f"{100 * mean:.1f}", mean)


def _entry(value: float | None) -> CrossCell:
    return CrossCell() if value is None else CrossCell(f"{value:.3f}", f"{100 * value:.0f}", value)
