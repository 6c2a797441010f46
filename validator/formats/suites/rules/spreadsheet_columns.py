"""Rules on columns and rows whose order, number or content only a spreadsheet explains."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, permutations
from typing import TypeVar

from evalmark.validator.findings.finding import At, Mistake
from evalmark.validator.findings.phrasing import cited
from evalmark.validator.formats.suites.design import MOST_CONDITIONS
from evalmark.validator.formats.suites.suite_view import SuiteFileView, item_number_at, memo
from evalmark.validator.formats.suites.table import LEAST_ITEMS, MANY_ITEMS

#: The different texts that a column has at least, if its order says anything.
_LEAST_TEXTS = 7
#: The chance of a repetition that is not reported.
_CHANCE = 0.01
#: Items that share a text with another one and are compared with it.
_FEW = 5
_SOURCE = "compare the column with the data that it was made from"
_ENDS = ".。।？?!！؟"
_NUMBER = re.compile(r"\d+")

T = TypeVar("T")
#: The texts of a region in a row, by condition; those of all rows, by region.
Cell = tuple[str | None, ...]
Columns = Mapping[int, list[Cell]]
#: Regions, the first row and the one after the last, from 0, and what they do, in words.
Habit = tuple[tuple[int, ...], int, int, str]
#: For each text: whether it begins with a capital, whether it ends in a stop, and a frequent text.
Shape = tuple[tuple[bool, bool, str], ...]


@memo
def shifted_texts(view: SuiteFileView) -> Iterator[Mistake]:
    """The texts of an item belong to another item.

    If a column was pasted one row too low, or a cell was removed, a condition has the text of the
    item before or after, from some item on.

    If two rows were exchanged, two items have the text of each other in one condition.

    Bad: items 4, 5, 6, … of `match` have the texts that items 3, 4, 5, … of `mismatch` have
    Good: the texts of one item in one item
    """
    table = view.table
    if len(table.rows) < LEAST_ITEMS or len(table.conditions) > MOST_CONDITIONS:
        return
    yield from _exchanged_rows(view)
    related = {relation[:3] for relation in view.design.relations}
    for region in table.regions:
        found = [
            (condition, model, *shift)
            for model, condition in permutations(table.conditions, 2)
            if not {(region, model, condition), (region, condition, model)} & related
            and (shift := _shift(table.columns[region, model], table.columns[region, condition]))
        ]
        if not found:
            continue
        # The condition that is unlike most others; a column that shows where it was moved.
        counts = Counter(condition for condition, *_ in found)
        condition, model, _, step, rows = max(found, key=lambda s: (counts[s[0]], s[2]))
        places = [table.at[table.rows[k], condition, region] for k in rows]
        other = "previous" if step > 0 else "next"
        yield Mistake(
            f"from item {view.suite.items[table.rows[rows[0]]].number} on, region {region} of "
            f"condition `{condition}` repeats the text of `{model}` in the {other} item",
            places[0],
            notes=(f"this is so in {len(rows)} items",),
            helps=(_SOURCE,),
            also=tuple(place.pointer for place in places),
        )


def _exchanged_rows(view: SuiteFileView) -> Iterator[Mistake]:
    """Two items of which one condition has the text of the other: the rows were exchanged."""
    table = view.table
    found: dict[tuple[int, int], list[tuple[str, str, int]]] = {}
    for region in table.regions:
        for model, condition in combinations(table.conditions, 2):
            right, moved = table.columns[region, model], table.columns[region, condition]
            if None in right or None in moved or 2 * len(set(right)) <= len(right):
                continue
            unequal = [k for k, text in enumerate(moved) if text != right[k]]
            if len(unequal) == 2:
                i, j = unequal
                if right[i] == moved[j] and right[j] == moved[i]:
                    found.setdefault((i, j), []).append((model, condition, region))
    for (i, j), places in found.items():
        # The condition that is unlike the others; of two, the second one.
        counts = Counter(name for model, condition, _ in places for name in (condition, model))
        name = counts.most_common(1)[0][0]
        regions = sorted({region for model, other, region in places if name in (model, other)})
        cells = [table.at[table.rows[k], name, n] for k in (i, j) for n in regions]
        first, second = (view.suite.items[table.rows[k]].number for k in (i, j))
        yield Mistake(
            f"items {first} and {second} have each other's texts in condition `{name}`",
            cells[0],
            labels=((cells[len(regions)], f"those of item {first}"),),
            helps=(_SOURCE,),
            also=tuple(place.pointer for place in cells),
        )


def _shift(
    right: Sequence[str | None], moved: Sequence[str | None]
) -> tuple[bool, int, list[int]] | None:
    """The rows, from 0, in which a column has the text that another one has in the row before.

    Whether it repeats or lacks a text where it was moved; 1, or -1 if it is the row after.
    """
    if 2 * len(set(right)) <= len(right) or None in right or None in moved:
        return None
    unequal = [k for k, text in enumerate(moved) if text != right[k]]
    if len(unequal) == len(right):
        return None  # a design that rotates texts; what a paste moved has rows above or below it
    for step in (1, -1):
        rest = unequal[1:] if step > 0 else unequal[:-1]
        if (
            len(unequal) > 2
            and all(0 <= k - step < len(right) and moved[k] == right[k - step] for k in rest)
            and len(unequal) >= 0.7 * (unequal[-1] + 1 - unequal[0])
        ):
            edge = unequal[0] if step > 0 else unequal[-1]
            return not moved[edge] or (edge > 0 and moved[edge] == moved[edge - 1]), step, unequal
    return None


@memo
def column_habits(view: SuiteFileView) -> Iterator[Mistake]:
    """A column is in an order of its own, or repeats what the others do not.

    Suites are made in spreadsheets. If one column is sorted alone, filled down, continued as a
    series, pasted over another one or moved by a cell, its texts are no longer those of their
    items. Reported: the texts of one region in alphabetical order, unless it is the first one;
    neighbours with the same text in a region that repeats none elsewhere; texts that count up; one
    region with the texts of another one; items in the alphabetical order of their numbers.

    Bad: the verbs of all items from "adore" to "zip", the subjects in no order
    Good: the verb of each item beside its subject
    """
    table = view.table
    if len(table.rows) < LEAST_ITEMS:
        return
    columns = {
        region: list(zip(*(table.columns[region, name] for name in table.conditions), strict=True))
        for region in table.regions
    }
    varied = {region: cells for region, cells in columns.items() if len(set(cells)) > 3}
    is_whole = len(table.rows) + len(view.no_items) == len(view.suite.items)
    finds = (_sorted, _repeated, _counted, _copied, _exchanged)
    for find in finds if is_whole else (_copied, _exchanged):  # what is missing has neighbours
        for regions, start, end, does in find(columns if find is _exchanged else varied):
            first, last = (view.suite.items[table.rows[k]].number for k in (start, end - 1))
            region = regions[-1]
            name = next(n for n in table.conditions if table.columns[region, n][start] is not None)
            item_range = f"items {first} to {last}" if end - start > 1 else f"item {first}"
            yield Mistake(
                f"region {region} of {item_range} {does}; no other region is like this",
                view.table.at[table.rows[start], name, region],
                labels=((view.table.at[table.rows[end - 1], name, region], "up to here"),),
                helps=(_SOURCE,),
                fold="column",
                also=tuple(
                    view.table.at[row, name, number].pointer
                    for row in table.rows[start:end]
                    for name, texts in table.texts[row].items()
                    for number in regions
                    if number in texts
                ),
            )
    yield from _sorted_numbers(view)


def of_rows(view: SuiteFileView) -> set[str]:
    """The texts that `shifted_texts` reports."""
    return {pointer for mistake in shifted_texts(view) for pointer in mistake.also}


def of_columns(view: SuiteFileView) -> set[str]:
    """The texts that `column_habits` reports: what else is wrong with them follows from it."""
    return {pointer for mistake in column_habits(view) for pointer in mistake.also}


def _sorted(columns: Columns) -> Iterator[Habit]:
    """The one region whose texts are in alphabetical order; the items may be, by the first one."""
    found: dict[int, Habit] = {}
    nearly: set[int] = set()
    for region, column in columns.items():
        for texts in dict.fromkeys(zip(*column, strict=True)):
            if None in texts:
                continue  # not all items have the region
            plain = [text.casefold() for text in texts]
            least = max(_LEAST_TEXTS, len(plain) // 3)
            if len(set(plain)) <= least:
                continue
            for order, key in (("alphabetical", plain), ("reversed alphabetical", plain[::-1])):
                start, end = _longest(key, lambda a, b: a <= b)
                if len(set(key[start:end])) > least:
                    span = (start, end) if key is plain else (len(key) - end, len(key) - start)
                    found[region] = ((region,), *span, f"is in {order} order")
                elif _is_nearly_sorted(key):
                    nearly.add(region)
    if len(found) == 1 and found.keys() >= nearly:
        ((region, habit),) = found.items()
        if region != min(columns) or habit[2] - habit[1] < len(columns[region]):
            yield habit


def _is_nearly_sorted(texts: list[str]) -> bool:
    """True if texts are in order but for one: a cell that is lost is no habit of the others."""
    breaks = [k for k in range(1, len(texts)) if texts[k - 1] > texts[k]]
    return len(breaks) == 1 and len(texts) > LEAST_ITEMS


def _longest(column: Sequence[T], goes_on: Callable[[T, T], bool]) -> tuple[int, int]:
    """The longest stretch of a column in which each entry follows the one before."""
    best, start = (0, 1), 0
    for k in range(1, len(column) + 1):
        if k == len(column) or not goes_on(column[k - 1], column[k]):
            best = max(best, (start, k), key=lambda span: span[1] - span[0])
            start = k
    return best


def _repeated(columns: Columns) -> Iterator[Habit]:
    """The one region that repeats a text from item to item, and seldom or never elsewhere."""
    found: list[Habit] = []
    unique: set[int] = set()
    for region, column in columns.items():
        start, end = _longest(column, lambda a, b: a == b)
        rest = [*column[:start], *column[end:]]
        if any(column[start]) and _is_unusual(column[start], end - start, rest):
            if len(set(rest)) == len(rest):
                unique.add(region)
            found.append(((region,), start, end, f"has one text, {cited(_first(column[start]))}"))
    # A region that repeats nothing else says more than those that do.
    found = [habit for habit in found if habit[0][0] in unique] or found
    if len(found) == 1:
        (region,), start, end, _ = found[0]
        others = [column for other, column in columns.items() if other != region]
        if not any(
            len(set(column[start:end])) == 1 and column[start] not in column[:start] + column[end:]
            for column in others
        ):
            yield found[0]


def _is_unusual(cell: Cell, length: int, rest: Sequence[Cell]) -> bool:
    """True if a column seldom has a text so many times in a row, by the rest of its texts."""
    counts, count = Counter(rest), len(rest)
    if length < 2 or len(counts) < _LEAST_TEXTS - 1:
        return False
    equal = sum(n * (n - 1) // 2 for n in counts.values())
    rate = (equal + 1) / (count * (count - 1) // 2 + 1)
    neighbors = sum(a == b for a, b in pairwise(rest))
    if neighbors > 1 + 2 * rate * count:
        return False  # the suite is written in blocks of one text
    if length == 2:
        return not equal and cell not in counts and length + count > 9
    return (length + count) * rate ** (length - 1) < _CHANCE


def _first(cell: Cell) -> str:
    return next(filter(None, cell), "")


def _counted(columns: Columns) -> Iterator[Habit]:
    """A region whose texts count up from item to item, where other texts have no numbers."""

    def counts_up(before: str, after: str) -> bool:
        numbers = [*_NUMBER.findall(before), *_NUMBER.findall(after)]
        same = _NUMBER.sub("", before) == _NUMBER.sub("", after)
        return same and len(numbers) == 2 and int(numbers[1]) - int(numbers[0]) == 1

    for region, column in columns.items():
        texts = [_first(cell) for cell in column]
        start, end = _longest(texts, counts_up)
        rest = (*texts[:start], *texts[end:])
        if end - start > 2 and rest and not any(map(_NUMBER.search, rest)):
            yield (region,), start, end, f"counts up from {cited(texts[start])}"


def _copied(columns: Columns) -> Iterator[Habit]:
    """A region with the texts of another one in the same sentences."""

    def is_same(first: Cell, second: Cell) -> bool:
        both = [(a, b) for a, b in zip(first, second, strict=True) if a and b]
        return bool(both) and all(a == b for a, b in both)

    texts = {region: {*chain(*column)} - {"", None} for region, column in columns.items()}
    for first, second in combinations(columns, 2):
        if texts[first].isdisjoint(texts[second]):
            continue
        same = list(map(is_same, columns[first], columns[second]))
        start, end = _longest(same, lambda a, b: a and b)
        is_of_one = sum(same) == 1 and len(same) >= LEAST_ITEMS
        if same[start] and (is_of_one or len(set(columns[first][start:end])) > 2):
            yield (second,), start, end, f"has the texts of region {first}"


def _exchanged(columns: Columns) -> Iterator[Habit]:
    """Two regions of the first or the last rows, or of one, whose texts look like each other's."""
    count = len(next(iter(columns.values())))
    frequent = {
        region: {text for text, n in Counter(chain(*cells)).items() if text and 2 * n >= count}
        for region, cells in columns.items()
    }
    near = (pair for k in (1, 2) for pair in zip(columns, list(columns)[k:], strict=False))
    for first, second in near:
        shared = frequent[first] | frequent[second]
        ones, others = ([_shape(c, shared) for c in columns[region]] for region in (first, second))
        rows = _rows_exchanged(ones, others)
        is_stretch = bool(rows) and rows[-1] - rows[0] == len(rows) - 1 and 2 * len(rows) <= count
        if is_stretch and (len(rows) == 1 or rows[0] == 0 or rows[-1] == count - 1):
            does = f"looks like region {first} of the others, which looks like region {second}"
            yield (first, second), rows[0], rows[-1] + 1, does


