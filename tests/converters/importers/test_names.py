"""Names of records of results: those of datastores, and those of the programs."""

import json
import re
import subprocess
import sys

import pytest
from conftest import edited
from evalmark.converters.records.builders import source_data
from evalmark.converters.records.run import Dataset
from evalmark.converters.records.writer import build_record, write_record
from evalmark.converters.supplied import NOTHING, Supplied
from found import codes_of
from imported_runs import only_run, read_results, undirected_results
from test_results import CASES, RESULTS, SOURCES, supplied_for


def written(run, tmp_path):
    built = build_record(run, tmp_path, version="0.3.0")
    return json.loads(built.text), [json.loads(line) for line in b"".join(built.rows).splitlines()]


# LM evaluation harness


def harness(path, **changes):
    """Results of the harness with other members."""
    path.write_text(json.dumps(json.loads(SOURCES["lm_eval"].read_text("utf-8")) | changes))
    return path


def test_results_with_another_name_have_no_samples(tmp_path):
    path = tmp_path / "mine.json"
    path.write_bytes(SOURCES["lm_eval"].read_bytes())
    assert [list(run.samples) for run in read_results(path)] == [[], [], []]


@pytest.mark.parametrize(
    ("name", "arguments", "backend", "identity", "developer", "engine", "platform"),
    [
        ("lab/tiny", "", "hf", "lab/tiny", "lab", "transformers", None),
        (None, "pretrained=lab/tiny,dtype=auto", "vllm", "lab/tiny", "lab", "vllm", None),
        (None, {"model": "gpt-x"}, "openai-chat-completions", "gpt-x", "openai", None, "openai"),
        ("/home/me/tiny", "", "hf", "local/tiny", None, "transformers", None),
        ("tiny", "", "gguf", "tiny", None, "llama.cpp", None),
        (None, None, "dummy", "dummy", None, None, None),
    ],
)
def test_a_model_of_the_harness(
    name, arguments, backend, identity, developer, engine, platform, tmp_path
):
    config = {"model": backend, "model_args": arguments}
    path = harness(tmp_path / "results_x.json", model_name=name, config=config)
    model = next(read_results(path)).model
    assert (model.id, model.developer, model.platform) == (identity, developer, platform)
    assert (model.engine[0] if model.engine else None) == engine
    assert (model.deployment == "self_deployed") == (engine is not None)


def test_two_folders_of_one_name_are_told_apart_and_their_model_is_asked_for(tmp_path, run):
    digests = set()
    for folder in ("/home/a/7B", "/home/b/7B"):
        path = harness(tmp_path / "results_x.json", model_name=folder)
        model = next(read_results(path)).model
        digests.add(model.details["path_sha256"])
    assert (model.id, len(digests)) == ("local/7B", 2)
    done = run("evalmark", "convert", path, "--to", "record-0.2.0", "-o", tmp_path / "out")
    assert '1 model id has no owner: "local/7B"; name it once' in done.err
    needs = run("evalmark", "convert", "--needs", path).out
    assert "id: local/7B} # 3 records; no owner in the id" in needs


def test_files_are_counted_and_not_their_runs(tmp_path, run):
    for name, date in (("results_x", 1760000000), ("results_y", 1760000001)):
        harness(tmp_path / f"{name}.json", date=date)
    done = run("evalmark", "convert", tmp_path, "--to", "record-0.3.0", "-o", tmp_path / "out")
    assert "6 runs in 2 files: " in done.err
    assert "2 files: lm-eval → record-0.3.0" in done.err


def test_a_refusal_names_the_value_that_completes_the_record(tmp_path, run):
    """Of a perplexity, whose scale has no end, which 0.2.0 cannot write."""
    with edited(SOURCES["lm_eval"], tmp_path / "results_x.json") as data:
        data["results"] = {"colours": {"perplexity,none": 7.5}}
    call = ("evalmark", "convert", tmp_path, "--to", "record-0.2.0", "-o", tmp_path / "out")
    refused = run(*call).err
    (wanted,) = re.findall(r"--set (\S+)=VALUE", refused)
    assert wanted == "/evaluation_results/*/metric_config/max_score"
    assert run(*call, "--set", f"{wanted}=1000").code == 0


def test_squad2_is_in_percent(tmp_path):
    """As versions 0.2 and 0.3 of the harness write it: without filters, and without configs."""
    scores = {"exact": 50.2, "f1": 51.0, "HasAns_f1": 3.5}
    data = {
        "date": 1760000000,
        "results": {"squad2": scores},
        "config": {"model": "gpt2"},
        "versions": {"squad2": 1},
    }
    path = tmp_path / "results_x.json"
    path.write_text(json.dumps(data))
    for result in next(read_results(path)).results:
        metric = result.metric
        assert (metric.bounds, metric.unit, metric.lower_is_better) == ((0, 100), "percent", False)


