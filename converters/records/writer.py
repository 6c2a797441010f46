"""The one writer of records and sample files: built, checked, and only then put in place."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Mapping
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.records.run import UNSPECIFIED, Model, Result, Run, Sample
from evalmark.validator.check import check_text
from evalmark.validator.edge.writing import write_atomically

#: Versions that are written, and the one that is written if nobody says which.
WRITTEN_VERSIONS = ("0.2.0", "0.3.0")
RECORD_VERSION = "0.2.0"

#: What is no part of a folder's name: a datastore is used on every system.
_UNFIT = re.compile(r'[<>:"|?*\\/\x00-\x1f]')


class Written(NamedTuple):
    """Where a record and its samples lie; a run without samples has no file of them."""

    record: Path
    samples: Path


def write_record(run: Run, folder: Path, *, version: str = RECORD_VERSION) -> Written:
    """Write the record of a run and its sample file, both or an exception.

    File names are shaped like a UUID and made from the content, so that the same run gives the
    same files. Samples of 0.2.0 lie beside the record in ``folder``; both files of 0.3.0 lie at
    ``data/<collection>/<developer>/<model>/`` within it, as that version asks for.

    Raises:
        InvalidDocument: The record would not pass our own check; nothing is written.
        OSError: The folder cannot be written.
        ValueError: The version is none that is written.
    """
    if version not in WRITTEN_VERSIONS:
        raise ValueError(f"records of {version} are not written")
    rows = "".join(_line(sample_row(sample, run, version)) for sample in run.samples)
    draft = record_data(run, version)
    stem = _uuid(json.dumps(draft, sort_keys=True) + rows)
    place = folder if version == "0.2.0" else folder / _place(run)
    samples = place / f"{stem}_samples.jsonl"
    if run.samples:
        name = samples.name if version == "0.2.0" else f"{_place(run)}/{samples.name}"
        draft["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": name,
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(rows.encode("utf-8")).hexdigest(),
            "total_rows": len(run.samples),
        }
    text = json.dumps(draft, indent=2, ensure_ascii=False) + "\n"
    record = place / f"{stem}.json"
    check_text(text, path=str(record), kind="record").raise_for_errors()
    place.mkdir(parents=True, exist_ok=True)
    # Samples first: a record never points to a file that is not there yet.
    if run.samples:
        write_atomically(samples, rows.encode("utf-8"))
    write_atomically(record, text.encode("utf-8"))
    return Written(record, samples)


def _place(run: Run) -> str:
    """The folder of a record within a datastore."""
    developer, slash, model = run.model.id.partition("/")
    if not slash:
        developer, model = run.model.developer or "unknown", developer
    parts = (run.collection, developer, model.replace("/", "_"))
    return "/".join(("data", *(_UNFIT.sub("_", part).rstrip(". ") or "_" for part in parts)))


def record_data(run: Run, version: str = RECORD_VERSION) -> dict[str, Any]:
    """The record of a run, without the link to its samples."""
    source: dict[str, Any] = {
        "source_name": run.source.name,
        "source_type": "evaluation_run",
        "source_organization_name": run.source.organization or UNSPECIFIED,
        "evaluator_relationship": run.source.relationship or "other",
    }
    library = run.source.library or ("evalmark", installed("evalmark"))
    return {
        "schema_version": version,
        "evaluation_id": evaluation_id(run),
        "evaluation_timestamp": str(run.time),
        "retrieved_timestamp": str(run.time),
        "source_metadata": source,
        **(
            {"eval_library": {"name": library[0], "version": library[1]}}
            if version != "0.2.0"
            else {}
        ),
        "model_info": _model(run.model, version),
        "evaluation_results": [_result(result, run, version) for result in run.results],
    }


def evaluation_id(run: Run) -> str:
    """``<collection>/<model id>/<time>``."""
    return f"{run.collection}/{run.model.id}/{run.time}"


def _model(model: Model, version: str) -> dict[str, Any]:
    data: dict[str, Any] = {"name": model.name, "id": model.id}
    if model.developer:
        data["developer"] = model.developer
    if model.platform:
        data["inference_platform"] = model.platform
    if model.engine:
        data["inference_engine"] = {"name": model.engine[0], "version": model.engine[1]}
    details = dict(model.details)
    if version != "0.2.0":
        details = {
            "deployment_type": model.deployment,
            "model_availability": model.availability,
            **details,
        }
    if details:
        data["additional_details"] = details
    return data


def _result(result: Result, run: Run, version: str) -> dict[str, Any]:
    details: dict[str, Any] = {"score": result.score}
    if result.details:
        details["details"] = dict(result.details)
    if result.uncertainty:
        details["uncertainty"] = dict(result.uncertainty)
    generation: dict[str, Any] = {}
    if result.arguments:
        generation["generation_args"] = dict(result.arguments)
    settings = {**run.settings, **result.settings}
    library = run.source.library
    if library and version == "0.2.0":
        # 0.2.0 has no other place for it.
        settings = {"eval_library": " ".join(library), **settings}
    if settings:
        generation["additional_details"] = settings
    return {
        **({"evaluation_result_id": result.name} if version != "0.2.0" else {}),
        "evaluation_name": result.name,
        "source_data": _dataset(result),
        "metric_config": _metric(result, version),
        "score_details": details,
        **({"generation_config": generation} if generation else {}),
    }


def _dataset(result: Result) -> dict[str, Any]:
    dataset = result.dataset
    kind = "hf_dataset" if dataset.repo else "url" if dataset.urls else "other"
    data: dict[str, Any] = {"dataset_name": dataset.name, "source_type": kind}
    if dataset.repo:
        data["hf_repo"] = dataset.repo
        if dataset.split:
            data["hf_split"] = dataset.split
        if dataset.size is not None:
            data["samples_number"] = dataset.size
    elif dataset.urls:
        data["url"] = list(dataset.urls)
    if dataset.details:
        data["additional_details"] = dict(dataset.details)
    return data


def _metric(result: Result, version: str) -> dict[str, Any]:
    metric = result.metric
    data: dict[str, Any] = {"evaluation_description": metric.description}
    if metric.name and version != "0.2.0":
        data["metric_name"] = metric.name
    data["lower_is_better"] = metric.lower_is_better
    if metric.bounds is not None or version == "0.2.0":
        # Without bounds 0.2.0 has no form for the score; our own check refuses it then.
        data["score_type"] = "continuous"
    if metric.bounds is not None:
        data["min_score"], data["max_score"] = (_bound(bound) for bound in metric.bounds)
    if metric.judging:
        data["llm_scoring"] = dict(metric.judging)
    if metric.details:
        data["additional_details"] = dict(metric.details)
    return data


def _bound(value: float) -> float | str:
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def sample_row(sample: Sample, run: Run, version: str = RECORD_VERSION) -> dict[str, Any]:
    """One row of the sample file, in the form that goes with a version of the record."""
    turns = [_turn(index, sample, version) for index in range(len(sample.turns))]
    agentic = any(turn.tool_calls or turn.role == "tool" for turn in sample.turns)
    kind = "agentic" if agentic else "multi_turn" if turns else "single_turn"
    given: dict[str, Any] = {"raw": sample.raw}
    if sample.formatted is not None:
        given["formatted"] = sample.formatted
    given["reference"] = list(sample.reference)
    if sample.choices:
        given["choices"] = list(sample.choices)
    score = float(sample.correct) if sample.score is None else float(sample.score)
    evaluation: dict[str, Any] = {"score": score, "is_correct": sample.correct}
    if turns:
        evaluation["num_turns"] = sum(turn.role == "assistant" for turn in sample.turns)
    row: dict[str, Any] = {
        "schema_version": version,
        "evaluation_id": evaluation_id(run),
        "model_id": run.model.id,
        "evaluation_name": sample.result,
        **({"evaluation_result_id": sample.result} if version != "0.2.0" else {}),
        "sample_id": sample.id,
        "sample_hash": sample_hash(sample.raw, sample.reference),
        "interaction_type": kind,
        "input": given,
    }
    if turns:
        row["interactions" if version == "0.2.0" else "messages"] = turns
    else:
        row["output"] = {"raw": list(sample.output)}
    row["answer_attribution"] = [
        {
            "turn_idx": answer.turn,
            "source": answer.source
            if version != "0.2.0"
            else answer.source.replace("messages[", "interactions["),
            "extracted_value": answer.value,
            "extraction_method": answer.method,
            "is_terminal": answer.terminal,
        }
        for answer in sample.answers
    ]
    row["evaluation"] = evaluation
    if sample.usage:
        keys = ("input_tokens", "output_tokens", "total_tokens")
        row["token_usage"] = dict(zip(keys, sample.usage, strict=True))
    if sample.milliseconds is not None:
        row["performance"] = {"generation_time_ms": sample.milliseconds}
    if sample.error is not None:
        row["error"] = sample.error
    return {**row, "metadata": dict(sample.metadata)}


def _turn(index: int, sample: Sample, version: str) -> dict[str, Any]:
    turn = sample.turns[index]
    data: dict[str, Any] = {"turn_idx": index, "role": turn.role, "content": turn.content}
    if turn.tool_calls:
        data["tool_calls"] = [_call(call) for call in turn.tool_calls]
    if turn.tool_call_id is not None:
        data["tool_call_id"] = turn.tool_call_id if version == "0.2.0" else [turn.tool_call_id]
    return data


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    arguments = call.get("arguments") or {}
    texts = {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in arguments.items()
    }
    return {"id": str(call["id"]), "name": str(call["name"]), "arguments": texts}


def sample_hash(raw: str, reference: tuple[str, ...] | str, algorithm: str = "sha256") -> str:
    """Digest of a sample's input: equal inputs have equal hashes across models."""
    listed = [reference] if isinstance(reference, str) else list(reference)
    text = json.dumps({"raw": raw, "reference": listed}, sort_keys=True, separators=(",", ":"))
    return hashlib.new(algorithm, text.encode("utf-8"), usedforsecurity=False).hexdigest()


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _uuid(content: str) -> str:
    """A UUID of version 4's shape, from the content."""
    return str(uuid.UUID(bytes=hashlib.sha256(content.encode("utf-8")).digest()[:16], version=4))
