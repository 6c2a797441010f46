"""Tokenizers of ``transformers``, as far as scoring needs them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import Tokenized
from evalmark.scoring.models.thoughts import MARKS, opening_of
from evalmark.scoring.surprisals.prefix_packs import Ids

_REPLACEMENT = "\ufffd"
#: How messages are written for a model whose tokenizer has no chat template.
_PLAIN = {"system": "{}\n", "user": "User: {}\n", "assistant": "Assistant: {}\n"}


def tokenized(tokenizer: Any, texts: Sequence[str]) -> list[Tokenized]:
    """Texts as tokens with offsets, without added tokens; many at once are faster."""
    if not texts or not tokenizer.is_fast:
        return [_decoded(tokenizer, text) for text in texts]
    encoded = tokenizer(
        list(texts), add_special_tokens=False, return_offsets_mapping=True, verbose=False
    )
    rows = zip(encoded["input_ids"], encoded["offset_mapping"], strict=True)
    return [
        Tokenized(
            tuple(ids),
            tuple((start, end) for start, end in spans),
            tuple(-1 if word is None else word for word in encoded.word_ids(place)),
            unknown_places(ids, tokenizer),
        )
        for place, (ids, spans) in enumerate(rows)
    ]


def _decoded(tokenizer: Any, text: str) -> Tokenized:
    ids = tokenizer.encode(text, add_special_tokens=False)
    spans = decoded_spans(ids, text, tokenizer.decode)
    return Tokenized(tuple(ids), spans, space_words(spans, text), unknown_places(ids, tokenizer))


def text_of(tokenizer: Any, ids: Sequence[int], *, special: bool = True) -> str:
    """Tokens as text, with or without special ones."""
    return str(tokenizer.decode(list(ids), skip_special_tokens=not special))


def around(tokenizer: Any) -> tuple[Ids, Ids]:
    """The tokens that a tokenizer puts before and after a text."""
    bare = tokenizer("a", add_special_tokens=False)["input_ids"]
    full = tokenizer("a")["input_ids"]
    at = next(i for i in range(len(full)) if full[i : i + len(bare)] == bare)
    return tuple(full[:at]), tuple(full[at + len(bare) :])


def count(tokenizer: Any, text: str) -> int:
    """Tokens of a text, without added tokens."""
    return len(tokenizer.encode(text, add_special_tokens=False, verbose=False))


def written_out(tokenizer: Any, messages: Sequence[Mapping[str, str]]) -> tuple[list[int], str]:
    """Messages as tokens, up to where the reply begins; by the chat template if there is one.

    With the opening of thoughts that the template has written for the reply.
    """
    if tokenizer.chat_template:
        text = tokenizer.apply_chat_template(
            [dict(message) for message in messages], add_generation_prompt=True, tokenize=False
        )
        ids = tokenizer.encode(text, add_special_tokens=False, verbose=False)
        return list(ids), opening_of(text)
    text = "".join(_PLAIN[m["role"]].format(m["content"]) for m in messages) + "Assistant:"
    return list(tokenizer.encode(text, verbose=False)), ""


def reply_of(tokenizer: Any, ids: Sequence[int]) -> str:
    """The tokens of a reply as text, without special ones, unless these mark its thoughts."""
    marked = not MARKS.isdisjoint(tokenizer.convert_ids_to_tokens(list(ids)))
    return text_of(tokenizer, ids, special=marked)


def has_vocabulary(tokenizer: Any) -> bool:
    """True if a tokenizer has more than special tokens."""
    return len(tokenizer.get_vocab()) > len(tokenizer.all_special_tokens)


def has_template(tokenizer: Any) -> bool:
    """True if a tokenizer has a chat template."""
    return bool(tokenizer.chat_template)


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


def bos_ids(tokenizer: Any, choice: str) -> Ids:
    """The tokens put before every sentence, for a choice of ``Settings.bos``."""
    if choice == "none":
        return ()
    if choice == "auto":
        return () if tokenizer.bos_token_id is None else (tokenizer.bos_token_id,)
    if choice == "tokenizer":
        return around(tokenizer)[0]
    if choice == "bos-or-eos":
        either = (tokenizer.bos_token_id, tokenizer.eos_token_id)
        return tuple(number for number in either if number is not None)[:1]
    number = tokenizer.convert_tokens_to_ids(choice)
    # GPT-2 and Pythia have one token for the beginning and for what is unknown.
    if number is None or (number == tokenizer.unk_token_id and choice != tokenizer.unk_token):
        raise ScoringError(f"the tokenizer has no token {choice!r}")
    return (number,)


def tokenizer_digest(tokenizer: Any) -> str:
    """SHA-256 of everything that a tokenizer's output depends on."""
    if tokenizer.is_fast:
        text = tokenizer.backend_tokenizer.to_str()
    else:
        text = json.dumps(tokenizer.get_vocab(), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
