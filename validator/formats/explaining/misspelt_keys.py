"""Unknown keys that are nearly known ones, looked for in the few files with unknown keys."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from evalmark.schemas import versions
from evalmark.schemas.known_keys import KnownKeys, known_keys
from evalmark.validator.findings.finding import Action, At, Change, Mistake, Safety
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.format import Document
from evalmark.validator.reading.source import make_pointer

#: Unknown keys of a document that are looked at, and letters of one; others are not slips.
MAX_KEYS, MAX_LENGTH = 2000, 60
#: Letters of the shortest word that may have a slip.
LEAST = 4
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\W\d_a-zA-Z]+")


def misspelt_keys(document: Document, place: KnownKeys) -> Iterator[Mistake]:
    """The keys of a document that are nearly those of its format, or those of another version."""
    for path, key, around, holder in islice(place.unknown(document.data), MAX_KEYS):
        at = At(make_pointer((*path, key)), key=True)
        mistake = Mistake("", at, fold=f"key of another version {key}", subject=(key,))
        if other := of_other_version(mistake, document, path, holder[key]):
            yield other
        elif name := nearest_key(key, around.keys, holder):
            yield misspelt_key(at, key, name)


def of_other_version(
    mistake: Mistake, document: Document, path: Iterable[str | int], value: object
) -> Mistake | None:
    """The mistake on an unknown key, its subject, if other versions of the format have that key."""
    version = versions.find(document.kind or "", document.version)
    if version is None or version.is_ambiguous:
        return None
    (key,), others = mistake.subject, versions.VERSIONS[version.kind]
    names = [other.name for other in others if _knows(other.schema, path, key, value)]
    if not names:
        return None
    message = f"`{key}` is a key of {listed(names)}, not of {version.name}"
    helps = (f"remove `{key}`, or write the file in {names[-1]}",)
    return replace(mistake, message=message, helps=helps)


def misspelt_key(at: At, key: str, name: str) -> Mistake:
    """The mistake on a misspelt key.

    The fix is unsafe: it is a guess, and may state a number that no program has read.
    """
    return Mistake(
        f"`{key}` is not read: the key is `{name}`",
        at,
        caret=f"expected `{name}`",
        helps=(Action.RENAME(key, name),),
        changes=(Change(at, json.dumps(name)),),
        safety=Safety.UNSAFE,
        fold=f"key {key}",
        subject=(key,),
    )


def _knows(schema: str, path: Iterable[str | int], key: str, value: object) -> bool:
    """True if a schema has a key at a place, and not for values of the user."""
    here: KnownKeys | None = known_keys(schema)
    for token in path:
        here = here and (here.items if isinstance(token, int) else here.child(token))
    below = here.keys.get(key) if here else None
    return below is not None and not (below.is_free and isinstance(value, dict))


def nearest_key(key: str, known: Iterable[str], present: Collection[str]) -> str | None:
    """The known key that an unknown one is nearly, if it is not present itself."""
    costs = ((_cost(key, name), name) for name in known) if len(key) <= MAX_LENGTH else ()
    near = [(cost, name) for cost, name in costs if cost is not None]
    name = min(near, default=(0, ""), key=lambda candidate: candidate[0])[1]
    return None if not name or name in present else name


@lru_cache(10_000)
def _cost(key: str, name: str) -> float | None:
    """How far a key is from a known one; None if it is a word of its own.

    One letter is missing, too much, another one or exchanged with its neighbor; in a long word two
    are. Words that are shorter, or differ in the letter that tells them apart, are other words.
    """
    words, names = ([word.lower() for word in _WORDS.findall(text)] for text in (key, name))
    if "".join(words) == "".join(names):
        return 0
    if len(words) != len(names):  # as one word, unless one has a short word more
        cost = _distance("".join(words), "".join(names), 2 * LEAST)
        return cost if cost <= 1 < min(map(len, (*words, *names))) else None
    least = LEAST + (len(names) == 1)
    costs = [_distance(*pair, least) for pair in zip(words, names, strict=True)]
    return sum(costs) if max(costs) < _FAR and sum(map(bool, costs)) <= 2 else None


#: The cost of a letter that is another one: such a slip often makes another word.
_OTHER = 1.5
_FAR = 100.0


def _distance(word: str, name: str, least: int) -> float:
    """The cost of the slips that make one word of another; ``_FAR`` if it is not a slip."""
    if word == name:
        return 0
    size = min(len(word), len(name))
    if f"{word}s" == name or word == f"{name}s":
        return 1 if size >= LEAST else _FAR
    if size == LEAST < least and word[0] == name[0] and _is_gap_or_swap(word, name):
        return 1
    if size < least or abs(len(word) - len(name)) > 2 or not word.isalpha():
        return _FAR
    if word[0] not in name[:2]:  # who slips there notices it
        return _FAR
    cost = _cost_of_edits(word, name)
    return cost if cost <= (1 if size < 6 else 2) else _FAR


def _cost_of_edits(word: str, name: str) -> float:
    before, row = [_FAR] * (len(name) + 1), [float(at) for at in range(len(name) + 1)]
    for i, letter in enumerate(word, 1):
        earlier, before, row = before, row, [float(i)]
        for j, other in enumerate(name, 1):
            same = before[j - 1] + (0 if letter == other else _OTHER)
            cost = min(before[j] + 1, row[-1] + 1, same)
            if i > 1 and j > 1 and letter == name[j - 2] and word[i - 2] == other:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _is_gap_or_swap(word: str, name: str) -> bool:
    """True if a word lacks a letter of another one between its ends, or has two of them swapped."""
    if len(word) == len(name):
        places = [at for at, (a, b) in enumerate(zip(word, name, strict=True)) if a != b]
        first, second = places[0], places[-1]
        return second - first == 1 and word[first] == name[second] and word[second] == name[first]
    gaps = (name[:at] + name[at + 1 :] for at in range(1, len(name) - 1))
    return len(name) - len(word) == 1 and word in gaps
