"""The columns of tables of minimal pairs that no set of keys describes: one declaration for all.

``PRESETS`` has those of published sets. The option ``--pairs`` and the settings ``[[pairs]]`` make
the same declaration. It is plain data: names of columns and of values, never a path or code. The
rows become those of a set of ``formats.pairs.pair_sets``: with the keys of BLiMP, or, with a
prefix, those of continuations.
"""

from __future__ import annotations

import json
import os
import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatch
from typing import Any, Generic, NamedTuple, TypeVar

from evalmark.schemas.errors import ParseRejected, UnknownNameError, UsageError
from evalmark.schemas.wide_tables import is_wide_header
from evalmark.validator.io.paths import place_in

#: Endings of tables -> what separates their cells.
TABLES = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
#: Values of a label that mean right or wrong, in small letters.
RIGHT = frozenset({"1", "1.0", "true", "yes", "good", "grammatical", "acceptable", "correct"})
WRONG = frozenset(
    {"0", "0.0", "false", "no", "bad", "ungrammatical", "unacceptable", "incorrect", "*"}
)
#: A column of a file without a header: its number, from 1.
_NUMBERED = "#[1-9][0-9]?"


class PairColumns(NamedTuple):
    """The way in which the rows of a file are minimal pairs; an empty name is that of no column."""

    #: Column of the right text. ``#2`` is the second one of a file without a header.
    good: str = ""
    #: Column of the wrong text. If it is ``good`` too, each row has one sentence.
    bad: str = ""
    #: Column of a text that precedes both; the pairs are then continuations, as in DTFit.
    prefix: str = ""
    #: Column, or list of columns, of what rows are averaged with; default: the file's name.
    uid: tuple[str, ...] = ()
    field: str = ""  # column of the field of linguistics
    #: Separator of cells; default: ``,`` in ``.csv``, a tab in ``.tsv`` and ``.txt``.
    separator: str = ""
    #: Column that says whether the sentence of a row is right, or, for two texts, whether the first
    #: one is: ``1``, ``true``, ``good``, ``grammatical``, ``acceptable``, ``correct`` and ``yes``
    #: mean right. With ``=VALUE`` this value does, and no other.
    label: str = ""
    #: ``pair-by`` in settings: columns that have the same values in the rows of a pair; rows that
    #: follow each other are paired without them.
    pair_by: tuple[str, ...] = ()
    first: str = "good"  # ``good`` (default) or ``bad``: the first of two rows that have no label
    name: str = ""  # name of the preset
    title: str = ""  # the set's name in its field
    source: str = ""  # where the form of its files was established
    #: The beginning of the first line of a file without a header, by which it is known.
    begins: str = ""

    @property
    def label_column(self) -> str:
        """The column of the label, without the value that means right."""
        return self.label.partition("=")[0]

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns without which a row is not a pair."""
        named = (self.good, self.bad, self.prefix, self.label_column, *self.pair_by)
        return tuple(dict.fromkeys(filter(None, named)))

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are named; a row of a preset may lack those of its labels."""
        return tuple(dict.fromkeys(filter(None, (*self.needed, *self.uid, self.field))))

    @property
    def has_header(self) -> bool:
        """True if the first line has the names of the columns."""
        return not self.good.startswith("#")

    @property
    def is_long(self) -> bool:
        """True if each row has one sentence of a pair."""
        return bool(self.good) and self.good == self.bad

    def fits(self, names: Iterable[str]) -> bool:
        """True if a header, or a row, has the columns of the texts."""
        return self.has_header and bool(self.good) and {*self.needed} <= {*names}

    def is_right(self, row: Mapping[str, Any]) -> bool:
        """The label of a row; RowRejected if it means neither right nor wrong."""
        column, sign, right = self.label.partition("=")
        value = str(row[column])
        if sign:
            return value == right
        if value.strip().lower() in RIGHT | WRONG:
            return value.strip().lower() in RIGHT
        shown = json.dumps(value, ensure_ascii=False)
        raise RowRejected(f"label {shown} means neither right nor wrong", column)

    def paired(self, good: Mapping[str, Any], bad: Mapping[str, Any]) -> SetRow:
        """The row of the set, of one row with two texts, or of two with one each.

        Raises RowRejected if the label of two texts means nothing.
        """
        if not self.good:
            return SetRow(dict(good), {})
        texts = ("good_continuation", "bad_continuation") if self.prefix else BLIMP
        sources = (self.good, self.bad)
        if self.label and not self.is_long and not self.is_right(good):
            sources = (self.bad, self.good)
        keys = dict(zip(texts, sources, strict=True))
        row: dict[str, Any] = {texts[0]: good[sources[0]], texts[1]: bad[sources[1]]}
        for key, column in (("prefix", self.prefix), ("field", self.field)):
            if column in good:
                keys[key], row[key] = column, good[column]
        if self.uid and all(column in good for column in self.uid):
            keys["UID"] = self.uid[0]
            row["UID"] = "/".join(str(good[column]) for column in self.uid)
        if self.pair_by:
            row["pairID"] = "/".join(str(good[column]) for column in self.pair_by)
        used = {*self.columns, *keys, *BLIMP}
        return SetRow({**row, **{k: v for k, v in good.items() if k and k not in used}}, keys)


