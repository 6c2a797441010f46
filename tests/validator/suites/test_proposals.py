"""What schema mistakes suggest: the key, the value and the branch that were meant."""

import json
import re

import pytest
from conftest import FIXTURES, data_at, record_at, rows_at
from evalmark.schemas.files import FILES, bundle
from evalmark.validator.check import check_data, check_text
from evalmark.validator.formats.explaining.explain import explain
from one_mistake import good_files
from pointers import put

SUITE = data_at("good/suite.json")
VALUES = (
    *(None, True, 1, 1.5, "x", "levels", "inf", [], {}),
    *([None], ["x"], [1], [[None]], [{}], [["x", None]], {"a": 1}, {"a": None}),
)


def row(version="0.3.0"):
    return rows_at(version)[0]


def renamed(data, old, new):
    return {new if key == old else key: value for key, value in data.items()}


def only(data, **how):
    (finding,) = check_data(data, **how).findings
    return finding


METRIC = "/evaluation_results/0/metric_config"
SOURCE = "/evaluation_results/0/source_data"


# keys


@pytest.mark.parametrize(
    ("data", "old", "new", "code"),
    [
        (SUITE, "predictions", "prediction", "SG101"),
        (SUITE, "meta", "metas", "SG101"),
        (record_at(), "evaluation_id", "evaluationid", "EE114"),
        (record_at(), "retrieved_timestamp", "retrieval_timestamp", "EE114"),
        (record_at("0.3.0"), "eval_library", "evaluation_library", "EE114"),
    ],
)
def test_a_misspelt_key_is_one_finding(data, old, new, code):
    finding = only(renamed(data, old, new))
    assert (finding.code, finding.pointer) == (code, f"/{new}")
    assert finding.helps == (f"rename `{new}` to `{old}`",)
    assert f"`{old}` is missing" in finding.message


def test_two_misspelt_keys_are_two_findings():
    data = put(
        record_at(),
        "/source_metadata",
        renamed(record_at()["source_metadata"], "source_type", "type"),
    )
    data = renamed(data, "evaluation_id", "eval_id")
    helps = {help_text for finding in check_data(data).findings for help_text in finding.helps}
    assert "rename `eval_id` to `evaluation_id`" in helps


@pytest.mark.parametrize(
    ("data", "pointer", "kind"),
    [
        (record_at(), "/evaluation_id", None),
        (record_at(), "/source_metadata/source_type", None),
        (row(), "/sample_id", "sample"),
        (row("0.2.0"), "/sample_id", "sample"),
    ],
)
def test_a_key_that_is_there_is_never_proposed(data, pointer, kind):
    """A key of the format means what it says, even if a missing one is similar."""
    finding = only(put(data, pointer, ...), kind=kind)
    assert "is missing" in finding.message
    assert not any("rename" in help_text for help_text in finding.helps)


def test_a_similar_key_that_is_there_already_hides_less_similar_ones():
    (finding,) = check_data({**record_at(), "evaluation_result": []}).findings
    assert finding.helps == ()


def test_a_misspelt_tag_is_renamed():
    source = renamed(
        record_at()["evaluation_results"][0]["source_data"], "source_type", "sourcetype"
    )
    finding = only(put(record_at(), SOURCE, source))
    assert finding.helps == ("rename `sourcetype` to `source_type`",)


def test_a_missing_tag_is_the_one_that_the_other_keys_belong_to():
    finding = only(put(record_at(), SOURCE, {"dataset_name": "d", "hf_repo": "a/d"}))
    assert finding.helps == ('add "source_type": "hf_dataset" (or "other")',)


def test_the_key_that_a_condition_looks_at_is_found_where_it_is():
    log = FIXTURES / "good/ltm/results/Example agent/master_log.jsonl"
    event = next(
        json.loads(line) for line in log.read_text("utf-8").splitlines() if "message" in line
    )
    finding = only(put(event, "/data/message", ...), kind="ltm-log")
    assert finding.message.startswith(f"`type` is {event['type']}, but `message` is missing")


# the type of a score, and its bounds


