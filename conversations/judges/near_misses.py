"""Near misses: wrong answers that are like the right one.

A judge that rejects answers without a word in common with the expected one may still accept the
same speaker's words in another session, what is true of the other speaker, the right topic without
the fact, or a neighbouring date or number.
"""

from __future__ import annotations

import re

#: Words that say nothing about whether two answers are alike.
_COMMON = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "i",
        "in",
        "is",
        "it",
        "its",
        "my",
        "of",
        "on",
        "or",
        "our",
        "she",
        "so",
        "some",
        "that",
        "the",
        "their",
        "them",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "with",
        "you",
        "your",
    ]
)
_WORD = re.compile(r"[^\W_]+")


def content_words(text: str) -> set[str]:
    """The words of a text in lower case, without common ones."""
    return set(_WORD.findall(text.casefold())) - _COMMON


def is_near(answer: str, expected: str) -> bool:
    """True if a wrong answer shares a word with the expected one, or both are numbers or dates."""
    words, others = content_words(answer), content_words(expected)
    if words & others:
        return True
    return any(map(str.isdecimal, words)) and any(map(str.isdecimal, others))
