"""Rules that compare an item with all others: what nearly all of them do without, one item does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from evalmark.validator.findings.finding import At, Change, Hit, Safety
from evalmark.validator.findings.phrasing import listed, quoted, shown
from evalmark.validator.formats.plain_text import marks, slips, unpaired
from evalmark.validator.formats.shared.writing_systems import is_unspaced
from evalmark.validator.formats.suites.formula.formula_syntax import references
from evalmark.validator.formats.suites.rules import leftovers, region_texts
from evalmark.validator.formats.suites.suite_view import SuiteFileView, once
from evalmark.validator.formats.suites.table import LEAST_ITEMS, WORD, TextTable

#: Digits and symbols that are typed for letters.
_FOR_LETTERS = tuple(
    str.maketrans("01345789@$", letters) for letters in ("olea5tbgas", "oleastbgas", "oiea5tbgas")
)
_ODD_CASE = re.compile(r"\b\w+[A-Z]\w*")
#: Marks that other regions than the last one seldom end with, and that none begins with.
_EDGES = ((-1, ",;:.!?-–—，、。；：", "ends"), (0, ",;:.!?)", "begins"))
#: Marks between words, some of which may be added.
_BETWEEN = (
    "the end of a sentence", "an ellipsis", "a dash", "a bracket", "a colon or a semicolon",
    "the character `/`",
)  # fmt: skip
#: Words that German writes in two ways.
_POLITE = frozenset(("sie", "ihr", "ihre", "ihren", "ihrem", "ihrer", "ihnen"))
#: Rules that report a text by itself.
_TEXT_RULES = (
    *leftovers.LEFTOVERS,
    leftovers.doubled_word,
    leftovers.letter_case,
    leftovers.final_stop,
    region_texts.odd_characters,
    region_texts.mixed_quotes,
)


def pointers(view: SuiteFileView, *rules: Callable[[SuiteFileView], Iterator[Hit]]) -> set[str]:
    """The places that rules report; by default those that report a text by itself."""
    hits = (hit for rule in rules or _TEXT_RULES for hit in rule(view))
    return {at.pointer for hit in hits for at in (hit.at, *(place for place, _ in hit.labels))}


class Odd(NamedTuple):
    """A trait that one item has and the others lack.

    Attributes:
        row: The item, from 0.
        region: The region.
        text: The text of it.
        names: The conditions that have the text.
        problem: What is odd, in words.
        span: Where in the text; None for all of it.
        new: What to write; None if that is not clear.
    """

    row: int
    region: int
    text: str
    names: Sequence[str]
    problem: str
    span: tuple[int, int] | None = None
    new: str | None = None


@once
def unlike_others(view: SuiteFileView) -> Iterator[Hit]:
    """An item has something that nearly all other items do without.

    Sentences are written by copying, so a slip is often in all conditions of an item. It shows in
    comparison with the other items: a character that no other text has, a digit or a capital in a
    word, a mark at the end of a region that elsewhere has none, a word in two pieces, a region that
    only one item leaves empty, or a slip in a text that all other items share. What two items have
    is taken for a convention of the suite. Words of the setting `words` are not reported.

    Bad: `"the auth0r"` or `"the author (check)"` in all conditions of one item
    Good: `"the author"`
    """
    yield from _alone(view, _emptiness, _constants, _marked, _edges, _words)


def _alone(view: SuiteFileView, *finds: Callable[[SuiteFileView], Iterator[Odd]]) -> Iterator[Hit]:
    """A hit for each item, unless another rule reports the text, or one of its conditions."""
    if len(view.table.rows) < LEAST_ITEMS:
        return
    found: dict[int, list[Odd]] = {}
    for find in finds:
        known = set(found)
        for odd in find(view):
            texts = found.setdefault(odd.row, []) if odd.row not in known else [odd]
            if all((odd.region, odd.text) != (other.region, other.text) for other in texts):
                texts.append(odd)
    reported = pointers(view) if found else set()
    for row, texts in sorted(found.items()):
        broken = view.design.broken.get(row)
        regions = {relation.region for relation in broken.relations} if broken else set()
        places = [view.text_at(row, name, odd.region) for odd in texts for name in odd.names]
        if (
            reported.isdisjoint(place.pointer for place in places)
            and texts[0].region not in regions
        ):
            yield _hit(view, texts, places)


def _hit(view: SuiteFileView, texts: list[Odd], places: list[At]) -> Hit:
    """The hit for an item, with the texts of its neighbours; it is fixed as a whole, or not."""
    odd = texts[0]
    region, name = odd.region, odd.names[0]
    near = (view.table.texts[i].get(name, {}) for i in view.table.rows if 0 < abs(i - odd.row) <= 2)
    around = [shown(cells[region]) for cells in near if region in cells]
    written = [quoted(odd.new) for odd in texts if odd.new is not None for _ in odd.names]
    is_whole = len(written) == len(places)
    named = [(one.region, name) for one in texts for name in one.names][1:]
    here = ("here", *(f"in region {n} of condition `{name}`" for n, name in named))
    where = f" {listed(here, 24)}" if named else ""
    return Hit(
        f"region {region} of item {view.suite.items[odd.row].number} {odd.problem}",
        places[0],
        notes=(f"region {region} of the items around it: {listed(around)}",),
        helps=(f"write {written[0]}{where}",) if is_whole else (),
        changes=tuple(map(Change, places, written)) if is_whole else (),
        safety=Safety.UNSAFE,
        fold=f"{odd.row}",
        also=tuple(place.pointer for place in places[1:]),
    )


def _emptiness(view: SuiteFileView) -> Iterator[Odd]:
    """A region that is empty in one item only, or has a text in one item only."""
    table = view.table
    formulas = (formula.tree for _, formula in view.meaningful)
    read = {(part.condition, part.region) for tree in formulas for part in references(tree)}
    impossible = {table.rows.index(i) for n, _ in view.meaningful for i in view.never(n)}
    for region, is_empty in product(table.regions, (True, False)):
        columns = ((name, table.columns[region, name]) for name in table.conditions)
        full = {name: column for name, column in columns if None not in column}
        odd = {
            name: [k for k, text in enumerate(column) if (not text) is is_empty]
            for name, column in full.items()
        }
        names = [name for name, rows in odd.items() if len(rows) == 1]
        rows = {odd[name][0] for name in names}
        if len(rows) != 1 or (is_empty and not all(odd.values())):
            continue
        if is_empty and (rows & impossible or any((name, region) in read for name in names)):
            continue  # empty_where_read and never_holds report it
        (k,) = rows
        text = full[names[0]][k] or ""
        if all(full[name][k] == text for name in names):
            has = f"has the text {shown(text)}, and is empty in all other items"
            problem = "is empty, unlike that of all other items" if is_empty else has
            yield Odd(table.rows[k], region, text, names, problem)


def _constants(view: SuiteFileView) -> Iterator[Odd]:
    """A slip in a text that all other items share, or that text in another region."""
    regions, count = view.table.regions, len(view.table.rows)
    for region, texts in regions.items():
        usual, holders = max(texts.items(), key=lambda entry: len(entry[1]))
        if not usual or len(holders) != count - 1:
            continue
        for text, rows in texts.items():
            ((row, names), *others) = rows.items()
            if others or not text or row in holders:
                continue
            words = WORD.findall(text)
            is_longer = len(words) > 1 and usual in (words[0], words[-1])
            is_slip = text.replace(" ", "").casefold() == usual.casefold() or slips(text, usual)
            elsewhere = (regions[other].get(usual, {}) for other in regions if other != region)
            if is_slip or is_longer or any(list(there) == [row] for there in elsewhere):
                problem = f"is {shown(text)}, and {shown(usual)} in all other items"
                yield Odd(row, region, text, names, problem, new=usual if is_slip else None)


def _marked(view: SuiteFileView) -> Iterator[Odd]:
    """Characters and forms of words that no other item has."""
    found: dict[str, list[Odd]] = {}
    digits: set[int] = set()
    for region, text, rows in view.table.filled():
        spans = {mark.name: mark[1:] for mark in reversed(marks(text))}
        if one := unpaired(text):
            spans.setdefault(f"an unpaired `{one}`", (text.index(one), text.index(one) + 1))
        if re.search(r"\d", text):
            digits.update(rows)
            if not any(map(str.isalpha, text)):
                spans["a number alone"] = (0, len(text))
        for name, span in spans.items():
            found.setdefault(name, []).extend(
                Odd(row, region, text, names, name, span) for row, names in rows.items()
            )
    for name, places in found.items():
        odd = places[0]
        if {place.row for place in places} != {odd.row} or not odd.span:
            continue
        if name == "a number alone" and (len(digits) > 1 or not _is_open(view.table, odd)):
            continue
        if name.startswith("an unpaired"):
            cells = view.table.texts[odd.row][odd.names[0]]
            if not unpaired(" ".join(text for _, text in sorted(cells.items()))):
                continue  # its other half is in another region
        seen = "" if "`" in name else f", {shown(odd.text[slice(*odd.span)])}"
        problem = f"has {name}{seen}, unlike all other items"
        for place in places:
            yield place._replace(problem=problem, new=_meant(view, place))


def _is_open(table: TextTable, odd: Odd) -> bool:
    """True if the texts of a region are not numerals, which are short, and few."""
    texts = table.regions[odd.region].keys() - {odd.text}
    return len(texts) < 3 or len("".join(texts)) > 4 * len(texts)


def _edges(view: SuiteFileView) -> Iterator[Odd]:
    """A mark at the end or the beginning of a region that has none in the other items."""
    for region, texts in view.table.regions.items():
        for at, characters, where in _EDGES:
            edged = [entry for entry in texts.items() if entry[0] and entry[0][at] in characters]
            if len({row for _, rows in edged for row in rows}) != 1:
                continue
            for text, rows in edged:
                ((row, names),) = rows.items()
                cells = view.table.texts[row][names[0]]
                is_last = at == -1 and not any(cells[n].strip() for n in cells if n > region)
                if is_last and text[at] in leftovers.ENDS:
                    continue
                if not text.strip(characters) or (at == -1 and _is_abbreviated(text)):
                    continue
                start = len(text) - 1 if at else 0
                problem = f"{where} with {shown(text[at])}, unlike that of all other items"
                odd = Odd(row, region, text, names, problem, (start, start + 1))
                yield odd._replace(new=_meant(view, odd))


def _is_abbreviated(text: str) -> bool:
    word = text.split()[-1]
    return word[0].isalpha() and word.endswith(".") and (len(word) < 5 or "." in word[:-1])


def _words(view: SuiteFileView) -> Iterator[Odd]:
    """A word with capitals, in two pieces, or joined to another one, unlike in other items."""
    table = view.table
    capitals = {
        row
        for region, text, rows in table.filled()
        for row, names in rows.items()
        if text[:1].isupper() and not table.opens(row, names[0], region)
    }
    for region, text, rows in table.filled():
        ((row, names), *others) = rows.items()
        if others:
            continue
        opens, new, end, problem = table.opens(row, names[0], region), "", 0, ""
        for start, stop, meant in _rewordings(view, row, region, text, opens=opens):
            seen = shown(text[start:stop])
            problem = problem or f"has {seen}, and other items have {shown(meant)}"
            new, end = new + text[end:start] + meant, stop
        if problem:
            new += text[end:]
            # A sentence without its capital may have its beginning in this region.
            is_moved = text[0].isupper() and not opens and table.beginning(row, names[0]).islower()
            is_whole = not is_moved and not re.search("[A-Z]{2}", new)
            yield Odd(row, region, text, names, problem, new=new if is_whole else None)
        elif capitals == {row} and text[0].isupper() and _is_named(table, row, names[0], region):
            problem = f"begins with {shown(text[0])}, unlike those of all other items"
            yield Odd(row, region, text, names, problem)


def _is_named(table: TextTable, row: int, name: str, region: int) -> bool:
    """True if the text before a region is an article, after which names are rare."""
    texts = sorted(table.texts[row][name].items())
    before = [text for n, text in texts if n < region and text.strip()]
    return bool(before) and before[-1].split()[-1].casefold() in leftovers.ARTICLES


def _rewordings(
    view: SuiteFileView, row: int, region: int, text: str, *, opens: bool
) -> Iterator[tuple[int, int, str]]:
    """The words of a text that other items write in another way: start, end, and how."""
    table, before = view.table, None
    for match in WORD.finditer(text):
        word, (start, stop) = match[0], match.span()
        previous, before = before, match
        if word in view.accepted or len(table.words[word][region]) > 1:
            continue
        if meant := _recased(table, row, region, word, is_start=opens and not start):
            yield start, stop, meant
        elif (
            len(table.rows_with[word]) == 1
            and previous
            and text[previous.end() : start] == " "
            and table.others_with(joined := previous[0] + word, row)
            and max(table.others_with(part[0], row) for part in (previous, match)) < 3
        ):
            yield previous.start(), stop, joined
        elif len(table.rows_with[word]) == 1 and (meant := _parted(table, row, region, word)):
            yield start, stop, meant


def _recased(table: TextTable, row: int, region: int, word: str, *, is_start: bool) -> str:
    """A word as other items write it in the region, with other capitals; empty if they do not."""
    lower, capital = word.lower(), word.capitalize()
    if len(word) == 1 or lower in _POLITE:
        return ""
    # A capital letter alone may be that of a name or a noun.
    forms = [] if is_start or (word == capital and lower not in leftovers.ARTICLES) else [lower]
    if word.isupper():
        forms.append(capital)
    usual = (form for form in forms if form != word and table.others_with(form, row, region))
    return next(usual, "")


def _parted(table: TextTable, row: int, region: int, word: str) -> str:
    """A word as the two that it is made of, if the first is frequent in the region."""
    count = len(table.rows) - 1
    if is_unspaced(word):
        return ""
    for k in range(2, len(word) - 2):
        head, tail = word[:k], word[k:].lstrip("-&,.")
        holders = table.others_with(head, row, region)
        if holders >= max(3, count // 3) and table.others_with(tail, row, region):
            return f"{head} {tail}"
    return ""


def _meant(view: SuiteFileView, odd: Odd) -> str | None:
    """The text without its marks, if only one way to write it has only words of other items."""
    text, ways = odd.text, list[str]()
    found = marks(text)
    spans = sorted({*(mark[1:] for mark in found), *filter(None, [odd.span])})
    if any(mark.name in _BETWEEN for mark in found) or any(_is_apart(text, *at) for at in spans):
        return None  # there may be words that do not belong to the text
    for filler in () if any(c.isalpha() for s, e in spans for c in text[s:e]) else ("", " ", None):
        new, end = "", 0
        for start, stop in spans:
            new += text[end:start] + (text[start] if filler is None else filler)
            end = max(end, stop)
        ways.append(new + text[end:])
    ways += [text.translate(letters) for letters in _FOR_LETTERS]
    ways += [_ODD_CASE.sub(lambda word: word[0].lower(), text)]
    ways += [_ODD_CASE.sub(lambda word: word[0].capitalize(), text)]
    good = {
        way
        for way in (" ".join(way.split()) for way in ways)
        if way != text
        and not marks(way)
        and way[-1:] not in _EDGES[0][1]
        and _is_known(view, odd, way)
    }
    return good.pop() if len(good) == 1 else None


def _is_apart(text: str, start: int, end: int) -> bool:
    """True if a mark is between words, and no letter beside it."""
    return start > 0 and end < len(text) and text[start - 1] == text[end] == " "


def _is_known(view: SuiteFileView, odd: Odd, text: str) -> bool:
    """True if all words of a text are in other texts of the suite."""
    words = WORD.findall(text)
    return bool(words) and all(
        word in view.accepted
        or view.table.others_with(word, odd.row)
        or any(
            odd.row in rows for n, rows in view.table.words.get(word, {}).items() if n != odd.region
        )
        for word in words
    )


@once
def misspelt_word(view: SuiteFileView) -> Iterator[Hit]:
    """A word is spelled differently in the other items.

    Reported: a word of one item that differs by one letter, inside the word, from one that several
    other items have in the same region. What is right can be listed in the setting `words`.

    Bad: `"the senatr"` in one item, and `"the senator"` in others
    Good: `"the senator"` in all
    """
    known = pointers(view, unlike_others)
    yield from (hit for hit in _alone(view, _misspelt) if hit.at.pointer not in known)


def _misspelt(view: SuiteFileView) -> Iterator[Odd]:
    table = view.table
    frequent: dict[int, list[str]] = {}
    for word, regions in table.words.items():
        for region, holders in regions.items():
            if len(holders) > 2:
                frequent.setdefault(region, []).append(word)
    for region, text, rows in table.filled():
        ((row, names), *others) = rows.items()
        for match in WORD.finditer(text) if not others else ():
            word = match[0]
            if len(word) < 4 or len(table.rows_with[word]) > 1 or word in view.accepted:
                continue
            sizes = range(len(word) - 1, len(word) + 2)
            usual = (other for other in frequent.get(region, ()) if len(other) in sizes)
            near = [other for other in usual if slips(word, other)]
            if len(near) == 1:
                new = text[: match.start()] + near[0] + text[match.end() :]
                problem = f"has {shown(word)}, and other items have {shown(near[0])}"
                yield Odd(row, region, text, names, problem, match.span(), new)
