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
PAIRS = "pairs.csv"
#: Columns of ``pairs.csv``: a row for each text of each contest; the right one is side 0.
PAIR_COLUMNS = (
    "model", "set", "uid", "item", "side", "context", "text", "tokens", "surprisal", "score",
    "method", "outcome",
)  # fmt: skip


@contextmanager
def reading_folder(folder: Path) -> Iterator[None]:
    """Turn whatever reading the files of a run raises into an error that names its folder.

    Raises:
        ScoringError: A file is missing, or it is not that of a run.
        OSError: A file cannot be read.
    """
    try:
        yield
    except ScoringError:
        raise
    except FileNotFoundError as error:
        name = Path(str(error.filename)).name
        raise ScoringError(f"{folder} has no {name}: it is not the folder of a run") from error
    except NotADirectoryError as error:
        raise ScoringError(f"{folder} is a file, not the folder of a run") from error
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
    """The data of ``scores.json`` of a run of suites.

    Raises:
        ScoringError: The run is one over minimal pairs.
    """
    data = any_scores_of(folder)
    if is_of_pairs(data):
        raise ScoringError(
            f"{folder} is a run over minimal pairs, and not of suites: its texts with their "
            "surprisals are in pairs.csv"
        )
    return data


def any_scores_of(folder: Path) -> Any:
    """The data of ``scores.json``, whatever was scored."""
    return json.loads(read_whole(folder / SCORES))


def is_of_pairs(data: Any) -> bool:
    """Whether parsed data is the ``scores.json`` of a run over minimal pairs."""
    return isinstance(data, dict) and "pair_files" in data


def region_rows(folder: Path) -> Iterator[Mapping[str, str]]:
    """The rows of ``regions.csv``."""
    return table_rows(folder / REGIONS)


def table_rows(path: Path) -> Iterator[Mapping[str, str]]:
    """The rows of a table of a run."""
    text = read_whole(path).decode("utf-8")
    return csv.DictReader(StringIO(text, newline=""))
