"""What people get wrong in records of evaluation runs."""

from __future__ import annotations

import copy
import random
from typing import Any

from benchmarks.mistakes.operators import (
    Operator,
    holders,
    key_missing,
    key_misspelt,
    one,
    put,
    rename,
)


def _result(record: Any, r: random.Random) -> dict[str, Any]:
    result: dict[str, Any] = one(holders(record, "metric_config", "score_details"), r)
    return result


def score_as_text(record: Any, r: random.Random) -> bool:
    """A score is text, perhaps with a percent sign, or null."""
    details = _result(record, r)["score_details"]
    score = details["score"]
    return put(details, "score", r.choice([str(score), f"{score}%", None, "n/a"]))


def percent_for_share(record: Any, r: random.Random) -> bool:
    """A percentage is given where the bounds are 0 and 1."""
    for result in holders(record, "metric_config", "score_details"):
        config, details = result["metric_config"], result["score_details"]
        if config.get("max_score") == 1 and details["score"] > 0.02:
            return put(details, "score", round(details["score"] * 100, 4))
    return False


def bounds_swapped(record: Any, r: random.Random) -> bool:
    """Minimum and maximum are swapped."""
    config = one(holders(record, "min_score", "max_score"), r)
    if config is None or config["min_score"] == config["max_score"]:
        return False
    config["min_score"], config["max_score"] = config["max_score"], config["min_score"]
    return True


def bounds_missing(record: Any, r: random.Random) -> bool:
    """A continuous score has only one bound."""
    config = one(holders(record, "min_score", "max_score"), r)
    if config is None:
        return False
    del config[r.choice(["min_score", "max_score"])]
    return True


def bound_as_text(record: Any, r: random.Random) -> bool:
    """A bound is text or null."""
    config = one(holders(record, "min_score", "max_score"), r)
    return put(config, r.choice(["min_score", "max_score"]), r.choice(["1", "100", None]))


def direction_as_text(record: Any, r: random.Random) -> bool:
    """lower_is_better is text, a number or null."""
    config = one(holders(record, "lower_is_better"), r)
    return put(config, "lower_is_better", r.choice(["false", "True", 0, None]))


def _word(key: str, *words: Any) -> Operator:
    """An operator that writes a word that the format does not know."""

    def unknown_word(record: Any, r: random.Random) -> bool:
        return put(one(holders(record, key), r), key, r.choice(words))

    unknown_word.__name__ = f"{key}_word"
    unknown_word.__doc__ = f"{key} has a word that the format does not know: {words[0]}."
    return unknown_word


def timestamp_ms(record: Any, r: random.Random) -> bool:
    """The time is in milliseconds."""
    return put(record, "retrieved_timestamp", f"{record['retrieved_timestamp'].split('.')[0]}000")


def timestamp_iso(record: Any, r: random.Random) -> bool:
    """The time is an ISO date."""
    return put(
        record,
        "retrieved_timestamp",
        r.choice(["2025-10-09T08:53:20Z", "2025-10-09", "09.10.2025", "2025-10-09 08:53:20"]),
    )


def timestamp_number(record: Any, r: random.Random) -> bool:
    """The time is a number, not text."""
    return put(record, "retrieved_timestamp", int(float(record["retrieved_timestamp"])))


def timestamp_later(record: Any, r: random.Random) -> bool:
    """The time is in the future: a digit too many, or a wrong first digit."""
    return put(record, "retrieved_timestamp", r.choice(["9760000000", "6760000000", "2760000000"]))


def evaluation_id_other_model(record: Any, r: random.Random) -> bool:
    """The evaluation id names another model: the record was copied from another run."""
    model = record["model_info"]["id"]
    if not model or model not in record["evaluation_id"]:
        return False
    return put(record, "evaluation_id", record["evaluation_id"].replace(model, "another/model-9"))


def evaluation_id_free(record: Any, r: random.Random) -> bool:
    """The evaluation id is a free text, a bare number or empty."""
    return put(record, "evaluation_id", r.choice(["", "run 7", "1", record["model_info"]["id"]]))


def model_id_empty(record: Any, r: random.Random) -> bool:
    """The model's id is empty or null."""
    return put(record["model_info"], "id", r.choice(["", None]))


def url_broken(record: Any, r: random.Random) -> bool:
    """A URL lacks its scheme or host, or has a space."""
    holder = one((h for h in holders(record, "url") if isinstance(h["url"], list) and h["url"]), r)
    if holder is None:
        return False
    bare = holder["url"][0].split("://")[-1]
    return put(holder["url"], 0, r.choice([f"www.{bare}", f"htp:/{bare}", f"https:// {bare}", ""]))


