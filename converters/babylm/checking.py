"""Prediction files checked against the data that they are about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.babylm.layout import PREDICTIONS, DataFolder, ExpectedRow, full
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read


class Mistake(NamedTuple):
    """A mistake in a folder of results.

    Attributes:
        path: The file.
        pointer: Where in it; empty for the file as a whole.
        message: What is wrong.
    """

    path: Path
    pointer: str
    message: str


class CheckedResults(NamedTuple):
    """What a check has found.

    Attributes:
        files: How many prediction files were checked.
        skipped: Prediction files whose data are not at hand.
        mistakes: What is wrong.
    """

    files: int
    skipped: list[Path]
    mistakes: list[Mistake]


def check_results(results: Path, data: Iterable[DataFolder]) -> CheckedResults:
    """Check the prediction files below a folder: UIDs, numbers, order, and that texts are known.

    Raises:
        OSError: A file cannot be read.
    """
    known = {(folder.task, folder.dataset): folder for folder in data}
    paths = [results] if results.is_file() else sorted(results.rglob(PREDICTIONS))
    mistakes: list[Mistake] = []
    skipped, seen = [], set()
    for path in paths:
        name = full(path).parent.parent.name, full(path).parent.name
        folder = known.get(name)
        if folder is None:
            skipped.append(path)
            continue
        seen.add(name)
        mistakes += (Mistake(path, *found) for found in _mistakes(path, folder))
    mistakes += (
        Mistake(results / folder.place, "", "there is no prediction file for these data")
        for name, folder in known.items()
        if name not in seen
    )
    return CheckedResults(len(paths) - len(skipped), skipped, mistakes)


Found = tuple[str, str]


def _mistakes(path: Path, folder: DataFolder) -> Iterator[Found]:
    reading = read(read_whole(path), str(path))
    if reading.findings or not isinstance(reading.data, dict):
        said = reading.findings[0].message if reading.findings else "not an object of UIDs"
        yield "", said
        return
    data: Mapping[str, Any] = reading.data
    for uid in folder.rows.keys() - data.keys():
        yield "", f"there are no predictions for {uid}"
    for uid, entry in data.items():
        at = f"/{uid.replace('~', '~0').replace('/', '~1')}"
        rows = folder.rows.get(uid)
        if rows is None:
            yield at, f"the data have no rows of {uid}"
            continue
        predictions = entry.get("predictions") if isinstance(entry, dict) else None
        if not isinstance(predictions, list):
            yield at, 'expected {"predictions": [...]}'
            continue
        if len(predictions) != len(rows):
            yield at, f"{len(predictions)} predictions, and {len(rows)} rows of data"
        for number, (row, found) in enumerate(zip(rows, predictions, strict=False)):
            yield from ((f"{at}/predictions/{number}{key}", said) for key, said in _row(row, found))


def _row(row: ExpectedRow, found: Any) -> Iterator[Found]:
    """What is wrong with a prediction: the key, and a message."""
    if not isinstance(found, dict):
        yield "", "not an object with `id` and `pred`"
        return
    if found.get("id") != row.id:
        yield "/id", f"{_shown(found.get('id'))}, expected {_shown(row.id)}"
    pred = found.get("pred")
    # The pipeline strips texts before it compares them.
    if not isinstance(pred, str) or pred.strip() not in {text.strip() for text in row.preds}:
        yield "/pred", f"{_shown(pred)} is none of the {len(row.preds)} texts of the row"
    share = found.get("prob")
    if row.has_share and not (
        isinstance(share, int | float) and not isinstance(share, bool) and 0 <= share <= 1
    ):
        yield "/prob", f"{_shown(share)}, expected a probability"


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
