"""Records and sample rows of version 0.2.0."""

from __future__ import annotations

from evalmark.converters.records import builders as parts
from evalmark.converters.records.builders import Object
from evalmark.converters.records.run import Result, Run, Sample

VERSION = "0.2.0"


def folder_of(_: Run) -> str:
    """Where the files are below the folder that is written: directly in it."""
    return ""


def record_of(run: Run) -> Object:
    """The record of a run, without the link to its samples."""
    return {
        **parts.head(run, VERSION),
        "model_info": parts.model_info(run.model, run.model.details),
        "evaluation_results": [_result(result, run) for result in run.results],
    }


def _result(result: Result, run: Run) -> Object:
    # Our own check refuses a score without bounds: this version cannot express it.
    metric = parts.metric_config(result.metric, has_name=False, needs_type=True)
    library = run.producer.library
    # This version has no field for the library.
    named = {"eval_library": " ".join(library)} if library else {}
    return parts.result(result, metric, {**named, **run.settings})


def row_of(sample: Sample, run: Run) -> Object:
    """The row of a sample."""
    return {
        **parts.row_head(sample, run, VERSION),
        **parts.row_input(sample),
        **parts.row_output(sample, "interactions", lists_ids=False),
        **parts.row_tail(sample, run),
    }
