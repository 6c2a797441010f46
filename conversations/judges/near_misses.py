"""Near misses: wrong answers that are like the right one.

A judge that rejects answers without a word in common with the expected one may still accept the
same speaker's words in another session, what is true of the other speaker, the right topic without
the fact, or a neighbouring date or number.
"""

from __future__ import annotations

import re
from typing import Any

from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.memory_sets.history import History, HistoryQuestion, HistoryTurn
from evalmark.validator.formats.memory_sets.memory_sets_format import MemorySetFormat, set_view

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


#: Turns that are near misses of an answer, at most so many; sentences with fewer words say nothing.
_MOST, _LEAST = 5, 3
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
#: Words that a turn has in common with a question if it is about the same.
_SHARED = 2


def near_turns(data: Any) -> dict[str, tuple[str, ...]]:
    """Question -> sentences of its history that are about the same, and do not have the answer.

    These are what the same speaker says in another session than the evidence, and what another
    speaker says.

    Args:
        data: The file of a memory set; other data have no histories.
    """
    document = identify(data)
    if not isinstance(document.format, MemorySetFormat):
        return {}
    near: dict[str, tuple[str, ...]] = {}
    for history in set_view(document).histories:
        sentences = [
            (session.id, turn, sentence, content_words(sentence))
            for session in history.sessions
            for turn in session.turns
            for sentence in _SENTENCE.split(turn.text)
            if not sentence.endswith("?")
        ]
        for question in history.questions:
            near[question.text] = _near_of(history, question, sentences)
    return near


def _near_of(
    history: History,
    question: HistoryQuestion,
    sentences: list[tuple[str, HistoryTurn, str, set[str]]],
) -> tuple[str, ...]:
    evidence = {turn.at for turn in history.evidence_of(question)}
    homes = {s.id for s in history.sessions for turn in s.turns if turn.at in evidence}
    names = content_words(" ".join(history.speakers))
    asked, answer = content_words(question.text) - names, content_words(question.answer or "")
    named = {name for name in history.speakers if name.casefold() in question.text.casefold()}
    ranked: list[tuple[int, int, str]] = []
    for session, turn, sentence, words in sentences:
        shared = len(asked & words)
        is_other = bool(named) and turn.speaker not in named
        is_elsewhere = turn.at not in evidence and (session not in homes or is_other)
        says_much = shared >= _SHARED and len(words - names) >= _LEAST
        if is_elsewhere and says_much and not words & answer:
            ranked.append((-shared, len(ranked), sentence.rstrip("!")))
    return tuple(sentence for *_, sentence in sorted(ranked)[:_MOST])
