"""The one writer of records and sample files: built, checked, and only then put in place."""

from __future__ import annotations

import hashlib
import json
import uuid
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.validator import InvalidDocument, check_text, write_atomically

from ._form import UNSPECIFIED, Result, Run, Sample
from ._statistics import CONFIDENCE, proportion_uncertainty

RECORD_VERSION = "0.2.0"


class Written(NamedTuple):
    """Where a record and its samples lie."""

    record: Path
    samples: Path


def write_record(run: Run, folder: Path) -> Written:
    """Write the record of a run and its sample file into a folder, both or an exception.

    File names are shaped like a UUID and made from the content, so that the same run gives the
    same files.

    Raises:
        InvalidDocument: The record would not pass our own check; nothing is written.
        OSError: The folder cannot be written.
    """
    rows = "".join(_line(sample_row(sample, run)) for sample in run.samples)
    draft = record_data(run)
    stem = _uuid(json.dumps(draft, sort_keys=True) + rows)
    samples = folder / f"{stem}_samples.jsonl"
    draft["detailed_evaluation_results"] = {
        "format": "jsonl",
        "file_path": samples.name,
        "hash_algorithm": "sha256",
        "checksum": hashlib.sha256(rows.encode("utf-8")).hexdigest(),
        "total_rows": len(run.samples),
    }
    text = json.dumps(draft, indent=2, ensure_ascii=False) + "\n"
    record = folder / f"{stem}.json"
    check_text(text, path=str(record), kind="record").raise_for_errors()
    # Samples first: a record never points to a file that is not there yet.
    write_atomically(samples, rows.encode("utf-8"))
    write_atomically(record, text.encode("utf-8"))
    return Written(record, samples)


def record_data(run: Run) -> dict[str, Any]:
    """The record of a run, without the link to its samples."""
    model: dict[str, Any] = {"name": run.model.name, "id": run.model.id}
    if run.model.engine:
        name, version = run.model.engine
        model["inference_engine"] = {"name": name, "version": version}
    if run.model.details:
        model["additional_details"] = dict(run.model.details)
    return {
        "schema_version": RECORD_VERSION,
        "evaluation_id": evaluation_id(run),
        "evaluation_timestamp": str(run.time),
        "retrieved_timestamp": str(run.time),
        "source_metadata": {
            "source_name": "evalmark",
            "source_type": "evaluation_run",
            "source_organization_name": run.source.organization or UNSPECIFIED,
            "evaluator_relationship": run.source.relationship or "other",
        },
        "model_info": model,
        "evaluation_results": [_result(result, run) for result in run.results],
    }


def evaluation_id(run: Run) -> str:
    """``<collection>/<model id>/<time>``."""
    return f"{run.collection}/{run.model.id}/{run.time}"


def _result(result: Result, run: Run) -> dict[str, Any]:
    score = result.correct / result.items
    details: dict[str, Any] = {
        "score": score,
        "details": {
            "correct": str(result.correct),
            "items": str(result.items),
            **result.details,
        },
    }
    uncertainty = proportion_uncertainty(result.correct, result.items)
    if uncertainty is not None:
        details["uncertainty"] = {
            "standard_error": {"value": uncertainty.standard_error, "method": "analytic"},
            "confidence_interval": {
                "lower": uncertainty.lower,
                "upper": uncertainty.upper,
                "confidence_level": CONFIDENCE,
                "method": "wilson",
            },
            "num_samples": result.items,
        }
    return {
        "evaluation_name": result.name,
        "source_data": {"dataset_name": result.dataset, "source_type": "other"},
        "metric_config": {
            "evaluation_description": result.description,
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": 1,
        },
        "score_details": details,
        "generation_config": {"additional_details": dict(run.settings)},
    }


def sample_row(sample: Sample, run: Run) -> dict[str, Any]:
    """One row of the sample file, in the form that goes with record 0.2.0."""
    return {
        "schema_version": RECORD_VERSION,
        "evaluation_id": evaluation_id(run),
        "model_id": run.model.id,
        "evaluation_name": sample.result,
        "sample_id": sample.id,
        "sample_hash": sample_hash(sample.raw, sample.reference),
        "interaction_type": "single_turn",
        "input": {"raw": sample.raw, "reference": list(sample.reference)},
        "output": {"raw": list(sample.output)},
        "answer_attribution": [],
        "evaluation": {"score": 1.0 if sample.correct else 0.0, "is_correct": sample.correct},
        "metadata": dict(sample.metadata),
    }


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


__all__ = ["InvalidDocument", "Written", "write_record"]