def url_as_text(record: Any, r: random.Random) -> bool:
    """The only URL is not in a list."""
    holder = one((h for h in holders(record, "url") if isinstance(h["url"], list) and h["url"]), r)
    return holder is not None and put(holder, "url", holder["url"][0])


def optional_null(record: Any, r: random.Random) -> bool:
    """A key that may be left out is null."""
    holder = one([record, record["source_metadata"], record["model_info"]], r)
    key = {
        "evaluation_id": "detailed_evaluation_results",
        "source_type": "source_organization_logo_url",
    }
    name = next((new for old, new in key.items() if old in holder), "inference_platform")
    if name in holder:
        return False
    holder[name] = None
    return True


def result_twice(record: Any, r: random.Random) -> bool:
    """A result was pasted twice."""
    record["evaluation_results"].append(copy.deepcopy(_result(record, r)))
    return True


def results_object(record: Any, r: random.Random) -> bool:
    """The only result is not in a list."""
    results = record["evaluation_results"]
    return len(results) == 1 and put(record, "evaluation_results", results[0])


def results_empty(record: Any, r: random.Random) -> bool:
    """There are no results."""
    return put(record, "evaluation_results", [])


def uncertainty(record: Any, r: random.Random) -> bool:
    """An uncertainty is impossible: negative, an interval reversed or beside the score, 95."""
    details = _result(record, r)["score_details"]
    if "uncertainty" in details:
        return False
    score = details["score"]
    interval = {"lower": score - 0.1, "upper": score + 0.1, "confidence_level": 0.95}
    details["uncertainty"] = r.choice(
        [
            {"standard_error": {"value": -0.01}},
            {"confidence_interval": {**interval, "lower": score + 0.1, "upper": score - 0.1}},
            {"confidence_interval": {**interval, "confidence_level": 95}},
            {"confidence_interval": {**interval, "lower": score + 0.05}},
            {"num_samples": -3},
            {"num_samples": "50"},
        ]
    )
    return True


def schema_version(record: Any, r: random.Random) -> bool:
    """The schema version is written in another way, or does not exist."""
    return put(record, "schema_version", r.choice(["0.2", "1.0", "v0.2.2", 0.2, None, "latest"]))


def key_of_another_place(record: Any, r: random.Random) -> bool:
    """lower_is_better is beside the metric, not in it."""
    result = _result(record, r)
    result["lower_is_better"] = result["metric_config"].pop("lower_is_better")
    return True


def parts_as_text(record: Any, r: random.Random) -> bool:
    """model_info or source_metadata is a text, not an object."""
    key = r.choice(["model_info", "source_metadata"])
    return put(record, key, "example/model-1")


def secret(record: Any, r: random.Random) -> bool:
    """A key of an endpoint was left in the details."""
    key = "sk-proj-" + "".join(
        r.choices("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789", k=48)
    )
    record["model_info"].setdefault("additional_details", {})["api_key"] = key
    return True


def detail_nested(record: Any, r: random.Random) -> bool:
    """A detail is an object or a list, where details are texts."""
    record["model_info"].setdefault("additional_details", {})["sampling"] = {"top_p": [1]}
    return True


def score_key_name(record: Any, r: random.Random) -> bool:
    """The score has another common name."""
    return rename(_result(record, r)["score_details"], "score", r.choice(["value", "accuracy"]))


RECORDS: tuple[Operator, ...] = (
    score_as_text, percent_for_share, bounds_swapped, bounds_missing, bound_as_text,
    direction_as_text, timestamp_ms, timestamp_iso, timestamp_number, timestamp_later,
    evaluation_id_other_model, evaluation_id_free, model_id_empty, url_broken, url_as_text,
    optional_null, result_twice, results_object, results_empty, uncertainty,
    schema_version, key_of_another_place, parts_as_text, secret, detail_nested, score_key_name,
    _word("score_type", "numeric", "Continuous", "percent"),
    _word("source_type", "leaderboard", "URL", "eval"),
    _word("evaluator_relationship", "third-party", "Third party", "self"),
    key_missing(
        "evaluation_id", "source_metadata", "model_info", "evaluation_results",
        "evaluation_name", "metric_config", "score_details", "score", "evaluator_relationship",
    ),
    key_misspelt(
        "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info",
        "evaluation_results", "evaluation_name", "metric_config", "score_details", "score",
        "evaluator_relationship", "lower_is_better",
    ),
)  # fmt: skip
