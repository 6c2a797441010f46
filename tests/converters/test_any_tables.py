"""Tables as people have them: beside each kind in ``fixtures/tables/`` is what becomes of it."""

from __future__ import annotations

import os
from contextlib import suppress
from xml.etree import ElementTree as ET

import pytest
from conftest import FIXTURES
from evalmark.converters.any_table import grid, spreadsheets, texts
from evalmark.converters.any_table.any_tables import table_of_bytes
from evalmark.converters.any_table.reading import Split
from evalmark.converters.any_table.splitting import split_sentences
from evalmark.converters.steps.suite_tables import table_text
from evalmark.schemas.errors import ConversionError
from hypothesis import given
from hypothesis import strategies as st

TABLES = FIXTURES / "tables"
KINDS = sorted(p for p in TABLES.iterdir() if not p.name.endswith(".becomes.txt"))


def outcome(path):
    if path.suffix == ".xlsx":
        pytest.importorskip("openpyxl")
    try:
        built = table_of_bytes(path.read_bytes(), path.name)
    except ConversionError as error:
        return f"refused: {error}\n"
    notes = "".join(f"{note}\n" for note in built.notes)
    tables = [table_text(rows, "\t", columns) for _, columns, rows in built.sheets.tables()]
    return "\n".join([notes, *tables])


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.name)
def test_a_table_becomes_a_suite_as_written_beside_it(path):
    becomes = path.with_name(f"{path.name}.becomes.txt")
    if os.environ.get("EVALMARK_ACCEPT"):
        becomes.write_text(outcome(path), encoding="utf-8")
    assert outcome(path) == becomes.read_text(encoding="utf-8")


SENTENCES = st.lists(st.sampled_from("abc"), min_size=1, max_size=6).map(" ".join)


@given(st.lists(st.lists(SENTENCES, min_size=1, max_size=4), min_size=1, max_size=3))
def test_split_sentences_keep_every_word_and_have_the_same_regions(items):
    for split in (Split.SHARED, Split.WORDS, Split.WHOLE):
        done = split_sentences(items, split)
        joined = [[" ".join(filter(None, parts)) for parts in item] for item in done.items]
        assert joined == items
        assert all(len(parts) == len(done.names) for item in done.items for parts in item)


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.name)
def test_a_table_that_is_cut_off_is_read_or_refused(path):
    outcome(path)
    raw = path.read_bytes()
    for end in range(0, len(raw), max(len(raw) // 20, 1)):
        with suppress(ConversionError):
            table_of_bytes(raw[:end], path.name)


def test_no_column_of_equal_names_is_lost():
    built = table_of_bytes(b"item,condition,a,a 3,a\n1,x,one,two,three\n1,y,1,2,3\n", "x.csv")
    assert [*built.sheets.items[0].values()] == ["1", "x", "one", "two", "three"]


def test_a_region_may_be_called_by_a_very_long_number():
    number = b"9" * 5000
    text = b"item,condition,region,word\n1,a,%b,x\n1,b,%b,y\n" % (number, number)
    assert [row["condition"] for row in table_of_bytes(text, "x.csv").sheets.items] == ["a", "b"]


def test_rows_of_other_names_each_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(grid, "MAX_CELLS", 1000)
    seen = 0

    def rows():
        nonlocal seen
        for _ in range(1000):
            seen += 1
            yield ["x"] * 100

    with pytest.raises(ConversionError, match="1,000 cells"):
        grid.grid_of(rows())
    assert seen < 20


def _sheet_of_merged_cells(_):
    return [[""] * 999 + ["x"], *(["y"] for _ in range(100))], [(999, 0, 100)]


def test_merged_cells_do_not_fill_the_memory(monkeypatch):
    pytest.importorskip("openpyxl")
    monkeypatch.setattr(spreadsheets, "MAX_CELLS", 10_000)
    monkeypatch.setattr(spreadsheets, "unpacked_workbook", bytes)
    monkeypatch.setattr(spreadsheets, "_sheet_rows", _sheet_of_merged_cells)
    with pytest.raises(ConversionError, match="too large"):
        spreadsheets.grid_of_xlsx(b"")


def test_a_row_of_an_open_spreadsheet_does_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(spreadsheets, "MAX_CELLS", 5000)
    name = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
    cells = '<t:table-cell t:number-columns-repeated="1024"/>' * 10
    text = f'<t:table xmlns:t="{name}"><t:table-row>{cells}</t:table-row></t:table>'
    with pytest.raises(ConversionError, match="too large"):
        spreadsheets._ods_rows(ET.fromstring(text))


def test_patterns_take_no_time_for_long_lines_and_cells():
    with pytest.raises(ConversionError):
        texts.grid_of_text("|\n|" + "-" * 200_000 + "\n|" + "-" * 200_000)
    assert texts._LINE_OF_TABLE.fullmatch("|" + "-" * 200_000 + "x") is None
    assert not spreadsheets._MERGED.findall(b"<mergeCell " * 50_000)
