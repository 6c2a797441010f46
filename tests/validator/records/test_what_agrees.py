"""Numbers and texts of a record that must agree: what contradicts is one finding, the rest none.

Every relation is asked with a record that breaks it, and with honest ones that come near to it.
"""

import copy

import pytest
from conftest import record_at
from evalmark import check_data

SCORE, METRIC, DATA = "score_details/score", "metric_config", "source_data"
DETAILS, FIGURES = "score_details/details", "score_details/uncertainty"
MORE = "generation_config/additional_details"
ARGUMENTS = "generation_config/generation_args"
NAME, TEXT = "evaluation_name", f"{METRIC}/evaluation_description"
ACCURACY = {f"{METRIC}/metric_name": "Accuracy", TEXT: "Accuracy on npi"}
COSTS = {f"{METRIC}/lower_is_better": True, f"{METRIC}/max_score": "Infinity"}
PERPLEXITY = {**COSTS, f"{METRIC}/metric_name": "perplexity", f"{METRIC}/min_score": 1}
F1 = {f"{METRIC}/metric_name": "F1"}
ONE_ANSWER = {
    "generation_config/generation_args/temperature": 0,
    "generation_config/generation_args/eval_plan/name": "plan",
}


def changed(part, values):
    """A part of a record with values at paths, whose objects are made if they are missing."""
    for path, value in values.items():
        *above, key = path.split("/")
        place = part
        for step in above:
            place = place.setdefault(step, {})
        place[key] = value
    return part


def record_of(*results, **above):
    """A record whose results have these values, and itself those at paths with two underscores."""
    record = record_at("0.3.0")
    (first,) = record["evaluation_results"]
    del first["evaluation_result_id"]
    first["metric_config"] = {
        "lower_is_better": False, "score_type": "continuous", "min_score": 0, "max_score": 1,
    }  # fmt: skip
    record["evaluation_results"] = [changed(copy.deepcopy(first), values) for values in results]
    return changed(record, {path.replace("__", "/"): value for path, value in above.items()})


def details(score=0.5, /, **values):
    """Details as text, as versions since 0.2.1 have them."""
    return {SCORE: score, **{f"{DETAILS}/{key}": str(value) for key, value in values.items()}}


def figures(score, method="", **values):
    interval = {"lower": "confidence_interval/lower", "upper": "confidence_interval/upper"}
    changes = {f"{FIGURES}/{interval.get(key, key)}": value for key, value in values.items()}
    methods = {f"{FIGURES}/confidence_interval/method": method} if method else {}
    return {SCORE: score, **changes, **methods}


def named(name, score=0.5, **values):
    return {NAME: name, SCORE: score, **values}


def average(text, score, *others):
    return record_of(
        named("Average", score, **{TEXT: text}),
        *(named(f"task {at}", other) for at, other in enumerate(others)),
    )


def of_judge(model, developer, *, prompt="Rate {answer}", text="Rating"):
    about = {"deployment_type": "externally_managed", "model_availability": "closed_weights"}
    info = {"name": "judge", "id": model, "developer": developer, "additional_details": about}
    judging = {"input_prompt": prompt, "judges": [{"model_info": info}]}
    return record_of({f"{METRIC}/llm_scoring": judging, TEXT: text})


def of_program(name, version):
    return record_of({}, eval_library__name=name, eval_library__version=version)


def of_command(command, library="lm_eval", model="example/model-1", name="agreement", **values):
    return record_of(
        {NAME: name, f"{ARGUMENTS}/execution_command": command, **values},
        eval_library__name=library, model_info__id=model, model_info__name=model.partition("/")[2],
        evaluation_id=f"agreement/{model}/1760000000",
    )  # fmt: skip


def of_data(name, data="MMLU", repo="cais/mmlu", text="Accuracy", **values):
    source = {
        f"{DATA}/dataset_name": data, f"{DATA}/source_type": "hf_dataset", f"{DATA}/hf_repo": repo,
        f"{DATA}/hf_split": "test",
    }  # fmt: skip
    record = record_of({NAME: name, TEXT: text, **source, **values})
    del record["evaluation_results"][0]["source_data"]["url"]
    return record


