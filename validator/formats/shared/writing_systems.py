"""Scripts that are written without spaces between words, and joiners that belong to a text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

#: Script -> its letters and marks, by Scripts.txt of Unicode. Korean separates words by spaces.
UNSPACED: dict[str, str] = {
    "Han": "\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufad9\U00020000-\U0003347f",
    "Hiragana": "\u3041-\u3096\u309d-\u309f",
    "Katakana": "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d",
    "Thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "Lao": "\u0e81-\u0ece\u0edc-\u0edf",
    "Tibetan": "\u0f00\u0f40-\u0fbc",
    "Myanmar": "\u1000-\u103f\u1050-\u108f\u109a-\u109f\ua9e0-\ua9fe\uaa60-\uaa7f",
    "Khmer": "\u1780-\u17d3\u17d7\u17dc\u17dd",
}
# Patterns are compiled when they are used: that takes longer than the check of a suite in ASCII.
_ANY = f"[{''.join(UNSPACED.values())}]"
#: The neighbors that a joiner may have: letters and marks of the Arabic script and its relatives
#: (Arabic, Syriac, N'Ko, Mandaic, Mongolian) and of the Indic scripts; emoji.
_SHAPED = (
    "[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\u1a20-\u1aaf\u1b00-\u1c4f\ua840-\ua87f"
    "\ua8e0-\ua9df\uaa60-\uaadf\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]"
)
_EMOJI = "[\u2190-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff]"
NON_JOINER, JOINER = "\u200c\u200d"


def is_unspaced(text: str) -> bool:
    """True if a text has a letter of a script that is written without spaces."""
    return not text.isascii() and bool(re.search(_ANY, text))


def unspaced_script(texts: Iterable[str]) -> str | None:
    """The most frequent script without spaces, if most letters of the texts are of such scripts."""
    texts = list(texts)
    if not any(map(is_unspaced, texts)):
        return None
    letters = 0
    counts: Counter[str] = Counter()
    for text in texts:
        letters += sum(map(str.isalpha, text))
        if not text.isascii():
            for name, letters_of in UNSPACED.items():
                counts[name] += sum(map(str.isalpha, re.findall(f"[{letters_of}]", text)))
    return counts.most_common(1)[0][0] if 2 * counts.total() > letters else None


def is_joiner(text: str, at: int) -> bool:
    """True if a character is a joiner between letters, or between emoji, that use joiners.

    A zero width joiner can also be at the end of a word, where it shapes the last letter.
    """
    if text[at] not in (NON_JOINER, JOINER) or at == 0:
        return False
    before, after = text[at - 1], text[at + 1 : at + 2]
    if text[at] == JOINER and re.match(_EMOJI, before):
        return bool(re.match(_EMOJI, after))
    is_last = text[at] == JOINER and not after.isalnum()
    return _is_shaped(before) and (is_last or _is_shaped(after))


def _is_shaped(character: str) -> bool:
    return bool(re.match(_SHAPED, character)) and unicodedata.category(character)[0] in "LM"
