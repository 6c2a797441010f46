"""Suites as tables for spreadsheets: written with predictions and meta, and read back equal."""

import json
import os
import re
import tempfile
import time
import zipfile
from contextlib import suppress
from datetime import date
from pathlib import Path

import pytest
from conftest import FIXTURES, data_at, needs_links
from evalmark.converters.convert_document import convert_data, convert_text
from evalmark.converters.convert_files import convert_file, convert_files, parsed_file
from evalmark.converters.graph import route
from evalmark.converters.suites.edits import strip_results
from evalmark.converters.suites.suite_tables import suite_to_wide_table
from evalmark.converters.supplied import NOTHING, Supplied
from evalmark.schemas.errors import ConversionError, EvalmarkError
from evalmark.validator.check import check_file
from hypothesis import example, given
from hypothesis import strategies as st
from pointers import changed
from strategies import JSON, examples
from suites import suite_of, texts_in

openpyxl = pytest.importorskip("openpyxl")

SUITE = data_at("good/suite.json")
FORMULA = "(2;%a%) > (2;%b%)"
SYNTAXES = ("csv", "tsv", "xlsx")


def tables(suite, path):
    """Writes a suite as tables, as the command does."""
    done = convert_text(json.dumps(suite), path="x.json", to="wide-table", syntax=path.suffix[1:])
    for table, content in done.files.items():
        name = path.name if table == "items" else f"{path.stem}.{table}{path.suffix}"
        path.with_name(name).write_bytes(content)
    return done


def suite_at(path, **supplied):
    return json.loads(convert_file(path, to="suite", supplied=Supplied(**supplied)).text)


def is_refused(path, reason, **supplied):
    with pytest.raises(ConversionError) as refusal:
        suite_at(path, **supplied)
    assert reason in str(refusal.value)


# There and back


@pytest.mark.conforms("L-56")
def test_a_suite_is_three_tables(tmp_path):
    tables(SUITE, tmp_path / "s.csv")
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {
        "s.csv": "item,condition,Subject,Verb,Continuation\n"
        "1,match,The woman,plays,the guitar\n"
        "1,mismatch,The woman,play,the guitar\n"
        "2,match,The boys,sing,a song\n"
        "2,mismatch,The boys,sings,a song\n",
        "s.predictions.csv": "formula\n(2;%mismatch%) > (2;%match%)\n",
        "s.meta.csv": "key,value\nname,agreement\nmetric,sum\n",
    }


def test_a_workbook_has_a_sheet_for_each_table(tmp_path):
    tables(SUITE, tmp_path / "s.xlsx")
    book = openpyxl.load_workbook(tmp_path / "s.xlsx")
    assert book.sheetnames == ["items", "predictions", "meta"]
    assert [[cell.value for cell in row] for row in book["items"]["A1:C2"]] == [
        ["item", "condition", "Subject"],
        ["1", "match", "The woman"],
    ]
    cells = [cell for sheet in book for row in sheet for cell in row]
    assert {(cell.data_type, cell.number_format) for cell in cells} == {("s", "@")}


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_every_suite_goes_there_and_back(syntax, tmp_path, request):
    paths = [*FIXTURES.glob("good/suite*.json"), *FIXTURES.glob("legacy/*.new.json")]
    if "EVALMARK_SHARED" in os.environ:
        paths += sorted((request.getfixturevalue("shared") / "data/suites").glob("*/*.json"))
    count = 0
    for path in paths:
        try:
            suite = convert_data(json.loads(path.read_text(encoding="utf-8")), to="suite").data
        except EvalmarkError:
            continue  # results, and a suite of several metrics
        suite = strip_results(suite).data
        tables(suite, tmp_path / f"s.{syntax}")
        assert suite_at(tmp_path / f"s.{syntax}") == suite, path.name
        count += 1
    assert count > (24 if "EVALMARK_SHARED" in os.environ else 4)


