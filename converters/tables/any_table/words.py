"""Names of columns in several languages, and what such a column is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from unicodedata import category, normalize


class Role(StrEnum):
    """The role of a column."""

    ITEM = "item"
    CONDITION = "condition"
    REGION = "region"
    SENTENCE = "sentence"
    VERSION = "version"
    LABEL = "label"
    IGNORED = "ignored"


#: Role -> what a person chooses.
ROLE_WORDS = {
    Role.ITEM: "the number or name of the item",
    Role.CONDITION: "the condition, or a factor of it",
    Role.REGION: "the text of a region, which the heading names",
    Role.SENTENCE: "the sentence, or the text of the region in this row",
    Role.VERSION: "the sentence in the condition that the heading names",
    Role.LABEL: "the name of the region in this row",
    Role.IGNORED: "not used",
}
#: Words of names, without accents of Latin letters, spaces, digits and signs.
_WORDS = {
    Role.ITEM: """
        item items itemid itemno itemnr itemnum itemnumber id no nr num number nummer numero set
        setid pair pairid frame stimulus stimulusid stimulusset satznr satznummer itemnummer
        elemento element numitem nitem voce pozycja oge madde polozka kohde tetel пункт номер
        стимул عنصر رقم بند פריט מספר शीर्षक 項目 项目 編號 编号 アイテム 番号 문항 번호 항목""",
    Role.CONDITION: """
        condition cond conditions conditionname condname type bedingung kondition condicion
        condizione condicao conditie voorwaarde warunek kosul betingelse ehto podminka feltetel
        условие тип شرط حالة תנאי שְׁרָט शर्त 条件 條件 조건 factor factora factorb""",
    Role.SENTENCE: """
        sentence sentences text stimuli fullsentence sentencetext satz satze phrase frase oracion
        zin zdanie cumle mening setning lause veta mondat enunciado предложение фраза текст جملة
        الجملة نص משפט वाक्य 文 文章 句子 文本 문장""",
    Role.LABEL: """
        region regions regionnumber regionname regionno roi position pos wordnumber wordposition
        segment segmentnumber bereich regione regiao zone область регион позиция منطقة אזור 領域
        区域 영역""",
    Role.IGNORED: """
        comment comments note notes remark remarks bemerkung bemerkungen kommentar commentaire
        commentaires remarque comentario comentarios nota notas commento uwagi комментарий
        примечание ملاحظة הערה 備考 备注 source list group participant subjectid rt rating
        timestamp date time datum zeitstempel url link audio filename author annotator rater
        reviewer checked checkedby checker todo citation""",
}
#: Names of the text of a region in a row of its own.
CONTENT = {"content", "word", "words", "token", "wort", "mot", "palabra", "parola", "слово",
           "كلمة", "מילה", "単語", "词", "단어", "inhalt", "contenu", "contenido"}  # fmt: skip


def folded(name: str) -> str:
    """A name without case, accents of Latin letters, spaces, digits and signs."""
    text = normalize("NFC", "".join(
        mark for mark in normalize("NFD", name.casefold()) if not "\u0300" <= mark <= "\u036f"
    ))  # fmt: skip
    return "".join(letter for letter in text if category(letter)[0] in "LM")


_ROLES = {folded(word): role for role, words in _WORDS.items() for word in words.split()}
_CONTENT = frozenset(map(folded, CONTENT))
_ROLES |= dict.fromkeys(_CONTENT, Role.SENTENCE)


def role_of_name(name: str) -> Role | None:
    """The usual role of a column of this name; None if the name does not say."""
    return _ROLES.get(folded(name))


def names_columns(cells: Iterable[str]) -> bool:
    """True if a row seems to name columns: it has names of several roles."""
    return len({role_of_name(cell) for cell in cells} - {None}) > 1


def is_content(name: str) -> bool:
    """True if a column of this name has the text of one region a row."""
    return folded(name) in _CONTENT


#: Names of columns that have a sentence in two conditions.
_SIDES = (
    {"good", "bad"}, {"grammatical", "ungrammatical"}, {"acceptable", "unacceptable"},
    {"correct", "incorrect"}, {"match", "mismatch"}, {"sentencegood", "sentencebad"},
)  # fmt: skip


def pair_sides(names: Iterable[str]) -> set[str]:
    """The names among those of columns, folded, that are the two sides of a pair."""
    folded_names = {*map(folded, names)}
    return {name for side in _SIDES if side <= folded_names for name in side}


def is_uid(name: str) -> bool:
    """True if a column of this name tells rows from each other: the item if nothing else is."""
    return folded(name) == "uid"


#: Numbers, dates, times, addresses, names of files and the like.
_NO_TEXT = re.compile(
    r"[-+]?\d[\d.,:/ TZ%e+-]*|\S+://\S+|\S+@\S+\.\w+|\S+\.(wav|mp3|ogg|mp4|png|jpe?g|gif)"
    r"|true|false|n/?a|nan",
    re.IGNORECASE,
)
#: Characters that no such value has.
_LONG = 200


def are_no_texts(cells: Iterable[str]) -> bool:
    """True if cells of a column have values that are rarely a part of a sentence."""
    texts = [cell.strip() for cell in cells if cell.strip()]
    return bool(texts) and all(len(t) < _LONG and _NO_TEXT.fullmatch(t) for t in texts)


def is_odd_region(name: str, cells: Sequence[str]) -> bool:
    """True if a column after item and condition may be no region, by its name or its values."""
    return role_of_name(name) is Role.IGNORED or are_odd(cells)


def are_odd(cells: Sequence[str]) -> bool:
    """True if cells of a column are rarely regions: no words, or several regions with bars."""
    return are_no_texts(cells) or any("|" in cell for cell in cells)


#: Values of a factor that only the name of its column explains.
_TRUTHS = re.compile(r"\d{1,3}|yes|no|true|false|ja|nein|oui|non|si|sí|sì|y|n|[+-]", re.IGNORECASE)


def is_bare_value(value: str) -> bool:
    """True if a value of a factor says nothing without the name of the factor."""
    return _TRUTHS.fullmatch(value) is not None


#: A number, and the letter of a condition: `1a`, `2-b`.
_ID = re.compile(r"(\d{1,6})[-_. ]?([a-z])", re.IGNORECASE)


def item_and_letter(ids: Iterable[str]) -> list[tuple[str, str]] | None:
    """The items and letters of ids such as `1a 1b 2a 2b`: each item has each of several letters.

    None if the ids are others.
    """
    matches = [_ID.fullmatch(label.strip()) for label in ids]
    parts = [(match[1], match[2]) for match in matches if match]
    letters: dict[str, set[str]] = {}
    for item, letter in parts:
        letters.setdefault(item, set()).add(letter)
    sets = {*map(frozenset, letters.values())}
    is_all = len(parts) == len(matches) and len(sets) == 1
    return parts if is_all and len(letters) > 1 and min(map(len, sets)) > 1 else None
