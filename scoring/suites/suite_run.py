"""Scoring suites: the surprisals of their regions, the outcomes of predictions, and averages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.contest_run import Contests, RunFacts, TooLong, score_contests, tokens_of
from evalmark.scoring.doubts import NO_DOUBTS, Doubts, defined, doubts_of, tokens_in, vocabulary_of
from evalmark.scoring.models.protocols import (
    LanguageModel,
    MaskedLanguageModel,
    ModelInfo,
    Tokenized,
)
from evalmark.scoring.score_settings import DEFAULT_COMPUTING, Computing, Settings
from evalmark.scoring.suites.chance import Chance, chances
from evalmark.scoring.suites.prediction_results import (
    RECORDED_VALUES,
    ItemSurprisals,
    SuiteResult,
    judge,
)
from evalmark.scoring.suites.regions import (
    RegionSurprisals,
    Texts,
    assign_tokens,
    needed_regions,
    region_surprisals,
    require_predictions,
    texts_of,
)
from evalmark.scoring.suites.suite_loading import LoadedSuite
from evalmark.scoring.surprisals.prefix_packs import Progress
from evalmark.scoring.surprisals.rounding import Rounding
from evalmark.scoring.surprisals.sentence_surprisals import TextSurprisals
from evalmark.scoring.surprisals.surprisal_computation import Computed
from evalmark.scoring.surprisals.word_boundaries import edges, whole_word_surprisals
from evalmark.validator.findings.unusable import Unused
from evalmark.validator.formats.suites.suite import Sentence


@dataclass(frozen=True, slots=True)
class ScoredSuite:
    """A suite and its results."""

    source: LoadedSuite
    #: For each item and condition, the token surprisals (bits) of each region; None for a region
    #: that was not computed.
    surprisals: tuple[ItemSurprisals, ...]
    result: SuiteResult  # the outcomes of the predictions
    chances: tuple[Chance, ...]  # of each prediction, then of their conjunction
    #: The metric that makes a region's value of its surprisals; the suite's own if None.
    metric: str | None = None
    recorded_in: Mapping[str, str] = field(default_factory=dict)  # what kind of file -> its name
    doubts: Doubts = NO_DOUBTS
    #: For each item and condition, the tokens of its sentence, without ids where these are not
    #: known; empty if only the values of regions are known.
    tokens: tuple[tuple[Tokenized, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Scores:
    """All suites of a run, under one model and one choice of settings.

    Attributes:
        model: The model, or where the recorded values come from.
        settings: How sentences became numbers.
        suites: The suites, in the order given.
        computed: How the surprisals were computed; None for recorded values.
        rounding: By how much values can be off.
        started: When the run began, as a Unix timestamp; 0 if unknown.
        unused: The suites that could not be scored, and why.
        stated: The record's texts on recorded values instead of the settings, such as ``unknown``.
    """

    model: ModelInfo
    settings: Settings
    suites: tuple[ScoredSuite, ...]
    computed: Computed | None = None
    started: int = 0
    rounding: Rounding = RECORDED_VALUES
    unused: tuple[Unused, ...] = ()
    stated: Mapping[str, str] = field(default_factory=dict)

    @property
    def choices(self) -> dict[str, str]:
        """The settings by name, as a record lists them."""
        return {**self.settings.listed(of_pairs=False), **self.stated}


def has_several_metrics(scores: Scores) -> set[str]:
    """The files that are scored with several metrics."""
    metrics: dict[str, set[str]] = {}
    for scored in scores.suites:
        metrics.setdefault(scored.source.path, set()).add(scored.source.suite.metric)
    return {path for path, names in metrics.items() if len(names) > 1}


def unique_names(scores: Scores) -> list[str]:
    """The names of the suites, with the metric where one has several; equal names are numbered."""
    names: list[str] = []
    several = has_several_metrics(scores)
    for scored in scores.suites:
        suite = scored.source.suite
        named = scored.source.path in several
        name = base = f"{suite.name} ({suite.metric})" if named else suite.name
        number = 2
        while name in names:
            name, number = f"{base}#{number}", number + 1
        names.append(name)
    return names


class SuiteContests(Contests[LoadedSuite, ScoredSuite, Scores]):
    """Suites under a model: a contest is an item, and predictions decide it."""

    def __init__(self, model: LanguageModel | MaskedLanguageModel, settings: Settings) -> None:
        if settings.first_token == "excluded":
            raise ScoringError("first_token 'excluded' is for minimal pairs, not for suites")
        super().__init__(model, settings)
        self._suites: list[LoadedSuite] = []
        self._tokens: dict[str, Tokenized] = {}
        self._edges: Mapping[Sentence, Sequence[tuple[int, int]]] = {}

    def require_scorable(self, file: LoadedSuite) -> None:
        """Raise a ScoringError if nothing would be computed, or a metric cannot be corrected."""
        # A masked model corrects nothing for any suite, and says so itself.
        if file.suite.metric != "sum" and self.model.kind != "masked" and self._corrects:
            raise ScoringError(
                f"{file.path}: boundary 'corrected' needs the metric sum; the suite's is "
                f"{file.suite.metric}, which looks at single tokens"
            )
        require_predictions(file, self.settings)

    @property
    def _corrects(self) -> bool:
        model = self.model
        return (
            self.settings.boundary == "corrected" and model.kind != "masked" and model.marks_words
        )

    def add(self, file: LoadedSuite) -> Sequence[TooLong]:
        """Tokenize the sentences of a suite, unless some are too long: these are returned."""
        texts = {sentence.text for row in file.sentences for sentence in row}
        tokens = tokens_of([text for text in texts if text not in self._tokens], self.model)
        tokens |= {text: self._tokens[text] for text in texts if text in self._tokens}
        too_long = tuple(self._too_long(file, texts_of([file], tokens, self.settings)))
        if not too_long:
            self._tokens |= tokens
            self._suites.append(file)
        return too_long

    def _too_long(self, suite: LoadedSuite, texts: Texts) -> Iterator[TooLong]:
        """The sentences that are too long; a causal model reads no farther than values count."""
        model, limit = self.model, self.model.max_tokens
        if limit is None:
            return
        for item, row in zip(suite.suite.items, suite.sentences, strict=True):
            for condition, sentence in zip(item.conditions, row, strict=True):
                if model.kind == "masked":
                    count = len(texts.tokens[sentence.text].ids) + sum(map(len, model.around))
                else:
                    count = len(texts.row(sentence.text)) + len(model.bos)
                if count > limit:
                    place = f"{suite.path}: item {item.number}, {condition.name}: a sentence"
                    yield TooLong(place, count, limit, sentence.text)

    def texts(self) -> Texts:
        """The sentences of the suites, and their tokens that count."""
        return texts_of(self._suites, self._tokens, self.settings)

    def word_ends(self) -> Mapping[str, Collection[int]]:
        """Sentence -> the numbers of tokens after which a needed region ends with a word.

        Raises:
            ScoringError: The model is a masked one.
        """
        if self.model.kind == "masked" and self.settings.boundary != "none":
            raise ScoringError(
                "boundary 'corrected' applies to causal models: a masked model sees where words end"
            )
        if not self._corrects:
            return {}
        self._edges = self._needed_edges()
        ends: dict[str, set[int]] = {}
        for sentence, places in self._edges.items():
            ends.setdefault(sentence.text, set()).update(count for count, _ in places)
        return ends

    def _needed_edges(self) -> dict[Sentence, list[tuple[int, int]]]:
        places: dict[Sentence, dict[tuple[int, int], None]] = {}
        for suite in self._suites:
            regions = needed_regions(suite, self.settings)
            for row, needs in zip(suite.sentences, regions, strict=True):
                for sentence, regions_of_sentence in zip(row, needs, strict=True):
                    spans = self._tokens[sentence.text].spans
                    # Equal sentences may be cut into regions in different ways.
                    all_edges = edges(spans, assign_tokens(spans, sentence), sentence)
                    kept = (
                        edge for edge in all_edges if _region_of(edge[1]) in regions_of_sentence
                    )
                    places.setdefault(sentence, {}).update(dict.fromkeys(kept))
        return {sentence: list(pairs) for sentence, pairs in places.items()}

    def judge(
        self, file: LoadedSuite, surprisals: TextSurprisals, rounding: Rounding
    ) -> ScoredSuite:
        """The outcomes of the predictions of a suite."""
        rows = zip(file.sentences, needed_regions(file, self.settings), strict=True)
        values = tuple(
            [
                self._regions(sentence, indices, surprisals)
                for sentence, indices in zip(row, needs, strict=True)
            ]
            for row, needs in rows
        )
        tokens = {s.text: self._tokens[s.text] for row in file.sentences for s in row}
        context = "whole" if self.model.kind == "masked" else "left"
        doubt = vocabulary_of(tokens).doubt
        judged = judge_suite(file, values, self.settings, context, rounding, doubt)
        encodings = tuple(tuple(tokens[s.text] for s in row) for row in file.sentences)
        return replace(judged, tokens=encodings)

    def _regions(
        self, sentence: Sentence, indices: Collection[int], surprisals: TextSurprisals
    ) -> list[RegionSurprisals]:
        """The token surprisals (bits) of each region of a sentence; None if it is not needed."""
        assigned = assign_tokens(self._tokens[sentence.text].spans, sentence)
        regions = region_surprisals(surprisals.get(sentence.text), assigned, len(sentence.spans))
        if places := self._edges.get(sentence):
            kept = [(count, region) for count, region in places if _region_of(region) in indices]
            regions = whole_word_surprisals(regions, kept, surprisals.bounds(sentence.text))
        return [region if index in indices else None for index, region in enumerate(regions)]

    def scores(self, judged: Sequence[ScoredSuite], facts: RunFacts) -> Scores:
        """The scores of the suites that could be judged."""
        return Scores(self.model.info, self.settings, tuple(judged), *facts)


def _region_of(edge: int) -> int:
    return ~edge if edge < 0 else edge


def score_suites(
    suites: Sequence[LoadedSuite],
    model: LanguageModel | MaskedLanguageModel,
    settings: Settings,
    *,
    computing: Computing = DEFAULT_COMPUTING,
    folder: Path | None = None,
    started: int = 0,
    progress: Progress | None = None,
    keep_going: bool = False,
) -> Scores:
    """Score suites with a model.

    Args:
        suites: The suites. With a causal model, equal token prefixes share one value over all.
        model: The model. A masked one gives pseudo-log-likelihoods.
        settings: How sentences become numbers.
        computing: How the work is done.
        folder: Where finished packs are stored until the run is complete. An interrupted run
            resumes from them.
        started: When the run began, as a Unix timestamp. A resumed run keeps its first time.
        progress: Called with the values that are known, and how many there will be.
        keep_going: Whether a suite that cannot be scored is listed in ``unused`` of the result,
            and the others are scored. If not, it is an error.

    Raises:
        ScoringError: A sentence is too long for the model, or a value is undefined.
    """
    return score_contests(
        SuiteContests(model, settings),
        suites,
        computing=computing,
        folder=folder,
        started=started,
        progress=progress,
        keep_going=keep_going,
    )


def judge_suite(
    source: LoadedSuite,
    values: tuple[ItemSurprisals, ...],
    settings: Settings,
    context: str = "left",
    rounding: Rounding = RECORDED_VALUES,
    vocabulary: str = "",
) -> ScoredSuite:
    """Evaluate the predictions of a suite, with their chance accuracy and what is doubtful.

    NaN and infinite values are undefined.
    """
    # The terms of boundaries can be negative.
    free = settings.boundary != "none"
    doubts = doubts_of(tokens_in(values), vocabulary, can_be_negative=free)
    values = defined(values) if doubts.not_finite else values
    result = judge(
        source.suite,
        source.trees,
        values,
        undefined=settings.undefined,
        join=settings.join,
        context=context,
        rounding=rounding,
    )
    chance = chances(source, settings.join, context)
    return ScoredSuite(source, values, result, chance, doubts=doubts)
