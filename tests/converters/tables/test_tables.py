"""Suites as tables, rows, sentences and YAML: what is kept, what is refused."""

import json

import pytest
from conftest import FIXTURES, data_at, edited, file_at
from evalmark.converters.conversion_formats import conversion_format_of
from evalmark.converters.convert_document import convert_data, convert_text
from evalmark.converters.convert_files import convert_files
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_text
from evalmark.validator.formats.suites.formula.formula_syntax import parse_formula
from evalmark.validator.formats.suites.formula.meaning import meaning_of
from evalmark.validator.reading.reading import read
from evalmark.workbench.pasted_text import convert as pasted
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from suites import suite_of, texts_in

SUITE = data_at("good/suite.json")
HEADER = "item_number,condition_name,region_number,region_name,content\n"


def to_table(suite):
    return convert_text(json.dumps(suite), to="table").text


def from_table(text, predictions=(), **supplied):
    return convert_text(
        text, path="x.csv", supplied=Supplied(predictions=tuple(predictions), **supplied)
    )


@pytest.mark.parametrize("numbers", [(2, 1), (1, 1)])
def test_regions_in_another_order_than_a_table_is_read_in_are_refused(numbers):
    suite = suite_of([{"a": ["x", "y"]}], [])
    regions = suite["items"][0]["conditions"][0]["regions"]
    for region, number in zip(regions, numbers, strict=True):
        region["region_number"] = number
    after = f"region {numbers[1]} of a in item 1 is after region {numbers[0]}"
    with pytest.raises(ConversionError, match=after):
        convert_data(suite, to="table")


@pytest.mark.conforms("L-56")
def test_a_table_has_a_row_for_each_region():
    text = to_table(SUITE)
    assert text.startswith(HEADER)
    regions = sum(len(c["regions"]) for item in SUITE["items"] for c in item["conditions"])
    assert text.count("\n") == regions + 1
    assert "\r" not in text


def test_a_table_keeps_a_column_that_a_suite_cannot_hold():
    text = f"{HEADER[:-1]},note\n1,a,1,s,The,x\n"
    done = convert_text(text, path="x.csv", to="table", syntax="tsv")
    assert done.text == text.replace(",", "\t")


def test_a_table_says_which_predictions_it_lacks():
    with pytest.raises(ConversionError, match="supply them, or an empty list"):
        convert_text(to_table(SUITE), path="x.csv")


@pytest.mark.conforms("L-56")
def test_there_and_back():
    formulas = [prediction["formula"] for prediction in SUITE["predictions"]]
    back = from_table(to_table(SUITE), formulas, name=SUITE["meta"]["name"], metric="sum")
    assert json.loads(back.text) == SUITE
    assert to_table(json.loads(back.text)) == to_table(SUITE)


@pytest.mark.parametrize(
    ("supplied", "written"),
    [
        # A current formula is taken as it is: `&` and `|` are read from left to right.
        ("(1;%a%) > 1 | (1;%b%) > 1 & (2;%a%) > 1", "(1;%a%) > 1 | (1;%b%) > 1 & (2;%a%) > 1"),
        # Square brackets mean the older dialect, in which `&` binds tighter than `|`.
        (
            "[(1;%a%) > 1] | [(1;%b%) > 1] & [(2;%a%) > 1]",
            "((1;%a%) > 1) | (((1;%b%) > 1) & ((2;%a%) > 1))",
        ),
    ],
)
def test_supplied_predictions_are_read_in_their_own_dialect(supplied, written):
    rows = (f"1,{name},{n},,{name}{n}\n" for name in "ab" for n in (1, 2))
    suite = from_table(HEADER + "".join(rows), [supplied], name="x", metric="sum").data
    assert meaning_of(parse_formula(suite["predictions"][0]["formula"]).tree) == meaning_of(
        parse_formula(written).tree
    )


CONTENTS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=8)
#: A suite with an empty sentence is not written.
TEXTS = st.lists(CONTENTS, min_size=2, max_size=2).filter(lambda of: any(map(str.strip, of)))
SUITES = st.lists(st.fixed_dictionaries(dict.fromkeys("ab", TEXTS)), min_size=1, max_size=3).map(
    lambda items: suite_of(items, [])
)


