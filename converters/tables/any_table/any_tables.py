"""Any table as the tables of a suite: the file, what its columns are, and what it becomes."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from evalmark.converters.conversion_formats import WIDE_TABLE, Syntax
from evalmark.converters.notes import ConversionNotes
from evalmark.converters.step import Stepped
from evalmark.converters.suites.suite_tables import NumberedRow, odd_region, unrelated
from evalmark.converters.syntax import ParsedText
from evalmark.converters.tables.any_table.grid import Grid
from evalmark.converters.tables.any_table.long_tables import (
    ORDER,
    Label,
    LabelColumn,
    label_rows,
)
from evalmark.converters.tables.any_table.text_tables import grid_of_text, no_table
from evalmark.converters.tables.any_table.words import (
    ROLE_WORDS,
    Role,
    are_no_texts,
    are_odd,
    folded,
    is_bare_value,
    is_content,
    is_uid,
    item_and_letter,
    pair_sides,
    role_of_name,
)
from evalmark.converters.tables.sheets import ANY_TABLE, META_COLUMNS, NO_TABLE, Row, Sheets
from evalmark.schemas.errors import ConversionError, ParseRejected, TooMuchError
from evalmark.schemas.wide_tables import FIRST_COLUMNS
from evalmark.validator.findings.phrasing import cited, listed
from evalmark.validator.formats.shared.writing_systems import unspaced_script
from evalmark.validator.formats.suites.condition_names import legal_name
from evalmark.validator.formats.suites.suite import ALL, NO_SPACE_BEFORE
from evalmark.validator.reading.strict_json import decode


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """How a table is read."""

    header: bool  # whether the first row names the columns
    roles: tuple[Role | None, ...]  # the role of each column; None if a person has to say it

    def columns(self, role: Role) -> list[int]:
        """The columns of a role."""
        return [index for index, column_role in enumerate(self.roles) if column_role is role]

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


def column_names(grid: Grid, *, header: bool) -> list[str]:
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
    is_long, sides = Role.LABEL in roles and any(map(is_content, names)), pair_sides(names)
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


_NO_COLUMN = "no column has the {}"
_CHOOSE = "choose which column it is"
#: The argument that is needed where a person has to say what a column is.
ASK = "columns"


def _refusal(reason: str, cure: str = _CHOOSE, name: str = "NAME") -> ConversionError:
    return ConversionError(reason, cure, needs=ASK, subject=name)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A condition of an item; ``cells`` are its regions, or the sentence alone."""

    item: str
    condition: str
    cells: tuple[str, ...]
    place: int


def build_tables(grid: Grid, reading: ColumnReading) -> Stepped:
    """The wide table, as ``Sheets``, that a grid is by this reading.

    A ConversionError says what to choose or write, if the columns do not make a suite.
    """
    rows = grid.rows[reading.header :]
    if not rows:
        raise ConversionError("the table has no rows below its header")
    if None in reading.roles:
        raise _asked(column_names(grid, header=reading.header), reading, rows)
    return _Builder(grid, reading, rows, grid.places[reading.header :], [*grid.notes]).tables()


def _asked(
    names: Sequence[str], reading: ColumnReading, rows: Sequence[Sequence[str]]
) -> ConversionError:
    for role in (Role.ITEM, Role.CONDITION):
        if not reading.columns(role) and not reading.columns(Role.VERSION):
            return _refusal(_NO_COLUMN.format(role))
    columns = [at for at, role in enumerate(reading.roles) if role is None]
    values = (next((row[at] for row in rows if row[at]), "") for at in columns)
    quoted = [f"{cited(names[at])} ({cited(x)})" for at, x in zip(columns, values, strict=True)]
    return _refusal(
        f"the name does not say what the column has: {listed(quoted)}", "choose it",
        names[columns[0]],
    )  # fmt: skip


