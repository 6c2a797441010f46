"""Prediction files written from what a model chose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.babylm.layout import DataFolder, ExpectedRow
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.writing import json_bytes, write_atomically


class ChosenText(NamedTuple):
    """The choice of a model in a row.

    Attributes:
        uid: The UID of the row, as the prediction file has it.
        number: Its position there, from 0.
        text: The text that the model prefers, as a whole; None if there is a tie.
        share: The share of the first text in the probability of both, where people's is known.
        is_of_contexts: Whether contexts were compared, where the pipeline compares targets.
    """

    uid: str
    number: int
    text: str | None
    share: float | None = None
    is_of_contexts: bool = False


class WrittenPredictions(NamedTuple):
    """A prediction file.

    Attributes:
        path: The file.
        rows: How many predictions it has.
        ties: How many of them are ties, for which a wrong text is written.
        impossible: How many rows have the same text twice, which BabyLM counts as right.
    """

    path: Path
    rows: int
    ties: int
    impossible: int


def write_predictions(
    results: Path, data: Iterable[DataFolder], choices: Iterable[ChosenText]
) -> list[WrittenPredictions]:
    """Write a prediction file for each folder of data.

    A tie is not a success: for a row with one, a wrong text is written, never the right one. Where
    all texts are the same, that text is written, and BabyLM's pipeline counts it as right.

    Args:
        results: The folder of a model, revision and backend: ``.../zero_shot/causal``.
        data: The data, as ``read_data`` reads it.
        choices: What the model chose, in any order.

    Raises:
        ConversionError: A row has no choice, or is one that the pipeline compares otherwise.
        OSError: A file cannot be written.
    """
    by_row = {(choice.uid, choice.number): choice for choice in choices}
    made = [(folder, _predictions(folder, by_row)) for folder in data]  # before any is written
    files = []
    for folder, predictions in made:
        path = results / folder.place
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json_bytes(predictions))
        rows = [row for uid in folder.rows.values() for row in uid]
        impossible = sum(_is_impossible(row) for row in rows)
        ties = sum(
            by_row[row.uid, row.number].text is None and not _is_impossible(row) for row in rows
        )
        files.append(WrittenPredictions(path, len(rows), ties, impossible))
    return files


def _is_impossible(row: ExpectedRow) -> bool:
    return row.preds[0] in row.preds[1:] and len({*row.preds}) == 1


def _predictions(
    folder: DataFolder, by_row: Mapping[tuple[str, int], ChosenText]
) -> dict[str, dict[str, list[dict[str, Any]]]]:
    return {
        uid: {"predictions": [_prediction(row, by_row.get((uid, row.number))) for row in rows]}
        for uid, rows in folder.rows.items()
    }


def _prediction(row: ExpectedRow, choice: ChosenText | None) -> dict[str, Any]:
    if choice is not None and choice.is_of_contexts:
        raise ConversionError(
            f"{row.id}: BabyLM compares two targets after one context, and this run one target "
            "after two contexts: its choice cannot be written",
            "score with --like babylm, or leave these data out",
        )
    if choice is None:
        raise ConversionError(f"the run has no choice for {row.id}", "score all rows")
    entry: dict[str, Any] = {"id": row.id, "pred": _pred(row, choice)}
    if row.has_share:
        if choice.share is None:
            raise ConversionError(f"the run has no probability for {row.id}")
        entry["prob"] = choice.share
    return entry


def _pred(row: ExpectedRow, choice: ChosenText) -> str:
    """The text that is written; for a tie one that is wrong."""
    if choice.text is None:
        return next((pred for pred in row.preds if pred != row.preds[0]), row.preds[0])
    if choice.text not in row.wholes:
        raise ConversionError(f"{row.id}: the run has compared other texts than the data has")
    return row.preds[row.wholes.index(choice.text)]
