"""Reading the folder of a run over minimal pairs: ``scores.json`` and ``pairs.csv``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.step import spaced
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.pairs.pair_results import GROUPED, RIGHT
from evalmark.scoring.quality import notes_of
from evalmark.scoring.reports.suites.suite_run_folder import Origin, details_of, origin_of
from evalmark.scoring.runs.run_files import (
    LEFT_OUT,
    SCORES,
    any_scores_of,
    is_of_pairs,
    reading_folder,
    scored_part,
)
from evalmark.scoring.runs.run_tables import PAIRS, table_rows


class TextView(NamedTuple):
    """A text, and what precedes it and does not count."""

    context: str
    text: str


class ContestView(NamedTuple):
    """A pair under a model.

    Attributes:
        name: What its row is called.
        texts: Its texts, the right one first.
        outcome: As in ``pairs.csv``.
        worse: By how much the right text is worse than the best other one; None if undefined.
        rival: The place of that other one.
    """

    name: str
    texts: tuple[TextView, ...]
    outcome: str
    worse: float | None
    rival: int

    @property
    def fails(self) -> bool:
        """True if the right text is not preferred."""
        return self.outcome != RIGHT


@dataclass(frozen=True, slots=True)
class Score:
    """An accuracy, or the correlation with people's ratios; None if nothing counts.

    The score of a UID counts pairs; that of an average does not say how many are right.
    """

    score: float | None
    interval: tuple[float, float] | None
    chance: float
    is_correlation: bool
    items: int
    uids: int = 1
    right: int = 0
    ties: int = 0
    impossible: int = 0
    part: str = ""  # the part of its pairs that was scored, if a limit left some out

    @property
    def is_below_chance(self) -> bool:
        """True if its interval is below chance."""
        return self.interval is not None and self.interval[1] < self.chance

    @property
    def has_failures(self) -> bool:
        """True if not all pairs are right."""
        return not self.is_correlation and self.right < self.items


@dataclass(frozen=True, slots=True)
class UidView:
    """The pairs of a UID, and what came out of them."""

    label: str
    set: str
    method: str
    labels: Mapping[str, str]  # field, term, language
    score: Score
    contests: tuple[ContestView, ...]  # those that count, in order


@dataclass(frozen=True, slots=True)
class PairRunView:
    """A run over minimal pairs: its model, its settings, its UIDs, and averages over them."""

    model: str
    details: Mapping[str, str]
    uids: tuple[UidView, ...]
    averages: Mapping[tuple[str, str, str], Score]  # set, label, value; no label is all of a set
    origin: Origin
    notes: tuple[str, ...] = ()  # doubts about its values


def is_pair_run(path: Path) -> bool:
    """True for the folder of a run over minimal pairs, and for its ``scores.json``."""
    try:
        return is_of_pairs(any_scores_of(_folder(path)))
    except (OSError, ValueError, RecursionError, ScoringError):
        return False  # the page of suites says what is wrong


def read_pairs(path: Path) -> PairRunView:
    """Read the folder of a run over minimal pairs."""
    folder = _folder(path)
    with reading_folder(folder):
        data = any_scores_of(folder)
        contests = {
            label: tuple(map(_contest, _by_name(rows)))
            for label, rows in groupby(table_rows(folder / PAIRS), lambda row: row["uid"])
        }
        return PairRunView(
            spaced(data["model"]["id"]),
            details_of(data),
            tuple(_uid(uid, contests.get(uid["label"], ())) for uid in data["uids"]),
            {_key(average): score_from(average) for average in data["averages"]},
            origin_of(folder, data, data["uids"]),
            notes_of({Path(spaced(file["path"])).name: file for file in data["pair_files"]}),
        )


def _folder(path: Path) -> Path:
    return path.parent if path.name == SCORES else path


def _by_name(rows: Iterable[Mapping[str, str]]) -> Iterable[list[Mapping[str, str]]]:
    """The rows of each contest: its first one is side 0."""
    group: list[Mapping[str, str]] = []
    for row in rows:
        if row["side"] == "0" and group:
            yield group
            group = []
        group.append(row)
    yield group


def _contest(rows: Sequence[Mapping[str, str]]) -> ContestView:
    texts = tuple(TextView(row["context"], row["text"]) for row in rows)
    scores = [float(row["score"]) for row in rows if row["score"]]
    if len(scores) < len(rows):
        return ContestView(rows[0]["item"], texts, rows[0]["outcome"], None, 1)
    best = min(scores[1:])
    worse, rival = scores[0] - best, scores.index(best, 1)
    return ContestView(rows[0]["item"], texts, rows[0]["outcome"], worse, rival)


def _uid(data: Mapping[str, Any], contests: Sequence[ContestView]) -> UidView:
    counted = set(data["item_ids"])
    labels = {key: spaced(data["labels"][key]) for key in GROUPED if data["labels"].get(key)}
    return UidView(
        spaced(data["label"]),
        spaced(data["set"]),
        str(data["method"]),
        labels,
        score_from(data),
        tuple(contest for contest in contests if contest.name in counted),
    )


def _key(data: Mapping[str, Any]) -> tuple[str, str, str]:
    return spaced(data["set"]), spaced(data["label"] or ""), spaced(data["value"] or "")


def score_from(data: Mapping[str, Any]) -> Score:
    """The score of a UID, or an average. A UID lists its ties; an average has their number."""
    is_correlation = "correlation" in data
    score = data["correlation" if is_correlation else "accuracy"]
    low, high = data["interval"] or (None, None)
    return Score(
        None if score is None else float(score),
        None if low is None or high is None else (float(low), float(high)),
        0.0 if is_correlation else float(data["chance"]),
        is_correlation,
        int(data["items"]),
        int(data.get("uids", 1)),
        int(data.get("right", 0)),
        _count(data.get("ties", 0)),
        _count(data.get("impossible", 0)),
        scored_part(int(data["items"]), int(data.get(LEFT_OUT, 0)), "pairs"),
    )


def _count(listing: Sequence[Any] | int) -> int:
    return listing if isinstance(listing, int) else len(listing)
