"""Rules on the texts of one row of minimal pairs."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import name, normalize

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import quoted
from evalmark.validator.formats.pairs.characters import (
    FULL_STOP,
    final_mark,
    is_composed,
    is_decomposed,
    odd_space,
    tidy,
    unseen,
    without_unseen,
)
from evalmark.validator.formats.pairs.pair_items import PairItem
from evalmark.validator.formats.pairs.pair_texts import PairText, couples_of, texts_of


def odd_spaces(item: PairItem) -> Iterator[Hit]:
    """The words of a text are separated by one space, and no space is before or after it.

    Other spaces are other tokens, so the pair differs in more than what it tests.
    No-break spaces before French punctuation and in numbers, and ideographic spaces, are not
    reported.

    Bad: `"sentence_good": "The cats  sleep. "`
    Good: `"sentence_good": "The cats sleep."`
    """
    for text in texts_of(item):
        if odd := odd_space(text.text, joins=text.joins):
            start, end, what = odd
            new = tidy(text.text, joins=text.joins)
            yield Hit(
                f"text {what}",
                _within(text, start, end),
                helps=_instead(item, text, new),
                fold=f"space {what}",
            )


def control_characters(item: PairItem) -> Iterator[Hit]:
    r"""A text has no characters that nobody sees.

    These are control characters, soft hyphens, zero width spaces, byte order marks, and U+FFFD,
    which stands for a character that was lost. Models read them.

    Bad: `"sentence_good": "The cats\u0007 sleep."`
    Good: `"sentence_good": "The cats sleep."`
    """
    for text in texts_of(item):
        if match := unseen(text.text):
            lost = "\ufffd" in text.text
            helps = _instead(item, text, without_unseen(text.text))
            yield Hit(
                f"text has U+{ord(match[0]):04X} ({_name(match[0])})",
                _within(text, match.start(), match.end()),
                helps=("write the character that was lost",) if lost else helps,
                fold=f"character {match[0]}",
            )


def final_punctuation(item: PairItem) -> Iterator[Hit]:
    """Both texts of a pair end with a punctuation mark, or neither does.

    A model that expects the end of a sentence there prefers one side for its full stop. Different
    marks are not reported: a question and its statement have different ones.

    Bad: `"sentence_good": "The cats sleep", "sentence_bad": "The cats sleeps."`
    Good: `"sentence_good": "The cats sleep.", "sentence_bad": "The cats sleeps."`
    """
    reported = set()
    for couple in couples_of(item):
        marks = tuple(final_mark(text.text) for text in couple)
        if bool(marks[0]) == bool(marks[1]):
            continue
        text = couple[0] if marks[1] else couple[1]
        if (text.at, text.start) in reported:
            continue
        reported.add((text.at, text.start))
        mark = marks[0] or marks[1]
        stop = len(text.text.rstrip())
        yield Hit(
            f"text ends without a punctuation mark, but the other one ends with {quoted(mark)}",
            _within(text, stop - 1, stop),
            helps=_instead(item, text, text.text.rstrip() + FULL_STOP.get(mark, mark)),
            fold=f"final {mark}",
        )


def mixed_normalization(item: PairItem) -> Iterator[Hit]:
    r"""The texts of a file are in one Unicode normalization form.

    "é" is one character (NFC), or two that look like one (NFD). Models read different tokens. Text
    in either form is right; a row, or a file, that mixes them is reported.

    Bad: `"sentence_good": "caf\u00e9"` and `"sentence_bad": "cafe\u0301s"`
    Good: `"sentence_good": "caf\u00e9"` and `"sentence_bad": "caf\u00e9s"`
    """
    texts = list(texts_of(item))
    if any(is_composed(text.text) for text in texts):
        for text in texts:
            if is_decomposed(text.text):
                yield decomposed(item, text, "this row")


def decomposed(item: PairItem, text: PairText, where: str) -> Hit:
    """The hit for a text in the other normalization form than the rest."""
    return Hit(
        f"text is decomposed (NFD), and {where} has composed text (NFC) too",
        _within(text, 0, len(text.text)),
        helps=_instead(item, text, normalize("NFC", text.text)),
        fold="decomposed",
    )


def _name(character: str) -> str:
    return name(character, "control character").lower()


def _within(text: PairText, start: int, end: int) -> At:
    return At(text.at, text.start + start, text.start + end)


def _instead(item: PairItem, text: PairText, new: str) -> tuple[str, ...]:
    """What to write for the value that holds a text; nothing if no text is left."""
    if not new.strip():
        return ()
    if not item.set.split:
        return (f"write {quoted(new)}",)
    held = str(item.stated(item.set.split))
    end = text.start + len(text.text)
    return (f"write {quoted(held[: text.start] + new + held[end:])}",)
