"""Records from version to version: each function takes a copy of a record to the next one."""

from __future__ import annotations

import copy
import math
import re
from typing import Any

from evalmark.converters.records.coerce import (
    Notes,
    complete,
    fit,
    indexed_results,
    models_of,
    put_aside,
    rename_key,
)
from evalmark.converters.step import Object, Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.files import bundle

#: Where the place of samples is stated.
_SAMPLES = "/detailed_evaluation_results/file_path"
#: A place for samples, while the caller only asks what is missing.
_STAND_IN = "data/a/b/c/00000000-0000-4000-8000-000000000000_samples.jsonl"
_SOURCE_TYPES = {"leaderboard": "documentation", "evaluation_platform": "evaluation_run"}


def from_0_0_1(record: Object, supplied: Supplied, notes: Notes) -> Object:
    """Five writers used 0.0.1 for five layouts; all of them are read."""
    record["source_metadata"] = _source_metadata(record, supplied, notes)
    if "source_data_urls" in record:
        record.setdefault("source_data", record["source_data_urls"])
        del record["source_data_urls"]
    model = _ensure_object(record, "model_info")
    details = record.pop("additional_details", None)
    if isinstance(details, dict):
        model_details = _ensure_object(model, "additional_details")
        put_aside(details, set(details), model_details, "/additional_details/")
    if not isinstance(model.get("id"), str) and str(model.get("name", "")).count("/") == 1:
        model["id"] = model["name"]
        notes["/model_info/id is the name, which looks like an id"] += 1
    complete(model, "id", "/model_info/id", supplied, notes)
    for key in ("retrieved_timestamp", "evaluation_timestamp"):
        if isinstance(record.get(key), int | float) and not isinstance(record[key], bool):
            record[key] = repr(record[key])
    for _, result in indexed_results(record):
        score = _ensure_object(result, "score_details")
        if isinstance(score.get("score"), str):
            score["score"] = _number(score["score"])
    # Move keys that a closed root does not allow to the details of the model.
    members = bundle("record-0.1.0")["properties"]
    extra = record.keys() - members.keys()
    if extra:
        put_aside(record, extra, _ensure_object(model, "additional_details"), "/")
    return record


def _source_metadata(record: Object, supplied: Supplied, notes: Notes) -> Object:
    """The source of a record of 0.0.1, which its writers stated under three keys."""
    source = _ensure_object(record, "source_metadata")
    old = record.pop("evaluation_source", None)
    if isinstance(old, dict):
        if "evaluation_source_name" in old:
            source.setdefault("source_name", old["evaluation_source_name"])
        kind = old.get("evaluation_source_type")
        if isinstance(kind, str) and kind in _SOURCE_TYPES:
            source.setdefault("source_type", _SOURCE_TYPES[kind])
    board = record.pop("leaderboard_name", None)
    if board is not None:
        source.setdefault("source_name", board)
        source.setdefault("source_type", "documentation")
        notes["leaderboard_name becomes source_name, with the source_type documentation"] += 1
    place = "/source_metadata/source_type"
    complete(source, "source_type", place, supplied, notes, stand_in="documentation")
    first = {key: source[key] for key in ("source_name", "source_type") if key in source}
    return first | source


def from_0_1_0(record: Object, supplied: Supplied, notes: Notes) -> Object:
    """The source of the data moves to the results, unknown settings to details."""
    samples = record.pop("detailed_evaluation_results_per_samples", None)
    if isinstance(samples, list) and samples:
        raise ConversionError(
            "the record holds samples that have no score, which the new version requires",
            "score them first, or remove detailed_evaluation_results_per_samples",
        )
    source = record.pop("source_data", None)
    model = _ensure_object(record, "model_info")
    if isinstance(model.get("inference_engine"), str):
        model["inference_engine"] = {"name": model["inference_engine"]}
    renewed = []
    for index, result in indexed_results(record):
        data_source = _source(source, result, index, supplied, notes)
        moved = {
            "detailed_evaluation_results_url": result.pop("detailed_evaluation_results_url", None),
            "detailed_evaluation_results_per_samples": samples,
        }
        if statements := {key: value for key, value in moved.items() if value}:
            data_source["additional_details"] = {
                **data_source.get("additional_details", {}), **statements
            }  # fmt: skip
        generation = result.get("generation_config")
        if isinstance(generation, dict):
            extra = set(generation) - {"generation_args", "additional_details"}
            details = generation.pop("additional_details", {})
            put_aside(generation, extra, details, "/generation_config/")
            if details:
                generation["additional_details"] = details
        renewed.append(_insert_after("evaluation_name", result, "source_data", data_source))
    record["evaluation_results"] = renewed
    return record


