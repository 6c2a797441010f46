"""What scoring needs from a tokenizer of ``transformers``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.surprisals.prefixes import Ids

_REPLACEMENT = "\ufffd"


def decoded_spans(ids: Sequence[int], text: str, decode: Any) -> tuple[tuple[int, int], ...]:
    """Offsets of tokens for a tokenizer without offsets: where the first k tokens end when decoded.

    Tokens that are parts of one character share its offsets.
    """
    ends: list[int] = []
    for count in range(1, len(ids) + 1):
        spelt = decode(list(ids[:count]), clean_up_tokenization_spaces=False)
        whole = spelt.rstrip(_REPLACEMENT)
        pad = len(whole) - len(whole.lstrip()) if not text.startswith(whole) else 0
        if not text.startswith(whole[pad:]):
            raise ScoringError(
                f"the tokens of {text!r} decode to {spelt!r}; use a tokenizer with offsets (a fast "
                "one)"
            )
        end = len(whole) - pad
        ends.append(end if whole == spelt else min(end + 1, len(text)))
    spans = []
    start = 0
    for index, end in enumerate(ends):
        broken = index + 1 < len(ends) and ends[index + 1] == end
        spans.append((start, end))
        start = start if broken and end > start else end
    return tuple(spans)


def space_words(spans: Sequence[tuple[int, int]], text: str) -> tuple[int, ...]:
    """For each token the number of its word; words are separated by spaces."""
    words: list[int] = []
    for start, end in spans:
        begins = text[start:end][:1].isspace() or text[start - 1 : start].isspace()
        words.append(words[-1] + begins if words else 0)
    return tuple(words)


def unknown_places(ids: Sequence[int], tokenizer: Any) -> frozenset[int]:
    """The places of tokens for what is not in the vocabulary."""
    unknown = tokenizer.unk_token_id
    return frozenset(place for place, number in enumerate(ids) if number == unknown)


def bos_ids(tokenizer: Any, wanted: str) -> Ids:
    """The tokens put before every sentence, for a choice of ``Settings.bos``."""
    if wanted == "none":
        return ()
    if wanted == "auto":
        return () if tokenizer.bos_token_id is None else (tokenizer.bos_token_id,)
    number = tokenizer.convert_tokens_to_ids(wanted)
    # GPT-2 and Pythia have one token for the beginning and for what is unknown.
    if number is None or (number == tokenizer.unk_token_id and wanted != tokenizer.unk_token):
        raise ScoringError(f"the tokenizer has no token {wanted!r}")
    return (number,)


def tokenizer_digest(tokenizer: Any) -> str:
    """SHA-256 of everything that a tokenizer's output depends on."""
    if tokenizer.is_fast:
        text = tokenizer.backend_tokenizer.to_str()
    else:
        text = json.dumps(tokenizer.get_vocab(), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
