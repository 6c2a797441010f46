"""Scoring in one page: from suites and a model to a plan, and to scores.

    files -> suites with sentences    ``suite_loading.load_suites``
    sentences -> tokens               ``tokenize``
    tokens -> surprisals -> regions   ``sentence_surprisals.causal_values``, ``masked_values``
    regions -> predictions            ``predictions.judge``, with ``chance.chances``
    scores -> run -> record -> files  ``output.write_output``

``score_suites`` is the middle of this. ``jobs.score_models`` does it for several models,
``recorded_scores`` with numbers that were computed elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeVar

from evalmark.schemas.errors import EvalmarkError, ModelFailed, ScoringError, is_ours
from evalmark.scoring.chance import chances
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, Tokenized
from evalmark.scoring.predictions import RECORDED_VALUES, ItemSurprisals, judge
from evalmark.scoring.quality import defined, doubts_of, tokens_in, vocabulary_of
from evalmark.scoring.regions import Texts, needed_regions, require_predictions, texts_of
from evalmark.scoring.score_settings import DEFAULT_COMPUTING, Computing, Settings
from evalmark.scoring.suite_loading import LoadedSuite
from evalmark.scoring.suite_scores import ScoredSuite, Scores
from evalmark.scoring.surprisals.compute import fitting
from evalmark.scoring.surprisals.pack_store import NO_STORE, FolderStore, plan_digest
from evalmark.scoring.surprisals.prefix_packs import PackPlan, Progress, packs, plan
from evalmark.scoring.surprisals.rounding import Rounding, rounding_of
from evalmark.scoring.surprisals.sentence_surprisals import (
    causal_values,
    masked_values,
    prefix_tree,
    require_correctable,
)
from evalmark.validator.findings.report import Unused, broken_by


def tokenize(
    suite: LoadedSuite,
    model: LanguageModel | MaskedLanguageModel,
    known: Mapping[str, Tokenized] = MappingProxyType({}),
) -> dict[str, Tokenized]:
    """The tokens of every distinct sentence of a suite."""
    texts = {sentence.text for row in suite.sentences for sentence in row}
    new = tokens_of([text for text in texts if text not in known], model)
    return {text: known[text] if text in known else new[text] for text in texts}


def tokens_of(
    texts: Iterable[str], model: LanguageModel | MaskedLanguageModel
) -> dict[str, Tokenized]:
    """The tokens of distinct texts, of all at once if the model can."""
    distinct = list(dict.fromkeys(texts))
    together = getattr(model, "tokenize_all", None)
    found = together(distinct) if together else map(model.tokenize, distinct)
    return dict(zip(distinct, found, strict=True))


class TooLong(NamedTuple):
    """A sentence that is too long for a model."""

    path: str
    item: int
    condition: str
    tokens: int  # with those put around it
    limit: int
    text: str

    @property
    def error(self) -> ScoringError:
        """Why the suite cannot be scored."""
        return ScoringError(
            f"{self.path}: item {self.item}, {self.condition}: a sentence has {self.tokens} "
            f"tokens, the model reads at most {self.limit}: {self.text[:80]!r}"
        )


def too_long(
    suites: Sequence[LoadedSuite], model: LanguageModel | MaskedLanguageModel, texts: Texts
) -> Iterator[TooLong]:
    """The sentences that are too long for a model, of which a causal one reads the beginnings."""
    limit = model.max_tokens
    for suite in suites if limit is not None else ():
        assert limit is not None
        for item, row in zip(suite.suite.items, suite.sentences, strict=True):
            for condition, sentence in zip(item.conditions, row, strict=True):
                if model.kind == "masked":
                    count = len(texts.tokens[sentence.text].ids) + sum(map(len, model.around))
                else:
                    count = len(texts.row(sentence.text)) + len(model.bos)
                if count > limit:
                    place = (suite.path, item.number, condition.name)
                    yield TooLong(*place, count, limit, sentence.text)


def require_short(
    suites: Sequence[LoadedSuite], model: LanguageModel | MaskedLanguageModel, texts: Texts
) -> None:
    """Refuse suites with sentences that are too long for a model.

    Raises:
        ScoringError: The message has the first of them.
    """
    found = {sentence.text: sentence for sentence in too_long(suites, model, texts)}
    if found:
        first, more = next(iter(found.values())), len(found) - 1
        raise ScoringError(f"{first.error} (and {more} more)" if more else str(first.error))


class RunPlan(NamedTuple):
    """What a model would compute, and what it cannot."""

    packs: PackPlan | None  # None for a masked model, which reads no packs
    rows: int  # rows of logits
    too_long: tuple[TooLong, ...]


def plan_run(
    suites: Sequence[LoadedSuite],
    model: LanguageModel | MaskedLanguageModel,
    settings: Settings,
    computing: Computing = DEFAULT_COMPUTING,
) -> RunPlan:
    """How much a model would read. Suites with sentences that are too long do not count."""
    known: dict[str, Tokenized] = {}
    long: list[TooLong] = []
    for suite in suites:
        tokens = tokenize(suite, model, known)
        long += too_long([suite], model, texts_of([suite], tokens, settings))
        known |= tokens
    paths = {sentence.path for sentence in long}
    suites = [suite for suite in suites if suite.path not in paths]
    own = {s.text: known[s.text] for suite in suites for row in suite.sentences for s in row}
    texts = texts_of(suites, own, settings)
    if model.kind == "masked":
        return RunPlan(None, sum(map(len, texts.wanted.values())), tuple(long))
    rows = [model.bos + row for text in own if (row := texts.row(text))]
    tree = prefix_tree(texts, model.bos)
    sizes = plan(tree, rows, list(packs(tree, fitting(computing, model).pack_size)))
    return RunPlan(sizes, sizes.logits, tuple(long))


Done = TypeVar("Done")


class Scorable(Protocol):
    """Something of a file that is scored."""

    @property
    def path(self) -> str:
        """The file."""


Source = TypeVar("Source", bound=Scorable)


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
    net, computing = Net(keep_going), fitting(computing, model)
    known: dict[str, Tokenized] = {}

    def prepared(suite: LoadedSuite) -> None:
        require_correctable(suite, model, settings)
        require_predictions(suite, settings)
        tokens = tokenize(suite, model, known)
        require_short([suite], model, texts_of([suite], tokens, settings))
        known.update(tokens)

    suites = [suite for suite, _ in net.kept(suites, prepared)]
    texts = texts_of(suites, known, settings)
    if not suites:
        return Scores(model.info, settings, (), started=started, unused=tuple(net.unused))
    store = NO_STORE
    if folder is not None:
        digest = plan_digest(texts, model, settings, computing)
        store = FolderStore(folder, digest, started)
        started = store.started
    if model.kind == "masked":
        regions, computed = masked_values(model, settings, texts, computing, store, progress)
    else:
        regions, computed = causal_values(
            suites, model, settings, texts, computing, store, progress
        )
    context = "whole" if model.kind == "masked" else "left"
    rounding = rounding_of(model.info, settings.boundary)

    def judged(suite: LoadedSuite) -> ScoredSuite:
        rows = zip(suite.sentences, needed_regions(suite, settings), strict=True)
        values = tuple(list(map(regions, row, needs)) for row, needs in rows)
        own = {sentence.text: known[sentence.text] for row in suite.sentences for sentence in row}
        return judge_suite(suite, values, settings, context, rounding, vocabulary_of(own).doubt)

    scored = tuple(result for _, result in net.kept(suites, judged))
    return Scores(model.info, settings, scored, computed, started, rounding, tuple(net.unused))


@dataclass(slots=True)
class Net:
    """Keeps what goes wrong with one suite or file from the others, if that is wanted."""

    keeps_going: bool
    unused: list[Unused] = field(default_factory=list)

    def kept(
        self, sources: Sequence[Source], work: Callable[[Source], Done]
    ) -> list[tuple[Source, Done]]:
        """Those for which some work can be done, with its results."""
        found = []
        for source in sources:
            try:
                found.append((source, work(source)))
            except Exception as error:
                ours = isinstance(error, EvalmarkError | OSError) or is_ours(error)
                if not ours or isinstance(error, ModelFailed):
                    raise  # an error of the model
                reason = broken_by(error, source.path)
                if not self.keeps_going:
                    raise reason from error
                self.unused.append(Unused(source.path, reason))
        return found


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
