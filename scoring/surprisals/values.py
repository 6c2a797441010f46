"""From the tokens of sentences to the surprisals of their regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, Tokenized
from evalmark.scoring.regions import assign_tokens, region_surprisals
from evalmark.scoring.settings import Computing, Settings
from evalmark.scoring.suites import LoadedSuite
from evalmark.scoring.surprisals.boundaries import corrected, edges
from evalmark.scoring.surprisals.compute import Computed, compute
from evalmark.scoring.surprisals.masked import pseudo_surprisals
from evalmark.scoring.surprisals.prefixes import Ids, PrefixTree, Progress
from evalmark.scoring.surprisals.store import PackStore
from evalmark.validator.views.sentences import Sentence

#: A sentence with its cuts -> the token surprisals (bits) of each of its regions.
Regions = Callable[[Sentence], list[list[float | None]]]


def masked_values(
    model: MaskedLanguageModel,
    settings: Settings,
    tokenized: dict[str, Tokenized],
    computing: Computing,
    store: PackStore,
    progress: Progress | None,
) -> tuple[Regions, Computed]:
    """The regions of sentences by pseudo-log-likelihood."""
    if settings.boundary != "none":
        raise ScoringError(
            "boundary 'corrected' applies to causal models: a masked model sees where words end"
        )
    bits = pseudo_surprisals(
        tokenized, model, batch_tokens=computing.batch_tokens, store=store, progress=progress
    )

    def regions(sentence: Sentence) -> list[list[float | None]]:
        assigned = assign_tokens(tokenized[sentence.text].spans, sentence)
        return region_surprisals(bits[sentence.text], assigned, len(sentence.spans))

    return regions, Computed("masked")


def causal_values(
    suites: Sequence[LoadedSuite],
    model: LanguageModel,
    settings: Settings,
    tokenized: dict[str, Tokenized],
    computing: Computing,
    store: PackStore,
    progress: Progress | None,
) -> tuple[Regions, Computed]:
    """The regions of sentences; equal token prefixes share one value over all suites."""
    tree = PrefixTree(model.bos + tokens.ids for tokens in tokenized.values())
    correct = _corrects(model, settings)
    found = _edges(suites, tokenized) if correct else {}
    ends = {
        tree.path(model.bos + tokenized[sentence.text].ids)[len(model.bos) + count - 1]
        for sentence, pairs in found.items()
        for count, _ in pairs
    }
    computed = compute(tree, model, computing, ends=ends, store=store, progress=progress)

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


def _corrects(model: LanguageModel, settings: Settings) -> bool:
    """Whether surprisals become those of whole words."""
    return settings.boundary == "corrected" and model.marks_words


def require_correctable(
    suite: LoadedSuite, model: LanguageModel | MaskedLanguageModel, settings: Settings
) -> None:
    """Refuse a suite whose metric allows no correction, if there is one.

    Raises:
        ScoringError: Its metric looks at single tokens.
    """
    # A masked model corrects nothing for any suite, and says so itself.
    if suite.suite.metric != "sum" and model.kind != "masked" and _corrects(model, settings):
        raise ScoringError(
            f"{suite.path}: boundary 'corrected' needs the metric sum; the suite's is "
            f"{suite.suite.metric}, which looks at single tokens"
        )


def _edges(
    suites: Sequence[LoadedSuite], tokenized: dict[str, Tokenized]
) -> dict[Sentence, list[tuple[int, int]]]:
    """For each sentence with its cuts, where its regions begin or end at the end of a word."""
    found: dict[Sentence, list[tuple[int, int]]] = {}
    for suite in suites:
        for sentence in (sentence for row in suite.sentences for sentence in row):
            tokens = tokenized[sentence.text]
            assigned = assign_tokens(tokens.spans, sentence)
            # Equal sentences may be cut into regions in different ways.
            found.setdefault(sentence, edges(tokens.spans, assigned, sentence))
    return found


def token_values(tree: PrefixTree, bos: Ids, ids: Ids, settings: Settings) -> list[float | None]:
    """The surprisals of a sentence's tokens, without those put before it."""
    values = tree.values(bos + ids)[len(bos) :]
    if values and not bos and settings.first_token == "zero":
        values[0] = 0.0
    return values
