"""What a record says twice: in a field, in the command, in details, and next to it."""

import pytest
from conftest import record_at
from evalmark import check_data
from found import codes_of
from pointers import changed

COMMAND = "lm_eval --model hf --model_args pretrained={} --tasks {}"


def result(record, name, score=0.5, **changes):
    """A copy of the first result under another name, as one of a dataset on the hub."""
    first = record["evaluation_results"][0]
    source = {"dataset_name": name, "source_type": "hf_dataset", "hf_repo": f"example/{name}"}
    return {
        **first, "evaluation_name": name, "source_data": {**source, **changes},
        "score_details": {"score": score},
    }  # fmt: skip


@pytest.fixture
def record():
    return record_at("0.2.0")


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ("", []),
        ("--limit 10", ["EE267"]),
        ("--limit 0.5", []),
        ("--limit 2000", []),
        ("--gen_kwargs temperature=0.7,top_p=1", []),
        ("--gen_kwargs temperature=0,top_p=1", ["EE267"]),
        ("--temperature 0.1", ["EE267"]),
        ("--temperature=0.7", []),
        ("--limit '", []),
    ],
)
def test_a_command_has_the_settings_of_the_record(record, options, found):
    (only,) = record["evaluation_results"]
    model = record["model_info"]["id"]
    command = f"{COMMAND.format(model, only['evaluation_name'])} {options}"
    only["generation_config"] = {
        "generation_args": {"temperature": 0.7, "execution_command": command}
    }
    only["score_details"]["uncertainty"] = {"num_samples": 1000}
    assert codes_of(record) == found


@pytest.mark.parametrize(
    ("model", "found"),
    [("example/Model_1", []), ("/models/model", []), ("gpt2", []), ("other/one", ["EE267"])],
)
def test_a_command_runs_the_model_of_the_record(record, model, found):
    (only,) = record["evaluation_results"]
    record["model_info"] |= {"id": "example/model-1", "name": "Model 1"}
    command = COMMAND.format(model, only["evaluation_name"])
    only["generation_config"] = {"generation_args": {"execution_command": command}}
    assert codes_of(record) == found


@pytest.mark.parametrize(
    ("details", "metric", "found"),
    [
        ({"correct": "50", "total": "100"}, "accuracy", []),
        ({"correct": "117", "total": "164"}, "accuracy", ["EE268"]),
        ({"correct": "117", "total": "164"}, "f1", []),
        ({"correct": "many", "total": "0"}, "accuracy", []),
    ],
)
def test_counts_of_right_answers_give_the_score(details, metric, found):
    record = record_at("0.3.0")
    (only,) = record["evaluation_results"]
    only["metric_config"] |= {"metric_id": metric, "metric_name": metric}
    only["score_details"] = {"score": 0.5, "details": details}
    assert codes_of(record) == found


def test_results_of_their_own_data_have_no_finding(record):
    names = ("npi", "mmlu", "gsm8k")
    record["evaluation_results"] = [result(record, name, n / 7) for n, name in enumerate(names, 1)]
    assert codes_of(record) == []


def test_one_repository_may_have_several_data_sets(record):
    record["evaluation_results"] = [
        result(record, name, hf_repo="example/suite") for name in ("npi", "mmlu")
    ] + [result(record, "gsm8k")]
    assert codes_of(record) == []


def test_a_repository_of_several_subsets_is_not_one_of_another_result(record):
    record["evaluation_results"] = [
        result(record, "mmlu", hf_repo="cais/mmlu"), result(record, "anatomy", hf_repo="cais/mmlu"),
        result(record, "gsm8k", hf_repo="openai/gsm8k"),
    ]  # fmt: skip
    assert codes_of(record) == []


def test_the_repository_of_another_result_is_found(record):
    record["evaluation_results"] = [
        result(record, "npi"), result(record, "mmlu", hf_repo="example/npi"),
        result(record, "gsm8k"),
    ]  # fmt: skip
    assert codes_of(record) == ["EE269"]


@pytest.mark.parametrize(("score", "found"), [(0.6, []), (0.9, ["EE269"]), (0.1, ["EE269"])])
def test_an_average_is_between_what_it_averages(record, score, found):
    record["evaluation_results"] = [
        result(record, "npi", 0.5), result(record, "mmlu", 0.7), result(record, "average", score),
    ]  # fmt: skip
    assert codes_of(record) == found


def test_two_results_with_each_others_names(record):
    record["evaluation_results"] = [
        {**result(record, "npi"), "evaluation_name": "mmlu"},
        {**result(record, "mmlu"), "evaluation_name": "npi"},
    ]
    (found,) = check_data(record).findings
    assert (found.code, found.helps) == ("EE269", ('write "npi"',))


@pytest.mark.parametrize(
    ("descriptions", "found"),
    [
        (["share of the first answers that are right"] * 3, []),
        (["answers of first", "answers of third", "answers"], ["EE269"]),
    ],
)
def test_a_description_is_of_its_own_data(record, descriptions, found):
    record["source_metadata"]["source_name"] = "tables of a paper"
    rows = [result(record, name) for name in ("first", "second", "third")]
    for row, text in zip(rows, descriptions, strict=True):
        row["metric_config"] = {**row["metric_config"], "evaluation_description": text}
    record["evaluation_results"] = rows
    assert codes_of(record) == found


