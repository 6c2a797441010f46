"""Names of conditions: the characters that a formula can hold, and when two names are the same.

A name consists of letters, marks and digits of any script, the joiners that Persian and Indic
words are spelled with, ``_`` and ``-``. Names are compared in Unicode normal form NFC: ``é`` is one
letter, whether it is written as one character or as two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain, count
from typing import Any
from unicodedata import category, normalize

from evalmark.validator.formats.shared.writing_systems import is_joiner

#: Names that the reference implementation and the older tools can read as well.
_ASCII_NAME = re.compile(r"[A-Za-z0-9_-]+")
#: The characters of a name, in words.
LEGAL = "letters, digits, `_` and `-`"


def normal_name(name: str) -> str:
    """A name in the form in which names are compared."""
    return name if name.isascii() else normalize("NFC", name)


def names_of_conditions(data: Mapping[str, Any]) -> set[str]:
    """The names of the conditions of a suite, in NFC."""
    conditions = (condition for item in data["items"] for condition in item["conditions"])
    return {normal_name(condition["condition_name"]) for condition in conditions}


def is_condition_name(text: str) -> bool:
    """True if a formula can refer to a condition of this name."""
    if text.isascii():
        return _ASCII_NAME.fullmatch(text) is not None
    return not first_illegal(text)


def first_illegal(name: str) -> str:
    """The first character of a name that no formula can contain; empty if there is none."""
    return next((character for at, character in enumerate(name) if not _is_legal(name, at)), "")


def is_older_name(text: str) -> bool:
    """True if the formulas of older tools could contain a name: with spaces, ``.`` and ``:``."""
    return bool(text) and all(
        _is_legal(text, at) or c in ".: \t" or c.isalnum() for at, c in enumerate(text)
    )


def legal_name(name: str) -> str:
    """A name with ``_`` for each stretch that a formula cannot contain."""
    marked = "".join(c if _is_legal(name, at) else " " for at, c in enumerate(name))
    return "_".join(marked.split()).strip("_") or "condition"


def writable_names(names: Iterable[str]) -> dict[str, str]:
    """Names of conditions that a formula cannot contain, and what to call them."""
    names = sorted(names)
    return renamed({n: legal_name(n) for n in names if not is_condition_name(n)}, names)


def renamed(spellings: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Old name -> its spelling, with a number where that is one of the names or of the new ones."""
    taken, new = set(names), {}
    for name, spelling in spellings.items():
        numbered = (f"{spelling}_{number}" for number in count(2))
        new[name] = next(text for text in chain([spelling], numbered) if text not in taken)
        taken.add(new[name])
    return new


def _is_legal(name: str, at: int) -> bool:
    character = name[at]
    if character.isascii():
        return character.isalnum() or character in "_-"
    kind = category(character)
    return kind[0] in "LM" or kind == "Nd" or is_joiner(name, at)
