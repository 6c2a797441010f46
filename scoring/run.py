"""A run: suites and a model (or recorded surprisals) in, results out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evalmark.schemas.errors import SurprisalFileError
from evalmark.scoring.chance_level import chance
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, ModelInfo
from evalmark.scoring.outcomes import ItemSurprisals, SuiteResult, judge
from evalmark.scoring.regions import region_surprisals
from evalmark.scoring.settings import Settings
from evalmark.scoring.suites import LoadedSuite
from evalmark.scoring.surprisal_file import align, read_surprisals
from evalmark.scoring.surprisals.compute import Computed, Progress
from evalmark.scoring.surprisals.packs import PACK_TOKENS
from evalmark.scoring.surprisals.prefixes import BATCH_TOKENS
from evalmark.scoring.surprisals.store import FolderStore, plan_digest
from evalmark.scoring.surprisals.tokens import How, causal_regions, masked_regions, tokenize


@dataclass(frozen=True, slots=True)
class ScoredSuite:
    """A suite and what became of it.

    Attributes:
        source: The suite.
        surprisals: For each item and condition, the token surprisals (bits) of each region.
        result: What became of the predictions.
        chances: Chance accuracy of each prediction, then of their conjunction.
    """

    source: LoadedSuite
    surprisals: tuple[ItemSurprisals, ...]
    result: SuiteResult
    chances: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """All suites of a run, under one model and one choice of settings."""

    model: ModelInfo
    settings: Settings
    suites: tuple[ScoredSuite, ...]
    computed: Computed | None = None
    started: int = 0


def score_suites(
    suites: Sequence[LoadedSuite],
    model: LanguageModel | MaskedLanguageModel,
    settings: Settings,
    *,
    batch_tokens: int = BATCH_TOKENS,
    pack_tokens: int = PACK_TOKENS,
    path: str = "auto",
    folder: Path | None = None,
    started: int = 0,
    progress: Progress | None = None,
) -> Scores:
    """Score suites with a model.

    A causal model's equal token prefixes share one value over all suites; a masked model is asked
    for its pseudo-log-likelihood (``pseudo_surprisals``).

    Args:
        suites: What to score.
        model: What to score with.
        settings: How.
        batch_tokens: See ``compute``.
        pack_tokens: See ``compute``.
        path: See ``compute``.
        folder: Where finished packs are kept until the run is whole, and found again.
        started: When the run began; that of the run that goes on here counts.
        progress: See ``compute``.

    Raises:
        ScoringError: A sentence is too long for the model, or a value is undefined.
    """
    tokenized = tokenize(suites, model)
    masked = model.kind == "masked"
    store = None
    if folder is not None:
        choices = {**model.info.details, "id": model.info.id, "boundary": settings.boundary}
        rows = (tokens.ids for tokens in tokenized.values())
        plan = plan_digest(rows, batch_tokens if masked else pack_tokens, choices)
        store = FolderStore(folder, plan, started)
        started = store.started
    how = How(batch_tokens, pack_tokens, path, store, progress)
    if model.kind == "masked":
        regions, computed = masked_regions(model, settings, tokenized, how)
    else:
        regions, computed = causal_regions(suites, model, settings, tokenized, how)
    scored = tuple(
        _judged(
            suite,
            tuple([regions(sentence) for sentence in row] for row in suite.sentences),
            settings,
            "whole" if masked else "left",
        )
        for suite in suites
    )
    return Scores(model.info, settings, scored, computed, started)


def score_recorded(suite: LoadedSuite, path: Path, settings: Settings) -> Scores:
    """Score a suite with the surprisals of a file.

    Raises:
        SurprisalFileError: The file does not fit the suite.
        OSError: The file cannot be read.
    """
    recorded = read_surprisals(path)
    expected = sum(len(row) for row in suite.sentences)
    if len(recorded) != expected:
        raise SurprisalFileError(f"{path}: {len(recorded)} sentences, the suite has {expected}")
    remaining = iter(recorded)
    surprisals: list[ItemSurprisals] = []
    for row in suite.sentences:
        item = []
        for sentence in row:
            tokens = next(remaining)
            assigned = align(tokens, sentence, path)
            values = [token.surprisal for token in tokens]
            item.append(region_surprisals(values, assigned, len(sentence.spans)))
        surprisals.append(item)
    info = ModelInfo(
        f"local/{path.stem}",
        path.stem,
        ("recorded surprisals", "1"),
        {"surprisals": path.name},
    )
    return Scores(info, settings, (_judged(suite, tuple(surprisals), settings),))


def _judged(
    source: LoadedSuite,
    surprisals: tuple[ItemSurprisals, ...],
    settings: Settings,
    context: str = "left",
) -> ScoredSuite:
    result = judge(
        source.suite,
        source.trees,
        surprisals,
        undefined=settings.undefined,
        join=settings.join,
        context=context,
    )
    return ScoredSuite(source, surprisals, result, chances(source, settings.join, context))


def chances(source: LoadedSuite, join: str, context: str = "left") -> tuple[float, ...]:
    """Chance accuracy of each prediction of a suite, then of their conjunction.

    ``context`` is what a value depends on: see ``item_forms``.
    """
    each = [chance(source.suite, [tree], join, context) for tree in source.trees]
    whole = each[0] if len(each) == 1 else chance(source.suite, source.trees, join, context)
    return (*each, whole)