@given(SUITES, st.sampled_from(["csv", "tsv"]))
@examples(80)
def test_any_suite_goes_there_and_back(suite, syntax):
    table = convert_text(json.dumps(suite), to="table", syntax=syntax).text
    supplied = Supplied(predictions=(), name="s", metric="sum")
    assert json.loads(convert_text(table, path=f"x.{syntax}", supplied=supplied).text) == suite


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("", "this format names no metric: `sum` is written"),
        ('["mean", "sum"]', 'metric of a suite in tables cannot be ["mean", "sum"]; write one of'),
        ("0", "metric of a suite in tables cannot be 0"),
    ],
)
def test_the_metric_in_a_table_of_meta_may_be_empty_and_is_no_list(cell, said, tmp_path, run):
    path, quoted = tmp_path / "t.csv", '"{}"'.format(cell.replace('"', '""'))
    suite = FIXTURES / "good/suite.json"
    run("evalmark", "convert", suite, "--to", "wide-table", "-o", path, code=0)
    (tmp_path / "t.meta.csv").write_text(f"key,value\nname,x\nmetric,{quoted}\n", "utf-8")
    assert said in run("evalmark", "convert", path, "-o", tmp_path / "back.json").err


def test_a_region_may_have_a_number_as_its_name(tmp_path, run):
    path = tmp_path / "suite.json"
    with edited(FIXTURES / "good/suite.json", path) as data:
        data["region_meta"] = {"1": "R0", "2": "R1", "3": "R2"}
    run("evalmark", "convert", path, "--to", "wide-table", "-o", tmp_path / "t.csv", code=0)
    done = run("evalmark", "convert", tmp_path / "t.csv", "-o", tmp_path / "back.json", code=0)
    assert "other numbers" not in done.err
    assert json.loads((tmp_path / "back.json").read_text("utf-8")) == json.loads(path.read_text())


@pytest.mark.parametrize("word", ["NA", "null", "None", "nan", "TRUE", "1", "", " x ", '"', "a,b"])
def test_a_cell_is_text_whatever_it_says(word):
    suite = suite_of([{"a": [word, "x"], "b": ["y", "z"]}], [])
    back = json.loads(from_table(to_table(suite), name="s", metric="sum").text)
    assert back["items"][0]["conditions"][0]["regions"][0]["content"] == word


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("1,a,1,np,The\n1,a,1,np,A\n", "line 3: item 1 has region 1 of a twice"),
        ("1,a,1,np,The\n1,b,1,det,The\n", 'line 3: region 1 is called "det" here and "np" before'),
        ("one,a,1,np,The\n", 'line 2: item_number is not a whole number: "one"'),
        ("1,a,1.0,np,The\n", 'region_number is not a whole number: "1.0"'),
        ("1,a,1,np\n", "line 2 has 4 cells, the header 5$"),  # quotes are not what is wrong
        ("1,a,1,np,The,cat\n", "line 2 has 6 cells, the header 5; put a cell .* in double quotes"),
        ('1,a,1,np,"The\n', "line 2: unexpected end of data$"),
        ('1,a,1,np,"The\n1,a,2,vp,is\n', "line 3: .* in the row that begins on line 2$"),
        ('1,a,1,np,"The\ncat"\n1,a,2,vp\n', "line 4 has 4 cells"),
    ],
)
def test_a_bad_table_is_refused_with_its_line(body, reason):
    with pytest.raises(ConversionError, match=reason):
        from_table(HEADER + body)


def test_a_table_without_a_column_is_refused():
    with pytest.raises(ConversionError, match="no column region_name"):
        from_table("item_number,condition_name,region_number,content\n1,a,1,x\n")


BY_COLUMN = """item,condition,Subject,Verb
1,match,The author,laughs
1,mismatch,The author,laugh
"""
BY_ROW = """item_number,condition_name,region_number,content
1,match,1,The author
1,match,2,laughs
1,mismatch,1,The author
1,mismatch,2,laugh
"""