class SetRow(NamedTuple):
    """A row of a set of pairs."""

    row: dict[str, Any]  # the row
    keys: Mapping[str, str]  # key of it -> the column that its value is from


#: The keys of the two texts of a pair in BLiMP.
BLIMP = ("sentence_good", "sentence_bad")


class RowRejected(ParseRejected):
    """A row that cannot be read by its columns."""

    def __init__(self, message: str, column: str) -> None:
        super().__init__(message)
        self.column = column  # the column that is wrong or missing


_BLIMP_NL = "https://doi.org/10.1162/coli_a_00559: Phenomenon01.csv to Phenomenon22.csv"

#: Name -> preset. The first that fits a header is used without being asked for.
PRESETS: dict[str, PairColumns] = {
    preset.name: preset
    for preset in (
        PairColumns(
            "source_sentence", "target_sentence", uid=("PID",), field="level", name="rublimp",
            title="RuBLiMP", source="https://github.com/RussianNLP/RuBLiMP",
        ),
        PairColumns(
            "good_sentence", "bad_sentence", uid=("phenomenon",), separator=";", name="turblimp",
            title="TurBLiMP (base)", source="https://github.com/ezgibasar/TurBLiMP, data/base",
        ),
        PairColumns(
            "grammatical", "ungrammatical", uid=("type",), field="category", name="qfrblimp",
            title="QFrBLiMP", source="https://github.com/davebulaval/QFrBLiMP, annotations.tsv",
        ),
        PairColumns(
            "sentence_a", "sentence_b", uid=("type",), field="category", label="label=0",
            name="qfrblimp-release", title="QFrBLiMP (release; label 0: the first is right)",
            source="https://github.com/davebulaval/QFrBLiMP, release/qfrblimp.jsonl",
        ),
        PairColumns(
            "Sentence", "Sentence", uid=("Phenomenon", "Paradigm"), label="Grammaticality",
            pair_by=("Number (paradigm)", "Item"), name="blimp-nl", title="BLiMP-NL (raw)",
            source=_BLIMP_NL,
        ),
        PairColumns(
            "2", "2", uid=("1",), field="0", label="3", name="climp", title="CLiMP (raw)",
            source="https://aclanthology.org/2021.eacl-main.242",
        ),
        PairColumns(
            "#2", "#2", label="#1", name="clams", title="CLAMS", begins=r"(True|False)\t\S",
            source="https://github.com/aaronmueller/clams",
        ),
        PairColumns(
            "#1", "#1", first="bad", name="zorro", title="Zorro (alternate lines)",
            source="https://github.com/phueb/Zorro, sentences/babyberta",
        ),
    )
}  # fmt: skip

