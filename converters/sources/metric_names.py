"""Metrics of programs as records have them: what a program states, and else what is known."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from evalmark.converters.records.run import Metric
from evalmark.schemas.metrics import metric_id

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def named_metric(
    name: str,
    program: str,
    description: str,
    *,
    stated: bool | None = None,
    also: str | None = None,
    judging: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float] = _NOTHING,
    details: Mapping[str, str] = _NOTHING,
) -> Metric:
    """A metric as a program calls it, with an id and what the table of metrics says of it.

    Its direction is the one that the program states, or else that of the table. It is None if
    neither has one: such a result is left out unless the direction is supplied. Ids are those of
    Every Eval Ever's registry of metrics, or else begin with the program: ``helm.logprob``.

    Args:
        name: The metric, as the program calls it.
        program: The program, as the registry calls it.
        description: What is measured.
        stated: Whether less is better, if the program says so.
        also: Another name, which decides if the first is not in the table.
        judging: ``llm_scoring`` as the format has it.
        parameters: What the name depends on.
        details: What else is known.
    """
    found = Metric.known(
        description, name, also, program=program, stated=stated, judging=judging,
        parameters=parameters, id=metric_id(name, program),
    )  # fmt: skip
    unknown = {} if found.bounds else {"bounds_status": "unknown"}
    return found.with_details({**details, **unknown})
