"""Advice on records that is right, or absent: what an author meant, in one finding."""

import json
import random

import pytest
from evalmark.validator.check import check_text
from evalmark.validator.findings.finding import apply_edits
from found import codes_of

from benchmarks.mistakes.contents import clean


def found(change):
    """The findings for a record without mistakes, once something has changed it."""
    record = clean(random.Random(3))
    change(record, record["evaluation_results"][0])
    text = json.dumps(record)
    return text, check_text(text).findings


def juries(record, result):
    judges = [{"model_info": {"name": name, "id": f"example/{name}"}} for name in "jk"]
    scoring = {"judges": judges, "input_prompt": "Rate {answer}", "aggregation_method": "mean"}
    result["metric_config"]["llm_scoring"] = scoring


def levels(written):
    def change(record, result):
        metric = result["metric_config"]
        metric.pop("min_score")
        metric.pop("max_score")
        metric |= {"score_type": "levels", "has_unknown_level": False, "level_names": written}
        result["score_details"] = {"score": 1}

    return change


def model(**values):
    return lambda record, _: record["model_info"].update(values)


def repository(key):
    def change(record, result):
        source = result["source_data"]
        source |= {"source_type": "hf_dataset", key: source.pop("hf_repo", "example/npi")}

    return change


HUB = "https://huggingface.co/mistralai/small-4"
REPOSITORIES = {
    key: (repository(key), "EE120", f"rename `{key}` to `hf_repo`")
    for key in ("hf_repos", "hf-repo")
} | {
    key: (repository(key), "EE228", f"rename `{key}` to `hf_repo`")
    for key in ("hf_repository", "repo")
}
ADVICE = {
    "a mean is an average": (juries, "EE113", 'write "average"'),
    "names in one text": (levels("Low,High"), "EE112", 'write ["Low", "High"]'),
    "names in one text with quotes": (levels('"Low,High"'), "EE112", 'write ["Low", "High"]'),
    "a URL of the hub": (model(id=HUB), "EE255", 'write "mistralai/small-4"'),
    "one without its scheme": (
        model(id=HUB.removeprefix("https://"), developer="mistralai"),
        "EE255",
        'write "mistralai/small-4"',
    ),
    **REPOSITORIES,
}


@pytest.mark.parametrize("name", ADVICE)
def test_one_finding_says_what_is_meant(name):
    change, code, advice = ADVICE[name]
    _, findings = found(change)
    assert [(f.code, f.helps) for f in findings] == [(code, (advice,))]


@pytest.mark.parametrize("key", REPOSITORIES)
def test_the_key_of_a_repository_is_renamed(key):
    text, (finding,) = found(repository(key))
    fixed = apply_edits(text, finding.fix.edits)
    assert check_text(fixed).findings == ()
    assert key not in json.loads(fixed)["evaluation_results"][0]["source_data"]


def test_a_time_before_1970_is_one():
    _, (finding,) = found(lambda record, _: record.update(evaluation_timestamp="-86400"))
    assert "is the timestamp of 1969-12-31" in finding.message


def test_an_id_of_two_results_is_named():
    def change(record, _):
        for result in record["evaluation_results"][:2]:
            result["evaluation_result_id"] = "npi-1"

    _, (finding,) = found(change)
    assert (finding.code, '"npi-1"' in finding.message) == ("EE226", True)


@pytest.mark.parametrize("form", ["csv", "JSONL", "json"])
def test_another_form_of_samples_does_not_hide_that_the_file_is_missing(form, tmp_path):
    record = clean(random.Random(3))
    record["detailed_evaluation_results"] = {"format": form, "file_path": "r_samples.jsonl"}
    path = tmp_path / "r.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert "EE319" in codes_of(path)
