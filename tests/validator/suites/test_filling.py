"""Missing keys that the caller knows are filled in, where they are missing and nowhere else."""

import copy
import difflib
import json
from contextlib import suppress

import pytest
from conftest import FIXTURES, data_at
from evalmark.validator.batch.fix_files import filled
from evalmark.validator.check import check_text
from hypothesis import given
from hypothesis import strategies as st
from pointers import places, value_at

RECORD = data_at("bad/EE101_model_details.json")
#: The mistake that most published records have.
DETAILS = "/model_info/additional_details"
KNOWN = {
    f"{DETAILS}/deployment_type": "externally_managed",
    f"{DETAILS}/model_availability": "unknown",
}
RESULTS = "/evaluation_results/*"


def fill(record, known, **how):
    text = record if isinstance(record, str) else json.dumps(record, indent=2) + "\n"
    report = check_text(text, path="record.json", **how)
    assert report.kind == "record"
    return filled(text, report, lambda *_: known)


def test_both_deployment_fields_are_added_and_no_other_character_changes():
    text = (FIXTURES / "bad/EE101_model_details.json").read_text()
    new, done = fill(text, KNOWN)
    assert done == (
        f'{DETAILS}/deployment_type = "externally_managed"',
        f'{DETAILS}/model_availability = "unknown"',
    )
    assert check_text(new, path="record.json").findings == ()
    changes = [
        line for line in difflib.ndiff(text.splitlines(), new.splitlines()) if line[0] in "+-"
    ]
    assert changes == [
        '-     "id": "example/model-1"',
        '+     "id": "example/model-1",',
        '+     "additional_details": {',
        '+       "deployment_type": "externally_managed",',
        '+       "model_availability": "unknown"',
        "+     }",
    ]


def test_a_key_that_is_there_is_never_changed():
    record = copy.deepcopy(RECORD)
    record["model_info"]["additional_details"] = {"deployment_type": "self_deployed"}
    new, done = fill(record, KNOWN)
    assert json.loads(new)["model_info"]["additional_details"] == {
        "deployment_type": "self_deployed",
        "model_availability": "unknown",
    }
    assert len(done) == 1


def test_a_key_that_the_version_does_not_require_is_not_added():
    record = copy.deepcopy(RECORD) | {"schema_version": "0.2.2"}
    record["model_info"].pop("additional_details", None)
    assert fill(record, KNOWN | {"/model_info/developer": "x"})[1] == ()


def test_a_pattern_stands_for_each_index_and_a_sibling_for_its_value():
    record = copy.deepcopy(RECORD)
    record["model_info"]["additional_details"] = {
        "deployment_type": "unknown",
        "model_availability": "unknown",
    }
    (result,) = record["evaluation_results"]
    record["evaluation_results"] = [copy.deepcopy(result) for _ in range(3)]
    for number, result in enumerate(record["evaluation_results"]):
        result["evaluation_name"] = f"task {number}"
        if number != 1:
            del result["source_data"]["dataset_name"]
    kept = record["evaluation_results"][1]["source_data"]["dataset_name"]
    new, done = fill(record, {f"{RESULTS}/source_data/dataset_name": "@evaluation_name"})
    names = [r["source_data"]["dataset_name"] for r in json.loads(new)["evaluation_results"]]
    assert names == ["task 0", kept, "task 2"]
    assert done == (
        f'{RESULTS}/source_data/dataset_name = "task 0"',
        f'{RESULTS}/source_data/dataset_name = "task 2"',
    )


@pytest.mark.parametrize("value", [None, float("inf"), float("nan"), "@nothing"])
def test_what_is_no_value_is_not_written(value):
    assert fill(RECORD, {f"{DETAILS}/deployment_type": value})[1] == ()


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"a": 1, "a": 2}'])
def test_what_is_no_record_stays(text):
    report = check_text(text, path="record.json")
    assert filled(text, report, lambda *_: KNOWN) == (text, ())


WHOLE = json.loads(fill(RECORD, KNOWN)[0])


@given(st.lists(st.sampled_from([pointer for _, _, pointer in places(WHOLE)]), max_size=4))
def test_whatever_is_missing_only_required_keys_come_back(taken):
    record = copy.deepcopy(WHOLE)
    known = {}
    for pointer in taken:
        above, _, key = pointer.rpartition("/")
        with suppress(KeyError):  # it is taken with what is around it
            holder = value_at(record, above)
            if isinstance(holder, dict):
                known[pointer] = holder.pop(key)
    text = json.dumps(record, indent=1)
    report = check_text(text, path="record.json")
    new, done = filled(text, report, lambda *_: known)
    after = check_text(new, path="record.json")
    assert len(done) <= len(known)
    # A version that was missing lets the rules of that version speak.
    assert len(after.findings) <= len(report.findings) or "/schema_version" in taken
    for _, _, pointer in places(json.loads(new)):
        value_at(WHOLE, pointer)  # nothing is there that was not there before
    if not done:
        assert new == text
