"""Characters of texts: odd spaces, characters that nobody sees, and two spellings of one letter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import normalize

#: Spaces but the ideographic one, which is right in Chinese and Japanese.
_SPACES = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f"
#: No-break spaces before these marks, after the last one and in numbers are good style.
_RIGHT = re.compile("[\xa0\u202f](?=[!?:;»%])|(?<=«)[\xa0\u202f]|(?<=[0-9])[\xa0\u202f](?=[0-9])")
_ODD = re.compile(f"[{_SPACES}]+")
_NAMES = {"\t": "a tab", "\n": "a line feed", "\r": "a carriage return"}
#: Invisible characters; not the joiners, which are letters of some scripts, nor direction marks.
_UNSEEN = re.compile("[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u2060\ufeff\ufffd]|\u200b")
#: A zero width space separates words in these scripts.
_WITHOUT_SPACES = re.compile("[\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff]")


def tidy(text: str, *, joins: bool = False) -> str:
    """A text without odd spaces; if it joins another, spaces at its ends and lines are kept."""
    tidied = _ODD.sub(lambda match: _space(match, joins=joins), text)
    return tidied if joins else tidied.strip(" \u3000")


def _space(match: re.Match[str], *, joins: bool) -> str:
    right = _RIGHT.match(match.string, match.start())
    if right and right.end() == match.end():
        return match[0]
    return "\n" if joins and "\n" in match[0] else " "


def odd_space(text: str, *, joins: bool = False) -> tuple[int, int, str] | None:
    """The first odd space: its start and end, and what is odd about it."""
    if text == tidy(text, joins=joins):
        return None
    stripped = text if joins else text.lstrip(" \u3000")
    if stripped != text:
        return 0, len(text) - len(stripped), "begins with a space"
    for match in _ODD.finditer(text):
        spaces = match[0]
        if _space(match, joins=joins) != spaces:
            if spaces.strip(" "):
                odd = spaces.strip(" ")[0]
                name = _NAMES.get(odd, f"the space U+{ord(odd):04X}")
                return match.start(), match.end(), f"has {name}"
            if joins or match.end() < len(text):
                return match.start(), match.end(), f"has {len(spaces)} spaces in a row"
    return len(text.rstrip(" \u3000")), len(text), "ends with a space"


def unseen(text: str) -> re.Match[str] | None:
    """The first character that nobody sees, or that stands for one that was lost."""
    seen = "\u200b" if _WITHOUT_SPACES.search(text) else ""
    return next((match for match in _UNSEEN.finditer(text) if match[0] != seen), None)


def without_unseen(text: str) -> str:
    """A text without the characters that nobody sees."""
    kept = "" if not _WITHOUT_SPACES.search(text) else "\u200b"
    return _UNSEEN.sub(lambda match: kept if match[0] == "\u200b" else "", text)


def plain_form(text: str) -> str:
    """A text as it looks: without what nobody sees, with one space for each run of them (NFKC)."""
    return " ".join(without_unseen(normalize("NFKC", text)).split())


def is_decomposed(text: str) -> bool:
    """True if a letter is written as a letter and a mark, though one character exists for both."""
    return not text.isascii() and len(normalize("NFC", text)) < len(text)


def is_composed(text: str) -> bool:
    """True if a letter with a mark is written as one character."""
    letters = () if text.isascii() else set(text)
    return any(normalize("NFC", c) == c != normalize("NFD", c) for c in letters)


#: Marks that end a sentence.
FINAL = ".!?…。！？｡．؟۔।॥။።፧"
#: Mark of a question or an exclamation -> the one of a statement.
FULL_STOP = {"?": ".", "!": ".", "？": "。", "！": "。", "؟": "."}
CLOSING = "\"'”’»)]」』）"


def final_mark(text: str) -> str:
    """The mark that ends a sentence, inside quotes and brackets too; empty if there is none."""
    last = text.rstrip(f"{CLOSING} \xa0\u202f")[-1:]
    return last if last in FINAL else ""


def common_start(first: Sequence[object], second: Sequence[object]) -> int:
    """The number of words, characters or tokens with which both begin."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))


def words(text: str) -> list[str]:
    """The words of a text in alphabetical order, in small letters and without its final marks."""
    return sorted(text.casefold().rstrip(FINAL).split())
