"""The wide table of a suite, made of any table by what its columns are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from evalmark.converters.any_table.grid import Grid
from evalmark.converters.any_table.reading import ColumnReading, filled, names_of
from evalmark.converters.any_table.splitting import split_sentences
from evalmark.converters.any_table.words import (
    Role,
    is_bare_value,
    role_of_name,
    side_of_name,
)
from evalmark.converters.sheets import META_COLUMNS, Row, Sheets
from evalmark.converters.steps.suite_tables import NumberedRow
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.suites.condition_names import legal_name
from evalmark.validator.formats.suites.suite import ALL, NO_SPACE_BEFORE
from evalmark.validator.wide_tables import FIRST_COLUMNS

_NO_COLUMN = "no column has the {}"
_CHOOSE = "choose which column it is"


@dataclass(frozen=True, slots=True)
class BuiltTable:
    """The tables of a suite, and what a reader should know of them."""

    sheets: Sheets
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A condition of an item; ``cells`` are its regions, or the sentence alone."""

    item: str
    condition: str
    cells: tuple[str, ...]
    place: int


def build_tables(grid: Grid, reading: ColumnReading) -> BuiltTable:
    """The wide table that a grid is by this reading.

    Raises:
        ConversionError: The columns do not make a suite, with what to choose or write.
    """
    rows = grid.rows[reading.header :]
    if not rows:
        raise ConversionError("the table has no rows below its header")
    return _Builder(grid, reading, rows, grid.places[reading.header :]).tables()


