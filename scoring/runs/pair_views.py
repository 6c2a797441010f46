"""Runs over minimal pairs, as pages, tables and notebooks see them: UIDs, contests, averages."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import PurePath
from typing import Any, NamedTuple

from evalmark.converters.records.run import Result, Run, Sample
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.compared_run import NOT_COMPARED
from evalmark.scoring.doubts import notes_of
from evalmark.scoring.pairs.pair_averages import (
    GROUPED,
    IMPOSSIBLE,
    RIGHT,
    Counts,
    SetAverage,
    averages,
    counts_of,
    even_chance,
)
from evalmark.scoring.runs.run_origin import RunOrigin, facts_of, origin_of, viewing
from evalmark.scoring.runs.scores import RIGHT as RIGHT_ITEMS
from evalmark.scoring.runs.scores import Score, require_counts, require_once, score_of, scored_part
from evalmark.scoring.suites.chance import NEVER, Chance
from evalmark.validator.formats.pairs.pair_sets import NEVER_RIGHT

#: The result that the samples of a correlation belong to.
SHARES = "share"
#: The detail of a run's source that lists its files.
PAIR_FILES = "files"


class TextView(NamedTuple):
    """A text, and what precedes it and does not count."""

    context: str
    text: str


class ContestView(NamedTuple):
    """A pair under a model."""

    name: str  # what its row is called
    texts: tuple[TextView, ...]  # its texts, the right one first
    outcome: str  # ``right``, ``wrong``, ``tie``, …; empty where no text is the right one
    is_right: bool  # whether it counts as right
    scores: tuple[float | None, ...]  # of each text; less is better
    bits: tuple[float | None, ...]  # the surprisal of each text
    counts: tuple[int, ...]  # how many tokens of each count
    labels: Mapping[str, str]  # further facts about its row, such as its field
    ties: str  # how equal scores count
    path: str  # its file
    tokens: str  # JSON with the tokens of each text; empty if they are not known

    @property
    def chance(self) -> Fraction:
        """The probability that a model is right for which every text is as likely."""
        if self.outcome == IMPOSSIBLE:
            return Fraction(self.ties != NEVER_RIGHT)
        return even_chance(len(set(self.texts)))

    @property
    def fails(self) -> bool:
        """True if the right text is not preferred."""
        return self.outcome != RIGHT

    @property
    def rival(self) -> int:
        """The place of the wrong text with the best score; the first one if none has a score."""
        wrong = enumerate(self.scores[1:], 1)
        return min(wrong, key=lambda other: math.inf if other[1] is None else other[1])[0]

    @property
    def worse(self) -> float | None:
        """By how much the right text is worse than the best other one; None if undefined."""
        first, *others = self.scores
        numbers = [score for score in others if score is not None]
        return None if first is None or len(numbers) < len(others) else first - min(numbers)


@dataclass(frozen=True)
class UidView:
    """The pairs of a UID, and what came out of them."""

    label: str  # its name, unique in the run
    uid: str  # its name
    set: str  # the set that it belongs to
    method: str  # how its texts are scored
    path: str  # its first file
    labels: Mapping[str, str]  # field, term and language, where all of its pairs share them
    contests: tuple[ContestView, ...]  # its pairs
    score: Score  # its accuracy, or Spearman's correlation with people's ratios

    @property
    def is_correlated(self) -> bool:
        """True if it is compared with people's ratios, and has no right and wrong."""
        return self.score.is_signed

    @property
    def correlation(self) -> float | None:
        """The correlation; None if it is undefined, or if there is none."""
        return self.score.score if self.is_correlated else None

    @property
    def correlation_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the correlation."""
        return self.score.interval if self.is_correlated else None

    @property
    def file(self) -> str:
        """The name of its first file, without the ending."""
        return PurePath(self.path).name.partition(".")[0]

    @cached_property
    def counts(self) -> Counts:
        """The numbers of outcomes."""
        return counts_of(self.contests)

    def named(self, *outcomes: str) -> list[str]:
        """The pairs with one of some outcomes, by name."""
        return [contest.name for contest in self.contests if contest.outcome in outcomes]


@dataclass(frozen=True)
class PairRunView:
    """A run over minimal pairs: its model, what its numbers depend on, its UIDs."""

    model: str
    details: Mapping[str, str]
    uids: tuple[UidView, ...]
    origin: RunOrigin
    notes: tuple[str, ...]  # doubts about its values
    run: Run
    left_out: Mapping[str, int]

    @property
    def has_tokens(self) -> bool:
        """True if the tokens of its texts are known."""
        return all(pair.tokens for uid in self.uids for pair in uid.contests)

    @cached_property
    def means(self) -> list[SetAverage]:
        """The averages over the UIDs of each set, and over those that share a label."""
        return averages(self.uids, self.left_out)

    @cached_property
    def averages(self) -> Mapping[tuple[str, str, str], Score]:
        """Set, label and value -> the average over UIDs; no label is all of a set."""
        return {(mean.set, mean.label, mean.value): _score_of(mean) for mean in self.means}


def _score_of(mean: SetAverage) -> Score:
    counts = mean.counts
    return Score(
        mean.score,
        mean.interval,
        Chance(mean.chance),
        counts.items,
        mean.is_correlation,
        mean.uids,
        counts.right,
        counts.ties,
        counts.exact_ties,
        counts.impossible,
        scored_part(counts.items, mean.left_out, "pairs"),
    )


def is_of_pairs(result: Result) -> bool:
    """True for a result of the pairs of a UID that evalmark scored."""
    return "impossible_pairs" in result.details or _is_share(result)


def _is_share(result: Result) -> bool:
    return NOT_COMPARED in result.details and "set" in result.dataset.details


def label_of_uid(result: Result) -> str:
    """The name of a result's UID, unique in its run."""
    return result.name.removesuffix(f"/{SHARES}") if _is_share(result) else result.name


