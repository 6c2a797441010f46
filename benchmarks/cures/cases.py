"""Ways to break a record, a sample, a suite or a definition, and whether each has one cure.

A mistake has one cure if what was meant can be told from the file: a missing key whose value stands
elsewhere, another spelling, another type, another place. It has none if only its author knows: a
missing score, two results that contradict each other.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

FIXTURES = Path(__file__).resolve().parent.parent.parent / "fixtures"
Change = Callable[[Any], Any]


class Break(NamedTuple):
    """A way to break a file.

    Attributes:
        sort: ``record``, ``sample``, ``suite`` or ``definition``.
        name: What is wrong, in words.
        change: Changes the data; what it returns, if that is a text, takes the place of the file.
        has_cure: Whether what was meant can be told from the file.
    """

    sort: str
    name: str
    change: Change
    has_cure: bool


def good(sort: str) -> Any:
    """A good file of a sort."""
    path = {
        "record": FIXTURES / "versions/record-0.3.0.json",
        "sample": FIXTURES / "versions/sample-0.3.0.jsonl",
        "suite": FIXTURES / "good/suite.json",
        "definition": FIXTURES / "good/ltm/definitions/ChapterBreak/0.def.json",
    }[sort]
    text = path.read_text(encoding="utf-8")
    if sort == "sample":
        return json.loads(text.partition("\n")[0])
    data = json.loads(text)
    if sort == "record":
        details = data["evaluation_results"][0]["score_details"]
        interval = {"lower": 0.7, "upper": 0.8, "confidence_level": 0.95}
        details["uncertainty"] = {
            "standard_error": {"value": 0.02},
            "confidence_interval": interval,
            "num_samples": 400,
        }
        data["evaluation_timestamp"] = "1759000000"
    return data


def broken(each: Break) -> str:
    """The text of a good file, broken in one way."""
    data = copy.deepcopy(good(each.sort))
    text = each.change(data)
    return (
        text
        if isinstance(text, str)
        else json.dumps(data, indent=None if each.sort == "sample" else 2)
    )


def _put(path: str, value: Any) -> Change:
    """A change that writes a value at a path of keys and numbers, with dots."""

    def change(data: Any) -> None:
        holder, key = _holder(data, path)
        holder[key] = value

    return change


def _drop(path: str) -> Change:
    def change(data: Any) -> None:
        holder, key = _holder(data, path)
        del holder[key]

    return change


def _rename(path: str, name: str) -> Change:
    def change(data: Any) -> None:
        holder, key = _holder(data, path)
        members = [(name if other == key else other, value) for other, value in holder.items()]
        holder.clear()
        holder.update(members)

    return change


def _move(path: str, to: str) -> Change:
    """A change that moves a member to another path."""

    def change(data: Any) -> None:
        holder, key = _holder(data, path)
        value = holder.pop(key)
        new, name = _holder(data, to)
        new[name] = value

    return change


def _text(replace: Callable[[str], str]) -> Change:
    return lambda data: replace(json.dumps(data, indent=2))


def _holder(data: Any, path: str) -> tuple[Any, Any]:
    *above, key = (int(part) if part.isdigit() else part for part in path.split("."))
    for part in above:
        data = data[part]
    return data, key


R0 = "evaluation_results.0."
METRIC, SCORE = R0 + "metric_config.", R0 + "score_details."
DETAILS = "model_info.additional_details."

#: Name → change. All of them have one cure.
CURABLE: dict[str, dict[str, Change]] = {
    "record": {
        "eval_library missing": _drop("eval_library"),
        "additional_details missing in model_info": _drop("model_info.additional_details"),
        "deployment_type missing": _drop(DETAILS + "deployment_type"),
        "deployment_type api": _put(DETAILS + "deployment_type", "api"),
        "deployment_type local": _put(DETAILS + "deployment_type", "local"),
        "model_availability open": _put(DETAILS + "model_availability", "open"),
        "model_availability proprietary": _put(DETAILS + "model_availability", "proprietary"),
        "source_type leaderboard": _put("source_metadata.source_type", "leaderboard"),
        "source_type paper": _put("source_metadata.source_type", "paper"),
        "relationship third-party": _put("source_metadata.evaluator_relationship", "third-party"),
        "relationship Third party": _put("source_metadata.evaluator_relationship", "Third party"),
        "score_type numeric": _put(METRIC + "score_type", "numeric"),
        "score_type Continuous": _put(METRIC + "score_type", "Continuous"),
        "score_type percentage": _put(METRIC + "score_type", "percentage"),
        "standard_error a number": _put(SCORE + "uncertainty.standard_error", 0.01),
        "interval a list": _put(SCORE + "uncertainty.confidence_interval", [0.7, 0.8]),
        "interval reversed": _put(
            SCORE + "uncertainty.confidence_interval", {"lower": 0.8, "upper": 0.7}
        ),
        "interval of distances": _put(
            SCORE + "uncertainty.confidence_interval", {"lower": -0.05, "upper": 0.05}
        ),
        "confidence level 95": _put(SCORE + "uncertainty.confidence_interval.confidence_level", 95),
        "num_samples a text": _put(SCORE + "uncertainty.num_samples", "400"),
        "score with a percent sign": lambda r: (
            r["evaluation_results"][0]["metric_config"].update(max_score=1),
            r["evaluation_results"][0]["score_details"].update(score="75.2%"),
        ),
        "score a text": _put(SCORE + "score", "0.75"),
        "score with a comma": _put(SCORE + "score", "0,75"),
        "score in a list": _put(SCORE + "score", [0.75]),
        "evaluation_id missing": _drop("evaluation_id"),
        "evaluation_id blank": _put("evaluation_id", " "),
        "evaluation_id of one part": _put("evaluation_id", "agreement"),
        "evaluation_id of another model": _put(
            "evaluation_id", "agreement/other/llama-9/1760000000"
        ),
        "evaluation_id with another time": _put(
            "evaluation_id", "agreement-0.3.0/example/model-1/1750000000"
        ),
        "level in words": lambda r: r["evaluation_results"][0].update(
            metric_config={
                "lower_is_better": False,
                "score_type": "levels",
                "has_unknown_level": False,
                "level_names": ["Low", "Medium", "High"],
            },
            score_details={"score": "Medium"},
        ),
        "source_data at the root": _move(R0 + "source_data", "source_data"),
        "metric_config at the root": _move(R0 + "metric_config", "metric_config"),
        "score outside score_details": _move(SCORE + "score", R0 + "score"),
        "lower_is_better beside the metric": _move(
            METRIC + "lower_is_better", R0 + "lower_is_better"
        ),
        "additional_details beside model_info": _move(
            "model_info.additional_details", "additional_details"
        ),
        "schema_version v0.3.0": _put("schema_version", "v0.3.0"),
        "schema_version 0.3": _put("schema_version", "0.3"),
        "schema_version a number": _put("schema_version", 0.3),
        "schema_version missing": _drop("schema_version"),
        "schema_version null": _put("schema_version", None),
        "retrieved in milliseconds": _put("retrieved_timestamp", "1760000000000"),
        "retrieved in milliseconds, a number": _put("retrieved_timestamp", 1760000000000),
        "retrieved a number": _put("retrieved_timestamp", 1760000000),
        "retrieved an ISO date": _put("retrieved_timestamp", "2025-10-09T08:53:20Z"),
        "retrieved missing": _drop("retrieved_timestamp"),
        "evaluated in milliseconds": _put("evaluation_timestamp", "1759000000000"),
        "hf_repo a URL": _put(
            R0 + "source_data",
            {
                "dataset_name": "npi",
                "source_type": "hf_dataset",
                "hf_repo": "https://huggingface.co/datasets/example/npi",
            },
        ),
        "split validation": _put(
            R0 + "source_data",
            {
                "dataset_name": "npi",
                "source_type": "hf_dataset",
                "hf_repo": "example/npi",
                "hf_split": "validation",
            },
        ),
        "blank at the end of the model id": _put("model_info.id", "example/model-1 "),
        "blank before the evaluation id": _put(
            "evaluation_id", " agreement-0.3.0/example/model-1/1760000000"
        ),
        "developer not the owner": _put("model_info.developer", "Another Company"),
        "url not in a list": _put(R0 + "source_data.url", "https://example.org/a.json"),
        "url without a scheme": _put(R0 + "source_data.url", ["www.example.org/a.json"]),
        "url missing, hf_repo given": _put(
            R0 + "source_data",
            {"dataset_name": "npi", "source_type": "hf_datasets", "hf_repo": "example/npi"},
        ),
        "source_type of data URL": _put(R0 + "source_data.source_type", "URL"),
        "source_type of data missing": _drop(R0 + "source_data.source_type"),
        "lower_is_better a text": _put(METRIC + "lower_is_better", "false"),
        "lower_is_better 0": _put(METRIC + "lower_is_better", 0),
        "max_score a text": _put(METRIC + "max_score", "1"),
        "max_score inf": _put(METRIC + "max_score", "inf"),
        "max_score missing": _drop(METRIC + "max_score"),
        "evaluation_results misspelt": _rename("evaluation_results", "evaluation_result"),
        "model_info misspelt": _rename("model_info", "model_infos"),
        "score misspelt": _rename(SCORE + "score", "scores"),
        "score called value": _rename(SCORE + "score", "value"),
        "evaluation_name misspelt": _rename(R0 + "evaluation_name", "evaluation-name"),
        "results an object": lambda r: r.update(evaluation_results=r["evaluation_results"][0]),
        "model_info a text": _put("model_info", "example/model-1"),
        "an optional key null": _put("source_metadata.source_organization_url", None),
        "a detail a number": _put(DETAILS + "parameters", 7),
        "a detail true": _put(DETAILS + "quantized", True),
        "result twice": lambda r: r["evaluation_results"].append(r["evaluation_results"][0]),
        "bounds exchanged": lambda r: r["evaluation_results"][0]["metric_config"].update(
            min_score=1, max_score=0
        ),
        "score a percentage": lambda r: (
            r["evaluation_results"][0]["metric_config"].update(max_score=1),
            r["evaluation_results"][0]["score_details"].update(score=75.0, uncertainty={}),
        ),
        "a comma too many": _text(lambda text: text.replace("\n}", ",\n}")),
        "single quotes": _text(lambda text: text.replace('"example/model-1"', "'example/model-1'")),
        "a byte order mark": _text(lambda text: "\ufeff" + text),
        "a comment": _text(lambda text: text.replace("{\n", "{ // a record\n", 1)),
        "True of Python": _text(lambda text: text.replace("false", "False")),
        "a key twice": _text(
            lambda text: text.replace('"name": "Model 1"', '"name": "Model 1", "name": "Model 1"')
        ),
    },
    "sample": {
        "score a text": _put("evaluation.score", "1.0"),
        "score true": _put("evaluation.score", True),
        "is_correct a text": _put("evaluation.is_correct", "true"),
        "is_correct 1": _put("evaluation.is_correct", 1),
        "interaction_type single-turn": _put("interaction_type", "single-turn"),
        "reference a text": _put("input.reference", "2"),
        "raw a text": _put("output.raw", "x"),
        "sample_id a number": _put("sample_id", 1),
        "is_correct misspelt": _rename("evaluation.is_correct", "is_corect"),
        "answer_attribution null": _put("answer_attribution", None),
        "answer_attribution missing": _drop("answer_attribution"),
    },
    "suite": {
        "metric average": _put("meta.metric", "average"),
        "metric in upper case": _put("meta.metric", "SUM"),
        "item_number a text": _put("items.0.item_number", "1"),
        "region_number a text": _put("items.0.conditions.0.regions.0.region_number", "1"),
        "content null": _put("items.0.conditions.0.regions.0.content", None),
        "conditions misspelt": _rename("items.0.conditions", "condition"),
        "predictions misspelt": _rename("predictions", "prediction"),
        "a condition misspelt": lambda s: s["items"][0]["conditions"][0].update(
            condition_name=s["items"][0]["conditions"][0]["condition_name"] + "s"
        ),
    },
    "definition": {
        "expected_responses misspelt": _rename("expected_responses", "expected_response"),
        "is_question a text": _put("is_question.0", "false"),
        "is_question 1": _put("is_question.1", 1),
        "can_be_interleaved a text": _put("can_be_interleaved", "yes"),
        "script a text": lambda d: d.update(script=d["script"][0]),
        "is_temporal null": _put("is_temporal", None),
    },
}
#: Those that only the author of a file can cure.
OPEN: dict[str, dict[str, Change]] = {
    "record": {
        "score missing": _drop(SCORE + "score"),
        "score null": _put(SCORE + "score", None),
        "evaluation_name missing": _drop(R0 + "evaluation_name"),
        "no results": _put("evaluation_results", []),
        "model id missing": _drop("model_info.id"),
        "model id empty": _put("model_info.id", ""),
        "organization missing": _drop("source_metadata.source_organization_name"),
        "relationship missing": _drop("source_metadata.evaluator_relationship"),
        "direction missing": _drop(METRIC + "lower_is_better"),
        "dataset_name missing": _drop(R0 + "source_data.dataset_name"),
        "num_samples negative": _put(SCORE + "uncertainty.num_samples", -3),
        "error contradicts deviation": _put(SCORE + "uncertainty.standard_deviation", 0.001),
        "time in the future": _put("retrieved_timestamp", "2760000000"),
        "url empty": _put(R0 + "source_data.url", []),
        "NaN": _text(lambda text: text.replace("0.75", "NaN")),
        "cut off in a string": _text(lambda text: text[: text.index("evalmark") + 4]),
        "cut off after a value": _text(lambda text: text.rstrip("} \n")),
        "a merge conflict": _text(lambda text: text.replace("{\n", "<<<<<<< HEAD\n{\n", 1)),
    },
    "sample": {
        "evaluation missing": _drop("evaluation"),
        "input missing": _drop("input"),
    },
    "suite": {
        "items empty": _put("items", []),
        "region_meta missing": _drop("region_meta"),
    },
    "definition": {},
}


def breaks() -> Iterator[Break]:
    """Every way."""
    for table, has_cure in ((CURABLE, True), (OPEN, False)):
        for sort, changes in table.items():
            for name, change in changes.items():
                yield Break(sort, name, change, has_cure)