@pytest.mark.parametrize(
    ("metric", "identity", "kind", "unit", "unknown"),
    [
        ("acc", "accuracy", "accuracy", "proportion", {}),
        ("acc_norm", "normalized-accuracy", "accuracy", "proportion", {}),
        ("acc_bytes", "lm-evaluation-harness.acc_bytes", "accuracy", "proportion", {}),
        ("bleu", "bleu", "text_overlap", "percent", {}),
        ("ter", "lm-evaluation-harness.ter", "edit_distance", "percent", {}),
        ("own", "lm-evaluation-harness.own", None, None,
         {"bounds_status": "unknown"}),
    ],
)  # fmt: skip
def test_metrics_are_known_by_their_names(metric, identity, kind, unit, unknown, tmp_path):
    path = tmp_path / "results_x.json"
    with edited(SOURCES["lm_eval"], path) as data:
        data["results"]["colours"] = {f"{metric},none": 0.5}
    found = next(undirected_results(path)).results[0].metric
    assert (found.id, found.kind, found.unit) == (identity, kind, unit)
    assert {k: v for k, v in found.details.items() if k == "bounds_status"} == unknown
    assert found.lower_is_better == {"ter": True, "own": None}.get(metric, False)


# Inspect


def log_with(tmp_path, change, supplied=NOTHING):
    path = tmp_path / "log.json"
    with edited(SOURCES["inspect"], path) as data:
        change(data)
    return only_run(path, supplied)


@pytest.mark.parametrize(
    ("name", "answering", "identity", "developer", "platform", "engine"),
    [
        ("openai/gpt-x", "gpt-x-2024-07-18", "openai/gpt-x-2024-07-18", "openai", "openai", None),
        ("openai/azure/gpt-x", "gpt-x-1", "openai/gpt-x-1", "openai", "azure", None),
        ("anthropic/c", "anthropic/c-1", "anthropic/c-1", "anthropic", "anthropic", None),
        ("mistral/m", None, "mistralai/m", "mistralai", "mistral", None),
        ("ollama/qwen:0.5b", "qwen:0.5b", "Qwen/qwen:0.5b", "Qwen", None, "ollama"),
        ("hf/lab/model", "/weights/model", "lab/model", "lab", None, "transformers"),
        ("hf/lab/model", "model", "lab/model", "lab", None, "transformers"),
        ("openrouter/lab/model", "lab/model:free", "lab/model:free", "lab", "openrouter", None),
        ("mockllm/model", "mockllm/model", "model", None, "mockllm", None),
    ],
)
def test_the_model_is_the_one_that_has_answered(
    name, answering, identity, developer, platform, engine, tmp_path
):
    def change(data):
        data["eval"]["model"] = name
        data["samples"][0]["output"]["model"] = answering

    model = log_with(tmp_path, change).model
    assert (model.id, model.developer, model.platform) == (identity, developer, platform)
    assert (model.engine[0] if model.engine else None) == engine
    assert model.details == {"inspect_model": name}


def test_a_judge_may_be_stated_by_any_scorer(tmp_path):
    grader = {"model": "google/judge-1", "config": {"temperature": 0.5}, "model_args": {}}

    def change(data):
        data["results"]["scores"][0]["params"] = {
            "grader_model": grader, "grader_template": "Right? {answer}",
        }  # fmt: skip

    judging = log_with(tmp_path, change).results[0].metric.judging
    (judge,) = judging["judges"]
    assert (judge["model_info"]["id"], judge["model_info"]["developer"]) == (
        "google/judge-1", "google",
    )  # fmt: skip
    assert (judge["temperature"], judging["input_prompt"]) == (0.5, "Right? {answer}")


def test_reasoning_is_not_what_a_model_has_said(tmp_path):
    def change(data):
        content = [
            {"type": "reasoning", "reasoning": "Of France."},
            {"type": "text", "text": "Paris"},
        ]
        data["samples"][0]["output"]["choices"][0]["message"]["content"] = content

    run = log_with(tmp_path, change)
    row = written(run, tmp_path)[1][0]
    assert row["output"] == {"raw": ["Paris"], "reasoning_trace": ["Of France."]}
    assert row["metadata"]["stop_reason"] == "stop"
    assert row["evaluation"]["num_turns"] == 1


def test_how_far_scores_are_spread_is_no_score_unless_it_is_the_only_one(tmp_path):
    def spread(data):
        metrics = {key: {"name": key, "value": 0.25} for key in ("bootstrap_stderr", "std")}
        data["results"]["scores"][0]["metrics"] = {
            **metrics, "accuracy": {"name": "accuracy", "value": 0.5},
        }  # fmt: skip

    def only(data):
        data["results"]["scores"][0]["metrics"] = {"std": {"name": "std", "value": 0.25}}

    first = log_with(tmp_path, spread).results[0]
    assert first.key == "match:accuracy"
    assert first.uncertainty == {
        "standard_error": {"value": 0.25, "method": "bootstrap"},
        "standard_deviation": 0.25,
        "num_samples": 2,
    }
    others = [score.key for score in log_with(tmp_path, only).results]
    assert others == ["model_graded_qa:mean"]
    lower = {"/evaluation_results/*/metric_config/lower_is_better": True}
    alone = log_with(tmp_path, only, Supplied(values=lower)).results[0]
    assert (alone.key, alone.score, alone.uncertainty) == ("match:std", 0.25, {"num_samples": 2})


