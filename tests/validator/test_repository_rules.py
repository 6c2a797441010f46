"""Rules that the settings of a repository add: counts, fields, collections, a JSON schema."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from applying import applied
from conftest import FIXTURES, ROOT, needs_links
from evalmark.schemas.errors import ConfigError
from evalmark.schemas.own import DRAFT, own_schema
from evalmark.validator.batch.check_files import check_files
from evalmark.validator.config import load_config
from evalmark.validator.format import Document
from evalmark.validator.formats.builtin import FORMATS
from evalmark.validator.formats.records.records_format import RECORD
from evalmark.validator.formats.suites.suites_format import SUITE as SUITE_FORMAT
from evalmark.validator.own_rules import OwnSchema
from evalmark.validator.reading.reading import Reading
from evalmark.validator.repository.own_findings import hits_elsewhere, own_violations
from hypothesis import HealthCheck, given
from hypothesis import settings as limits
from hypothesis import strategies as st
from jsonschema import Draft7Validator

TREE = FIXTURES / "trees/repository"
SUITE = json.loads((FIXTURES / "good/suite.json").read_text())


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """The fixture, in a folder where it can be changed; its output is tested beside it."""
    shutil.copytree(TREE, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(text, **schemas):
    Path("evalmark.toml").write_text(text)
    for name, schema in schemas.items():
        Path(f"{name}.json").write_text(json.dumps({"$schema": DRAFT, **schema}))


def codes(done):
    return [line.partition("[")[2][: line.partition("[")[2].index("]")] for line in lines(done)]


def lines(done):
    return done.out.splitlines()


ALL = ["MP501", "MP501", "EE504", "EE503", "EE503", "EE501", "EE502", "F021", "F021", "SG501"]


def test_every_way_to_check_applies_them(run, repository, monkeypatch):
    assert codes(run("evalmark", "check", ".")) == ALL
    assert [f.code for f in check_files(["."], config=load_config(), jobs=2).findings] == ALL
    assert codes(run("evalmark-hook", "suites/short.json")) == ["F021", "SG501"]
    assert codes(run("evalmark", "check", "--schema-only", ".")) == ["F021", "F021"]
    ignored = run("evalmark", "check", "--ignore", "repository-schema", "suites")
    assert codes(ignored) == ["SG501"]
    stdin = (repository / "suites/short.json").read_bytes()
    done = run("evalmark", "check", "-", "--stdin-filename", "suites/new.json", stdin=stdin)
    assert codes(done) == ["F021", "SG501"]


def test_globs_are_relative_to_the_settings(run, repository, monkeypatch):
    monkeypatch.chdir(repository / "suites")
    assert codes(run("evalmark", "check", "short.json")) == ["F021", "SG501"]
    assert codes(run("evalmark", "check", str(repository / "suites/short.json"))) == [
        "F021", "SG501",
    ]  # fmt: skip


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
        path = Path("data") / folder / "example/model-1/0b6f1f0e-1111-4a6b-8f00-000000000001.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({**good, "evaluation_id": f"{name}/example/model-1/1760000000"}))
        settings("collections = ['gsm8k']\n")
        done = run("evalmark", "check", str(path))
        told = [line for line in lines(done) if "EE504" in line]
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
    record = json.loads(Path("records/good.json").read_text())
    record["model_info"]["additional_details"]["deployment_type"] = None
    Path("records/good.json").write_text(json.dumps(record))
    settings("[[required-fields]]\nfields = ['/model_info/additional_details/deployment_type']\n")
    assert "EE503" in run("evalmark", "check", "records/good.json").out
    settings("[[required-fields]]\nfields = ['/a~1b/*/c']\n")
    (found,) = lines(run("evalmark", "check", "records/rows.json"))
    assert "error[EE503] `a/b.*.c` is missing" in found


def test_an_element_behind_the_last_one_of_a_list_is_missing(run, repository):
    results = len(json.loads(Path("records/good.json").read_text())["evaluation_results"])
    for index, is_missing in ((results - 1, False), (results, True)):
        settings(f"[[required-fields]]\nfields = ['/evaluation_results/{index}/metric_config']\n")
        done = run("evalmark", "check", "records/good.json")
        assert ("EE503" in done.out) is is_missing


def test_one_mistake_is_one_finding(run, repository):
    """What the format requires anyway is not reported twice."""
    settings(
        "[[required-fields]]\nfields = ['/model_info/id']\n"
        "[[schemas]]\nfiles = '*'\nschema = 'ours.json'\n",
        ours={"properties": {"model_info": {"required": ["id"]}}},
    )
    record = json.loads(Path("records/good.json").read_text())
    del record["model_info"]["id"]
    Path("records/good.json").write_text(json.dumps(record))
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
        ("[[schemas]]\nfiles = '*'", "needs `schema`, the path of a JSON schema"),
        ("[[schemas]]\nschema = 'ours.json'", "needs `files`, a glob"),
        ("[[schemas]]\nfiles = '*'\nschema = 'no.json'", "no.json: cannot be read: no such file"),
        ("[[schemas]]\nfiles = '*'\nschema = '.'", ".: cannot be read: "),
        ("[[schemas]]\nfiles = '*'\nschema = 'a\\u0000b'", "cannot be read: "),
        ("[[schemas]]\nfiles = '*'\nschema = '../x.json'", "not below the folder of these sett"),
        ("[[schemas]]\nfiles = '*'\nschema = '.git/x.json'", "or hidden in it"),
        ("[[schemas]]\nfiles = '*'\nschema = 'https://x.org/y'", "a URL is not opened"),
    ],
)
def test_bad_settings_are_said(run, tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    settings(text + "\n", ours={})
    for program in (("evalmark", "check"), ("evalmark-hook",)):
        done = run(*program, FIXTURES / "good/suite.json")
        assert (done.code, done.out) == (2, "")
        assert message in done.err
        assert "evalmark.toml: " in done.err


def raw(**schema):
    return json.dumps({"$schema": DRAFT, **schema}).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "not JSON: line 1: "),
        (b"\xff", "not JSON: cannot be parsed"),
        (b"[" * 100_000, "not JSON: "),
        (b'{"a": NaN}', "not JSON: "),
        (b"[]", "a schema must be an object"),
        (b"{}", f'`$schema` must be "{DRAFT}"'),
        (b'{"$schema": "https://json-schema.org/draft/2020-12/schema"}', "2020-12/schema\""),
        (b'{"$schema": 7}', ", not 7"),
        (raw(type="text"), '/type cannot be "text" in draft-07'),
        (raw(properties={"a": {"minimum": "1"}}), '/properties/a/minimum cannot be "1"'),
        (raw(pattern="("), '/pattern cannot be "(" in draft-07'),
        (raw(**{"$ref": "https://example.org/x.json"}), "leads to another document"),
        (raw(items={"$ref": "other.json#/definitions/x"}), "leads to another document"),
        (raw(items={"$ref": "#/definitions/x"}), '`$ref` "#/definitions/x" leads nowhere'),
        (raw(items={"$ref": "#anchor"}), "does not lead to a schema"),
        (raw(title="x", items={"$ref": "#/title"}), "does not lead to a schema"),
        (raw(**{"$ref": "#"}), "`$ref`s lead in a circle: `root`"),
        (
            raw(items={"$ref": "#/definitions/a"}, definitions={
                "a": {"allOf": [{"$ref": "#/definitions/b"}]},
                "b": {"not": {"$ref": "#/definitions/a"}},
            }),
            "in a circle: `a`, `b`",
        ),
        (raw(items={"$id": "https://example.org/"}), "below the root is not supported"),
    ],
)  # fmt: skip
def test_a_schema_that_cannot_be_used_is_refused(content, message):
    with pytest.raises(ConfigError) as error:
        own_schema(content)
    assert message in str(error.value)


@needs_links
def test_a_schema_cannot_be_a_link_out_of_the_repository(run, tmp_path, monkeypatch):
    secret = tmp_path / "secret"
    secret.write_text('{"TOKEN": "hunter2"}')
    inside = tmp_path / "repository"
    inside.mkdir()
    monkeypatch.chdir(inside)
    Path("ours.json").symlink_to(secret)
    Path("evalmark.toml").write_text("[[schemas]]\nfiles = '*'\nschema = 'ours.json'\n")
    done = run("evalmark", "check", FIXTURES / "good/suite.json")
    assert done.code == 2
    assert "hunter2" not in done.err


#: Schemas with the keywords of draft-07, references and booleans among them.
PARTS = st.recursive(
    st.sampled_from(
        [True, False, {}, {"type": "string"}, {"type": ["integer", "null"]}, {"const": 1},
         {"enum": [None, "a"]}, {"minimum": 2}, {"maxLength": 1}, {"pattern": "^a"},
         {"$ref": "#/definitions/x"}, {"$ref": "#/definitions/y~1z"}, {"$ref": "#/properties/a"},
         {"multipleOf": 2}, {"uniqueItems": True}, {"format": "uri"}]
    ),
    lambda part: st.one_of(
        st.fixed_dictionaries({"properties": st.dictionaries(st.sampled_from("abc"), part)}),
        st.fixed_dictionaries({"items": part}),
        st.fixed_dictionaries(
            {"items": st.lists(part, min_size=1, max_size=2), "additionalItems": part}
        ),
        st.fixed_dictionaries({"additionalProperties": part}),
        st.fixed_dictionaries({"required": st.lists(st.sampled_from("abc"), unique=True)}),
        *(
            st.fixed_dictionaries({key: st.lists(part, min_size=1, max_size=2)})
            for key in ("allOf", "anyOf", "oneOf")
        ),
        st.fixed_dictionaries({"if": part, "then": part, "else": part}),
        st.fixed_dictionaries({"not": part}),
        st.fixed_dictionaries({"contains": part, "propertyNames": part}),
        st.fixed_dictionaries({"dependencies": st.fixed_dictionaries({"a": part})}),
        st.just({"dependencies": {"b": ["c"]}}),
    ),
    max_leaves=6,
)  # fmt: skip
VALUES = st.recursive(
    st.sampled_from([None, True, 0, 1, 2, 3.5, "", "a", "ab"]),
    lambda value: st.one_of(
        st.lists(value, max_size=3), st.dictionaries(st.sampled_from("abc"), value, max_size=3)
    ),
    max_leaves=5,
)


@limits(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(part=PARTS, value=VALUES)
def test_the_verdict_is_that_of_the_schema_and_each_rejection_has_a_finding(part, value):
    definitions = {"x": {"type": "number"}, "y/z": {"items": {"$ref": "#/definitions/x"}}}
    whole = {
        "$schema": DRAFT, "definitions": definitions,
        "properties": {"a": {"type": "string"}, "b": part}, "items": part,
    }  # fmt: skip
    bundled = own_schema(json.dumps(whole).encode())
    schema, document = OwnSchema("*", "ours.json", json.dumps(bundled)), Document(value, None)
    found = list(own_violations(schema, document, Reading("x")))
    assert bool(found) is not Draft7Validator(whole).is_valid(value)
    assert all(finding.code == "F021" and finding.message for finding in found)


@pytest.mark.parametrize(
    ("form", "helps"),
    [(RECORD, ("write 1, if that is the highest possible score",)), (SUITE_FORMAT, ())],
)
def test_suggestions_of_a_schema_are_those_of_the_format(form, helps):
    part = {"properties": {"max_score": {"type": "number"}}, "required": ["max_score"]}
    schema = OwnSchema("*", "ours.json", json.dumps({"$schema": DRAFT, **part}))
    document = Document({"max_score": None}, form)
    (found,) = own_violations(schema, document, Reading("x"))
    (elsewhere,) = hits_elsewhere(schema.text, document.data, form.advice(), 5)
    assert found.helps == elsewhere.helps == helps


def test_findings_of_a_schema_say_whose_it_is(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings(
        "[[schemas]]\nfiles = '*.json'\nschema = 'ours.json'\n",
        ours={"properties": {"meta": {"required": ["comment"]}, "extra": False}},
    )
    Path("suite.json").write_text(json.dumps(SUITE, indent=1))
    done = run("evalmark", "check", "--format", "full", "suite.json")
    assert done.code == 1
    assert "error[F021]: `comment` is missing\n --> suite.json:2:2\n" in done.out
    assert "= note: required by ours.json, a schema of this repository\n" in done.out


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (False, "`x` is not allowed"),
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
    text = json.dumps(own_schema(raw(properties={"x": schema})))
    document = Document({"x": value}, None)
    (found,) = own_violations(OwnSchema("*", "ours.json", text), document, Reading("a.json"))
    return found.message


def test_data_too_deep_for_a_recursive_schema_is_a_finding():
    deep = None
    for _ in range(190):
        deep = [deep]
    schema = {"anyOf": [{"items": {"allOf": [{"$ref": "#/properties/x"}]}, "type": "array"}]}
    assert "nested too deep" in message_of(deep, schema)


def patterns_in(schema):
    if isinstance(schema, dict):
        if isinstance(pattern := schema.get("pattern"), str):
            yield pattern
        for value in schema.values():
            yield from patterns_in(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from patterns_in(value)


def test_every_pattern_of_a_schema_has_words():
    files = [path for path in (ROOT / "schemas").rglob("*.json") if "compiled" not in path.parts]
    found = {p for path in files for p in patterns_in(json.loads(path.read_text("utf-8")))}
    words = {pattern for form in FORMATS for pattern in form.advice().forms}
    assert found == words | {r"\S"}  # which all formats can have