def suite_by_command(run, here, text, *options):
    """The suite that the command makes of a table; its other output if there is none."""
    (here / "t.csv").write_text(text, encoding="utf-8")
    done = run("evalmark", "convert", "t.csv", "--to", "suite", "--no-predictions", *options)
    return json.loads(done.out) if done.out else done.err


@pytest.mark.parametrize(
    "names", ["item_number,condition", "item,condition_name", "item_number,condition_name"]
)
def test_a_wide_table_may_have_the_names_of_a_suites_keys(names, run, here):
    suite = suite_by_command(run, here, BY_COLUMN)
    text = BY_COLUMN.replace("item,condition", names)
    assert suite_by_command(run, here, text) == suite == pasted(text, "t.csv")["data"]


def test_a_long_table_without_names_of_regions_is_read_after_a_question(run, here):
    suite = suite_by_command(run, here, BY_COLUMN)
    suite["region_meta"] = {"1": "region 1", "2": "region 2"}
    for text in (BY_ROW, BY_ROW.replace("item_number", "item")):
        assert suite_by_command(run, here, text) == suite
        assert pasted(text, "t.csv")["table"]["data"] == suite


def test_a_region_a_row_is_not_a_column_of_a_wide_table(run, here):
    text = "item,condition,region,content\n1,a,Subject,He\n1,a,Verb,ran\n1,b,Subject,He\n"
    suite = suite_by_command(run, here, text)
    assert suite["region_meta"] == {"1": "Subject", "2": "Verb"}


@pytest.mark.parametrize("text", ["x,y\n1,2\n", "item_number,x\n1,2\n", "item,condition\n1,a\n"])
def test_a_table_that_lacks_columns_asks_for_them(text, run, here):
    assert '--column "' in suite_by_command(run, here, text)
    assert pasted(text, "t.csv")["table"]["refused"]


@pytest.mark.parametrize("uids", [("a", "b"), ("a", "a")])
def test_a_uid_is_no_region(uids, run, here):
    header, *rows = BY_COLUMN.splitlines(keepends=True)
    text = "".join(f"{uid},{row}" for uid, row in zip(("UID", *uids), (header, *rows), strict=True))
    assert suite_by_command(run, here, text) == suite_by_command(run, here, BY_COLUMN)


def test_a_uid_is_the_item_where_nothing_else_numbers_the_rows(run, here):
    suite = suite_by_command(run, here, "UID,good,bad\n7,He ran.,He run.\n9,I ran.,I runs.\n")
    assert [item["item_number"] for item in suite["items"]] == [7, 9]


def test_columns_without_a_place_are_named():
    notes = from_table(HEADER.strip() + ",author\n1,a,1,np,The,me\n").notes
    assert any("author" in note for note in notes)


def test_sentences_are_those_that_a_model_reads():
    suite = suite_of([{"a": ["The cat", "", "sleeps."], "b": ["A", "dog", "barks."]}], [])
    text = convert_text(json.dumps(suite), to="sentences").text
    assert text == "The cat sleeps.\nA dog barks.\n"
    with pytest.raises(ConversionError, match="sentences alone are not a suite"):
        convert_text(text, path="x.txt")


def test_rows_there_and_back():
    text = convert_text(json.dumps(SUITE), to="rows").text
    rows = [json.loads(line) for line in text.splitlines()]
    assert conversion_format_of(rows) == "rows"
    assert set(rows[0]["conditions"]) == {"condition_name", "content", "regions"}
    back = json.loads(convert_text(text, path="rows.jsonl").text)
    assert (back["items"], back["predictions"]) == (SUITE["items"], SUITE["predictions"])
    assert set(back["region_meta"].values()) == {""}


def test_rows_of_two_suites_are_refused():
    rows = convert_data(SUITE, to="rows").data
    with pytest.raises(ConversionError, match="several suites"):
        convert_data([*rows, {**rows[0], "suite_name": "other"}])
    with pytest.raises(ConversionError, match="different predictions"):
        convert_data([*rows, {**rows[0], "item_number": 9, "predictions": []}])


