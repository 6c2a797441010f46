"""The choices of a model in a run of ``evalmark score`` over minimal pairs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.babylm.layout import MASKED_SETTINGS, SETTINGS, TASKS
from evalmark.converters.babylm.write_predictions import ChosenText
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.pairs.pair_sets import FIRST_WINS
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.strict_json import decode

#: What is not a preference.
_UNDECIDED = frozenset({"tie", "exact tie", "impossible", "undefined"})


class PairsRun(NamedTuple):
    """A run over minimal pairs.

    Attributes:
        model: The id of its model.
        choices: What the model chose in each row.
        backend: What the pipeline calls models of its kind.
        other_settings: Its settings that are not those of the pipeline, as ``bos auto``.
    """

    model: str
    choices: list[ChosenText]
    backend: str = "causal"
    other_settings: tuple[str, ...] = ()


def read_pairs_run(folder: Path) -> PairsRun:
    """The choices of a run, from its ``scores.json`` and ``pairs.csv``.

    Raises:
        ConversionError: The folder is not of a finished run over minimal pairs.
        OSError: A file cannot be read.
    """
    try:
        scores = json.loads(read_whole(folder / "scores.json"))
        names = {uid["label"]: uid["name"] for uid in scores["uids"]}
        table = csv.DictReader(io.StringIO(decode(read_whole(folder / "pairs.csv")), newline=""))
        first_wins = scores.get("settings", {}).get("ties") == FIRST_WINS
        choices = list(_choices(table, names, first_wins=first_wins))
        model = str(scores["model"]["id"])
        return PairsRun(model, choices, _backend(scores), other_settings(scores))
    except (FileNotFoundError, ValueError, LookupError, TypeError) as error:
        if isinstance(error, ConversionError):
            raise
        raise ConversionError(f"{folder} is not the folder of a run over minimal pairs") from error


def other_settings(scores: dict[str, Any]) -> tuple[str, ...]:
    """The settings in ``scores.json`` that are not those of the pipeline, as ``bos auto``."""
    stated = scores.get("settings") or {}
    expected = SETTINGS
    if _backend(scores) != "causal":
        expected = MASKED_SETTINGS
        stated = {"masked_method": "within-word", **stated}  # what runs do not list
    return tuple(
        f"{name.replace('_', ' ')} {stated[name]}"
        for name, value in expected.items()
        if stated.get(name, value) != value
    )


def _backend(scores: dict[str, Any]) -> str:
    """What the pipeline calls models of the kind of a run's; see the details of masked ones."""
    model = scores["model"]
    if "around" not in model:
        return "causal"
    return "mntp" if "prediction" in model else "mlm"


def _choices(
    table: csv.DictReader[str], names: dict[str, str], *, first_wins: bool
) -> Iterator[ChosenText]:
    numbers: dict[str, int] = {}
    items = groupby(table, lambda row: (row["uid"], row["item"]))
    for (label, _), rows in items:
        sides = list(rows)
        task = TASKS.get(sides[0]["set"])
        uid = task.uid(names[label]) if task else names[label]
        number = numbers.get(uid, 0)
        numbers[uid] = number + 1
        text = _chosen(sides, first_wins=first_wins)
        yield ChosenText(uid, number, text, _share(sides), sides[0]["method"])


def _chosen(sides: list[dict[str, Any]], *, first_wins: bool) -> str | None:
    """The text of the best score; None if there is no preference."""
    scores = [float(side["score"]) if side["score"] else None for side in sides]
    numbers = [score for score in scores if score is not None]
    if len(numbers) < len(scores):
        return None
    best = min(numbers)
    if not first_wins and (sides[0]["outcome"] in _UNDECIDED or numbers.count(best) > 1):
        return None
    side = sides[numbers.index(best)]
    return str(side["context"] + side["text"])


def _share(sides: list[dict[str, Any]]) -> float | None:
    """The share of the first of two texts in the probability of both."""
    bits = [float(side["surprisal"]) if side["surprisal"] else None for side in sides]
    if len(bits) != len(("first", "second")) or bits[0] is None or bits[1] is None:
        return None
    # Limited, so that the power is a number.
    return 1 / (1 + 2 ** max(-1000.0, min(1000.0, bits[0] - bits[1])))
