"""Wording for messages: values, lists and suggestions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from evalmark.validator.findings.finding import Action
from evalmark.validator.io.redaction import redacted

#: Values are listed up to this length; a longer list helps nobody.
LISTED = 400


def cited(value: object) -> str:
    """A value as JSON, so that spaces and quotes are visible; cut if it is long."""
    text = redacted(json.dumps(value, ensure_ascii=False))  # before half of a secret is cut off
    return text if len(text) <= 60 else f"{text[:57]}…"


def quoted(value: object) -> str:
    """A value as JSON, whole: for suggestions, which are copied."""
    return json.dumps(value, ensure_ascii=False)


def listed(words: Iterable[object], limit: int = 6) -> str:
    """``4, 9 and 12``; a long list is cut."""
    texts = [str(word) for word in words]
    if len(texts) > limit:
        texts = [*texts[: limit - 1], f"{len(texts) - limit + 1} more"]
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else "".join(texts)


def first_of(texts: Sequence[str], most: int) -> str:
    """``a, b and 1,000 more``: the first texts, and how many others there are."""
    more = len(texts) - most
    return ", ".join(texts[:most]) + (f" and {more:,} more" if more > 0 else "")


def counted(count: int, noun: str) -> str:
    """A number and its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def items_text(numbers: Sequence[int]) -> str:
    """``item 4`` or ``items 4, 9 and 12``."""
    return f"item{'s' if len(numbers) > 1 else ''} {listed(numbers)}"


def closest(word: str, names: Iterable[str]) -> tuple[str, ...]:
    """``did you mean …`` if there is a similar name."""
    return tuple(f"did you mean `{name}`?" for name in similar(word, names))


def similar(word: str, names: Iterable[str]) -> tuple[str, ...]:
    """The known name that is most like a word, if one is."""
    names = list(names)
    import difflib  # valid files need none

    near = difflib.get_close_matches(word, names, n=1, cutoff=0.7)
    # An abbreviation is similar too: "hf" for "hf_dataset".
    near = near or [name for name in names if len(word) > 1 and name.startswith(word)]
    return tuple(near[:1])


def one_of(values: Iterable[object], advice: str) -> tuple[str, ...]:
    """``write A``, or ``write one of A, B``; the advice if there are none, or too many."""
    texts = list(dict.fromkeys(quoted(value) for value in values))
    if not texts or (len(texts) > 1 and len("".join(texts)) > LISTED):
        return (advice,)
    return ((Action.CHOOSE if len(texts) > 1 else Action.WRITE)(", ".join(texts)),)


def alike(word: str, names: Iterable[str], cutoff: float = 0.75) -> list[str]:
    """The one text that is like another; none if several are, for then nobody can say."""
    import difflib  # valid files need none

    texts = {text.casefold(): text for text in names}
    near = difflib.get_close_matches(word.casefold(), texts, n=2, cutoff=cutoff)
    return [texts[near[0]]] if len(near) == 1 else []
