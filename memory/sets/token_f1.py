"""F1 of the words of an answer, as LoCoMo's paper and program compute it, and exact match.

The published F1 stems words with NLTK's ``PorterStemmer``: Porter's algorithm with changes. These
are its stems.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from functools import cache

from evalmark.memory.evaluation.texts import without_punctuation

#: Words that NLTK does not leave to the rules.
_IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
    "cannings": "canning", "canning": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip


def _shape(word: str) -> str:
    """``c`` for each consonant and ``v`` for each vowel."""
    shape = ""
    for letter in word:
        shape += "v" if letter in "aeiou" or (letter == "y" and shape.endswith("c")) else "c"
    return shape


def _measure(stem: str) -> int:
    """The number of vowels that a consonant follows."""
    return _shape(stem).count("vc")


def _ends_short(word: str) -> bool:
    """True if it ends in consonant, vowel, consonant; of two letters, in vowel, consonant."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")


def _rules(text: str) -> list[list[str]]:
    """Suffix, replacement, and what of the suffix is measured with the stem."""
    return [[*rule.split(":"), ""][:3] for rule in text.split()]


_PLURALS = _rules("sses:ss ies:i ss:ss s:")
_SECOND = _rules(
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e "
    "ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous "
    "aliti:al iviti:ive biliti:ble fulli:ful logi:log:l"
)
_THIRD = _rules("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:")
_FOURTH = _rules(
    "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: sion:s:s tion:t:t ou: ism: "
    "ate: iti: ous: ive: ize:"
)


def _applied(word: str, rules: list[list[str]], least: int) -> str:
    """The word changed by the first rule whose suffix it has, if its stem measures enough."""
    for suffix, replacement, measured in rules:
        if word.endswith(suffix):
            stem = word.removesuffix(suffix)
            return stem + replacement if _measure(stem + measured) >= least else word
    return word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _applied(word, _PLURALS, 0)


def _without_ending(word: str) -> str:
    """The word without ``-ed`` and ``-ing``."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    stem = word.removesuffix("ed") if word.endswith("ed") else word.removesuffix("ing")
    if stem == word or "v" not in (shape := _shape(stem)):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return f"{stem}e"
    if shape.endswith("c") and stem[-2:-1] == stem[-1]:
        return stem if stem[-1] in "lsz" else stem[:-1]
    return f"{stem}e" if shape.count("vc") == 1 and _ends_short(stem) else stem


def _with_i(word: str) -> str:
    fits = word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c"
    return f"{word[:-1]}i" if fits else word


def _second(word: str) -> str:
    if word.endswith("alli") and _measure(word.removesuffix("alli")):
        return _second(word[:-2])
    return _applied(word, _SECOND, 1)


def _without_e(word: str) -> str:
    stem = word.removesuffix("e")
    if stem != word and _measure(stem) >= (2 if _ends_short(stem) else 1):
        word = stem
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


@cache
def stem_of(word: str) -> str:
    """The stem of a word, in lower case."""
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _second(_with_i(_without_ending(_without_plural(word))))
    return _without_e(_applied(_applied(word, _THIRD, 1), _FOURTH, 2))


#: The words of a right reply to an adversarial question of LoCoMo, in any case.
REFUSALS = ("no information available", "not mentioned")
_LITTLE = re.compile(r"\b(?:a|an|the|and)\b")


def plain_words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation, articles and "and"."""
    return _LITTLE.sub(" ", without_punctuation(text)).split()


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