def pair_run(run: Run) -> PairRunView:
    """A run over minimal pairs; raises ScoringError if it has no samples of such a run."""
    with viewing(run):
        return _view(run)


def _view(run: Run) -> PairRunView:
    by_name = {result.name: result for result in run.results}
    results = {result.name: result for result in run.results if is_of_pairs(result)}
    prefixes = {name: f"{label_of_uid(result)}/" for name, result in results.items()}
    contests: dict[str, list[ContestView]] = {name: [] for name in results}
    read = _PairReader(run)
    for sample in run.samples:
        if (result := results.get(sample.result)) is not None:
            contest = read.contest(sample, result, prefixes[sample.result])
            contests[sample.result].append(contest)
    uids = tuple(_uid(run, result, contests[result.name], by_name) for result in results.values())
    files: list[dict[str, Any]] = json.loads(run.producer.details.get(PAIR_FILES, "[]"))
    left_out = Counter[str]()
    for file in files:
        left_out[file["set"]] += file["left_out"]
    doubts = {PurePath(file["path"]).name: file for file in files}
    origin = origin_of(run, [uid.label for uid in uids], [uid.uid for uid in uids])
    view = PairRunView(run.model.id, facts_of(run), uids, origin, notes_of(doubts), run, left_out)
    for mean in view.means:
        if not mean.label and (result := by_name.get(f"{mean.set}/average")):
            require_counts(result, {**_counted(mean.counts), "uids": mean.uids})
    return view


def _uid(
    run: Run, result: Result, contests: Sequence[ContestView], by_name: Mapping[str, Result]
) -> UidView:
    if not contests:
        raise ScoringError(f"{run.path or result.name}: {result.name} has no samples")
    label = label_of_uid(result)
    if not _is_share(result):
        score = score_of(result, RIGHT_ITEMS)
    else:
        score = score_of(by_name[label]) if label in by_name else undefined_correlation(result)
    require_once(result, [contest.name for contest in contests])
    view = UidView(
        label,
        result.dataset.name,
        result.dataset.details["set"],
        run.settings_of(result)["method"],
        result.dataset.details.get("path", ""),
        {key: result.details[key] for key in GROUPED if result.details.get(key)},
        tuple(contests),
        score,
    )
    counts = {"items": len(contests)} if _is_share(result) else _counted(view.counts)
    require_counts(result, counts)
    return view


def _counted(counts: Counts) -> dict[str, int]:
    return {
        RIGHT_ITEMS: counts.right,
        "items": counts.items,
        "ties": counts.ties,
        "exact_ties": counts.exact_ties,
        "impossible": counts.impossible,
        "undefined": counts.undefined,
    }


def undefined_correlation(share: Result) -> Score:
    """The score of a UID that has a result of shares, and no correlation."""
    score = score_of(share)
    return replace(score, score=None, interval=None, exact_chance=NEVER, is_signed=True)


#: Metadata of a sample that is not a label.
_OWN = frozenset(
    {"method", "outcome", "surprisals", "scores", "tokens", "starts", "decided_by_rounding",
     "ratio", "path", "token_surprisals"}
)  # fmt: skip


class _PairReader:
    """Reads the pairs of a run; most pairs of a set have the same few labels."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._keys: dict[tuple[str, ...], tuple[str, ...]] = {}  # of metadata -> of labels
        self._labels: dict[tuple[str, ...], Mapping[str, str]] = {}

    def contest(self, sample: Sample, result: Result, prefix: str) -> ContestView:
        metadata = sample.metadata
        # One call, since there are many pairs.
        scores, bits, counts, starts = json.loads(
            f"[{metadata['scores']},{metadata['surprisals']},{metadata['tokens']},"
            f"{metadata.get('starts', '[]')}]"
        )
        texts = zip(sample.choices, starts or [0] * len(scores), strict=True)
        return ContestView(
            sample.id.removeprefix(prefix),
            tuple([TextView(text[:start], text[start:]) for text, start in texts]),
            metadata.get("outcome", ""),
            self._run.score_of(sample) == 1,
            tuple(scores),
            tuple(bits),
            tuple(counts),
            self._labels_of(metadata),
            result.details.get("impossible_pairs", NEVER_RIGHT),
            metadata.get("path") or result.dataset.details.get("path", ""),
            metadata.get("token_surprisals", ""),
        )

    def _labels_of(self, metadata: Mapping[str, str]) -> Mapping[str, str]:
        every = tuple(metadata)
        keys = self._keys.get(every)
        if keys is None:
            keys = self._keys[every] = tuple(key for key in every if key not in _OWN)
        texts = (*keys, *[metadata[key] for key in keys])
        labels = self._labels.get(texts)
        if labels is None:
            labels = self._labels[texts] = {key: metadata[key] for key in keys}
        return labels
