"""Scores of texts from their surprisals, and the effect of rounding on differences of scores.

Every score is a surprisal in bits times a weight, so a smaller one is better.

- ``sum``: the surprisal of the whole text
- ``mean``, ``per-char``: the same, divided by the number of tokens, or of characters
- ``conditional``: the surprisal of a text after its context
- ``one-context``: for EWoK, both targets after the first context; by default, each target is
  compared after both contexts, so a row gives two contests
- ``one-prefix``: either critical word after their common beginning
- ``two-prefix``: one critical word after either beginning

A text after its context is tokenized together with it. A token counts if it has a character of the
text or of the space before it, even if it also has some of the context.

A contest is right if the score of the right text is lower than that of each other text by more than
the margin of rounding, to which only tokens after a common beginning add. A tie is never right. The
share of a wug test is the probability of the first text divided by that of both; its score is
Spearman's correlation with the ratios of people over the rows of a file, where shares that round to
1 are ranked by the difference of surprisals.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from evalmark.scoring.surprisals.prefix_packs import Ids
from evalmark.validator.formats.pairs.pair_characters import common_start
from evalmark.validator.formats.pairs.pair_sets import (
    CONDITIONAL,
    MEAN,
    METHODS,
    ONE_CONTEXT,
    ONE_PREFIX,
    PER_CHAR,
    SUM,
    TWO_PREFIX,
)


class ScoredText(NamedTuple):
    """A text under a model."""

    bits: float | None  # the surprisal of all its tokens that count; None if it is undefined
    first: int  # the first token that counts
    ids: Ids  # all its tokens
    characters: int  # how many characters count

    @property
    def tokens(self) -> int:
        """The number of tokens that count."""
        return len(self.ids) - self.first


class TextTokens(NamedTuple):
    """The tokens of a text, in arrays: a run may have hundreds of thousands of texts."""

    ids: Ids  # their ids
    spans: array[int]  # the first character of each and the one after its last, one after the other
    bits: array[float]  # their surprisals; NaN if a surprisal is undefined, or does not count

    def each(self) -> Iterator[tuple[int, int, int, float]]:
        """The id, the first character, the one after the last, and the surprisal of each token."""
        return zip(self.ids, self.spans[::2], self.spans[1::2], self.bits, strict=True)


#: Method -> by what a text's surprisal is multiplied.
WEIGHTS: Mapping[str, Callable[[ScoredText], float]] = {
    **dict.fromkeys(METHODS, lambda _: 1.0),
    MEAN: lambda text: 1 / text.tokens,
    PER_CHAR: lambda text: 1 / text.characters,
}
#: Method -> the unit of its scores.
UNITS = {**dict.fromkeys(WEIGHTS, "bits"), MEAN: "bits per token", PER_CHAR: "bits per character"}
#: Method -> what has to be smaller for the right text, in words.
SAID = {
    SUM: "surprisal of the whole text",
    MEAN: "mean surprisal of the tokens of the whole text",
    PER_CHAR: "surprisal per character of the whole text",
    ONE_PREFIX: "surprisal of the critical word after the common beginning",
    TWO_PREFIX: "surprisal of the critical word after each beginning",
    CONDITIONAL: "surprisal of the text after its context",
    ONE_CONTEXT: "surprisal of the text after the first context",
}


def text_score(text: ScoredText, method: str) -> float | None:
    """The score of a text: less is better. None if it is undefined."""
    return None if text.bits is None else text.bits * WEIGHTS[method](text)


def error_in_tokens(first: ScoredText, second: ScoredText, method: str, *, shares: bool) -> float:
    """The square of the error of a difference of scores, in tokens.

    Tokens that count in both texts after the same tokens have the same value if a model ``shares``
    the values of common beginnings: they move both scores alike.
    """
    weights = WEIGHTS[method](first), WEIGHTS[method](second)
    common = _common_count(first, second) if shares or first.ids == second.ids else 0
    return math.fsum(
        (
            common * (weights[0] - weights[1]) ** 2,
            (first.tokens - common) * weights[0] ** 2,
            (second.tokens - common) * weights[1] ** 2,
        )
    )


def _common_count(first: ScoredText, second: ScoredText) -> int:
    """The number of tokens at the beginning of both that count in both."""
    if first.first != second.first:
        return 0
    return max(0, common_start(first.ids, second.ids) - first.first)