def _source(source: Any, result: Object, index: int, supplied: Supplied, notes: Notes) -> Object:
    if isinstance(source, dict):
        data_source = {"dataset_name": None, "source_type": "hf_dataset", **copy.deepcopy(source)}
    elif source:
        data_source = {"dataset_name": None, "source_type": "url", "url": list(source)}
    else:
        data_source = {"dataset_name": None, "source_type": "other"}
    pointer = f"/evaluation_results/{index}/source_data/dataset_name"
    complete(data_source, "dataset_name", pointer, supplied, notes, siblings=result)
    return data_source


def from_0_2_0(record: Object, supplied: Supplied, notes: Notes) -> Object:
    """A library is named, and every free map has texts only."""
    library = _ensure_object(record, "eval_library")
    for key in ("name", "version"):
        complete(library, key, f"/eval_library/{key}", supplied, notes, unknown="unknown")
    if not isinstance(record.get("detailed_evaluation_results", {}), dict):
        raise ConversionError("detailed_evaluation_results must be an object in the new version")
    schema = bundle("record-0.2.1")
    generation_schema = schema["properties"]["evaluation_results"]["items"]["properties"][
        "generation_config"
    ]
    arguments = set(generation_schema["properties"]["generation_args"]["properties"])
    for _, result in indexed_results(record):
        generation = result.get("generation_config")
        stated = generation.get("generation_args") if isinstance(generation, dict) else None
        if isinstance(generation, dict) and isinstance(stated, dict):
            details = _ensure_object(generation, "additional_details")
            put_aside(stated, set(stated) - arguments, details, "generation_args/")
            if not details:
                del generation["additional_details"]
    record.pop("eval_library")
    ordered = _insert_after("source_metadata", record, "eval_library", library)
    fitted: Object = fit(ordered, schema, schema)
    return fitted


def from_0_2_2(record: Object, supplied: Supplied, notes: Notes) -> Object:
    """Models say who runs them and whether their weights are open; samples have a fixed place."""
    _ensure_object(record, "model_info")
    for where, model in models_of(record):
        details = _ensure_object(model, "additional_details")
        for key in ("deployment_type", "model_availability"):
            pointer = f"{where}/additional_details/{key}"
            complete(details, key, pointer, supplied, notes, unknown="unknown")
    link = record.get("detailed_evaluation_results")
    if isinstance(link, dict):
        link_schema = bundle("record-0.3.0")["properties"]["detailed_evaluation_results"][
            "properties"
        ]
        pattern = link_schema["file_path"]["pattern"].replace("$", r"\Z")
        if not re.search(pattern, str(link.get("file_path", ""))):
            link.pop("file_path", None)
            complete(link, "file_path", _SAMPLES, supplied, notes, stand_in=_STAND_IN)
        if link.get("format", "jsonl") != "jsonl":
            raise ConversionError("the samples are not JSON Lines, which the new version requires")
        link["format"] = "jsonl"
    return record


def _insert_after(key: str, holder: Object, name: str, value: object) -> Object:
    ordered: Object = {}
    for name_of_child, child in holder.items():
        ordered[name_of_child] = child
        if name_of_child == key:
            ordered[name] = value
    ordered.setdefault(name, value)
    return ordered


def _ensure_object(holder: Object, key: str) -> Object:
    """The object under a key, which is made if it is missing.

    Raises ConversionError if it is something else.
    """
    value = holder.get(key)
    if isinstance(value, dict):
        return value
    if value is not None:
        raise ConversionError(f"`{key}` is not an object")
    made: Object = {}
    holder[key] = made
    return made


def _number(text: str) -> float | int:
    try:
        value = float(text)
    except ValueError:
        raise ConversionError(f'the score "{text}" is not a number') from None
    if not math.isfinite(value):
        raise ConversionError(f'the score "{text}" is not a number')
    return int(text) if text.strip().lstrip("+-").isdecimal() else value


def row_from_0_2_0(row: Object, _: Supplied, __: Notes) -> Object:
    """`interactions` is renamed to `messages`, and texts become lists."""
    rename_conversation(row, "interactions", "messages")
    schema = bundle("sample-0.2.1")
    extra = row.keys() - schema["properties"].keys()
    if extra:
        stated = row.get("metadata")
        details = stated if isinstance(stated, dict) else {}
        put_aside(row, set(extra), details, "")
        row["metadata"] = details
    performance = row.get("performance")
    if isinstance(performance, dict):
        members = schema["properties"]["performance"]["properties"].keys()
        more = performance.get("additional_details") or {}
        put_aside(performance, performance.keys() - members, more, "performance/")
        if more:
            performance["additional_details"] = more
    fitted: Object = fit(row, schema, schema)
    return fitted


def rename_conversation(row: Object, old: str, new: str) -> None:
    """Rename the key of the turns, also where an answer says in which turn it is."""
    rename_key(row, old, new)
    answers = row.get("answer_attribution")
    for answer in answers if isinstance(answers, list) else ():
        if isinstance(answer, dict) and str(answer.get("source")).startswith(f"{old}["):
            answer["source"] = answer["source"].replace(old, new, 1)
