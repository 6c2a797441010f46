"""Records and sample rows of version 0.2.0."""

from __future__ import annotations

from evalmark.converters.records import builders
from evalmark.converters.records.run import Result, Run, Sample
from evalmark.converters.step import Object

VERSION = "0.2.0"


def folder_of(_: Run) -> str:
    """The folder of the files, below the one that is written: "", directly in it."""
    return ""


def record_of(run: Run) -> Object:
    """The record of a run, without the link to its samples."""
    return {
        **builders.head(run, VERSION),
        "model_info": builders.model_info(run.model, run.model.details),
        "evaluation_results": [_result(result, run) for result in run.results],
    }


def _result(result: Result, run: Run) -> Object:
    # Our own check refuses a score without bounds: this version cannot express it.
    metric = builders.metric_config(result.metric, has_name=False)
    library = run.producer.library
    # This version has no field for the library.
    named = {"eval_library": " ".join(library)} if library else {}
    return builders.result(result, metric, {**named, **run.settings_of(result)})


def row_of(sample: Sample, run: Run) -> Object:
    """The row of a sample."""
    return {
        **builders.row_head(sample, run, VERSION),
        **builders.row_input(sample),
        **builders.row_output(sample, "interactions", lists_ids=False),
        **builders.row_tail(sample, run),
    }
