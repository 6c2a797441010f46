"""Masked models: pseudo-log-likelihood, by default within each word from left to right.

After Kauf and Ivanova (2023, "A better way to do masked language model scoring"): the surprisal of
a token is computed with the token and the rest of its word masked, and all other words visible. If
only the token itself were masked, the other tokens of its word would give it away. Words are those
of the tokenizer, or are separated by spaces where it has none. ``masked_method`` ``original`` masks
only the token itself (Salazar et al. 2020, "Masked language model scoring"). The tokens around a
sentence (``[CLS]``, ``[SEP]``) are not scored.

These are not probabilities of a text, since each token is conditioned on what follows it. They can
be compared with each other, but not with those of causal models. Chance and ties take into account
that a different word also changes the values of the words before it. The record has the method
(``computation``) and, for ``kind`` ``mntp``, ``prediction``. ``bos`` other than ``auto`` and
``tokenizer`` is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalmark.scoring.models.protocols import MaskedLanguageModel, Tokenized
from evalmark.scoring.score_settings import BATCH_TOKENS, WITHIN_WORD
from evalmark.scoring.suites.regions import Texts
from evalmark.scoring.surprisals.prefix_packs import Ids, PackValues, Progress, batches
from evalmark.scoring.surprisals.surprisal_computation import NO_STORE, PackStore


@dataclass(frozen=True, slots=True)
class HiddenToken:
    """A row with masked tokens, and the one whose surprisal is wanted."""

    row: Ids
    place: int
    token: int

    def __len__(self) -> int:
        return len(self.row)


def pseudo_surprisals(
    run_texts: Texts,
    model: MaskedLanguageModel,
    *,
    batch_tokens: int = BATCH_TOKENS,
    store: PackStore = NO_STORE,
    progress: Progress | None = None,
    method: str = WITHIN_WORD,
) -> dict[str, list[float | None]]:
    """The surprisals (bits) of the tokens that are wanted, given the rest; None for all others."""
    tokens, places = run_texts.tokens, run_texts.places
    texts = sorted(tokens, key=lambda text: (len(tokens[text].ids), tokens[text].ids))
    total = sum(map(len, places.values()))
    rows = (row for text in texts for row in _hidden(tokens[text], places[text], model, method))
    stored = store.load()
    values: list[float] = []
    for index, batch in enumerate(batches(rows, batch_tokens)):
        stored_pack = stored.get(index)
        if stored_pack is None or len(stored_pack.surprisals) != len(batch):
            stored_pack = PackValues(fill_in(batch, model), [])
            store.save(index, stored_pack)
        values += stored_pack.surprisals
        if progress:
            progress(len(values), total)
    remaining = iter(values)
    surprisals: dict[str, list[float | None]] = {}
    for text in texts:
        surprisals[text] = [None] * len(tokens[text].ids)
        for place in places[text]:
            surprisals[text][place] = next(remaining)
    return surprisals


def fill_in(batch: Sequence[HiddenToken], model: MaskedLanguageModel) -> list[float]:
    """The surprisals (bits) of the tokens of a batch of rows."""
    return model.fill_in(
        [job.row for job in batch],
        [job.place for job in batch],
        tuple(job.token for job in batch),
    )


def _hidden(
    tokens: Tokenized, places: Sequence[int], model: MaskedLanguageModel, method: str
) -> Iterator[HiddenToken]:
    before, after = model.around
    for index in places:
        token, row = tokens.ids[index], list(tokens.ids)
        row[index] = model.mask
        end = index + 1
        while method == WITHIN_WORD and end < len(row) and tokens.words[end] == tokens.words[index]:
            row[end] = model.mask
            end += 1
        yield HiddenToken((*before, *row, *after), len(before) + index, token)
