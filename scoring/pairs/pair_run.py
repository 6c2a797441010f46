"""Scoring minimal pairs: the surprisals of both texts, the preferred one, and results of UIDs."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain
from pathlib import PurePath
from typing import NamedTuple

from evalmark.schemas.errors import UndefinedValue
from evalmark.scoring.contest_run import Contests, RunFacts, TooLong, tokens_of
from evalmark.scoring.doubts import Doubts, Vocabulary, doubts_of, vocabulary_of
from evalmark.scoring.models.protocols import (
    LanguageModel,
    MaskedLanguageModel,
    ModelInfo,
    Tokenized,
)
from evalmark.scoring.pairs.load_pairs import CountedText, LoadedContest, LoadedPairs
from evalmark.scoring.pairs.pair_averages import (
    EXACT_TIE,
    IMPOSSIBLE,
    RIGHT,
    TIE,
    TIES,
    UNDEFINED,
    WRONG,
    Counts,
    SetAverage,
    averages,
    counts_of,
    even_chance,
)
from evalmark.scoring.pairs.text_scores import ScoredText, TextTokens, error_in_tokens, text_score
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.regions import Texts
from evalmark.scoring.surprisals.rounding import Rounding
from evalmark.scoring.surprisals.sentence_surprisals import TextSurprisals
from evalmark.scoring.surprisals.surprisal_computation import Computed
from evalmark.stats.correlations import spearman, spearman_interval
from evalmark.validator.findings.unusable import Unused
from evalmark.validator.formats.pairs.pair_sets import NEVER_RIGHT, set_named


class JudgedContest(NamedTuple):
    """A contest under a model."""

    file: LoadedPairs  # its file
    source: LoadedContest  # the contest as it was loaded
    outcome: str  # ``right``, ``wrong``, ``tie``, ``exact tie``, ``impossible`` or ``undefined``
    scores: tuple[float | None, ...]  # of each side, in the unit of the method; less is better
    bits: tuple[float | None, ...]  # surprisal of each side
    tokens: tuple[int, ...]  # how many tokens of each side count
    ties: str = NEVER_RIGHT  # how equal scores count

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


class Judge(NamedTuple):
    """The rules that decide contests."""

    rounding: Rounding  # by how much values can be off
    shares: bool  # whether equal beginnings have the same values, as with causal models
    undefined: str  # ``refuse`` a file with undefined values, or count them as ``false``
    ties: str = NEVER_RIGHT  # how equal scores count

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
        scores = tuple(text_score(side, file.method) for side in sides)
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
            if abs(better) <= self.rounding.error([error]):
                outcomes.add(TIE if better else EXACT_TIE)
            elif better < 0:
                return WRONG
        return next(outcome for outcome in (TIE, EXACT_TIE, RIGHT) if outcome in outcomes)


class JudgedPairs(NamedTuple):
    """A file of minimal pairs under a model."""

    file: LoadedPairs  # the file
    contests: Sequence[JudgedContest]  # its contests, in their order
    doubts: Doubts  # the doubts about it
    tokens: Sequence[TextTokens]  # those of each of its texts


def _cause(text: ScoredText) -> str:
    if not text.tokens:
        return "it has no tokens"
    if not text.first:
        return "its first token has no surprisal, since no BOS precedes it"
    return "a value is NaN or infinite"


class UidResult:
    """The contests that are averaged together: those of a paradigm."""

    def __init__(self, label: str, contests: Sequence[JudgedContest], left_out: int = 0) -> None:
        first = contests[0].file
        self.label = label  # its name, unique in the run
        self.uid = contests[0].source.uid  # its name
        self.set = first.set
        self.method = first.method
        # the name of its first file, without the ending
        self.file = PurePath(first.path).name.partition(".")[0]
        self.contests = tuple(contests)
        self.left_out = left_out  # how many more there are, which a limit leaves out
        # the name of each, unique among them
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
        model, people = self._rated
        return spearman(model, people) if model else None

    @property
    def correlation_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the correlation."""
        correlation = self.correlation
        return None if correlation is None else spearman_interval(correlation, len(self._rated[0]))

    @cached_property
    def _rated(self) -> tuple[list[float], list[float]]:
        # Differences have the order of the shares, which are all 1 where a difference is large.
        model: list[float] = []
        people: list[float] = []
        for contest in self.contests:
            first, second = contest.scores
            if first is not None and second is not None and contest.source.ratio is not None:
                model.append(second - first)
                people.append(contest.source.ratio)
        return model, people

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
class PairScores:
    """All UIDs of a run, under one model and one choice of settings."""

    model: ModelInfo  # the model
    settings: Settings  # how texts became numbers
    files: tuple[LoadedPairs, ...] = ()  # the files that are scored, in the order given
    #: The results of each UID, in the order of their first contests.
    uids: tuple[UidResult, ...] = ()
    doubts: Mapping[str, Doubts] = field(default_factory=dict)  # the doubts about each file
    computed: Computed | None = None  # how the surprisals were computed
    started: int = 0  # when the run began, as a Unix timestamp; 0 if unknown
    rounding: Rounding = field(default_factory=Rounding)  # by how much values can be off
    unused: tuple[Unused, ...] = ()  # the files that could not be scored, and why
    #: For each file, the tokens of each of its texts; empty if they are not known.
    tokens: Mapping[str, Sequence[TextTokens]] = field(default_factory=dict, repr=False)

    @property
    def choices(self) -> dict[str, str]:
        """The settings by name, as a record lists them."""
        return self.settings.listed(of_pairs=True)

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
        UidResult(uid if names[uid] == 1 else f"{set_name}/{uid}", group, left_out[set_name, uid])
        for (set_name, uid), group in grouped.items()
    ]


