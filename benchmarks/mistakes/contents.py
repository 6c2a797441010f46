"""Wrong contents of records whose form is right: what an author's script, or an author, gets wrong.

The records are generated: complete results with bounds, uncertainty, counts, settings, judges and
parties that agree with each other, in every version; see ``clean``.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Iterator
from typing import Any

from benchmarks.mistakes.operators import Operator, named

#: Metrics with the scale that they are on.
_METRICS = (("accuracy", 0, 1), ("exact_match", 0, 1), ("f1", 0, 100), ("bleu", 0, 100))
_MODELS = (
    ("meta-llama/llama-9-8b", "Llama 9 8B", "Meta"),
    ("mistralai/small-4", "Mistral Small 4", "Mistral AI"),
    ("openai/gpt-9", "GPT-9", "OpenAI"), ("qwen/qwen-8-7b", "Qwen 8 7B", "Alibaba"),
)  # fmt: skip
_TASKS = ("gsm8k", "npi", "mmlu", "hellaswag", "wikisum", "blimp")


def clean(r: random.Random) -> dict[str, Any]:
    """A record of version 0.2.2 in which everything agrees."""
    model, label, developer = r.choice(_MODELS)
    time = str(1_760_000_000 + r.randrange(10_000_000))
    tasks = r.sample(_TASKS, 5)
    return {
        "schema_version": "0.2.2",
        "evaluation_id": f"suite/{model.replace('/', '_')}/{time}",
        "retrieved_timestamp": time,
        "evaluation_timestamp": str(int(time) - r.randrange(86_400)),
        "source_metadata": {
            "source_name": "Lab leaderboard", "source_type": "evaluation_run",
            "source_organization_name": "Example Lab",
            "source_organization_url": "https://lab.example",
            "evaluator_relationship": "third_party",
        },
        "eval_library": {"name": "lm-evaluation-harness", "version": "0.4.9"},
        "model_info": {"name": label, "id": model, "developer": developer},
        "evaluation_results": [_result(task, r) for task in tasks],
    }  # fmt: skip


def _result(task: str, r: random.Random) -> dict[str, Any]:
    metric, low, high = r.choice(_METRICS)
    samples = r.choice((100, 164, 500, 1000, 1319))
    right = r.randrange(samples // 4, samples - samples // 20)
    mean = low + (high - low) * right / samples
    spread = (high - low) * math.sqrt(right / samples * (1 - right / samples))
    if metric in ("f1", "bleu"):
        spread *= r.uniform(0.5, 0.9)
    error = spread / math.sqrt(samples)
    digits = 4 if high == 1 else 2
    return {
        "evaluation_name": task,
        "evaluation_result_id": f"{task}/{metric}",
        "source_data": {
            "dataset_name": task, "source_type": "hf_dataset", "hf_repo": f"example/{task}",
            "hf_split": "test", "samples_number": samples,
        },
        "metric_config": {
            "metric_id": metric, "metric_name": metric,
            "metric_unit": "proportion" if high == 1 else "percent",
            "lower_is_better": False, "score_type": "continuous", "min_score": low,
            "max_score": high,
        },
        "score_details": {
            "score": round(mean, digits),
            "uncertainty": {
                "standard_error": {"value": round(error, digits + 1), "method": "analytic"},
                "confidence_interval": {
                    "lower": round(mean - 1.96 * error, digits),
                    "upper": round(mean + 1.96 * error, digits),
                    "confidence_level": 0.95, "method": "normal",
                },
                "standard_deviation": round(spread, digits),
                "num_samples": samples,
            },
        },
        "generation_config": {
            "generation_args": {
                "temperature": 0.7, "top_p": 0.95, "top_k": 50, "max_tokens": 512,
                "eval_limits": {"time_limit": 600, "message_limit": 50, "token_limit": 10_000},
                "max_attempts": 1,
            }
        },
    }  # fmt: skip


def _one(record: Any, r: random.Random) -> Any:
    return r.choice(record["evaluation_results"])


def _doubt(result: Any) -> Any:
    return result["score_details"]["uncertainty"]


def _set(part: Any, key: str, value: Any) -> bool:
    changed = part.get(key) != value
    part[key] = value
    return bool(changed)


def _times(part: Any, key: str, factor: float) -> bool:
    return _set(part, key, float(f"{part[key] * factor:.6g}"))


def _interval(change: Any) -> Operator:
    """An operator on the ends of an interval, the score and the result."""

    def changed(record: Any, r: random.Random) -> bool:
        result = _one(record, r)
        interval, score = _doubt(result)["confidence_interval"], result["score_details"]["score"]
        new = change(interval["lower"], interval["upper"], score, result["metric_config"])
        interval["lower"], interval["upper"] = (float(f"{end:.6g}") for end in new)
        return True

    return changed


def _on(part: str, key: str, change: Any) -> Operator:
    """An operator on a value of a result: ``part`` is a path, ``change`` gets value and result."""

    def changed(record: Any, r: random.Random) -> bool:
        result = _one(record, r)
        holder = result
        for name in part.split("/"):
            holder = holder[name]
        return _set(holder, key, change(holder.get(key), result))

    return changed


def _at(part: str, key: str, value: Any) -> Operator:
    """An operator that writes a value somewhere in a record."""

    def changed(record: Any, r: random.Random) -> bool:
        holder = record
        for name in filter(None, part.split("/")):
            holder = holder[name]
        return _set(holder, key, r.choice(value) if isinstance(value, list) else value)

    return changed


_U = "score_details/uncertainty"
_ARGS = "generation_config/generation_args"


def _percent_scores(record: Any, r: random.Random) -> bool:
    """All scores of the record times 100, with bounds of 0 and 1."""
    changed = False
    for result in record["evaluation_results"]:
        if result["metric_config"]["max_score"] == 1:
            changed = _times(result["score_details"], "score", 100) or changed
            result["score_details"].pop("uncertainty", None)
    return changed


def _other_uncertainty(record: Any, r: random.Random) -> bool:
    """The uncertainty of another result of the record."""
    first, second = r.sample(record["evaluation_results"], 2)
    old = first["score_details"]["uncertainty"]
    first["score_details"]["uncertainty"] = copy.deepcopy(second["score_details"]["uncertainty"])
    first["source_data"] = second["source_data"]
    interval = _doubt(first)["confidence_interval"]
    is_seen = not interval["lower"] <= first["score_details"]["score"] <= interval["upper"]
    return is_seen and first["score_details"]["uncertainty"] != old


def _share_among_percentages(record: Any, r: random.Random) -> bool:
    """One score of a metric in percent is a share."""
    for result in record["evaluation_results"]:
        result["metric_config"] |= {
            "metric_id": "f1", "metric_name": "f1", "metric_unit": "percent", "max_score": 100,
        }  # fmt: skip
        result["score_details"] = {"score": round(r.uniform(30, 90), 1)}
    return _times(_one(record, r)["score_details"], "score", 0.01)


_OF_JUDGES = {
    "metric_id": "accuracy", "metric_name": "Accuracy", "evaluation_description": "Accuracy",
}  # fmt: skip


def _judged(change: Any) -> Operator:
    def changed(record: Any, r: random.Random) -> bool:
        names = ("Judge 1", "Judge 2", "Judge 3")
        judges: list[dict[str, Any]] = [
            {"model_info": {"name": name, "id": f"example/judge-{name[-1]}"}, "weight": weight}
            for name, weight in zip(names, (1, 2, 1), strict=True)
        ]
        scoring = {
            "judges": judges, "input_prompt": "Is the answer right? {answer}",
            "aggregation_method": "weighted_average", "expert_baseline": 0.9,
        }  # fmt: skip
        result = next(
            (x for x in record["evaluation_results"] if x["metric_config"]["max_score"] == 1), None
        )
        if result is None:
            return False
        config = result["metric_config"]
        # An exact match needs no judge.
        config |= {key: text for key, text in _OF_JUDGES.items() if key in config}
        config["llm_scoring"] = scoring
        change(scoring)
        return True

    return changed


def _leveled(change: Any) -> Operator:
    def changed(record: Any, r: random.Random) -> bool:
        result = _one(record, r)
        result["metric_config"] = {
            "lower_is_better": False, "score_type": "levels", "has_unknown_level": False,
            "level_names": ["low", "middle", "high"], "level_metadata": ["a", "b", "c"],
        }  # fmt: skip
        result["score_details"] = {"score": 1}
        change(result["metric_config"], result["score_details"])
        return True

    return changed


def _binary(change: Any) -> Operator:
    def changed(record: Any, r: random.Random) -> bool:
        result = _one(record, r)
        result["metric_config"] = {
            "lower_is_better": False, "score_type": "binary", "min_score": 0, "max_score": 1,
        }  # fmt: skip
        result["source_data"]["samples_number"] = 200
        right = r.randrange(20, 180)
        spread = math.sqrt(right / 200 * (1 - right / 200))
        result["score_details"] = {
            "score": right / 200,
            "uncertainty": {
                "standard_error": {"value": round(spread / math.sqrt(200), 4)},
                "num_samples": 200,
            },
        }
        change(result["score_details"], result["score_details"]["uncertainty"])
        return True

    return changed


#: What is done -> how. All are mistakes that the file alone decides.
_KINDS: dict[str, Operator] = {
    "interval_in_percent": _interval(lambda lo, hi, s, m: (lo * 100, hi * 100)),
    "interval_as_share": _interval(lambda lo, hi, s, m: (lo / 100, hi / 100)),
    "interval_reversed": _interval(lambda lo, hi, s, m: (hi, lo)),
    "interval_as_distances": _interval(lambda lo, hi, s, m: (lo - s, hi - s)),
    "interval_of_one_error": _interval(
        lambda lo, hi, s, m: (s - (s - lo) / 1.96, s + (hi - s) / 1.96)
    ),
    "interval_halved_once_more": _interval(
        lambda lo, hi, s, m: (s - (s - lo) / 2, s + (hi - s) / 2)
    ),
    "interval_of_the_bounds": _interval(lambda lo, hi, s, m: (m["min_score"], m["max_score"])),
    "interval_without_width": _interval(lambda lo, hi, s, m: (s, s)),
    "interval_beyond_the_bound": _interval(lambda lo, hi, s, m: (lo, m["max_score"] * 1.04)),
    "error_in_percent": _on(f"{_U}/standard_error", "value", lambda v, x: round(v * 100, 4)),
    "error_as_share": _on(f"{_U}/standard_error", "value", lambda v, x: round(v / 100, 8)),
    "error_is_the_deviation": _on(
        f"{_U}/standard_error", "value", lambda v, x: _doubt(x)["standard_deviation"]
    ),
    "error_is_the_variance": _on(
        f"{_U}/standard_error", "value", lambda v, x: float(f"{v * v:.4g}")
    ),
    "error_is_half_the_interval": _on(
        f"{_U}/standard_error", "value", lambda v, x: round(1.96 * v, 5)
    ),
    "error_is_the_score": _on(
        f"{_U}/standard_error", "value", lambda v, x: x["score_details"]["score"]
    ),
    "error_negative": _on(f"{_U}/standard_error", "value", lambda v, x: -v),
    "error_zero": _on(f"{_U}/standard_error", "value", lambda v, x: 0),
    "deviation_in_percent": _on(_U, "standard_deviation", lambda v, x: v * 100),
    "deviation_is_the_error": _on(
        _U, "standard_deviation", lambda v, x: _doubt(x)["standard_error"]["value"]
    ),
    "deviation_negative": _on(_U, "standard_deviation", lambda v, x: -v),
    "samples_zero": _on(_U, "num_samples", lambda v, x: 0),
    "samples_negative": _on(_U, "num_samples", lambda v, x: -v),
    "samples_of_another_size": _on(_U, "num_samples", lambda v, x: v * 100),
    "samples_a_hundredth": _on(_U, "num_samples", lambda v, x: max(2, v // 100)),
    "samples_more_than_there_are": _on(_U, "num_samples", lambda v, x: v + 1),
    "level_is_the_risk": _on(f"{_U}/confidence_interval", "confidence_level", lambda v, x: 0.05),
    "level_one": _on(f"{_U}/confidence_interval", "confidence_level", lambda v, x: 1),
    "resamples_of_no_bootstrap": _on(_U, "num_bootstrap_samples", lambda v, x: 1000),
    "score_in_percent": _on(
        "score_details",
        "score",
        lambda v, x: v * 100 if x["metric_config"]["max_score"] == 1 else v + 100,
    ),
    "score_missing_marked": _on("score_details", "score", lambda v, x: -1),
    "scores_in_percent": _percent_scores,
    "share_among_percentages": _share_among_percentages,
    "uncertainty_of_another_result": _other_uncertainty,
    "bounds_equal": _on("metric_config", "min_score", lambda v, x: x["metric_config"]["max_score"]),
    "bounds_reversed": _on(
        "metric_config", "min_score", lambda v, x: x["metric_config"]["max_score"] + 1
    ),
    "bounds_of_five": _on("metric_config", "max_score", lambda v, x: 500 if v == 100 else 5),
    "unit_of_another_scale": _on(
        "metric_config",
        "metric_unit",
        lambda v, x: "percent" if v == "proportion" else "proportion",
    ),
    "direction_wrong": _on("metric_config", "lower_is_better", lambda v, x: True),
    "temperature_negative": _on(_ARGS, "temperature", lambda v, x: -0.7),
    "temperature_in_percent": _on(_ARGS, "temperature", lambda v, x: 70),
    "top_p_in_percent": _on(_ARGS, "top_p", lambda v, x: 95),
    "top_k_a_share": _on(_ARGS, "top_k", lambda v, x: 0.95),
    "time_limit_zero": _on(f"{_ARGS}/eval_limits", "time_limit", lambda v, x: 0),
    "message_limit_negative": _on(f"{_ARGS}/eval_limits", "message_limit", lambda v, x: -1),
    "no_attempts": _on(_ARGS, "max_attempts", lambda v, x: 0),
    "ids_twice": _on("source_data", "sample_ids", lambda v, x: ["1", "2", "2"]),
    "more_ids_than_samples": _on(
        "source_data",
        "sample_ids",
        lambda v, x: [str(n) for n in range(x["source_data"]["samples_number"] + 1)],
    ),
    "no_samples": _on("source_data", "samples_number", lambda v, x: 0),
    "split_in_other_words": _on("source_data", "hf_split", lambda v, x: "Test set"),
    "repository_as_url": _on(
        "source_data", "hf_repo", lambda v, x: f"https://huggingface.co/datasets/{v}"
    ),
    "dataset_placeholder": _on("source_data", "dataset_name", lambda v, x: "TODO"),
    "organization_placeholder": _at(
        "source_metadata", "source_organization_name", ["TBD", "N/A", "<your organization>", ""]
    ),
    "source_placeholder": _at(
        "source_metadata", "source_name", ["your leaderboard", "xxx", "{{ name }}"]
    ),
    "library_placeholder": _at("eval_library", "name", ["TODO", "?", "None"]),
    "model_placeholder": _at("model_info", "name", ["model", "foo", "..."][1:]),
    "url_local": _at(
        "source_metadata",
        "source_organization_url",
        ["http://localhost:7860", "http://127.0.0.1", "http://192.168.0.7/x"],
    ),
    "url_of_a_template": _at(
        "source_metadata",
        "source_organization_url",
        ["https://example.com", "https://www.example.net/a"],
    ),
    "url_without_scheme": _at("source_metadata", "source_organization_url", "lab.example"),
    "publisher_is_the_developer": lambda record, r: _set(
        record["source_metadata"], "source_organization_name", record["model_info"]["developer"]
    ),
    "first_party_by_others": _at("source_metadata", "evaluator_relationship", "first_party"),
    "name_of_another_model": _at(
        "model_info", "name", ["Claude 3 Opus", "Gemma 2 27B", "Command R"]
    ),
    "developer_of_another_model": _at("model_info", "developer", ["Anthropic", "Cohere"]),
    "id_of_another_model": lambda record, r: _set(
        record, "evaluation_id", f"suite/cohere_command-r/{record['retrieved_timestamp']}"
    ),
    "times_exchanged": lambda record, r: _set(
        record, "evaluation_timestamp", str(int(record["retrieved_timestamp"]) + 400_000)
    ),
    "time_in_milliseconds": lambda record, r: _set(
        record, "evaluation_timestamp", record["evaluation_timestamp"] + "000"
    ),
    "result_twice": lambda record, r: bool(
        record["evaluation_results"].append(copy.deepcopy(record["evaluation_results"][0])) or True
    ),
    "judge_twice": _judged(
        lambda scoring: scoring["judges"].__setitem__(2, dict(scoring["judges"][0]))
    ),
    "weights_zero": _judged(
        lambda scoring: [judge.update(weight=0) for judge in scoring["judges"]]
    ),
    "weight_negative": _judged(lambda scoring: scoring["judges"][0].update(weight=-1)),
    "weight_missing": _judged(lambda scoring: scoring["judges"][0].pop("weight")),
    "baseline_in_percent": _judged(lambda scoring: scoring.update(expert_baseline=90)),
    "judge_hot": _judged(lambda scoring: scoring["judges"][0].update(temperature=70)),
    "prompt_blank": _judged(lambda scoring: scoring.update(input_prompt=" ")),
    "level_twice": _leveled(lambda metric, score: metric["level_names"].__setitem__(1, "low")),
    "level_beyond": _leveled(lambda metric, score: score.update(score=3)),
    "level_between": _leveled(lambda metric, score: score.update(score=1.5)),
    "level_unknown": _leveled(lambda metric, score: score.update(score=-1)),
    "level_remarks_cut": _leveled(lambda metric, score: metric["level_metadata"].pop()),
    "level_bound": _leveled(lambda metric, score: metric.update(min_score=0, max_score=3)),
    "levels_cut_to_one": _leveled(
        lambda metric, score: (
            metric.update(level_names=["low"], level_metadata=["a"]) or score.update(score=0)
        )
    ),
    "share_of_no_number": _binary(lambda score, doubt: score.update(score=score["score"] + 0.002)),
    "binary_error_of_one_sample": _binary(
        lambda score, doubt: doubt["standard_error"].update(value=0.4)
    ),
    "binary_error_a_tenth": _binary(
        lambda score, doubt: doubt["standard_error"].update(value=0.0002)
    ),
}

CONTENTS: tuple[Operator, ...] = tuple(named(name, change) for name, change in _KINDS.items())


def clean_records(count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Clean records."""
    r = random.Random(seed)
    return (clean(r) for _ in range(count))
