"""Numbers and texts of a record that must agree: what contradicts is one finding, the rest none.

Every relation is asked with a record that breaks it, and with honest ones that come near to it.
"""

import copy
import re

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
    "generation_config/generation_args/eval_plan/steps": ["generate"],
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
    interval = {"lower": "confidence_interval/lower", "upper": "confidence_interval/upper",
                "standard_error": "standard_error/value"}  # fmt: skip
    changes = {f"{FIGURES}/{interval.get(key, key)}": value for key, value in values.items()}
    methods = {f"{FIGURES}/confidence_interval/method": method} if method else {}
    return {SCORE: score, **changes, **methods}


def named(name, score=0.5, **values):
    return {NAME: name, SCORE: score, **values}


def pair(*results, **values):
    """Results of one name, each with a metric, a score and perhaps a description."""
    rows = ((metric, score, (*text, "")[0]) for metric, score, *text in results)
    return record_of(
        *(named("npi", score, **{f"{METRIC}/metric_name": metric, TEXT: text, **values})
          for metric, score, text in rows)
    )  # fmt: skip


def average(text, score, *others):
    return record_of(
        named("Average", score, **{TEXT: text}),
        *(named(f"task {at}", other) for at, other in enumerate(others)),
    )


def of_judge(model, developer, *, prompt="Rate {answer}", text="Rating",
             availability="closed_weights"):  # fmt: skip
    about = {"deployment_type": "externally_managed", "model_availability": availability}
    info = {"name": "judge", "id": model, "developer": developer, "additional_details": about}
    judging = {"input_prompt": prompt, "judges": [{"model_info": info}]}
    return record_of({f"{METRIC}/llm_scoring": judging, TEXT: text})


def of_program(name, version):
    return record_of({}, eval_library__name=name, eval_library__version=version)


def of_engine(name, version, *, platform="unknown", library=("lm_eval", "0.4.8")):
    return record_of(
        {}, model_info__inference_engine={"name": name, "version": version},
        model_info__inference_platform=platform,
        eval_library__name=library[0], eval_library__version=library[1],
    )  # fmt: skip


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


def of_model(identity, name, developer="lab", *, organization="Us",
             relation="third_party", availability="unknown", **above):  # fmt: skip
    about = {"deployment_type": "externally_managed", "model_availability": availability}
    return record_of(
        {}, model_info__id=identity, model_info__name=name, model_info__developer=developer,
        model_info__additional_details=about,
        source_metadata__source_organization_name=organization,
        source_metadata__evaluator_relationship=relation,
        evaluation_id=f"agreement/{identity}/1760000000", **above,
    )  # fmt: skip


def of_engine_of_ours(identity, engine="vLLM", **values):
    owner, _, name = identity.partition("/")
    return of_model(identity, name, owner, availability="closed_weights",
                    model_info__inference_engine={"name": engine, "version": "0.6.3"},
                    **values)  # fmt: skip


def of_split(split, text, repo="openai/gsm8k"):
    return of_data("npi", "npi", repo, text, **{f"{DATA}/hf_split": split})


def of_id(benchmark, *names):
    return record_of(
        *(named(name, 0.5 + at / 10, **{TEXT: "Accuracy"}) for at, name in enumerate(names)),
        evaluation_id=f"{benchmark}/example_model-1/1760000000",
    )


CLAUDE = "anthropic/claude-3-7-sonnet", "Claude 3.7 Sonnet", "Anthropic"
LLAMA = "meta-llama/Llama-3.1-8B"


def counted(score, correct, total, scored, data, deviation):
    record = of_data("npi", "npi", "example/npi", "Accuracy on npi")
    (result,) = record["evaluation_results"]
    counts = details(score, correct=correct, total=total)
    numbers = figures(score, num_samples=scored, standard_deviation=deviation)
    changed(result, {**counts, **numbers, **ACCURACY, f"{DATA}/samples_number": data})
    return record


ID, KIND, UNIT = (f"{METRIC}/metric_{key}" for key in ("id", "kind", "unit"))
SETTINGS = "generation_config"


def measured(*results, **values):
    """Results of one name, each with the id of its metric, a score, and perhaps a description."""
    return record_of(*(
        named("npi", score, **{ID: metric, TEXT: (*text, "")[0], **values})
        for metric, score, *text in results
    ))  # fmt: skip


def tried(one, other, *scores):
    """Two pass rates with other settings each."""
    return record_of(
        named("npi", scores[0], **{ID: "pass@1", SETTINGS: one}),
        named("npi", scores[1], **{ID: "pass@10", SETTINGS: other}),
    )


def drawn_at(temperature, **more):
    return {"generation_args": {"temperature": temperature, **more}}


def of_parts(whole, text, *parts, **values):
    overall = named("npi", whole, **{TEXT: text, **values})
    rest = (named(f"npi - {at}", part, **{TEXT: "Accuracy"}) for at, part in enumerate(parts))
    return record_of(overall, *rest)


TOKENS, EXACT = "Token-level F1 averaged over questions", "Share of answers that match exactly"
EMPTY = "Rate it.\nQuestion: {question}\nAnswer: \n\nRating:"