@pytest.mark.parametrize(
    ("metric", "score", "written"),
    [
        ({"min_score": 0, "max_score": 1}, 0.5, '"score_type": "continuous"'),
        ({"min_score": 0}, 87.5, '"score_type": "continuous", "max_score": 100'),
        ({"level_names": ["a", "b"], "has_unknown_level": False}, 1, '"score_type": "levels"'),
        ({"level_names": ["a"]}, 0, '"score_type": "levels", "has_unknown_level": false'),
        ({}, 1, '"score_type": "binary", if each answer is either right or wrong'),
        # Between right and wrong there is nothing for an answer that is either.
        ({}, 0.5, '"score_type": "continuous", "min_score": 0, "max_score": 1'),
        ({}, 45.2, '"score_type": "continuous", "min_score": 0, "max_score": 100'),
    ],
)
def test_a_missing_type_of_score_is_what_the_other_keys_say(metric, score, written):
    data = put(record_at(), METRIC, {"lower_is_better": False, **metric})
    data = put(data, "/evaluation_results/0/score_details", {"score": score})
    if "level_names" in metric and "has_unknown_level" in metric:
        assert check_data(data).findings == ()  # this is how the format reads it
        return
    assert only(data).helps == (f"add {written}",)


def test_missing_bounds_include_the_score():
    data = put(
        put(record_at(), METRIC, {"lower_is_better": False, "score_type": "continuous"}),
        "/evaluation_results/0/score_details",
        {"score": 87.5},
    )
    (help_text,) = only(data).helps
    assert help_text.startswith('add "min_score": 0, "max_score": 100, if those are')


@pytest.mark.parametrize(
    ("version", "bound", "text", "help_text"),
    [
        ("0.3.0", "max_score", "inf", 'write "Infinity"'),
        ("0.3.0", "min_score", "inf", 'write "-Infinity"'),
        ("0.3.0", "max_score", "-inf", 'write "-Infinity"'),
        ("0.2.0", "max_score", "inf", "write 1, if that is the highest possible score"),
        ("0.2.0", "max_score", "0,9", "write 0.9"),
    ],
)
def test_a_bound_as_text(version, bound, text, help_text):
    data = put(record_at(version), f"{METRIC}/score_type", "continuous")
    data = put(put(data, f"{METRIC}/min_score", 0), f"{METRIC}/max_score", 1)
    (finding,) = check_data(put(data, f"{METRIC}/{bound}", text)).findings
    assert "number" in finding.message
    assert ('"Infinity"' in finding.message) == (version == "0.3.0")
    assert finding.helps == (help_text,)


# values


@pytest.mark.parametrize(
    ("pointer", "value", "helps"),
    [
        ("/evaluation_id", 7, ('write "7"',)),
        (
            "/retrieved_timestamp",
            7,
            ('write the seconds since 1970 in quotes, as in "1760000000"',),
        ),
        ("/retrieved_timestamp", 1760000000, ('write "1760000000"',)),
        ("/model_info/developer", None, ("remove `developer`",)),
        ("/model_info/id", None, ()),
        (
            "/model_info",
            [record_at()["model_info"]],
            (f"write {json.dumps(record_at()['model_info'])}",),
        ),
        (
            SOURCE,
            [record_at()["evaluation_results"][0]["source_data"]],
            ("remove the `[` and `]` around it",),
        ),
        (
            "/evaluation_results",
            record_at()["evaluation_results"][0],
            ("put `[` and `]` around it",),
        ),
        (f"{METRIC}/score_type", 5, ('write one of "binary", "continuous"',)),
        (f"{METRIC}/lower_is_better", "no", ("write false",)),
        (f"{METRIC}/lower_is_better", 0, ("write false",)),
        ("/source_metadata/source_type", ["evaluation_run"], ('write "evaluation_run"',)),
        (f"{SOURCE}/url", "https://lab.example", ('write ["https://lab.example"]',)),
        ("/evaluation_results/0/score_details/score", "0,75", ("write 0.75",)),
        ("/evaluation_results/0/score_details/score", {"score": 0.75}, ("write 0.75",)),
        ("/evaluation_results/0/score_details/score", "NaN", ()),
        ("/schema_version", 0.2, ('write "schema_version": "0.2.0"',)),
    ],
)
def test_what_to_write_instead(pointer, value, helps):
    assert only(put(record_at(), pointer, value)).helps == helps


def test_a_level_of_confidence_in_percent():
    uncertainty = {"confidence_interval": {"lower": 0.7, "upper": 0.8, "confidence_level": 95}}
    finding = only(put(record_at(), "/evaluation_results/0/score_details/uncertainty", uncertainty))
    assert finding.helps == ("if it is a percentage, write 0.95",)


