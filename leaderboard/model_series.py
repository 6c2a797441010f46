"""Series and sizes of models, where their ids say them: ``Qwen2.5`` and ``7B``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

#: A number of parameters: 7B, 0.5b, 8x7B, 410M; not the end of a word, and none of 4bit.
_SIZE = re.compile(r"(?<![A-Za-z0-9.])(?:(\d{1,3})[xX])?(\d{1,4}(?:\.\d+)?)([BbMm])(?![A-Za-z0-9])")
_MARKS = re.compile(r"[\s._-]+")
_BILLIONS = {"B": 1.0, "M": 1e-3}


class ModelSize(NamedTuple):
    """A size.

    Attributes:
        billions: Parameters in billions; of a mixture, those of all experts together.
        text: As ids write it, with a capital letter.
    """

    billions: float
    text: str


class SeriesMember(NamedTuple):
    """A model of a series.

    Attributes:
        model: Its id.
        series: The name before the size, without the owner.
        size: The size that its id says.
    """

    model: str
    series: str
    size: ModelSize


def size_of(model: str) -> ModelSize | None:
    """The size that an id says; None if it says none."""
    match = _SIZE.search(model.rpartition("/")[2])
    if match is None:
        return None
    experts, number, unit = match[1], match[2], match[3].upper()
    return ModelSize(
        int(experts or 1) * float(number) * _BILLIONS[unit],
        f"{f'{experts}x' if experts else ''}{number}{unit}",
    )


def member_of(model: str) -> SeriesMember | None:
    """The place of a model in a series; None if its id says no size, or nothing before it."""
    name = model.rpartition("/")[2]
    size, match = size_of(model), _SIZE.search(name)
    series = name[: match.start()].strip(" ._-") if match else ""
    return SeriesMember(model, series, size) if size and series else None


def series_of(models: Iterable[str]) -> dict[str, tuple[SeriesMember, ...]]:
    """Model -> the models of its series, the smallest first, itself among them.

    A series has an owner, several models, and one name before their sizes. Models without one are
    left out.
    """
    groups: dict[tuple[str, str], list[SeriesMember]] = {}
    for model in models:
        if member := member_of(model):
            owner = model.rpartition("/")[0].casefold()
            groups.setdefault((owner, _MARKS.sub("-", member.series.casefold())), []).append(member)
    series = {}
    for group in groups.values():
        if len(group) > 1:
            members = tuple(sorted(group, key=lambda m: (m.size.billions, m.model)))
            series.update(dict.fromkeys((member.model for member in members), members))
    return series