#: Texts that are tokenized together.
TOGETHER = 1000


class PairContests(Contests[LoadedPairs, JudgedPairs, PairScores]):
    """Minimal pairs under a model: a contest is a pair, and the lower score decides it."""

    def __init__(self, model: LanguageModel | MaskedLanguageModel, settings: Settings) -> None:
        super().__init__(model, settings)
        #: Whole text -> its tokens, without the characters that each covers.
        self._tokens: dict[str, Tokenized] = {}
        #: Whole text -> where its tokens begin and end.
        self._spans: dict[str, array[int]] = {}
        #: Text -> the first of its tokens that counts.
        self._first: dict[CountedText, int] = {}
        #: File -> how much of its texts the vocabulary of the model knows.
        self._vocabularies: dict[str, Vocabulary] = {}

    def add(self, file: LoadedPairs) -> Sequence[TooLong]:
        """Tokenize the texts of a file, unless one is too long: it is returned."""
        model = self.model
        added = sum(map(len, model.around)) if model.kind == "masked" else len(model.bos)
        limit = math.inf if model.max_tokens is None else model.max_tokens - added
        tokens: dict[str, Tokenized] = {}
        spans: dict[str, array[int]] = {}
        first: dict[CountedText, int] = {}
        vocabulary = Vocabulary(0, 0, 0, 0, 0)
        for start in range(0, len(file.texts), TOGETHER):
            part = file.texts[start : start + TOGETHER]
            tokens_of_part = tokens_of([text.text for text in part], model)
            for whole, part_tokens in tokens_of_part.items():
                if model.max_tokens is not None and len(part_tokens.ids) > limit:
                    place, count = f"{file.path}: a text", len(part_tokens.ids) + added
                    return (TooLong(place, count, model.max_tokens, whole),)
                tokens[whole] = Tokenized(part_tokens.ids, (), part_tokens.words)
                spans[whole] = array("I", chain.from_iterable(part_tokens.spans))
            vocabulary = _together(vocabulary, vocabulary_of(tokens_of_part))
            for text in part:
                first[text] = first_that_counts(tokens_of_part[text.text], text.start)
        self._tokens = {**tokens, **self._tokens}
        self._spans |= spans
        self._first |= first
        self._vocabularies[file.path] = vocabulary
        return ()

    def texts(self) -> Texts:
        """The texts, and their tokens that count in some contest: from the first one on."""
        begins: dict[str, int] = {}
        for text, first in self._first.items():
            begins[text.text] = min(first, begins.get(text.text, first))
        places = {text: range(first, len(self._tokens[text].ids)) for text, first in begins.items()}
        ordered = {text: self._tokens[text] for text in sorted(self._tokens)}
        return Texts(ordered, places, complete=not any(begins.values()))

    def judge(
        self, file: LoadedPairs, surprisals: TextSurprisals, rounding: Rounding
    ) -> JudgedPairs:
        """The outcomes of the contests of a file."""
        first = {text: self._counted_from(text) for text in file.texts}
        values = [surprisals.get(text.text)[first[text] :] for text in file.texts]
        scored = [
            ScoredText(
                _sum(bits),
                first[text],
                self._tokens[text.text].ids,
                len(text.text) - text.start,
            )
            for text, bits in zip(file.texts, values, strict=True)
        ]
        shares = self.model.kind == "causal"
        judge = Judge(rounding, shares, self.settings.undefined, self.settings.ties)
        every = (value for bits in values for value in bits)
        doubts = doubts_of(every, self._vocabularies[file.path].doubt)
        tokens = list(map(self._text_tokens, file.texts, values))
        return JudgedPairs(file, judge.contests_of(file, scored), doubts, tokens)

    def _text_tokens(self, text: CountedText, bits: Sequence[float | None]) -> TextTokens:
        ids = self._tokens[text.text].ids
        values = array("d", [math.nan]) * (len(ids) - len(bits))
        values.extend(math.nan if value is None else value for value in bits)
        return TextTokens(ids, self._spans[text.text], values)

    def _counted_from(self, text: CountedText) -> int:
        first = self._first[text]
        lacks_bos = self.model.kind == "causal" and not self.model.bos
        return max(first, 1) if lacks_bos and self.settings.first_token == "excluded" else first

    def scores(self, judged: Sequence[JudgedPairs], facts: RunFacts) -> PairScores:
        """The scores of the files that could be judged."""
        files = tuple(pairs.file for pairs in judged)
        uids = by_uid((contest for pairs in judged for contest in pairs.contests), files)
        doubts = {pairs.file.path: pairs.doubts for pairs in judged}
        tokens = {pairs.file.path: pairs.tokens for pairs in judged}
        return PairScores(
            self.model.info, self.settings, files, tuple(uids), doubts, *facts, tokens=tokens
        )


def first_that_counts(tokens: Tokenized, start: int) -> int:
    """The first token that has a character of the text from ``start`` on.

    A token that has characters on both sides counts: without it, part of the text would not.
    """
    if not start:
        return 0
    ends = (index for index, (_, end) in enumerate(tokens.spans) if end > start)
    return next(ends, len(tokens.ids))


def _together(first: Vocabulary, second: Vocabulary) -> Vocabulary:
    words, characters, tokens, unknown, _ = (a + b for a, b in zip(first, second, strict=True))
    return Vocabulary(words, characters, tokens, unknown, max(first.longest, second.longest))


def _sum(values: Sequence[float | None]) -> float | None:
    """The sum of all values; None without any, or if one is undefined, NaN or infinite."""
    finite = [value for value in values if value is not None and math.isfinite(value)]
    return math.fsum(finite) if finite and len(finite) == len(values) else None
