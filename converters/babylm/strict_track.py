"""The tasks of the strict track that a language model does without training, and their files.

``evaluation_data/full_eval`` has the data for a final model, ``fast_eval`` smaller ones for its
checkpoints (``chck_1M``, ``chck_2M``, ...). Established from ``eval_zero_shot.sh``,
``eval_zero_shot_fast.sh``, ``reading/run.py`` and ``AoA_word`` of the pipeline of 2026.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.babylm.layout import PREDICTIONS
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import json_bytes, write_atomically
from evalmark.validator.reading.strict_json import decode

#: What the pipeline calls the final model.
FINAL = "main"
#: The words that a checkpoint has seen, in its name.
_CHECKPOINT = re.compile(r"chck_(\d+)M")
#: Cells that pandas, with which the pipeline reads tables, takes for missing.
_MISSING = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
     "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null")
)  # fmt: skip


class TrackTask(NamedTuple):
    """A task of the strict track.

    Attributes:
        name: As in the path of its predictions.
        full: Its data for a final model: a folder of minimal pairs, or a file.
        fast: Its data for checkpoints; empty if they do not have the task.
        hint: Where the data are if the download does not have them; may be empty.
    """

    name: str
    full: str
    fast: str = ""
    hint: str = ""


_GATED = "they are gated: `python -m evaluation_pipeline.ewok.dl_and_filter` fetches them"
#: The tasks with minimal pairs.
PAIR_TASKS = (
    TrackTask("blimp", "blimp_filtered", "blimp_fast"),
    TrackTask("blimp", "supplement_filtered", "supplement_fast"),
    TrackTask("ewok", "ewok_filtered", "ewok_fast", _GATED),
    TrackTask("entity_tracking", "entity_tracking", "entity_tracking_fast"),
    TrackTask("wug_adj", "wug_adj_nominalization", "wug_adj_nominalization"),
    TrackTask("wug_past", "wug_past_tense", "wug_past_tense"),
    TrackTask("comps", "comps"),
)
READING = TrackTask("reading", "reading/reading_data.csv", "reading/reading_data.csv")
#: It has one file for all checkpoints, in the results of the final model.
ACQUISITION = TrackTask("AoA_word", "aoa/cdi_childes.json", "aoa/cdi_childes.json")


def data_of(task: TrackTask, folder: Path, revision: str) -> Path:
    """The data of a task for a final model (``main``) or a checkpoint, which may not exist.

    Args:
        task: A task that models of this kind have.
        folder: ``evaluation_data``, or the folder in it that has the data themselves.
        revision: The name of the checkpoint.
    """
    is_full = revision == FINAL or task is ACQUISITION
    place = task.full if is_full else task.fast
    below = folder / ("full_eval" if is_full else "fast_eval") / place
    return below if below.exists() or not (folder / place).exists() else folder / place


def words_seen(revision: str) -> int | None:
    """The words that a checkpoint has seen: 2,000,000 for ``chck_2M``; None for other names."""
    match = _CHECKPOINT.fullmatch(revision)
    return int(match[1]) * 10**6 if match else None


class WordInContext(NamedTuple):
    """A word, and the text before it as the file has it."""

    context: str
    word: str


class ReadingRow(NamedTuple):
    """A row of the reading data.

    Attributes:
        word: The word that was read.
        previous: The word before it, which has an effect too; None for a first word.
    """

    word: WordInContext
    previous: WordInContext | None


def read_reading(path: Path) -> list[ReadingRow]:
    """The rows of the reading data: columns ``item``, ``word``, ``prev_item`` and ``prev_word``.

    Raises:
        ConversionError: It has other columns, or is no table.
        OSError: It cannot be read.
    """
    try:
        table = csv.DictReader(io.StringIO(decode(read_whole(path)), newline=""), strict=True)
        return [
            ReadingRow(
                # The pipeline writes None for an empty text.
                WordInContext("None" if row["item"] in _MISSING else row["item"], row["word"]),
                None
                if row["prev_item"] in _MISSING
                else WordInContext(row["prev_item"], row["prev_word"]),
            )
            for row in table
        ]
    except (ValueError, LookupError, csv.Error) as error:
        raise ConversionError(
            f"{path} has not the columns item, word, prev_item and prev_word"
        ) from error


def read_acquisition(path: Path) -> list[tuple[str, list[str]]]:
    """The words of the acquisition data with their contexts; words of one letter are left out.

    Raises:
        ConversionError: It is not an object of lists of contexts.
        OSError: It cannot be read.
    """
    try:
        words = json.loads(decode(read_whole(path)))
        return [
            (word, [str(entry["context"]) for entry in entries])
            for word, entries in words.items()
            if len(word) > 1
        ]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ConversionError(f'{path}: expected {{"word": [{{"context": "..."}}]}}') from error


def write_reading(place: Path, values: Iterable[tuple[float, float | None]]) -> Path:
    """Write the predictions of the reading data.

    Args:
        place: The folder of a model, revision and backend: ``.../zero_shot/causal``.
        values: Of each row the surprisals in bits of the word and of the one before it, if any.

    Returns:
        The file. It is in nats, and has NaN where there is no word before, as the pipeline's own.
    """
    rows = [
        {"id": index, "pred": _nats(word), "prev_pred": _nats(previous)}
        for index, (word, previous) in enumerate(values)
    ]
    return _written(place / READING.name / PREDICTIONS, {"reading": {"predictions": rows}})


def write_acquisition(
    place: Path,
    model: str,
    words: Sequence[tuple[str, Sequence[str]]],
    values: Mapping[str, Sequence[float | None]],
) -> Path:
    """Write the surprisals of the acquisition data under all checkpoints.

    Args:
        place: The folder of a model, ``main`` and backend.
        model: The name of the model.
        words: Each word with its contexts.
        values: Checkpoint -> the surprisal in bits of each word in each of its contexts.

    Returns:
        The file, which is in nats.
    """
    places = [
        (word, index, context) for word, contexts in words for index, context in enumerate(contexts)
    ]
    results = [
        {
            "step": step,
            "word_count": words_seen(step),
            "target_word": word,
            "context_id": index,
            "context": context,
            "surprisal": _nats(bits),
        }
        for step, surprisals in values.items()
        for (word, index, context), bits in zip(places, surprisals, strict=True)
    ]
    metadata = {
        "model_name": model,
        "use_bos_only": False,
        "total_steps": len(values),
        "completed_steps": len(values),
    }
    path = place / ACQUISITION.name / "surprisal.json"
    return _written(path, {"metadata": metadata, "results": results})


def _nats(bits: float | None) -> float:
    return math.nan if bits is None else bits * math.log(2)


def _written(path: Path, data: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json_bytes(data))
    return path
