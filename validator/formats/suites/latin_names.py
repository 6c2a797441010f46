"""Names of conditions in Latin letters, for programs that read no others.

Accents are dropped. Letters of Arabic, Cyrillic, Greek and Hebrew are spelled by the table below,
which leaves out what a short name can do without (vowel marks, emphatic consonants); syllables of
kana, hangul and Ethiopic by their names in Unicode. Other scripts have no spelling here, such as
Han characters, whose sounds depend on the language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from evalmark.validator.formats.suites.condition_names import renamed

_TABLE = """
ß ss æ ae œ oe ø o ł l đ d ð d þ th ı i ŋ ng ə e ħ h
а a б b в v г g ґ g д d е e є ye ж zh з z и i і i к k л l м m н n о o п p р r с s т t у u ф f х kh
ц ts ч ch ш sh щ shch ъ - ы y ь - э e ю yu я ya
α a β b γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch
ψ ps ω o
א a ב b ג g ד d ה h ו v ז z ח h ט t י y כ k ך k ל l מ m ם m נ n ן n ס s ע a פ p ף p צ ts ץ ts ק q
ר r ש sh ת t
ا a ب b ت t ث th ج j ح h خ kh د d ذ dh ر r ز z س s ش sh ص s ض d ط t ظ z ع a غ gh ف f ق q ك k ک k ل l
م m ن n ه h و w ي y ی y ى a ة a ء - پ p چ ch ژ zh گ g
"""  # fmt: skip
_PAIRS = _TABLE.split()
#: Letter -> its spelling; `-` is none.
_SPELLINGS = dict(zip(_PAIRS[::2], (word.strip("-") for word in _PAIRS[1::2]), strict=True))
_SYLLABLE = re.compile(
    r"(?:(?:HIRAGANA|KATAKANA) LETTER(?: SMALL)?|(?:HANGUL|ETHIOPIC) SYLLABLE) (\w+)"
)


def latin_names(names: Iterable[str]) -> dict[str, str]:
    """The names of a suite's conditions that are not ASCII, and a name in ASCII for each.

    A name that has no spelling is `condition_` and its number. New names differ from each other and
    from all names that stay.
    """
    names = tuple(names)
    spelled = {
        name: _spelling(name) or f"condition_{number}"
        for number, name in enumerate(names, 1)
        if not name.isascii()
    }
    return renamed(spelled, names)


def _spelling(name: str) -> str:
    parts = list(_spelled(unicodedata.normalize("NFC", name)))
    return "" if None in parts else "".join(filter(None, parts)).strip("_-")


def _spelled(text: str) -> Iterator[str | None]:
    for character in text:
        if syllable := _SYLLABLE.fullmatch(unicodedata.name(character, "")):
            yield syllable[1].lower()
            continue
        for part in unicodedata.normalize("NFKD", character):
            kind = unicodedata.category(part)
            if part.isascii():
                yield part
            elif kind == "Nd":
                yield str(unicodedata.decimal(part))
            elif kind[0] in "MC":  # accents, vowel marks, joiners
                yield ""
            else:
                spelling = _SPELLINGS.get(part.lower())
                yield spelling.capitalize() if spelling and part != part.lower() else spelling