@dataclass(slots=True)
class _Builder:
    grid: Grid
    reading: ColumnReading
    rows: Sequence[Sequence[str]]
    places: Sequence[int]
    notes: list[str]

    def tables(self) -> Stepped:
        reading = self.reading
        names = column_names(self.grid, header=reading.header)
        regions: tuple[str, ...] = ()
        if reading.columns(Role.LABEL):
            regions, sentences = self._from_regions()
        elif reading.sentences:
            sentences = self._from_sentences(names)
        else:
            regions, sentences = self._from_columns(names)
        groups = _by_item(sentences)
        texts = [sentence.cells for group in groups.values() for sentence in group]
        is_spaced = True
        if not regions:
            is_spaced = unspaced_script(cells[0] for cells in texts) is None
            regions, texts = self._cut(texts)
        used: set[Role | None] = {Role.ITEM, Role.CONDITION, Role.LABEL}
        used |= {reading.roles[index] for index in self._texts()}
        unused = [name for name, role in zip(names, reading.roles, strict=True) if role not in used]
        if unused:
            self.notes.append(f"columns that are not used: {', '.join(unused)}")
        sheets = _sheets(groups, _usable(regions), texts, self.notes, is_spaced=is_spaced)
        return Stepped(sheets, (*self.notes,))

    def _from_columns(self, names: Sequence[str]) -> tuple[tuple[str, ...], list[_Sentence]]:
        columns = self._texts()
        if not columns:
            raise _refusal(_NO_COLUMN.format("sentence or a region"))
        regions = tuple(
            names[index] if self.reading.header else f"region {number}"
            for number, index in enumerate(columns, 1)
        )
        return regions, self._labelled([tuple(row[i] for i in columns) for row in self.rows])

    def _cut(
        self, sentences: Sequence[tuple[str, ...]]
    ) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        texts = [tuple(part.strip() for part in cells[0].split("|")) for cells in sentences]
        sizes = sorted({len(parts) for parts in texts})
        if len(sizes) > 1:
            raise ConversionError(
                f"the sentences have {' and '.join(map(str, sizes[:3]))} parts between `|`",
                "write as many `|` in each sentence; nothing between two is an empty region",
            )
        if sizes == [1]:
            self.notes.append("the sentences have no `|`: each is one region")
            return ("sentence",), texts
        self.notes.append("sentences are cut at `|`")
        return tuple(f"region {number}" for number in range(1, sizes[0] + 1)), texts

    def _texts(self) -> list[int]:
        if self.reading.columns(Role.LABEL):
            return self.reading.columns(Role.SENTENCE) or self.reading.columns(Role.REGION)
        return self.reading.sentences or self.reading.columns(Role.REGION)

    def _column(self, role: Role) -> list[str] | None:
        columns = self.reading.columns(role)
        if len(columns) > 1:
            raise _refusal(f"{len(columns)} columns have the {role}", "choose one of them")
        return filled([row[columns[0]] for row in self.rows]) if columns else None

    def _conditions(self) -> list[str] | None:
        columns = self.reading.columns(Role.CONDITION)
        if not columns:
            return None
        names = column_names(self.grid, header=self.reading.header)
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

    def _items_and_conditions(self) -> tuple[list[str] | None, list[str] | None]:
        """The item and the condition of each row; ids such as `1a` and `1b` have both."""
        items, conditions = self._column(Role.ITEM), self._conditions()
        if items is None or (parts := item_and_letter(items)) is None:
            return items, conditions
        stated = conditions or [letter for _, letter in parts]
        numbers = [number for number, _ in parts]
        if len({*zip(numbers, stated, strict=True)}) < len({*zip(items, stated, strict=True)}):
            return items, conditions
        self.notes.append(f"{items[0]} is read as item {numbers[0]}, condition {stated[0]}")
        return numbers, stated

    def _labelled(self, cells: Sequence[tuple[str, ...]]) -> list[_Sentence]:
        items, conditions = self._items_and_conditions()
        if items is None or conditions is None:
            raise _refusal(_NO_COLUMN.format("item" if items is None else "condition"))
        empty = [n for n, texts in zip(self.places, cells, strict=True) if not any(texts)]
        if empty:
            self.notes.append(f"rows without a sentence are not read: {listed(empty)}")
        return [
            _Sentence(*parts)
            for parts in zip(items, conditions, cells, self.places, strict=True)
            if any(parts[2])
        ]

    def _from_sentences(self, names: Sequence[str]) -> list[_Sentence]:
        columns = self.reading.sentences
        if not self.reading.columns(Role.VERSION):
            if len(columns) > 1:
                raise _refusal(
                    f"{len(columns)} columns have the sentence",
                    "choose one of them, or the sentence in one condition for each",
                )
            return self._labelled([(row[columns[0]],) for row in self.rows])
        conditions = self._conditions() or [""] * len(self.rows)
        items = self._column(Role.ITEM) or [*map(str, range(1, len(self.rows) + 1))]
        return [
            _Sentence(item, "_".join(filter(None, (condition, version))), (row[index],), place)
            for item, condition, row, place in zip(
                items, conditions, self.rows, self.places, strict=True
            )
            for version, index in ((names[index], index) for index in columns)
            if row[index]
        ]

    def _from_regions(self) -> tuple[tuple[str, ...], list[_Sentence]]:
        contents = self._texts()
        items, conditions = self._items_and_conditions()
        if items is None or conditions is None or len(contents) != 1:
            lacking = "item" if items is None else "condition" if conditions is None else "text"
            raise _refusal(_NO_COLUMN.format(lacking))
        sentences: dict[tuple[str, str], list[int]] = {}
        for at, key in enumerate(zip(items, conditions, strict=True)):
            sentences.setdefault(key, []).append(at)
        titles = column_names(self.grid, header=self.reading.header)
        columns = [
            LabelColumn(titles[index], [row[index] for row in self.rows])
            for index in self.reading.columns(Role.LABEL)
        ]
        labels, names, notes = label_rows(columns, sentences, self.places)
        self.notes += notes
        self.grid.budget.take(cells=len(names) * len(sentences))
        built = []
        for key, rows in sentences.items():
            texts: dict[Label, str] = {}
            for at in rows:
                if labels[at] in texts:
                    raise ConversionError(
                        f"row {self.places[at]}: item {key[0]} has the region "
                        f"{' '.join(filter(None, labels[at]))} of {key[1]} twice"
                    )
                texts[labels[at]] = self.rows[at][contents[0]]
            cells = tuple(texts.get(label, "") for label in names)
            built.append(_Sentence(*key, cells, self.places[rows[0]]))
        return tuple(names.values()), built


