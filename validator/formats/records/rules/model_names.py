"""Whether a text names a model, in any spelling."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise

_TOKEN = re.compile(r"[^\W\d_]+|\d+")
#: Letters after a number that make it a size, as in 70b, 8x7b and 32k.
_UNITS = frozenset("bkmtx")
#: Letters beside a number, which say little.
_BESIDE = _UNITS | {"v"}
#: Words of a name that are looked for: a file may have a name of a million.
MOST = 50


def names_model(text: str, model: str) -> bool:
    """Whether a text has more than half of the words of a model's name, and no other version.

    The model's owner does not count, and words may be written together.
    """
    name = model.rpartition("/")[2]
    if name in text:
        return True
    text, name = _folded(text), _folded(name)
    here = plain(text)
    if plain(name) in here:
        return True
    tokens = _TOKEN.findall(name)[:MOST]
    words = [token for token in tokens if not token.isdecimal() and token not in _BESIDE]
    known = set(_TOKEN.findall(text))
    found = [word for word in words if word in known or (len(word) > 2 and word in here)]
    # The name of an evaluation, which comes first, may have a version of its own.
    return 2 * len(found) > len(words) and not _is_other_version(name, text.partition("/")[2])


def plain(text: str) -> str:
    """A name without what is spelt in several ways."""
    return re.sub(r"[\W_]+", "", _folded(text))


def _folded(text: str) -> str:
    if not text.isascii():
        from unicodedata import combining, normalize  # few names need it

        text = "".join(letter for letter in normalize("NFKD", text) if not combining(letter))
    return text.casefold()


def _is_other_version(name: str, other: str) -> bool:
    """Whether a word of both has versions that differ, as in gpt-4 and gpt-5.

    No version agrees with any, and 3 agrees with 3.1.
    """
    mine, others = _versions(name), _versions(other)
    return any(
        not any(a.startswith(b) or b.startswith(a) for a in mine[word] for b in others[word])
        for word in mine.keys() & others.keys()
    )


def _versions(name: str) -> dict[str, set[str]]:
    """Word -> the versions that follow it, without dates and sizes; "" where there is none."""
    found: dict[str, set[str]] = defaultdict(set)
    tokens = [*_TOKEN.findall(name), ""]
    word = version = ""
    for token, after in pairwise(tokens):
        if not token.isdecimal():
            found[word].add(version)
            word, version = token, ""
        elif word and len(token) <= 2 and after not in _UNITS:
            version += token
        else:
            found[word].add(version)
            word = ""
    found[word].add(version)
    del found[""]
    return found
