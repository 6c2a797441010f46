"""How a model reads the sentences of a run: from sentences to the surprisals of their regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import (
    AnyModel,
    LanguageModel,
    MaskedLanguageModel,
    Tokenized,
)
from evalmark.scoring.regions import assign_tokens, region_surprisals
from evalmark.scoring.settings import Settings
from evalmark.scoring.suites import LoadedSuite
from evalmark.scoring.surprisals.boundaries import corrected, edges
from evalmark.scoring.surprisals.compute import Computed, Progress, Store, compute
from evalmark.scoring.surprisals.masked import pseudo_surprisals
from evalmark.scoring.surprisals.packs import PACK_TOKENS
from evalmark.scoring.surprisals.prefixes import BATCH_TOKENS, Ids, PrefixTree
from evalmark.validator.views.sentences import Sentence

#: A sentence, cut as it is → the token surprisals (bits) of each of its regions.
Regions = Callable[[Sentence], list[list[float | None]]]


@dataclass(frozen=True, slots=True)
class How:
    """How the work is done; see ``compute``. Numbers do not depend on it but by rounding."""

    batch_tokens: int = BATCH_TOKENS
    pack_tokens: int = PACK_TOKENS
    path: str = "auto"
    store: Store | None = None
    progress: Progress | None = None


def tokenize(
    suites: Sequence[LoadedSuite], model: LanguageModel | MaskedLanguageModel
) -> dict[str, Tokenized]:
    """The tokens of every different sentence of some suites, in the order of their texts.

    Raises:
        ScoringError: A sentence is too long for the model.
    """
    sentences = {sentence.text for suite in suites for row in suite.sentences for sentence in row}
    tokenized = {text: model.tokenize(text) for text in sorted(sentences)}
    added = sum(map(len, model.around)) if model.kind == "masked" else len(model.bos)
    _require_length(tokenized, model, added)
    return tokenized


def masked_regions(
    model: MaskedLanguageModel, settings: Settings, tokenized: dict[str, Tokenized], how: How
) -> tuple[Regions, Computed]:
    """The regions of sentences by pseudo-log-likelihood.

    Raises:
        ScoringError: A choice is meant for causal models.
    """
    if settings.boundary != "none":
        raise ScoringError(
            "--boundary corrected goes with causal models: a masked one is told where words end"
        )
    bits = pseudo_surprisals(
        tokenized, model, batch_tokens=how.batch_tokens, store=how.store, progress=how.progress
    )

    def regions(sentence: Sentence) -> list[list[float | None]]:
        assigned = assign_tokens(tokenized[sentence.text].spans, sentence)
        return region_surprisals(bits[sentence.text], assigned, len(sentence.spans))

    return regions, Computed("masked", 0.0)


def causal_regions(
    suites: Sequence[LoadedSuite],
    model: LanguageModel,
    settings: Settings,
    tokenized: dict[str, Tokenized],
    how: How,
) -> tuple[Regions, Computed]:
    """The regions of sentences; equal token prefixes share one value over all suites.

    Raises:
        ScoringError: A suite's metric is none that words have.
    """
    tree = PrefixTree(model.bos + tokens.ids for tokens in tokenized.values())
    correct = settings.boundary == "corrected" and model.marks_words
    found = _edges(suites, tokenized) if correct else {}
    ends = {
        tree.path(model.bos + tokenized[sentence.text].ids)[len(model.bos) + count - 1]
        for sentence, pairs in found.items()
        for count, _ in pairs
    }
    computed = compute(
        tree,
        model,
        path=how.path,
        pack_tokens=how.pack_tokens,
        batch_tokens=how.batch_tokens,
        ends=ends,
        store=how.store,
        progress=how.progress,
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

    return regions, computed


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


def token_values(tree: PrefixTree, bos: Ids, ids: Ids, settings: Settings) -> list[float | None]:
    """The surprisals of a sentence's tokens, without those put before it."""
    values = tree.values(bos + ids)[len(bos) :]
    if values and not bos and settings.first_token == "zero":  # noqa: S105 - no password
        values[0] = 0.0
    return values


def _require_length(tokenized: dict[str, Tokenized], model: AnyModel, added: int) -> None:
    limit = model.max_tokens
    if limit is None:
        return
    for text, tokens in tokenized.items():
        count = len(tokens.ids) + added
        if count > limit:
            raise ScoringError(
                f"a sentence has {count} tokens, the model reads at most {limit}: {text[:80]!r}"
            )