def _by_item(sentences: Sequence[_Sentence]) -> dict[str, list[_Sentence]]:
    """The sentences of each item; raises ConversionError if one has a condition twice."""
    groups: dict[str, list[_Sentence]] = {}
    places: dict[tuple[str, str], int] = {}
    for row in sentences:
        if not row.item:
            raise ConversionError(f"row {row.place} has no item", "write its number")
        key = (row.item, row.condition)
        if key in places:
            raise _refusal(
                f"item {row.item} has the condition {row.condition} in row {places[key]} and in "
                f"row {row.place}",
                "choose the column of the item, or one more column for the condition",
            )
        places[key] = row.place
        groups.setdefault(row.item, []).append(row)
    if not groups:
        raise _refusal("the columns of the sentences are empty")
    return groups


def _usable(names: Sequence[str]) -> tuple[str, ...]:
    """Names of regions that a wide table can have: all different, and no other column's."""
    usable: dict[str, None] = {}
    for number, name in enumerate(names, 1):
        plain = f"region {number}" if name in FIRST_COLUMNS or name.isdecimal() else name
        free, again = plain, number
        while free in usable:
            free, again = f"{plain} {again}", again + 1
        usable[free] = None
    return tuple(usable)


def _sheets(
    groups: dict[str, list[_Sentence]],
    regions: Sequence[str],
    texts: Sequence[tuple[str, ...]],
    notes: list[str],
    *,
    is_spaced: bool,
) -> Sheets:
    plain = (item for item in groups if item.isascii() and item.isdecimal() and len(item) < 10)
    is_numbered = len({*map(int, plain)}) == len(groups)
    if not is_numbered:
        notes.append("the items are numbered in their order: their names are not whole numbers")
    rows: list[Row] = []
    cells = iter(texts)
    renamed: dict[str, str] = {}
    used: Counter[str] = Counter()
    for number, (item, group) in enumerate(groups.items(), 1):
        for sentence in group:
            if sentence.condition not in renamed:
                renamed[sentence.condition] = _free_name(sentence.condition, used)
            name = renamed[sentence.condition]
            own = str(int(item) if is_numbered else number)
            row = NumberedRow(zip(FIRST_COLUMNS, (own, name), strict=True))
            row |= dict(zip(regions, next(cells), strict=True))
            row.number = sentence.place
            rows.append(row)
    changes = [f"{old} → {new}" for old, new in renamed.items() if old != new]
    if changes:
        notes.append(f"conditions that a formula cannot name: {', '.join(changes)}")
    meta = None if is_spaced else [dict(zip(META_COLUMNS, (NO_SPACE_BEFORE, ALL), strict=True))]
    if not is_spaced:
        notes.append("the sentences have no spaces: none is put between regions")
    return Sheets(rows, None, meta)


