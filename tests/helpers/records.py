"""The good record and its samples, written as a test changes them."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conftest import data_at, file_at, record_at
from pointers import changed

RECORD, SAMPLES = "with_samples.json", "with_samples_samples.jsonl"


def sampled(
    folder: Path, change: Callable[[Any, list[Any]], Any] | None = None, *, sums: bool = True
) -> Path:
    """The path of the good record, whose samples are in the file next to it.

    ``change(record, rows)`` changes both; a row that it makes bytes is written as it is. Checksum
    and count are those of the rows, except without ``sums``.
    """
    record, rows = data_at(f"good/{RECORD}"), data_at(f"good/{SAMPLES}")
    if change:
        change(record, rows)
    lines = [row if isinstance(row, bytes) else f"{json.dumps(row)}\n".encode() for row in rows]
    raw = b"".join(lines)
    if sums:
        of_rows = {"checksum": hashlib.sha256(raw).hexdigest(), "total_rows": len(rows)}
        record["detailed_evaluation_results"] |= of_rows
    file_at(folder / SAMPLES, raw)
    return file_at(folder / RECORD, json.dumps(record, indent=1))


def plain_record(version: str, changes: Any = ()) -> Any:
    """The record of a version without samples, with other values at some pointers."""
    record = record_at(version)
    for samples in ("detailed_evaluation_results", "detailed_evaluation_results_per_samples"):
        record.pop(samples, None)
    return changed(record, dict(changes))
