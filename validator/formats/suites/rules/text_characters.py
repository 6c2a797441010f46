"""Rules on the characters of texts: those that nobody sees, and those that look like others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import chain

from evalmark.validator.findings.finding import Action, At, Change, Mistake, Safety
from evalmark.validator.findings.phrasing import cited, quoted
from evalmark.validator.formats.shared.writing_systems import is_joiner
from evalmark.validator.formats.suites.rules.leftovers import as_expected, flaw, in_texts
from evalmark.validator.formats.suites.suite_view import SuiteFileView, memo, with_rewrite
from evalmark.validator.formats.suites.table import TextCell

_ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
#: Marks of a direction for one place, and those for a stretch, which sentences do without.
_DIRECTIONS, _STRETCHES = "\u200e\u200f\u061c", "\u202a-\u202e\u2066-\u2069"
_UNSEEN = re.compile(f"[{_ZERO_WIDTH}{_DIRECTIONS}{_STRETCHES}]")
_ODD_SPACE = r"[^\S ]"
_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|amp|lt|gt|quot|apos|nbsp);")
#: UTF-8 read as Windows-1252 or Latin-1: curly quotes and dashes, letters with accents, spaces.
_MOJIBAKE = re.compile(
    "â€[\u0080-\u00ff\u0152-\u0178\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|Ã[\u0080-\u00bf]|Â[\u0080-\u00bf]|\ufffd"
)
#: Letters of other scripts that look like Latin ones.
_LATIN = dict(
    zip(
        "АВЕКМНОРСТУХІЈЅаеорсухіјѕԁɡΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαν",
        "ABEKMHOPCTYXIJSaeopcyxijsdgABEZHIKMNOPTYXoav",
        strict=True,
    )
)
#: Letters and marks that look like others: after each, the one that most suites use.
_PAIRS = "ıiſsβßیيکكۀه．.｡。，,｀'´'`'′'ʼ'‐-‑-−-˗-⁃-٫،·・１1２2３3０0۴٤۵٥۶٦"
_USUAL = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
#: Letters of kana and characters of Chinese that look like others, by the script around them.
_KANA = {
    "ヘ": "へ", "ベ": "べ", "ペ": "ぺ", "リ": "り",
    "二": "ニ", "八": "ハ", "口": "ロ", "力": "カ", "工": "エ", "夕": "タ", "一": "ー",
}  # fmt: skip
#: Most texts have none of these, and are not looked at letter by letter.
_LOOK_ALIKES = frozenset(_KANA) | frozenset(_USUAL)
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_TURKISH = frozenset("ğşöüçĞŞİ")


@memo
def odd_characters(view: SuiteFileView) -> Iterator[Mistake]:
    r"""A region contains odd characters.

    Double spaces, tabs, no-break spaces, invisible characters and letters in an unusual Unicode
    form look normal but are tokenized differently. Joiners inside words of the Arabic and the Indic
    scripts, and between emoji, are part of the text, and so are marks of direction between the two
    directions. HTML entities and characters that were read in the wrong encoding are words to a
    model.

    Bad: `"the  guitar"`, `"the\u00a0guitar"`, `"cafe\u0301"`, `"it&#x27;s"`, `"itâ€™s"`
    Good: `"the guitar"`, `"café"`, `"it's"`
    """
    for cell in view.cells:
        if oddity := _oddity(cell.text):
            name, span = oddity[0], oddity[1:]
            mistake = flaw(cell, span, f"contains {name}", fold=name)
            plain = _plain(view, cell.text, name)
            yield as_expected(view, cell, with_rewrite(mistake, plain) if plain else mistake)


def _plain(view: SuiteFileView, text: str, oddity: str) -> str:
    """The text without its oddities; empty if another text may be meant."""
    import html

    if "encoding" in oddity:
        return ""
    for at, character in enumerate(text):
        if unicodedata.category(character) == "Cc" and character not in "\t\n\r":
            before, after = re.split(r"\W", text[:at])[-1], re.split(r"\W", text[at + 1 :])[0]
            if before and after and not (view.knows(before + after) and not view.knows(before)):
                return ""  # it is in a word, or between two
    text = "".join(c for c in text if c in "\t\n\r" or unicodedata.category(c) != "Cc")
    text = re.sub(r"\s+", " ", html.unescape(text) if "entity" in oddity else text)
    kept = (c for k, c in enumerate(text) if not _is_unseen(text, k))
    plain = unicodedata.normalize("NFC", "".join(kept))
    return "" if _oddity(plain) else plain.strip()


def _oddity(text: str) -> tuple[str, int, int] | None:
    if text.isascii() and "  " not in text and "&" not in text and text.isprintable():
        return None
    if match := _ENTITY.search(text):
        return "an HTML entity", *match.span()
    if match := _MOJIBAKE.search(text):
        return "characters that were read in the wrong encoding", *match.span()
    inner = len(text) - len(text.lstrip())
    at = text.rstrip().find("  ", inner)
    if at >= 0:
        return "two spaces in a row", at, at + 2
    return _odd_character(text)


def _odd_character(text: str) -> tuple[str, int, int] | None:
    if match := re.search(_ODD_SPACE, text):
        name = unicodedata.name(match.group(), "control character").lower()
        return f"a {name}", *match.span()
    for at, character in enumerate(text):
        if unicodedata.category(character) == "Cc" or _is_unseen(text, at):
            return "an invisible character", at, at + 1
    normal = unicodedata.normalize("NFC", text)
    if normal == text:
        return None
    marks = (
        at
        for at, character in enumerate(text)
        if unicodedata.combining(character) or unicodedata.normalize("NFC", character) != character
    )
    changes = (at for at, pair in enumerate(zip(text, normal, strict=False)) if len(set(pair)) > 1)
    at = next(chain(marks, changes))  # letters of Hangul that are joined are not marks
    return "a character that is not in Unicode normal form (NFC)", at, at + 1


def _is_unseen(text: str, at: int) -> bool:
    """True for a character that nobody sees and that shapes nothing."""
    character = text[at]
    if not _UNSEEN.match(character) or is_joiner(text, at):
        return False
    if character not in _DIRECTIONS:
        return True
    # It is of use where the direction changes: beside a mark or a space, in a text of both.
    directions = {unicodedata.bidirectional(c) for c in text if c.isalnum()}
    is_inside = text[at - 1 : at].isalnum() and text[at + 1 : at + 2].isalnum()
    return is_inside or not (directions & {"R", "AL"} and directions - {"R", "AL"})


@in_texts
def mixed_scripts(view: SuiteFileView, cell: TextCell) -> Mistake | None:
    """A letter or a mark looks like another one.

    A Cyrillic `а` in a Latin word looks right, but becomes different tokens. Ligatures (`ﬁ`) are
    one character where two letters are meant. A letter, a mark or a whole word is reported too if
    it looks like another one that the suite uses in its place. Greek letters that look like no
    Latin one are not reported: `Δx`, `kΩ`.

    Bad: `"the keуs"` with a Cyrillic `у`
    Good: `"the keys"`
    """
    text = cell.text
    for word in [] if text.isascii() else re.finditer(r"\w+", text):
        if match := _LIGATURE.search(word[0]):
            problem, new = f"the ligature {cited(match[0])}", unicodedata.normalize("NFKC", word[0])
        elif strange := _other_script(word[0]):
            script = unicodedata.name(strange, "").split()[0].capitalize()
            problem = f"the {script} letter {cited(strange)} in a word of another script"
            new = "".join(_LATIN.get(letter, letter) for letter in word[0])
            new = "" if strange in new else new
        elif like := _foreign_word(view, word[0]):
            problem = f"{cited(word[0])}, a word in letters of a script that the suite has not"
            new = like
        else:
            continue
        return _character_mistake(cell, word.span(), problem, new)
    return _of_look_alikes(view, cell)


def _of_look_alikes(view: SuiteFileView, cell: TextCell) -> Mistake | None:
    """A mistake on the first character that looks like the one that is usual at such a place."""
    text = cell.text
    if _LOOK_ALIKES.isdisjoint(text):
        return None
    for at, character in enumerate(text):
        if character in _KANA:
            usual = _KANA[character] if _is_odd_kana(text, at) else ""
        else:
            usual = _usual_at(view, text, at)
        if usual:
            problem = f"{cited(character)}, which looks like {cited(usual)}"
            return _character_mistake(cell, (at, at + 1), problem, usual)
    return None


def _is_odd_kana(text: str, at: int) -> bool:
    """True if a character is between letters of the script that its look-alike is of."""
    character, near = text[at], text[at - 1 : at] + text[at + 1 : at + 2]
    if (
        not near
        or all(c == character for c in near)
        or (character == "一" and not text[at - 1 : at])
    ):
        return False
    is_katakana = _is_katakana(_KANA[character])
    return all(unicodedata.category(c)[0] == "L" and _is_katakana(c) is is_katakana for c in near)


def _usual_at(view: SuiteFileView, text: str, at: int) -> str:
    character, near = text[at], text[at - 1 : at] + text[at + 1 : at + 2]
    usual = _USUAL.get(character, "")
    if not usual or (usual == "-" and not near.isalpha()):
        return ""
    is_turkish = character == "ı" and not _TURKISH.isdisjoint(view.characters)
    return usual if view.is_usual(usual, character) and not is_turkish else ""


def _is_katakana(character: str) -> bool:
    return "\u30a1" <= character <= "\u30ff"


def _character_mistake(cell: TextCell, span: tuple[int, int], problem: str, new: str) -> Mistake:
    at = At(cell.at, *span)
    return Mistake(
        f"region {cell.region.number} contains {problem}",
        at,
        helps=(Action.WRITE(quoted(new)),) if new else (),
        changes=(Change(at, new),) if new else (),
        safety=Safety.UNSAFE,
        fold=problem,
    )


@cache
def _script(letter: str) -> str:
    """Latin, Cyrillic or Greek; empty for other characters."""
    name = unicodedata.name(letter, "").partition(" ")[0]
    return name if name in _SCRIPTS and letter.isalpha() else ""


@cache
def _letters_like(script: str) -> dict[str, str]:
    if script != "LATIN":
        return _LATIN
    return {letter: like for like, letter in _LATIN.items() if _script(like) == "CYRILLIC"}


def _foreign_word(view: SuiteFileView, word: str) -> str:
    """A word of look-alikes in letters that no other word of the suite has: as it is meant."""
    scripts = {_script(letter) for letter in word}
    if len(scripts) != 1 or "" in scripts or (word.isupper() and len(word) > 1):
        return ""
    (script,) = scripts
    if script == "GREEK" and len(word) < 2:
        return ""
    table = _letters_like(script)
    other = "CYRILLIC" if script == "LATIN" else "LATIN"
    if not table.keys() >= {*word} or view.scripts.keys() - {script} != {other}:
        return ""
    # Another word of the script, that looks like nothing, shows that the suite has both.
    is_alone = all(letter in table for word in view.scripts[script] for letter in word)
    is_rare = 4 * len(view.scripts[script]) < len(view.scripts[other])
    return "".join(table[letter] for letter in word) if is_alone and is_rare else ""


def _other_script(word: str) -> str:
    """The first letter of the rarer script of a word; empty if there is one script."""
    letters: dict[str, list[str]] = {}
    for character in word:
        if script := _script(character):
            letters.setdefault(script, []).append(character)
    if len(letters) < 2:
        return ""
    # Latin is the script of the word unless others are clearly more.
    rarest = min(letters, key=lambda script: (len(letters[script]), script == "LATIN"))
    if rarest == "GREEK":  # as in units and in names of quantities
        return next((c for c in letters[rarest] if c in _LATIN), "")
    return letters[rarest][0]
