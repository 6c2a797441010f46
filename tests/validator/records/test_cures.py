"""What is suggested for a broken file cures it, if its mistake has one cure."""

import json
from pathlib import Path

import pytest
from applying import NoForm, applied, applied_to_row
from conftest import FIXTURES, edited, file_at
from evalmark.validator.check import check_bytes, check_data, check_file
from found import codes_of, places_of, with_fixes
from pointers import changed, value_at

GOOD = {
    "record": "versions/record-0.3.0.json",
    "sample": "versions/sample-0.3.0.jsonl",
    "suite": "good/suite.json",
    "definition": "good/ltm/definitions/ChapterBreak/0.def.json",
}
#: Suggestions that are followed one after the other.
ROUNDS = 4


def good(sort):
    """The data of a good file; of samples, its first row."""
    text = (FIXTURES / GOOD[sort]).read_text(encoding="utf-8")
    if sort == "sample":
        return json.loads(text.partition("\n")[0])
    data = json.loads(text)
    if sort == "record":
        interval = {"lower": 0.7, "upper": 0.8, "confidence_level": 0.95}
        data["evaluation_results"][0]["score_details"]["uncertainty"] = {
            "standard_error": {"value": 0.02}, "confidence_interval": interval, "num_samples": 400,
        }  # fmt: skip
        data["evaluation_timestamp"] = "1759000000"
    return data


def move(pointer, to):
    """A change that moves a value to another pointer."""
    return lambda data: changed(data, {to: value_at(data, pointer), pointer: ...})


RESULT = "/evaluation_results/0"
METRIC, SCORE = f"{RESULT}/metric_config", f"{RESULT}/score_details"
INTERVAL = f"{SCORE}/uncertainty/confidence_interval"
#: Kind of file, what is wrong, what breaks a good file so.
BREAKS = [
    ("record", "eval_library missing", {"/eval_library": ...}),
    ("record", "eval_library a name", {"/eval_library": "lm-eval"}),
    ("record", "eval_library without version", {"/eval_library/version": ...}),
    ("record", "inference_engine a name", {"/model_info/inference_engine": "vllm"}),
    ("record", "score_details a score", {SCORE: 0.452}),
    ("record", "score_details a score in quotes", {SCORE: "0.452"}),
    ("record", "source_data a list of URLs", {f"{RESULT}/source_data": ["https://a.org"]}),
    ("record", "a step that is an object", {
        f"{RESULT}/generation_config": {"generation_args": {"eval_plan": {
            "name": "p", "steps": [{"solver": "generate"}], "config": {},
        }}},
    }),
    ("record", "deployment_type local",
     {"/model_info/additional_details/deployment_type": "local"}),
    ("record", "source_type paper", {"/source_metadata/source_type": "paper"}),
    ("record", "score_type Continuous", {f"{METRIC}/score_type": "Continuous"}),
    ("record", "interval reversed", {INTERVAL: {"lower": 0.8, "upper": 0.7}}),
    ("record", "score with a percent sign",
     {f"{METRIC}/max_score": 1, f"{SCORE}/score": "75.2%"}),
    ("record", "evaluation_id missing", {"/evaluation_id": ...}),
    ("record", "evaluation_id with another time",
     {"/evaluation_id": "agreement-0.3.0/example/model-1/1750000000"}),
    ("record", "score outside score_details", move(f"{SCORE}/score", f"{RESULT}/score")),
    ("record", "schema_version 0.3", {"/schema_version": "0.3"}),
    ("record", "retrieved in milliseconds", {"/retrieved_timestamp": "1760000000000"}),
    ("record", "retrieved missing", {"/retrieved_timestamp": ...}),
    ("record", "blank at the end of the model id", {"/model_info/id": "example/model-1 "}),
    ("record", "url without a scheme",
     {f"{RESULT}/source_data/url": ["www.lab.example/a.json"]}),
    ("record", "lower_is_better a text", {f"{METRIC}/lower_is_better": "false"}),
    ("record", "max_score missing", {f"{METRIC}/max_score": ...}),
    ("record", "score called value", move(f"{SCORE}/score", f"{SCORE}/value")),
    ("record", "an optional key null", {"/source_metadata/source_organization_url": None}),
    ("record", "bounds exchanged",
     {f"{METRIC}/min_score": 1, f"{METRIC}/max_score": 0}),
    ("record", "a byte order mark", lambda r: "\ufeff" + json.dumps(r, indent=2)),
    ("sample", "score a text", {"/evaluation/score": "1.0"}),
    ("sample", "interaction_type single-turn", {"/interaction_type": "single-turn"}),
    ("sample", "is_correct misspelt", move("/evaluation/is_correct", "/evaluation/is_corect")),
    ("suite", "metric in upper case", {"/meta/metric": "SUM"}),
    ("suite", "conditions misspelt", move("/items/0/conditions", "/items/0/condition")),
    ("definition", "is_question a text", {"/is_question/0": "false"}),
]  # fmt: skip