@dataclass(slots=True)
class _Builder:
    grid: Grid
    reading: ColumnReading
    rows: Sequence[Sequence[str]]
    places: Sequence[int]

    def tables(self) -> BuiltTable:
        reading = self.reading
        names = names_of(self.grid, header=reading.header)
        notes: list[str] = []
        if reading.columns(Role.LABEL):
            regions, sentences = self._from_regions()
        elif reading.sentences:
            regions, sentences = (), self._from_sentences(names)
        else:
            columns = reading.columns(Role.REGION)
            if not columns:
                raise ConversionError(_NO_COLUMN.format("sentence or a region"), _CHOOSE)
            regions = tuple(
                names[index] if reading.header else f"region {number}"
                for number, index in enumerate(columns, 1)
            )
            cells = [tuple(row[index] for index in columns) for row in self.rows]
            sentences = self._labelled(cells)
        groups = _by_item(sentences)
        spaced = True
        if not regions:
            split = split_sentences(
                [[one.cells[0] for one in group] for group in groups.values()], reading.split
            )
            regions, spaced = split.names, split.is_spaced
            texts = [tuple(parts) for item in split.items for parts in item]
        else:
            texts = [one.cells for group in groups.values() for one in group]
        ignored = [names[index] for index in reading.columns(Role.IGNORED)]
        if ignored:
            notes.append(f"columns that are not used: {', '.join(ignored)}")
        return BuiltTable(
            _sheets(groups, _usable(regions), texts, notes, is_spaced=spaced), (*notes,)
        )

    def _column(self, role: Role) -> list[str] | None:
        """The filled cells of the only column of a role; None if there is none."""
        columns = self.reading.columns(role)
        if len(columns) > 1:
            raise ConversionError(f"{len(columns)} columns have the {role}", "choose one of them")
        return filled([row[columns[0]] for row in self.rows]) if columns else None

    def _conditions(self) -> list[str] | None:
        """The name of the condition of each row; None if no column says it."""
        columns = self.reading.columns(Role.CONDITION)
        if not columns:
            return None
        names = names_of(self.grid, header=self.reading.header)
        cells = []
        for index in columns:
            values = filled([row[index] for row in self.rows])
            is_factor = self.reading.header and role_of_name(names[index]) is not Role.CONDITION
            if is_factor and all(map(is_bare_value, values)):
                values = [f"{names[index]}_{value}" for value in values]
            cells.append(values)
        joined = ["_".join(filter(None, values)) for values in zip(*cells, strict=True)]
        empty = next((n for n, name in zip(self.places, joined, strict=True) if not name), None)
        if empty is not None:
            raise ConversionError(f"row {empty} has no condition", "write its name")
        return joined

    def _labelled(self, cells: Sequence[tuple[str, ...]]) -> list[_Sentence]:
        """Sentences with the item and the condition of their rows."""
        items, conditions = self._column(Role.ITEM), self._conditions()
        items = items or _counted_items(conditions, len(cells))
        conditions = conditions or _lettered(items)
        return [
            _Sentence(*one)
            for one in zip(items, conditions, cells, self.places, strict=True)
            if any(one[2])
        ]

    def _from_sentences(self, names: Sequence[str]) -> list[_Sentence]:
        """A sentence for each cell of a column of sentences."""
        columns = self.reading.sentences
        is_versions = bool(self.reading.columns(Role.VERSION))
        if not is_versions:
            if len(columns) > 1:
                raise ConversionError(
                    f"{len(columns)} columns have the sentence",
                    "choose one of them, or the sentence in one condition for each",
                )
            return self._labelled([(row[columns[0]],) for row in self.rows])
        items, conditions = self._column(Role.ITEM), self._conditions()
        items = items or _counted_items(conditions, len(self.rows))
        conditions = conditions or [""] * len(self.rows)
        return [
            _Sentence(
                items[at],
                "_".join(
                    filter(
                        None, (conditions[at] if conditions else "", self._version(names, index))
                    )
                ),
                (row[index],),
                self.places[at],
            )
            for at, row in enumerate(self.rows)
            for index in columns
            if row[index]
        ]

    def _version(self, names: Sequence[str], index: int) -> str:
        """The condition whose sentences are in a column."""
        if not self.reading.header:
            return chr(ord("a") + self.reading.sentences.index(index) % 26)
        return side_of_name(names[index]) or names[index]

    def _from_regions(self) -> tuple[tuple[str, ...], list[_Sentence]]:
        """A sentence for each item and condition, whose regions are in rows of their own."""
        labels = self.reading.columns(Role.LABEL)
        contents = self.reading.columns(Role.SENTENCE) or self.reading.columns(Role.REGION)
        items, conditions = self._column(Role.ITEM), self._conditions()
        if items is None or conditions is None or len(contents) != 1:
            lacking = "item" if items is None else "condition" if conditions is None else "text"
            raise ConversionError(_NO_COLUMN.format(lacking), _CHOOSE)
        order: dict[tuple[str, ...], None] = {}
        texts: dict[tuple[str, str], dict[tuple[str, ...], str]] = {}
        starts: dict[tuple[str, str], int] = {}
        for at, row in enumerate(self.rows):
            label = tuple(row[index] for index in labels)
            order.setdefault(label)
            starts.setdefault((items[at], conditions[at]), self.places[at])
            regions = texts.setdefault((items[at], conditions[at]), {})
            if label in regions:
                raise ConversionError(
                    f"row {self.places[at]}: item {items[at]} has the region {' '.join(label)} of "
                    f"{conditions[at]} twice"
                )
            regions[label] = row[contents[0]]
        labels_in_order = sorted(order, key=_region_order)
        sentences = [
            _Sentence(*key, tuple(regions.get(label, "") for label in labels_in_order), starts[key])
            for key, regions in texts.items()
        ]
        return tuple(_label_name(key) for key in labels_in_order), sentences


def _region_order(label: tuple[str, ...]) -> int:
    """The number of a region, if its label has one; others stay in the order of the rows."""
    numbers = (part for part in label if part.isascii() and part.isdecimal() and len(part) < 10)
    return next(map(int, numbers), 0)


def _label_name(label: tuple[str, ...]) -> str:
    words = [part for part in label if part and not part.isdecimal()]
    return words[0] if words else f"region {label[0]}"


