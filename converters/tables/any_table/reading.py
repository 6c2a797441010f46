"""The roles of a table's columns: as their names say, or as a person does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalmark.converters.tables.any_table.grid import Grid
from evalmark.converters.tables.any_table.words import (
    Role,
    are_odd,
    folded,
    is_content,
    is_uid,
    item_and_letter,
    role_of_name,
    sides_of,
)


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """How a table is read.

    Attributes:
        header: Whether the first row names the columns.
        roles: The role of each column; None if a person has to say it.
    """

    header: bool
    roles: tuple[Role | None, ...]

    def columns(self, role: Role) -> list[int]:
        """The columns of a role."""
        return [index for index, one in enumerate(self.roles) if one is role]

    @property
    def is_named(self) -> bool:
        """True if names say of all that a suite needs what it is."""
        named = {*self.roles}
        is_row = {Role.ITEM, Role.CONDITION} <= named and {Role.SENTENCE, Role.REGION} & named
        return bool(is_row) or Role.VERSION in named

    @property
    def sentences(self) -> list[int]:
        """The columns whose cells are cut into regions."""
        if self.columns(Role.LABEL):
            return []
        return self.columns(Role.VERSION) or self.columns(Role.SENTENCE)


def names_of(grid: Grid, *, header: bool) -> list[str]:
    """The name of each column; one without a name is called by its number."""
    names = grid.rows[0] if header else [""] * grid.width
    return [name or f"column {number}" for number, name in enumerate(names, 1)]


def by_names(grid: Grid, chosen: Mapping[int, Role]) -> ColumnReading:
    """The reading of a grid by the names in its first row; ``chosen`` has roles by index.

    With columns of item and condition and none of sentences, the others are regions, but those
    whose cells hardly are.
    """
    roles = named_roles(grid.rows[0], chosen)
    has_condition = Role.CONDITION in roles or (
        roles.count(Role.ITEM) == 1
        and item_and_letter(filled([row[roles.index(Role.ITEM)] for row in grid.rows[1:]]))
    )
    if Role.ITEM in roles and has_condition and not _WHOLE & {*roles}:
        for index, column in enumerate(zip(*grid.rows[1:], strict=True)):
            if roles[index] is None and not are_odd(column):
                roles[index] = Role.REGION
    return ColumnReading(True, tuple(roles))


#: Roles of columns beside which no other is a region.
_WHOLE = {Role.SENTENCE, Role.VERSION, Role.LABEL}


def named_roles(names: Sequence[str], chosen: Mapping[int, Role]) -> list[Role | None]:
    """The role of each column that is chosen, or that its name says; else None."""
    roles = [chosen.get(index, role_of_name(name)) for index, name in enumerate(names)]
    is_long, sides = Role.LABEL in roles and any(map(is_content, names)), sides_of(names)
    for index, name in enumerate(names):
        role = roles[index]
        if index in chosen:
            continue
        if is_uid(name):
            roles[index] = Role.IGNORED if Role.ITEM in roles else Role.ITEM
        elif folded(name) in sides:
            roles[index] = Role.VERSION
        elif not is_long and (role is Role.LABEL or is_content(name)):
            roles[index] = None  # the name of a region
        elif role is Role.ITEM and role in roles[:index]:
            roles[index] = None
    return roles


def filled(column: Sequence[str]) -> list[str]:
    """The cells of a column in which an empty cell means the one above it."""
    cells: list[str] = []
    for cell in column:
        cells.append(cell or (cells[-1] if cells else ""))
    return cells