# YAML


KINDS = sorted([*FIXTURES.glob("good/*.json"), *FIXTURES.glob("good/ltm/**/*.json")])


@pytest.mark.parametrize("path", KINDS, ids=lambda path: path.name)
def test_every_kind_goes_to_yaml_and_back(path):
    text = path.read_text(encoding="utf-8")
    yaml = convert_text(text, path=str(path), to="yaml").text
    assert check_text(yaml, path=f"{path}.yaml").ok
    back = convert_text(yaml, path="x.yaml", to="json").text
    assert json.loads(back) == json.loads(text)
    assert list(json.loads(back)) == list(json.loads(text))


TEXTS = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ["no", "2024-01-01", "1:30", "0x1F", "~", "", "- a", "a: b", "# x", "'", '"', "x\ny\n", "\ty"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e6, 1e6) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
@examples(150)
def test_what_is_written_as_yaml_reads_the_same(value):
    data = {"content": value, "question": "q", "answer": "a"}
    try:
        text = convert_text(json.dumps(data, ensure_ascii=False), to="yaml").text
    except ConversionError:
        return  # characters that YAML has no form for
    assert json.dumps(read(text.encode(), "x.yaml").data) == json.dumps(data)


def test_yaml_keeps_comments_and_quotes_where_nothing_changes():
    old = (FIXTURES / "legacy/triples.old.json").read_text(encoding="utf-8")
    yaml = "# by hand\n" + convert_text(old, to="yaml").text.replace(
        "region_meta:", "# the regions\nregion_meta:  # two of them"
    )
    new = convert_text(yaml, path="x.yaml", to="suite").text
    assert new.startswith("# by hand\n")
    assert "# the regions\nregion_meta:  # two of them" in new
    assert "l_operand" not in new
    assert convert_text(new, path="x.yaml").text == new
    expected = data_at("legacy/triples.new.json")
    assert read(new.encode(), "x.yaml").data == expected


# real files


def test_published_tables_come_back_as_they_were(shared):
    paths = sorted((shared / "data/suites/published-csv").glob("*.csv"))
    assert len(paths) == 16
    for path in paths:
        text = path.read_text(encoding="utf-8")
        suite = json.loads(from_table(text).text)
        assert to_table(suite) == text, path.name
        authors = path.parent.parent / "published-json" / f"{path.stem}.json"
        assert suite["items"] == json.loads(authors.read_text(encoding="utf-8"))["items"]


def test_published_sentences_are_the_contents_of_the_regions(shared):
    for path in sorted((shared / "data/suites/published-json").glob("*.json")):
        text = path.read_text(encoding="utf-8")
        data = json.loads(text)
        lines = convert_text(text, to="sentences").text.splitlines()
        for line, contents in zip(lines, texts_in(data), strict=True):
            assert line.split() == " ".join(contents).split(), path.name
            assert all(content in line for content in contents), path.name


def test_the_authors_list_of_sentences(shared):
    folder = shared / "data/suites/legacy-triples"
    text = (folder / "test_in.json").read_text(encoding="utf-8")
    mine = convert_text(text, to="sentences", supplied=Supplied(metric="sum")).text
    assert mine == (folder / "test_sentences.txt").read_text(encoding="utf-8")


WIDE = "item,condition,np,verb,end\n1,gap,The cat,,today\n1,nogap,The cat,sleeps,today\n"


