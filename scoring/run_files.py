"""The files of a run: written so that nothing is lost, read though they may be damaged."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from evalmark.converters.records.run import Run
from evalmark.converters.records.writer import RECORD_NAMES, Written, write_record
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.surprisals.pack_store import PARTIAL
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import (
    json_bytes,
    listed_files,
    manifest,
    remove_listed,
    remove_superseded,
    write_atomically,
)

SCORES = "scores.json"
REGIONS = "regions.csv"
PAIRS = "pairs.csv"
#: What a run calls the files that its manifest lists.
_NAMES = re.compile(rf"{RECORD_NAMES}|{re.escape(REGIONS)}|{re.escape(PAIRS)}")
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


def write_run(
    run: Run,
    folder: Path,
    data: Mapping[str, Any],
    table: str,
    content: bytes,
    *,
    version: str,
    is_whole: bool,
) -> tuple[Path, Path, Written | None]:
    """Write the files of a run in an order that an interruption cannot harm.

    Args:
        run: What the record says.
        folder: Where.
        data: ``scores.json``, without the list of files.
        table: Name of the table with every value.
        content: The table.
        version: Version of the record.
        is_whole: Whether everything was scored, so that nothing computed waits for the rest.

    Returns:
        ``scores.json``, the table, and the record if there are results.
    """
    path, values = folder / SCORES, folder / table
    earlier = listed_files(path)
    written = write_record(run, folder, version=version) if run.results else None
    write_atomically(values, content)
    files = manifest(folder, [*([written.record, written.samples] if written else []), values])
    write_atomically(path, json_bytes({**data, "files": files}))
    # Only now: an interrupted run leaves the earlier one intact.
    remove_listed(folder, earlier, keep=files, names=_NAMES)
    if is_whole:
        remove_superseded(folder / PARTIAL)
    return path, values, written
