"""Common slips in whole files: the finding is one, and its suggestion mends the file."""

import bz2
import gzip
import json
import lzma

import pytest
from applying import applied
from conftest import FIXTURES, data_at
from evalmark.validator.check import check_bytes, check_file, check_text
from evalmark.validator.findings.finding import apply_fixes
from evalmark.validator.reading.reading import read
from found import places_of
from hypothesis import given
from strategies import JSON, examples

SUITE = data_at("good/suite.json")
ROWS = (FIXTURES / "good/with_samples_samples.jsonl").read_text("utf-8").splitlines()

#: Text that is nearly JSON -> the JSON, and the beginning of the message.
NEARLY_JSON = {
    '{"a": 1,}': ('{"a": 1}', "trailing comma"),
    '{"a": [1, 2,],}': ('{"a": [1, 2]}', "trailing comma"),
    "{'a': 'it\\'s', 'b': \"x\"}": ('{"a": "it\'s", "b": "x"}', "strings need double"),
    "{'say': '\"hi\"'}": ('{"say": "\\"hi\\""}', "strings need double"),
    "{“a”: „b“}": ('{"a": "b"}', 'strings need double quotes (`"`), not `“`'),
    '{"a": None, "b": True}': ('{"a": null, "b": true}', "`None` is not JSON"),
    "{a: 1}": ('{"a": 1}', "expected a key"),
    '{"a": 1 // x\n}': ('{"a": 1 \n}', "JSON has no comments"),
    '{"a": 1, /* x,\n y */ "b": 2}': ('{"a": 1,  "b": 2}', "JSON has no comments"),
    '{"a": 1\n "b": 2}': ('{"a": 1,\n "b": 2}', "missing comma"),
    '{"a": ["x" "y"]}': ('{"a": ["x", "y"]}', "missing comma"),
}


@pytest.mark.parametrize("text", NEARLY_JSON)
def test_nearly_json_has_a_fix_for_all_of_it(text):
    (finding,) = check_text(text).findings
    wanted, message = NEARLY_JSON[text]
    assert finding.message.startswith(message)
    assert finding.helps
    assert "--fix" not in finding.helps[0], "terminals and pages say it in their own words"
    assert apply_fixes(text, [finding], unsafe=True).text == wanted
    loses = "//" in text or "/*" in text
    assert (apply_fixes(text, [finding]).text == text) is loses, "comments are lost if asked for"


@pytest.mark.parametrize(
    "text", ['{"a": "x}', '{"a": 1', '{"a": tru}', "hello", '{"a": 1}}', "{}{"]
)
def test_what_cannot_be_repaired_has_no_fix(text):
    assert check_text(text).findings[0].fix is None


@examples(100)
@given(JSON)
def test_python_text_becomes_the_same_json(data):
    text = repr(data)
    findings = check_text(text).findings
    fixes = [finding for finding in findings if finding.code == "F001" and finding.fix]
    if fixes:
        assert json.loads(apply_fixes(text, fixes).text) == data


YAML_START = "script:\n  - Hello.\n"
#: A slip in YAML -> the data that is meant.
NEARLY_YAML = {
    "is_question:\n  - content: The man: he left\n": {"content": "The man: he left"},
    "is_question:\n  - Note: he left: now # why\n": "Note: he left: now",
    "is_question: [{content: The man: he left}]\n": {"content": "The man: he left"},
    "is_question:\n  - @home\n": "@home",
    "is_question:\n  - %a%\n": "%a%",
    "is_question:\n  - 'it's'\n": "it's",
    'is_question:\n  - "a "b" c"\n': 'a "b" c',
    'is_question:\n  - "a\\qb"\n': "a\\qb",
    "is_question:\n  - content: > (2;%a%)\n": {"content": "> (2;%a%)"},
    'is_question:\n  - "never closed\n': "never closed",
}