@pytest.mark.conforms("L-56")
def test_a_wide_table_has_a_column_for_each_region():
    suite = from_table(WIDE, ["(3;%gap%) > (3;%nogap%)"], name="w", metric="sum").data
    assert suite["region_meta"] == {"1": "np", "2": "verb", "3": "end"}
    assert texts_in({"items": suite["items"][:1]}) == [
        ["The cat", "", "today"],
        ["The cat", "sleeps", "today"],
    ]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (WIDE + "1,gap,A,b,c\n", "line 4: item 1 has the condition gap twice"),
        (WIDE + "x,gap,A,b,c\n", 'line 4: item is not a whole number: "x"'),
        (WIDE + "2,gap,A,b\n", "line 4 has 4 cells, the header 5"),
        (WIDE.replace("verb", "np"), 'two columns are called "np"'),
    ],
)
def test_a_bad_wide_table_is_refused_with_its_line(table, reason):
    with pytest.raises(ConversionError, match=reason):
        from_table(table, ["(3;%gap%) > (3;%nogap%)"], name="w", metric="sum")


def test_each_table_of_a_folder_has_its_own_predictions(tmp_path, run):
    for folder in ("tables", "formulas"):
        (tmp_path / folder).mkdir()
    for name, sign in (("one", ">"), ("two", "<")):
        (tmp_path / "tables" / f"{name}.csv").write_text(WIDE, encoding="utf-8")
        formula = f"(3;%gap%) {sign} (3;%nogap%)\n"
        (tmp_path / "formulas" / f"{name}.txt").write_text(formula, encoding="utf-8")
    (tmp_path / "formulas" / "README.txt").write_text("Predictions.\n", encoding="utf-8")
    (tmp_path / "tables" / "three.csv").write_text(WIDE, encoding="utf-8")
    (tmp_path / "formulas" / "three.txt").write_bytes(b"(3;%gap%) > 0 \xff\n")
    (tmp_path / "formulas" / "cut.json").write_text('{"region_meta": {}, "items": [', "utf-8")
    done = run(
        "evalmark", "convert", tmp_path / "tables", "--predictions", tmp_path / "formulas",
        "-o", tmp_path / "suites", code=1,
    )  # fmt: skip
    assert "three.csv: refused: a table has no predictions" in done.err
    assert "three.txt: refused: not UTF-8 text" in done.err
    assert "cut.json: refused: F001 file ends before" in done.err
    formulas = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))["predictions"][0]["formula"]
        for path in (tmp_path / "suites").iterdir()
    }
    assert formulas == {"one": "(3;%gap%) > (3;%nogap%)", "two": "(3;%gap%) < (3;%nogap%)"}


def test_real_wide_tables_become_suites(shared):
    for path in sorted((shared / "data/pairs/wide-csv").glob("*.csv")):
        done = convert_text(
            path.read_text(encoding="utf-8"),
            path=str(path),
            supplied=Supplied(predictions=("(5;%what_gap%) > (5;%that_gap%)",), name=path.stem),
        )
        lines = path.read_text(encoding="utf-8").splitlines()[1:]
        conditions = [c for item in done.data["items"] for c in item["conditions"]]
        assert len(conditions) == len(lines)
        contents = [[r["content"] for r in c["regions"]] for c in conditions]
        assert contents == [line.split(",")[2:] for line in lines]


@pytest.mark.parametrize(
    ("header", "is_refused"),
    [
        ("item,condition,np", True), ("sen,wrong_sen", False),
        ("item_number,condition_name", True), ("items,price", False), ("condition,item,np", True),
    ],
)  # fmt: skip
def test_a_broken_table_of_a_folder_is_refused_only_if_it_is_one_of_ours(
    header, is_refused, tmp_path
):
    file_at(tmp_path / "in" / "x.csv", f'{header}\n1,"a\n')
    outcomes = list(convert_files([tmp_path / "in"], to="suite", output=tmp_path / "out"))
    assert [outcome.refused is not None for outcome in outcomes] == [True] * is_refused


def test_keys_that_no_table_holds_are_named():
    suite = data_at("good/suite.json")
    item = suite["items"][0]
    item["source"] = suite["license"] = "x"
    item["conditions"][0]["regions"][0]["gloss"] = suite["predictions"][0]["why"] = "y"
    for to, left_out in (
        ("table", "license, source, gloss"),
        ("sentences", "license, source, gloss"),
        ("rows", "license, why, source, gloss"),
    ):
        assert convert_data(suite, to=to).notes[-1] == f"left out: {left_out}"