#: What spreadsheets, their files or CSV change, if they are let.
DAMAGED = st.sampled_from(
    ["=1+1", "+1", "-1", "@a", "'a", "1.0", "007", "1e5", "TRUE", "2024-01-02", "3/4", "NA", "nan",
     " a ", "a\nb", "a\tb", "a,b", "a;b", '"', '""', "😀", "a\r\nb", "\0", "\x07", "_x0041_",
     "null", "=HYPERLINK(\"http://a.b\")", "\ufffe", "\x85", "", "item", "2"]
)  # fmt: skip
TEXTS = DAMAGED | st.text(st.characters(codec="utf-8"), max_size=6)


@st.composite
def suites(draw):
    """Suites that follow the schema, with keys of their own."""
    names = draw(st.lists(TEXTS, min_size=1, max_size=3))
    contents = st.lists(TEXTS, min_size=len(names), max_size=len(names))
    item = st.fixed_dictionaries({"a": contents, "b": contents})
    suite = suite_of(draw(st.lists(item, min_size=1, max_size=3)), [FORMULA])
    suite["region_meta"] = {str(n): name for n, name in enumerate(names, 1)}
    suite["meta"] |= draw(st.dictionaries(TEXTS, JSON, max_size=2)) | {"name": "s", "metric": "sum"}
    suite["predictions"][0] |= draw(st.dictionaries(st.sampled_from(["note", "/", "types"]), JSON))
    return suite | draw(st.dictionaries(st.sampled_from(["note", "/", "a~b"]), JSON, max_size=1))


#: NUL; in a workbook also what XML cannot have or changes, and what Excel takes for a character.
NOT_HELD = {"csv": "\0", "tsv": "\0", "xlsx": "[\0-\x08\x0b-\x1f\ufffe\uffff]|_x[0-9a-fA-F]{4}_"}


@given(suites(), st.sampled_from(SYNTAXES))
@example(suite_of([{"a": ["", "=1"], "b": ["1.0", "007"]}], [FORMULA]), "xlsx")
@example(suite_of([{"a": ["\r"], "b": ["a\rb"]}], [FORMULA]), "csv")
@examples(200)
def test_what_is_written_reads_the_same(suite, syntax):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"s.{syntax}"
        try:
            done = tables(suite, path)
        except ConversionError:
            texts = [text for name in TABLES for row in table_rows(suite, name) for text in row]
            assert re.search(NOT_HELD[syntax], "".join(texts))
            return
        parsed = parsed_file(str(path))
    assert parsed.data == done.data
    (step,) = route("wide-table", "suite")
    assert step.run(parsed.data, NOTHING).data == suite


TABLES = ("items", "predictions", "meta")


def table_rows(suite, table):
    """Header and rows of a table of a suite."""
    rows = getattr(suite_to_wide_table(suite, NOTHING).data, table)
    return [[*row, *row.values()] for row in rows]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"/items/0/note": "x"}, "cannot hold /items/0/note"),
        ({"/items/1/conditions/0/regions/2": ...}, "cannot hold /items/1/conditions/0/regions"),
        ({"/items": SUITE["items"][:1] * 2}, "item 1 has the condition match twice"),
        ({"/items": []}, "a wide table needs an item"),
        ({"/predictions/0/ x": 1}, "another text in "),
        ({"/meta/note": "a\0b"}, "cannot hold a NUL"),
        ({"/region_meta/1": "sentence_good", "/region_meta/2": "sentence_bad"},
         "the table would be read as pairs"),
    ],
)  # fmt: skip
def test_what_tables_cannot_hold_is_refused(changes, reason):
    with pytest.raises(ConversionError, match=reason):
        convert_text(json.dumps(changed(SUITE, changes)), to="wide-table")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a\x07", r"C2 of the sheet items would have '\\x07': .xlsx cannot hold it"),
        ("_x0041_", "_x0041_"),
        ("a" * 32768, "a text of more than 32,767 characters"),
    ],
)
def test_what_a_workbook_cannot_hold_is_refused(text, reason):
    suite = suite_of([{"a": [text, "x"], "b": ["y", "z"]}], [FORMULA])
    with pytest.raises(ConversionError, match=reason):
        convert_text(json.dumps(suite), to="wide-table", syntax="xlsx")