def _free_name(condition: str, used: Counter[str]) -> str:
    plain = name = legal_name(condition)
    while used[name]:
        used[plain] += 1
        name = f"{plain}_{used[plain]}"
    used[name] += 1
    return name


#: Columns of a model, as tables of scores have them.
_MODEL = {"model", "modelname", "modelid"}
#: Endings of tables that a mapping reads -> what separates their cells.
_MAPPED = {".csv": b",", ".tsv": b"\t"}
#: Endings of files that are tables, whatever their first row says.
_TABLES = (".csv", ".tsv", ".xlsx", ".ods")
#: The first bytes of a zip archive.
_ZIP = b"PK\x03\x04"
#: The first bytes of the text of tables from older programs.
_UTF16 = (BOM_UTF16_LE, BOM_UTF16_BE)


def grid_of_bytes(raw: bytes, name: str) -> Grid:
    """The grid of a file; its name says only whether a zip archive is ``.ods``.

    Raises ConversionError if the file is not a table.
    """
    raw = raw.removeprefix(BOM_UTF8)
    if raw.startswith(_ZIP):
        is_open = name.lower().endswith(".ods") or b"opendocument.spreadsheet" in raw[:200]
        from evalmark.converters.tables.any_table.first_sheet import grid_of_spreadsheet

        return grid_of_spreadsheet(raw, is_open=is_open)
    try:
        return grid_of_text(raw.decode("utf-16") if raw.startswith(_UTF16) else decode(raw))
    except (ParseRejected, UnicodeDecodeError) as error:
        reason = str(error) if isinstance(error, ParseRejected) else ""
        raise ConversionError(
            reason or "the text is not UTF-8", "save it as CSV UTF-8, or copy its cells"
        ) from None


def described(grid: Grid, reading: ColumnReading) -> str:
    """The role of each column, in one line."""
    names = column_names(grid, header=reading.header)
    words = dict.fromkeys(reading.roles)
    parts = (
        f"{ROLE_WORDS[role]}: {', '.join(names[index] for index in reading.columns(role))}"
        for role in words
        if role and role is not Role.IGNORED
    )
    return f"columns are read as {'; '.join(parts)}"


