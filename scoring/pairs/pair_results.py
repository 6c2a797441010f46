"""Results of minimal pairs: which side a model prefers, results of UIDs, and averages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from pathlib import PurePath
from typing import NamedTuple, Protocol

from evalmark.schemas.errors import UndefinedValue
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.named_settings import OUR_READING, PairReading
from evalmark.scoring.pairs.load_pairs import LoadedContest, LoadedPairs
from evalmark.scoring.pairs.text_scores import ScoredText, TextTokens, error_in_tokens, score_of
from evalmark.scoring.quality import Doubts
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.surprisals.compute import Computed
from evalmark.scoring.surprisals.rounding import Rounding
from evalmark.stats.correlations import spearman, spearman_interval
from evalmark.stats.proportions import average_interval, wilson_interval
from evalmark.validator.findings.report import Unused
from evalmark.validator.formats.pairs.pair_sets import NEVER_RIGHT, SETS, set_named

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


class JudgedContest(NamedTuple):
    """A contest under a model.

    Attributes:
        file: Its file.
        source: The contest as it was loaded.
        outcome: ``right``, ``wrong``, ``tie``, ``exact tie``, ``impossible`` or ``undefined``.
        scores: Of each side, in the unit of the method; less is better.
        bits: Surprisal of each side.
        tokens: How many tokens of each side count.
        ties: How equal scores count.
    """

    file: LoadedPairs
    source: LoadedContest
    outcome: str
    scores: tuple[float | None, ...]
    bits: tuple[float | None, ...]
    tokens: tuple[int, ...]
    ties: str = NEVER_RIGHT

    @property
    def labels(self) -> Mapping[str, str]:
        """Further facts about its row, such as its field."""
        return self.source.labels

    @property
    def is_right(self) -> bool:
        """True if the right text is better than all others by more than rounding.

        Where the first of equal scores is right, rounding does not matter.
        """
        if self.ties == NEVER_RIGHT or self.outcome == UNDEFINED:
            return self.outcome == RIGHT
        return self.first_best == 0

    @property
    def first_best(self) -> int | None:
        """The first side with the best score, as programs choose; None if one is undefined."""
        scores = [score for score in self.scores if score is not None]
        return scores.index(min(scores)) if len(scores) == len(self.scores) else None

    @property
    def chance(self) -> Fraction:
        """The probability that a model is right for which every text is as likely."""
        if self.outcome == IMPOSSIBLE:
            return Fraction(self.ties != NEVER_RIGHT)
        return even_chance(len(set(self.source.sides)))

    @property
    def is_tie(self) -> bool:
        """True if no text is wrong by more than rounding, and the right one is not better."""
        return self.outcome in TIES


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
    def is_correlated(self) -> bool:
        """True if it is compared with people's ratios, and has no right and wrong."""

    @property
    def correlation(self) -> float | None:
        """Spearman's correlation of the model's shares with people's ratios."""

    @property
    def correlation_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the correlation."""


class Judge(NamedTuple):
    """The rules that decide contests.

    Attributes:
        rounding: By how much values can be off.
        shares: Whether equal beginnings have the same values, as with causal models.
        undefined: ``refuse`` a file with undefined values, or count them as ``false``.
        ties: How equal scores count.
    """

    rounding: Rounding
    shares: bool
    undefined: str
    ties: str = NEVER_RIGHT

    def contests_of(
        self, file: LoadedPairs, scored: Sequence[ScoredText]
    ) -> Sequence[JudgedContest]:
        """The contests of a file, whose texts are scored.

        Raises:
            UndefinedValue: A surprisal is undefined, and that is refused.
        """
        return [self._judged(file, contest, scored) for contest in file.contests]

    def _judged(
        self, file: LoadedPairs, contest: LoadedContest, scored: Sequence[ScoredText]
    ) -> JudgedContest:
        sides = [scored[side] for side in contest.sides]
        scores = tuple(score_of(side, file.method) for side in sides)
        outcome = self._outcome(file, contest, sides, scores)
        if outcome == UNDEFINED and self.undefined == "refuse":
            raise UndefinedValue(
                f"{file.path}: the surprisal of a text of item {contest.item} is undefined: "
                + _cause(next(side for side in sides if side.bits is None)),
                argument="undefined",
            )
        return JudgedContest(
            file, contest, outcome, scores,
            tuple(side.bits for side in sides), tuple(side.tokens for side in sides), self.ties,
        )  # fmt: skip

    def _outcome(
        self,
        file: LoadedPairs,
        contest: LoadedContest,
        sides: Sequence[ScoredText],
        scores: Sequence[float | None],
    ) -> str:
        if contest.is_impossible:
            return IMPOSSIBLE
        numbers = [score for score in scores if score is not None]
        if len(numbers) < len(scores):
            return UNDEFINED
        outcomes = {RIGHT}
        for side, score in zip(sides[1:], numbers[1:], strict=True):
            error = error_in_tokens(sides[0], side, file.method, shares=self.shares)
            better = score - numbers[0]
            if abs(better) <= self.rounding.of([error]):
                outcomes.add(TIE if better else EXACT_TIE)
            elif better < 0:
                return WRONG
        return next(outcome for outcome in (TIE, EXACT_TIE, RIGHT) if outcome in outcomes)


class JudgedPairs(NamedTuple):
    """A file of minimal pairs under a model.

    Attributes:
        file: The file.
        contests: Its contests, in their order.
        doubts: The doubts about it.
        tokens: Those of each of its texts.
    """

    file: LoadedPairs
    contests: Sequence[JudgedContest]
    doubts: Doubts
    tokens: Sequence[TextTokens]


#: The assumption about a model behind chance.
CHANCE = "every text is as likely to be preferred as the others"


@dataclass(frozen=True, slots=True)
class PairSettings:
    """The choices that results of minimal pairs depend on.

    Attributes:
        tokens: How texts become surprisals.
        method: How they become scores; the method of each set if None.
        ties: How equal scores count.
        reading: How rows are read.
    """

    tokens: Settings
    method: str | None = None
    ties: str = NEVER_RIGHT
    reading: PairReading = OUR_READING

    def strings(self) -> dict[str, str]:
        """The settings by name, as a record lists them."""
        tokens = self.tokens
        return {
            "unit": "bits",
            "bos": tokens.bos,
            "first_token": tokens.first_token,
            "undefined": tokens.undefined,
            "eos": tokens.eos,
            "method": self.method or "of each set",
            "ties": self.ties,
            "impossible": self.ties,
            "tokens_of_a_text": "all that have a character of it",
            **tokens.named_strings(),
            **({"leading_space": _listed(self.reading.spaced)} if self.reading.spaced else {}),
        }


def _listed(sets: Collection[str]) -> str:
    return "all sets" if set(sets) == set(SETS) else ", ".join(sorted(sets))


def _cause(text: ScoredText) -> str:
    if not text.tokens:
        return "it has no tokens"
    if not text.first:
        return "its first token has no surprisal, since no BOS precedes it"
    return "a value is NaN or infinite"


class UidResult:
    """The contests that are averaged together: those of a paradigm.

    Attributes:
        label: Its name, unique in the run.
        uid: Its name.
        set: The set that it belongs to.
        method: How its texts are scored.
        file: The name of its first file, without the ending.
        contests: All contests.
        ids: The name of each, unique among them.
        left_out: How many more there are, which a limit leaves out.
    """

    def __init__(self, label: str, contests: Sequence[JudgedContest], left_out: int = 0) -> None:
        first = contests[0].file
        self.label = label
        self.uid = contests[0].source.uid
        self.set = first.set
        self.method = first.method
        self.file = PurePath(first.path).name.partition(".")[0]
        self.contests = tuple(contests)
        self.left_out = left_out
        self.ids = tuple(_unique(contest.source for contest in contests))

    @property
    def is_correlated(self) -> bool:
        """True if it is compared with people's ratios, and has no right and wrong."""
        return bool(set_named(self.set).ratio)

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels that all of its contests share."""
        shared = set(self.contests[0].source.labels.items())
        for contest in self.contests:
            shared &= contest.source.labels.items()
        return dict(sorted(shared))

    @cached_property
    def counts(self) -> Counts:
        """The numbers of outcomes."""
        return counts_of(self.contests)

    def named(self, outcomes: Collection[str]) -> list[str]:
        """The contests with one of some outcomes, by name."""
        return [
            name
            for name, contest in zip(self.ids, self.contests, strict=True)
            if contest.outcome in outcomes
        ]

    @cached_property
    def shares(self) -> list[float]:
        """For each contest, the share of the first text in the probability of both."""
        return [share_of(contest) for contest in self.contests]

    @cached_property
    def correlation(self) -> float | None:
        """Spearman's correlation of the model's shares with people's ratios; None if undefined."""
        # Differences have the order of the shares, which are all 1 where a difference is large.
        model: list[float] = []
        people: list[float] = []
        for contest in self.contests:
            first, second = contest.scores
            if first is not None and second is not None and contest.source.ratio is not None:
                model.append(second - first)
                people.append(contest.source.ratio)
        return spearman(model, people) if model else None

    @property
    def correlation_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the correlation."""
        correlation = self.correlation
        return None if correlation is None else spearman_interval(correlation, len(self.contests))

    @property
    def score(self) -> float | None:
        """The accuracy, or the correlation; None if nothing counts."""
        return self.correlation if self.is_correlated else self.counts.share


def share_of(contest: JudgedContest) -> float:
    """The share of the first text in the probability of both; 0 if it is undefined."""
    first, second = contest.scores
    if first is None or second is None:
        return 0.0
    return 1 / (1 + 2 ** min(1000.0, first - second))


def _unique(contests: Iterable[LoadedContest]) -> Iterator[str]:
    seen: dict[str, int] = {}
    for contest in contests:
        name = "/".join(filter(None, (contest.item, contest.name)))
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name}#{seen[name]}"


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
    chances = Counter(contest.chance for contest in group)
    return Counts(
        len(group),
        sum(contest.is_right for contest in group),
        sum(outcome in TIES for outcome in outcomes),
        outcomes.count(EXACT_TIE),
        outcomes.count(IMPOSSIBLE),
        outcomes.count(UNDEFINED),
        sum((count * chance for chance, count in chances.items()), Fraction(0)),
    )


@dataclass(frozen=True, slots=True)
class PairScores:
    """All UIDs of a run, under one model and one choice of settings.

    Attributes:
        model: The model.
        settings: How texts became numbers.
        files: The files that are scored, in the order given.
        uids: The results of each UID, in the order of their first contests.
        doubts: The doubts about each file.
        computed: How the surprisals were computed.
        rounding: By how much values can be off.
        started: When the run began, as a Unix timestamp; 0 if unknown.
        unused: The files that could not be scored, and why.
        tokens: For each file, the tokens of each of its texts; empty if they are not known.
    """

    model: ModelInfo
    settings: PairSettings
    files: tuple[LoadedPairs, ...] = ()
    uids: tuple[UidResult, ...] = ()
    doubts: Mapping[str, Doubts] = field(default_factory=dict)
    computed: Computed | None = None
    started: int = 0
    rounding: Rounding = field(default_factory=Rounding)
    unused: tuple[Unused, ...] = ()
    tokens: Mapping[str, Sequence[TextTokens]] = field(default_factory=dict, repr=False)

    @property
    def choices(self) -> dict[str, str]:
        """The settings by name, as a record lists them."""
        return self.settings.strings()

    @property
    def averages(self) -> list[SetAverage]:
        """The averages over the UIDs of each set."""
        left_out = Counter[str]()
        for file in self.files:
            left_out[file.set] += sum(file.left_out.values())
        return averages(self.uids, left_out)


def by_uid(contests: Iterable[JudgedContest], files: Iterable[LoadedPairs] = ()) -> list[UidResult]:
    """The contests of files, grouped by what they are averaged with."""
    grouped: dict[tuple[str, str], list[JudgedContest]] = {}
    for contest in contests:
        grouped.setdefault((contest.file.set, contest.source.uid), []).append(contest)
    names = Counter(uid for _, uid in grouped)
    left_out = Counter[tuple[str, str]]()
    for file in files:
        left_out.update({(file.set, uid): count for uid, count in file.left_out.items()})
    return [
        UidResult(uid if names[uid] == 1 else f"{of}/{uid}", group, left_out[of, uid])
        for (of, uid), group in grouped.items()
    ]


#: Labels that have averages of their own, in the order of tables.
GROUPED = ("field", "term", "language")
#: Set -> what its UIDs are averaged over first. BabyLM's average of entity tracking is one over the
#: files, each of which has a UID for each number of operations.
_PARTS: Mapping[str, Callable[[AveragedUid], str]] = {"entity-tracking": lambda uid: uid.file}


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
        left_out: How many more the UIDs have, which a limit leaves out; not known for a label.
    """

    set: str
    label: str
    value: str
    uids: int
    score: float
    interval: tuple[float, float] | None
    chance: Fraction
    counts: Counts
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

    Args:
        uids: The UIDs of a run.
        left_out: Set -> how many contests a limit leaves out, also of UIDs that are not there.
    """
    means: list[SetAverage | None] = []
    for of in dict.fromkeys(uid.set for uid in uids):
        members = [uid for uid in uids if uid.set == of]
        more = left_out.get(of, 0)
        if members[0].is_correlated:
            means.append(_mean_correlation(of, members, more))
            continue
        for label in GROUPED:
            cells = _cells(members, label)
            if len(cells) > 1:
                means += [_average(of, label, value, cells[value]) for value in sorted(cells)]
        wholes = _cells(members, "").items()
        means += [_average(of, "", value, cell, more) for value, cell in wholes]
    return [average for average in means if average is not None]


#: UIDs, and those of their contests that share a label.
_Cells = list[tuple[AveragedUid, list[CountedContest]]]


def _cells(uids: Sequence[AveragedUid], label: str) -> dict[str, _Cells]:
    """Value of a label -> the contests that have it, by UID; all of them have an empty label."""
    cells: dict[str, _Cells] = {}
    for uid in uids:
        groups: dict[str, list[CountedContest]] = {}
        for contest in uid.contests:
            value = contest.labels.get(label, "") if label else ""
            groups.setdefault(value, []).append(contest)
        for value, contests in groups.items():
            if value or not label:
                cells.setdefault(value, []).append((uid, contests))
    return cells


def _average(of: str, label: str, value: str, cells: _Cells, left_out: int = 0) -> SetAverage:
    counts = [counts_of(contests) for _, contests in cells]
    part: Callable[[AveragedUid], str] = _PARTS.get(of, lambda uid: uid.label)
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
        _sum(counts),
        left_out,
    )


def _sum(counts: Sequence[Counts]) -> Counts:
    """The numbers of outcomes of several groups of contests together."""
    return Counts(
        sum(each.items for each in counts),
        sum(each.right for each in counts),
        sum(each.ties for each in counts),
        sum(each.exact_ties for each in counts),
        sum(each.impossible for each in counts),
        sum(each.undefined for each in counts),
        sum((each.chance for each in counts), Fraction(0)),
    )


def _mean_correlation(of: str, uids: Sequence[AveragedUid], left_out: int) -> SetAverage | None:
    correlations = [uid.correlation for uid in uids if uid.correlation is not None]
    if not correlations:
        return None
    mean = math.fsum(correlations) / len(correlations)
    interval = uids[0].correlation_interval if len(uids) == 1 else None
    counts = counts_of(contest for uid in uids for contest in uid.contests)
    return SetAverage(of, "", "", len(correlations), mean, interval, Fraction(0), counts, left_out)
