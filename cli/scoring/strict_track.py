"""``evalmark babylm MODEL --data FOLDER``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from evalmark.cli.settings import settings as settings_of_folder
from evalmark.converters.records.record_version import chosen_version
from evalmark.converters.records.run import Producer
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.babylm.submission import Submission, TaskLine, task_lines
from evalmark.scoring.babylm.track_run import TrackChoices
from evalmark.scoring.score_settings import Computing
from evalmark.validator.io.terminal import CLEAN, FOUND, counting, put_json, say, tell


def submit(
    model: str,
    data: Path,
    results: Path,
    revisions: str | None,
    loading: Mapping[str, Any],
    *,
    backend: str = "",
    overwrite: bool,
    as_json: bool,
) -> int:
    """Do the tasks of the strict track, and print a line for each; the exit code."""
    if not data.is_dir():
        raise ScoringError(f"{data} is not a folder with the data of the Challenge")
    config = settings_of_folder()
    choices = TrackChoices(
        Computing(**config.score),
        Producer(config.organization, config.relationship),
        config.collection,
        chosen_version(None, config),
        overwrite,
        partial(counting, "scoring", resumes=True, patience=0),
    )
    names = [name.strip() for name in (revisions or "").split(",") if name.strip()]
    lines: list[TaskLine] = []
    for line in task_lines(Submission(model, data, results, names, loading, choices, backend)):
        lines.append(line)
        if not as_json:
            tell(_said(line))
    if as_json:
        put_json({"tasks": [_as_json(line) for line in lines]})
    undone = sum(not line.is_done for line in lines)
    say(f"{len(lines):,} tasks: {undone:,} missing or failed.")
    return FOUND if undone else CLEAN


def _said(line: TaskLine) -> str:
    place = f": {line.path}" if line.path else ""
    return f"{line.revision:<10} {line.dataset:<24} {line.outcome:<9} {line.detail}{place}"


def _as_json(line: TaskLine) -> dict[str, Any]:
    return {**line._asdict(), "path": str(line.path) if line.path else None}
