"""Surprisals of texts: those of a run, or of the tokens of single sentences."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.scoring.score_settings import DEFAULT_COMPUTING, WITHIN_WORD, Computing, Settings
from evalmark.scoring.suites.regions import Texts, assign_tokens, whole_texts
from evalmark.scoring.surprisals.prefix_packs import Ids, PrefixTree, Progress
from evalmark.scoring.surprisals.pseudo_likelihood import pseudo_surprisals
from evalmark.scoring.surprisals.surprisal_computation import NO_STORE, Computed, PackStore, compute
from evalmark.validator.formats.suites.suite import Sentence


@dataclass(frozen=True, slots=True)
class TextSurprisals:
    """The surprisals (bits) of the tokens of the texts of a run."""

    texts: Texts  # the texts
    settings: Settings  # how they become numbers
    bos: Ids = ()  # the tokens that a causal model has before each text
    tree: PrefixTree | None = None  # the values of a causal model
    #: Those of a masked one: text -> the surprisals of its tokens.
    bits: Mapping[str, Sequence[float | None]] = field(default_factory=dict)

    def get(self, text: str) -> Sequence[float | None]:
        """The surprisals of the tokens of a text; None where one is undefined or does not count."""
        if self.tree is None:
            return self.bits[text]
        row = self.texts.row(text)
        values = token_values(self.tree, self.bos, row, self.settings) if row else []
        return [*values, *[None] * (len(self.texts.tokens[text].ids) - len(row))]

    def bounds(self, text: str) -> list[float]:
        """After each number of tokens, log2 of the probability of a word's end, where it counts."""
        assert self.tree is not None
        nodes = self.tree.path(self.bos + self.texts.row(text))[len(self.bos) :]
        return [0.0, *(self.tree.bounds.get(node, 0.0) for node in nodes)]


def surprisals_of(
    texts: Texts,
    model: LanguageModel | MaskedLanguageModel,
    settings: Settings,
    *,
    computing: Computing = DEFAULT_COMPUTING,
    store: PackStore = NO_STORE,
    progress: Progress | None = None,
    word_ends: Mapping[str, Collection[int]] = MappingProxyType({}),
) -> tuple[TextSurprisals, Computed]:
    """Compute the surprisals of the tokens that count, each once for equal token prefixes.

    ``word_ends`` are the numbers of tokens of a text after which the probability of a word's end
    is computed as well.
    """
    if model.kind == "masked":
        bits = pseudo_surprisals(
            texts,
            model,
            batch_tokens=computing.batch_tokens,
            store=store,
            progress=progress,
            method=settings.masked_method,
        )
        strategy = "masked" if settings.masked_method == WITHIN_WORD else "masked alone"
        return TextSurprisals(texts, settings, bits=bits), Computed(strategy)
    bos = model.bos
    tree = prefix_tree(texts, bos)
    ends = {
        tree.path(bos + texts.row(text))[len(bos) + count - 1]
        for text, counts in word_ends.items()
        for count in counts
    }
    computed = compute(tree, model, computing, ends=ends, store=store, progress=progress)
    return TextSurprisals(texts, settings, bos, tree), computed


def prefix_tree(texts: Texts, bos: Ids) -> PrefixTree:
    """The tree of the texts of a run, as far as surprisals are wanted."""
    rows = {text: bos + row for text in texts.tokens if (row := texts.row(text)) or texts.complete}
    tree = PrefixTree(rows.values())
    if not texts.complete:
        for text, ids in rows.items():
            tree.want(ids, [len(bos) + place for place in texts.places[text]])
    return tree


def token_values(tree: PrefixTree, bos: Ids, ids: Ids, settings: Settings) -> list[float | None]:
    """The surprisals of a text's tokens, without those put before it."""
    values = tree.values(bos + ids)[len(bos) :]
    if values and not bos and settings.first_token != "undefined":
        values[0] = 0.0
    return values


class TokenSurprisal(NamedTuple):
    """A token of a sentence."""

    text: str  # the characters that it covers, with the space before it if it has one
    region: int  # the index of its region
    #: Its surprisal; None if it is undefined, as that of a first token without BOS.
    bits: float | None


def token_surprisals(
    model: LanguageModel | MaskedLanguageModel,
    sentences: Sequence[Sentence],
    settings: Settings,
) -> list[list[TokenSurprisal]]:
    """The tokens of each sentence with a run's values; ScoringError if a sentence is too long."""
    tokens = {text: model.tokenize(text) for text in sorted({s.text for s in sentences})}
    around = sum(map(len, model.around)) if model.kind == "masked" else len(model.bos)
    for text, encoding in tokens.items():
        if model.max_tokens is not None and len(encoding.ids) + around > model.max_tokens:
            raise ScoringError(
                f"a sentence has {len(encoding.ids) + around} tokens, the model reads at most "
                f"{model.max_tokens}: {text[:80]!r}"
            )
    surprisals, _ = surprisals_of(whole_texts(tokens), model, settings)
    return [
        [
            TokenSurprisal(sentence.text[start:end], region, value)
            for (start, end), region, value in zip(
                tokens[sentence.text].spans,
                assign_tokens(tokens[sentence.text].spans, sentence),
                surprisals.get(sentence.text),
                strict=True,
            )
        ]
        for sentence in sentences
    ]
