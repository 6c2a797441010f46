"""Surprisals of words after their contexts, tokenized as BabyLM's pipeline does it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from evalmark.converters.babylm.strict_track import WordInContext
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.contest_run import tokens_of
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, Tokenized
from evalmark.scoring.pairs.pair_run import first_that_counts
from evalmark.scoring.regions import Texts
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.surprisals.compute import fitting
from evalmark.scoring.surprisals.prefix_packs import Ids, Progress, batches
from evalmark.scoring.surprisals.pseudo_likelihood import HiddenToken, fill_in
from evalmark.scoring.surprisals.sentence_surprisals import surprisals_of

#: Tokens, and the places of those whose surprisals are added up.
_Row = tuple[Ids, range]
_Model = LanguageModel | MaskedLanguageModel
#: Mask tokens after a text by which the pipeline asks a masked model how it continues.
MASKS = 3


def of_acquisition(
    words: Sequence[tuple[str, Sequence[str]]],
    model: _Model,
    settings: Settings,
    computing: Computing,
    progress: Progress | None = None,
) -> list[float | None]:
    """The surprisal in bits of each word in each of its contexts, in order.

    Context, space and word are tokenized together (``AoA_word/evaluation_functions.py``).

    Raises:
        ScoringError: A text is too long for the model.
    """
    texts = [
        (f"{context.strip()} ", word.strip()) for word, contexts in words for context in contexts
    ]
    tokens = tokens_of((context + word for context, word in texts), model)

    def row(context: str, word: str) -> _Row:
        whole = tokens[context + word]
        return whole.ids, range(first_that_counts(whole, len(context)), len(whole.ids))

    rows = [[row(context, word)] for context, word in texts]
    return _sums(rows, model, settings, computing, progress)


def of_reading(
    words: Sequence[WordInContext],
    model: _Model,
    settings: Settings,
    computing: Computing,
    progress: Progress | None = None,
) -> list[float | None]:
    """The surprisal in bits of each word.

    A word is tokenized by itself. Each of its tokens is decoded, tokenized anew, and asked for
    after the text before it, which is tokenized anew too (``reading/evaluation_functions.py``,
    ``get_p2``). A masked model is asked for the first of ``MASKS`` masks after that text
    (``get_p2_mlm``).

    Raises:
        ScoringError: A text is too long for the model, or a word has no tokens.
    """
    targets = tokens_of((word for _, word in words), model)
    spelt = model.spelt(token for tokens in targets.values() for token in tokens.ids)
    again = tokens_of(spelt.values(), model)
    parts = [[*_parts(word, targets[word], spelt, again)] for _, word in words]
    masks = model.spelt([model.mask])[model.mask] * MASKS if model.kind == "masked" else ""
    texts = (
        context + before + masks
        for (context, _), pieces in zip(words, parts, strict=True)
        for before, _ in pieces
    )
    contexts = tokens_of(texts, model)
    rows = [
        [(contexts[context + before + masks].ids, token) for before, token in pieces]
        for (context, _), pieces in zip(words, parts, strict=True)
    ]
    if model.kind == "masked":
        return _filled(rows, model, computing, progress)
    after = [
        [((*ids, token), range(len(ids), len(ids) + 1)) for ids, token in pieces] for pieces in rows
    ]
    return _sums(after, model, settings, computing, progress)


def _parts(
    word: str, tokens: Tokenized, spelt: Mapping[int, str], again: Mapping[str, Tokenized]
) -> Iterator[tuple[str, int]]:
    """Each token of a word, and the part of the word before it."""
    before = ""
    for index, token in enumerate(tokens.ids):
        text = spelt[token]
        if index and not again[text].ids:
            raise ScoringError(f"a part of {word!r} has no tokens: {text!r}")
        yield before, again[text].ids[0] if index else token
        before += text


def _filled(
    words: Sequence[Sequence[tuple[Ids, int]]],
    model: MaskedLanguageModel,
    computing: Computing,
    progress: Progress | None,
) -> list[float | None]:
    """For each word the sum of the surprisals of its tokens, each at the first mask of a row."""
    first, last = model.around
    hidden = {
        (ids, token): HiddenToken((*first, *ids, *last), len(first) + len(ids) - MASKS, token)
        for rows in words
        for ids, token in rows
    }
    for ids, _ in hidden:
        _require_short(ids, model)
    by_length = sorted(hidden.items(), key=lambda entry: len(entry[1]))
    rows_of = [row for _, row in by_length]
    bits: list[float] = []
    for batch in batches(rows_of, computing.batch_tokens):
        bits += fill_in(batch, model)
        if progress:
            progress(len(bits), len(rows_of))
    values = {key: value for (key, _), value in zip(by_length, bits, strict=True)}
    return [_sum([values[row] for row in rows]) for rows in words]


def _sums(
    words: Sequence[Sequence[_Row]],
    model: _Model,
    settings: Settings,
    computing: Computing,
    progress: Progress | None,
) -> list[float | None]:
    """For each word the sum of the surprisals of its tokens; None if it has none."""
    tokens: dict[str, Tokenized] = {}
    places: dict[str, range] = {}
    for rows in words:
        for ids, wanted in rows:
            _require_short(ids, model)
            name = _name(ids, wanted)
            tokens[name], places[name] = Tokenized(ids, ()), wanted
    values, _ = surprisals_of(
        Texts(tokens, places, complete=False),
        model,
        settings,
        computing=computing if model.kind == "masked" else fitting(computing, model),
        progress=progress,
    )
    return [
        _sum([values.of(_name(ids, wanted))[place] for ids, wanted in rows for place in wanted])
        for rows in words
    ]


def _name(ids: Ids, wanted: range) -> str:
    return f"{wanted.start} {' '.join(map(str, ids))}"


def _require_short(ids: Ids, model: _Model) -> None:
    added = sum(map(len, model.around)) if model.kind == "masked" else len(model.bos)
    tokens = added + len(ids)
    if model.max_tokens is not None and tokens > model.max_tokens:
        raise ScoringError(
            f"a text has {tokens} tokens, and the model reads at most {model.max_tokens}"
        )


def _sum(values: Sequence[float | None]) -> float | None:
    finite = [value for value in values if value is not None and math.isfinite(value)]
    return math.fsum(finite) if finite and len(finite) == len(values) else None