def test_equal_suites_are_equal_workbooks(monkeypatch):
    first = convert_text(json.dumps(SUITE), to="wide-table", syntax="xlsx")
    monkeypatch.setattr(
        "time.localtime", lambda *_: time.struct_time((2031, 1, 1, 0, 0, 0, 0, 1, 0))
    )
    assert convert_text(json.dumps(SUITE), to="wide-table", syntax="xlsx").files == first.files


# An editor's changes


def test_what_an_editor_adds_beside_a_table_is_read(tmp_path):
    tables(SUITE, tmp_path / "s.csv")
    meta, predictions = tmp_path / "s.meta.csv", tmp_path / "s.predictions.csv"
    meta.write_text('key,value\nmetric,mean\n,\ntags,"[""a"", ""b""]"\nyear,2026\n', "utf-8")
    predictions.write_bytes(
        predictions.read_bytes().replace(b"\n", b"\r\n") + b"(3;%match%) < 5\r\n"
    )
    suite = suite_at(tmp_path / "s.csv")
    assert suite["meta"] == {"name": "s", "metric": "mean", "tags": ["a", "b"], "year": 2026}
    assert [entry["formula"] for entry in suite["predictions"]] == [
        "(2;%mismatch%) > (2;%match%)", "(3;%match%) < 5",
    ]  # fmt: skip
    supplied = suite_at(tmp_path / "s.csv", predictions=(), metric="max")
    assert (supplied["predictions"], supplied["meta"]["metric"]) == ([], "mean")
    meta.unlink()
    assert suite_at(tmp_path / "s.csv")["meta"] == {"name": "s", "metric": "sum"}


@pytest.mark.parametrize(
    ("table", "text", "reason"),
    [
        ("meta", "name;value\n", "meta: the table has no column key, value; separate the cells"),
        ("meta", "key,value\nname,a\n/meta/name,b\n", 'meta has "/meta/name" twice'),
        ("meta", "key,value\n/items,[]\n", 'meta has no place for "/items"'),
        ("meta", "key,value\n/region_meta/1,Det\n", 'region 1, whose column is called "Subject"'),
        ("predictions", "formula,note\n,a\n", "prediction 1 has no formula"),
        ("predictions", "formula\n(1;%x%\n", "expected"),
    ],
)
def test_a_bad_table_beside_is_refused(table, text, reason, tmp_path):
    tables(SUITE, tmp_path / "s.csv")
    (tmp_path / f"s.{table}.csv").write_text(text, "utf-8")
    is_refused(tmp_path / "s.csv", reason)


HEADER = ["item", "condition", "np", "verb"]
ROWS = [[1, "a", "The", "x"], [1, "b", "A", "y"]]


