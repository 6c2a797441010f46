"""Names of columns in several languages, and what such a column is."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
    Role.ITEM: "the item",
    Role.CONDITION: "the condition, or a factor of it",
    Role.REGION: "a region",
    Role.SENTENCE: "the sentence, to be split",
    Role.VERSION: "the sentence in one condition",
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
#: Marks at the end of a sentence.
ENDS = (".", "!", "?", "。", "؟", "！", "？", "।", '."', ".”")
#: Names of the text of a region in a row of its own.
CONTENT = {"content", "word", "words", "token", "wort", "mot", "palabra", "parola", "слово",
           "كلمة", "מילה", "単語", "词", "단어", "inhalt", "contenu", "contenido"}  # fmt: skip
#: Names of the two columns of a minimal pair, the good one first.
_PAIRS = (
    "good grammatical acceptable correct match sentencegood goodsentence gut korrekt grammatisch "
    "grammatical correcto gramatical corretto хорошее правильно صحيح תקין 正 正しい 正确 문법적",
    "bad ungrammatical unacceptable incorrect mismatch sentencebad badsentence schlecht falsch "
    "ungrammatisch agrammatical incorrecto agramatical scorretto плохое неправильно خطأ שגוי 誤 "
    "誤り 错误 비문법적",
)
#: Names of the two conditions.
GOOD, BAD = "good", "bad"


def folded(name: str) -> str:
    """A name without case, accents of Latin letters, spaces, digits and signs."""
    text = normalize("NFC", "".join(
        mark for mark in normalize("NFD", name.casefold()) if not "\u0300" <= mark <= "\u036f"
    ))  # fmt: skip
    return "".join(letter for letter in text if category(letter)[0] in "LM")


_ROLES = {folded(word): role for role, words in _WORDS.items() for word in words.split()}
_ROLES |= dict.fromkeys(map(folded, CONTENT), Role.SENTENCE)
_SIDES = {
    folded(word): side
    for side, words in zip((GOOD, BAD), _PAIRS, strict=True)
    for word in words.split()
}


def role_of_name(name: str) -> Role | None:
    """The usual role of a column of this name; None if the name does not say."""
    return _ROLES.get(folded(name))


def names_columns(cells: Iterable[str]) -> bool:
    """True if a row seems to name columns: their roles, or both sides of a minimal pair."""
    known = {role_of_name(cell) or side_of_name(cell) for cell in cells}
    return len(known - {None}) > 1


def is_content(name: str) -> bool:
    """True if a column of this name has the text of one region a row."""
    return folded(name) in set(map(folded, CONTENT))


def side_of_name(name: str) -> str | None:
    """``good`` or ``bad``, if a column of this name has one side of a minimal pair."""
    return _SIDES.get(folded(name))


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


def is_odd_region(name: str, cells: Iterable[str]) -> bool:
    """True if a column after item and condition may be no region, by its name or its values."""
    return role_of_name(name) is Role.IGNORED or are_no_texts(cells)


#: Values of a factor that only the name of its column explains.
_TRUTHS = re.compile(r"\d{1,3}|yes|no|true|false|ja|nein|oui|non|si|sí|sì|y|n|[+-]", re.IGNORECASE)


def is_bare_value(value: str) -> bool:
    """True if a value of a factor says nothing without the name of the factor."""
    return _TRUTHS.fullmatch(value) is not None


def letter_of(count: int) -> str:
    """The name of the first, second, … condition of an item: a letter, as long as there is one."""
    return chr(ord("a") + count - 1) if count <= 26 else f"c{count}"