CONTRADICTIONS = {
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
        record_of(details(0.61, run_scores="[0.6, 0.62]", n_runs=3)), "EE268", f"{DETAILS}/n_runs"
    ),
    "best of the runs": (
        record_of(details(0.63, run_scores="[0.6, 0.61, 0.63]", runs=3)), "EE268", SCORE
    ),
    "tokens of the prompt alone": (
        record_of(details(0.5, prompt_tokens=900, completion_tokens=90, total_tokens=900)),
        "EE268", f"{DETAILS}/total_tokens",
    ),
    "negative time": (
        record_of(details(0.5, total_time_s=-3.2)), "EE268", f"{DETAILS}/total_time_s"
    ),
    "end before the start": (
        record_of(
            details(0.5, start_time="2026-01-05T10:00:00Z", end_time="2026-01-05T09:00:00Z")
        ),
        "EE268", f"{DETAILS}/end_time",
    ),
    "more correct than all": (
        record_of({**ACCURACY, TEXT: "Accuracy", **details(1, correct=104, total=100)}),
        "EE268", f"{DETAILS}/correct"
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
        record_of({**PERPLEXITY, **details(5.281, mean_nll=2.401, log_base="e")}), "EE268", SCORE
    ),
    "deviation of another sample": (
        record_of({**figures(0.5, standard_deviation=0.25, num_samples=120),
                   **details(0.5, std=0.15, n=120)}),
        "EE268", f"{DETAILS}/std",
    ),
    "interval of distances": (
        record_of(figures(0.5, lower=-0.04, upper=0.06)),
        "EE207", f"{FIGURES}/confidence_interval/lower",
    ),
    "score at the end of its interval": (
        record_of(figures(0.513, "normal", lower=0.513, upper=0.622)),
        "EE207", f"{FIGURES}/confidence_interval/lower",
    ),
    "variance as deviation": (
        record_of({**ACCURACY, **figures(0.75, num_samples=40, standard_deviation=0.19231)}),
        "EE247", f"{FIGURES}/standard_deviation",
    ),
    "perplexity below 1": (record_of({**PERPLEXITY, f"{METRIC}/min_score": 0, SCORE: 0.8}),
                           "EE257", SCORE),
    "description of another metric": (
        record_of({f"{METRIC}/metric_id": "bleu", TEXT: "METEOR on npi"}), "EE265", TEXT
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
    "average of a result that was replaced": (
        average("Unweighted mean of the three tasks below", 0.61, 0.42, 0.73, 0.92), "EE269", SCORE
    ),
    "average of more than are there": (
        average("Mean of the 4 tasks in this record", 0.6, 0.4, 0.7, 0.7), "EE269", TEXT
    ),
    "average of all that is above all": (
        record_of(named("Overall", 0.9, **{TEXT: "Mean of both results in this record"}),
                  named("one", 0.6), named("other", 0.7)),
        "EE269", SCORE,
    ),
    "more samples than the part of a split": (
        of_data("npi", "npi", "lab/npi", **{f"{DATA}/hf_split": "test[5:15]",
                                            f"{DATA}/samples_number": 164,
                                            f"{FIGURES}/num_samples": 164}),
        "EE254", f"{DATA}/hf_split",
    ),
    "each of the samples, and the part of a split": (
        of_data("npi", "npi", "lab/npi", **{f"{DATA}/hf_split": "test[:10]",
                                            f"{DATA}/samples_number": 100,
                                            f"{FIGURES}/num_samples": 100}),
        "EE254", f"{DATA}/hf_split",
    ),
    "data of another result": (
        record_of(named("boolq", 0.8, **{f"{DATA}/dataset_name": "boolq"}),
                  named("commonsense_qa", 0.6,
                        **{f"{DATA}/dataset_name": "boolq", TEXT: "Accuracy"})),
        "EE271", f"1/{DATA}/dataset_name",
    ),
    "one score of all results": (
        record_of(*(named(data, 0.763457, **{f"{DATA}/dataset_name": data})
                    for data in ("npi", "islands", "gaps"))),
        "EE269", SCORE,
    ),
    "repository of another benchmark": (
        of_data("GSM8K", "GSM8K", "google/boolq"), "EE271", f"{DATA}/hf_repo"
    ),
    "another language": (
        of_data("Global MMLU (German)", **{f"{DATA}/additional_details/language": "fr"}),
        "EE271", f"{DATA}/additional_details/language",
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
        of_command("lm_eval --tasks a --num_fewshot 5", name="a", **{f"{MORE}/num_fewshot": "3"}),
        "EE267", f"{ARGUMENTS}/execution_command",
    ),
    "command of another model": (
        of_command("inspect eval npi.py --model vllm/lab/llama-70b", "inspect_ai", "lab/llama-8b"),
        "EE267", f"{ARGUMENTS}/execution_command",
    ),
    "command of Lighteval alone": (
        of_command("lighteval vllm model_name=example/model-1 'lighteval|mbpp|3'", "inspect_ai"),
        "EE267", f"{ARGUMENTS}/execution_command",
    ),
    "open judge that is closed": (
        of_judge("openai/gpt-4o", "OpenAI", availability="open_weights"), "EE264",
        f"{METRIC}/llm_scoring/judges/0/model_info/additional_details/model_availability",
    ),
    "repository of MATH-500": (
        of_data("WinoGrande", "winogrande", "HuggingFaceH4/MATH-500"), "EE271", f"{DATA}/hf_repo"
    ),
    "data of another benchmark than name and repository": (
        of_data("XNLI (French)", "boolq", "facebook/xnli"), "EE271", f"{DATA}/dataset_name"
    ),
    "address of another benchmark": (
        record_of({NAME: "AlpacaEval 2", TEXT: "Win rate",
                   f"{DATA}/dataset_name": "alpaca_eval",
                   f"{DATA}/url": ["https://huggingface.co/datasets/openai/gsm8k"]}),
        "EE271", f"{DATA}/url/0",
    ),
    "split of training": (
        of_split("train", "Share of right answers on the test split."), "EE271", f"{DATA}/hf_split"
    ),
    "split of another name": (
        of_split("test", "Exact match (dev split)", "cais/mmlu"), "EE271", f"{DATA}/hf_split"
    ),
    "command with a place for the model": (
        of_command("inspect eval npi.py --model vllm/{args.model}", "inspect_ai"),
        "EE267", f"{ARGUMENTS}/execution_command",
    ),
    "command of another task": (
        of_command("lm_eval --tasks hellaswag", name="gsm8k", **{f"{DATA}/dataset_name": "gsm8k"}),
        "EE267", f"{ARGUMENTS}/execution_command",
    ),
    "level names from safe to unsafe": (
        record_of({METRIC: {"lower_is_better": False, "score_type": "levels",
                            "level_names": ["safe", "borderline", "unsafe"],
                            "has_unknown_level": False}, SCORE: 1}),
        "EE259", f"{METRIC}/level_names",
    ),
    "share of what is solved": (
        record_of({NAME: "npi", TEXT: "Fraction of npi tasks solved (0.0-1.0)",
                   f"{METRIC}/lower_is_better": True}),
        "EE211", f"{METRIC}/lower_is_better",
    ),
    "greatest score that is the score": (
        record_of({**figures(0.35, lower=0.21, upper=0.52), f"{METRIC}/max_score": 0.35}),
        "EE248", f"{METRIC}/max_score",
    ),
    "variance of the mean as its error": (
        record_of({**ACCURACY, **figures(0.55, standard_error=0.000211, num_samples=1172)}),
        "EE247", f"{FIGURES}/standard_error/value",
    ),
    "half an interval as the error": (
        record_of({**ACCURACY, **figures(0.55, standard_error=0.02848, num_samples=1172)}),
        "EE247", f"{FIGURES}/standard_error/value",
    ),
    "interval of 90 % that is called 95": (
        record_of({**ACCURACY,
                   **figures(0.552, "normal", lower=0.52811, upper=0.57589, num_samples=1172),
                   f"{FIGURES}/confidence_interval/confidence_level": 0.95}),
        "EE247", f"{FIGURES}/confidence_interval/lower",
    ),
    "ids that were cut": (
        of_data("npi", "npi", "lab/npi", **{f"{DATA}/sample_ids": ["1", "2", "3", "4", "5"],
                                            f"{DATA}/samples_number": 100,
                                            f"{FIGURES}/num_samples": 100}),
        "EE254", f"{DATA}/sample_ids",
    ),
    "name of another result": (
        record_of(*(named(name, score, **{f"{DATA}/dataset_name": data})
                    for name, score, data in (
                        ("npi", 0.4, "npi"), ("islands", 0.5, "islands"), ("npi", 0.6, "gaps")))),
        "EE269", f"2/{NAME}",
    ),
    "more tries with less, where one says less of its settings": (
        tried(drawn_at(0.8, max_tokens=512), drawn_at(0.8), 0.6, 0.5), "EE269", f"1/{SCORE}"
    ),
    "exact match above F1, as they are defined": (
        record_of(named("SQuAD", 0.82, **{ID: "exact_match", TEXT: EXACT}),
                  named("SQuAD", 0.71, **{ID: "f1", TEXT: TOKENS})),
        "EE269", SCORE,
    ),
    "F1 above its precision and recall": (
        measured(("precision", 0.64, "Precision of class 1"),
                 ("recall", 0.45, "Recall of class 1"), ("f1", 0.69, "F1 of class 1")),
        "EE269", f"2/{SCORE}",
    ),
    "macro F1 above its precision and recall": (
        measured(("macro_f1", 0.75), ("macro_recall", 0.65), ("macro_precision", 0.7)),
        "EE269", SCORE,
    ),
    "all that is above each part": (
        of_parts(0.9, "Accuracy over all questions of the 3 subsets.", 0.5, 0.6, 0.7),
        "EE269", SCORE,
    ),
    "no share, of answers after normalisation": (
        record_of({f"{METRIC}/metric_name": "Exact match", **figures(0.2437, num_samples=30),
                   TEXT: "Share of answers that equal the reference after normalisation"}),
        "EE249", SCORE,
    ),
    "digits exchanged, which are of no samples": (
        record_of({**ACCURACY, **details(0.4455, accuracy_raw="45.45%"),
                   f"{FIGURES}/num_samples": 198}),
        "EE268", SCORE,
    ),
    "one score of all results, which is of no samples": (
        record_of(*(named(data, 0.768745, **{f"{DATA}/dataset_name": data, TEXT: "Accuracy",
                                             f"{FIGURES}/num_samples": count})
                    for data, count in (("npi", 541), ("islands", 198), ("gaps", 500)))),
        "EE269", SCORE,
    ),
    "resamples as samples, of which the deviation is not": (
        of_data("npi", "npi", "lab/npi", **{**figures(0.65, num_samples=10000,
                standard_error=0.016698, standard_deviation=0.477281),
                f"{DATA}/samples_number": 817}),
        "EE254", f"{FIGURES}/num_samples",
    ),
    "scores that nobody filled in": (
        record_of(*(named(f"task {at}", 0.0, **{f"{DETAILS}/mean": f"0.{at}"}) for at in "345")),
        "EE268", SCORE,
    ),
    **{
        f"name of another k, {why}": (
            record_of({NAME: "npi pass@10", f"{DATA}/dataset_name": "npi", ID: "pass@1", **values}),
            "EE265", place,
        )
        for why, values, place in (
            ("alone", {}, NAME), ("described", {TEXT: "pass@1"}, NAME),
            ("which the description has too", {TEXT: "pass@10"}, ID),
            ("and of a parameter", {f"{METRIC}/metric_parameters/k": 10}, ID),
        )
    },
    "unit of another description": (
        record_of({**COSTS, ID: "latency", UNIT: "seconds", SCORE: 7509.2,
                   TEXT: "Mean time to a complete answer in milliseconds."}),
        "EE265", UNIT,
    ),
    "F1 that is a percentage": (
        measured(("precision", 0.41), ("recall", 0.35), ("f1", 62)), "EE201", f"2/{SCORE}"
    ),
    "kind that is another metric": (record_of({ID: "rouge_l", KIND: "bleu"}), "EE265", KIND),
    "description of answers, of BLEU": (
        record_of({ID: "bleu", TEXT: "Share of questions answered correctly."}), "EE265", TEXT
    ),
    "description of BLEU, as it was computed": (
        record_of({**COSTS, ID: "wer", TEXT: "Corpus BLEU as computed by sacrebleu"}), "EE265", TEXT
    ),
    "latency by its name": (
        record_of({NAME: "Latency on npi", TEXT: "Mean time to an answer, in seconds.",
                   f"{METRIC}/max_score": 1000}),
        "EE211", f"{METRIC}/lower_is_better",
    ),
    "perplexity by its description": (
        record_of({TEXT: "Word-level perplexity on npi", SCORE: 8.1, f"{METRIC}/min_score": 1,
                   f"{METRIC}/max_score": "Infinity"}),
        "EE211", f"{METRIC}/lower_is_better",
    ),
    **{
        f"placeholder {text!r} in {path}": (record_of({path: text}), "EE255", path)
        for path, text in (
            (NAME, "unnamed"), (NAME, "task_name"), (NAME, "benchmark_name"),
            (f"{DATA}/dataset_name", "dataset"),
            (f"{DATA}/dataset_name", "/data/evals/test.jsonl"),
        )
    },
    **{
        f"template {text!r}": (
            record_of({f"{ARGUMENTS}/prompt_template": text}),
            "EE253", f"{ARGUMENTS}/prompt_template",
        )
        for text in ("TODO", "...", "<prompt>", "prompt_template")
    },
    "blanks around the name of the data": (
        record_of({f"{DATA}/dataset_name": "npi "}), "EE241", f"{DATA}/dataset_name"
    ),
    "more messages than tokens": (
        record_of({f"{ARGUMENTS}/eval_limits": {"message_limit": 100000, "token_limit": 60}}),
        "EE253", f"{ARGUMENTS}/eval_limits/message_limit",
    ),
    "time in milliseconds": (
        record_of({f"{ARGUMENTS}/eval_limits": {"time_limit": 3600000}}),
        "EE253", f"{ARGUMENTS}/eval_limits/time_limit",
    ),
    "tools with exchanged names": (
        record_of({f"{ARGUMENTS}/agentic_eval_config/available_tools": [
            {"name": "Run a command in the sandbox", "description": "bash"}]}),
        "EE253", f"{ARGUMENTS}/agentic_eval_config/available_tools/0/name",
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
}  # fmt: skip


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_what_contradicts_is_one_finding_there(name):
    record, code, path = CONTRADICTIONS[name]
    (found,) = check_data(record).findings
    place = path if path[0].isdigit() else f"0/{path}"
    assert (found.code, found.pointer) == (code, f"/evaluation_results/{place}")


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_numbers_of_more_digits_than_python_reads_are_no_internal_error(name):
    def enlarged(value):
        if isinstance(value, dict):
            return {key: enlarged(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [enlarged(inner) for inner in value]
        return re.sub(r"\d+", "9" * 5000, value) if isinstance(value, str) else value

    record, _, _ = CONTRADICTIONS[name]
    check_data({**record, "evaluation_results": enlarged(record["evaluation_results"])})


@pytest.mark.parametrize(
    ("record", "code", "pointer"),
    [
        (of_program("lm_eval", "inspect_ai==0.3.75"), "EE270", "/eval_library/version"),
        (of_program("lm_eval", "lm-eval==0.4.8"), "EE270", "/eval_library/version"),
        (of_program("lm_eval", "x.y.z"), "EE255", "/eval_library/version"),
        (of_program("lm_eval", "lm_eval"), "EE270", "/eval_library/version"),
        (of_program("lm_eval", "example/model-1"), "EE270", "/eval_library/version"),
        (of_engine("vllm", "0.8.5", library=("vllm", "0.8.5")), "EE270", "/eval_library/name"),
        (
            of_engine("local", "0.8.5", platform="vllm"), "EE270", "/model_info/inference_platform",
        ),
        (
            record_of(
                {}, model_info__additional_details__deployment_type="externally_managed",
                model_info__inference_platform="local",
                model_info__inference_engine={"name": "vllm", "version": "0.8.5"},
            ),
            "EE264", "/model_info/additional_details/deployment_type",
        ),
        (of_engine("vllm", "None"), "EE255", "/model_info/inference_engine/version"),
        (
            record_of({}, source_metadata__source_name="/home/anna/results.json"),
            "EE255", "/source_metadata/source_name",
        ),
        (
            record_of({}, source_metadata__source_name="results.json"),
            "EE255", "/source_metadata/source_name",
        ),
        (record_of({}, model_info__developer="example "), "EE241", "/model_info/developer"),
        (
            record_of(
                {}, model_info__developer="model-1", model_info__id="mod/model-1",
                evaluation_id="agreement/mod/model-1/1760000000",
            ),
            "EE242", "/model_info/developer",
        ),
        (
            record_of({}, model_info__additional_details__params_billions="1550000000"),
            "EE262", "/model_info/additional_details/params_billions",
        ),
        (
            record_of({"evaluation_result_id": "agreement-0.3.0/lab/llama-9/1750000000#npi"}),
            "EE233", "/evaluation_results/0/evaluation_result_id",
        ),
        (
            record_of(
                {f"{ARGUMENTS}/reasoning": False}, model_info__id="lab/Big-9-Thinking",
                model_info__name="Big 9 Thinking", model_info__developer="lab",
                evaluation_id="agreement/lab/Big-9-Thinking/1760000000",
            ),
            "EE253", f"/evaluation_results/0/{ARGUMENTS}/reasoning",
        ),
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
        (
            of_model(LLAMA, "Llama 3.1 8B", "Meta", organization="https://lab.example"),
            "EE255", "/source_metadata/source_organization_name",
        ),
        (
            of_model(LLAMA, "Llama 3.1 8B", "https://lab.example"),
            "EE255", "/model_info/developer",
        ),
        (of_model(LLAMA, "Llama 3.1 8B", "Meta", organization="Example Org"),
         "EE255", "/source_metadata/source_organization_name"),
        (of_model(f"{LLAMA}-Instruct", "Llama 3.1 8B (base)", "Meta"),
         "EE262", "/model_info/name"),
        (of_model(f"{LLAMA}-Base", "Llama 3.1 8B Chat", "Meta"), "EE262", "/model_info/name"),
        (of_model("google/gemma-2-9b-pt", "Gemma 2 9B IT", "Google"),
         "EE262", "/model_info/name"),
        (of_model("lab/llama-7b", "Llama 7B", "OpenAI"), "EE242", "/model_info/developer"),
        (of_model("openai/gpt-4o", "GPT-4o", "Some Lab"), "EE242", "/model_info/developer"),
        (of_model("my-org/my-model", "Qwen2.5 7B Instruct", "Qwen"), "EE255", "/model_info/id"),
        (of_model("org/model", "Qwen2.5 7B Instruct", "Qwen"), "EE255", "/model_info/id"),
        (of_model(*CLAUDE, model_info__inference_platform="OpenAI"),
         "EE264", "/model_info/inference_platform"),
        (of_engine_of_ours("openai/gpt-4o"), "EE264", "/model_info/inference_engine/name"),
        (
            of_engine_of_ours(
                "openai/gpt-4o", model_info__additional_details__deployment_type="self_deployed"
            ),
            "EE264", "/model_info/additional_details/deployment_type",
        ),
        (of_engine_of_ours("openai/gpt-4o", model_info__inference_platform="Anthropic"),
         "EE264", "/model_info/inference_engine/name"),
        (of_model(LLAMA, "Llama 3.1 8B", "Meta", availability="closed_weights"),
         "EE264", "/model_info/additional_details/model_availability"),
    ],
    ids=["version of another program", "version with the name", "version of a template",
         "program as version", "model as version",
         "library that is the engine", "platform that is an engine", "local and not",
         "engine without a version",
         "path as source", "file as source", "blank behind a name", "model as developer",
         "number of parameters", "id of a result of another model", "model that always reasons",
         "id of another size", "open GPT", "time of another zone",
         "address as organization", "address as developer", "organization of a template",
         "base model that follows instructions", "base model that chats", "base model of Gemma",
         "known developer of another owner",
         "known owner of another developer", "id of a template", "id of a template of two words",
         "platform of another maker", "engine of a model that is closed",
         "engine and deployment of one", "engine and platform of one", "closed Llama"],
)  # fmt: skip
def test_what_contradicts_in_the_record_is_one_finding(record, code, pointer):
    (found,) = check_data(record).findings
    assert (found.code, found.pointer) == (code, pointer)


@pytest.mark.parametrize(
    ("record", "end"),
    [
        (of_engine_of_ours("openai/gpt-4o"), ' has closed weights, but the engine "vLLM"'),
        (of_split("test", "Exact match (dev split)"), " the description speaks of the dev split"),
    ],
)
def test_a_message_has_the_words_of_the_author(record, end):
    (found,) = check_data(record).findings
    assert found.message.endswith(end)


AGREEMENTS = {
    "more tries, with fewer tokens": tried(
        drawn_at(0.8, max_tokens=512), drawn_at(0.8, max_tokens=64), 0.6, 0.5
    ),
    "one answer against what was drawn": tried(drawn_at(0), {"generation_args": {}}, 0.6, 0.59),
    **{
        f"tries of which one has {sorted(values)}": tried(
            drawn_at(0.8, **values), drawn_at(0.8), 0.81, 0.74
        )
        for values in (
            {"reasoning": True}, {"reasoning": False}, {"prompt_template": "{question}"},
            {"top_p": 0.9}, {"max_attempts": 3}, {"eval_limits": {"token_limit": 4000}},
        )
    },
    **{
        f"tries, of which one has {details}": tried(
            {**drawn_at(0.8), "additional_details": details}, drawn_at(0.8), 0.81, 0.74
        )
        for details in ({"num_fewshot": "3"}, {"tta": "10 crops"}, {"ties": "best"})
    },
    "tries with another time": record_of(*(
        named("npi", score, **{ID: metric, f"{METRIC}/metric_parameters": parameters})
        for metric, score, parameters in (
            ("pass@1", 0.62, {"k": 1, "timeout": 30}), ("pass@10", 0.55, {"k": 10, "timeout": 3}),
        )
    )),
    "tries on other data": record_of(*(
        named("npi", score, **{ID: metric, f"{DATA}/additional_details/language": language})
        for metric, score, language in (("pass@1", 0.62, "python"), ("pass@10", 0.35, "rust"))
    )),
    **{
        f"exact match and F1: {exact}": record_of(
            named(data, 0.62, **{ID: "exact_match", TEXT: exact}),
            named(data, 0.55, **{ID: "f1", TEXT: f1}),
        )
        for data, exact, f1 in (
            ("TriviaQA", "Exact match with any of the references",
             "Token F1 averaged over all the references"),
            ("SQuAD", "Exact match after normalization of answers",
             "Token-level F1 between the answer and the reference"),
        )
    },
    "exact match and F1 with other parameters": record_of(*(
        named("TriviaQA", score, **{ID: metric, f"{METRIC}/metric_parameters/references": of})
        for metric, score, of in (("exact_match", 0.62, "any"), ("f1", 0.55, "mean"))
    )),
    "strict and loose of other levels": record_of(*(
        named("IFEval", score, **{ID: metric, f"{METRIC}/metric_parameters/level": level})
        for metric, score, level in (
            ("strict_acc", 0.87, "instruction"), ("loose_acc", 0.7, "prompt"),
        )
    )),
    **{
        f"F1 with {key} in {path}": record_of(*(
            named("npi", score, **{ID: metric, f"{path}/{key}": of})
            for metric, score, of in (
                ("precision", 0.41, one), ("recall", 0.35, one), ("f1", 0.62, other),
            )
        ))
        for path, key, one, other in (
            (f"{METRIC}/metric_parameters", "threshold", 0.5, 0.31),
            (f"{METRIC}/metric_parameters", "average", "micro", "macro"),
            (f"{DATA}/additional_details", "subset", "all", "easy"),
        )
    },
    "tries without settings": record_of(
        named("npi", 0.6, **{ID: "pass@1", SETTINGS: drawn_at(0.8)}),
        named("npi", 0.5, **{ID: "pass@10"}),
    ),
    "exact match and F1 of other answers": record_of(
        named("Natural Questions", 0.5, **{ID: "em", TEXT: "Exact match of short answers"}),
        named("Natural Questions", 0.4, **{ID: "f1", TEXT: "F1 of long answers"}),
    ),
    "F1 at its best threshold": measured(
        ("precision", 0.6), ("recall", 0.5), ("best_f1", 0.7)
    ),
    "F1 of answers, precision of what was found": measured(
        ("precision", 0.2, "Precision of the passages"), ("recall", 0.5, "Recall of the passages"),
        ("f1", 0.7, "F1 of the answers"),
    ),
    "micro F1 beside macro precision": measured(
        ("macro_precision", 0.6), ("macro_recall", 0.5), ("micro_f1", 0.7)
    ),
    "macro F1 that is no harmonic mean": measured(
        ("macro_precision", 0.6), ("macro_recall", 0.5), ("macro_f1", 0.48)
    ),
    "rescaled F1 of BERTScore": measured(("precision", 0.41), ("recall", 0.43), ("f1", 0.4245)),
    "F1 of another class": record_of(*(
        named("npi", score, **{ID: metric, f"{DETAILS}/class": str(of)})
        for metric, score, of in (("precision", 0.2, 1), ("recall", 0.3, 1), ("f1", 0.7, 2)))),
    "hard parts of what is easy": of_parts(0.9, "Accuracy over all 57 subjects.", 0.5, 0.6, 0.7),
    "all parts right": of_parts(
        0.3, "Share of questions that are right in all 3 languages", 0.5, 0.6, 0.7
    ),
    "best of as many runs as parts": of_parts(
        0.9, "Accuracy over 3 runs, of which the best counts", 0.5, 0.6, 0.7
    ),
    "F1 over parts": of_parts(
        0.9, "F1 over the 3 subsets.", 0.5, 0.6, 0.7, **{f"{METRIC}/metric_name": "F1"}
    ),
    **{
        f"parts of {text}": of_parts(0.9, text, 0.5, 0.6, 0.7)
        for text in (
            "Accuracy of the majority vote over the 3 languages",
            "Accuracy of the best answer across the three languages",
            "Accuracy over any of the 3 subsets",
        )
    },
    **{
        f"names that begin with {name}": record_of(
            named(name, 0.9, **{TEXT: "Accuracy over the 2 sets"}),
            *(named(other, score, **{TEXT: "Accuracy"})
              for other, score in zip(others, (0.5, 0.1), strict=True)),
        )
        for name, *others in (
            ("ARC", "ARC-AGI-1", "ARC-AGI-2"),
            ("BIG-Bench", "BIG-Bench Hard", "BIG-Bench Extra Hard"),
            ("GPQA", "GPQA Diamond", "GPQA Extended"),
        )
    },
    "parts with other parameters": of_parts(
        0.9, "Accuracy over the 3 subsets.", 0.5, 0.6, 0.7,
        **{f"{METRIC}/metric_parameters/attempts": 5},
    ),
    "parts with examples": of_parts(
        0.9, "Accuracy over the 3 subsets.", 0.5, 0.6, 0.7, **{f"{MORE}/num_fewshot": "5"}
    ),
    **{
        f"error of a perfect score: {method}, {error}": record_of(
            {**ACCURACY, **figures(1.0, standard_error=error, num_samples=30),
             f"{FIGURES}/standard_error/method": method})
        for method, error in (
            ("analytic", 0.0308), ("analytic (Wilson)", 0.02895), ("analytic", 0.0289),
            ("analytic, rule of three", 0.051), ("analytic (Clopper-Pearson)", 0.059),
            ("analytic (Agresti-Coull)", 0.0412),
        )
    },
    **{
        f"{wins} games won, {text}": record_of(
            {**details(score, wins=wins, losses=losses, ties=ties, **more), TEXT: text})
        for text, score, wins, losses, ties, more in (
            ("Win rate against the baseline", 0.303, 100, 50, 30, {"both_bad": 150}),
            ("Win rate against the baseline", 0.82, 280, 180, 40, {}),  # clear wins count more
            ("Win rate, every opponent counts alike", 0.42, 280, 120, 40, {}),
        )
    },
    "ten answers to each question, and as many resamples": of_data(
        "npi", "npi", "lab/npi", "Accuracy, 10 answers to each question",
        **{**figures(0.65, num_samples=10000, standard_error=0.0127, standard_deviation=0.4016),
           f"{FIGURES}/standard_error/method": "clustered by question",
           f"{FIGURES}/num_bootstrap_samples": 10000, f"{DATA}/samples_number": 1000},
    ),
    "weights that were normalised": record_of(
        {**ACCURACY, **figures(0.2437, num_samples=30),
         TEXT: "Accuracy on matched items after weight normalization"}
    ),
    "normalised score": record_of(
        {**ACCURACY, **figures(0.2437, num_samples=30), TEXT: "Accuracy, normalised by chance"}
    ),
    **{
        f"{metric} of {name}": record_of({NAME: name, f"{DATA}/dataset_name": "npi", ID: metric})
        for name, metric in (
            ("npi recall@100, reranked to recall@10", "recall@10"),
            ("npi, reranking of recall@1000", "recall@10"), ("npi (hits@20 passages)", "hits@1"),
            ("npi unsolved at pass@8", "pass@1"), ("npi pass@1 (greedy)", "pass@1"),
        )
    },
    **{
        f"unit {unit!r} of {text!r}": record_of(
            {**COSTS, ID: "latency", UNIT: unit, SCORE: 7509.2, TEXT: text})
        for unit, text in (
            ("seconds", "Time measured in milliseconds, written in seconds."),
            ("seconds", "Latency over requests made in hours of many requests"),
            ("seconds", "Latency with a limit of 5 minutes"), ("ms", "Time (ms)"),
            ("s", "Time per answer in seconds"), ("dollars", "Cost (euros, as US dollars)"),
            ("minutes", "Time to finish a task that experts do in hours."),
            ("EUR", "Cost of a task, from list prices in dollars."),
            ("ms", "Latency of tasks that must end in seconds"),
        )
    },
    "share of what is solved in minutes": record_of(
        {ID: "solve_rate", UNIT: "percent", f"{METRIC}/max_score": 100, SCORE: 50,
         TEXT: "Share of incidents solved in minutes"}
    ),
    **{
        f"kind {kind} of {metric}": record_of({ID: metric, KIND: kind})
        for kind, metric in (
            ("accuracy", "bleu"), ("accuracy", "rouge_l"), ("f1", "rouge_l"), ("accuracy", "f1"),
            ("bleu", "sacrebleu"), ("rouge", "rouge_l"), ("f1", "exact_match"), ("bleu", "chrf"),
            ("bleu", "bleu_acc"), ("f1", "accuracy"), ("micro_f1", "accuracy"),
            ("f1", "balanced_accuracy"),
        )
    },
    **{
        f"description {text!r} of {metric}": record_of({ID: metric, TEXT: text})
        for metric, text in (
            ("bleu", "Share of n-grams that are in the reference"),
            ("rouge_l", "Share of words in the longest common sequence"),
            ("accuracy", "Perplexity-based choice of the right answer"),
            ("exact_match", "Share of questions answered correctly"),
            ("elo", "Fraction of problems solved correctly"),
            ("mrr", "Share of questions answered correctly"),
            ("accuracy", "Perplexity as implemented in OpenCompass picks the answer"),
            ("accuracy", "Perplexity as implemented in OpenCompass"),
            ("accuracy", "Perplexity averaged over tokens picks the ending"),
            ("win_rate", "BLEU as computed by sacrebleu decides which of two systems wins"),
        )
    },
    "time that is saved": record_of(
        {NAME: "Latency", TEXT: "Time saved, in seconds", f"{METRIC}/max_score": 1000}
    ),
    **{
        f"more is better: {name}, {text}": record_of(
            {NAME: name, TEXT: text, f"{METRIC}/max_score": most})
        for name, text, most in (
            ("Sale price", "Mean price at which the agent sold the item, in dollars.", 1000),
            ("Autonomous runtime", "Mean time for which the agent works without a human, in hours.",
             1000),
            ("Latency", "Points for latency, with full marks at answers in seconds.", 100),
            ("Latency", "Share of requests that are answered in seconds.", 1),
            ("Latency", "Accuracy of estimates of the latency in seconds", 1),
            ("Latency", "Mean time to an answer, in seconds", 1),  # on a scale
            ("Battery runtime", "Mean time in hours", 99), ("Price", "Mean price in dollars", 99),
        )
    },
    "latency as a share": record_of({NAME: "Latency", TEXT: "Share of answers in time"}),
    "runs that failed": record_of(*(
        named(f"task {at}", 0.5 * at, **{f"{DETAILS}/mean": f"0.{at * 5}"}) for at in range(3)
    )),
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
    "tokens of a cache": record_of(
        details(0.5, prompt_tokens=900, completion_tokens=90, total_tokens=1080, cached_tokens=90)
    ),
    "correct in several runs": record_of({**ACCURACY, **details(0.4, correct=120, total=100)}),
    "time zones of start and end": record_of(
        details(0.5, start_time="2026-01-05T10:00:00+02:00", end_time="2026-01-05T09:00:00+00:00")
    ),
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
    "interval that a bound cuts off": record_of(figures(0.97, "normal", lower=0.93, upper=1.0)),
    "interval on the scale of logits": record_of(
        figures(0.9, "logit normal", lower=0.8, upper=0.95)
    ),
    "normal interval beyond the bound": record_of(
        figures(0.04, "normal", lower=-0.0384, upper=0.1184)
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
    "translation": of_data(
        "XNLI German (translated)", **{f"{DATA}/additional_details/language": "en"}
    ),
    "language of the prompt": of_data("MMLU (German)", **{f"{MORE}/language": "en"}),
    "people, not a language": of_data(
        "Japanese medical exam", **{f"{DATA}/additional_details/language": "en"}
    ),
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
    "count of votes": record_of(
        {**ACCURACY, **details(0.3333, n_correct=10, n=8), TEXT: "Majority of 8 votes on npi"}
    ),
    "more than can be counted": record_of({**ACCURACY, **details(0.5, correct="1e9", total=1)}),
    "counts that are none": record_of(
        {
            **F1, **figures(0.5, num_samples=10, standard_deviation=0.5),
            **details(0.5, correct="nan", total="inf", std="nan", precision="nan", recall=0.5,
                      run_scores="[Infinity, -Infinity]", latency_s="-inf"),
        }
    ),
    "scores of runs without an end": record_of(details(0.5, run_scores="[" * 20_000)),
    "counts before a review": record_of(
        {
            **ACCURACY, **figures(0.64, num_samples=100, standard_deviation=0.48),
            **details(0.64, correct=63, total=100), TEXT: "Accuracy after a review by hand",
        }
    ),
    "accuracy on text": record_of({**ACCURACY, **details(0.64, accuracy_text="71.2%")}),
    "accuracy of what was answered": record_of(
        {**ACCURACY, **details(0.64, accuracy_percent="81.2%")}
    ),
    "games in both orders": record_of(details(0.55, wins=55, ties=10, losses=45, games=100)),
    "scale of a rating": record_of(details(0.71, mean=0.71, min=1, max=5)),
    "seed of the runs": record_of(details(0.61, run_scores="[0.6, 0.61, 0.62]", seeds=42)),
    "mean of the middle runs": record_of(
        {**details(0.61, run_scores="[0.1, 0.6, 0.61, 0.62, 0.8]"), TEXT: "Interquartile mean"}
    ),
    "run that was selected": record_of(details(0.6, run_scores="[0.6, 0.61, 0.65]")),
    "best of the runs, in German": record_of(
        {**details(0.63, run_scores="[0.6, 0.61, 0.63]"), TEXT: "Bester von drei"}
    ),
    "greedy beside sampled runs": record_of(details(0.74, run_scores="[0.7, 0.71, 0.72]")),
    "points of runs": record_of(details(0.7857, run_scores="[30, 33, 36]")),
    "F1 of the best threshold": record_of(
        {**F1, **details(0.82, precision=0.7, recall=0.68), TEXT: "Best F1 over all thresholds"}
    ),
    "F1 of points": record_of(
        {f"{METRIC}/metric_name": "point-adjusted F1", **details(0.9, precision=0.4, recall=0.4)}
    ),
    "perplexity of a rounded loss": record_of(
        {**PERPLEXITY, **details(80, loss="3.0", log_base="e")}
    ),
    "deviation of the bootstrap": record_of(
        {
            **figures(0.75, standard_deviation=0.433, num_samples=100),
            **details(0.75, std=0.043, n=100),
        }
    ),
    "mean numbers of tokens": record_of(
        details(0.5, prompt_tokens="1.5e6", completion_tokens="2.3e5", total_tokens="1.7e6")
    ),
    "cost that is a gain": record_of(details(0.5, total_cost=-3, cost_per_task=1)),
    "logarithm of a time": record_of(
        {**details(0.5, latency=-0.3), TEXT: "Score, log10 of seconds"}
    ),
    "no limit": record_of(details(0.5, n_samples=-1)),
    "horizons at percentiles": record_of(
        details(0.5, p50_duration_minutes=59, p80_duration_minutes=15)
    ),
    "Berlin in October": record_of(
        details(
            0.5, start_time="2026-10-25T02:50:00 Europe/Berlin",
            end_time="2026-10-25T02:10:00 Europe/Berlin",
        )
    ),
    "run that was selected by its number": record_of(
        details(0.72, run_scores="[0.7, 0.72]", n_runs=2, selected_run=2)
    ),
    "rounded tokens": record_of(
        details(0.5, prompt_tokens=813, completion_tokens=191, total_tokens=1003)
    ),
    "deviation of a length": record_of(
        {
            **figures(0.75, standard_deviation=0.433, num_samples=100),
            **details(0.75, std=38.2, n=100, mean_length=120),
        }
    ),
    "average of which two are here": record_of(
        named("Overall", 0.9, **{TEXT: "Average over 57 subjects, two are in this record"}),
        named("one", 0.6), named("other", 0.7),
    ),
    "part of a file": record_of(details(0.5, start=0, end=-1)),
    "clock that was put back": record_of(
        details(0.5, start_time="2026-10-25T02:50:00", end_time="2026-10-25T02:10:00")
    ),
    "entries of a team": record_of(details(0.5, rank=15, entries=7)),
    "deviation of chunks": record_of(
        {**figures(0.5, num_samples=1, standard_deviation=0.2), TEXT: "Score of one book"}
    ),
    **{
        f"interval by {method}": record_of(figures(0.801, method, lower=0.723, upper=0.859))
        for method in ("Fisher's z", "skew-normal", "probit scale, normal", "Wald, plus four")
    },
    "interval of the mean beside the best": record_of(
        {**figures(0.753, "t", lower=0.701, upper=0.762), TEXT: "Best of five seeds"}
    ),
    "rescaled perplexity": record_of(
        {**COSTS, f"{METRIC}/metric_name": "perplexity", SCORE: 0.4, TEXT: "Perplexity, scaled"}
    ),
    "difference of perplexities": record_of(
        {**COSTS, f"{METRIC}/metric_name": "ΔPPL", SCORE: 0.12}
    ),
    "F1 of words": record_of({f"{METRIC}/metric_id": "rouge-l", TEXT: "F1 of sequences"}),
    "levels of IFEval": pair(
        ("IFEval instruction strict", 0.85), ("IFEval prompt loose", 0.8),
        ("IFEval instruction loose", 0.87), ("IFEval prompt strict", 0.78),
    ),
    "languages of IFEval": record_of(
        {**named("IFEval strict", 0.85), f"{DETAILS}/language": "de"},
        {**named("IFEval loose", 0.8), f"{DETAILS}/language": "fr"},
    ),
    "joint F1": pair(("HotpotQA exact match", 0.6), ("HotpotQA joint F1", 0.45)),
    "F1 of other questions": pair(
        ("SQuAD exact match", 0.82), ("SQuAD F1", 0.78, "F1 of answerable questions")
    ),
    "capped recall": pair(("Recall@1", 0.6), ("Recall@10", 0.44)),
    "rank among more": pair(("MRR@10", 0.5), ("MRR@100", 0.3)),
    "latency with fewer users": pair(
        ("latency p50", 3.1, "8 users"), ("latency p95", 2.2, "1 user"), **COSTS
    ),
    "error of what was answered": record_of(
        named("npi accuracy", 0.701),
        named("npi error rate", 0.213, **{TEXT: "1 - accuracy over answered questions",
                                       f"{METRIC}/lower_is_better": True}),
    ),
    "average that a page had": average("Average of the 6 benchmarks above", 0.6, 0.4, 0.7, 0.7),
    "mean by size": average("Mean of the two results below, by size", 0.704, 0.812, 0.503),
    "rating of the whole": record_of(
        named("Overall", 0.9, **{TEXT: "Average of the ratings of the whole text"}),
        named("one", 0.6), named("other", 0.7),
    ),
    "micro average of parts that overlap": record_of(
        {**named("Overall"), **details(0.5, correct=75, total=150),
         TEXT: "Micro-average of both parts, which share 50"},
        {**named("one"), **details(0.5, correct=50, total=100)},
        {**named("other"), **details(0.5, correct=50, total=100)},
    ),
    "normalisation of another benchmark": of_data(
        "GSM8K", "GSM8K", "openai/gsm8k", "Accuracy by the script of SQuAD"
    ),
    **{
        f"split {part}": of_data(
            "npi", "npi", "lab/npi",
            **{f"{DATA}/hf_split": part, f"{DATA}/samples_number": 1000,
               f"{FIGURES}/num_samples": 500},
        )
        for part in ("test[:500]", "train[10%:20%]", "test[-500:]", "test[:100]", "a[:9]+b[:491]")
    },
    "baseline against itself": record_of(
        {**figures(50.0, standard_error=0.0, num_samples=805), f"{METRIC}/max_score": 100}
    ),
    "host that begins as an address": record_of(
        {}, source_metadata__source_organization_url="http://127.lab.ac.jp:8080/"
    ),
    "file on an old server": record_of({f"{DATA}/url": ["ftp://ftp.lab.ac.jp/pub/x.tsv"]}),
    "level of toxicity": record_of(
        {SCORE: 0, METRIC: {"lower_is_better": True, "score_type": "levels",
                            "level_names": ["none", "mild", "severe"],
                            "has_unknown_level": True}}
    ),
    "ids of other words": record_of(
        {NAME: "boolq", "evaluation_result_id": "npi#boolq"},
        {NAME: "boolq, all of it", "evaluation_result_id": "npi#boolq#all"},
        {NAME: "piqa", "evaluation_result_id": "npi#piqa"},
        {NAME: "piqa, all of it", "evaluation_result_id": "npi#piqa#all"},
    ),
    "what I have merged": record_of(
        {}, model_info__name="My merge of Llamas", model_info__id="lab/llama-merge",
        evaluation_id="agreement/lab/llama-merge/1760000000",
    ),
    **{
        f"engine {name} {version} on {platform}": of_engine(name, version, platform=platform)
        for name, version, platform in (
            ("vllm", "vllm==0.6", "local"), ("vllm", "0.8.5", "vllm"), ("vllm", "dev", "together"),
        )
    },
    "version of a commit": of_program("lm_eval", "main@9f3a2c1"),
    "version of a fork": of_program("lm_eval", "lm_eval-fork"),
    "version of a program of one's own": of_program("internal", "internal"),
    "source that is called like a file": record_of(
        {}, source_metadata__source_name="results/2025: C-Eval.com table"
    ),
    "model that can reason": record_of(
        {f"{ARGUMENTS}/reasoning": False}, model_info__id="lab/Big-9-Nonthinking",
        model_info__name="Big 9 Nonthinking", model_info__developer="lab",
        evaluation_id="agreement/lab/Big-9-Nonthinking/1760000000",
    ),
    "group of tasks": of_command("lm_eval --tasks all_core", name="gsm8k"),
    "task of the same family": of_command("lm_eval --tasks mmlu", name="mmlu_pro"),
    "attacks that are solved": record_of(
        {TEXT: "Share of attack tasks completed", f"{METRIC}/lower_is_better": True}
    ),
    "time until solved": record_of(
        {f"{METRIC}/metric_name": "time to solve", f"{METRIC}/lower_is_better": True}
    ),
    "safe to unsafe, where less is better": record_of(
        {METRIC: {"lower_is_better": True, "score_type": "levels",
                  "level_names": ["safe", "unsafe"], "has_unknown_level": False}, SCORE: 1}
    ),
    "perfect score": record_of(
        {**figures(4.5, standard_error=0.0, num_samples=9), f"{METRIC}/max_score": 4.5}
    ),
    "error of clusters": record_of(
        {**ACCURACY, **figures(0.55, standard_error=0.0205, num_samples=1172)}
    ),
    "deviation over runs": record_of(
        {**ACCURACY, **figures(0.55, standard_error=0.0012, num_samples=1172),
         TEXT: "Accuracy, mean of five runs"}
    ),
    "interval of Wilson": record_of(
        {**ACCURACY, **figures(0.552, "wilson", lower=0.52346, upper=0.58025, num_samples=1172),
         f"{FIGURES}/confidence_interval/confidence_level": 0.95}
    ),
    "interval of 90 %": record_of(
        {**ACCURACY, **figures(0.552, "normal", lower=0.52811, upper=0.57589, num_samples=1172),
         f"{FIGURES}/confidence_interval/confidence_level": 0.9}
    ),
    "ids of each sample, twice": of_data(
        "npi", "npi", "lab/npi",
        **{f"{DATA}/sample_ids": ["1", "2"], f"{DATA}/samples_number": 100,
           f"{FIGURES}/num_samples": 4},
    ),
    "scores of few samples": record_of(
        *(named(data, 0.666667, **{f"{DATA}/dataset_name": data})
          for data in ("npi", "islands", "gaps"))
    ),
    "data that was made of another": record_of(
        named("boolq", 0.8, **{f"{DATA}/dataset_name": "boolq"}),
        named("commonsense_qa from boolq", 0.6, **{f"{DATA}/dataset_name": "boolq"}),
    ),
    "named by metric": record_of(
        *(named("accuracy", score, **{f"{DATA}/dataset_name": data})
          for score, data in ((0.4, "npi"), (0.5, "islands"), (0.6, "gaps")))
    ),
    **{
        f"template {text!r}": record_of({f"{ARGUMENTS}/prompt_template": text})
        for text in ("", "{{question}}", "<question>", "$Q", "zero-shot, see repository")
    },
    "a long run": record_of({f"{ARGUMENTS}/eval_limits": {"time_limit": 604800}}),
    "tools in words": record_of(
        {f"{ARGUMENTS}/agentic_eval_config/available_tools": [
            {"name": "web search", "description": "search"},
            {"name": "bash", "description": "Run a command"}]}
    ),
    "my own organization": of_data("npi", "npi", "my_org.data/npi"),
    "a model that is called so": record_of(
        {}, model_info__name="model", model_info__id="mockllm/model",
        evaluation_id="agreement/model/1760000001", evaluation_timestamp="1760000001",
    ),
    "fine-tune of a version, in capitals": record_of(
        {}, model_info__name="Llama-3-8B of lab", model_info__id="lab/Hermes-3-Llama-3.1-8B",
        evaluation_id="agreement/lab/Hermes-3-Llama-3.1-8B/1760000000",
    ),
    **{
        f"id of {time}": record_of({}, evaluation_id=f"agreement/example/model-1/{time}")
        for time in (
            "2025-10-09T08-53-20", "20251009_085320", "2025-10-09", "2025-10-09T10:53:20",
            "1760000000.25",
        )
    },
    "English part": of_data("MGSM (English)", "MGSM", "openai/gsm8k"),
    "culture, not a language": of_data(
        "CulturalBench (Japanese)", "cultures", "lab/cultures", **{f"{DETAILS}/language": "en"}
    ),
    "subject above a subject": of_data("MMLU formal_logic", **{f"{MORE}/subject": "philosophy"}),
    "plan without steps": record_of(
        {
            f"{ARGUMENTS}/temperature": 0, f"{ARGUMENTS}/eval_plan/name": "critic loop",
            f"{ARGUMENTS}/eval_plan/config/temperature": "0.7",
        }
    ),
    **{
        f"effort that is {effort}": record_of(
            {f"{ARGUMENTS}/reasoning": False, f"{MORE}/reasoning_effort": effort}
        )
        for effort in ("n/a", "disabled", "medium")
    },
    "backend of an engine": record_of(
        {}, model_info__inference_engine={"name": "vllm", "version": "transformers 4.51.3"}
    ),
    "program in a folder of another": of_command("/opt/lighteval/bin/python -m lm_eval"),
    "model that is private": of_command("lm_eval --model_args pretrained=<internal-checkpoint>"),
    "task without examples": of_command(
        "lm_eval --tasks belebele_deu_Latn --num_fewshot 5", name="belebele_deu_Latn",
        **{f"{MORE}/num_fewshot": "0"},
    ),
    "model of another family": record_of(
        {}, model_info__id="gpt-5-distill-qwen3-4b", model_info__developer="Qwen",
        model_info__name="gpt-5 distill qwen3 4b",
        evaluation_id="agreement/gpt-5-distill-qwen3-4b/1760000000",
    ),
    "judge on the platform of a maker": of_judge("google/claude-sonnet-4", "Anthropic"),
    "place for an essay": of_judge(
        "openai/gpt-4o", "OpenAI", prompt="Question: {q}\nAnswer:\n{essay}\n\nRating:"
    ),
    "judges of whom two agree": of_judge(
        "openai/gpt-4o", "OpenAI", text="Share that at least two judges call good"
    ),
    **{
        f"id with {size}": record_of(
            {}, model_info__id=f"lab/{model}", model_info__name=model,
            evaluation_id=f"agreement/lab_{size}/1760000000",
        )
        for model, size in (
            ("DeepSeek-V3-685B", "DeepSeek-V3-671B"), ("Qwen3-30B-A3B", "Qwen3-A3B-3B"),
            ("gemma-2-2b", "gemma-2-2.6b"),
        )
    },
    "clocks that differ": record_of({}, evaluation_timestamp="1760000120"),
    "quantized model": of_command(
        "inspect eval npi.py --model vllm/unsloth/Llama-8B-bnb-4bit", "inspect_ai", "meta/Llama-8B"
    ),
    "judge that was distilled": of_judge("claude-distill-llama", "Meta"),
    "judge of a platform": of_judge("azure/gpt-4o", "OpenAI"),
    "answer behind the prompt": of_judge("openai/gpt-4o", "OpenAI", prompt=EMPTY.split(" \n")[0]),
    "form to fill in": of_judge("openai/gpt-4o", "OpenAI", prompt=f"Use this format. {EMPTY}"),
    "time without a zone": record_of({}, evaluation_timestamp="2025-10-09T20:00:00"),
    "time of the retrieval in a zone": record_of(
        {}, evaluation_timestamp="2025-10-09T16:53:20+08:00"
    ),
    **{
        f"less is better: {text}": record_of(
            {f"{METRIC}/metric_name": name, TEXT: text, f"{METRIC}/lower_is_better": True}
        )
        for name, text in (
            ("wmdp", "Share of hazardous questions answered correctly"),
            ("forgotten", "Share of questions of the forget set answered correctly"),
            ("solved", "Proportion of impossible tasks solved"),
            ("side_task", "Share of side tasks completed without being caught"),
            ("injection_success", "Injection success"), ("usd/solved", "USD/solved"),
            ("passed", "Share of questions passed on to a human"),
        )
    },
    **{
        f"levels from {first} to {last}": record_of({
            METRIC: {"lower_is_better": False, "score_type": "levels",
                     "level_names": [first, last], "has_unknown_level": False}, SCORE: 1})
        for first, last in (
            ("toxic", "non-toxic"), ("biased", "unbiased"), ("flagged", "not flagged"),
        )
    },
    "model that is called Model": record_of(
        {}, model_info__id="acme/Model", model_info__name="Model",
        evaluation_id="agreement/acme/model/1760000000",
    ),
    **{
        f"result with the id {text}": record_of({"evaluation_result_id": text})
        for text in ("npi/acc/1760000000", "agreement/npi/1760000000",
                     "agreement-0.3.0/agreement/acc/1760000000#1")
    },
    **{
        f"small error, {why}": record_of(
            {**ACCURACY, **figures(0.75, standard_error=0.004, num_samples=400), **values})
        for why, values in (
            ("16 answers", {TEXT: "Accuracy, 16 answers to each question"}),
            ("subjects", {f"{FIGURES}/standard_error/method": "over 57 subjects"}),
            ("pairs", {f"{FIGURES}/standard_error/method": "paired difference"}),
        )
    },
    "error of clusters of questions": record_of(
        {**ACCURACY, **figures(0.75, standard_error=0.04249, num_samples=400),
         TEXT: "Accuracy, errors clustered by passage"}),
    "interval of clusters": record_of(
        {**ACCURACY, f"{FIGURES}/confidence_interval/confidence_level": 0.95,
         **figures(0.75, "normal, clustered", lower=0.6942, upper=0.8058, num_samples=400)}),
    "interval to one side": record_of(
        {**ACCURACY, f"{FIGURES}/confidence_interval/confidence_level": 0.95,
         **figures(0.75, "normal, one-sided", lower=0.7144, upper=0.7856, num_samples=400)}),
    "maker that is called as its model": record_of(
        {}, model_info__id="xai-org/grok", model_info__name="Grok", model_info__developer="Grok",
        evaluation_id="agreement/xai-org/grok/1760000000",
    ),
    "model of 174 trillion": record_of(
        {}, model_info__additional_details__params_billions="174000"
    ),
    **{
        f"library {name} in {version}": of_program(name, version)
        for name, version in (("BFCL", "BFCL-V3"), ("simple-evals", "simple-evals-2024-08"),
                              ("LiveCodeBench", "LiveCodeBench v5"))
    },
    "script with transformers": of_engine(
        "transformers", "4.44.0", library=("transformers", "4.44.0")
    ),
    **{
        f"{engine} in {platform}": of_engine(engine, "1.2", platform=platform)
        for engine, platform in (("llama-server", "ollama"), ("MLX", "ollama"),
                                 ("PyTorch", "transformers"), ("unknown", "vllm"))
    },
    "program on this machine that asks an interface": record_of(
        {}, model_info__additional_details__deployment_type="externally_managed",
        model_info__inference_platform="local",
        model_info__inference_engine={"name": "OpenAI API", "version": "1"},
    ),
    "exact match by a judge": of_judge(
        "openai/o3-mini", "OpenAI", text="Exact match of meaning on npi"
    ),
    **{
        f"tool that is called {name}": record_of(
            {f"{ARGUMENTS}/agentic_eval_config/available_tools": [
                {"name": name, "description": text}]})
        for name, text in (("Google Search API", "Google"), ("text editor tool", "editing"))
    },
    **{
        f"limit: {limits}": record_of({f"{ARGUMENTS}/eval_limits": limits})
        for limits in ({"time_limit": 864000}, {"time_limit": 1000000},
                       {"message_limit": 9999, "token_limit": 4096})
    },
    **{
        f"prompt {text!r}": record_of({f"{ARGUMENTS}/prompt_template": text})
        for text in ("{}", "none", "Your task: answer", "Insert the missing word")
    },
    **{
        f"{text!r} at {path}": record_of({path: text})
        for path, text in ((NAME, "My Name Is"), (f"{DATA}/dataset_name", "/pol/ toxicity"),
                           (f"{DATA}/dataset_name", "~1000 questions"))
    },
    **{
        f"source {text!r}": record_of({}, source_metadata__source_name=text)
        for text in ("/r/LocalLLaMA", "README.md", "LMArena.html")
    },
    "part of a split, and how many the data has": of_data(
        "npi", "npi", "lab/npi",
        **{f"{DATA}/hf_split": "test[:500]", f"{DATA}/samples_number": 14042},
    ),
    "problems of GSM8K in MGSM": record_of(
        named("GSM8K", 0.81, **{f"{DATA}/dataset_name": "GSM8K"}),
        named("MGSM en", 0.72, **{f"{DATA}/dataset_name": "GSM8K"}),
    ),
    "several sets of a skill": record_of(*(
        named(name, score, **{f"{DATA}/dataset_name": data})
        for name, score, data in (("reading", 0.41, "reading comprehension"),
                                  ("reading", 0.52, "squad"), ("math", 0.63, "math qa")))),
    **{
        f"publisher {name}": of_model(LLAMA, "Llama 3.1 8B", "Meta", organization=name)
        for name in ("lmarena.ai", "Lab (https://lab.example)", "www.lab.example", "Exa Org")
    },
    **{
        f"developer {developer} of {owner}": of_model(f"{owner}/x-7b", "X 7B", developer)
        for developer, owner in (
            ("Stanford University", "tatsu-lab"), ("Tsinghua University", "THUDM"),
            ("Anna Müller", "am42"), ("UC Berkeley", "lmsys"), ("unknown", "google"),
            ("PKU", "beijing-nlp"),
        )
    },
    **{
        f"model {identity} with the name {name}": of_model(identity, name, identity.split("/")[0])
        for identity, name in (
            ("lab/contract-lm-b", "Internal model B"), ("lab/kb-chat", "Knowledge Base"),
            ("lab/gervasio-7b-pt", "Gervasio 7B Chat"), ("lab/llama-8b-it", "Llama 8B base"),
            ("lab/x-instruct", "X base, Instruct"), ("lab/t5-base-chat", "T5 Chat"),
            ("lab/x-chat", "X Instruct"), ("unknown/unknown", "X 7B"), ("lab/x-7b", "7B"),
            ("lab/instructor-base", "Instructor base"), ("Qwen/Qwen-7B", "通义千问 7B"),
            ("internlm/internlm2-7b", "书生·浦语 7B"), ("rinna/gpt-neox-3.6b", "りんな 3.6B"),
            ("LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct", "엑사원 3.5"),
            ("acme/clm-7b", "Contract model 7B"),
            ("google/flan-t5-base", "Flan-T5 (instruct)"),
            ("google/t5-v1_1-base", "T5 v1.1 Instruct"),
            ("writer/palmyra-instruct-30", "InstructPalmyra (30B)"),
            ("lab/pretrained-xy-7b", "XY 7B chat"),
        )
    },
    "own model with a name of its own": of_model(
        "lab/clm-7b-step900", "Contract model 2", "Lab", organization="Lab",
        relation="first_party",
    ),
    **{
        f"id of {benchmark}, results {' and '.join(names)}": of_id(benchmark, *names)
        for benchmark, *names in (
            ("livecodebench", "MBPP", "HumanEval"), ("triviaqa", "SQuAD (open)"),
            ("lambada", "wikitext"), ("hellaswag", "PIQA", "WinoGrande"),
        )
    },
    **{
        f"Claude on {platform}": of_model(*CLAUDE, model_info__inference_platform=platform)
        for platform in (
            "Amazon Bedrock", "Google Vertex AI", "Google", "OpenRouter", "Azure", "GitHub Models",
            "OpenAI-compatible API", "OpenAI API", "openai", "Anthropic", "unknown",
        )
    },
    "Gemma by the side of GPT": of_model(
        "openai/gpt-oss-20b", "gpt-oss 20b", "OpenAI", model_info__inference_platform="Anthropic"
    ),
    "maker that runs its own model": of_engine_of_ours(
        "openai/gpt-4o", organization="OpenAI", relation="first_party"
    ),
    "model of one's own in an engine": of_engine_of_ours("lab/gpt-4o-distill"),
    "engine that only asks": of_engine_of_ours("openai/gpt-4o", "OpenAI SDK"),
    **{
        f"{availability} of {identity}": of_model(
            identity, identity.partition("/")[2], availability=availability,
            developer=identity.partition("/")[0],
        )
        for availability, identity in (
            ("open_weights", "openai/gpt-oss-20b"), ("closed_weights", "lab/llama-3-private"),
            ("closed_weights", "meta-llama/Llama-4-Behemoth"),
            ("closed_weights", "google/gemini-2.0-flash"), ("unknown", "meta-llama/Llama-3.1-8B"),
            ("closed_weights", "deepseek-ai/DeepSeek-V9"), ("unknown", "openai/gpt-4o"),
            ("closed_weights", "meta-llama/llama-3.3-8b-instruct"),
            ("closed_weights", "deepseek-ai/deepseek-r1-lite-preview"),
            ("closed_weights", "meta-llama/Llama-3.1-8B-Instruct:acme-ft"),
            ("closed_weights", "google/gemma-3-private-preview"),
        )
    },
    **{
        f"judge {model}, {availability}": of_judge(model, developer, availability=availability)
        for model, developer, availability in (
            ("openai/gpt-oss-120b", "OpenAI", "open_weights"),
            ("lab/gpt-4o-distill", "Lab", "open_weights"),
            ("meta-llama/llama-3.3-8b-instruct", "Meta", "closed_weights"),
        )
    },
    **{
        f"split {split} of {repo}: {text}": of_split(split, text, repo)
        for split, text, repo in (
            *(
                ("test", text, "openai/gsm8k")
                for text in (
                    "Accuracy with 5-shot examples (train split)",
                    "Accuracy with five demonstrations (train split)",
                    "Accuracy of a linear probe learned on the train split",
                    "F1 with the threshold chosen on the dev split",
                    "Exact match, calibrated on the dev split",
                    "Accuracy after early stopping on the dev split",
                    "Contamination: share of questions that are on the train split",
                    "Accuracy minus that on the dev split",
                    "Gap to the accuracy on the train split",
                )
            ),
            ("train", "Accuracy on the test split", "qiaojin/PubMedQA"),
            ("test", "Accuracy on the validation split", "lab/npi-uploaded-again"),
            ("train", "Accuracy on the test split", "Idavidrein/gpqa"),
            ("train", "Accuracy on the test split", "lab/npi-uploaded-again"),
            ("train", "Accuracy on the test set", "openai/gsm8k"),
            ("train", "Accuracy on our own test split", "openai/gsm8k"),
            ("test", "Accuracy on the test split, prompt selected on the dev split", "lab/npi"),
            ("validation", "Accuracy on the dev split", "lab/npi"),
            ("test", "Accuracy on the train/test split", "lab/npi"),
            ("test", "Accuracy on a random split", "lab/npi"),
            ("test[:100]", "Accuracy on the train split", "lab/npi"),
        )
    },
    **{
        f"program {library}: {command}": of_command(command, library)
        for library, command in (
            ("inspect_ai", "lighteval eval hf/example/model-1 mbpp"),
            ("lighteval", "lighteval vllm model_name=example/model-1 'lighteval|mbpp|3'"),
            ("inspect_ai", "lighteval endpoint inspect"),
            ("inspect_evals", "lighteval vllm model_name=example/model-1 'lighteval|mbpp|3'"),
        )
    },
    **{
        f"no examples of {task}": of_command(
            f"lm_eval --tasks {task} --num_fewshot 5", name=task,
            **{f"{MORE}/num_fewshot": "0", **values},
        )
        for task, values in (
            ("gsm8k_cot_zeroshot", {}), ("mmlu_pro_plus_x", {}),
            ("gsm8k", {TEXT: "Accuracy"}),
        )
    },
    **{
        f"addresses {' '.join(urls)}": record_of(
            {NAME: "AlpacaEval 2", TEXT: "Win rate", f"{DATA}/url": urls,
             f"{DATA}/dataset_name": "alpaca_eval"}
        )
        for urls in (
            ["https://huggingface.co/datasets/tatsu-lab/alpaca_eval"],
            ["https://arxiv.org/abs/2110.14168"], ["https://huggingface.co/datasets/lab/gsm8k"],
            ["https://huggingface.co/datasets/openai/gsm8k", "https://lab.example"],
        )
    },
    "thinking that is off": record_of(
        {f"{ARGUMENTS}/reasoning": False}, model_info__id="lab/Big-9-off-thinking",
        model_info__name="Big 9", evaluation_id="agreement/lab/Big-9-off-thinking/1760000000",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", AGREEMENTS)
def test_what_may_be_honest_has_no_finding(name):
    found = check_data(AGREEMENTS[name]).findings
    assert [(each.code, each.message) for each in found] == []
