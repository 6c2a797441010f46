"""Facts about a run that results of other programs lack: the caller supplies them, or git."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from evalmark.converters.overrides.table_keys import UNKNOWN
from evalmark.converters.records.run import Producer
from evalmark.converters.sources.placed_values import is_number
from evalmark.converters.step import as_text
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError, UsageError
from evalmark.validator.formats.records.record_fields import places_of
from evalmark.validator.io.git import Repository

#: The source of a time of retrieval that the caller supplies.
SUPPLIED = "supplied"
#: Letters of the id of a commit that are shown.
_SHORT = 10


def supplied_text(supplied: Supplied, field: str, otherwise: str | None = None) -> str | None:
    """A value that the caller supplies for a field of a record, as text, else what is known."""
    place = next((place for place in places_of(field) if place in supplied.values), None)
    if place is None:
        return otherwise
    supplied.used.add(place)
    value = supplied.values[place]
    return None if value is None else str(value)


def supplied_for(supplied: Supplied, field: str, result: int, *, takes: bool = True) -> Any:
    """The same for a field of the result with an index, as it is; None if nothing is supplied.

    Without ``takes``, it is not said to be used.
    """
    places = (place.replace("*", str(result)) for place in places_of(field, "*"))
    values = (supplied.value(place, takes=takes) for place in places)
    return next((value for value in values if value is not None), None)


def producer(
    supplied: Supplied,
    name: str = "evalmark",
    library: tuple[str, str] | None = None,
    *,
    is_run: bool = True,
    details: Mapping[str, str] = MappingProxyType({}),
) -> Producer:
    """The producer of a program's numbers: the organization, and the library that evaluated."""
    return Producer(
        supplied_text(supplied, "organization"),
        supplied_text(supplied, "relationship"),
        name,
        library,
        is_run,
        details,
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """The time of a run."""

    seconds: int  # a Unix timestamp
    #: Where it is from, if it is not that of the evaluation: that of a commit, or when the results
    #: were retrieved.
    retrieved: str = ""


def moment_of(supplied: Supplied, stated: int | None, path: Path) -> Moment:
    """The time of a run: as the results state it, else as the caller supplies it, else a commit's.

    Raises:
        ConversionError: Nobody says it.
    """
    moment = Moment(stated) if stated is not None else other_moment(supplied, path)
    if moment is None:
        evaluated, retrieved = (places_of(field)[0] for field in ("evaluated", "retrieved"))
        raise ConversionError(
            "the results do not say when they were computed, and no commit has them as they are",
            f"supply a value for {evaluated}, or for {retrieved} if only that is known",
            needs="time",
            subject=evaluated,
        )
    return moment


def other_moment(supplied: Supplied, path: Path) -> Moment | None:
    """The time that the caller supplies for results that state none, or that of their commit."""
    for field, source in (("evaluated", ""), ("retrieved", SUPPLIED)):
        text = supplied_text(supplied, field)
        if text is not None:
            if not text.isdecimal():
                raise ConversionError(f'"{text}" is not a Unix timestamp (seconds since 1970)')
            return Moment(int(text), source)
    # The time of the newest commit that changed results; None if they are not as in a commit.
    folder = path if path.is_dir() else path.parent
    try:
        commit = Repository(str(folder)).newest(str(path)) if path.exists() else None
    except (UsageError, OSError):  # no git, or not a repository
        return None
    return Moment(commit.time, f"commit {commit.id[:_SHORT]}") if commit else None


def deployment(supplied: Supplied) -> str:
    """The deployment of the model: who runs it."""
    return supplied_text(supplied, "deployment") or UNKNOWN


def availability(supplied: Supplied) -> str:
    """The availability of its weights."""
    return supplied_text(supplied, "availability") or UNKNOWN


def texts(values: Mapping[str, Any] = MappingProxyType({}), /, **more: Any) -> dict[str, str]:
    """A map of strings: other values as compact JSON, without nulls and empty values."""
    return {
        key: as_text(value)
        for key, value in {**values, **more}.items()
        if value is not None and value not in ({}, [])
    }


def sampling(generation: Mapping[str, Any], *limits: str) -> dict[str, Any]:
    """The members of ``generation_args`` that every program calls by the same name.

    ``limits`` is what it may call the greatest number of tokens.
    """
    names = ("temperature", "top_p", "top_k")
    limit = next((generation[name] for name in limits if name in generation), None)
    stated = {name: generation[name] for name in names if finite(generation.get(name)) is not None}
    return stated | ({"max_tokens": limit} if type(limit) is int else {})


def finite(value: object) -> float | None:
    """A finite number; None for anything else."""
    return float(value) if is_number(value) else None
