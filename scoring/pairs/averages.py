"""Averages over the UIDs of a set, as the set defines them, and over those that share a label."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evalmark.converters.statistics.proportions import average_interval
from evalmark.scoring.pairs.judging import JudgedContest
from evalmark.scoring.pairs.results import Counts, PairScores, UidResult, counts_of
from evalmark.validator.formats.pairs.pair_sets import SETS

#: Labels that have averages of their own, in the order of tables.
GROUPED = ("field", "term", "language")
#: Set -> what its UIDs are averaged over first. BabyLM's average of entity tracking is one over the
#: files, of which each has a UID for each number of operations.
_PARTS: Mapping[str, Callable[[UidResult], str]] = {"entity-tracking": lambda uid: uid.file}


@dataclass(frozen=True, slots=True)
class SetAverage:
    """The average over the UIDs of a set, or over those of their contests that share a label.

    Attributes:
        set: The set.
        label: ``field``, ``term`` or ``language``; empty for all.
        value: Its value.
        uids: How many UIDs there are.
        score: Their mean as the set defines it: of accuracies, or of correlations.
        interval: Its 95 % interval, if that is known.
        chance: The same mean of their chances.
        counts: All contests together.
    """

    set: str
    label: str
    value: str
    uids: int
    score: float
    interval: tuple[float, float] | None
    chance: Fraction
    counts: Counts

    @property
    def is_correlation(self) -> bool:
        """Whether it is one of correlations."""
        return bool(SETS[self.set].ratio)

    @property
    def averaged(self) -> str:
        """How the UIDs are averaged, in words."""
        whole = f"{self.uids} UID{'s'[: self.uids - 1]}"
        if self.set in _PARTS:
            return f"mean over files of means over {whole}"
        return f"mean over {whole}"


def averages(scores: PairScores) -> list[SetAverage]:
    """For each set, the average over each value of its labels, and then over all its UIDs."""
    found: list[SetAverage | None] = []
    for of in dict.fromkeys(uid.set for uid in scores.uids):
        uids = [uid for uid in scores.uids if uid.set == of]
        if uids[0].is_correlated:
            found.append(_mean_correlation(of, uids))
            continue
        for label in GROUPED:
            cells = _cells(uids, label)
            if len(cells) > 1:
                found += [_average(of, label, value, cells[value]) for value in sorted(cells)]
        found += [_average(of, "", value, cell) for value, cell in _cells(uids, "").items()]
    return [average for average in found if average is not None]


#: UIDs, and those of their contests that share a label.
_Cells = list[tuple[UidResult, list[JudgedContest]]]


def _cells(uids: Sequence[UidResult], label: str) -> dict[str, _Cells]:
    """Value of a label -> the contests that have it, by UID; all of them have an empty label."""
    found: dict[str, _Cells] = {}
    for uid in uids:
        own: dict[str, list[JudgedContest]] = {}
        for number in uid.counted:
            contest = uid.contests[number]
            value = contest.source.labels.get(label, "") if label else ""
            own.setdefault(value, []).append(contest)
        for value, contests in own.items():
            if value or not label:
                found.setdefault(value, []).append((uid, contests))
    return found


def _average(of: str, label: str, value: str, cells: _Cells) -> SetAverage:
    counts = [counts_of(contests) for _, contests in cells]
    part = _PARTS.get(of, UidResult.own_label)
    sizes = Counter(part(uid) for uid, _ in cells)
    weights = [Fraction(1, len(sizes) * sizes[part(uid)]) for uid, _ in cells]
    floats = [float(weight) for weight in weights]
    shares = [count.right / count.items for count in counts]
    chances = [w * count.chance_share for w, count in zip(weights, counts, strict=True)]
    return SetAverage(
        of,
        label,
        value,
        len(cells),
        math.fsum(weight * share for weight, share in zip(floats, shares, strict=True)),
        average_interval(shares, [count.items for count in counts], floats),
        sum(chances, Fraction(0)),
        counts_of(contest for _, contests in cells for contest in contests),
    )


def _mean_correlation(of: str, uids: Sequence[UidResult]) -> SetAverage | None:
    known = [uid.correlation for uid in uids if uid.correlation is not None]
    if not known:
        return None
    mean = math.fsum(known) / len(known)
    interval = uids[0].correlation_interval if len(uids) == 1 else None
    counts = counts_of(contest for uid in uids for contest in uid.contests)
    return SetAverage(of, "", "", len(known), mean, interval, Fraction(0), counts)