def workbook(path, rows, title="Tabelle1", predictions=("(2;%a%) > (2;%b%)",)):
    """A workbook as somebody makes it in a spreadsheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    if predictions is not None:
        other = book.create_sheet("Predictions")
        for formula in ("formula", *predictions):
            other.append([formula])
    book.save(path)
    return book


def test_a_workbook_that_was_typed_is_read(tmp_path):
    path = tmp_path / "mine.xlsx"
    rows = [HEADER, [1, "a", 12, True], [], [1.0, "b", 0.1 + 0.2, None], [None, None, None], [""]]
    book = workbook(path, rows)
    book["Tabelle1"]["Z9"].value = ""
    book.create_sheet("Notes").append(["to do"])
    book.save(path)
    outcome = convert_file(path)
    suite = json.loads(outcome.text)
    assert suite["meta"] == {"name": "mine", "metric": "sum"}
    assert texts_in({"items": suite["items"][:1]}) == [["12", "TRUE"], ["0.3", ""]]
    notes = [note for note in outcome.notes if "Tabelle1" in note or "Notes" in note]
    assert notes == [
        'sheet "Tabelle1": C2 and 2 more are a number or TRUE or FALSE, which is read as its text',
        "sheets that are not read: Notes",
    ]


def test_hidden_sheets_are_read_only_by_name(tmp_path):
    path = tmp_path / "s.xlsx"
    book = workbook(path, [["old"]], title="Draft")
    book["Draft"].sheet_state = "hidden"
    for row in [HEADER, *ROWS]:
        (book["Shown"] if "Shown" in book.sheetnames else book.create_sheet("Shown")).append(row)
    book["Predictions"].sheet_state = "hidden"
    book.save(path)
    assert len(suite_at(path)["predictions"]) == 1


def test_long_tables_and_minimal_pairs_are_read_from_workbooks(tmp_path):
    columns = ["item_number", "condition_name", "region_number", "region_name", "content"]
    rows = [[1, name, n, f"r{n}", f"{name}{n}"] for name in "ab" for n in (1, 2)]
    workbook(tmp_path / "long.xlsx", [columns, *rows])
    suite = suite_at(tmp_path / "long.xlsx")
    assert (suite["region_meta"], len(suite["predictions"])) == ({"1": "r1", "2": "r2"}, 1)
    pairs = [["sentence_good", "sentence_bad", "UID"], ["The cat sleeps.", "The cat sleep.", "u"]]
    workbook(tmp_path / "pairs.xlsx", pairs, predictions=None)
    (done,) = convert_files([tmp_path / "pairs.xlsx"], output=tmp_path / "pairs.jsonl")
    assert [json.loads(line) for line in done.text.splitlines()] == [dict(zip(*pairs, strict=True))]


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (date(2024, 3, 4), "has a date or time in C2; format the cell as text"),
        ("=1+1", "has a formula without a value in C2"),
        ("#REF!", "has the error #REF! in C2"),
    ],
)
def test_a_cell_whose_text_is_not_certain_is_refused(cell, reason, tmp_path):
    workbook(tmp_path / "s.xlsx", [HEADER, [1, "a", cell, "x"]])
    is_refused(tmp_path / "s.xlsx", f'sheet "Tabelle1" {reason}')


def test_a_number_in_a_format_of_its_own_is_refused(tmp_path):
    book = workbook(tmp_path / "s.xlsx", [HEADER, [1, "a", 0.5, "x"]])
    book["Tabelle1"]["C2"].number_format = "0%"
    book.save(tmp_path / "s.xlsx")
    is_refused(tmp_path / "s.xlsx", 'has a number as "0%" in C2')


@pytest.mark.parametrize("cell", ["=1/0", 0.5, date(2020, 1, 1)])
def test_merged_cells_mean_as_above_and_hide_no_text_that_is_not_certain(cell, tmp_path):
    book = workbook(tmp_path / "s.xlsx", [HEADER, *ROWS])
    book["Tabelle1"].merge_cells("A2:A3")
    book.save(tmp_path / "s.xlsx")
    assert len(suite_at(tmp_path / "s.xlsx", predictions=())["items"][0]["conditions"]) == 2
    book["Tabelle1"]["C2"] = cell
    if cell == 0.5:
        book["Tabelle1"]["C2"].number_format = "0%"
    book.save(tmp_path / "s.xlsx")
    is_refused(tmp_path / "s.xlsx", " in C2; ")


def test_a_workbook_without_a_name_of_a_column_is_refused(tmp_path):
    workbook(tmp_path / "t.xlsx", [HEADER, *ROWS, [2, "a", "x", "y", "note"]])
    is_refused(tmp_path / "t.xlsx", "has a text in E4, and no name of the column")


def test_a_refusal_names_the_row_that_a_spreadsheet_shows(tmp_path):
    workbook(tmp_path / "s.xlsx", [HEADER, ROWS[0], [], [], ROWS[0]])
    is_refused(tmp_path / "s.xlsx", "line 5: item 1 has the condition a twice")


def test_formulas_of_cells_count_with_the_values_that_were_saved(tmp_path):
    path = tmp_path / "s.xlsx"
    workbook(path, [HEADER, *ROWS])
    edited(path, "xl/worksheets/sheet1.xml", b'<c r="D2" t="inlineStr"><is><t>x</t></is></c>',
           b'<c r="D2" t="str"><f>LOWER("X")</f><v>x1</v></c>')  # fmt: skip
    assert suite_at(path)["items"][0]["conditions"][0]["regions"][1]["content"] == "x1"


# Another program


def test_pandas_reads_what_is_written(tmp_path):
    pandas = pytest.importorskip("pandas")
    suite = suite_of([{"a": ["=1+1", " a\nb"], "b": ["007", ""]}], [FORMULA])
    done = tables(suite, tmp_path / "s.xlsx")
    frames = pandas.read_excel(
        tmp_path / "s.xlsx", sheet_name=None, dtype=str, keep_default_na=False
    )
    assert frames["items"].to_dict("records") == done.data.items
    assert frames["predictions"].to_dict("records") == done.data.predictions
    with pandas.ExcelWriter(tmp_path / "again.xlsx") as writer:
        for name, frame in frames.items():
            frame.to_excel(writer, sheet_name=name, index=False)
    with pytest.raises(ConversionError, match="a formula without a value in C2"):
        suite_at(tmp_path / "again.xlsx")  # pandas writes a formula for =1+1


# Hostile files


def edited(path, member, old, new):
    """Replaces bytes in a member of a workbook."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    assert old in contents[member]
    contents[member] = contents[member].replace(old, new, 1)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)


SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b"<worksheet", b'<!DOCTYPE x [<!ENTITY a "b">]><worksheet', "defines XML entities"),
        (b"</sheetData>", b"", "the workbook is damaged: mismatched tag"),
        (b't="n"', b't="n" s="77"', "the workbook is damaged"),
    ],
)  # fmt: skip
def test_damaged_workbooks_are_refused(old, new, reason, tmp_path):
    path = tmp_path / "s.xlsx"
    workbook(path, [HEADER, *ROWS])
    edited(path, SHEET, old, new)
    is_refused(path, reason)


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04", b"\xd0\xcf\x11\xe0" * 99, b"item,condition\n"])
def test_other_files_called_xlsx_are_refused(raw, tmp_path, run):
    (tmp_path / "s.xlsx").write_bytes(raw)
    done = run("evalmark", "convert", tmp_path / "s.xlsx", code=1)
    assert "refused: the workbook: damaged zip file" in done.err
    assert "save it as .xlsx, without a password" in done.err


def test_damage_anywhere_is_refused_or_harmless(tmp_path):
    path = tmp_path / "s.xlsx"
    workbook(path, [HEADER, *ROWS])
    raw = path.read_bytes()
    for place in range(0, len(raw), 97):
        path.write_bytes(raw[:place] + bytes([raw[place] ^ 0x55]) + raw[place + 1 :])
        with suppress(ConversionError):
            suite_at(path)


# The command


def test_the_command_writes_tables_and_finds_them(tmp_path, run):
    path = FIXTURES / "good/suite.json"
    for name in ("s.csv", "s.xlsx"):
        run("evalmark", "convert", path, "--to", "wide-table", "-o", tmp_path / name, code=0)
        assert json.loads(run("evalmark", "convert", tmp_path / name).out) == SUITE
    done = run(
        "evalmark", "convert", tmp_path / "s.xlsx", "--to", "wide-table", "-o", tmp_path / "t.tsv"
    )
    assert (done.code, (tmp_path / "t.meta.tsv").is_file()) == (0, True)
    (tmp_path / "s.xlsx").unlink()
    done = run("evalmark", "convert", tmp_path, "-o", tmp_path / "out")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["s.json", "t.json"]
    assert "skipped" in done.err


