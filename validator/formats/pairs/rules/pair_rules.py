"""Rules on one row of minimal pairs: what it compares, what it says of itself, and its texts."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import name, normalize

from evalmark.validator.findings.finding import Action, At, Mistake
from evalmark.validator.findings.phrasing import cited, listed, quoted
from evalmark.validator.formats.pairs.pair_characters import (
    FULL_STOP,
    common_start,
    final_mark,
    is_composed,
    is_decomposed,
    odd_space,
    plain_form,
    tidy,
    unseen,
    without_unseen,
    words,
)
from evalmark.validator.formats.pairs.pair_items import (
    Contest,
    PairItem,
    PairText,
    Side,
    couples_of,
    texts_of_row,
)
from evalmark.validator.formats.pairs.pair_sets import SUM
from evalmark.validator.formats.shared.writing_systems import is_unspaced


def identical_texts(item: PairItem) -> Iterator[Mistake]:
    """The two texts of a pair are the same.

    No model can prefer one of two equal texts. A score that takes the first of two equal numbers
    counts such a pair as right for every model; evalmark counts it as right for none.

    Bad: `"sentence_good": "The cats sleep.", "sentence_bad": "The cats sleep."`
    Good: `"sentence_good": "The cats sleep.", "sentence_bad": "The cats sleeps."`
    """
    if item.set.options:
        return  # repeated_option reports it
    for good, bad in couples_of(item):
        if good.text == bad.text:
            place = At(bad.at)
            if bad.start:
                place = At(bad.at, bad.start, bad.start + len(bad.text))
            names = "both texts are"
            if good.at != bad.at:
                names = f"`{good.at[1:]}` and `{bad.at[1:]}` are both"
            yield Mistake(
                f"{names} {cited(good.text)}",
                place,
                caret="no model can prefer one of two equal texts",
                labels=() if good.at == bad.at else ((At(good.at), "the same text"),),
                helps=("write the text that was meant",),
                fold="identical",
            )


def equal_when_normalized(item: PairItem) -> Iterator[Mistake]:
    """The two texts of a pair differ only in their characters' encoding or their spaces.

    Texts that look the same test nothing but the tokenizer: composed and decomposed letters, full
    and half width, ligatures, spaces, and characters that nobody sees.

    Bad: `"sentence_good": "The cats sleep.", "sentence_bad": "The cats  sleep."`
    Good: `"sentence_good": "The cats sleep.", "sentence_bad": "The cats sleeps."`
    """
    if item.set.options:
        return
    for good, bad in couples_of(item):
        if good.text != bad.text and plain_form(good.text) == plain_form(bad.text):
            yield Mistake(
                "the texts look the same: they differ only in spaces, or in how characters are "
                "encoded",
                _within(bad, 0, len(bad.text)),
                labels=() if good.at == bad.at else ((At(good.at), "the other text"),),
                helps=("write the text that was meant",),
                fold="look the same",
            )


def repeated_option(item: PairItem) -> Iterator[Mistake]:
    """Two options of a choice are the same.

    The first option is the right one. If it is repeated, no model can prefer it; if another one is,
    guessing among n options is right more or less often than 1/n.

    Bad: `"options": ["the hat", "the cup", "the hat"]`
    Good: `"options": ["the hat", "the cup", "the pen"]`
    """
    if not item.set.options:
        return
    (contest,) = item.contests()
    first: dict[str, int] = {}
    for index, side in enumerate(contest.sides):
        before = first.setdefault(side.text, index)
        if before != index:
            right = " (the right one)" if not before else ""
            yield Mistake(
                f"option {index + 1} repeats option {before + 1}{right}",
                At(side.at),
                labels=((At(contest.sides[before].at), "the same text"),),
                helps=("remove this entry" if before else "write a different text",),
                fold=f"repeated {right}",
            )


def prefix_of_sentence(item: PairItem) -> Iterator[Mistake]:
    """A prefix and its word do not begin their sentence.

    The one-prefix and two-prefix methods compare the probability of a word after a prefix. If they
    do not begin the sentence, these methods compare other sentences than `sum` does. The space
    between the two may be at the end of the prefix, at the beginning of the word, or in neither.

    Bad: `"one_prefix_prefix": "The cat", "one_prefix_word_good": "sleep"` in a row whose
    `sentence_good` is `"The cats sleep."`
    Good: `"one_prefix_prefix": "The cats", "one_prefix_word_good": "sleep"`
    """
    if not item.set.prefixed:
        return
    (wholes,) = item.contests(SUM)
    for method in item.set.prefixed:
        for contest in item.contests(method):
            seen = set()
            for side, whole in zip(contest.sides, wholes.sides, strict=True):
                if _begins(side.whole, whole.text):
                    continue
                mistake = _wrong_prefix(side, whole, contest, wholes)
                if mistake.at not in seen:
                    seen.add(mistake.at)
                    yield mistake


def _begins(beginning: str, text: str) -> bool:
    """True if a text begins with these whole words; spaces, where used, show where words end."""
    following = text[len(beginning) : len(beginning) + 1]
    return text.startswith(beginning) and (not following.isalnum() or is_unspaced(following))


def _wrong_prefix(side: Side, whole: Side, contest: Contest, wholes: Contest) -> Mistake:
    labels = ((At(whole.at), "the sentence"),)
    if _begins(side.context.rstrip(), whole.text):
        rest = whole.text[len(side.context) :].split()
        word = rest[0].rstrip(".,!?") if rest else ""
        is_own_word = contest.sides[0].at != contest.sides[1].at
        return Mistake(
            f"the sentence does not continue {cited(side.context)} with {cited(side.text)}",
            At(side.at),
            labels=labels,
            helps=(Action.WRITE(quoted(word)),) if word and is_own_word else (),
            fold=f"word {side.at}",
        )
    shared = contest.sides[0].context_at == contest.sides[1].context_at
    meant = _common(contest, wholes) if shared else _before(side, whole)
    return Mistake(
        f"the sentence does not begin with {cited(side.context)}",
        At(side.context_at),
        labels=labels,
        helps=(Action.WRITE(quoted(meant)),) if meant else (),
        fold=f"prefix {side.context_at}",
    )


def _common(contest: Contest, wholes: Contest) -> str:
    """The words with which both texts begin, if the words of the contest follow them."""
    good, bad = (whole.text.split() for whole in wholes.sides)
    meant = " ".join(good[: common_start(good, bad)])
    sides = zip(contest.sides, wholes.sides, strict=True)
    follow = all(_begins(f"{meant} {side.text.lstrip()}", whole.text) for side, whole in sides)
    return meant if follow else ""


def _before(side: Side, whole: Side) -> str:
    words_of_text = whole.text.split()
    at = [
        index
        for index, word in enumerate(words_of_text)
        if word.rstrip(".,!?") == side.text.strip()
    ]
    return " ".join(words_of_text[: at[0]]) if len(at) == 1 else ""


def method_without_keys(item: PairItem) -> Iterator[Mistake]:
    """A row marked for a method lacks a text that the method needs.

    Bad: `"one_prefix_method": true` without `one_prefix_prefix`
    Good: `"one_prefix_method": true, "one_prefix_prefix": "The cats", "one_prefix_word_good":
    "sleep", "one_prefix_word_bad": "sleeps"`
    """
    for method, (key, applies) in item.claims.items():
        if applies and method in item.set.prefixed and method not in item.methods:
            needed_keys = item.set.keys_for(method)
            lacking = [key for key in needed_keys if not isinstance(item.stated(key), str)]
            yield Mistake(
                f"`{key}` is true, but {listed(f'`{name}`' for name in lacking)} "
                f"{'is' if len(lacking) == 1 else 'are'} missing",
                At(f"/{key}"),
                helps=("write false, or add what is missing",),
                fold=f"claim {key}",
            )


def same_words(item: PairItem) -> Iterator[Mistake]:
    """`lexically_identical` contradicts the words of the two sentences.

    Order, capitals and the final punctuation mark do not matter. Identical sentences, and texts
    without spaces, are not judged. Where all rows of a paradigm have one value, it is about the
    paradigm: it is reported once, if nine of ten rows contradict it.

    Bad: `"lexically_identical": true` for "The cats sleep." and "The cats sleeps."
    Good: `"lexically_identical": false`
    """
    stated = item.same_words
    if stated is None:
        return
    for good, bad in couples_of(item):
        if good.text == bad.text or " " not in good.text:
            continue
        is_same = words(good.text) == words(bad.text)
        if is_same != stated:
            yield Mistake(
                f"`{item.set.same_words}` is {cited(stated)}, but the sentences have "
                f"{'the same' if is_same else 'different'} words",
                At(f"/{item.set.same_words}"),
                helps=(Action.WRITE(cited(is_same)),),
                fold=f"same words {is_same}",
            )


def ratio_range(item: PairItem) -> Iterator[Mistake]:
    """A ratio is not from 0 to 1.

    It is the share of people who preferred the first of the two texts.

    Bad: `"ratio": 73`
    Good: `"ratio": 0.73`
    """
    ratio = item.ratio
    if ratio is None or 0 <= ratio <= 1:
        return
    share = float(f"{ratio / 100:.15g}")
    yield Mistake(
        f"ratio is {cited(item.stated(item.set.ratio))}",
        At(f"/{item.set.ratio}"),
        caret="expected 0 to 1",
        helps=(f"if it is a percentage, write {share}",) if 1 < ratio <= 100 else (),
        fold="ratio",
    )


def odd_spaces(item: PairItem) -> Iterator[Mistake]:
    """A text has more than one space between words, or a space before or after it.

    Other spaces are other tokens, so the pair differs in more than what it tests.
    No-break spaces before French punctuation and in numbers, and ideographic spaces, are not
    reported.

    Bad: `"sentence_good": "The cats  sleep. "`
    Good: `"sentence_good": "The cats sleep."`
    """
    for text in texts_of_row(item):
        if odd := odd_space(text.text, joins=text.joins):
            start, end, oddity = odd
            new = tidy(text.text, joins=text.joins)
            yield Mistake(
                f"text {oddity}",
                _within(text, start, end),
                helps=_instead(item, text, new),
                fold=f"space {oddity}",
            )


def control_characters(item: PairItem) -> Iterator[Mistake]:
    r"""A text has a character that nobody sees.

    These are control characters, soft hyphens, zero width spaces, byte order marks, and U+FFFD,
    which stands for a character that was lost. Models read them.

    Bad: `"sentence_good": "The cats\u0007 sleep."`
    Good: `"sentence_good": "The cats sleep."`
    """
    for text in texts_of_row(item):
        if match := unseen(text.text):
            lost = "\ufffd" in text.text
            helps = _instead(item, text, without_unseen(text.text))
            yield Mistake(
                f"text has U+{ord(match[0]):04X} ({name(match[0], 'control character').lower()})",
                _within(text, match.start(), match.end()),
                helps=("write the character that was lost",) if lost else helps,
                fold=f"character {match[0]}",
            )


def final_punctuation(item: PairItem) -> Iterator[Mistake]:
    """Only one text of a pair ends with a punctuation mark.

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
        yield Mistake(
            f"text ends without a punctuation mark, but the other one ends with {quoted(mark)}",
            _within(text, stop - 1, stop),
            helps=_instead(item, text, text.text.rstrip() + FULL_STOP.get(mark, mark)),
            fold=f"final {mark}",
        )


