"""From distinct texts to surprisals: one prefix tree, or one set of masked rows, for all files."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.doubts import Vocabulary, vocabulary_of
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, Tokenized
from evalmark.scoring.needed import Texts
from evalmark.scoring.pairs.loading import CountedText, LoadedPairs
from evalmark.scoring.pairs.methods import ScoredText
from evalmark.scoring.planning import RunPlan, tokens_of
from evalmark.scoring.run import Net
from evalmark.scoring.settings import Computing, Settings
from evalmark.scoring.surprisals.compute import Computed, compute, fitting
from evalmark.scoring.surprisals.masked import pseudo_surprisals
from evalmark.scoring.surprisals.packs import packs, plan
from evalmark.scoring.surprisals.prefixes import Ids, PrefixTree, Progress
from evalmark.scoring.surprisals.store import PackStore
from evalmark.scoring.surprisals.values import prefix_tree, token_values

#: Texts that are tokenized together.
TOGETHER = 1000
#: Text -> the surprisals of its tokens that count.
Values = Mapping[CountedText, Sequence[float | None]]


@dataclass(slots=True)
class TokenizedTexts:
    """The tokens of the texts of a run.

    Attributes:
        tokens: Whole text -> its tokens, without the characters that each covers.
        first: Text -> the first of its tokens that counts.
        vocabularies: File -> how much of its texts the vocabulary of the model knows.
    """

    tokens: dict[str, Tokenized] = field(default_factory=dict)
    first: dict[CountedText, int] = field(default_factory=dict)
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict)

    def add(self, file: LoadedPairs, model: LanguageModel | MaskedLanguageModel) -> None:
        """Tokenize the texts of a file.

        Raises:
            ScoringError: A text is too long for the model; nothing is added.
        """
        added = sum(map(len, model.around)) if model.kind == "masked" else len(model.bos)
        tokens: dict[str, Tokenized] = {}
        first: dict[CountedText, int] = {}
        found = Vocabulary(0, 0, 0, 0, 0)
        for start in range(0, len(file.texts), TOGETHER):
            part = file.texts[start : start + TOGETHER]
            known = tokens_of([text.text for text in part], model)
            for whole, of in known.items():
                _require_short(file.path, whole, len(of.ids) + added, model.max_tokens)
            found = _together(found, vocabulary_of(known))
            for text in part:
                first[text] = first_that_counts(known[text.text], text.start)
            tokens |= {whole: Tokenized(of.ids, (), of.words) for whole, of in known.items()}
        self.tokens = {**tokens, **self.tokens}
        self.first |= first
        self.vocabularies[file.path] = found

    def texts(self) -> Texts:
        """The texts with the tokens whose surprisals are wanted: from the first that counts on."""
        begins: dict[str, int] = {}
        for text, first in self.first.items():
            begins[text.text] = min(first, begins.get(text.text, first))
        wanted = {text: range(first, len(self.tokens[text].ids)) for text, first in begins.items()}
        ordered = {text: self.tokens[text] for text in sorted(self.tokens)}
        return Texts(ordered, wanted, complete=not any(begins.values()))


def first_that_counts(tokens: Tokenized, start: int) -> int:
    """The first token that has a character of the text from ``start`` on.

    A token that has characters on both sides counts: without it, part of the text would not.
    """
    if not start:
        return 0
    ends = (index for index, (_, end) in enumerate(tokens.spans) if end > start)
    return next(ends, len(tokens.ids))


def _require_short(path: str, text: str, count: int, limit: int | None) -> None:
    if limit is not None and count > limit:
        raise ScoringError(
            f"{path}: a text has {count} tokens, the model reads at most {limit}: {text[:80]!r}"
        )


def _together(one: Vocabulary, other: Vocabulary) -> Vocabulary:
    words, characters, tokens, unknown, _ = (a + b for a, b in zip(one, other, strict=True))
    return Vocabulary(words, characters, tokens, unknown, max(one.longest, other.longest))


def planned(
    files: Sequence[LoadedPairs],
    model: LanguageModel | MaskedLanguageModel,
    computing: Computing,
    net: Net,
) -> RunPlan:
    """How much a model would read; files with a text that is too long do not count."""
    known = TokenizedTexts()
    net.kept(files, lambda file: known.add(file, model))
    texts = known.texts()
    if model.kind == "masked":
        return RunPlan(None, sum(map(len, texts.wanted.values())), ())
    tree = prefix_tree(texts, model.bos)
    rows = [model.bos + texts.row(text) for text in texts.tokens]
    sizes = plan(tree, rows, list(packs(tree, fitting(computing, model).pack_size)))
    return RunPlan(sizes, sizes.logits, ())


def score_texts(
    known: TokenizedTexts,
    model: LanguageModel | MaskedLanguageModel,
    settings: Settings,
    computing: Computing,
    store: PackStore,
    progress: Progress | None,
) -> tuple[dict[CountedText, ScoredText], Values, Computed]:
    """Every text under a model, each once, with the surprisals of its tokens that count."""
    texts = known.texts()
    if model.kind == "masked":
        bits = pseudo_surprisals(
            texts, model, batch_tokens=computing.batch_tokens, store=store, progress=progress
        )
        values: Values = {text: bits[text.text][first:] for text, first in known.first.items()}
        return _scored(known, values), values, Computed("masked")
    tree = prefix_tree(texts, model.bos)
    computed = compute(tree, model, computing, store=store, progress=progress)
    values = {
        text: _counted(tree, model.bos, known.tokens[text.text].ids, first, settings)
        for text, first in known.first.items()
    }
    return _scored(known, values), values, computed


def _counted(
    tree: PrefixTree, bos: Ids, ids: Ids, first: int, settings: Settings
) -> Sequence[float | None]:
    """The surprisals of the tokens that count; a text of which none does may not be in the tree."""
    return token_values(tree, bos, ids, settings)[first:] if first < len(ids) else ()


def _scored(known: TokenizedTexts, values: Values) -> dict[CountedText, ScoredText]:
    return {
        text: ScoredText(
            _sum(own), known.first[text], known.tokens[text.text].ids, len(text.text) - text.start
        )
        for text, own in values.items()
    }


def _sum(values: Sequence[float | None]) -> float | None:
    """The sum of all values; None without any, or if one is undefined, NaN or infinite."""
    finite = [value for value in values if value is not None and math.isfinite(value)]
    return math.fsum(finite) if finite and len(finite) == len(values) else None