def test_a_null_that_a_condition_demands_is_not_removed():
    data = put(put(record_at(), f"{METRIC}/score_type", "continuous"), f"{METRIC}/min_score", 0)
    finding = only(put(data, f"{METRIC}/max_score", None))
    assert finding.helps == ("write 1, if that is the highest possible score",)
    assert finding.fix is None


# alternatives


@pytest.mark.parametrize(
    ("value", "pointer", "message"),
    [
        (["https://lab.example", None], "/source_data/1", "`source_data[1]` must be a string"),
        ({"dataset_name": None}, "/source_data/dataset_name", "`dataset_name` must be a string"),
        (None, "/source_data", "`source_data` must be an array or an object, got null"),
        ({"hf_repo": "a/b"}, "/source_data", "`dataset_name` is missing"),
    ],
)
def test_a_mistake_in_a_branch_is_explained_where_it_is(value, pointer, message):
    finding = only(put(record_at("0.1.0"), "/source_data", value))
    assert finding.pointer == pointer
    assert finding.message.startswith(message)


def parts(schema):
    """All schemas inside a schema."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key in ("properties", "definitions"):
        for child in schema.get(key, {}).values():
            yield from parts(child)
    for key in ("oneOf", "anyOf", "allOf"):
        for child in schema.get(key, ()):
            yield from parts(child)
    for key in ("items", "additionalProperties", "contains", "if", "then", "else"):
        yield from parts(schema.get(key))


KINDS = {
    "null": "null", "true": "boolean", "an object": "object", "an array": "array",
    "a string": "string", "a number": "number",
}  # fmt: skip
EXPECTED = {**KINDS, "true or false": "boolean"}


@pytest.mark.parametrize("name", sorted(FILES))
def test_no_message_expects_what_was_given(name):
    """Of any value that any part of any schema rejects."""
    whole = bundle(name)
    definitions = {"definitions": whole.get("definitions", {})}
    seen = 0
    for part in parts(whole):
        for value in VALUES:
            for one in explain(value, {**part, **definitions}):
                found = re.search(r" must be (.*), got (.*)$", one.mistake.message)
                if found:
                    seen += 1
                    given = KINDS.get(found.group(2), "number")
                    words = re.split(r", | or (?!false)", found.group(1))
                    assert given not in {EXPECTED.get(word) for word in words}, one.mistake.message
    assert seen


# records whose version had several layouts


def test_an_unfit_old_record_names_its_mistakes(run, tmp_path):
    data = record_at("0.0.1")
    data.update({f"key_{number}": number for number in range(9)})
    path = tmp_path / "record.json"
    path.write_text(json.dumps(data))
    short = run("evalmark", "check", "--format", "full", path)
    assert "unknown key `key_0`, at /key_0, and 8 more" in short.out
    assert "`key_8`" not in short.out
    assert "5 more notes; `-v` shows them" in short.out
    everything = run("evalmark", "check", "--format", "full", "-v", path)
    assert all(f"`key_{number}`" in everything.out for number in range(9))


def test_one_mistake_in_an_old_record_is_that_mistake():
    finding = only(put(record_at("0.0.1"), "/evaluation_id", 7))
    assert (finding.code, finding.pointer) == ("EE103", "/evaluation_id")
    assert finding.helps[0] == 'write "7"'


# rules of records


def test_minus_one_often_means_that_there_is_no_score():
    data = put(record_at(), "/evaluation_results/0/score_details/score", -1)
    data = put(put(data, f"{METRIC}/min_score", 0), f"{METRIC}/max_score", 1)
    finding = only(put(data, f"{METRIC}/score_type", "continuous"))
    assert finding.code == "EE201"
    assert any("missing value" in note for note in finding.notes)


def test_a_long_evaluation_id_is_suggested_whole():
    name = "a name of an evaluation that is much longer than most names of evaluations are"
    finding = only({**record_at(), "evaluation_id": f"{name}/example/model-1/1750000000"})
    assert finding.helps == (f'write "{name}/example/model-1/1760000000"',)


def test_suggestions_are_never_cut():
    long = "x" * 300
    for path in good_files():
        if path.suffix == ".json":
            text = path.read_text("utf-8")
            for finding in check_text(text.replace('": "', f'": "{long}'), path=path.name).findings:
                assert not any("…" in help_text for help_text in finding.helps), finding
