"""What importers share: values that the caller supplies, and values as records hold them."""

from __future__ import annotations

import math
from typing import Any

from evalmark.converters.records.run import UNKNOWN
from evalmark.converters.step import Supplied, text_of


def said(supplied: Supplied, pointer: str, otherwise: str | None = None) -> str | None:
    """A value that the caller supplies, as text, or what is known otherwise."""
    value = supplied.values.get(pointer, otherwise)
    return None if value is None else str(value)


def deployment(supplied: Supplied, known: str = UNKNOWN) -> str:
    """Who runs the model."""
    return said(supplied, "/model_info/additional_details/deployment_type") or known


def availability(supplied: Supplied, known: str = UNKNOWN) -> str:
    """Whether its weights are open."""
    return said(supplied, "/model_info/additional_details/model_availability") or known


def texts(values: dict[str, Any]) -> dict[str, str]:
    """A map of strings: other values as compact JSON, without nulls and empty values."""
    return {
        key: text_of(value)
        for key, value in values.items()
        if value is not None and value not in ({}, [])
    }


def finite(value: Any) -> float | None:
    """A finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None
