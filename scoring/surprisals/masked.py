"""Masked models: pseudo-log-likelihood, word by word from left to right within the word.

After Kauf and Ivanova (2023, "A better way to do masked language model scoring"): the surprisal of
a token is taken while it and the rest of its word are hidden, and all other words are seen. With
nothing but the token itself hidden, a word of several tokens would tell of itself. Words are those
of the tokenizer, or what spaces are between where it does not say.

These are no probabilities of a text, since each token is given what follows it: they can be
compared with each other, and not with those of causal models.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from evalmark.scoring.models.protocols import MaskedLanguageModel, Tokenized
from evalmark.scoring.surprisals.compute import Progress, Store
from evalmark.scoring.surprisals.packs import Values
from evalmark.scoring.surprisals.prefixes import BATCH_TOKENS, Ids


class _Hidden(NamedTuple):
    """A row in which tokens are hidden, and the one that is asked for."""

    row: Ids
    place: int
    token: int


def pseudo_surprisals(
    tokenized: Mapping[str, Tokenized],
    model: MaskedLanguageModel,
    *,
    batch_tokens: int = BATCH_TOKENS,
    store: Store | None = None,
    progress: Progress | None = None,
) -> dict[str, list[float]]:
    """The surprisals (bits) of all tokens of some texts, given the rest of their text.

    Args:
        tokenized: The texts and their tokens; words included.
        model: What fills in.
        batch_tokens: Tokens of a padded batch, padding included.
        store: Where finished batches are kept, and found again.
        progress: Called with the tokens that are known, and how many there will be.
    """
    texts = sorted(tokenized, key=lambda text: (len(tokenized[text].ids), tokenized[text].ids))
    total = sum(len(tokens.ids) for tokens in tokenized.values())
    rows = (row for text in texts for row in _hidden(tokenized[text], model))
    store = store or Store()
    known = store.load()
    values: list[float] = []
    for index, batch in enumerate(_batches(rows, batch_tokens)):
        found = known.get(index)
        if found is None or len(found.surprisals) != len(batch):
            bits = model.fill_in(
                [job.row for job in batch],
                [job.place for job in batch],
                tuple(job.token for job in batch),
            )
            found = Values(bits, [])
            store.save(index, found)
        values += found.surprisals
        if progress:
            progress(len(values), total)
    remaining = iter(values)
    return {text: [next(remaining) for _ in tokenized[text].ids] for text in texts}


def _hidden(tokens: Tokenized, model: MaskedLanguageModel) -> Iterator[_Hidden]:
    before, after = model.around
    for index, token in enumerate(tokens.ids):
        row = list(tokens.ids)
        end = index
        while end < len(row) and tokens.words[end] == tokens.words[index]:
            row[end] = model.mask
            end += 1
        yield _Hidden((*before, *row, *after), len(before) + index, token)


def _batches(rows: Iterable[_Hidden], batch_tokens: int) -> Iterator[list[_Hidden]]:
    """Rows in their order, as many as fit when padded to the longest: that is the last."""
    batch: list[_Hidden] = []
    for job in rows:
        if batch and len(job.row) * (len(batch) + 1) > batch_tokens:
            yield batch
            batch = []
        batch.append(job)
    if batch:
        yield batch
