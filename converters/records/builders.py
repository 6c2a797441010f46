"""The parts of records and sample rows that are the same in every written version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from evalmark.converters.records.run import (
    UNSPECIFIED,
    Dataset,
    Metric,
    Model,
    Result,
    Run,
    Sample,
)
from evalmark.converters.step import Object, spaced
from evalmark.validator.formats.records.rules.source_rules import SPLITS


def head(run: Run, version: str) -> Object:
    """The first members of a record: version, id, times and where the numbers come from."""
    producer = run.producer
    return {
        "schema_version": version,
        "evaluation_id": run.id,
        **({} if run.retrieved else {"evaluation_timestamp": str(run.time)}),
        "retrieved_timestamp": str(run.time),
        "source_metadata": {
            "source_name": producer.name,
            "source_type": "evaluation_run" if producer.is_run else "documentation",
            "source_organization_name": producer.organization or UNSPECIFIED,
            "evaluator_relationship": producer.relationship or "other",
            **({"additional_details": dict(producer.details)} if producer.details else {}),
        },
    }


def axes_of(model: Model) -> dict[str, str]:
    """The operator of a model and whether its weights are open, as versions from 0.2.3 on say."""
    return {"deployment_type": model.deployment, "model_availability": model.availability}


def model_info(model: Model, details: Mapping[str, str]) -> Object:
    """``model_info`` with these ``additional_details``."""
    data: Object = {"name": model.name, "id": model.id}
    if model.developer:
        data["developer"] = model.developer
    if model.platform:
        data["inference_platform"] = model.platform
    if model.engine:
        name, version = model.engine
        data["inference_engine"] = {"name": name, **({"version": version} if version else {})}
    if details:
        data["additional_details"] = dict(details)
    return data


def result(result: Result, metric: Object, settings: Mapping[str, str]) -> Object:
    """One of ``evaluation_results`` with this ``metric_config`` and these settings of the run."""
    score: Object = {"score": result.score}
    if result.details:
        score["details"] = dict(result.details)
    if result.uncertainty:
        score["uncertainty"] = dict(result.uncertainty)
    generation: Object = {}
    if result.arguments:
        generation["generation_args"] = dict(result.arguments)
    if settings:
        generation["additional_details"] = dict(settings)
    return {
        "evaluation_name": result.name,
        "source_data": source_data(result.dataset),
        **({"evaluation_timestamp": str(result.time)} if result.time is not None else {}),
        "metric_config": metric,
        "score_details": score,
        **({"generation_config": generation} if generation else {}),
    }


def source_data(dataset: Dataset) -> Object:
    """``source_data``: on the hub, or somewhere else.

    A split has the format's word for it; the word of the hub is a detail.
    """
    kind = "hf_dataset" if dataset.repo else "url" if dataset.urls else "other"
    data: Object = {"dataset_name": dataset.name, "source_type": kind}
    details = dict(dataset.details)
    if kind == "url":
        data["url"] = list(dataset.urls)
    if dataset.repo:
        data["hf_repo"] = dataset.repo
        if dataset.split:
            spelling = dataset.split.strip().lower()
            data["hf_split"] = next(
                (word for word, others in SPLITS.items() if spelling in others), dataset.split
            )
            if data["hf_split"] != dataset.split:
                details.setdefault("split", dataset.split)
        if dataset.size is not None:
            data["samples_number"] = dataset.size
        if dataset.sample_ids:
            data["sample_ids"] = list(dataset.sample_ids)
    if details:
        data["additional_details"] = details
    return data


def metric_config(metric: Metric, *, has_name: bool) -> Object:
    """``metric_config``: with ``metric_name``, or with ``score_type`` even without bounds.

    A version that has no fields for the name, the kind and the unit has kind and unit as details.
    """
    data: Object = {"evaluation_description": metric.description}
    named = {"id": metric.id, "name": metric.name, "kind": metric.kind, "unit": metric.unit}
    data |= {f"metric_{key}": text for key, text in named.items() if text and has_name}
    if has_name and metric.parameters:
        data["metric_parameters"] = dict(metric.parameters)
    data["lower_is_better"] = metric.lower_is_better
    if metric.bounds is not None or not has_name:
        data["score_type"] = "continuous"
    if metric.bounds is not None:
        data["min_score"], data["max_score"] = (_bound(bound) for bound in metric.bounds)
    if metric.judging:
        data["llm_scoring"] = dict(metric.judging)
    others = {} if has_name else {f"metric_{key}": text for key, text in named.items() if text}
    # Names alone have never been details.
    details = {**metric.details, **(others if metric.kind else {})}
    if details:
        data["additional_details"] = details
    return data


def _bound(value: float) -> float | str:
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def row_head(sample: Sample, run: Run, version: str) -> Object:
    """The first members of a sample row: version and names."""
    return {
        "schema_version": version,
        "evaluation_id": run.id,
        "model_id": run.model.id,
        "evaluation_name": sample.result,
    }


def row_input(sample: Sample) -> Object:
    """The id of a sample, and the input of the model."""
    agentic = any(turn.tool_calls or turn.role == "tool" for turn in sample.turns)
    kind = "agentic" if agentic else "multi_turn" if sample.turns else "single_turn"
    content: Object = {"raw": sample.raw, "reference": list(sample.reference)}
    if sample.choices:
        content["choices"] = list(sample.choices)
    return {
        "sample_id": sample.id,
        "sample_hash": sample_hash(sample.raw, sample.reference),
        "interaction_type": kind,
        "input": content,
    }


def _output(sample: Sample) -> Object:
    output: Object = {"raw": list(sample.output)}
    if sample.reasoning:
        output["reasoning_trace"] = list(sample.reasoning)
    return output


def row_output(sample: Sample, conversation: str, *, lists_ids: bool) -> Object:
    """The output of the model, and the places of its answers.

    ``conversation`` is what the version calls the turns; ids of tool calls may have to be lists.
    """
    turns = [_turn(index, sample, lists_ids) for index in range(len(sample.turns))]
    return {
        **({conversation: turns} if turns else {"output": _output(sample)}),
        "answer_attribution": [
            {
                "turn_idx": answer.turn,
                "source": answer.source.replace("messages[", f"{conversation}["),
                "extracted_value": answer.value,
                "extraction_method": answer.method,
                "is_terminal": answer.terminal,
            }
            for answer in sample.answers
        ],
    }


def _turn(index: int, sample: Sample, lists_ids: bool) -> Object:
    turn = sample.turns[index]
    data: Object = {"turn_idx": index, "role": turn.role, "content": turn.content}
    if turn.reasoning:
        data["reasoning_trace"] = turn.reasoning
    if turn.tool_calls:
        data["tool_calls"] = [_call(call) for call in turn.tool_calls]
    if turn.tool_call_id is not None:
        data["tool_call_id"] = [turn.tool_call_id] if lists_ids else turn.tool_call_id
    return data


def _call(call: Mapping[str, Any]) -> Object:
    texts = {key: spaced(value) for key, value in (call.get("arguments") or {}).items()}
    return {"id": str(call["id"]), "name": str(call["name"]), "arguments": texts}


def row_tail(sample: Sample, run: Run) -> Object:
    """The score of a sample, what it took, and what else is known."""
    is_correct = run.is_correct(sample)
    evaluation: Object = {"score": run.score_of(sample), "is_correct": is_correct}
    if sample.turns:
        evaluation["num_turns"] = sum(turn.role == "assistant" for turn in sample.turns)
    elif sample.turn_count is not None:
        evaluation["num_turns"] = sample.turn_count
    calls = sum(len(turn.tool_calls) for turn in sample.turns)
    if calls:
        evaluation["tool_calls_count"] = calls
    row: Object = {"evaluation": evaluation}
    if sample.usage:
        keys = ("input_tokens", "output_tokens", "total_tokens")
        row["token_usage"] = {**dict(zip(keys, sample.usage, strict=True)), **sample.more_usage}
    if sample.milliseconds is not None:
        row["performance"] = {"generation_time_ms": sample.milliseconds}
    if sample.error is not None:
        row["error"] = sample.error
    return {**row, "metadata": dict(sample.metadata)}


def sample_hash(raw: str, reference: tuple[str, ...]) -> str:
    """Digest of a sample's input: equal inputs have equal hashes across models."""
    stated = {"raw": raw, "reference": list(reference)}
    text = json.dumps(stated, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8"), usedforsecurity=False).hexdigest()
