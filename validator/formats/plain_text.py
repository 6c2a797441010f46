r"""Characters and forms of words that plain sentences lack and a slip leaves in a text.

Not marks: what texts of every kind have, such as an apostrophe or a hyphen in a word, a pair of
quotation marks, a number with its unit, an abbreviation, a word of another script.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from evalmark.validator.formats.shared.writing_systems import is_unspaced

_L, _A, _SMALL = r"[^\W\d_]", "[A-Za-z\u00c0-\u024f]", "[a-z\u00df-\u00f6\u00f8-\u00ff]"
#: Texts without these have no marks.
_RARE = re.compile(
    r"[^\w\s'’-]|[\d_]|[A-Z]{2}|[a-z][A-Z]|(\w{5,})\1|([^\W\d_])\2\2|(?:^|\s)[-'’]|-(?:\s|$)|[^\x00-\x7f]"
)
#: Words that editors and transcripts put in brackets, and sets.
_NOTED = r"\[[a-z]+\]|\{[^{}]*\}"
#: A name of a mark, and what it looks like.
_MARKS = {
    "a mark twice": r"(?<!\.)\.\.(?!\.)|\.{4,}|([,;:!?、。，！？；：।])\1+|[,;:][.,;:!?]|[!?][,;:]"
    r"|[。．！？।][.,;:!?]+",
    "a dash": rf"(?<!\S)[-–—]+(?!\S)|--+|(?<={_L})[–—](?={_L})|(?<!\S)-(?={_L})",
    "a hyphen at the end of a word": rf"(?<={_L})-(?!\S)(?! \w{{2,4}} )",
    "no space after a mark": rf"(?<={_A})[,;:!?](?={_A})|(?<={_A}{_A})\.(?={_A}{_A})",
    "a mark inside a word": rf"(?<={_A})[\"“”«»@#$](?={_A})",
    "a bracket": r"[()\[\]（）【】]",
    "a colon or a semicolon": r"[:;](?=\s)",
    "the end of a sentence": rf"(?<={_SMALL}{{4}})[.!?](?=\s)",
    "an ellipsis": r"(?:…|(?<!\.)\.{3})(?=\s*\w)",
    "a number of a list": r"^\(?(?:\d{1,3}|[a-z]|[ivx]{2,4})[.)](?=\s)",
    "a digit in a word": rf"(?<={_A}{_SMALL}{_SMALL})\d+|(?<={_SMALL})\d+(?={_SMALL})"
    r"|\b\d+(?=[a-z]{4})|\b0(?=[a-z]{2})|\b1(?=[a-z]{3})",
    "capitals in a word": r"\b[A-Z]{2}(?=[a-z]{3})|\b(?<=[a-z])[A-Z]{2,}|\b[a-z]+[A-Z]{2,}"
    r"|\b[a-z]{2,}[A-Z](?=[a-z])|(?<=[a-z])(?<!\bMc)I(?=[a-z]{2})|(?<=[a-z]{2})I\b",
    "one letter again and again": rf"\b({_L})\1{{2,}}\b|\b[xX]{{2}}\b"
    rf"|\b\w{{,3}}({_L})\2\2(?!\w{{6}})",
    "a word twice without a space": r"\b(\w{5,})\1\b",
    "capitals only": r"\b[A-Z]{5,}\b",
    "an underscore": "_+",
    "an apostrophe": r"(?<!\S)['‘](?=\w{5}|[A-Z](?!was|is))(?!.*['’])",
    "a quotation mark around the whole text": r"^\"+|\"+$",
}
#: Symbols; beside a number or a capital, some belong to it.
_SYMBOL = r"[\\|~`´¨§¶†‡•※©®™]|(?<!\d)(?<!\d )[*=^%‰$€£¥+/<>](?! ?\d)|(?<![A-Z])&|&(?![A-Z])"
_IN_NAMES = rf"\b{_L}{{1,2}}/{_L}{{1,2}}\b|\b[A-Z](?:\+\+|#)|\b[A-Z]\w* & [A-Z]"
#: Brackets; quotation marks, which languages pair in several ways.
_BRACKETS, _QUOTES = ("()", "[]", "（）", "「」", "『』", "《》"), ("“”„", "«»", '"')
_PAIRED = f"[{re.escape(''.join((*_BRACKETS, *_QUOTES)))}]"


class Mark(NamedTuple):
    """A place in a text that plain sentences do without."""

    name: str  # what is there, in words
    start: int
    end: int


@lru_cache(4096)
def marks(text: str) -> tuple[Mark, ...]:
    """The marks of a text, in order."""
    if not _RARE.search(text):
        return ()
    noted = [match.span() for match in re.finditer(f"{_NOTED}|{_IN_NAMES}", text)]
    found = [mark for mark in _found(text) if not any(a <= mark.start < b for a, b in noted)]
    return tuple(sorted(found, key=lambda mark: (mark.start, -mark.end)))


def _found(text: str) -> Iterator[Mark]:
    for name, pattern in _MARKS.items():
        for match in re.finditer(pattern, text):
            if "whole" in name and not (len(text) > 2 and text[0] == text[-1] == '"'):
                continue
            if name == "a dash" and is_unspaced(text):
                continue
            yield Mark(name, *match.span())
    for match in re.finditer(_SYMBOL, text):
        yield Mark(f"the character `{match[0]}`", *match.span())
    if not text.isascii():
        yield from _characters(text)


def _characters(text: str) -> Iterator[Mark]:
    for at, character in enumerate(text):
        if character.isascii():
            continue
        kind = unicodedata.category(character)
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        plain = unicodedata.normalize("NFKC", character)
        if (kind in ("So", "Sm", "Sk") and character not in "°℃℉" and not before.isdigit()) or (
            plain.isalnum()
            and plain not in (character, "μ")
            and (re.match(_A, after) or re.search(rf"{_A}{{3}}$", text[:at]))
        ):
            yield Mark(f"the character `{character}`", at, at + 1)
        elif kind == "Mn" and before.isascii() and before.isalpha():
            yield Mark("a separate accent", at - 1, at + 1)


def unpaired(text: str) -> str:
    """A bracket or a quotation mark of a sentence that lacks its other half; empty if none does."""
    if not re.search(_PAIRED, text):
        return ""
    for pair in _BRACKETS:
        if text.count(pair[0]) != text.count(pair[1]):
            return pair[0] if pair[0] in text else pair[1]
    for quotes in _QUOTES:
        found = [match[0] for match in re.finditer(rf"(?<!\d)[{quotes}]", text)]
        if len(found) % 2:
            return found[0]
    return ""


def one_edit(word: str, other: str) -> str:
    """How a word differs from another one by one edit; empty if it does not.

    ``lost``, ``added``, ``changed`` or ``exchanged`` (two letters that are neighbours). The first
    letter is the same unless it is exchanged.
    """
    if word == other or abs(len(word) - len(other)) > 1:
        return ""
    short = min(len(word), len(other))
    start = next((k for k in range(short) if word[k] != other[k]), short)
    rest, others = word[start:], other[start:]
    if len(word) != len(other):
        is_one = rest == others[1:] if len(word) < len(other) else rest[1:] == others
        return ("lost" if len(word) < len(other) else "added") if start and is_one else ""
    if rest[1:] == others[1:]:
        return "changed" if start else ""
    swapped = rest[1::-1] + rest[2:]
    return "exchanged" if swapped == others else ""


def slips(word: str, usual: str) -> bool:
    """True if a word is another one with a slip inside it, and no form of it.

    Endings and first letters make other words; one letter for another does in short words.
    """
    kind = one_edit(word, usual)
    if kind == "exchanged":
        return len(word) > 2
    if not kind or min(len(word), len(usual)) < 3 or word[-1] != usual[-1]:
        return False
    return kind != "changed" or len(word) > 6
