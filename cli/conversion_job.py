"""The words of ``evalmark convert`` as supplied and edits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.convert import Edit, convert_text
from evalmark.converters.step import Supplied
from evalmark.converters.steps.edits import (
    canonical,
    insert_region,
    renumber,
    split_conjunctions,
    strip_results,
)
from evalmark.schemas.errors import UsageError
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.strict_json import decode


class Job(NamedTuple):
    """What the user has said of the files, as words."""

    metric: str | None = None
    renames: Sequence[str] = ()
    predictions: Path | None = None
    no_predictions: bool = False
    values: Sequence[str] = ()
    defaults: Path | None = None
    split_conjunctions: bool = False
    insert_region: str | None = None
    renumber: Sequence[str] = ()
    canonical: bool = False
    strip_results: bool = False


def supplied_of(job: Job) -> Supplied:
    """What the user has said.

    Raises:
        UsageError: It is not of the form it should be.
        OSError: A file of it cannot be read.
    """
    values: dict[str, Any] = {}
    if job.defaults is not None:
        reading = read(job.defaults.read_bytes(), str(job.defaults))
        if not reading.readable or not isinstance(reading.data, dict):
            raise UsageError(f"{job.defaults}: not an object of pointers and values")
        values |= reading.data
    for word in job.values:
        pointer, sign, value = word.partition("=")
        if not sign or not pointer.startswith("/"):
            raise UsageError(f"--set {word}: not of the form /POINTER=VALUE")
        try:
            values[pointer] = json.loads(value)
        except ValueError:
            values[pointer] = value
    predictions: tuple[str, ...] | None = () if job.no_predictions else None
    metric = job.metric
    if job.predictions is not None:
        predictions, stated = _predictions(job.predictions)
        metric = metric or stated
    renames = dict(_pair("--rename", word) for word in job.renames)
    return Supplied(metric, renames, None, predictions, values)


def _predictions(path: Path) -> tuple[tuple[str, ...], str | None]:
    """Formulas, and the metric if the file is a suite."""
    text = decode(path.read_bytes())
    reading = read(text.encode(), str(path))
    if reading.readable and isinstance(reading.data, dict):
        converted = convert_text(text, path=str(path), to="suite")
        suite = read(converted.text.encode(), str(path)).data
        return tuple(p["formula"] for p in suite["predictions"]), suite["meta"]["metric"]
    if reading.readable and isinstance(reading.data, list):
        return tuple(str(formula) for formula in reading.data), None
    return tuple(line.strip() for line in text.split("\n") if line.strip()), None


def edits_of(job: Job) -> Iterator[Edit]:
    """The changes to suites that the user wants, in the order they are made.

    Raises:
        UsageError: One is not of the form it should be.
    """
    if job.strip_results:
        yield strip_results
    if job.renumber:
        numbers = {}
        for word in job.renumber:
            old, new = _pair("--renumber", word)
            numbers[_number("--renumber", old)] = _number("--renumber", new)
        yield partial(renumber, numbers=numbers)
    if job.insert_region is not None:
        number, name = _pair("--insert-region", job.insert_region)
        yield partial(insert_region, number=_number("--insert-region", number), name=name)
    if job.split_conjunctions:
        yield split_conjunctions
    if job.canonical:
        yield canonical


def _pair(option: str, word: str) -> tuple[str, str]:
    old, sign, new = word.partition("=")
    if not sign or not old or not new:
        raise UsageError(f"{option} {word!r}: not of the form A=B")
    return old, new


def _number(option: str, word: str) -> int:
    if not word.isdecimal():
        raise UsageError(f"{option}: {word!r} is no number")
    return int(word)