@pytest.mark.parametrize("other", ["mmlu", "npi"])
def test_numbers_that_are_equal_to_the_last_digit_are_of_one_result(record, other):
    numbers = {
        "standard_error": {"value": 0.01234}, "standard_deviation": 0.2731,
        "confidence_interval": {"lower": 0.4758, "upper": 0.5242},
    }  # fmt: skip
    rows = [result(record, "npi"), result(record, other)]
    for row in rows:
        row["score_details"] = {"score": 0.5183, "uncertainty": numbers}
        row["evaluation_name"] += "" if row is rows[0] else "-again"
    record["evaluation_results"] = rows
    assert ("EE269" in codes_of(record)) == (other == "mmlu")


SCORE, SETTINGS = "/evaluation_results/0/score_details", "/evaluation_results/0/generation_config"
METRIC, ARGUMENTS = "/evaluation_results/0/metric_config", f"{SETTINGS}/generation_args"
PARAMETERS = f"{SETTINGS}/additional_details"
COUNT = f"{SCORE}/uncertainty/num_samples"
ACCURACY = {f"{METRIC}/metric_name": "accuracy", f"{METRIC}/max_score": 1}
SAMPLES = "data/npi/example/{}/0b4a1c52-7d0e-4c7b-9d3e-1f2a3b4c5d6e_samples.jsonl"


@pytest.mark.parametrize(
    ("common", "path", "bad", "good", "code", "at"),
    [
        (
            {"/evaluation_results/0/evaluation_name": "gsm8k (8-shot)"},
            f"{PARAMETERS}/num_fewshot", "0", "8", "EE268", "",
        ),
        (
            {}, f"{ARGUMENTS}/execution_command", "run --model {model_id}", "run --model ${MODEL}",
            "EE267", "",
        ),
        (
            {"/detailed_evaluation_results/format": "jsonl"},
            "/detailed_evaluation_results/file_path", SAMPLES.format("other-one"),
            SAMPLES.format("model-1"), "EE266", "",
        ),
        (
            {"/evaluation_results/0/source_data/source_type": "hf_dataset"},
            "/evaluation_results/0/source_data/hf_repo", "../data/npi", "example/npi", "EE240", "",
        ),
        (
            {}, "/evaluation_results/0/source_data/dataset_name", "{dataset}", "npi", "EE255", "",
        ),
        (
            {f"{METRIC}/metric_id": "bertscore", f"{METRIC}/max_score": 1},
            f"{METRIC}/min_score", 0.5, 0, "EE257", f"{METRIC}/min_score",
        ),
    ],
)  # fmt: skip
def test_what_contradicts_something_else_is_one_finding_there(common, path, bad, good, code, at):
    found = check_data(changed(record_at("0.3.0"), {**common, path: bad})).findings
    assert [(each.code, each.pointer) for each in found] == [(code, at or path)]
    assert codes_of(changed(record_at("0.3.0"), {**common, path: good})) == []


def test_the_number_of_runs_is_no_number_of_samples():
    runs = [0.6, 0.61, 0.63]
    details = {"run_scores": str(runs), "runs": "3"}
    record = changed(record_at("0.3.0"), {**ACCURACY, COUNT: 3, f"{SCORE}/score": 0.6133})
    assert codes_of(record) == ["EE249"]
    assert codes_of(changed(record, {f"{SCORE}/details": details})) == []


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("Top-1 accuracy", "Top-5 accuracy"),
        ("MRR, hits@1", "MRR, hits@10"),
    ],
)
def test_a_higher_number_of_answers_or_a_higher_share_is_no_less(record, less, more):
    rows = [result(record, "npi", score) for score in (0.4, 0.6)]
    for found, names in ([], (less, more)), (["EE269"], (more, less)):
        for row, name in zip(rows, names, strict=True):
            row["evaluation_name"] = name
        record["evaluation_results"] = rows
        assert codes_of(record) == found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("task p50", "task p95"), ("top-1 domains", "top-5 domains"),
        ("recall@90% precision", "recall@99% precision"),
        ("recall_at_90_precision", "recall_at_99_precision"),
    ],
)  # fmt: skip
def test_a_number_in_a_name_may_be_something_else(record, one, other):
    record["evaluation_results"] = [result(record, "npi", score) for score in (0.6, 0.4)]
    for row, name in zip(record["evaluation_results"], (one, other), strict=True):
        row["evaluation_name"] = name
    assert codes_of(record) == []


@pytest.mark.parametrize(
    "values",
    [
        {f"{ARGUMENTS}/execution_command": "run --out run-$(date +%s) --prompt 'Q: {question}'"},
        {f"{ARGUMENTS}/execution_command": "lighteval --results-path-template {out}/{model}"},
        {
            f"{SCORE}/details/score_percent": "85.7%", f"{SCORE}/score": 36,
            f"{METRIC}/max_score": 42,
        },
        {
            f"{SCORE}/details/correct": "80", f"{SCORE}/details/total": "100",
            f"{SCORE}/score": 0.76,
        },
        {
            f"{SCORE}/details/accuracy_raw": "45.1%", f"{SCORE}/score": 0.268,
            f"{METRIC}/evaluation_description": "Normalized accuracy on MuSR",
        },
        {
            "/detailed_evaluation_results/format": "jsonl",
            "/detailed_evaluation_results/file_path": "data/2026/run-1/outputs/rows.jsonl",
        },
    ],
)  # fmt: skip
def test_what_is_no_contradiction_has_no_finding(record, values):
    found = check_data(changed(record, values)).findings
    assert found == ()