def _rows_exchanged(ones: Sequence[Shape], others: Sequence[Shape]) -> list[int]:
    """The rows in which each of two columns has the shape that is usual in the other one."""
    (shape, many), (other, more) = (Counter(column).most_common(1)[0] for column in (ones, others))
    pairs = zip(ones, others, strict=True)
    rows = [k for k, pair in enumerate(pairs) if pair == (other, shape)]
    are_usual = min(many, more) >= 0.8 * (len(ones) - len(rows))
    return rows if shape != other and are_usual else []


def _shape(cell: Cell, shared: set[str]) -> Shape:
    return tuple(
        (text[:1].isupper(), text[-1:] in _ENDS, text if text in shared else "")
        for text in map(str.strip, filter(None, cell))
    )


def _sorted_numbers(view: SuiteFileView) -> Iterator[Mistake]:
    """Items in the order 1, 10, 11, 2: a spreadsheet has sorted their numbers as texts."""
    numbers = [item.number for item in view.suite.items]
    is_long = len(numbers) >= MANY_ITEMS
    if is_long and numbers != sorted(numbers) and numbers == sorted(numbers, key=str):
        at = next(k for k in range(1, len(numbers)) if numbers[k] < numbers[k - 1])
        yield Mistake(
            f"items are in the alphabetical order of their numbers: {numbers[at]} follows "
            f"{numbers[at - 1]}",
            At(item_number_at(at)),
            helps=("check that no other column was sorted without its item",),
            fold="sorted numbers",
        )


