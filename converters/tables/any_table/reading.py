"""The roles of a table's columns: guessed from names and values, or chosen by a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from evalmark.converters.tables.any_table.grid import Grid
from evalmark.converters.tables.any_table.words import (
    ENDS,
    Role,
    are_no_texts,
    folded,
    is_content,
    names_columns,
    role_of_name,
    side_of_name,
)
from evalmark.schemas.wide_tables import FIRST_COLUMNS, is_wide_header

#: Rows that a guess looks at.
_ROWS = 500
#: Share of words that the sentences of an item share, at least; regions of a sentence share few.
_ALIKE = 0.3
#: Columns that together are a condition at most, or a sentence in several ones; characters of a
#: cell that are compared.
_FACTORS, _VERSIONS, _COMPARED = 12, 32, 1000


class Split(StrEnum):
    """The places where sentences are split into regions."""

    BARS = "bars"
    SHARED = "shared"
    WORDS = "words"
    WHOLE = "whole"


#: Split -> what a person chooses.
SPLIT_WORDS = {
    Split.SHARED: "where the sentences of an item begin to differ",
    Split.WORDS: "at every word",
    Split.BARS: "at |",
    Split.WHOLE: "not at all: one region",
}


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """How a table is read.

    Attributes:
        header: Whether the first row names the columns.
        roles: The role of each column; None if a person has to say it.
        split: Where sentences are split.
        is_named: Whether names alone say the roles, those of item and condition among them.
    """

    header: bool
    roles: tuple[Role | None, ...]
    split: Split
    is_named: bool = False

    def columns(self, role: Role) -> list[int]:
        """The columns of a role."""
        return [index for index, one in enumerate(self.roles) if one is role]

    @property
    def sentences(self) -> list[int]:
        """The columns whose cells are split."""
        if self.columns(Role.LABEL):
            return []
        return self.columns(Role.VERSION) or self.columns(Role.SENTENCE)


def names_of(grid: Grid, *, header: bool) -> list[str]:
    """The name of each column; one without a name is called by its number."""
    names = grid.rows[0] if header else [""] * grid.width
    return [name or f"column {number}" for number, name in enumerate(names, 1)]


def guess(grid: Grid, header: bool | None = None) -> ColumnReading:
    """The reading of a grid that is most likely."""
    has_header = grid.header if header is None else header
    if has_header is None:
        has_header = _has_header(grid)
    rows = grid.rows[has_header : has_header + _ROWS]
    names = names_of(grid, header=has_header)
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
    roles = _Guess(names if has_header else [""] * len(names), columns).roles()
    is_named = has_header and {Role.ITEM, Role.CONDITION} <= {*roles}
    is_named &= all(
        role is Role.REGION or (role and role_of_name(name) is role)
        for name, role in zip(names, roles, strict=True)
    )
    reading = ColumnReading(has_header, tuple(roles), Split.SHARED, is_named)
    has_bars = any("|" in text for index in reading.sentences for text in columns[index])
    return replace(reading, split=Split.BARS) if has_bars else reading


def chosen(grid: Grid, header: bool | None, roles: Mapping[int, Role], split: str) -> ColumnReading:
    """A guess in which a person has chosen some roles; ``split`` is empty if that is a guess."""
    reading = guess(grid, header)
    all_roles = tuple(roles.get(index, role) for index, role in enumerate(reading.roles))
    return replace(reading, roles=all_roles, split=Split(split) if split else reading.split)


def _has_header(grid: Grid) -> bool:
    """True if the first row seems to name the columns."""
    first, rest = grid.rows[0], grid.rows[1 : _ROWS + 1]
    names = [name for name in first if name]
    if names_columns(names):
        return True
    if any(name.isdecimal() for name in names):
        return False
    if any(role_of_name(name) or side_of_name(name) for name in names):
        return True
    if not rest:
        return False
    columns = zip(*rest, strict=True)
    is_value = any(name and name in column for name, column in zip(first, columns, strict=True))
    is_text = any(len(name.split()) > 3 or name.endswith(ENDS) for name in names)
    return not is_value and not is_text


@dataclass(slots=True)
class _Guess:
    """The roles of columns, found one kind after the other.

    Attributes:
        names: The names of columns, empty if there are none.
        columns: The cells of each column, without the header.
    """

    names: Sequence[str]
    columns: list[list[str]]

    def roles(self) -> list[Role | None]:
        """The role of each column; None if it has no texts, but may be a part of sentences."""
        roles: list[Role | None] = [role_of_name(name) for name in self.names]
        self._ids(roles)
        self._sides(roles)
        self._check_names(roles)
        first = len(FIRST_COLUMNS)
        if (
            is_wide_header(self.names)
            and len(roles) > first + 1
            and not {Role.LABEL, Role.VERSION} & {*roles}
        ):
            rest = (role if role is Role.IGNORED else Role.REGION for role in roles[first:])
            roles[first:] = rest
        self._item(roles)
        odd = [
            index
            for index, column in enumerate(self.columns)
            if roles[index] in (None, Role.REGION) and are_no_texts(column)
        ]
        for index in odd:
            roles[index] = Role.IGNORED
        self._conditions(roles)
        self._texts(roles)
        done = [role or Role.REGION for role in roles]
        is_clear = Role.REGION not in done or {Role.SENTENCE, Role.VERSION} & {*done}
        return [None if index in odd and not is_clear else role for index, role in enumerate(done)]

    def _ids(self, roles: list[Role | None]) -> None:
        """A column `UID` is the item if it numbers the rows and nothing else does; never a text."""
        is_whole = {Role.ITEM, Role.CONDITION} & {*roles}
        for index, (name, column) in enumerate(zip(self.names, self.columns, strict=True)):
            if folded(name) == "uid":
                is_item = not is_whole and len({*column}) == len(column)
                roles[index] = Role.ITEM if is_item else Role.IGNORED

    def _sides(self, roles: list[Role | None]) -> None:
        """Columns of minimal pairs: one of each side, both of texts."""
        sides = [side_of_name(name) for name in self.names]
        places = [index for index, side in enumerate(sides) if side and self._is_long(index)]
        if {sides[index] for index in places} == {"good", "bad"}:
            for index in places:
                roles[index] = Role.VERSION

    def _check_names(self, roles: list[Role | None]) -> None:
        """Take back roles that the values of a column contradict."""
        has_label = Role.LABEL in roles and any(map(is_content, self.names))
        for index, role in enumerate(roles):
            is_long, is_word = self._is_long(index), is_content(self.names[index])
            contradicted = {
                Role.ITEM: role in roles[:index],
                Role.CONDITION: is_long,
                Role.SENTENCE: not has_label and (is_word or not is_long),
                Role.LABEL: not has_label,
            }
            if role and contradicted.get(role):
                roles[index] = None

    def _item(self, roles: list[Role | None]) -> None:
        """The item, if no name says it: the first column of whole numbers."""
        if Role.ITEM in roles:
            return
        for index, column in enumerate(self.columns):
            if roles[index] is None and _are_whole(column) and column and column[0]:
                roles[index] = Role.ITEM
                return

    def _items(self, roles: list[Role | None]) -> list[list[int]]:
        if Role.ITEM not in roles:
            return []
        column = filled(self.columns[roles.index(Role.ITEM)])
        groups: dict[str, list[int]] = {}
        for row, item in enumerate(column):
            groups.setdefault(item, []).append(row)
        return list(groups.values())

    def _conditions(self, roles: list[Role | None]) -> None:
        """Columns that together tell the rows of an item from each other."""
        if Role.LABEL in roles and Role.CONDITION in roles:
            return
        groups = self._items(roles)
        chosen = [index for index, role in enumerate(roles) if role is Role.CONDITION]
        sentences = Role.SENTENCE in roles
        for index, column in enumerate(self.columns):
            if not sentences and roles[index] is None and self._is_long(index):
                break
            if len(chosen) == _FACTORS or self._are_apart(groups, chosen):
                break
            if roles[index] is None and self._is_factor(filled(column), groups):
                roles[index] = Role.CONDITION
                chosen.append(index)

    def _are_apart(self, groups: list[list[int]], chosen: list[int]) -> bool:
        """True if conditions tell the rows of each item from each other."""
        cells = [filled(self.columns[index]) for index in chosen]
        keys = [[tuple(column[row] for column in cells) for row in rows] for rows in groups]
        if not groups:
            return bool(chosen)
        return all(len(set(key)) == len(key) for key in keys)

    def _is_factor(self, column: list[str], groups: list[list[int]]) -> bool:
        """True if the values are those of a factor: the same ones in each item."""
        values = set(column)
        if any(len(value.split()) > 3 or value.endswith(ENDS) for value in values):
            return False
        if len(groups) > 1:
            each = [{column[row] for row in rows} for rows in groups]
            return len(values) > 1 and all(one == values for one in each)
        is_repeated = 1 < len(values) <= len(column) / 2
        return is_repeated or (len(groups) == 1 and len(values) == len(column) > 1)

    def _texts(self, roles: list[Role | None]) -> None:
        """Sentences and versions among the columns that are left."""
        rest = [index for index, role in enumerate(roles) if role is None]
        if Role.SENTENCE in roles or Role.VERSION in roles:
            for index in rest:
                roles[index] = Role.IGNORED
        elif len(rest) == 1 and self._is_long(rest[0]):
            roles[rest[0]] = Role.SENTENCE
        elif len(rest) > 1 and Role.CONDITION not in roles and self._are_versions(rest):
            for index in rest:
                roles[index] = Role.VERSION
        sentences = [index for index, role in enumerate(roles) if role is Role.SENTENCE]
        if len(sentences) > 1 and Role.LABEL not in roles:
            for index in sentences:
                roles[index] = Role.VERSION

    def _are_versions(self, columns: list[int]) -> bool:
        """True if the cells of a row are alike: one sentence in several conditions."""
        if len(columns) > _VERSIONS:
            return False
        likeness = []
        for cells in zip(*(self.columns[index] for index in columns), strict=True):
            parts = [_parts(cell[:_COMPARED]) for cell in cells if cell]
            likeness += [len(a & b) / (len(a | b) or 1) for a, b in combinations(parts, 2)]
        return bool(likeness) and sum(likeness) / len(likeness) >= _ALIKE

    def _is_long(self, index: int) -> bool:
        """True if most cells have several words, or as many letters without spaces."""
        cells = [cell for cell in self.columns[index] if cell]
        several = sum(
            " " in cell or cell.endswith(ENDS) or (not cell.isascii() and len(cell) > 6)
            for cell in cells
        )
        return several * 2 > len(cells)


def filled(column: Sequence[str]) -> list[str]:
    """The cells of a column in which an empty cell means the one above it."""
    cells: list[str] = []
    for cell in column:
        cells.append(cell or (cells[-1] if cells else ""))
    return cells


def _parts(text: str) -> set[str]:
    """The words of a text, or its letters if it has no spaces."""
    words = text.lower().split()
    return set(words) if len(words) > 1 else set(text)


def _are_whole(column: Sequence[str]) -> bool:
    cells = [cell for cell in column if cell]
    return bool(cells) and all(cell.isascii() and cell.isdecimal() for cell in cells)
