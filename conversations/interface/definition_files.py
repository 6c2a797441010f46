"""Definitions as files of a run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.validator.edge.paths import is_plain_name
from evalmark.validator.edge.writing import json_bytes, write_atomically


def definition_path(run: str | Path, dataset: str, identity: str) -> Path:
    """``<run>/definitions/<dataset>/<id>.def.json``.

    Raises:
        ScoringError: A name could lead elsewhere.
    """
    for name in (dataset, identity):
        if not is_plain_name(name):
            raise ScoringError(f"the name {name!r} cannot be the name of a file or folder")
    return Path(run, "definitions", dataset, f"{identity}.def.json")


def write_definition(path: Path, definition: Mapping[str, Any], *, exist_ok: bool) -> None:
    """Write a definition.

    Raises:
        ScoringError: The file exists, unless that is ``exist_ok``.
    """
    if path.exists() and not exist_ok:
        raise ScoringError(f"{path} exists; give exist_ok=True to replace it")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json_bytes(definition))
