"""Tables as people have them: beside each kind in ``fixtures/tables/`` is what becomes of it."""

from __future__ import annotations

import os

import pytest
from conftest import FIXTURES
from evalmark.converters.any_table.any_tables import table_of_bytes
from evalmark.converters.steps.suite_tables import table_text
from evalmark.schemas.errors import ConversionError

TABLES = FIXTURES / "tables"
KINDS = sorted(p for p in TABLES.iterdir() if not p.name.endswith(".becomes.txt"))


def outcome(path):
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