#: The keys that a user can state; ``files`` and ``preset`` are for settings only.
STATED = ("good", "bad", "prefix", "uid", "field", "separator", "label", "pair-by", "first")
_LISTS = ("uid", "pair-by")


def columns_of(stated: Mapping[str, Any], preset: str = "") -> PairColumns:
    """The declaration of a preset and what is stated besides.

    Raises:
        UnknownNameError: There is no such preset or key.
        UsageError: A value is not of its type, or columns are missing.
    """
    if preset and preset not in PRESETS:
        raise UnknownNameError("preset of pairs", preset, tuple(PRESETS))
    values: dict[str, Any] = {}
    for key, value in stated.items():
        if key not in STATED:
            raise UnknownNameError("key of pairs", key, STATED)
        if key in _LISTS and isinstance(value, str):
            value = [value]
        is_list = isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
        if not (is_list if key in _LISTS else isinstance(value, str) and value):
            raise UsageError(f"`{key}` of pairs must be the name of a column, not {value!r}")
        values[key.replace("-", "_")] = tuple(value) if key in _LISTS else value
    columns = PRESETS.get(preset, PairColumns())._replace(**values)
    _require_sense(columns)
    return columns


def _require_sense(columns: PairColumns) -> None:
    if bool(columns.good) is not bool(columns.bad):
        raise UsageError(
            "pairs need `good` and `bad`, or one column as both if a row has one sentence"
        )
    if not columns.good and columns != PairColumns(separator=columns.separator):
        raise UsageError("pairs need `good` and `bad`, the columns of their texts")
    if columns.first not in ("good", "bad"):
        raise UsageError("`first` of pairs is good or bad")
    if columns.separator and (len(columns.separator) != 1 or columns.separator in '"\r\n'):
        raise UsageError("`separator` of pairs is one character")
    numbered = [bool(re.fullmatch(_NUMBERED, name)) for name in columns.columns]
    if any(numbered) and not all(numbered):
        raise UsageError("in a file without a header, every column is a number, such as #2")


class PairTables(NamedTuple):
    """The columns of files: globs, relative to a folder, and what they declare."""

    folder: str = ""  # the folder of the settings; empty for columns that the command line gives
    #: Glob -> columns; the first that matches counts.
    entries: tuple[tuple[str, PairColumns], ...] = ()

    def columns_for(self, path: str) -> PairColumns | None:
        """The columns that are declared for a file."""
        if not self.entries:
            return None
        if not self.folder:
            return self.entries[0][1]
        place = place_in(path, self.folder)
        return next((columns for glob, columns in self.entries if fnmatch(place, glob)), None)


#: No columns are declared.
NO_TABLES = PairTables()


def stated_tables(words: Sequence[str]) -> PairTables:
    """The columns of the words ``PRESET`` and ``KEY=COLUMN``; errors as in ``columns_of``."""
    if not words:
        return NO_TABLES
    stated: dict[str, Any] = {}
    preset = ""
    for word in words:
        key, sign, value = word.partition("=")
        if not sign and preset:
            raise UsageError(f"pairs have one preset, not {preset} and {word}")
        if not sign:
            preset = word
        elif key in _LISTS:
            stated[key] = [*stated.get(key, []), value]
        else:
            stated[key] = "\t" if (key, value) == ("separator", r"\t") else value
    return PairTables("", (("*", columns_of(stated, preset)),))


Origin = TypeVar("Origin")


class PairedRow(NamedTuple, Generic[Origin]):
    """A row of a set, and where its texts are from; both are the same for a row with two texts."""

    made: SetRow
    good: Origin
    bad: Origin


