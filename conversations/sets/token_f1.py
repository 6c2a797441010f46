"""F1 of the words of an answer, as LoCoMo's paper and program compute it, and exact match.

The published F1 stems words with NLTK's ``PorterStemmer``: Porter's algorithm with changes. These
are its stems.
"""

from __future__ import annotations

import re
import statistics
import string
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise

#: Words that NLTK does not leave to the rules.
_IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
    "cannings": "canning", "canning": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip

#: Suffix, replacement, and what must hold of what is before the suffix.
_Rule = tuple[str, str, Callable[[str], bool]]


def _is_consonant(word: str, at: int) -> bool:
    if word[at] in "aeiou":
        return False
    return word[at] != "y" or at == 0 or not _is_consonant(word, at - 1)


def _measure(stem: str) -> int:
    """The number of vowels that a consonant follows."""
    kinds = [_is_consonant(stem, at) for at in range(len(stem))]
    return sum(not kind and next_kind for kind, next_kind in pairwise(kinds))


def _is_long(stem: str) -> bool:
    return _measure(stem) > 0


def _is_longer(stem: str) -> bool:
    return _measure(stem) > 1


def _has_vowel(stem: str) -> bool:
    return any(not _is_consonant(stem, at) for at in range(len(stem)))


def _is_doubled(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _ends_short(word: str) -> bool:
    """True if it ends in consonant, vowel, consonant; of two letters, in vowel, consonant."""
    kinds = [_is_consonant(word, at) for at in range(len(word))]
    if len(word) == 2:
        return kinds == [False, True]
    return kinds[-3:] == [True, False, True] and word[-1] not in "wxy"


def _always(_: str) -> bool:
    return True


def _applied(word: str, rules: tuple[_Rule, ...]) -> str:
    """The word changed by the first rule whose suffix it has, if its condition holds."""
    for suffix, replacement, condition in rules:
        if word.endswith(suffix):
            stem = word.removesuffix(suffix)
            return stem + replacement if condition(stem) else word
    return word


_PLURALS: tuple[_Rule, ...] = (
    ("sses", "ss", _always), ("ies", "i", _always), ("ss", "ss", _always), ("s", "", _always),
)  # fmt: skip
_SECOND: tuple[_Rule, ...] = (
    *((suffix, replacement, _is_long) for suffix, replacement in (
        ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"),
        ("izer", "ize"), ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"),
        ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"),
        ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
        ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
    )),
    ("logi", "log", lambda stem: _is_long(f"{stem}l")),
)  # fmt: skip
_THIRD: tuple[_Rule, ...] = tuple(
    (suffix, replacement, _is_long)
    for suffix, replacement in (
        ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
        ("ful", ""), ("ness", ""),
    )
)  # fmt: skip
_BEFORE_ION: _Rule = ("ion", "", lambda stem: _is_longer(stem) and stem[-1] in "st")
_FOURTH: tuple[_Rule, ...] = (
    *((suffix, "", _is_longer) for suffix in (
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent",
    )),
    _BEFORE_ION,
    *((suffix, "", _is_longer) for suffix in ("ou", "ism", "ate", "iti", "ous", "ive", "ize")),
)  # fmt: skip


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _applied(word, _PLURALS)


def _without_ending(word: str) -> str:
    """The word without ``-ed`` and ``-ing``."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _is_long(word[:-3]) else word
    ending = next((end for end in ("ed", "ing") if word.endswith(end)), None)
    if ending is None or not _has_vowel(stem := word.removesuffix(ending)):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return f"{stem}e"
    if _is_doubled(stem):
        return stem if stem[-1] in "lsz" else stem[:-1]
    return f"{stem}e" if _measure(stem) == 1 and _ends_short(stem) else stem


def _with_i(word: str) -> str:
    stem = word[:-1]
    fits = word.endswith("y") and len(stem) > 1 and _is_consonant(stem, len(stem) - 1)
    return f"{stem}i" if fits else word


def _second(word: str) -> str:
    if word.endswith("alli") and _is_long(word.removesuffix("alli")):
        return _second(word[:-2])
    return _applied(word, _SECOND)


def _without_e(word: str) -> str:
    stem = word.removesuffix("e")
    if stem != word and (_is_longer(stem) or (_measure(stem) == 1 and not _ends_short(stem))):
        word = stem
    return word[:-1] if word.endswith("ll") and _is_longer(word[:-1]) else word


@cache
def stem_of(word: str) -> str:
    """The stem of a word, in lower case."""
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _second(_with_i(_without_ending(_without_plural(word))))
    return _without_e(_applied(_applied(word, _THIRD), _FOURTH))


#: What a reply to an adversarial question of LoCoMo says if it is right, in any case.
REFUSALS = ("no information available", "not mentioned")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_LITTLE = re.compile(r"\b(?:a|an|the|and)\b")


def plain_words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation, articles and "and"."""
    return _LITTLE.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def exact_match(reply: str, answer: str) -> float:
    """1 if reply and answer have the same words in the same order, otherwise 0."""
    return float(plain_words(reply) == plain_words(answer))


def word_f1(reply: str, answer: str) -> float:
    """F1 of the stems of the words that a reply shares with the answer."""
    reply_words, expected = (
        [stem_of(word) for word in plain_words(text)] for text in (reply, answer)
    )
    shared = (Counter(reply_words) & Counter(expected)).total()
    if not shared:
        return 0.0
    precision, recall = shared / len(reply_words), shared / len(expected)
    return 2 * precision * recall / (precision + recall)


def list_f1(reply: str, answer: str) -> float:
    """The mean over the parts of an answer, split at commas, of the best F1 of a reply's part."""
    parts = reply.split(",")
    return statistics.fmean(
        max(word_f1(part, expected) for part in parts) for expected in answer.split(",")
    )


def first_f1(reply: str, answer: str) -> float:
    """F1 against what is before the first semicolon of an answer: after it are its reasons."""
    return word_f1(reply, answer.split(";")[0])


def refuses(reply: str) -> float:
    """1 if a reply says that the answer was not mentioned, in LoCoMo's words, otherwise 0."""
    return float(any(words in reply.lower() for words in REFUSALS))
