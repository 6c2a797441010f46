"""Rules that compare an item with all others: what nearly all of them do without, one item does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from evalmark.validator.findings.finding import At, Mistake
from evalmark.validator.findings.phrasing import cited, listed
from evalmark.validator.formats.plain_text import marks, slips, unpaired
from evalmark.validator.formats.shared.writing_systems import is_unspaced
from evalmark.validator.formats.suites.rules import leftovers, region_texts, text_characters
from evalmark.validator.formats.suites.rules.spreadsheet_columns import of_columns
from evalmark.validator.formats.suites.suite_view import SuiteFileView, memo, pointers
from evalmark.validator.formats.suites.table import (
    ARTICLES,
    LEAST_ITEMS,
    MANY_ITEMS,
    WORD,
    TextCell,
    TextTable,
)

#: Marks that other regions than the last one seldom end with, and that none begins with.
_EDGES = ((-1, ",;:.!?-–—，、。；：", "ends"), (0, ",;:.!?)", "begins"))
_NUMBER_ALONE = "a number alone"
#: Words that German writes in two ways.
_POLITE = frozenset(("sie", "ihr", "ihre", "ihren", "ihrem", "ihrer", "ihnen"))
#: Rules that report a text by itself.
TEXT_RULES = (
    *leftovers.LEFTOVERS,
    leftovers.doubled_word,
    leftovers.letter_case,
    leftovers.final_stop,
    text_characters.odd_characters,
    text_characters.mixed_scripts,
    region_texts.mixed_quotes,
)


class Odd(NamedTuple):
    """A text with a trait that one item has and the others lack."""

    cells: Sequence[TextCell]  # where the item has it
    problem: str  # what is odd, in words


@memo
def unlike_others(view: SuiteFileView) -> Iterator[Mistake]:
    """An item has something that nearly all other items do without.

    Sentences are written by copying, so a slip is often in all conditions of an item. It shows in
    comparison with the other items: a character that no other text has, a digit or a capital in a
    word, a mark at the end of a region that elsewhere has none, a word in two pieces, a region that
    only one item leaves empty, or a slip in a text that all other items share. What two items have
    is taken for a convention of the suite. Words of the setting `words` are not reported.

    Bad: `"the auth0r"` or `"the author (check)"` in all conditions of one item
    Good: `"the author"`
    """
    yield from _alone(view, _emptiness, _constants, _marked, _edges, _joints, _articles, _words)


def _alone(
    view: SuiteFileView, *finds: Callable[[SuiteFileView], Iterator[Odd]]
) -> Iterator[Mistake]:
    """A mistake for each item, unless another rule reports the text, or one of its conditions."""
    if len(view.table.rows) < LEAST_ITEMS:
        return
    found: dict[int, dict[str, Odd]] = {}
    for find in finds:
        fresh: dict[int, dict[str, Odd]] = {}
        for odd in find(view):
            fresh.setdefault(odd.cells[0].row, {}).setdefault(odd.cells[0].at, odd)
        found = {**fresh, **found}  # what the first one says of an item
    reported = pointers(view, *TEXT_RULES) | of_columns(view) if found else set()
    for row, texts in sorted(found.items()):
        broken = view.design.broken.get(row)
        regions = {relation.region for relation in broken.relations} if broken else set()
        cells = [cell for odd in texts.values() for cell in odd.cells]
        if reported.isdisjoint(cell.at for cell in cells) and cells[0].region.number not in regions:
            yield _mistake_of(view, [*texts.values()], cells)


def _mistake_of(view: SuiteFileView, texts: list[Odd], cells: list[TextCell]) -> Mistake:
    first = cells[0]
    region, name = first.region.number, first.condition.name
    near = (
        view.table.texts[i].get(name, {}) for i in view.table.rows if 0 < abs(i - first.row) <= 2
    )
    around = [cited(texts[region]) for texts in near if region in texts]
    return Mistake(
        f"region {region} of item {first.item.number} {texts[0].problem}",
        At(first.at),
        notes=(f"region {region} of the items around it: {listed(around)}",),
        fold=f"{first.row}",
        also=tuple(cell.at for cell in cells[1:]),
    )


def _emptiness(view: SuiteFileView) -> Iterator[Odd]:
    """A region that is empty in one item only, or has a text in one item only."""
    table = view.table
    impossible = {i for n, _ in view.meaningful for i in view.never(n)}
    for region, is_empty in product(table.regions, (True, False)):
        columns = [table.cells[region, name] for name in table.conditions]
        odd = [
            [cell for cell in column if cell and (not cell.plain) is is_empty]
            for column in columns
            if None not in column
        ]
        cells = [column[0] for column in odd if len(column) == 1]
        texts = {cell.plain for cell in cells}
        if len({cell.row for cell in cells}) != 1 or len(texts) != 1:
            continue
        if not is_empty:
            (text,) = texts
            yield Odd(cells, f"has the text {cited(text)}, but is empty in all other items")
        elif all(odd) and cells[0].row not in impossible and not _is_read(view, region, cells):
            yield Odd(cells, "is empty, unlike that of all other items")


def _is_read(view: SuiteFileView, region: int, cells: Sequence[TextCell]) -> bool:
    """True if a formula reads the region in one of the cells: `empty_where_read` reports it."""
    return any((cell.condition.name, region) in view.readers for cell in cells)


def _joints(view: SuiteFileView) -> Iterator[Odd]:
    """A word of a region in the one before or after it, in all conditions of an item."""
    table = view.table
    if len(table.rows) < MANY_ITEMS:
        return
    for first, second in pairwise(table.regions):
        found: dict[int, list[TextCell | None]] = {}
        for name in table.conditions:
            columns = zip(table.cells[first, name], table.cells[second, name], strict=True)
            cells = [(a, b) for a, b in columns if a and b and a.plain and b.plain]
            sizes = [(len(a.plain.split()), len(b.plain.split())) for a, b in cells]
            divided = _divided_otherwise(sizes)
            for k, (cell, _) in enumerate(cells):
                found.setdefault(cell.row, []).append(cell if k == divided else None)
        odd = [cells for cells in found.values() if None not in cells]
        if len(odd) == 1:
            problem = f"and region {second} are divided unlike those of all other items"
            yield Odd([cell for cell in odd[0] if cell], problem)


def _divided_otherwise(sizes: Sequence[tuple[int, int]]) -> int | None:
    """The one pair of regions of which one has more words, and the other fewer, than all others.

    Both together have as many as those of another pair.
    """
    if len(sizes) < MANY_ITEMS:
        return None
    for sign in (1, -1):
        lefts, rights = [sign * left for left, _ in sizes], [sign * right for _, right in sizes]
        most, least = max(lefts), min(rights)
        k = lefts.index(most)
        is_alone = lefts.count(most) == rights.count(least) == 1 and rights[k] == least
        if is_alone and [sum(pair) for pair in sizes].count(sum(sizes[k])) > 1:
            return k
    return None


#: English words before which `a` and `an` are not what the first letter says.
_SOUNDS = re.compile(
    r"\b(?:a (?=[aeio]|u[bgmnp][^i])|an (?=[bcdfgjklmnpqrtvwyz][a-z]))", re.IGNORECASE
)
_AS_ONE = re.compile(
    r"\ba (?:one|once|eu|ewe|un[aeiou])|\ban (?:[a-z]{1,2}\b|[fhlmnrsx][.-])", re.IGNORECASE
)


def _articles(view: SuiteFileView) -> Iterator[Odd]:
    """An English article that lacks its `n`, or has one too many."""
    if not {"the", "The"} & view.words:
        return
    for text, cells in view.table.alone():
        if (match := _SOUNDS.search(text)) and not _AS_ONE.search(text):
            yield Odd(cells, f"has {cited(text[match.start() :].split(' ')[0])} before this word")


def _constants(view: SuiteFileView) -> Iterator[Odd]:
    """A slip in a text that all other items share, or that text in another region."""
    regions, count = view.table.regions, len(view.table.rows)
    for region, texts in regions.items():
        usual, holders = max(texts.items(), key=lambda entry: len(entry[1]))
        if not usual or len(holders) != count - 1:
            continue
        for text, rows in texts.items():
            ((row, cells), *others) = rows.items()
            if others or not text or row in holders:
                continue
            words = WORD.findall(text)
            is_longer = count >= MANY_ITEMS and len(words) > 1 and usual in (words[0], words[-1])
            is_slip = text.replace(" ", "").casefold() == usual.casefold() or slips(text, usual)
            elsewhere = (regions[other].get(usual, {}) for other in regions if other != region)
            if is_slip or is_longer or any(list(there) == [row] for there in elsewhere):
                problem = f"is {cited(text)}, but {cited(usual)} in all other items"
                yield Odd(cells, problem)


def _marked(view: SuiteFileView) -> Iterator[Odd]:
    """Characters and forms of words that no other item has."""
    found: dict[str, list[tuple[Sequence[TextCell], int, int]]] = {}
    for text, rows in view.table.filled():
        for name, span in _marks_of(text).items():
            found.setdefault(name, []).extend((cells, *span) for cells in rows.values())
    for name, places in found.items():
        (cell, *_), start, end = places[0]
        if {cells[0].row for cells, *_ in places} != {cell.row}:
            continue
        if name == _NUMBER_ALONE and not _is_odd_number(view.table, cell):
            continue
        if name.startswith("an unpaired") and not unpaired(" ".join(cell.condition.contents)):
            continue  # its other half is in another region
        seen = "" if "`" in name else f", {cited(cell.plain[start:end])}"
        problem = f"has {name}{seen}, unlike all other items"
        yield from (Odd(cells, problem) for cells, *_ in places)


def _marks_of(text: str) -> dict[str, tuple[int, int]]:
    spans = {mark.name: (mark.start, mark.end) for mark in reversed(marks(text))}
    if mark := unpaired(text):
        spans.setdefault(f"an unpaired `{mark}`", (text.index(mark), text.index(mark) + 1))
    if re.search(r"\d", text) and not any(map(str.isalpha, text)):
        spans[_NUMBER_ALONE] = (0, len(text))
    return spans


def _is_odd_number(table: TextTable, cell: TextCell) -> bool:
    """True if a number is odd: the only one, where texts are not numerals, which are short."""
    digits = {row for text, rows in table.filled() if re.search(r"\d", text) for row in rows}
    texts = table.regions[cell.region.number].keys() - {cell.plain}
    are_numerals = len("".join(texts)) <= 4 * len(texts) and len(texts) > 2
    return len(table.rows) >= MANY_ITEMS and len(digits) == 1 and not are_numerals


def _edges(view: SuiteFileView) -> Iterator[Odd]:
    """A mark at the end or the beginning of a region that has none in the other items."""
    for texts, (at, edge, where) in product(view.table.regions.values(), _EDGES):
        edged = [entry for entry in texts.items() if entry[0] and entry[0][at] in edge]
        if len({row for _, rows in edged for row in rows}) != 1:
            continue
        for text, rows in edged:
            (cells,) = rows.values()
            if at == -1 and text[at] in leftovers.ENDS and not cells[0].after:
                continue
            if not text.strip(edge) or (at == -1 and _is_abbreviated(text)):
                continue
            yield Odd(cells, f"{where} with {cited(text[at])}, unlike that of all other items")


def _is_abbreviated(text: str) -> bool:
    word = text.split()[-1]
    is_one = word[0].isalpha() and word.endswith(".") and not word.endswith("..")
    return is_one and (len(word) < 5 or "." in word[:-1])


def _words(view: SuiteFileView) -> Iterator[Odd]:
    """A word with capitals, in two pieces, or joined to another one, unlike in other items."""
    capitals = {
        row
        for text, rows in view.table.filled()
        for row, cells in rows.items()
        if text[:1].isupper() and cells[0].before
    }
    for text, cells in view.table.alone():
        cell = cells[0]
        if rewording := next(_rewordings(view, cell, text), None):
            seen, meant = map(cited, rewording)
            yield Odd(cells, f"has {seen}, but other items have {meant}")
        elif capitals == {cell.row} and text[0].isupper():
            # After an article names are rare.
            last = "".join(cell.before[-1:]).split()[-1:]
            if not ARTICLES.isdisjoint(map(str.casefold, last)):
                problem = f"begins with {cited(text[0])}, unlike those of all other items"
                yield Odd(cells, problem)


def _rewordings(view: SuiteFileView, cell: TextCell, text: str) -> Iterator[tuple[str, str]]:
    table, row, region, before = view.table, cell.row, cell.region.number, None
    for match in WORD.finditer(text):
        word, (start, stop) = match[0], match.span()
        previous, before = before, match
        if word in view.accepted or len(table.words[word][region]) > 1:
            continue
        if meant := _recased(table, row, region, word, is_start=not (start or cell.before)):
            yield word, meant
        elif len(table.rows_with[word]) > 1:
            continue
        elif (
            previous
            and text[previous.end() : start] == " "
            and table.others_with(joined := previous[0] + word, row)
            and max(table.others_with(part[0], row) for part in (previous, match)) < 3
        ):
            yield text[previous.start() : stop], joined
        elif meant := _parted(table, row, region, word):
            yield word, meant


def _recased(table: TextTable, row: int, region: int, word: str, *, is_start: bool) -> str:
    """A word as other items write it in the region, with other capitals; empty if they do not."""
    lower, capital = word.lower(), word.capitalize()
    if len(word) == 1 or lower in _POLITE:
        return ""
    # A capital letter alone may be that of a name or a noun.
    forms = [] if is_start or (word == capital and lower not in ARTICLES) else [lower]
    if word.isupper():
        forms.append(capital)
    usual = (form for form in forms if form != word and table.others_with(form, row, region))
    return next(usual, "")


def _parted(table: TextTable, row: int, region: int, word: str) -> str:
    """A word as the two that it is made of, if the first is frequent in the region."""
    count = len(table.rows) - 1
    for k in range(2, len(word) - 2) if not is_unspaced(word) else ():
        head, tail = word[:k], word[k:].lstrip("-&,.")
        holders = table.others_with(head, row, region)
        if holders >= max(3, count // 3) and table.others_with(tail, row, region):
            return f"{head} {tail}"
    return ""


@memo
def misspelt_word(view: SuiteFileView) -> Iterator[Mistake]:
    """A word is spelled differently in the other items.

    Reported: a word of one item that differs by one letter, inside the word, from one that several
    other items have in the same region. What is right can be listed in the setting `words`.

    Bad: `"the senatr"` in one item, and `"the senator"` in others
    Good: `"the senator"` in all
    """
    known = pointers(view, unlike_others)
    yield from (mistake for mistake in _alone(view, _misspelt) if mistake.at.pointer not in known)


def _misspelt(view: SuiteFileView) -> Iterator[Odd]:
    table = view.table
    frequent: dict[int, list[str]] = {}
    for word, regions in table.words.items():
        for region, holders in regions.items():
            if len(holders) > 2:
                frequent.setdefault(region, []).append(word)
    for text, cells in table.alone():
        for match in WORD.finditer(text):
            word = match[0]
            if len(word) < 4 or len(table.rows_with[word]) > 1 or word in view.accepted:
                continue
            sizes = range(len(word) - 1, len(word) + 2)
            usual = frequent.get(cells[0].region.number, ())
            near = [other for other in usual if len(other) in sizes and slips(word, other)]
            if len(near) == 1:
                problem = f"has {cited(word)}, but other items have {cited(near[0])}"
                yield Odd(cells, problem)
