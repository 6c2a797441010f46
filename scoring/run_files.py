"""Reading the files of a finished run, which may be missing or damaged."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.validator.edge.opening import read_whole

SCORES = "scores.json"
REGIONS = "regions.csv"


@contextmanager
def reading_folder(folder: Path) -> Iterator[None]:
    """Turn whatever reading the files of a run raises into an error that names its folder.

    Raises:
        ScoringError: A file is missing, or it is not that of a run.
        OSError: A file cannot be read.
    """
    try:
        yield
    except FileNotFoundError as error:
        name = Path(str(error.filename)).name
        raise ScoringError(f"{folder} has no {name}: it is not the folder of a run") from error
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
        csv.Error,
    ) as error:
        raise ScoringError(f"{folder} is not the folder of a run: {error!r}") from error


def scores_of(folder: Path) -> Any:
    """The data of ``scores.json``."""
    return json.loads(read_whole(folder / SCORES))


def region_rows(folder: Path) -> Iterator[Mapping[str, str]]:
    """The rows of ``regions.csv``."""
    text = read_whole(folder / REGIONS).decode("utf-8")
    return csv.DictReader(StringIO(text, newline=""))