def test_the_prompt_and_the_tools_of_a_plan_have_their_places(tmp_path):
    tools = [[{"name": "add", "description": "Adds.", "params": {"x": {"type": "integer"}}}]]

    def change(data):
        data["plan"]["steps"] = [
            {"solver": "prompt_template", "params": {"template": "Q: {prompt}"}},
            {"solver": "use_tools", "params": {"tools": tools}},
        ]
        data["eval"]["model_generate_config"]["reasoning_effort"] = "none"

    arguments = log_with(tmp_path, change).results[0].arguments
    assert arguments["prompt_template"] == "Q: {prompt}"
    assert arguments["agentic_eval_config"] == {
        "available_tools": [
            {"name": "add", "description": "Adds.", "parameters": {"x": '{"type":"integer"}'}}
        ]
    }
    assert "reasoning" not in arguments


@pytest.mark.parametrize("stated", [{"reasoning_effort": "low"}, {"reasoning_tokens": 500}])
def test_an_effort_or_tokens_for_reasoning_say_that_a_model_reasons(tmp_path, stated):
    def change(data):
        data["eval"]["model_generate_config"] = stated

    assert log_with(tmp_path, change).results[0].arguments["reasoning"] is True


def test_a_log_whose_data_are_files_is_named_after_its_task(tmp_path):
    def change(data):
        data["eval"]["dataset"] |= {"name": "challenges", "location": "/data/challenges.json"}

    run = log_with(tmp_path, change)
    dataset = run.results[0].dataset
    assert (run.collection, dataset.repo) == ("quiz", None)
    assert dataset.details["name"] == "challenges"
    assert dataset.details["location"] == "/data/challenges.json"


def test_a_sample_without_a_score_is_listed_and_not_scored(tmp_path):
    run = log_with(tmp_path, lambda data: data["samples"][1].update(scores={}))
    assert {sample.id for sample in run.samples} == {"1"}
    assert any("no numeric score" in place for place in run.left_out)


# HELM


# All of them


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("version", ["0.2.0", "0.3.0"])
def test_rows_refer_to_results_in_each_version(name, version, tmp_path):
    """0.2.0 has no ids of results: there, their names are unique."""
    for run in read_results(SOURCES[name], supplied_for(name)):
        record = json.loads(build_record(run, tmp_path, version="0.3.0").text)
        results = record["evaluation_results"]
        bounds = [result["metric_config"].get("max_score") for result in results]
        if version == "0.2.0" and not all(isinstance(b, int | float) for b in bounds):
            continue  # that version demands numbers
        paths = write_record(run, tmp_path / version, version=version)
        codes = set(codes_of(paths.record))
        assert codes <= {"EE403", "EE324"}  # HELM has one value less of a metric
        names_of_results = [result.name for result in run.results]
        assert len(names_of_results) == len(set(names_of_results))


_PEAK = """
import resource, sys
from pathlib import Path
from evalmark.converters.convert_files import convert_files
for outcome in convert_files([Path(sys.argv[1])], output=Path(sys.argv[2])):
    assert outcome.refused is None and outcome.failed is None, outcome
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak(path, folder):
    command = [sys.executable, "-c", _PEAK, str(path), str(folder)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no resource module here")
def test_a_large_file_of_samples_takes_no_more_memory(tmp_path):
    source = SOURCES["lm_eval"]
    results = tmp_path / source.name
    results.write_bytes(source.read_bytes())
    small = peak(results, tmp_path / "small")
    name = "samples_sums_2026-01-02T03-04-05.678901.jsonl"
    row = json.loads((RESULTS / "lm_eval" / name).read_text("utf-8").splitlines()[0])
    with (tmp_path / name).open("w", encoding="utf-8") as file:
        for number in range(3000):
            text = "a " * 5_000
            file.write(json.dumps({**row, "doc_id": number, "resps": [[text]]}) + "\n")
    unit = 1 if sys.platform == "darwin" else 1024
    assert (peak(results, tmp_path / "large") - small) * unit < (tmp_path / name).stat().st_size


@pytest.mark.parametrize(
    ("split", "word", "details"),
    [
        ("validation", "val", {"split": "validation"}),
        ("test", "test", {}),
        ("dev_mismatched", "dev_mismatched", {}),
    ],
)
def test_a_split_has_the_word_of_the_format_and_keeps_its_own(split, word, details):
    data = source_data(Dataset("colours", repo="lab/colours", split=split))
    assert (data["hf_split"], data.get("additional_details", {})) == (word, details)
