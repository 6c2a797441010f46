"""Keys of pairs under other names: which key was meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from evalmark.validator.findings.finding import Action
from evalmark.validator.formats.explaining.misspelt_keys import nearest_key
from evalmark.validator.formats.pairs.pair_sets import SETS, PairSet

#: Words that mean the same in the keys of pairs.
_SYNONYMS = {
    "good": ("grammatical", "acceptable", "correct", "right"),
    "bad": ("ungrammatical", "unacceptable", "incorrect", "wrong"),
    "sen": ("sentence", "sentences", "sent", "text"),
}
_SAME = {synonym: word for word, synonyms in _SYNONYMS.items() for synonym in synonyms}
#: Where a row lacks a key, one that is alike is that key: `sentence_god`.
_LIKE = 0.85
#: Keys of a row that are compared, and characters of one; others are of something else.
MAX_KEYS, MAX_LENGTH = 200, 60
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


class Renaming(NamedTuple):
    """The renaming of keys by which a row becomes one of a set."""

    set: PairSet  # the set that it comes closest to
    renames: Mapping[str, str]  # key that it has -> the key of the set
    missing: tuple[str, ...]  # keys that it lacks, renamed ones not counted


def nearest(keys: Iterable[str]) -> Renaming | None:
    """The set that a row with these keys comes closest to; None if it has nothing of any."""
    keys = [key for key in islice(keys, MAX_KEYS) if len(key) <= MAX_LENGTH]
    every = (_renaming(pair_set, keys) for pair_set in SETS.values())
    renamings = (plan for plan in every if not plan.missing or plan.set.signs.intersection(keys))
    return min(renamings, key=lambda plan: (len(plan.missing), len(plan.renames)), default=None)


def _renaming(pair_set: PairSet, keys: list[str]) -> Renaming:
    absent = [key for key in pair_set.listed_signs if key not in keys]
    others = [key for key in keys if key not in pair_set.keys]
    renames: dict[str, str] = {}
    for key in absent:
        exact = (unread for unread in others if words_of(unread) == words_of(key))
        near = (unread for unread in others if get_close_matches(unread, (key,), 1, _LIKE))
        if name := next(exact, None) or next(near, None):
            renames[name] = key
            others.remove(name)
    return Renaming(pair_set, renames, tuple(key for key in absent if key not in renames.values()))


def renames_text(near: Renaming) -> tuple[str, ...]:
    """The renames as suggestions."""
    return tuple(Action.RENAME(old, new) for old, new in near.renames.items())


def nearest_keys(pair_set: PairSet, keys: Iterable[str]) -> dict[str, str]:
    """Unknown key -> the key of the set that has the same words or nearly is it, if not there."""
    keys = [key for key in islice(keys, MAX_KEYS) if len(key) <= MAX_LENGTH]
    unknown = [key for key in keys if key not in pair_set.keys]
    if not unknown:
        return {}
    absent = {words_of(key): key for key in pair_set.keys if key not in keys}
    meant = {key: absent.get(words_of(key)) for key in unknown}
    near = {key: name or nearest_key(key, pair_set.keys, keys) for key, name in meant.items()}
    return {key: name for key, name in near.items() if name}


@lru_cache(10_000)
def words_of(key: str) -> tuple[str, ...]:
    """The words of a key, however they are joined, spelt and ordered."""
    words = (word.lower() for word in _WORDS.findall(key))
    return tuple(sorted(_SAME.get(word, word) for word in words))
