"""Rules that the settings of a repository add: counts, fields, collections."""

import json
import shutil
from pathlib import Path

import pytest
from applying import applied
from conftest import FIXTURES, ROOT, edited, file_at
from evalmark.validator.checker import check_files
from evalmark.validator.formats.builtin import FORMATS
from evalmark.validator.formats.explaining.explain import explain
from evalmark.validator.settings.config import load_config
from pointers import objects

TREE = FIXTURES / "trees/repository"


@pytest.fixture
def repository(here):
    """The fixture, in a folder where it can be changed; its output is tested beside it."""
    shutil.copytree(TREE, here, dirs_exist_ok=True)
    return here


def settings(text):
    Path("evalmark.toml").write_text(text)


def codes(done):
    return [line.partition("[")[2][: line.partition("[")[2].index("]")] for line in lines(done)]


def lines(done):
    return done.out.splitlines()


ALL = ["MP501", "MP501", "EE504", "EE503", "EE503", "EE501", "EE502", "SG501"]


def test_every_way_to_check_applies_them(run, repository, monkeypatch):
    assert codes(run("evalmark", "check", ".")) == ALL
    assert [f.code for f in check_files(["."], config=load_config(), jobs=2).findings] == ALL
    assert codes(run("evalmark-hook", "suites/short.json")) == ["SG501"]
    assert codes(run("evalmark", "check", "--schema-only", ".")) == []
    assert codes(run("evalmark", "check", "--ignore", "expected-items", "suites")) == []
    stdin = (repository / "suites/short.json").read_bytes()
    done = run("evalmark", "check", "-", "--stdin-filename", "suites/new.json", stdin=stdin)
    assert codes(done) == ["SG501"]


def test_globs_are_relative_to_the_settings(run, repository, monkeypatch):
    monkeypatch.chdir(repository / "suites")
    assert codes(run("evalmark", "check", "short.json")) == ["SG501"]
    assert codes(run("evalmark", "check", str(repository / "suites/short.json"))) == ["SG501"]


def test_workers_apply_them(repository, monkeypatch):
    monkeypatch.setattr("evalmark.validator.batch.check_files.ENOUGH", 0)
    assert [f.code for f in check_files(["."], config=load_config(), jobs=2).findings] == ALL


@pytest.mark.parametrize(
    ("glob", "names"),
    [
        ("suites/*", True), ("./suites/*", True), ("suites", True), ("suites/", True),
        ("s*/short.json", True), ("suites/short.json", True), ("*", True), ("*.json", True),
        (".", True), ("suite", False), ("short.json", False), ("records/*", False),
    ],
)  # fmt: skip
def test_what_a_glob_of_files_names(run, repository, glob, names):
    settings(f"[[expected-counts]]\nfiles = '{glob}'\nitems = 2\n")
    assert codes(run("evalmark-hook", "suites/short.json")) == ["SG501"] * names


def test_rows_are_counted_with_a_record_and_without(run, repository):
    rows = "records/rows_samples.jsonl"
    (found,) = lines(run("evalmark", "check", "records/rows.json"))
    assert found.startswith(f"{rows}:1:1: error[EE502] 4 rows, but this repository expects at ")
    settings("[[expected-counts]]\nfiles = 'records/*.jsonl'\nrows = 1319\n")
    (found,) = lines(run("evalmark", "check", rows))
    assert found.startswith(f"{rows}:1:1: error[EE502] 4 rows, but this repository expects 1319")


def test_a_collection_is_that_of_the_id_and_of_the_folder(run, repository):
    good = json.loads(Path("records/good.json").read_text())
    for folder, name, found in (
        ("gsm8k", "gsm8k", []),
        ("gsm8l", "gsm8l", ['"gsm8l" is not a collection']),
        ("gsm8l", "gsm8k", ['the folder "gsm8l" is not a collection']),
        ("gsm8k", "other", ['"other" is not a collection']),
        ("other", "elsewhere", ['the folder "other" is', '"elsewhere" is']),
    ):
        path = file_at(
            Path("data") / folder / "example/model-1/0b6f1f0e-1111-4a6b-8f00-000000000001.json",
            {**good, "evaluation_id": f"{name}/example/model-1/1760000000"},
        )
        settings("collections = ['gsm8k']\n")
        told = [line for line in lines(run("evalmark", "check", str(path))) if "EE504" in line]
        assert len(told) == len(found)
        assert all(text in line for text, line in zip(found, told, strict=True))
        shutil.rmtree("data")


def test_the_suggested_collection_is_one(run, repository):
    path = Path("records/collection.json")
    (found,) = check_files([path], config=load_config()).findings
    (text,) = applied(path.read_text(), found)
    path.write_text(text)
    assert check_files([path], config=load_config()).findings == ()


