"""What the page proposes that the columns of a table are: by their names, else by their cells.

A person sees each proposal, and the suite that it makes, before it counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evalmark.converters.tables.any_table.grid import Grid
from evalmark.converters.tables.any_table.reading import (
    ColumnReading,
    by_names,
    filled,
    named_roles,
)
from evalmark.converters.tables.any_table.words import (
    Role,
    are_no_texts,
    item_and_letter,
    names_columns,
)

#: Rows that a proposal looks at, and columns that together are a condition at most.
_ROWS, _FACTORS = 500, 12
#: Marks at the end of a sentence.
_ENDS = (".", "!", "?", "。", "؟", "！", "？", "।", '."', ".”")


def proposed(grid: Grid, header: bool | None, chosen: Mapping[int, Role]) -> ColumnReading:
    """The reading of a grid that the page shows first.

    Args:
        grid: The table.
        header: Whether the first row names the columns; None to look.
        chosen: Index of a column -> what a person has said.
    """
    if header is None:
        header = grid.header or _has_header(grid)
    if header and None not in (reading := by_names(grid, chosen)).roles:
        return reading
    names = grid.rows[0] if header else [""] * grid.width
    rows = grid.rows[header : header + _ROWS]
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
    return ColumnReading(header, tuple(_proposed_roles(named_roles(names, chosen), columns)))


def _has_header(grid: Grid) -> bool:
    """True if no cell of the first row comes again in its column, as names do not."""
    first, *rest = grid.rows
    if names_columns(first):
        return True
    columns = zip(*rest, strict=True)
    return not any(
        name.isdecimal() or (name and name in column)
        for name, column in zip(first, columns, strict=False)
    )


def _proposed_roles(
    roles: list[Role | None], columns: Sequence[Sequence[str]]
) -> list[Role | None]:
    """The roles of columns with those that their cells suggest where names do not say any."""
    if Role.ITEM not in roles:
        for index in [index for index in _open(roles) if _are_ids(columns[index])][:1]:
            roles[index] = Role.ITEM
    _add_conditions(roles, columns)
    _add_texts(roles, columns)
    return roles


def _open(roles: Sequence[Role | None]) -> list[int]:
    """The columns whose role is not known."""
    return [index for index, role in enumerate(roles) if role is None]


def _add_conditions(roles: list[Role | None], columns: Sequence[Sequence[str]]) -> None:
    """Make columns conditions until they tell the rows of each item apart."""
    items = [filled(columns[index]) for index, role in enumerate(roles) if role is Role.ITEM]
    groups: dict[str, list[int]] = {}
    for row, item in enumerate(items[0] if items else ()):
        groups.setdefault(item, []).append(row)
    factors = [index for index, role in enumerate(roles) if role is Role.CONDITION]
    for index in _open(roles):
        is_apart = _are_apart([filled(columns[at]) for at in factors], [*groups.values()])
        if len(factors) == _FACTORS or is_apart:
            break
        if _is_factor(filled(columns[index]), [*groups.values()]):
            roles[index] = Role.CONDITION
            factors.append(index)


def _add_texts(roles: list[Role | None], columns: Sequence[Sequence[str]]) -> None:
    """Make the rest one sentence, or regions; numbers beside regions a person has to name."""
    rest = _open(roles)
    texts = [index for index in rest if not are_no_texts(columns[index])]
    is_sentence = len(texts) == 1 and _is_long(columns[texts[0]])
    has_sentences = Role.SENTENCE in roles or Role.VERSION in roles
    for index in rest:
        if has_sentences or (is_sentence and index not in texts):
            roles[index] = Role.IGNORED
        elif index in texts:
            roles[index] = Role.SENTENCE if is_sentence else Role.REGION


def _are_apart(factors: Sequence[Sequence[str]], groups: Sequence[Sequence[int]]) -> bool:
    """True if conditions tell the rows of each item from each other."""
    if not groups or not factors:
        return bool(factors)
    keys = [[tuple(column[row] for column in factors) for row in rows] for rows in groups]
    return all(len(set(key)) == len(key) for key in keys)


def _is_factor(column: Sequence[str], groups: Sequence[Sequence[int]]) -> bool:
    """True if the values are those of a factor: the same ones in each item."""
    values = set(column)
    if any(len(value.split()) > 3 or value.endswith(_ENDS) for value in values):
        return False
    if len(groups) > 1:
        each = [{column[row] for row in rows} for rows in groups]
        return len(values) > 1 and all(one == values for one in each)
    is_repeated = 1 < len(values) <= len(column) / 2
    return is_repeated or (len(groups) == 1 and len(values) == len(column) > 1)


def _is_long(column: Sequence[str]) -> bool:
    """True if most cells have several words, or as many letters without spaces."""
    cells = [cell for cell in column if cell]
    several = (
        " " in cell or cell.endswith(_ENDS) or (not cell.isascii() and len(cell) > 6)
        for cell in cells
    )
    return sum(several) * 2 > len(cells)


def _are_ids(column: Sequence[str]) -> bool:
    """True if cells are whole numbers, or those of items and conditions: `1a`, `1b`."""
    cells = [cell for cell in column if cell]
    are_whole = bool(cells) and all(cell.isascii() and cell.isdecimal() for cell in cells)
    return are_whole or item_and_letter(cells) is not None