def new_findings(sort, text, name):
    """The findings that the good file lacks."""
    own = set(places_of(json.dumps(good(sort)).encode(), name))
    found = check_bytes(text.encode("utf-8", "surrogatepass"), name).findings
    return [finding for finding in found if (finding.code, finding.pointer) not in own]


def followed(text, found, name):
    """The text with the first suggestion that can be applied."""
    apply = applied_to_row if name.endswith(".jsonl") else applied
    for finding in found:
        try:
            for new in apply(text, finding):
                if new != text:
                    return new
        except (NoForm, ValueError, KeyError, StopIteration, AssertionError, IndexError, TypeError):
            continue
    return text


@pytest.mark.parametrize(
    ("sort", "change"),
    [pytest.param(sort, change, id=f"{sort}: {what}") for sort, what, change in BREAKS],
)
def test_a_mistake_with_one_cure_is_cured_by_what_is_suggested(sort, change):
    name = "file_samples.jsonl" if sort == "sample" else "file.json"
    data = changed(good(sort), change) if isinstance(change, dict) else change(good(sort))
    text = (
        data if isinstance(data, str) else json.dumps(data, indent=None if sort == "sample" else 2)
    )
    found = new_findings(sort, text, name)
    assert found
    for _ in range(ROUNDS):
        text = followed(text, found, name)
        found = new_findings(sort, text, name)
    assert not found


def test_a_key_in_the_wrong_place_is_one_finding_and_is_moved():
    def change(record):
        record["evaluation_results"] *= 3
        record["source_data"] = record["evaluation_results"][0].pop("source_data")
        record["evaluation_results"] = [
            {**result, "evaluation_name": name}
            for result, name in zip(record["evaluation_results"], "abc", strict=True)
        ]

    broken = good("record")
    change(broken)
    data, codes = with_fixes(broken)
    assert codes == ["EE101"]
    assert "source_data" not in data
    assert [result["source_data"]["dataset_name"] for result in data["evaluation_results"]] == [
        "agreement"
    ] * 3


def test_who_runs_a_model_is_never_filled_in_by_a_fix():
    data, codes = with_fixes(changed(good("record"), {"/model_info/additional_details": ...}))
    assert codes == ["EE101"]
    assert "additional_details" not in data["model_info"]


@pytest.mark.parametrize(
    ("developer", "owner", "codes"),
    [
        ("Meta", "meta-llama", []), ("Mistral AI", "mistralai", []),
        ("International Business Machines", "ibm", []), ("Alibaba Cloud", "alibaba-nlp", []),
        ("Another Company", "openai", ["EE242"]), ("Alibaba", "Qwen", []),
        ("Qwen", "alibaba", []), ("Zhipu AI", "THUDM", []), ("", "example", ["EE255"]),
    ],
)  # fmt: skip
def test_a_developer_has_something_of_the_owner(developer, owner, codes):
    data = good("record")
    data["model_info"] |= {"id": f"{owner}/model-1", "developer": developer}
    data["evaluation_id"] = f"agreement/{owner}/model-1/1760000000"
    assert codes_of(data) == codes


