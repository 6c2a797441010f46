"""A record with a wrong label, and one with mistakes that only its version has."""

import pytest
from conftest import record_at
from evalmark.validator.check import check_data
from found import places_of
from pointers import changed

PLACE = "data/suite/example/model-1/0b6f1f0e-1111-4a6b-8f00-000000000001_samples.jsonl"
AXES = {"deployment_type": "unknown", "model_availability": "unknown"}


@pytest.fixture
def newest():
    record = record_at("0.3.0")
    judge = {"name": "Judge", "id": "example/judge", "additional_details": dict(AXES)}
    metric = record["evaluation_results"][0]["metric_config"]
    metric["max_score"] = 1
    metric["llm_scoring"] = {"judges": [{"model_info": judge}], "input_prompt": "Right?"}
    record["detailed_evaluation_results"] = {"format": "jsonl", "file_path": PLACE}
    return record


JUDGE = "/evaluation_results/0/metric_config/llm_scoring/judges/0/model_info"


DETAILS, LINK = "/model_info/additional_details", "/detailed_evaluation_results"
#: What 0.3.0 alone asks for → the finding. Without it, all of these fit 0.2.2 or 0.2.0.
BROKEN = {
    "no deployment type": ({f"{DETAILS}/deployment_type": ...}, ("EE101", DETAILS)),
    "another deployment type":
        ({f"{DETAILS}/deployment_type": "api"}, ("EE113", f"{DETAILS}/deployment_type")),
    "no details": ({DETAILS: ...}, ("EE101", "/model_info")),
    "a judge without details": ({f"{JUDGE}/additional_details": ...}, ("EE101", JUDGE)),
    "a judge without axes":
        ({f"{JUDGE}/additional_details": {}}, ("EE101", f"{JUDGE}/additional_details")),
    "a path elsewhere":
        ({f"{LINK}/file_path": "./samples.jsonl"}, ("EE117", f"{LINK}/file_path")),
    "another format": ({f"{LINK}/format": "json"}, ("EE113", f"{LINK}/format")),
    "no format": ({f"{LINK}/format": ...}, ("EE101", LINK)),
    "no eval_library": ({"/eval_library": ...}, ("EE101", "")),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_a_version_alone_requires_is_a_mistake_and_not_another_version(newest, name):
    assert places_of(newest) == []
    changes, wanted = BROKEN[name]
    assert places_of(changed(newest, changes)) == [wanted]


@pytest.mark.parametrize(
    ("version", "label", "fits"),
    [
        ("0.0.1", "0.3.0", "0.0.1"), ("0.1.0", "0.0.1", "0.1.0"), ("0.1.0", "0.2.2", "0.1.0"),
        ("0.2.0", "0.1.0", "0.2.0"), ("0.2.2", "0.0.1", "0.2.2"), ("0.2.2", "0.2.0", "0.2.2"),
        ("0.3.0", "0.2.0", "0.3.0"), ("0.3.0", "0.2.2", "0.3.0"),
    ],
)  # fmt: skip
def test_a_record_with_what_only_another_version_knows_has_a_wrong_label(version, label, fits):
    record = {**record_at(version), "schema_version": label}
    (finding,) = check_data(record).findings
    assert (finding.code, finding.helps) == ("EE102", (f'write "schema_version": "{fits}"',))


def test_a_value_of_a_type_that_only_another_version_has(newest):
    """Details that are not text are of 0.2.0, unless something says otherwise."""
    old = {**record_at("0.2.0"), "schema_version": "0.3.0"}
    assert [code for code, _ in places_of(old)] == ["EE101", "EE101"]
    old["model_info"]["additional_details"] = {"params_billions": 7.5}
    assert places_of(old) == [("EE102", "/schema_version")]
    newest["model_info"]["additional_details"]["params_billions"] = 7.5
    del newest["eval_library"]
    assert sorted(code for code, _ in places_of(newest)) == ["EE101", "EE112"]
