"""Surprisals of sentences: of their regions, or of each token."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, Tokenized
from evalmark.scoring.regions import (
    RegionSurprisals,
    Texts,
    assign_tokens,
    needed_regions,
    region_surprisals,
    whole_texts,
)
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.suite_loading import LoadedSuite
from evalmark.scoring.surprisals.compute import Computed, compute
from evalmark.scoring.surprisals.pack_store import PackStore
from evalmark.scoring.surprisals.prefix_packs import Ids, PrefixTree, Progress
from evalmark.scoring.surprisals.pseudo_likelihood import pseudo_surprisals
from evalmark.scoring.surprisals.word_boundaries import corrected, edges
from evalmark.validator.formats.suites.suite import Sentence

#: A sentence with its cuts, and the indices of the regions that are needed -> the token surprisals
#: (bits) of each of its regions; None for those that are not needed.
Regions = Callable[[Sentence, Collection[int]], list[RegionSurprisals]]


def masked_values(
    model: MaskedLanguageModel,
    settings: Settings,
    texts: Texts,
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
        texts, model, batch_tokens=computing.batch_tokens, store=store, progress=progress
    )

    def regions(sentence: Sentence, needed: Collection[int]) -> list[RegionSurprisals]:
        assigned = assign_tokens(texts.tokens[sentence.text].spans, sentence)
        found = region_surprisals(bits[sentence.text], assigned, len(sentence.spans))
        return _only(found, needed)

    return regions, Computed("masked")


def causal_values(
    suites: Sequence[LoadedSuite],
    model: LanguageModel,
    settings: Settings,
    texts: Texts,
    computing: Computing,
    store: PackStore,
    progress: Progress | None,
) -> tuple[Regions, Computed]:
    """The regions of sentences; equal token prefixes share one value over all suites."""
    bos = model.bos
    tree = prefix_tree(texts, bos)
    correct = _corrects(model, settings)
    found = _edges(suites, texts.tokens, settings) if correct else {}
    ends = {
        tree.path(bos + texts.row(sentence.text))[len(bos) + count - 1]
        for sentence, pairs in found.items()
        for count, _ in pairs
    }
    computed = compute(tree, model, computing, ends=ends, store=store, progress=progress)

    def regions(sentence: Sentence, needed: Collection[int]) -> list[RegionSurprisals]:
        tokens, row = texts.tokens[sentence.text], texts.row(sentence.text)
        values = token_values(tree, bos, row, settings) if row else []
        values += [None] * (len(tokens.ids) - len(row))
        assigned = assign_tokens(tokens.spans, sentence)
        regions = region_surprisals(values, assigned, len(sentence.spans))
        if correct and row:
            path = tree.path(bos + row)[len(bos) :]
            bounds = [0.0, *(tree.bounds.get(node, 0.0) for node in path)]
            own = [(count, region) for count, region in found[sentence] if _of(region) in needed]
            regions = corrected(regions, own, bounds)
        return _only(regions, needed)

    return regions, computed


def prefix_tree(texts: Texts, bos: Ids) -> PrefixTree:
    """The tree of the texts of a run, as far as surprisals are wanted."""
    rows = {text: bos + row for text in texts.tokens if (row := texts.row(text)) or texts.complete}
    tree = PrefixTree(rows.values())
    if not texts.complete:
        for text, ids in rows.items():
            tree.want(ids, [len(bos) + place for place in texts.wanted[text]])
    return tree


def _only(
    regions: Sequence[Sequence[float | None]], needed: Collection[int]
) -> list[RegionSurprisals]:
    return [region if index in needed else None for index, region in enumerate(regions)]


def _of(region: int) -> int:
    """The region of one of its ``edges``."""
    return ~region if region < 0 else region


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
    suites: Sequence[LoadedSuite], tokenized: Mapping[str, Tokenized], settings: Settings
) -> dict[Sentence, list[tuple[int, int]]]:
    """For each sentence with its cuts, where its needed regions begin or end at a word's end."""
    found: dict[Sentence, dict[tuple[int, int], None]] = {}
    for suite in suites:
        for row, needs in zip(suite.sentences, needed_regions(suite, settings), strict=True):
            for sentence, needed in zip(row, needs, strict=True):
                spans = tokenized[sentence.text].spans
                # Equal sentences may be cut into regions in different ways.
                own = edges(spans, assign_tokens(spans, sentence), sentence)
                wanted = (edge for edge in own if _of(edge[1]) in needed)
                found.setdefault(sentence, {}).update(dict.fromkeys(wanted))
    return {sentence: list(places) for sentence, places in found.items()}


def token_values(tree: PrefixTree, bos: Ids, ids: Ids, settings: Settings) -> list[float | None]:
    """The surprisals of a sentence's tokens, without those put before it."""
    values = tree.values(bos + ids)[len(bos) :]
    if values and not bos and settings.first_token == "zero":
        values[0] = 0.0
    return values


class TokenSurprisal(NamedTuple):
    """A token of a sentence.

    Attributes:
        text: The characters that it covers, with the space before it if it has one.
        region: The index of its region.
        bits: Its surprisal; None if it is undefined, as that of a first token without BOS.
    """

    text: str
    region: int
    bits: float | None


def token_surprisals(
    model: LanguageModel | MaskedLanguageModel,
    sentences: Sequence[Sentence],
    settings: Settings,
) -> list[list[TokenSurprisal]]:
    """The tokens of each sentence, with the values that a run has for them.

    Raises:
        ScoringError: A sentence is too long for the model.
    """
    tokens = {text: model.tokenize(text) for text in sorted({s.text for s in sentences})}
    around = sum(map(len, model.around)) if model.kind == "masked" else len(model.bos)
    for text, found in tokens.items():
        if model.max_tokens is not None and len(found.ids) + around > model.max_tokens:
            raise ScoringError(
                f"a sentence has {len(found.ids) + around} tokens, the model reads at most "
                f"{model.max_tokens}: {text[:80]!r}"
            )
    texts = whole_texts(tokens)
    if model.kind == "masked":
        bits = pseudo_surprisals(texts, model)
    else:
        tree = prefix_tree(texts, model.bos)
        compute(tree, model)
        bits = {
            text: token_values(tree, model.bos, found.ids, settings) if found.ids else []
            for text, found in tokens.items()
        }
    return [
        [
            TokenSurprisal(sentence.text[start:end], region, value)
            for (start, end), region, value in zip(
                tokens[sentence.text].spans,
                assign_tokens(tokens[sentence.text].spans, sentence),
                bits[sentence.text],
                strict=True,
            )
        ]
        for sentence in sentences
    ]
