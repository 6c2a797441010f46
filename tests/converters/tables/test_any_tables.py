"""Tables as people have them: beside each kind in ``fixtures/tables/`` is what becomes of it."""

import json
import os
from contextlib import suppress

import pytest
from conftest import FIXTURES
from evalmark.converters.tables.any_table.any_tables import table_of_bytes
from evalmark.converters.tables.any_table.words import folded
from evalmark.schemas.errors import ConversionError
from evalmark.workbench.pasted_text import convert, convert_spreadsheet, table_answer

TABLES = FIXTURES / "tables"
KINDS = sorted(p for p in TABLES.iterdir() if not p.name.endswith(".becomes.txt"))


#: Notes on every table that has no predictions and no metric, and the proof.
USUAL = ("the list of predictions is empty", "this format names no metric", "verified: ")


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


@pytest.mark.parametrize("name", ["sentences.txt", "data_frame.txt", "gb4e.txt", "objects.txt"])
def test_what_is_no_table_is_refused_with_what_one_looks_like(name, run):
    text = (TABLES / name).read_text(encoding="utf-8")
    done = run("evalmark", "convert", TABLES / name, "--to", "suite", "--no-predictions")
    reason = (
        "this is not a table; a table has a row of names and rows of cells, such as "
        "item,condition,Subject,Verb"
    )
    assert (done.code, done.err) == (1, f"{TABLES / name}: refused: {reason}\n")
    assert convert(text, name)["refused"] == reason


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("two_factors.csv", ["number=condition", "grammatical=condition"]),
        ("factors_in_one.tsv", ["Version=condition"]),
        ("column_per_condition.csv", ["singular=version", "plural=version"]),
        ("merged.xlsx", ["Number=condition", "Match=condition"]),
    ],
)
def test_the_command_reads_as_told_what_the_page_proposes(name, columns, run):
    """But for a column for each condition, which only a person knows."""
    options = [word for column in columns for word in ("--column", column)]
    command = ("evalmark", "convert", TABLES / name, "--to", "suite", "--no-predictions")
    asked = run(*command)
    assert (asked.code, asked.out, '--column "' in asked.err) == (1, "", True)
    suite = json.loads(run(*command, *options, code=0).out)
    raw = (TABLES / name).read_bytes()
    page = convert_spreadsheet(raw, name) if name.endswith("x") else convert(raw.decode(), name)
    proposal = page["table"]
    if "version" in options[1]:
        proposal = table_answer(raw, name, roles={"1": "version", "2": "version"})
    assert proposal["data"] == suite


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.name)
def test_a_table_that_is_cut_off_is_read_or_refused(path):
    raw = path.read_bytes()
    for end in range(0, len(raw), max(len(raw) // 20, 1)):
        with suppress(ConversionError):
            table_of_bytes(raw[:end], path.name)


def test_names_are_known_without_case_accents_and_signs():
    assert folded(" \u00c0cc\u00e9pt\u00e0ble_2\u036f") == "acceptable"


@pytest.mark.parametrize(
    ("header", "cells", "regions"),
    [
        ("region,word number,word", ["1,1,a", "1,2,b", "2,3,c"], "1 2 3"),
        ("region,word number,word", ["1,1,a", "1,2,b", "2,1,c"], "1 1,2 2"),
        ("word number,region,word", ["2.0,V,b", "1.0,S,a", "3.0,O,c"], "S V O"),
        ("word number,region,word", ["1,1,a", "2,1,b", "1,2,c"], "1 2 1,3"),
        ("region number,region name,segment,word", ["1,S,x,a", "2,V,y,b", "2,V,z,c"], "S V V,3"),
        ("region number,region name,word", ["01,S,a", "3,V,c", "2,V,b"], "S V V,3"),
        ("region,word", ["S,a", "O,b", "V,c"], "S O V"),
    ],
)
def test_the_words_of_a_sentence_keep_the_order_of_their_numbers_or_rows(header, cells, regions):
    rows = "".join(f"1,{condition},{row}\n" for condition in "xy" for row in cells)
    built = table_of_bytes(f"item,condition,{header}\n{rows}".encode(), "x.csv")
    names = [
        f"region {name}" if name[0].isdecimal() else name
        for name in regions.replace(",", "\0").split()
    ]
    for row in built.data.items:
        assert [*row][2:] == [name.replace("\0", " ") for name in names]
        assert [*row.values()][2:] == ["a", "b", "c"]


def test_a_region_that_some_sentences_lack_is_where_the_others_have_it():
    rows = "1,x,S,He\n1,x,V,is\n1,y,S,He\n1,y,Aux,has\n1,y,V,been\n"
    built = table_of_bytes(f"item,condition,region,word\n{rows}".encode(), "x.csv")
    texts = [[*row.values()][2:] for row in built.data.items]
    assert texts == [["He", "", "is"], ["He", "has", "been"]]


def test_rows_in_different_orders_are_refused_and_not_made_one(run, tmp_path):
    rows = "1,x,S,he\n1,x,V,is\n1,x,Adv,now\n1,y,Adv,now\n1,y,S,he\n1,y,V,is\n"
    (tmp_path / "x.csv").write_text(f"item,condition,region,word\n{rows}", encoding="utf-8")
    done = run("evalmark", "convert", tmp_path / "x.csv", "--no-predictions", code=1)
    assert "have their regions in different orders: " in done.err


def test_numbers_that_name_several_regions_are_said_to_change(run, tmp_path):
    rows = "1,a,1,S,He\n1,a,2,V,is\n1,a,3,Adv,now\n1,b,1,S,He\n1,b,2,Aux,has\n1,b,3,Adv,now\n"
    (tmp_path / "x.csv").write_text(f"item,condition,position,region,word\n{rows}", "utf-8")
    done = run("evalmark", "convert", tmp_path / "x.csv", "--no-predictions", code=0)
    assert "note: regions have other numbers than in the table: 2 → 3 and 3 → 4" in done.err
    assert [*json.loads(done.out)["region_meta"].values()] == ["S", "V", "Aux", "Adv"]


def test_numbers_of_words_may_begin_again_with_each_region():
    rows = "1,x,NP,1,the\n1,x,NP,2,dog\n1,x,VP,1,left\n1,y,NP,1,it\n1,y,VP,1,left\n"
    built = table_of_bytes(f"item,condition,region,word number,word\n{rows}".encode(), "x.csv")
    texts = [[*row.values()][2:] for row in built.data.items]
    assert texts == [["the", "dog", "left"], ["it", "", "left"]]


@pytest.mark.parametrize(
    ("header", "rows", "reason"),
    [
        ("region,word number", ["2,1,left", "1,1,the", "1,2,dog"],
         "the rows from 2 on are not in the order of their numbers"),
        ("region number,region name", ["1,S,he", ",V,left"],
         'row 3 has nothing in "region number"; write the region of each row'),
        ("region", ["S,he", ",left"], 'row 3 has nothing in "region"; write'),
    ],
)  # fmt: skip
def test_rows_whose_region_is_not_certain_are_refused(header, rows, reason, run, tmp_path):
    text = "".join(f"1,{condition},{row}\n" for condition in "xy" for row in rows)
    (tmp_path / "x.csv").write_text(f"item,condition,{header},word\n{text}", encoding="utf-8")
    done = run("evalmark", "convert", tmp_path / "x.csv", "--no-predictions", code=1)
    assert reason in done.err


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
    assert table["refused"].startswith('the name does not say what the column has: "year" ("1999")')
    assert "data" in table_answer(raw, "years.csv", roles={"3": "region"})


def test_the_page_asks_if_rows_without_a_word_in_common_are_one_item():
    raw = (TABLES / "rows_of_no_item.csv").read_bytes()
    assert "no word in common" in table_answer(raw, "t.csv")["asked"]
    assert "asked" not in table_answer((TABLES / "letters_in_ids.csv").read_bytes(), "t.csv")