def test_a_table_of_an_earlier_suite_is_not_left_beside_another(tmp_path, run):
    """It would be read as the predictions of the new one."""
    command = ("evalmark", "convert", FIXTURES / "good/suite.json", "-o", tmp_path / "s.csv")
    assert run(*command, "--to", "wide-table").code == 0
    before = (tmp_path / "s.csv").read_bytes()
    done = run(*command, "--to", "table", code=1)
    assert f"{tmp_path / 's.predictions.csv'} is there, and would be read with s.csv" in done.err
    assert (tmp_path / "s.csv").read_bytes() == before
    (tmp_path / "s.predictions.csv").unlink()
    (tmp_path / "s.meta.csv").unlink()
    assert run(*command, "--to", "table").code == 0


def test_the_file_of_a_table_needs_an_ending(tmp_path, run):
    command = ("evalmark", "convert", FIXTURES / "good/suite.json", "--to", "wide-table", "-o")
    done = run(*command, tmp_path / "tables", code=1)
    assert "tables has no ending; name the file tables.csv, or make the folder first" in done.err
    assert not [*tmp_path.iterdir()]
    (tmp_path / "tables").mkdir()
    assert run(*command, tmp_path / "tables").code == 0
    assert (tmp_path / "tables/suite.csv").exists()


def test_truth_values_of_a_spreadsheet_are_no_texts(tmp_path):
    suite = {**SUITE, "meta": {**SUITE["meta"], "checked": True, "answer": "TRUE"}}
    tables(suite, tmp_path / "s.csv")
    assert suite_at(tmp_path / "s.csv") == suite
    meta = tmp_path / "s.meta.csv"
    meta.write_text(meta.read_text("utf-8").replace("checked,true", "checked,TRUE"), "utf-8")
    assert suite_at(tmp_path / "s.csv") == suite


