"""Tables as people have them: beside each kind in ``fixtures/tables/`` is what becomes of it."""

import json
import os
from contextlib import suppress

import pytest
from conftest import FIXTURES
from evalmark.converters.tables.any_table.any_tables import table_of_bytes
from evalmark.converters.tables.any_table.reading import Split
from evalmark.converters.tables.any_table.splitting import split_sentences
from evalmark.converters.tables.any_table.words import folded
from evalmark.schemas.errors import ConversionError
from evalmark.validator.reading.work_budget import WorkBudget
from evalmark.workbench.pasted_text import convert, convert_spreadsheet, table_answer
from hypothesis import given
from hypothesis import strategies as st

TABLES = FIXTURES / "tables"
KINDS = sorted(p for p in TABLES.iterdir() if not p.name.endswith(".becomes.txt"))


#: Notes on every table that has no predictions and no metric, and the proof.
USUAL = ("the list of predictions is empty", "this format names no metric", "proved: ")


def lines_of(suite):
    """The conditions of a suite, one a line, below the names of its regions."""
    yield "\t".join(["item", "condition", *suite["region_meta"].values()])
    for item in suite["items"]:
        for condition in item["conditions"]:
            contents = (region["content"] for region in condition["regions"])
            yield "\t".join([str(item["item_number"]), condition["condition_name"], *contents])


def outcome(path, run):
    """What the command says of a table, and the suite that it writes."""
    done = run("evalmark", "convert", path, "--to", "suite", "--no-predictions")
    assert done.code == (0 if done.out else 1), done
    said = [line.removeprefix(f"{path}: ") for line in done.err.splitlines()]
    said = [line for line in said if not any(word in line for word in USUAL)]
    suite = json.loads(done.out) if done.out else None
    return suite, "\n".join([*said, "", *(lines_of(suite) if suite else ())]).rstrip() + "\n"


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.name)
def test_a_table_becomes_in_command_and_page_what_is_written_beside_it(path, run):
    becomes = path.with_name(f"{path.name}.becomes.txt")
    suite, text = outcome(path, run)
    if os.environ.get("EVALMARK_ACCEPT"):
        becomes.write_text(text, encoding="utf-8")
    assert text == becomes.read_text(encoding="utf-8")
    raw = path.read_bytes()
    is_text = path.suffix not in (".xlsx", ".ods")
    page = convert(raw.decode(), path.name) if is_text else convert_spreadsheet(raw, path.name)
    shown = page.get("data", page.get("table", {}).get("data"))
    if suite is None:  # the page asks or refuses, too
        assert "data" not in page, page
    else:
        assert shown == suite, page
        # What is guessed or left out is asked, or was said.
        assert "table" in page or "not used" not in text


SENTENCES = st.lists(st.sampled_from("abc"), min_size=1, max_size=6).map(" ".join)


@given(st.lists(st.lists(SENTENCES, min_size=1, max_size=4), min_size=1, max_size=3))
def test_split_sentences_keep_every_word_and_have_the_same_regions(items):
    for split in (Split.SHARED, Split.WORDS, Split.WHOLE):
        done = split_sentences(items, split, WorkBudget())
        joined = [[" ".join(filter(None, parts)) for parts in item] for item in done.items]
        assert joined == items
        assert all(len(parts) == len(done.names) for item in done.items for parts in item)


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.name)
def test_a_table_that_is_cut_off_is_read_or_refused(path):
    raw = path.read_bytes()
    for end in range(0, len(raw), max(len(raw) // 20, 1)):
        with suppress(ConversionError):
            table_of_bytes(raw[:end], path.name)


def test_names_are_known_without_case_accents_and_signs():
    assert folded(" \u00c0cc\u00e9pt\u00e0ble_2\u036f") == "acceptable"


def test_no_column_of_equal_names_is_lost():
    built = table_of_bytes(b"item,condition,a,a 3,a\n1,x,one,two,three\n1,y,1,2,3\n", "x.csv")
    assert [*built.data.items[0].values()] == ["1", "x", "one", "two", "three"]


def test_a_region_may_be_called_by_a_very_long_number():
    number = b"9" * 5000
    text = b"item,condition,region,word\n1,a,%b,x\n1,b,%b,y\n" % (number, number)
    assert [row["condition"] for row in table_of_bytes(text, "x.csv").data.items] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "|\n|" + "-" * 200_000 + "\n|" + "-" * 200_000 + "x",
        '[["a", 1], {s: "b"}] ' + "/*" * 100_000,
        "-" * 200_000 + "\n" + "[" * 100_000,
        "item\tcondition\tx\n1\ta\t" + "a@" * 50_000,
    ],
)
def test_patterns_take_no_time_for_long_lines_and_cells(text):
    with suppress(ConversionError):
        table_of_bytes(text.encode(), "x.txt")


@pytest.mark.parametrize(
    ("column", "last"), [("year=region", "In\t2007\the wave."), ("year=ignored", "In\the wave.")]
)
def test_what_was_asked_is_said_with_an_option(column, last, run):
    path = TABLES / "years.csv"
    done = run("evalmark", "convert", path, "--to", "suite", "--no-predictions", "--column", column)
    assert [*lines_of(json.loads(done.out))][-1] == f"2\tmismatch\t{last}"


def test_the_page_asks_what_a_column_without_words_is():
    raw = (TABLES / "years.csv").read_bytes()
    table = convert(raw.decode(), "years.csv")["table"]
    assert (table["roles"][3], "data" in table) == ("", False)
    assert table["refused"].startswith('the column "year" has no words but "1999"')
    assert "data" in table_answer(raw, "years.csv", roles={"3": "region"})
