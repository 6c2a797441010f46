"""The rows of a table, found by plain loops over the JSON files: what its tables are tested with.

Nothing of evalmark is used here but the table of versions; verdicts and codes are not computed.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

#: The columns that are compared: all but those of the check.
COLUMNS = (
    "record", "result", "version", "model", "model_name", "developer", "collection", "dataset",
    "subset", "split", "metric", "metric_parameters", "unit", "lower_is_better", "score_type",
    "min_score", "max_score", "score", "normalized_score", "standard_error", "lower", "upper",
    "confidence_level", "samples", "evaluated_at", "retrieved_at", "source", "source_type",
    "relationship", "url", "harness", "settings", "file", "digest", "pointer", "line",
)  # fmt: skip


def plain_rows(file: str, content: bytes) -> Iterator[dict[str, Any]]:
    """The rows of one record, which its schema accepts."""
    record = json.loads(content)
    version = {"0.2.3": "0.3.0"}.get(record["schema_version"], record["schema_version"])
    old = version in ("0.0.1", "0.1.0")
    model = record["model_info"]
    source = record["source_metadata"]
    told = record.get("evaluation_source", {}) if version == "0.0.1" else {}
    data = record.get("source_data") if old else None
    lines = lines_of(content.decode())
    library = record.get("eval_library", {})
    for index, result in enumerate(record["evaluation_results"]):
        metric, details = result["metric_config"], result["score_details"]
        about = result.get("source_data")
        about = about if isinstance(about, dict) else {}
        if old and isinstance(data, dict):
            about = {**data, **about}
        urls = about.get("url") or (data if isinstance(data, list) else None)
        if urls is None and old:
            urls = record.get("source_data_urls")
        uncertainty = details.get("uncertainty") or {}
        interval = uncertainty.get("confidence_interval") or {}
        low, high = number(metric.get("min_score")), number(metric.get("max_score"))
        low = None if low is None or math.isinf(low) else low
        high = None if high is None or math.isinf(high) else high
        score = number(details.get("score"))
        share = None
        unknown = metric.get("has_unknown_level") is True and score == -1
        if None not in (low, high, score) and low < high and not unknown:
            share = (score - low) / (high - low)
            share = 1 - share if metric["lower_is_better"] else share
        inference = {
            "platform": model.get("inference_platform"),
            "engine": model.get("inference_engine"),
            "details": model.get("additional_details"),
        }
        inference = {key: value for key, value in inference.items() if value is not None}
        in_columns = ("metric_id", "metric_name", "metric_unit", "lower_is_better", "score_type",
                      "min_score", "max_score")  # fmt: skip
        of_metric = {key: value for key, value in metric.items() if key not in in_columns}
        settings = {}
        if result.get("generation_config") is not None:
            settings["generation"] = result["generation_config"]
        if inference:
            settings["inference"] = inference
        if of_metric:
            settings["metric"] = of_metric
        identity = model.get("id")
        parameters = metric.get("metric_parameters")
        yield {
            "record": record["evaluation_id"],
            "result": result.get("evaluation_result_id"),
            "version": version,
            "model": identity,
            "model_name": model.get("name"),
            "developer": model.get("developer")
            or (identity.split("/")[0] if identity and "/" in identity else None),
            "collection": collection_of(file, record["evaluation_id"]),
            "dataset": about.get("dataset_name"),
            "subset": result["evaluation_name"],
            "split": about.get("hf_split"),
            "metric": metric.get("metric_id")
            or metric.get("metric_name")
            or _word(metric.get("evaluation_description")),
            "metric_parameters": None if parameters is None else canonical(parameters),
            "unit": metric.get("metric_unit"),
            "lower_is_better": metric["lower_is_better"],
            "score_type": metric.get("score_type"),
            "min_score": low,
            "max_score": high,
            "score": score,
            "normalized_score": share,
            "standard_error": (uncertainty.get("standard_error") or {}).get("value"),
            "lower": interval.get("lower"),
            "upper": interval.get("upper"),
            "confidence_level": interval.get("confidence_level"),
            "samples": uncertainty.get("num_samples", about.get("samples_number")),
            "evaluated_at": seconds(
                result.get("evaluation_timestamp") or record.get("evaluation_timestamp")
            ),
            "retrieved_at": seconds(record["retrieved_timestamp"]),
            "source": " ".join(
                (
                    source.get("source_organization_name")
                    or source.get("source_name")
                    or told.get("evaluation_source_name")
                    or ""
                ).split()
            )
            or None,
            "source_type": source.get("source_type") or told.get("evaluation_source_type"),
            "relationship": source.get("evaluator_relationship"),
            "url": urls[0] if urls else None,
            "harness": f"{library['name']} {library['version']}" if library else None,
            "settings": canonical(settings),
            "file": file,
            "digest": hashlib.sha256(content).hexdigest(),
            "pointer": f"/evaluation_results/{index}",
            "line": lines[index],
        }


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def number(value: Any) -> float | None:
    return None if value is None else float(value)


def seconds(time: str | float | None) -> float | None:
    if time is None:
        return None
    text = str(time)
    if text[4:5] == "-":
        moment = datetime.fromisoformat(text)
        return moment.timestamp() if moment.tzinfo else None
    found = float(text)
    return found if 946_684_800 <= found < 1e11 else None


def collection_of(file: str, evaluation_id: str) -> str | None:
    parts = Path(file).resolve().parts
    if parts[-5:-4] == ("data",):
        return parts[-4]
    beginning, slash, _ = evaluation_id.partition("/")
    return beginning if slash else None


#: Texts, brackets and line feeds of JSON; what is between them is skipped.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}\n]')


def lines_of(text: str) -> list[int]:
    """The line of each result, by walking over all texts and brackets."""
    path: list[str] = []
    found, line, last = [], 1, ""
    for match in _TOKENS.finditer(text):
        token = match[0]
        if token == "\n":
            line += 1
        elif token in "{[":
            if path == ["", "evaluation_results"] and token == "{":
                found.append(line)
            path.append(last if token == "[" else "")
        elif token in "}]":
            path.pop()
        else:
            last = token[1:-1]
    return found


def _word(description: Any) -> Any:
    """A description that is the name of a metric."""
    is_word = isinstance(description, str) and len(description.split()) == 1
    return description if is_word and description.isascii() else None