@pytest.mark.parametrize("text", NEARLY_YAML)
def test_text_that_needs_quotes_is_written_with_them(text):
    (finding,) = check_text(YAML_START + text, path="x.yaml").findings
    assert finding.code == "F014"
    assert "mapping values" not in finding.message
    (new,) = applied(YAML_START + text, finding)
    reading = read(new.encode(), "x.yaml")
    assert not reading.findings
    assert reading.data["is_question"] == [NEARLY_YAML[text]]


def changed(change):
    suite = json.loads(json.dumps(SUITE))
    change(suite)
    return json.dumps(suite, indent=2, ensure_ascii=False)


FIRST = SUITE["predictions"][0]["formula"]
OTHER = "(3;%mismatch%) > (3;%match%)"
TRIPLE = {
    "region_number": 3,
    "l_operand": "mismatch",
    "relation": "greaterthan",
    "r_operand": "match",
}
SHAPES = {
    "meta in a list": lambda s: s.update(meta=[s["meta"]]),
    "names in a list": lambda s: s.update(region_meta=list(s["region_meta"].values())),
    "one prediction": lambda s: s.update(predictions=s["predictions"][0]),
    "one bare formula": lambda s: s.update(predictions=FIRST),
    "bare formulas": lambda s: s.update(predictions=[FIRST]),
    "a bare formula among others": lambda s: s["predictions"].append(f"{FIRST} & {OTHER}"),
    "a triple beside formulas": lambda s: s["predictions"].append(TRIPLE | {"note": "kept"}),
    "a triple that says that it is a formula": lambda s: s["predictions"].insert(
        0, {"type": "formula", **TRIPLE}
    ),
    "a formula in a list": lambda s: s["predictions"][0].update(formula=[FIRST]),
    "a metric in a list": lambda s: s["meta"].update(metric=["sum"], name=["x"]),
    "no content": lambda s: s["items"][0]["conditions"][0]["regions"][0].update(content=None),
    "regions by number": lambda s: s["items"][0]["conditions"][0].update(
        regions={
            str(r["region_number"]): r["content"] for r in s["items"][0]["conditions"][0]["regions"]
        }
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_another_shape_is_written_in_that_of_the_format(shape):
    text = changed(SHAPES[shape])
    findings = check_text(text).findings
    assert findings
    for finding in findings:
        for new in applied(text, finding):
            left = places_of(new)
            assert (finding.code, finding.pointer) not in left
            assert len(left) < len(findings)


@pytest.mark.parametrize(
    "wrong",
    [
        {"region_number": True}, {"region_number": -3}, {"region_number": 9}, {"relation": "more"},
        {"relation": []}, {"region_number": "x"}, {"l_operand": {}},
        {"r_operand": "a match"}, {"l_operand": "nobody"}, {"l_operand": None},
    ],
)  # fmt: skip
def test_a_triple_without_a_meaning_is_written_in_no_other_form(wrong):
    text = changed(lambda s: s["predictions"].append(TRIPLE | wrong))
    (finding,) = check_text(text).findings
    assert finding.message.startswith("prediction is a legacy triple")
    assert not finding.helps


def test_a_triple_in_place_of_a_list_is_not_written_as_one_formula():
    (finding,) = check_text(changed(lambda s: s.update(predictions=TRIPLE))).findings
    assert (finding.pointer, finding.helps) == ("/predictions", ())


def test_triples_alone_are_not_said_to_be_beside_formulas():
    text = changed(lambda s: s.update(predictions=[TRIPLE]))
    (finding,) = check_text(text, kind="suite").findings
    assert finding.message == "`type` and `formula` are missing"


def test_bare_formulas_are_one_finding_with_the_call_that_converts_them():
    (finding,) = check_text(changed(lambda s: s.update(predictions=[FIRST] * 3))).findings
    assert finding.helps == (
        "`evalmark convert --in-place FILE` rewrites them in the current dialect",
    )


@pytest.mark.parametrize("meta", [None, [], "A suite"])
def test_bare_formulas_of_a_suite_that_is_damaged_elsewhere_have_no_call(meta):
    found = check_text(changed(lambda s: s.update(predictions=[FIRST], meta=meta))).findings
    (finding,) = (finding for finding in found if "bare formulas" in finding.message)
    assert len(found) > 1
    assert not finding.helps


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.yaml"])
@pytest.mark.parametrize("packed", [gzip.compress, lzma.compress, bz2.compress])
def test_a_compressed_file_is_one_finding(name, packed, tmp_path):
    path = tmp_path / name
    path.write_bytes(packed(json.dumps(SUITE).encode()))
    (finding,) = check_file(path, kind="suite").findings
    assert finding.code == "F004"
    assert finding.message.startswith("file is compressed with")
    assert "decompress it: `" in finding.helps[0]


DATA = [json.loads(row) for row in ROWS]
LINES = {
    "rows over several lines": ("\n".join(json.dumps(r, indent=1) for r in DATA), "jq -c . "),
    "a suite": (json.dumps(SUITE, indent=2), "rename the file to `x.json`"),
    "a broken row over several lines": ('{\n  "a": 1,\n  "b"\n}\n', "jq -c . "),
}


@pytest.mark.parametrize("name", LINES)
def test_values_over_several_lines_are_one_finding(name):
    text, way_out = LINES[name]
    (finding,) = check_bytes(text.encode(), "x.jsonl").findings
    assert finding.code == "F001"
    assert finding.message.startswith("JSON Lines needs one value on each line, but this one is on")
    assert way_out in finding.helps[0]


def test_rows_with_a_mistake_are_rows():
    text = "\n".join([ROWS[0][:-1], *ROWS[1:]])
    findings = check_bytes(text.encode(), "x.jsonl").findings
    assert findings[0].message == "file ends before `{` is closed"


TABLE = "item_number,condition_name,region_number,region_name,content\n1,a,1,S,The man\n"


@pytest.mark.parametrize("command", [("check",), ("score", "--surprisals=recorded")])
@pytest.mark.parametrize(
    ("name", "text", "call"),
    [
        ("x.csv", TABLE, "x.csv --no-predictions -o x.json"),
        ("x.tsv", TABLE.replace(",", "\t"), "x.tsv --no-predictions -o x.json"),
        ("x.json", TABLE, "evalmark convert x.csv --no-predictions -o x.json"),
        ("x.csv", "a,b\n1,2\n", "a suite as a table has the columns"),
        ("x y.csv", "Item,Condition,S\n1,a,I am\n", "x y.csv' --no-predictions -o 'x y.json'"),
        ("x.jsonl", '{"item_number": 1, "conditions": {"a": []}}\n', "evalmark convert FILE"),
    ],
)
def test_tables_and_dataset_rows_name_the_call_that_converts_them(
    run, tmp_path, command, name, text, call
):
    path = tmp_path / name
    path.write_text(text)
    done = run("evalmark", *command, path)
    assert done.code in (1, 2)
    assert call in done.out + done.err


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.csv", "good,bad\n1,2\n", "minimal pairs as a table have columns"),
        ("x.csv", "good;bad\n1;2\n", "separate the cells with commas"),
        ("x.json", "[]", "no content: a suite is an object with `meta` and `items`"),
        ("x.jsonl", "", "no content: a suite is an object with `meta` and `items`"),
        (
            "x.jsonl",
            '{"sentence_good": "a", "sentense_bad": "b"}\n',
            "rename `sentense_bad` to `sentence_bad`",
        ),
        ("x.jsonl", '{"sentence_good": "a", "sentence_bad": ""}\n', "`sentence_bad` has no text"),
    ],
)
def test_files_that_are_almost_minimal_pairs_say_what_to_change(run, tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text)
    assert said in run("evalmark", "check", path, code=1).out


def test_the_call_for_a_table_makes_a_suite_of_it(run, tmp_path):
    table, formulas, suite = tmp_path / "x.csv", tmp_path / "formulas.txt", tmp_path / "x.json"
    assert run("evalmark", "convert", "--to", "table", FIXTURES / "good/suite.json", "-o", table)
    formulas.write_text(f"{FIRST}\n")
    run("evalmark", "convert", table, "--predictions", formulas, "-o", suite, code=0)
    assert check_file(suite).findings == ()