def counted(score, correct, total, scored, data, deviation):
    record = of_data("npi", "npi", "example/npi", "Accuracy on npi")
    (result,) = record["evaluation_results"]
    counts = details(score, correct=correct, total=total)
    numbers = figures(score, num_samples=scored, standard_deviation=deviation)
    changed(result, {**counts, **numbers, **ACCURACY, f"{DATA}/samples_number": data})
    return record


WITH_JUDGES = "Mean of three judges"
EMPTY = "Rate it.\nQuestion: {question}\nAnswer: \n\nRating:"

CONTRADICTIONS = {
    "more counted than the data has": (
        counted(0.525, 21, 41, 40, 40, 0.5057), "EE268", f"{DETAILS}/total"
    ),
    "one more correct": (counted(0.85, 86, 100, 100, 100, 0.35887), "EE268", SCORE),
    "raw text of other digits": (
        record_of({**ACCURACY, **details(0.8333, accuracy_raw="38.33%")}), "EE268", SCORE
    ),
    "raw text of another scale": (
        record_of({**ACCURACY, **details(0.64, raw="64.00%"), f"{METRIC}/max_score": 100}),
        "EE268", SCORE,
    ),
    "percentage beyond its bound": (
        record_of({**ACCURACY, **details(3.08, accuracy_raw="3.08%")}), "EE201", SCORE
    ),
    "sum of another count": (
        record_of(details(0.5, description="min=0.2, mean=0.5, max=0.8, sum=6.0 (15)")),
        "EE268", f"{DETAILS}/description",
    ),
    "runs without scores": (
        record_of(details(0.61, run_scores="[0.6, 0.62]", runs=3)), "EE268", f"{DETAILS}/runs"
    ),
    "best of the runs": (
        record_of(details(0.63, run_scores="[0.6, 0.61, 0.63]", runs=3)), "EE268", SCORE
    ),
    "parts above the whole": (
        record_of(details(0.5, wins=90, ties=20, losses=102, comparisons=200)),
        "EE268", f"{DETAILS}/comparisons",
    ),
    "tokens of the prompt alone": (
        record_of(details(0.5, prompt_tokens=900, completion_tokens=90, total_tokens=900)),
        "EE268", f"{DETAILS}/total_tokens",
    ),
    "rank after the last": (
        record_of(details(0.5, rank=31, num_models=24)), "EE268", f"{DETAILS}/rank"
    ),
    "negative time": (
        record_of(details(0.5, total_time_s=-3.2)), "EE268", f"{DETAILS}/total_time_s"
    ),
    "negative cost": (
        record_of(details(0.5, total_cost_usd=-3)), "EE268", f"{DETAILS}/total_cost_usd"
    ),
    "end before the start": (
        record_of(
            details(0.5, start_time="2026-01-05T10:00:00Z", end_time="2026-01-05T09:00:00Z")
        ),
        "EE268", f"{DETAILS}/end_time",
    ),
    "more correct than all": (
        record_of({**ACCURACY, **details(1, correct=104, total=100)}), "EE268", f"{DETAILS}/correct"
    ),
    "percentiles exchanged": (
        record_of(details(0.5, latency_p50_s=4, latency_p95_s=1.2)),
        "EE268", f"{DETAILS}/latency_p95_s",
    ),
    "F1 of neither": (
        record_of({**F1, **details(0.665, precision=0.812, recall=0.519), TEXT: "Micro F1"}),
        "EE268", SCORE,
    ),
    "F1 above the mean": (
        record_of({**F1, **details(0.81, precision=0.81, recall=0.51)}), "EE268", SCORE
    ),
    "perplexity of another base": (
        record_of({**PERPLEXITY, **details(5.278, mean_nll=2.4, log_base="e")}), "EE268", SCORE
    ),
    "deviation of another sample": (
        record_of({**figures(0.5, standard_deviation=0.25, num_samples=120),
                   **details(0.5, std=0.15, n=120)}),
        "EE268", f"{DETAILS}/std",
    ),
    "half of the cost": (
        record_of({**figures(0.5, num_samples=100),
                   **details(0.5, cost_per_task_usd=0.25, total_cost_usd=12.5)}),
        "EE268", f"{DETAILS}/total_cost_usd",
    ),
    "interval of distances": (
        record_of(figures(0.5, lower=-0.04, upper=0.06)),
        "EE207", f"{FIGURES}/confidence_interval/lower",
    ),
    "score at the end of its interval": (
        record_of(figures(0.51, "normal", lower=0.51, upper=0.62)),
        "EE207", f"{FIGURES}/confidence_interval/lower",
    ),
    "deviation of one sample": (
        record_of(figures(0.5, num_samples=1, standard_deviation=0.2)),
        "EE208", f"{FIGURES}/num_samples",
    ),
    "variance as deviation": (
        record_of({**ACCURACY, **figures(0.75, num_samples=40, standard_deviation=0.19231)}),
        "EE247", f"{FIGURES}/standard_deviation",
    ),
    "perplexity below 1": (record_of({**PERPLEXITY, f"{METRIC}/min_score": 0, SCORE: 0.8}),
                           "EE257", SCORE),
    "description of another metric": (
        record_of({f"{METRIC}/metric_id": "bleu", TEXT: "Accuracy on npi"}), "EE265", TEXT
    ),
    "description of another k": (
        record_of({NAME: "npi pass@5", TEXT: "pass@1 on npi"}), "EE265", TEXT
    ),
    "two scores of one result": (
        record_of(named("npi", 0.6), named("npi", 0.5)), "EE226", "1"
    ),
    "exact match above F1": (
        record_of(named("SQuAD exact match", 0.82), named("SQuAD F1", 0.71)), "EE269", SCORE
    ),
    "strict above loose": (
        record_of(named("IFEval strict", 0.82), named("IFEval loose", 0.71)), "EE269", SCORE
    ),
    "error that is not the rest": (
        record_of(named("npi accuracy", 0.61),
                  named("npi error rate", 0.52, **{TEXT: "1 - accuracy",
                                                  f"{METRIC}/lower_is_better": True})),
        "EE269", f"1/{SCORE}",
    ),
    "median above the 95th percentile": (
        record_of(named("Latency p50", 4, **COSTS), named("Latency p95", 2, **COSTS)),
        "EE269", f"1/{SCORE}",
    ),
    "less recall in more answers": (
        record_of(named("Recall@5", 0.9), named("Recall@10", 0.7)), "EE269", f"1/{SCORE}"
    ),
    "average of a result that was replaced": (
        average("Unweighted mean of the three tasks below", 0.61, 0.42, 0.73, 0.92), "EE269", SCORE
    ),
    "average of more than are there": (
        average("Mean of the 4 tasks in this record", 0.6, 0.4, 0.7, 0.7), "EE269", TEXT
    ),
    "average of all that is above all": (
        record_of(named("Overall", 0.9, **{TEXT: "Mean of the scores of all subsets"}),
                  named("one", 0.6), named("other", 0.7)),
        "EE269", SCORE,
    ),
    "micro average of other counts": (
        record_of({**named("Overall"), **details(0.5, correct=30, total=60),
                   TEXT: "Micro average over both parts"},
                  {**named("one"), **details(0.5, correct=10, total=20)},
                  {**named("other"), **details(0.5, correct=10, total=20)}),
        "EE269", f"{DETAILS}/total",
    ),
    "repository of another benchmark": (
        of_data("GSM8K", "GSM8K", "google/boolq"), "EE271", f"{DATA}/hf_repo"
    ),
    "description of another benchmark": (
        of_data("GSM8K", "GSM8K", "openai/gsm8k", "Accuracy on BoolQ"), "EE271", TEXT
    ),
    "another language": (
        of_data("Global MMLU (German)", **{f"{DATA}/additional_details/language": "fr"}),
        "EE271", f"{DATA}/additional_details/language",
    ),
    "another subject": (
        of_data("MMLU anatomy", **{f"{MORE}/subject": "virology"}), "EE271", f"{MORE}/subject"
    ),
    "plan of another temperature": (
        record_of({**ONE_ANSWER, f"{ARGUMENTS}/eval_plan/config/temperature": "0.5"}),
        "EE268", f"{ARGUMENTS}/eval_plan/config/temperature",
    ),
    "effort without reasoning": (
        record_of({f"{ARGUMENTS}/reasoning": False, f"{MORE}/reasoning_effort": "high"}),
        "EE268", f"{ARGUMENTS}/reasoning",
    ),
    "command of another program": (
        of_command("inspect eval npi.py"), "EE267", f"{ARGUMENTS}/execution_command"
    ),
    "command with other examples": (
        of_command("lm_eval --tasks a --num_fewshot 5", name="a", **{f"{MORE}/num_fewshot": "0"}),
        "EE267", f"{ARGUMENTS}/execution_command",
    ),
    "command of another model": (
        of_command("inspect eval npi.py --model vllm/lab/llama-70b", "inspect_ai", "lab/llama-8b"),
        "EE267", f"{ARGUMENTS}/execution_command",
    ),
    "command with a place for the model": (
        of_command("inspect eval npi.py --model vllm/{args.model}", "inspect_ai"),
        "EE267", f"{ARGUMENTS}/execution_command",
    ),
    "judge of another maker": (
        of_judge("anthropic/claude-3", "OpenAI"),
        "EE242", f"{METRIC}/llm_scoring/judges/0/model_info/developer",
    ),
    "judge without an owner": (
        of_judge("gpt-4o-2024-08-06", "Anthropic"),
        "EE242", f"{METRIC}/llm_scoring/judges/0/model_info/developer",
    ),
    "no place for the answer": (
        of_judge("openai/gpt-4o", "OpenAI", prompt=EMPTY),
        "EE263", f"{METRIC}/llm_scoring/input_prompt",
    ),
    "fewer judges": (
        of_judge("openai/gpt-4o", "OpenAI", text=WITH_JUDGES),
        "EE263", f"{METRIC}/llm_scoring/judges",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_what_contradicts_is_one_finding_there(name):
    record, code, path = CONTRADICTIONS[name]
    (found,) = check_data(record).findings
    place = path if path[0].isdigit() else f"0/{path}"
    assert (found.code, found.pointer) == (code, f"/evaluation_results/{place}")


@pytest.mark.parametrize(
    ("record", "code", "pointer"),
    [
        (of_program("lm_eval", "inspect_ai==0.3.75"), "EE270", "/eval_library/version"),
        (
            record_of(
                {}, model_info__id="lab/llama-8b", model_info__name="Llama 8B",
                evaluation_id="agreement/lab_llama-70b/1760000000",
            ),
            "EE233", "/evaluation_id",
        ),
        (
            record_of(
                {}, model_info__id="openai/gpt-4o", model_info__name="GPT-4o",
                evaluation_id="agreement/openai/gpt-4o/1760000000",
            ),
            "EE264", "/model_info/additional_details/model_availability",
        ),
        (
            record_of({}, evaluation_timestamp="2025-10-09T08:53:20-05:00"),
            "EE225", "/evaluation_timestamp",
        ),
    ],
    ids=["version of another program", "id of another size", "open GPT", "time of another zone"],
)  # fmt: skip
def test_what_contradicts_in_the_record_is_one_finding(record, code, pointer):
    (found,) = check_data(record).findings
    assert (found.code, found.pointer) == (code, pointer)


AGREEMENTS = {
    "total of unscored samples too": counted(0.6, 60, 98, 100, 110, 0.49),
    "each sample twice": counted(0.6, 120, 200, 200, 100, 0.49),
    "half credit": counted(0.72, 70, 100, 100, 100, 0.44),
    "raw text of fewer digits": record_of({**ACCURACY, **details(0.3697, accuracy_raw="37%")}),
    "raw number before a filter": record_of({**ACCURACY, **details(0.61, raw_accuracy="58.1%")}),
    "raw number of a rescaled score": record_of(
        {**details(0.44, accuracy_raw="58.1%"), TEXT: "Accuracy, corrected for chance"}
    ),
    "statistics of few digits": record_of(
        details(0.843, description="min=0.481, mean=0.843, max=0.984, sum=96.141 (114)")
    ),
    "best of the runs, as it says": record_of(
        {**details(0.63, run_scores="[0.6, 0.61, 0.63]", runs=3), TEXT: "Best of three runs"}
    ),
    "a run that failed": record_of(details(0.61, run_scores="[0.6, 0.62]", runs=3, failed_runs=1)),
    "a majority of runs": record_of(
        {**details(0.66, run_scores="[0.6, 0.61]", runs=2), NAME: "npi maj@2"}
    ),
    "verdicts in both orders": record_of(
        details(0.5, wins=180, ties=40, losses=180, comparisons=200)
    ),
    "verdicts that are invalid": record_of(
        details(0.5, wins=90, ties=20, losses=80, comparisons=200)
    ),
    "tokens of a cache": record_of(
        details(0.5, prompt_tokens=900, completion_tokens=90, total_tokens=1080, cached_tokens=90)
    ),
    "correct in several runs": record_of({**ACCURACY, **details(0.4, correct=120, total=100)}),
    "time zones of start and end": record_of(
        details(0.5, start_time="2026-01-05T10:00:00+02:00", end_time="2026-01-05T09:00:00+00:00")
    ),
    "recall of longer contexts": record_of(named("Recall@4096", 0.9), named("Recall@131072", 0.7)),
    "entries of agents": record_of(details(0.5, rank=31, num_models=24, agent_scaffold="react")),
    "difference of times": record_of(details(0.5, latency_change_s=-3, time_saved=-1)),
    "percentiles of a throughput": record_of(details(0.5, throughput_p50=120, throughput_p95=60)),
    "F1 of classes": record_of(
        {**F1, **details(0.55, precision=0.6, recall=0.6), TEXT: "Macro F1"}
    ),
    "F1 of answers": record_of({**F1, **details(0.66, precision=0.8, recall=0.6), TEXT: "F1"}),
    "perplexity of words": record_of({**PERPLEXITY, **details(18.3, mean_nll=2.4, log_base="e")}),
    "perplexity of bits": record_of({**PERPLEXITY, **details(5.278, mean_nll=2.4, log_base="2")}),
    "deviation of runs": record_of(
        {
            **figures(0.5, standard_deviation=0.25, num_samples=120),
            **details(0.5, std=0.012, n=120), TEXT: "Score, deviation over seeds",
        }
    ),
    "cost of what was solved": record_of(
        {
            **figures(0.5, num_samples=100), **ACCURACY,
            **details(0.5, cost_per_task=0.5, total_cost=25, correct=50, total=100),
        }
    ),
    "interval that a bound cuts off": record_of(figures(0.97, "normal", lower=0.93, upper=1.0)),
    "interval on the scale of logits": record_of(
        figures(0.9, "logit normal", lower=0.8, upper=0.95)
    ),
    "normal interval beyond the bound": record_of(
        figures(0.04, "normal", lower=-0.0384, upper=0.1184)
    ),
    "one task many times": record_of(
        {**figures(0.5, num_samples=1, standard_deviation=0.2), TEXT: "Score over 10 runs"}
    ),
    "Win rate against Perplexity": record_of({f"{METRIC}/metric_name": "Win rate vs. Perplexity"}),
    "pass@1 as accuracy": record_of({f"{METRIC}/metric_id": "pass_at_1", TEXT: "Accuracy on npi"}),
    "pass@1 of pass@10": record_of(
        {f"{METRIC}/metric_id": "pass_at_1", TEXT: "pass@1 estimated from pass@10 samples"}
    ),
    "two seeds": record_of(
        {**named("npi", 0.6), f"{MORE}/seed": "1"}, {**named("npi", 0.5), f"{MORE}/seed": "2"}
    ),
    "exact match and F1 of classes": record_of(
        named("npi exact match", 0.8), named("npi F1", 0.7)
    ),
    "strict and loose prompts": record_of(
        named("gsm8k strict prompt", 0.8), named("gsm8k loose prompt", 0.7)
    ),
    "accuracy, errors and abstentions": record_of(
        named("npi accuracy", 0.6),
        named("npi error rate", 0.3, **{TEXT: "Wrong answers", f"{METRIC}/lower_is_better": True}),
    ),
    "average of subjects that are not listed": average("Mean of the 57 subjects", 0.5, 0.4, 0.7),
    "average of tasks, and something else": average(
        "Mean of the 2 tasks in this record", 0.6, 0.5, 0.7, 0.1
    ),
    "average of what is set to 0": average(
        "Average of the 3 scores, with those below chance set to 0", 0.6, 0.4, 0.7, 0.6
    ),
    "overall rank": record_of(
        named("Overall", 0.9, **{TEXT: "Mean of the ranks"}), named("one"), named("other")
    ),
    "throughput at percentiles of the latency": record_of(
        named("throughput at latency p50", 0.12), named("throughput at latency p99", 0.06)
    ),
    "part of a family": of_data("MMLU-Pro", repo="TIGER-Lab/MMLU-Pro", text="Accuracy on MMLU-Pro"),
    "style of another benchmark": of_data("GSM8K", "GSM8K", "openai/gsm8k", "MMLU-style accuracy"),
    "translation": of_data(
        "XNLI German (translated)", **{f"{DATA}/additional_details/language": "en"}
    ),
    "language of the prompt": of_data("MMLU (German)", **{f"{MORE}/language": "en"}),
    "people, not a language": of_data(
        "Japanese medical exam", **{f"{DATA}/additional_details/language": "en"}
    ),
    "several subjects": of_data("MMLU anatomy, virology", **{f"{MORE}/subject": "virology"}),
    "plan of an agent": record_of(
        {
            **ONE_ANSWER, f"{ARGUMENTS}/eval_plan/steps": ["plan", "act"],
            f"{ARGUMENTS}/eval_plan/config/temperature": "0.5",
        }
    ),
    "version of what it wraps": of_program("olmes", "lm_eval 0.4.8"),
    "version of what runs it": of_program("lighteval", "inspect_ai 0.3.75"),
    "two commands": of_command("lm_eval --tasks npi && inspect view", "helm"),
    "examples that no option changes": of_command(
        "lm_eval --tasks truthfulqa_mc2 --num_fewshot 5", name="truthfulqa_mc2",
        **{f"{MORE}/num_fewshot": "0"},
    ),
    "quantized model": of_command(
        "inspect eval npi.py --model vllm/unsloth/Llama-8B-bnb-4bit", "inspect_ai", "meta/Llama-8B"
    ),
    "judge that was distilled": of_judge("claude-distill-llama", "Meta"),
    "judge of a platform": of_judge("azure/gpt-4o", "OpenAI"),
    "answer behind the prompt": of_judge("openai/gpt-4o", "OpenAI", prompt=EMPTY.split(" \n")[0]),
    "form to fill in": of_judge("openai/gpt-4o", "OpenAI", prompt=f"Use this format. {EMPTY}"),
    "people among judges": of_judge("openai/gpt-4o", "OpenAI", text=f"{WITH_JUDGES}, two human"),
    "time without a zone": record_of({}, evaluation_timestamp="2025-10-09T20:00:00"),
    "time of the retrieval in a zone": record_of(
        {}, evaluation_timestamp="2025-10-09T16:53:20+08:00"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", AGREEMENTS)
def test_what_may_be_honest_has_no_finding(name):
    found = check_data(AGREEMENTS[name]).findings
    assert [(each.code, each.message) for each in found] == []
