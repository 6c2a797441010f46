"""Surprisals of words after their contexts, tokenized as BabyLM's pipeline does it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from evalmark.converters.babylm.strict_track import WordInContext
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.contest_run import tokens_of
from evalmark.scoring.models.protocols import LanguageModel, Tokenized
from evalmark.scoring.pairs.pair_run import first_that_counts
from evalmark.scoring.regions import Texts
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.surprisals.compute import fitting
from evalmark.scoring.surprisals.prefix_packs import Ids, Progress
from evalmark.scoring.surprisals.sentence_surprisals import surprisals_of

#: Tokens, and the places of those whose surprisals are added up.
_Row = tuple[Ids, range]


def of_acquisition(
    words: Sequence[tuple[str, Sequence[str]]],
    model: LanguageModel,
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
    model: LanguageModel,
    settings: Settings,
    computing: Computing,
    progress: Progress | None = None,
) -> list[float | None]:
    """The surprisal in bits of each word.

    A word is tokenized by itself. Each of its tokens is asked for after the text before it, which
    is tokenized anew (``reading/evaluation_functions.py``, ``get_p2``).

    Raises:
        ScoringError: A text is too long for the model, or a word has no tokens.
    """
    targets = tokens_of((word for _, word in words), model)
    parts = [[*_parts(word, targets[word])] for _, word in words]
    texts = (
        context + before
        for (context, _), pieces in zip(words, parts, strict=True)
        for before, _ in pieces
    )
    contexts = tokens_of(texts, model)
    rows = [
        [
            ((*ids, token), range(len(ids), len(ids) + 1))
            for before, token in pieces
            for ids in (contexts[context + before].ids,)
        ]
        for (context, _), pieces in zip(words, parts, strict=True)
    ]
    return _sums(rows, model, settings, computing, progress)


def _parts(word: str, tokens: Tokenized) -> Iterator[tuple[str, int]]:
    """Each token of a word, and the part of the word before it."""
    end = 0
    for token, (_, next_end) in zip(tokens.ids, tokens.spans, strict=True):
        yield word[:end], token
        end = next_end


def _sums(
    words: Sequence[Sequence[_Row]],
    model: LanguageModel,
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
        computing=fitting(computing, model),
        progress=progress,
    )
    return [
        _sum([values.of(_name(ids, wanted))[place] for ids, wanted in rows for place in wanted])
        for rows in words
    ]


def _name(ids: Ids, wanted: range) -> str:
    return f"{wanted.start} {' '.join(map(str, ids))}"


def _require_short(ids: Ids, model: LanguageModel) -> None:
    tokens = len(model.bos) + len(ids)
    if model.max_tokens is not None and tokens > model.max_tokens:
        raise ScoringError(
            f"a text has {tokens} tokens, and the model reads at most {model.max_tokens}"
        )


def _sum(values: Sequence[float | None]) -> float | None:
    finite = [value for value in values if value is not None and math.isfinite(value)]
    return math.fsum(finite) if finite and len(finite) == len(values) else None
