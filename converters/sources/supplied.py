"""Values that the caller supplies to importers, and values as records hold them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from evalmark.converters.records.run import UNKNOWN, Producer
from evalmark.converters.step import Supplied, as_text
from evalmark.schemas.errors import ConversionError


def supplied_text(supplied: Supplied, pointer: str, otherwise: str | None = None) -> str | None:
    """A value that the caller supplies, as text, or what is known otherwise."""
    value = supplied.values.get(pointer, otherwise)
    return None if value is None else str(value)


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
        supplied_text(supplied, "/source_metadata/source_organization_name"),
        supplied_text(supplied, "/source_metadata/evaluator_relationship"),
        name,
        library,
        is_run,
        details,
    )


def time_of(supplied: Supplied, stated_time: int | None) -> int:
    """The start of a run.

    Raises:
        ConversionError: The results do not say, and neither does the caller.
    """
    stated = supplied_text(supplied, "/evaluation_timestamp") or supplied_text(
        supplied, "/retrieved_timestamp"
    )
    if stated is None and stated_time is not None:
        return stated_time
    if stated is None:
        raise ConversionError(
            "the results do not say when they were computed",
            "supply a value for /evaluation_timestamp",
            needs="values",
            subject="/evaluation_timestamp",
        )
    if not stated.isdecimal():
        raise ConversionError(f'"{stated}" is not a Unix timestamp (seconds since 1970)')
    return int(stated)


def deployment(supplied: Supplied, stated: str = UNKNOWN) -> str:
    """The deployment of the model: who runs it."""
    return supplied_text(supplied, "/model_info/additional_details/deployment_type") or stated


def availability(supplied: Supplied) -> str:
    """The availability of its weights."""
    return supplied_text(supplied, "/model_info/additional_details/model_availability") or UNKNOWN


def texts(values: Mapping[str, Any] = MappingProxyType({}), /, **more: Any) -> dict[str, str]:
    """A map of strings: other values as compact JSON, without nulls and empty values."""
    return {
        key: as_text(value)
        for key, value in {**values, **more}.items()
        if value is not None and value not in ({}, [])
    }


def sampling(generation: Mapping[str, Any]) -> dict[str, Any]:
    """The members of ``generation_args`` that every program calls by the same name."""
    names = ("temperature", "top_p", "top_k")
    return {name: generation[name] for name in names if finite(generation.get(name)) is not None}


def finite(value: object) -> float | None:
    """A finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None
