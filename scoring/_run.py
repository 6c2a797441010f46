"""A run: suites and a model (or recorded surprisals) in, results out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evalmark.validator import Sentence

from ._boundaries import corrected, edges
from ._chance import chance
from ._compute import Computed, Progress, compute
from ._errors import ScoringError, SurprisalFileError
from ._model import LanguageModel, ModelInfo, Tokenized
from ._outcomes import ItemSurprisals, SuiteResult, judge
from ._packs import PACK_TOKENS
from ._prefixes import BATCH_TOKENS, Ids, PrefixTree
from ._regions import assign_tokens, region_surprisals
from ._settings import Settings
from ._store import FolderStore, plan_digest
from ._suites import LoadedSuite
from ._surprisal_file import align, read_surprisals


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
    model: LanguageModel,
    settings: Settings,
    *,
    batch_tokens: int = BATCH_TOKENS,
    pack_tokens: int = PACK_TOKENS,
    path: str = "auto",
    folder: Path | None = None,
    started: int = 0,
    progress: Progress | None = None,
) -> Scores:
    """Score suites with a model; equal token prefixes share one value over all of them.

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
    rows = [model.bos + tokens.ids for tokens in tokenized.values()]
    tree = PrefixTree(rows)
    correct = settings.boundary == "corrected" and model.marks_words
    found = _edges(suites, tokenized) if correct else {}
    ends = {
        tree.path(model.bos + tokenized[sentence.text].ids)[len(model.bos) + count - 1]
        for sentence, pairs in found.items()
        for count, _ in pairs
    }
    store = None
    if folder is not None:
        choices = {**model.info.details, "id": model.info.id, "boundary": settings.boundary}
        store = FolderStore(folder, plan_digest(rows, pack_tokens, choices), started)
        started = store.started
    computed = compute(
        tree,
        model,
        path=path,
        pack_tokens=pack_tokens,
        batch_tokens=batch_tokens,
        ends=ends,
        store=store,
        progress=progress,
    )

    def regions(sentence: Sentence) -> list[list[float | None]]:
        tokens = tokenized[sentence.text]
        values = token_values(tree, model.bos, tokens.ids, settings)
        assigned = assign_tokens(tokens.spans, sentence)
        regions = region_surprisals(values, assigned, len(sentence.spans))
        if not correct:
            return regions
        path = tree.path(model.bos + tokens.ids)[len(model.bos) :]
        bounds = [0.0, *(tree.bounds.get(node, 0.0) for node in path)]
        return corrected(regions, found[sentence], bounds)

    scored = tuple(
        _judged(suite, tuple([regions(s) for s in row] for row in suite.sentences), settings)
        for suite in suites
    )
    return Scores(model.info, settings, scored, computed, started)


def _edges(
    suites: Sequence[LoadedSuite], tokenized: dict[str, Tokenized]
) -> dict[Sentence, list[tuple[int, int]]]:
    """Sentence, cut as it is → where its regions begin or end at the end of a word.

    Raises:
        ScoringError: A suite's metric is none that words have: it looks at single tokens.
    """
    found: dict[Sentence, list[tuple[int, int]]] = {}
    for suite in suites:
        if suite.suite.metric != "sum":
            raise ScoringError(
                f"{suite.path}: --boundary corrected goes with the metric sum; the suite's is "
                f"{suite.suite.metric}, which looks at single tokens"
            )
        for sentence in (sentence for row in suite.sentences for sentence in row):
            tokens = tokenized[sentence.text]
            assigned = assign_tokens(tokens.spans, sentence)
            # Equal sentences may be cut into regions in different ways.
            found.setdefault(sentence, edges(tokens.spans, assigned, sentence))
    return found


def tokenize(suites: Sequence[LoadedSuite], model: LanguageModel) -> dict[str, Tokenized]:
    """The tokens of every different sentence of some suites, in the order of their texts.

    Raises:
        ScoringError: A sentence is too long for the model.
    """
    sentences = {sentence.text for suite in suites for row in suite.sentences for sentence in row}
    tokenized = {text: model.tokenize(text) for text in sorted(sentences)}
    _require_length(tokenized, model)
    return tokenized


def token_values(tree: PrefixTree, bos: Ids, ids: Ids, settings: Settings) -> list[float | None]:
    """The surprisals of a sentence's tokens, without those put before it."""
    values = tree.values(bos + ids)[len(bos) :]
    if values and not bos and settings.first_token == "zero":  # noqa: S105 - no password
        values[0] = 0.0
    return values


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
    source: LoadedSuite, surprisals: tuple[ItemSurprisals, ...], settings: Settings
) -> ScoredSuite:
    result = judge(
        source.suite, source.trees, surprisals, undefined=settings.undefined, join=settings.join
    )
    return ScoredSuite(source, surprisals, result, chances(source, settings.join))


def chances(source: LoadedSuite, join: str) -> tuple[float, ...]:
    """Chance accuracy of each prediction of a suite, then of their conjunction."""
    each = [chance(source.suite, [tree], join) for tree in source.trees]
    whole = each[0] if len(each) == 1 else chance(source.suite, source.trees, join)
    return (*each, whole)


def _require_length(tokenized: dict[str, Tokenized], model: LanguageModel) -> None:
    limit = model.max_tokens
    if limit is None:
        return
    for text, tokens in tokenized.items():
        count = len(tokens.ids) + len(model.bos)
        if count > limit:
            raise ScoringError(
                f"a sentence has {count} tokens, the model reads at most {limit}: {text[:80]!r}"
            )
