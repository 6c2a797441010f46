"""Scoring in one page: from suites and a model to scores.

    files -> suites with sentences    ``suites.load_suites``
    sentences -> tokens               ``tokenize``
    tokens -> surprisals -> regions   ``surprisals.values.causal_values`` or ``masked_values``
    regions -> predictions            ``outcomes.judge``, with ``chance.level.chances``
    scores -> run -> record -> files  ``output.write_output``

``score_suites`` is the middle of this. ``jobs.score_models`` does it for several models,
``recorded`` with numbers that were computed elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from evalmark.schemas.errors import EvalmarkError, ModelFailed, is_ours
from evalmark.scoring.chance.level import chances
from evalmark.scoring.doubts import defined, doubts_of, tokens_in, vocabulary_of
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, Tokenized
from evalmark.scoring.needed import needed_regions, require_predictions, texts_of
from evalmark.scoring.outcomes import RECORDED_VALUES, ItemSurprisals, judge
from evalmark.scoring.planning import require_short, tokenize
from evalmark.scoring.scores import ScoredSuite, Scores
from evalmark.scoring.settings import DEFAULT_COMPUTING, Computing, Settings
from evalmark.scoring.suites import LoadedSuite
from evalmark.scoring.surprisals.compute import fitting
from evalmark.scoring.surprisals.prefixes import Progress
from evalmark.scoring.surprisals.rounding import Rounding, rounding_of
from evalmark.scoring.surprisals.store import NO_STORE, FolderStore, plan_digest
from evalmark.scoring.surprisals.values import (
    causal_values,
    masked_values,
    require_correctable,
)
from evalmark.validator.findings.report import Unused, broken_by

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
