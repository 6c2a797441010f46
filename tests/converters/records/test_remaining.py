"""After a migration: what Every Eval Ever's validator still refuses, and proposals of models."""

from __future__ import annotations

import json

import pytest
from conftest import FIXTURES
from evalmark.converters.overrides.proposals import proposals
from evalmark.validator.check import check_file
from evalmark.validator.findings.finding import Severity

#: Errors on the place of a record, which is in no datastore here.
PLACES = {"EE401"}
GOOD = json.loads((FIXTURES / "good/record.json").read_text("utf-8"))


def record(folder, name, *, score=0.5, low=0, high=1, model=None):
    data = json.loads(json.dumps(GOOD))
    data["evaluation_id"] += name
    for result in data["evaluation_results"]:
        bounds = {"score_type": "continuous", "min_score": low, "max_score": high}
        result["metric_config"] |= bounds
        result["score_details"] = {"score": score}
    data["model_info"] |= model or {}
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(data), "utf-8")


def test_closing_lines_say_what_the_gate_still_refuses(run, tmp_path):
    old, new, rest = tmp_path / "old", tmp_path / "new", tmp_path / "rest.tsv"
    record(old, "fine")
    record(old, "open", low=None, high=None)
    record(old, "both", low=None, high=None, score=2)
    record(old, "out", score=2)
    options = ("--to", "record-0.3.0", "-o", new, "--remaining", rest)
    done = run("evalmark", "convert", old, *options)
    count = len(GOOD["evaluation_results"])
    bounds = f"  2 records: bounds are null or not numbers ({4 * count} values)"
    score = "1 record: scores are outside their bounds or not numbers"
    assert done.err.splitlines()[-3:] == [
        f"Every Eval Ever's validator would still refuse 3 of 4 records; listed in {rest}",
        bounds,
        f"  {score} ({count} value{'s' if count > 1 else ''})",
    ]
    rows = [line.split("\t") for line in rest.read_text("utf-8").splitlines()]
    assert rows[0] == ["path", "reason", "values"]
    listed = {path for path, *_ in rows[1:]}
    assert listed == {str(new / f"{name}.json") for name in ("open", "both", "out")}
    for path in new.glob("*.json"):  # as the profile has it, apart from where the file lies
        findings = check_file(path, profile="eee").findings
        errors = {finding.code for finding in findings if finding.severity is Severity.ERROR}
        assert bool(errors - PLACES) == (str(path) in listed), errors


@pytest.mark.parametrize(
    ("model", "deployment", "availability"),
    [
        ({"id": "openai/gpt-4o"}, "externally_managed", "closed_weights"),
        ({"id": "openai/gpt-oss-20b"}, None, "open_weights"),
        ({"id": "openai/gpt-oss-20b", "inference_platform": "Together"}, "externally_managed",
         "open_weights"),
        ({"id": "lab/own", "inference_engine": {"name": "vllm"}}, "self_deployed", None),
        ({"id": "lab/own", "inference_engine": "vllm", "inference_platform": "azure"}, None, None),
        ({"id": "meta-llama/Llama-3-8B"}, None, "open_weights"),
        ({"id": "alibaba/qwen3-max"}, "externally_managed", "closed_weights"),
        ({"id": "else/claude-like"}, None, None),
        ({"name": "gpt-4o"}, None, None),
    ],
)  # fmt: skip
def test_proposals_are_from_the_id_and_from_where_a_model_ran(model, deployment, availability):
    found = proposals(model)
    values = {key: proposal.value for key, proposal in found.items()}
    expected = {"deployment_type": deployment, "model_availability": availability}
    assert values == {key: value for key, value in expected.items() if value}
    assert all(proposal.source for proposal in found.values())


def test_the_table_of_a_maintainer_comes_first_and_supplies_nothing(run, tmp_path):
    folder, table = tmp_path / "old", tmp_path / "models.csv"
    unknown = {"deployment_type": "unknown", "model_availability": "unknown"}
    record(folder, "a", model={"id": "lab/one"})
    data = json.loads((folder / "a.json").read_text("utf-8"))
    data["schema_version"] = "0.2.2"
    data["model_info"].pop("additional_details", None)
    (folder / "a.json").write_text(json.dumps(data), "utf-8")
    table.write_text("model,deployment_type,model_availability\nlab/*,,open_weights\n", "utf-8")
    done = run("evalmark", "convert", "--needs", folder, "--defaults", table)
    line = next(line for line in done.out.splitlines() if "lab/one" in line)
    assert "{deployment_type: unknown, model_availability: open_weights}" in line
    assert "model_availability proposed: lab/* in --defaults" in line
    assert "Nobody has stated what is proposed" in done.out
    assert "1 value is proposed, with the source: review" in done.err
    new = tmp_path / "new"
    done = run("evalmark", "convert", folder, "-o", new, "--defaults", table)
    assert "--defaults:" not in done.err  # a pattern is not the name of a model
    (path,) = new.glob("*.json")
    assert json.loads(path.read_text("utf-8"))["model_info"]["additional_details"] == unknown