def initial_capital(item: PairItem) -> Iterator[Mistake]:
    """Only one text of a pair begins with a capital letter.

    A capital letter is another token, so the pair differs in more than what it tests. Texts whose
    first words differ are not judged: one of them may be a name.

    Bad: `"sentence_good": "the cats sleep.", "sentence_bad": "The cats sleeps."`
    Good: `"sentence_good": "The cats sleep.", "sentence_bad": "The cats sleeps."`
    """
    for couple in couples_of(item):
        first, second = (text.text.split(maxsplit=1)[:1] for text in couple)
        if first == second or [*map(str.lower, first)] != [*map(str.lower, second)]:
            continue
        text = couple[0] if couple[0].text.lstrip()[:1].islower() else couple[1]
        if text.text.lstrip()[:1].islower():
            start = len(text.text) - len(text.text.lstrip())
            new = text.text[:start] + text.text[start].upper() + text.text[start + 1 :]
            yield Mistake(
                "text begins with a lower-case letter, the other text of the pair with a capital",
                _within(text, start, start + 1),
                helps=_instead(item, text, new),
                fold="capital",
            )


def mixed_normalization(item: PairItem) -> Iterator[Mistake]:
    r"""The texts of a file mix Unicode normalization forms.

    "é" is one character (NFC), or two that look like one (NFD). Models read different tokens. Text
    in either form is right; a row, or a file, that mixes them is reported.

    Bad: `"sentence_good": "caf\u00e9"` and `"sentence_bad": "cafe\u0301s"`
    Good: `"sentence_good": "caf\u00e9"` and `"sentence_bad": "caf\u00e9s"`
    """
    texts = list(texts_of_row(item))
    if any(is_composed(text.text) for text in texts):
        for text in texts:
            if is_decomposed(text.text):
                yield decomposed(item, text, "this row")


def decomposed(item: PairItem, text: PairText, where: str) -> Mistake:
    """The mistake for a text in the other normalization form than the rest."""
    return Mistake(
        f"text is in decomposed form (NFD), but {where} has text in composed form (NFC)",
        _within(text, 0, len(text.text)),
        helps=_instead(item, text, normalize("NFC", text.text)),
        fold="decomposed",
    )


def _within(text: PairText, start: int, end: int) -> At:
    return At(text.at, text.start + start, text.start + end)


def _instead(item: PairItem, text: PairText, new: str) -> tuple[str, ...]:
    """Advice on the value that holds a text; none if it would be empty, or equal to its partner."""
    couples = (couple for couple in couples_of(item) if text in couple)
    if not new.strip() or any(new in (good.text, bad.text) for good, bad in couples):
        return ()
    if not item.set.split:
        return (Action.WRITE(quoted(new)),)
    held = str(item.stated(item.set.split))
    end = text.start + len(text.text)
    return (Action.WRITE(quoted(held[: text.start] + new + held[end:])),)
