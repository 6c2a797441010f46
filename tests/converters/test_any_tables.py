"""Tables as people have them: beside each kind in ``fixtures/tables/`` is what becomes of it."""

from __future__ import annotations

import os
from contextlib import suppress

import pytest
from conftest import FIXTURES
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
