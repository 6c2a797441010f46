"""The page of the table of metrics."""

from __future__ import annotations

from evalmark.schemas.metric_entry import KnownMetric
from evalmark.schemas.metric_table import KNOWN_METRICS

#: Names that a row shows.
_SHOWN = 8
HEAD = """# Metrics

<!-- Generated from schemas/metric_table.py by scripts/generate.py: do not edit. -->

What evalmark knows of metrics: which scores are better, and on which scales programs write them.
Importers complete results with it, `evalmark check` compares records with it ([EE211](rules.md)),
stores say where records contradict it, and `evalmark convert --needs` shows it.

Names are compared without case, `-`, `_` and blanks, and without a cut-off (`@10`, `_at_10`), a
filter (`,strict-match`) and parameters (`:mode=race`). A part of a name is never enough. A name
such as `helm.distance` is a name in that program alone. What a program states itself comes before
the table. [Extending](extending.md#a-metric) says how to add one.

| metric | names | kind | better | scales | sources |
|---|---|---|---|---|---|
"""


def metrics_page() -> str:
    """The page: a row for each entry."""
    return HEAD + "".join(f"{_row(entry)}\n" for entry in KNOWN_METRICS)


def _row(entry: KnownMetric) -> str:
    names = [*entry.names, *entry.alike]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    listed = ", ".join(f"`{name}`" for name in names[:_SHOWN]) + more
    sources = ", ".join(f"[{number}]({url})" for number, url in enumerate(entry.sources, 1))
    scales = entry.scale_words or "not known"
    cells = (f"`{entry.id}`", listed, entry.kind, entry.direction, scales, sources)
    return f"| {' | '.join(cells)} |"