def test_a_glob_that_can_name_nothing_is_reported(run, repository):
    entry = "[[required-fields]]\nfields = ['/model_info/id']\nfiles = "
    for glob, is_lost in (
        ("recrods/*", True), ("records/*", False), ("records/new-*", False), ("*", False),
        ("data/gsm8k/*", True), ("./records/*", False),
    ):  # fmt: skip
        settings(f"{entry}'{glob}'\n")
        said = (
            f"unused setting: there is nothing at {glob.removeprefix('./')}, which `files` names\n"
        )
        assert (said in run("evalmark", "check", "records").err) is is_lost
        assert said not in run("evalmark-hook", "records/good.json").err


def test_null_is_no_value_and_an_absent_list_is_missing_once(run, repository):
    with edited(Path("records/good.json")) as record:
        record["model_info"]["additional_details"]["deployment_type"] = None
    settings("[[required-fields]]\nfields = ['/model_info/additional_details/deployment_type']\n")
    assert "EE503" in run("evalmark", "check", "records/good.json").out
    settings("[[required-fields]]\nfields = ['/a~1b/*/c']\n")
    (found,) = lines(run("evalmark", "check", "records/rows.json"))
    assert "error[EE503] `a/b.*.c` is missing" in found


def test_an_element_behind_the_last_one_of_a_list_is_missing(run, repository):
    results = len(json.loads(Path("records/good.json").read_text())["evaluation_results"])
    for index, is_missing in ((results - 1, False), (results, True)):
        settings(f"[[required-fields]]\nfields = ['/evaluation_results/{index}/metric_config']\n")
        assert ("EE503" in run("evalmark", "check", "records/good.json").out) is is_missing


def test_one_mistake_is_one_finding(run, repository):
    """What the format requires anyway is not reported twice."""
    settings("[[required-fields]]\nfields = ['/model_info/id']\n")
    with edited(Path("records/good.json")) as record:
        del record["model_info"]["id"]
    assert codes(run("evalmark", "check", "records/good.json")) == ["EE101"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("collections = 'x'", "`collections` must be a list of strings"),
        ("expected-counts = 1", "`expected-counts` must be a list of tables"),
        ("[[expected-counts]]\nfiles = '*'", "needs items, predictions, results, rows or pairs"),
        ("[[expected-counts]]\nitem = 1", "unknown setting `expected-counts.item`"),
        ("[[expected-counts]]\nitems = true", "`items` of `expected-counts` must be a whole"),
        ("[[expected-counts]]\nitems = -1", "must be a whole number"),
        ("[[expected-counts]]\nitems = {}", "{ least = N, most = N }"),
        ("[[expected-counts]]\nitems = {least = 3, most = 2}", "{ least = N, most = N }"),
        ("[[expected-counts]]\nrows = 1\nsuites = 'x'", "`rows` of `expected-counts` is not c"),
        ("[[expected-counts]]\nitems = 1\nfiles = ''", "needs `files`, a glob"),
        ("[[required-fields]]\nfiles = '*'", "needs `fields`, a list of pointers"),
        ("[[required-fields]]\nfields = ['a']", "'a' does not begin with /"),
    ],
)
def test_bad_settings_are_said(refused, here, text, message):
    settings(text + "\n")
    for program in (("evalmark", "check"), ("evalmark-hook",)):
        said = refused(*program, FIXTURES / "good/suite.json")
        assert message in said
        assert "evalmark.toml: " in said


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"maxLength": 2}, "`x` has more than 2 characters"),
        ({"minLength": 4}, "`x` needs at least 4 characters"),
        ({"pattern": "^b"}, '`x` must be text that matches ^b; got "abc"'),
        ({"type": "integer"}, "`x` must be a whole number, got a string"),
        ({"enum": ["abd", "other"]}, '`x` cannot be "abc"; expected one of "abd", "other"'),
    ],
)
def test_the_keywords_of_draft_07_have_words(schema, message):
    assert message_of("abc", schema) == message


@pytest.mark.parametrize(
    ("value", "schema", "message"),
    [
        ([1, 1], {"uniqueItems": True}, "`x` has duplicate elements"),
        (3, {"multipleOf": 2}, "`x` must be a multiple of 2, got 3"),
        (3, {"exclusiveMaximum": 3}, "`x` must be less than 3, got 3"),
        ({}, {"minProperties": 2}, "`x` needs at least 2 keys"),
        ({"a": 1}, {"maxProperties": 0}, "`x` must be empty"),
        ({"a": 1}, {"additionalProperties": False}, "unknown key `a`"),
        ({"a": 1}, {"dependencies": {"a": ["b"]}}, "`x` violates `dependencies` of the schema"),
    ],
)
def test_keywords_of_other_values_too(value, schema, message):
    assert message_of(value, schema) == message


def message_of(value, schema):
    (found,) = explain({"x": value}, {"properties": {"x": schema}})
    return found.hit.message


def test_every_pattern_of_a_schema_has_words():
    files = [path for path in (ROOT / "schemas").rglob("*.json") if "compiled" not in path.parts]
    nodes = (node for path in files for node in objects(json.loads(path.read_bytes())).values())
    found = {node["pattern"] for node in nodes if isinstance(node.get("pattern"), str)}
    words = {pattern for form in FORMATS for pattern in form.advice().forms}
    assert found == words | {r"\S"}  # which all formats can have