def _counted_items(conditions: Sequence[str] | None, count: int) -> list[str]:
    """Items of rows that have no number: a new one begins where a condition comes again."""
    if conditions is None:
        return [str(number) for number in range(1, count + 1)]
    item, before = 1, set[str]()
    items = []
    for condition in conditions:
        if condition in before:
            item, before = item + 1, set()
        before.add(condition)
        items.append(str(item))
    return items


def _lettered(items: Sequence[str]) -> list[str]:
    """Conditions of rows that name none: the first row of each item is ``a``, the second ``b``."""
    counts: dict[str, int] = {}
    names = []
    for item in items:
        count = counts[item] = counts.get(item, 0) + 1
        names.append(chr(ord("a") + count - 1) if count <= 26 else f"c{count}")
    return names


def _by_item(sentences: Sequence[_Sentence]) -> dict[str, list[_Sentence]]:
    """The sentences of each item; each has a condition once.

    Raises:
        ConversionError: A condition comes twice.
    """
    groups: dict[str, list[_Sentence]] = {}
    places: dict[tuple[str, str], int] = {}
    for one in sentences:
        if not one.item:
            raise ConversionError(f"row {one.place} has no item", "write its number")
        key = (one.item, one.condition)
        if key in places:
            raise ConversionError(
                f"item {one.item} has the condition {one.condition} in row {places[key]} and in "
                f"row {one.place}",
                "choose the column of the item, or one more column for the condition",
            )
        places[key] = one.place
        groups.setdefault(one.item, []).append(one)
    if not groups:
        raise ConversionError("the columns of the sentences are empty", _CHOOSE)
    return groups


def _usable(names: Sequence[str]) -> tuple[str, ...]:
    """Names of regions that a wide table can have: all different, and no other column's."""
    usable: list[str] = []
    for number, name in enumerate(names, 1):
        plain = f"region {number}" if name in FIRST_COLUMNS or name.isdecimal() else name
        free, again = plain, number
        while free in usable:
            free, again = f"{plain} {again}", again + 1
        usable.append(free)
    return tuple(usable)


def _sheets(
    groups: dict[str, list[_Sentence]],
    regions: Sequence[str],
    texts: Sequence[tuple[str, ...]],
    notes: list[str],
    *,
    is_spaced: bool,
) -> Sheets:
    """The tables of a suite: items have numbers, and conditions names that formulas can have."""
    is_numbered = all(item.isascii() and item.isdecimal() and len(item) < 10 for item in groups)
    if is_numbered:
        is_numbered = len({int(item) for item in groups}) == len(groups)
    if not is_numbered:
        notes.append("the items are numbered in their order: their names are not whole numbers")
    rows: list[Row] = []
    cells = iter(texts)
    renamed: dict[str, str] = {}
    for number, (item, group) in enumerate(groups.items(), 1):
        for one in group:
            name = renamed.setdefault(one.condition, _free_name(one.condition, renamed.values()))
            shown = str(int(item) if is_numbered else number)
            row = NumberedRow(zip(FIRST_COLUMNS, (shown, name), strict=True))
            row |= dict(zip(regions, next(cells), strict=True))
            row.number = one.place
            rows.append(row)
    changes = [f"{old} → {new}" for old, new in renamed.items() if old != new]
    if changes:
        notes.append(f"conditions that a formula cannot name: {', '.join(changes)}")
    meta = None if is_spaced else [dict(zip(META_COLUMNS, (NO_SPACE_BEFORE, ALL), strict=True))]
    if not is_spaced:
        notes.append("the sentences have no spaces: none is put between regions")
    return Sheets(rows, None, meta)


def _free_name(condition: str, names: Collection[str]) -> str:
    """A name of a condition that formulas can have and no other condition has."""
    plain = name = legal_name(condition)
    number = 2
    while name in names:
        name, number = f"{plain}_{number}", number + 1
    return name
