"""What scoring minimal pairs finds: results of each UID, and averages as the sets define them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import PurePath

from evalmark.converters.statistics.correlations import spearman, spearman_interval
from evalmark.converters.statistics.proportions import wilson_interval
from evalmark.scoring.doubts import Doubts
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.pairs.judging import EXACT_TIE, IMPOSSIBLE, UNDEFINED, JudgedContest
from evalmark.scoring.pairs.loading import LoadedContest, LoadedPairs
from evalmark.scoring.settings import Settings
from evalmark.scoring.surprisals.compute import Computed
from evalmark.scoring.surprisals.rounding import Rounding
from evalmark.validator.findings.report import Unused
from evalmark.validator.formats.pairs.pair_sets import SETS

#: What chance takes a model to be.
CHANCE = "every text is as likely to be preferred as the others"


@dataclass(frozen=True, slots=True)
class PairSettings:
    """How texts become numbers, and what is counted.

    Attributes:
        tokens: How texts become surprisals.
        method: How they become scores; the method of each set if None.
        excludes_impossible: Whether pairs of identical texts are left out, rather than never right.
    """

    tokens: Settings
    method: str | None = None
    excludes_impossible: bool = False

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
            "ties": "never right",
            "impossible": "excluded" if self.excludes_impossible else "never right",
            "tokens_of_a_text": "all that have a character of it",
        }


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
        counted: Numbers of the contests that count.
    """

    def __init__(
        self,
        label: str,
        files: Sequence[LoadedPairs],
        contests: Sequence[JudgedContest],
        settings: PairSettings,
    ) -> None:
        first = files[contests[0].file]
        self.label = label
        self.uid = contests[0].source.uid
        self.set = first.set
        self.method = first.method
        self.file = PurePath(first.path).name.partition(".")[0]
        self.contests = tuple(contests)
        self.ids = tuple(_unique(contest.source for contest in contests))
        self.counted = tuple(
            number
            for number, contest in enumerate(contests)
            if self.is_correlated
            or not (settings.excludes_impossible and contest.outcome == IMPOSSIBLE)
        )

    def own_label(self) -> str:
        """Its label."""
        return self.label

    @property
    def is_correlated(self) -> bool:
        """Whether it is compared with people's ratios, and has no right and wrong."""
        return bool(SETS[self.set].ratio)

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels that all of its contests share."""
        shared = set(self.contests[0].source.labels.items())
        for contest in self.contests:
            shared &= contest.source.labels.items()
        return dict(sorted(shared))

    @cached_property
    def counts(self) -> Counts:
        """What came out of those that count."""
        return counts_of(self.contests[number] for number in self.counted)

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
        found = self.correlation
        return None if found is None else spearman_interval(found, len(self.contests))

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
    """A name for each contest: that of its row, with its own."""
    seen: dict[str, int] = {}
    for contest in contests:
        name = "/".join(filter(None, (contest.item, contest.name)))
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name}#{seen[name]}"


@dataclass(frozen=True, slots=True)
class Counts:
    """What came out of some contests."""

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


def counts_of(contests: Iterable[JudgedContest]) -> Counts:
    """Count outcomes."""
    found = list(contests)
    outcomes = [contest.outcome for contest in found]
    possible = (contest for contest in found if contest.outcome != IMPOSSIBLE)
    options = Counter(len(set(contest.source.sides)) for contest in possible)
    return Counts(
        len(found),
        sum(contest.is_right for contest in found),
        sum(contest.is_tie for contest in found),
        outcomes.count(EXACT_TIE),
        outcomes.count(IMPOSSIBLE),
        outcomes.count(UNDEFINED),
        sum((Fraction(count, number) for number, count in options.items()), Fraction(0)),
    )


@dataclass(frozen=True, slots=True)
class PairScores:
    """All UIDs of a run, under one model and one choice of settings.

    Attributes:
        model: The model.
        settings: How texts became numbers.
        files: The files, in the order given.
        uids: The results of each UID, in the order of their first contests.
        doubts: What is doubtful, for each file.
        computed: How the surprisals were computed.
        rounding: By how much values can be off.
        started: When the run began, as a Unix timestamp; 0 if unknown.
        unused: The files that could not be scored, and why.
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

    @property
    def scored_files(self) -> list[LoadedPairs]:
        """The files without those that were refused."""
        refused = {unused.name for unused in self.unused}
        return [file for file in self.files if file.path not in refused]


def by_uid(
    files: Sequence[LoadedPairs], judged: Sequence[Sequence[JudgedContest]], settings: PairSettings
) -> list[UidResult]:
    """The contests of some files, grouped by what they are averaged with."""
    grouped: dict[tuple[str, str], list[JudgedContest]] = {}
    for file, contests in zip(files, judged, strict=True):
        for contest in contests:
            grouped.setdefault((file.set, contest.source.uid), []).append(contest)
    names = Counter(uid for _, uid in grouped)
    return [
        UidResult(uid if names[uid] == 1 else f"{of}/{uid}", files, contests, settings)
        for (of, uid), contests in grouped.items()
    ]
