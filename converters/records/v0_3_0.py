"""Records and sample rows of version 0.3.0."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version as installed
from typing import Any

from evalmark.converters.overrides.table_keys import UNKNOWN
from evalmark.converters.records import builders
from evalmark.converters.records.run import Result, Run, Sample
from evalmark.converters.step import Object
from evalmark.validator.io.portable_names import portable_name

VERSION = "0.3.0"


def folder_of(run: Run) -> str:
    """The folder of the files, below the one that is written: the place in a datastore."""
    developer, slash, model = run.model.id.partition("/")
    if not slash:
        developer, model = run.model.developer or "unknown", developer
    return "/".join(("data", *map(portable_name, (run.collection, developer, model))))


def record_of(run: Run) -> Object:
    """The record of a run, without the link to its samples."""
    name, version = run.producer.library or ("evalmark", installed("evalmark"))
    model = run.model
    details = builders.axes_of(model)
    return {
        **builders.head(run, VERSION),
        "eval_library": {"name": name, "version": version},
        "model_info": builders.model_info(model, {**details, **model.details}),
        "evaluation_results": [_result(result, run) for result in run.results],
    }


def _result(result: Result, run: Run) -> Object:
    metric = builders.metric_config(result.metric, has_name=True)
    if "llm_scoring" in metric:
        judges = [_judge(judge) for judge in metric["llm_scoring"]["judges"]]
        metric["llm_scoring"] = {**metric["llm_scoring"], "judges": judges}
    written = builders.result(result, metric, run.settings_of(result))
    evaluation, key = _names(result, run)
    return {"evaluation_result_id": key, **written, "evaluation_name": evaluation}


def _names(result: Result, run: Run) -> tuple[str, str]:
    """The name of the evaluation, which may have several results, and the id of this one."""
    if not run.is_joined:
        return result.name, result.name
    return result.evaluation or result.name, result.key or result.name


def _judge(judge: Mapping[str, Any]) -> Object:
    model = judge["model_info"]
    stated = {"deployment_type": UNKNOWN, "model_availability": UNKNOWN}
    details = {**stated, **model.get("additional_details", {})}
    return {**judge, "model_info": {**model, "additional_details": details}}


def row_of(sample: Sample, run: Run) -> Object:
    """The row of a sample."""
    evaluation, key = _names(run.result_of(sample), run)
    return {
        **builders.row_head(sample, run, VERSION),
        "evaluation_name": evaluation,
        "evaluation_result_id": key,
        **builders.row_input(sample),
        **builders.row_output(sample, "messages", lists_ids=True),
        **builders.row_tail(sample, run),
    }