@memo
def similar_items(view: SuiteFileView) -> Iterator[Mistake]:
    """An item is nearly a copy of another.

    An item that was copied and not rewritten is counted twice. Only texts in which the items of the
    suite differ are compared.

    Bad: item 7 is item 6 with another verb in one condition
    Good: different words in every item
    """
    items = view.suite.items
    if len(items) < LEAST_ITEMS:
        return
    texts, columns = view.table.texts, view.table.columns
    telling = {
        key
        for key, cells in columns.items()
        if len(set(cells) - {"", None}) > 0.7 * sum(map(bool, cells))
    }
    words = [
        {text for region, name in telling if (text := item.get(name, {}).get(region))}
        for item in texts
    ]
    by_text: dict[str, list[int]] = {}
    shared: Counter[tuple[int, int]] = Counter()
    for i, row in enumerate(words):
        for text in row:
            others = by_text.setdefault(text, [])
            if len(others) < _FEW:
                shared.update((first, i) for first in others)
                others.append(i)
    copies = [
        (first, i)
        for (first, i), count in shared.items()
        if count >= max(3, len(words[i]) - 1) and texts[i] != texts[first]
    ]
    if len(copies) > len(items) // 10:
        return  # its items are made of the same parts
    moved = (of_columns(view) | of_rows(view)) if copies else set()
    changed = {pointer.split("/")[2] for pointer in moved}
    for item, other in sorted(copies):
        # The item whose own conditions fit each other is the intact one.
        is_broken = len(view.design.violated(texts[item])) > len(view.design.violated(texts[other]))
        first, i = (other, item) if is_broken else (item, other)
        if not changed.isdisjoint((f"{first}", f"{i}")):
            continue  # its texts are those of other items
        yield Mistake(
            f"item {items[i].number} is nearly a copy of item {items[first].number}: "
            f"{shared[item, other]} of its {len(words[i])} different region texts are the same",
            At(item_number_at(i)),
            labels=((At(item_number_at(first)), "the other item"),),
            helps=("make it a separate item, or remove it",),
            fold="similar",
        )


def no_item(view: SuiteFileView) -> Iterator[Mistake]:
    """An item has no sentences.

    Tables have rows that are not items: headers in the middle, totals, fillers. In a suite they
    become items whose sentences are the names of the regions, numbers, or one text again and again.

    Bad: an item with the texts `"Subject"`, `"Verb"` in regions of these names
    Good: no such item
    """
    for i, reason in view.no_items.items():
        yield Mistake(
            f"item {view.suite.items[i].number} has {reason} for a sentence, like rows of tables "
            "that are not items",
            At(item_number_at(i)),
            helps=("remove the row, or make it a separate item",),
            fold="no item",
        )
