"""The page of the table of metrics."""

from __future__ import annotations

from collections.abc import Iterable

from evalmark.schemas.metrics.metric_entry import KnownMetric
from evalmark.schemas.metrics.metric_registry import REGISTERED, SOURCES
from evalmark.schemas.metrics.metric_table import KNOWN_METRICS

#: Names that a row shows.
_SHOWN = 8
HEAD = """# Metrics

<!-- Generated from schemas/metrics/metric_table.py by scripts/generate.py: do not edit. -->

What evalmark knows of metrics: which scores are better, and on which scales programs write them.
Importers complete results with it, `evalmark check` compares records with it
([EE211](rules/EE211.md)), stores say where records contradict it, and `evalmark convert --needs`
shows it.

Names are compared without case, `-`, `_` and blanks, and without a cut-off (`@10`, `_at_10`), a
filter (`,strict-match`) and parameters (`:mode=race`). A part of a name is never enough. A name
such as `helm.distance` is a name in that program alone. What a program states itself comes before
the table. [Extending](extending.md#a-metric) says how to add one.

| metric | names | kind | better | scales | sources |
|---|---|---|---|---|---|
"""
#: What is before the ids of the registry.
IDS = f"""
## Ids

Results of other programs get the id that the metric has in the field's registry, so that they join
with records that others have submitted; a metric that it does not have gets an id that begins with
the program (`helm.logprob`). The ids and names are those of {SOURCES[0]} and {SOURCES[1]}.

| id | other names |
|---|---|
"""


def metrics_page() -> str:
    """The page: a row for each entry, and one for each id of the registry."""
    ids = "".join(f"| `{key}` | {_listed(names)} |\n" for key, names in REGISTERED.items())
    return HEAD + "".join(f"{_row(entry)}\n" for entry in KNOWN_METRICS) + IDS + ids


def _row(entry: KnownMetric) -> str:
    names = [*entry.names, *entry.alike]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    listed = _listed(names[:_SHOWN]) + more
    sources = ", ".join(f"[{number}]({url})" for number, url in enumerate(entry.sources, 1))
    scales = entry.scale_words or "not known"
    cells = (f"`{entry.id}`", listed, entry.kind, entry.direction, scales, sources)
    return f"| {' | '.join(cells)} |"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