class Pairing(Generic[Origin]):
    """Rows of a file that become rows of a set, one after the other.

    Right and wrong rows with the same values of ``pair_by`` are paired in their order. Without
    ``pair_by`` a row is paired with the one that follows it, if their labels differ.
    """

    def __init__(self, columns: PairColumns) -> None:
        self.columns = columns
        self._alone: list[Origin] = []
        self._count = 0
        #: Values of ``pair_by`` -> wrong rows, and right rows, that wait for the other one.
        self._waiting: dict[tuple[str, ...], tuple[deque[Any], deque[Any]]] = {}

    def add(self, row: Mapping[str, Any], origin: Origin) -> PairedRow[Origin] | None:
        """The row of the set that is complete with a row; None if it has to wait for another.

        Raises RowRejected if the row lacks a column, or its label means nothing.
        """
        columns = self.columns
        for name in columns.needed:
            if name not in row:
                raise RowRejected(f"column `{name}` is missing", name)
        if not columns.is_long:
            return PairedRow(columns.paired(row, row), origin, origin)
        number, self._count = self._count, self._count + 1
        is_first = (columns.first == "good") is not bool(number % 2)
        right = columns.is_right(row) if columns.label else is_first
        key = tuple(str(row[name]) for name in columns.pair_by)
        rows = self._waiting.setdefault(key, (deque(), deque()))
        same, others = rows[right], rows[not right]
        if not others:
            if same and not columns.pair_by:  # its partner would have followed it
                self._alone.append(same.popleft()[1])
            same.append((row, origin))
            return None
        other, place = others.popleft()
        if right:
            return PairedRow(columns.paired(row, other), origin, place)
        return PairedRow(columns.paired(other, row), place, origin)

    def unpaired(self) -> list[Origin]:
        """The rows without a partner, once all rows have been added."""
        waiting = (entry[1] for rows in self._waiting.values() for queue in rows for entry in queue)
        return [*self._alone, *waiting]


def preset_of(names: Iterable[str], separator: str = "") -> PairColumns | None:
    """The preset that a header, or the keys of a row, fit; None if none does."""
    header = tuple(names)
    if is_wide_header(header):  # its regions can have the names of any columns
        return None
    every = (preset for preset in PRESETS.values() if preset.separator == separator)
    return next((preset for preset in every if preset.fits(header)), None)


def _glob_of(path: str) -> str:
    from glob import escape  # for settings that are written

    try:
        place = os.path.relpath(path).replace(os.sep, "/")
    except ValueError:  # another drive
        place = ".."
    return escape(os.path.basename(path) if place.startswith("..") else place)


def suggestion(path: str, separator: str, header: Sequence[str], cells: Sequence[str]) -> str:
    """The line of configuration that would read a table, as far as its first row shows.

    Empty if no column has texts, or one alone has and no other labels them.
    """
    words = {name: len(cell.split()) for name, cell in zip(header, cells, strict=False) if name}
    texts = sorted((name for name in words if words[name] > 1), key=lambda name: -words[name])[:2]
    if not texts:
        return ""
    if len(texts) == 1 or 2 * words[texts[1]] < words[texts[0]]:
        texts = texts[:1] * 2
    good, bad = sorted(texts, key=list(header).index)
    entry: dict[str, str | list[str]] = {"files": _glob_of(path), "good": good, "bad": bad}
    if TABLES.get(os.path.splitext(path)[1], ",") != separator:
        entry["separator"] = separator
    # The 1 of a first item is not a label.
    numbers = [name for name in header if name.lower() in ("item", "id", "pair")]
    values = {n: cell for n, cell in zip(header, cells, strict=False) if n not in numbers}
    labels = [name for name, cell in values.items() if cell.lower() in RIGHT | WRONG]
    if good == bad:
        if not labels:
            return ""
        entry["label"] = labels[-1]
        if "item" in header:
            entry["pair-by"] = ["item"]
    inside = ", ".join(f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in entry.items())
    return f"pairs = [{{ {inside} }}]"
