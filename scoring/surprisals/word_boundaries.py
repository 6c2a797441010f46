"""Word boundaries: the surprisal of a word when tokens include the space before them.

After Pimentel and Meister (2024, "How to compute the probability of a word") and Oh and Schuler
(2024). Where a tokenizer puts the space before a word into its first token, the tokens of a word do
not say that the word ends: the probability of "laugh" includes "laughs" and "laughter". The word
ends if the next token begins another word, or if the text ends. Let S be the set of these tokens:
all that begin with a space, newline or tab, and EOS. With B(c) = log₂ of the probability of S after
the context c,

    surprisal of a word w after c  =  Σ surprisals of its tokens  +  B(c)  −  B(c w)

Between the words of a region the terms cancel, so a region has one term at each of its ends, both
from the same forward pass. The probabilities of all words that may follow, and of the end of the
text, add up to one.

- No word ends before the first one, so B of the beginning is 0.
- EOS is in S, so a sentence may end where it ends.
- Punctuation joined without a space continues a word: no term there, on either side.
- Byte-level and SentencePiece marks of a space, and ``##`` for a continuation, are known. Where the
  ends of words are marked (``</w>``), nothing changes. Other tokenizers are refused.
- Byte-level tokens that begin with a newline or a tab are in S. Where ``▁`` marks a space, S has
  only tokens with it, and at a newline the term leaves out the newline itself. WordPiece has no
  tokens for newlines and tabs. A carriage return is not in S.
- Metrics other than ``sum`` look at single tokens and are refused; so are recorded values and
  masked models.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.validator.formats.suites.suite import Sentence

#: Marks of the first token of a word: byte-level (space, newline, tab) and Metaspace.
_BEFORE = ("Ġ", "Ċ", "ĉ", "▁")
_AFTER = "</w>"
_CONTINUES = "##"


def boundary_tokens(tokenizer: Any) -> tuple[int, ...] | None:
    """The tokens that begin a word, and those that end a text, in ascending order.

    None for a tokenizer that marks the ends of words, which needs no correction.
    """
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    ends = {tokenizer.eos_token_id, tokenizer.sep_token_id} - {None}
    special = set(tokenizer.all_special_ids)
    begin = {number for token, number in vocabulary.items() if token.startswith(_BEFORE)}
    if begin - special:
        return tuple(sorted((begin - special) | ends))
    if any(token.endswith(_AFTER) for token in vocabulary):
        return None
    if any(token.startswith(_CONTINUES) for token in vocabulary):
        begin = {n for token, n in vocabulary.items() if not token.startswith(_CONTINUES)}
        return tuple(sorted((begin - special) | ends))
    raise ScoringError(
        "boundary 'corrected': the tokenizer marks neither the beginnings nor the ends of words"
    )


def edges(
    spans: Sequence[tuple[int, int]], assigned: Sequence[int], sentence: Sentence
) -> list[tuple[int, int]]:
    """The places where a region begins or ends at the end of a word.

    A region that continues a word, such as a comma joined without a space, has no term at that
    end, and neither has the region before it. The first region has none at its beginning, since no
    word ends there.

    Returns:
        Pairs of a number of tokens k and a region: B after the first k tokens is the term at the
        beginning of the region or, as ``~region``, at its end.
    """
    places: list[tuple[int, int]] = []
    for index in range(1, len(assigned)):
        before, after = assigned[index - 1], assigned[index]
        start = spans[index][0]  # with a space in or before it, a word begins
        if before != after and any(map(str.isspace, sentence.text[max(start - 1, 0) : start + 1])):
            places += [(index, ~before), (index, after)]
    if assigned:
        places.append((len(assigned), ~assigned[-1]))
    return places


def whole_word_surprisals(
    regions: list[list[float | None]],
    places: Iterable[tuple[int, int]],
    bounds: Sequence[float],
) -> list[list[float | None]]:
    """The token surprisals (bits) of regions with the boundary terms at their ends.

    The term of a region's beginning is added to its first token, that of its end to its last.
    ``bounds`` has B (log2, at most 0) after each number of tokens, from 0.
    """
    new = [list(region) for region in regions]
    for count, region in places:
        values = new[~region if region < 0 else region]
        place = -1 if region < 0 else 0
        value = values[place]
        if value is not None:
            values[place] = value + (-bounds[count] if region < 0 else bounds[count])
    return new
