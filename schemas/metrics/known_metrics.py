"""The known metrics: one table for importers, the checker, stores and ``--needs``.

A metric is found by its whole name, normalized. The entries are in ``metric_table``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalmark.schemas.metrics.metric_entry import KnownMetric

#: A list of parameters, as HELM and lighteval write them: ``bias:mode=race``, ``pass@1:4_samples``.
_PARAMETERS = re.compile(r":(?:\w+=.*|\d+(?:_samples)?)\Z")
#: A filter of the LM evaluation harness: ``exact_match,strict-match``.
_FILTER = re.compile(r",[\w-]+\Z")
#: How many of the first answers count: ``ndcg@10``, ``ndcg_at_10``, ``pass@k``.
_CUTOFF = re.compile(r"(?:@|_at_)(?:k|\d+)\Z")
_BLANKS = re.compile(r"[\s_-]+")
#: Endings of names for the spread of the scores of the metric before them.
_SPREADS = ("_stderr", "_std")


def normalized(name: str) -> str:
    """A name as the table has it: without case, blanks, parameters, filter and cut-off."""
    text = _FILTER.sub("", _PARAMETERS.sub("", name.strip()))
    return _CUTOFF.sub("", _BLANKS.sub("_", text.casefold()))


@lru_cache(maxsize=4096)
def find_metric(name: str, program: str = "") -> KnownMetric | None:
    """The entry of a metric, as a program calls it; None if the table does not have it.

    A name in a program comes before the same name in all of them. ``helm.logprob`` is what the
    registry calls a metric of a program.
    """
    entries = _by_name()
    text = normalized(name)
    owner, dot, local = text.partition(".")
    if dot and owner in _owners():
        program, text = owner, local
    entry = entries.get(f"{normalized(program)}.{text}") or entries.get(text)
    if entry is None:
        for ending in _SPREADS:
            if text.endswith(ending) and normalized(text.removesuffix(ending)) in entries:
                return entries["stderr"]
    return entry


@lru_cache(maxsize=4096)
def known_metric(*names: str | None, program: str = "") -> KnownMetric | None:
    """The entry of a metric with several names; None if they mean metrics that contradict."""
    entries = [entry for name in names if name and (entry := find_metric(name, program))]
    same = len({entry.lower_is_better for entry in entries}) == 1
    return entries[0] if same else None


def metric_id(name: str, program: str) -> str:
    """The id of a metric for records: that of the registry, or else ``program.name``."""
    return _registered_names().get(_uncut(name)) or f"{program}.{name}"


def same_name(name: str) -> str:
    """The id of a registered metric for any of its names; other names stay as they are."""
    return _registered_names().get(_uncut(name)) or name


def _uncut(name: str) -> str:
    """A name without case and blanks, but with its cut-off, filter and parameters."""
    return _BLANKS.sub("_", name.strip().casefold())


@cache
def _by_own_name() -> dict[str, KnownMetric]:
    return {name: entry for entry in _entries() for name in (_uncut(entry.id), *entry.names)}


@cache
def _registered_names() -> dict[str, str]:
    from evalmark.schemas.metrics.metric_registry import REGISTERED

    return {_uncut(name): key for key, names in REGISTERED.items() for name in (key, *names)}


@cache
def _by_name() -> dict[str, KnownMetric]:
    others = {name: entry for entry in _entries() for name in entry.alike}
    return {**others, **_by_own_name()}


@cache
def _owners() -> frozenset[str]:
    programs = {p for entry in _entries() for scale in entry.scales for p in scale.programs}
    return frozenset(map(normalized, programs))


def _entries() -> Iterator[KnownMetric]:
    from evalmark.schemas.metrics.metric_table import KNOWN_METRICS

    yield from KNOWN_METRICS
