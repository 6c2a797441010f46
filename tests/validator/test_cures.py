"""What is suggested for a broken file cures it, if its mistake has one cure."""

from __future__ import annotations

import json

import pytest
from evalmark.validator.check import check_bytes, check_data
from evalmark.validator.findings.finding import apply_fixes

from benchmarks.cures.applied import outcome
from benchmarks.cures.cases import breaks, good

#: What has one cure that nothing suggests yet; python -m benchmarks.cures shows all.
NOT_YET = {
    "a key twice", "score true", "answer_attribution missing", "script a text", "is_temporal null"
}  # fmt: skip
CURABLE = [each for each in breaks() if each.has_cure]


@pytest.mark.parametrize("each", CURABLE[::4], ids=lambda each: f"{each.sort}: {each.name}")
def test_a_mistake_with_one_cure_is_cured_by_what_is_suggested(each):
    assert (outcome(each).verdict == "cured") is (each.name not in NOT_YET)


def fixed(change) -> tuple[dict, list[str]]:
    """A record that was broken and fixed, and the codes of what was found."""
    data = good("record")
    change(data)
    text = json.dumps(data, indent=2)
    findings = check_bytes(text.encode(), "r.json").findings
    return json.loads(apply_fixes(text, findings).text), [finding.code for finding in findings]


def test_a_key_in_the_wrong_place_is_one_finding_and_is_moved():
    def change(record):
        record["evaluation_results"] *= 3
        record["source_data"] = record["evaluation_results"][0].pop("source_data")
        record["evaluation_results"] = [
            {**result, "evaluation_name": name}
            for result, name in zip(record["evaluation_results"], "abc", strict=True)
        ]

    data, codes = fixed(change)
    assert codes == ["EE101"]
    assert "source_data" not in data
    assert [result["source_data"]["dataset_name"] for result in data["evaluation_results"]] == [
        "agreement"
    ] * 3


def test_who_runs_a_model_is_never_filled_in_by_a_fix():
    data, codes = fixed(lambda record: record["model_info"].pop("additional_details"))
    assert codes == ["EE101"]
    assert "additional_details" not in data["model_info"]


@pytest.mark.parametrize(
    ("developer", "owner", "codes"),
    [
        ("Meta", "meta-llama", []),
        ("Mistral AI", "mistralai", []),
        ("International Business Machines", "ibm", []),
        ("Alibaba Cloud", "alibaba-nlp", []),
        ("Another Company", "example", ["EE242"]),
        ("", "example", []),
    ],
)
def test_a_developer_has_something_of_the_owner(developer, owner, codes):
    data = good("record")
    data["model_info"] |= {"id": f"{owner}/model-1", "developer": developer}
    data["evaluation_id"] = f"agreement/{owner}/model-1/1760000000"
    assert [finding.code for finding in check_data(data).findings] == codes


@pytest.mark.parametrize(
    ("repo", "meant"),
    [
        ("https://huggingface.co/datasets/example/npi/tree/main", ['write "example/npi"']),
        ("hf.co/example/npi", ['write "example/npi"']),
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


def test_ids_of_another_form_are_one_line_for_a_collection(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        data = good("record") | {"evaluation_id": f"run-{number}"}
        path = tmp_path / f"data/helm/example/model-{number}/{number}.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(data))
    ignored = ("--ignore", "EE401", "--ignore", "EE403")
    shown = run("evalmark", "check", *ignored, "--format", "concise", ".").out
    assert shown.count("EE222") == 1
    assert "(and 2 more)" in shown
