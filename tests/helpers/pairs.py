"""Minimal pairs, and files of them."""

from pathlib import Path
from typing import Any

from conftest import file_at


def pair(good: Any, bad: Any, **labels: Any) -> dict[str, Any]:
    """A pair in the form of BLiMP."""
    return {"sentence_good": good, "sentence_bad": bad, **labels}


def pairs_at(folder: Path, rows: Any, name: str = "set.jsonl") -> str:
    """The path of a file with these rows, or this text."""
    return str(file_at(folder / name, rows))