def table_of_bytes(raw: bytes, name: str, roles: Mapping[str, str] | None = None) -> Stepped:
    """The tables of a suite that a file is by the names of its columns, with a note on these.

    ``roles`` has name or number of a column -> the value of its role, where its name does not say
    it.
    """
    grid = grid_of_bytes(raw, name)
    reading = by_names(grid, _by_index(grid, roles or {}))
    is_table = PurePath(name).suffix.lower() in _TABLES
    if not is_table and not roles and not reading.is_named:
        raise no_table()  # prose with commas, or objects with any keys
    separator = None if raw.startswith(_UTF16) else _MAPPED.get(PurePath(name).suffix.lower())
    if separator and separator in raw.partition(b"\n")[0] and _has_scores(grid, reading):
        raise ConversionError(ConversionNotes.NO_MAPPING(), needs="mapping")
    built = build_tables(grid, reading)
    if not roles and (doubt := unrelated(built.data.items)):
        raise ConversionError(doubt, "say what a column is", needs=ASK, subject="NAME")
    return Stepped(built.data, (described(grid, reading), *built.notes))


def _has_scores(grid: Grid, reading: ColumnReading) -> bool:
    """True if a table has models and numbers, and nothing of a suite."""
    of_suites = {Role.ITEM, Role.CONDITION, Role.SENTENCE, Role.VERSION}
    return (
        of_suites.isdisjoint(reading.roles)
        and not _MODEL.isdisjoint(map(folded, grid.rows[0]))
        and any(map(are_no_texts, zip(*grid.rows[1:], strict=True)))
    )


def _by_index(grid: Grid, roles: Mapping[str, str]) -> dict[int, Role]:
    names = column_names(grid, header=True)
    places = {str(number): number - 1 for number in range(1, len(names) + 1)}
    places |= {name: index for index, name in enumerate(names)}
    for name, role in roles.items():
        if name not in places:
            raise ConversionError(f'no column is called "{name}"', f"it has {', '.join(names)}")
        if role not in [*Role]:
            raise ConversionError(f'"{role}" is not what a column is', f"write {', '.join(Role)}")
    return {places[name]: Role(role) for name, role in roles.items()}


#: Endings of files that may be any table; JSON is one only if its names say so.
_JSON = (".json", ".jsonl")
_ENDINGS = (".csv", ".tsv", ".txt", ".xlsx", ".ods", ".js", *_JSON, "")
#: Those that nothing else reads.
_ENDINGS_OF_OTHERS = (".ods", ".js", ".txt")


def parsed_any_table(
    raw: bytes, path: str, parsed: ParsedText | None, columns: Mapping[str, str]
) -> ParsedText | None:
    """The parsed wide table that a file becomes; None if it is better read otherwise.

    ``parsed`` is how it is read by its name, None if it is not UTF-8 text; with any ``columns``,
    the file is read in this way.
    """
    ending = PurePath(path).suffix.lower()
    is_open = parsed is None or is_any_table(parsed)
    if not columns and (ending not in _ENDINGS or not is_open):
        return None
    if parsed is not None and isinstance(parsed.error, TooMuchError):
        return None  # it would be read again to be refused again
    try:
        built = table_of_bytes(raw, path, columns)
    except ConversionError as refusal:
        is_other = ending in _ENDINGS_OF_OTHERS or _needs_this(parsed)
        is_table = refusal.needs in (ASK, ORDER) or (
            ending != ".xlsx" and refusal.needs != NO_TABLE
        )
        if not (columns or is_table or is_other):
            return None  # what reads files of this name has the better reason
        return ParsedText("", path, Syntax.CSV, error=refusal)
    return ParsedText(
        raw.decode("utf-8", "replace"),
        path,
        Syntax.CSV if ending == ".jsonl" else Syntax.of(path),
        built.data,
        WIDE_TABLE,
        notes=built.notes,
    )


def is_any_table(parsed: ParsedText) -> bool:
    """True if nothing recognizes a file, or what does would take any column for a region."""
    if parsed.format == WIDE_TABLE and parsed.error is None:
        is_doubtful = isinstance(parsed.data, list) and unrelated(parsed.data)
        return odd_region(parsed.data) is not None or bool(is_doubtful)
    return parsed.importer is None and (parsed.format is None or _needs_this(parsed))


def _needs_this(parsed: ParsedText | None) -> bool:
    return parsed is not None and parsed.error is not None and parsed.error.needs == ANY_TABLE
