"""Outcomes of minimal pairs, counted and averaged: the same for scores and for runs in files."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Protocol

from evalmark.stats.intervals import average_interval, wilson_interval
from evalmark.validator.formats.pairs.pair_sets import set_named

RIGHT, WRONG = "right", "wrong"
#: Scores that are equal, and scores that rounding cannot tell apart.
EXACT_TIE, TIE = "exact tie", "tie"
#: A wrong text is the same as the right one.
IMPOSSIBLE = "impossible"
#: A surprisal is undefined.
UNDEFINED = "undefined"
TIES = (EXACT_TIE, TIE)


@cache
def even_chance(texts: int) -> Fraction:
    """The probability of one of some texts; one object for each number, which is fast to count."""
    return Fraction(1, texts)


class CountedContest(Protocol):
    """A contest as averages count it: of a model, or read from a record."""

    @property
    def labels(self) -> Mapping[str, str]:
        """Further facts about its row, such as its field."""

    @property
    def outcome(self) -> str:
        """``right``, ``wrong``, ``tie``, ``exact tie``, ``impossible`` or ``undefined``."""

    @property
    def is_right(self) -> bool:
        """True if the right text is better than all others."""

    @property
    def chance(self) -> Fraction:
        """The probability that a model is right for which every text is as likely."""


class AveragedUid(Protocol):
    """The contests of a paradigm as averages take them."""

    @property
    def label(self) -> str:
        """Its name, unique in the run."""

    @property
    def set(self) -> str:
        """The set that it belongs to."""

    @property
    def file(self) -> str:
        """The name of its first file, without the ending."""

    @property
    def contests(self) -> Sequence[CountedContest]:
        """All contests."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels that all of its contests share."""

    @property
    def is_correlated(self) -> bool:
        """True if it is compared with people's ratios, and has no right and wrong."""

    @property
    def correlation(self) -> float | None:
        """Spearman's correlation of the model's shares with people's ratios."""

    @property
    def correlation_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the correlation."""

    @property
    def counts(self) -> Counts:
        """The numbers of outcomes of all contests."""


#: The assumption about a model behind chance.
CHANCE = "every text is as likely to be preferred as the others"


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of outcomes of some contests."""

    items: int = 0
    right: int = 0
    ties: int = 0  # exact ones included
    exact_ties: int = 0
    impossible: int = 0
    undefined: int = 0
    chance: Fraction = Fraction(0)  # expected number of right ones

    @property
    def share(self) -> float | None:
        """The share that is right; None if there are none."""
        return self.right / self.items if self.items else None

    @property
    def chance_share(self) -> Fraction:
        """The expected share by chance."""
        return self.chance / self.items if self.items else Fraction(0)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the share."""
        return wilson_interval(self.right / self.items, self.items) if self.items else None


def counts_of(contests: Iterable[CountedContest]) -> Counts:
    """Count outcomes."""
    group = list(contests)
    outcomes = [contest.outcome for contest in group]
    chances = [contest.chance for contest in group]
    one_of = {id(chance): chance for chance in chances}  # few objects; a fraction is slow to hash
    return Counts(
        len(group),
        sum(contest.is_right for contest in group),
        sum(outcome in TIES for outcome in outcomes),
        outcomes.count(EXACT_TIE),
        outcomes.count(IMPOSSIBLE),
        outcomes.count(UNDEFINED),
        sum((n * one_of[key] for key, n in Counter(map(id, chances)).items()), Fraction(0)),
    )


#: Labels that have averages of their own, in the order of tables.
GROUPED = ("field", "term", "language")
#: Set -> what its UIDs are averaged over first. BabyLM's average of entity tracking is one over the
#: files, each of which has a UID for each number of operations.
_PARTS: Mapping[str, Callable[[AveragedUid], str]] = {"entity-tracking": lambda uid: uid.file}


@dataclass(frozen=True, slots=True)
class SetAverage:
    """The average over the UIDs of a set, or over those of their contests that share a label."""

    set: str  # the set
    label: str  # ``field``, ``term`` or ``language``; empty for all
    value: str  # its value
    uids: int  # how many UIDs there are
    score: float  # their mean as the set defines it: of accuracies, or of correlations
    interval: tuple[float, float] | None  # its 95 % interval, if that is known
    chance: Fraction  # the same mean of their chances
    counts: Counts  # all contests together
    #: How many more the UIDs have, which a limit leaves out; not known for a label.
    left_out: int = 0

    @property
    def is_correlation(self) -> bool:
        """True for an average of correlations."""
        return bool(set_named(self.set).ratio)

    @property
    def averaged(self) -> str:
        """The kind of average, in words."""
        whole = f"{self.uids} UID{'s'[: self.uids - 1]}"
        if self.set in _PARTS:
            return f"mean over files of means over {whole}"
        return f"mean over {whole}"


def averages(uids: Sequence[AveragedUid], left_out: Mapping[str, int]) -> list[SetAverage]:
    """For each set, the average over each value of its labels, and then over all its UIDs.

    ``left_out``: set -> how many contests a limit leaves out, also of UIDs that are not there.
    """
    means: list[SetAverage | None] = []
    for set_name in dict.fromkeys(uid.set for uid in uids):
        members = [uid for uid in uids if uid.set == set_name]
        more = left_out.get(set_name, 0)
        if members[0].is_correlated:
            means.append(_mean_correlation(set_name, members, more))
            continue
        for label in GROUPED:
            cells = _cells(members, label)
            if len(cells) > 1:
                means += [_average(set_name, label, value, cells[value]) for value in sorted(cells)]
        wholes = _cells(members, "").items()
        means += [_average(set_name, "", value, cell, more) for value, cell in wholes]
    return [average for average in means if average is not None]


#: UIDs, and those of their contests that share a label.
_Cells = list[tuple[AveragedUid, list[CountedContest]]]


def _cells(uids: Sequence[AveragedUid], label: str) -> dict[str, _Cells]:
    """Value of a label -> the contests that have it, by UID; all of them have an empty label."""
    cells: dict[str, _Cells] = {}
    for uid in uids:
        groups: dict[str, list[CountedContest]] = {}
        if not label or label in uid.labels:
            groups[uid.labels.get(label, "")] = [*uid.contests]
        else:
            for contest in uid.contests:
                groups.setdefault(contest.labels.get(label, ""), []).append(contest)
        for value, contests in groups.items():
            if value or not label:
                cells.setdefault(value, []).append((uid, contests))
    return cells


def _average(set_name: str, label: str, value: str, cells: _Cells, left_out: int = 0) -> SetAverage:
    counts = [
        uid.counts if len(contests) == len(uid.contests) else counts_of(contests)
        for uid, contests in cells
    ]
    part: Callable[[AveragedUid], str] = _PARTS.get(set_name, lambda uid: uid.label)
    sizes = Counter(part(uid) for uid, _ in cells)
    weights = [Fraction(1, len(sizes) * sizes[part(uid)]) for uid, _ in cells]
    floats = [float(weight) for weight in weights]
    shares = [count.right / count.items for count in counts]
    chances = [w * count.chance_share for w, count in zip(weights, counts, strict=True)]
    return SetAverage(
        set_name,
        label,
        value,
        len(cells),
        math.fsum(weight * share for weight, share in zip(floats, shares, strict=True)),
        average_interval(shares, [count.items for count in counts], floats),
        sum(chances, Fraction(0)),
        _sum(counts),
        left_out,
    )


def _sum(counts: Sequence[Counts]) -> Counts:
    return Counts(
        sum(part.items for part in counts),
        sum(part.right for part in counts),
        sum(part.ties for part in counts),
        sum(part.exact_ties for part in counts),
        sum(part.impossible for part in counts),
        sum(part.undefined for part in counts),
        sum((part.chance for part in counts), Fraction(0)),
    )


def _mean_correlation(
    set_name: str, uids: Sequence[AveragedUid], left_out: int
) -> SetAverage | None:
    correlations = [uid.correlation for uid in uids if uid.correlation is not None]
    if not correlations:
        return None
    mean = math.fsum(correlations) / len(correlations)
    interval = uids[0].correlation_interval if len(uids) == 1 else None
    counts = _sum([uid.counts for uid in uids])
    return SetAverage(
        set_name, "", "", len(correlations), mean, interval, Fraction(0), counts, left_out
    )