@pytest.mark.parametrize(
    ("repo", "meant"),
    [
        ("https://huggingface.co/datasets/example/npi/tree/main", ['write "example/npi"']),
        ("hf.co/example/npi", ['write "example/npi"']),
        ("huggingface.co/datasets/example/npi", ['write "example/npi"']),
        ("datasets/example/npi", ['write "example/npi"']),
        ("https://huggingface.co/datasets/squad", []),
        ("https://huggingface.co/datasets/squad/tree/main", []),
        ("https://huggingface.co/spaces/example/npi", []),
    ],
)
def test_a_repository_is_taken_from_a_url_if_it_has_an_owner(repo, meant):
    data = good("record")
    source = data["evaluation_results"][0]["source_data"]
    source.clear()
    source.update(dataset_name="npi", source_type="hf_dataset", hf_repo=repo)
    (finding,) = [each for each in check_data(data).findings if each.code == "EE240"]
    assert list(finding.helps) == meant
    if "datasets/example" in repo:
        is_sure = "huggingface.co" in repo  # or else a folder
        fixed = with_fixes(data)[0]["evaluation_results"][0]["source_data"]["hf_repo"]
        assert fixed == ("example/npi" if is_sure else repo)


def test_ids_of_another_form_are_one_line_for_a_collection(here, run):
    for number in range(3):
        data = good("record") | {"evaluation_id": f"run-{number}"}
        file_at(here / f"data/helm/example/model-{number}/{number}.json", data)
    ignored = ("--ignore", "EE401", "--ignore", "EE403")
    shown = run("evalmark", "check", *ignored, "--format", "concise", ".").out
    assert shown.count("EE222") == 1
    assert "(and 2 more)" in shown


def test_developers_of_another_name_are_one_line_for_a_collection(here, run):
    for name in ("a", "b"):
        data = good("record")
        data["model_info"] |= {"id": f"example/{name}", "developer": "Mistral AI"}
        data["evaluation_id"] = f"agreement/example/{name}/{data['retrieved_timestamp']}"
        Path("data/agreement/example", name).mkdir(parents=True)
        text = json.dumps(data)
        Path(f"data/agreement/example/{name}/record.json").write_text(text, encoding="utf-8")
    assert run("evalmark", "check", "data", "--format", "concise").out.count("EE242") == 1


def test_the_path_of_samples_is_wrong_in_one_way(tmp_path):
    """A file that is not there, and not at its place either; a format that has no such file."""
    place = tmp_path / "data/agreement/example/model-1/3f2a1c0d-4b2e-4c1a-9f6d-1b7e5a2c8d40.json"
    place.parent.mkdir(parents=True)
    for link, code in (
        ({"format": "jsonl", "file_path": "elsewhere_samples.jsonl"}, "EE402"),
        ({"format": "csv", "file_path": "elsewhere.csv"}, "EE113"),
    ):
        with edited(FIXTURES / "good/record.json", place) as data:
            data["detailed_evaluation_results"] = link
        (finding,) = check_file(place).findings
        assert (finding.code, "the sample file does not exist" in finding.notes) == (code, True)
    (refused,) = (
        finding
        for finding in check_file(place, profile="eee").findings
        if finding.pointer.startswith("/detailed_evaluation_results")
    )
    assert (refused.code, refused.severity) == ("EE113", "error")


def test_a_timestamp_of_1970_is_called_by_its_date():
    data = good("record") | {"evaluation_timestamp": "86400"}
    (finding,) = check_data(data).findings
    assert finding.message == '"86400" is the timestamp of 1970-01-02: no evaluation is that old'