def test_a_column_of_comments_is_named(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("item,condition,subject,Comment\n1,a,The cat,good\n1,b,The cats,bad\n", "utf-8")
    done = convert_file(path, to="suite", supplied=Supplied(predictions=()))
    assert "columns that are not used: Comment" in done.notes
    with pytest.raises(ConversionError, match='the column "Comment" may be no region'):
        convert_text(path.read_text("utf-8"), path="s.csv", supplied=Supplied(predictions=()))
    path.with_name("s.predictions.csv").write_text("formula\n", "utf-8")
    done = convert_file(path, to="suite", supplied=Supplied())
    assert 'the column "Comment" is read as region 2: remove it if it is not one' in done.notes


def test_tables_are_not_printed(run):
    done = run("evalmark", "convert", FIXTURES / "good/suite.json", "--to", "wide-table")
    assert (done.code, done.out) == (1, "")
    assert "a wide table is several files, or a workbook; use -o FILE.xlsx" in done.err


def test_two_suites_do_not_share_a_table(tmp_path, run):
    for name in ("a.json", "a.meta.json"):
        (tmp_path / name).write_text(json.dumps(SUITE), "utf-8")
    done = run("evalmark", "convert", tmp_path, "--to", "wide-table", "-o", tmp_path / "out")
    assert done.code == 1
    assert "a.meta.csv has been written for another file of this call" in done.err


@needs_links
def test_a_table_beside_is_not_written_through_a_link(tmp_path, run):
    (tmp_path / "out").mkdir()
    (tmp_path / "precious").write_text("x", "utf-8")
    (tmp_path / "out/s.meta.csv").symlink_to(tmp_path / "precious")
    path = FIXTURES / "good/suite.json"
    done = run("evalmark", "convert", path, "--to", "wide-table", "-o", tmp_path / "out/s.csv")
    assert done.code == 2
    assert (tmp_path / "precious").read_text("utf-8") == "x"


@needs_links
def test_a_table_beside_is_not_read_through_a_link_out_of_the_folder(tmp_path):
    (tmp_path / "in").mkdir()
    tables(SUITE, tmp_path / "in/s.csv")
    (tmp_path / "in/s.meta.csv").rename(tmp_path / "private.csv")
    (tmp_path / "in/s.meta.csv").symlink_to(tmp_path / "private.csv")
    is_refused(tmp_path / "in/s.csv", "s.meta.csv is a link out of its folder")


def test_a_table_beside_that_cannot_be_read_is_named(tmp_path):
    tables(SUITE, tmp_path / "s.csv")
    (tmp_path / "s.meta.csv").unlink()
    (tmp_path / "s.meta.csv").mkdir()
    is_refused(tmp_path / "s.csv", "s.meta.csv cannot be read")


def test_columns_may_differ_in_capitals(tmp_path):
    (tmp_path / "s.csv").write_text("Item,Condition,Verb\n1,a,is\n", "utf-8")
    assert suite_at(tmp_path / "s.csv", predictions=())["region_meta"] == {"1": "Verb"}


def test_without_openpyxl_one_sentence_says_what_to_install(tmp_path, run, monkeypatch):
    monkeypatch.setattr("evalmark.schemas.errors.find_spec", lambda name: None)
    path = FIXTURES / "good/suite.json"
    done = run("evalmark", "convert", path, "--to", "wide-table", "-o", tmp_path / "t.xlsx")
    assert "openpyxl is not installed: pip install" in done.err
    assert "[xlsx]'" in done.err
    assert "Traceback" not in done.err


def test_check_says_what_makes_a_suite_of_a_workbook(tmp_path):
    workbook(tmp_path / "s.xlsx", [HEADER, *ROWS])
    (finding,) = check_file(tmp_path / "s.xlsx").findings
    assert (finding.code, finding.message) == (
        "F004",
        "file is a workbook of a spreadsheet program",
    )
    assert "evalmark convert" in finding.helps[0]


def test_tables_stay_as_they_are_in_place(tmp_path, run):
    tables(SUITE, tmp_path / "s.csv")
    path = tmp_path / "s.csv"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    old = path.read_bytes()
    done = run("evalmark", "convert", "--in-place", "--to", "wide-table", path)
    assert (done.code, path.read_bytes()) == (0, old)


def test_conditions_of_a_table_are_renamed(tmp_path):
    tables(SUITE, tmp_path / "s.csv")
    suite = suite_at(tmp_path / "s.csv", renames={"match": "good"})
    assert suite["predictions"][0]["formula"] == "(2;%mismatch%) > (2;%good%)"
    assert suite["items"][0]["conditions"][0]["condition_name"] == "good"


#: Names that mean something in a format of suites, or are hard to write in one.
HOSTILE = [
    *("region_number", "content", "item_number", "condition_name", "region_name", "item"),
    *("condition", "conditions", "regions", "predictions", "formula", "meta", "key", "value"),
    *("sentence_good", "sentence_bad", "suite_name", "1", "01", "", "  ", " x", "a,b", "a\tb"),
    *("a\nb", '"q"', "/", "/meta/name", "~1", "=1+1", "NaN", "null", "TRUE", "1.0", "%", "a;b"),
]


@given(
    names=st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=3),
    conditions=st.lists(st.sampled_from(HOSTILE), min_size=2, max_size=2, unique=True),
    suite_name=st.sampled_from(HOSTILE),
    to=st.sampled_from(["wide-table", "table", "rows", "sentences", "suite-legacy", "yaml"]),
)
def test_hostile_names_are_kept_or_refused_by_name(names, conditions, suite_name, to):
    suite = suite_of([dict.fromkeys(conditions, ["The cat"] * len(names))] * 2, [])
    suite["meta"]["name"] = suite_name
    suite["region_meta"] = {str(number): name for number, name in enumerate(names, 1)}
    done = None
    with suppress(ConversionError):  # refused by name
        done = convert_text(json.dumps(suite), to=to)
    if done is not None and to in ("wide-table", "rows"):
        back = convert_data(done.data, to="suite").data
        assert back["items"] == suite["items"]
        assert to == "rows" or back == suite
