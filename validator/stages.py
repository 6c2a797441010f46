"""Seconds by stage of a check: measured where somebody asks for them."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

#: Stage → seconds; None where nobody asks.
_STAGES: dict[str, float] | None = None


def measure_stages(wanted: bool) -> None:
    """Whether to measure how long parsing, schemas and rules take; see ``taken_stages``."""
    global _STAGES
    _STAGES = {} if wanted else None


def is_measuring() -> bool:
    """Whether stages are measured."""
    return _STAGES is not None


def taken_stages() -> dict[str, float]:
    """Seconds by stage since this was asked last."""
    found = dict(_STAGES or {})
    if _STAGES:
        _STAGES.clear()
    return found


def timed(stage: str, work: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Do some work of a stage."""
    if _STAGES is None:
        return work(*args, **options)
    started = time.perf_counter()
    try:
        return work(*args, **options)
    finally:
        _STAGES[stage] = _STAGES.get(stage, 0.0) + time.perf_counter() - started
