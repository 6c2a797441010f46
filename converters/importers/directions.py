"""Results without a stated direction (is less better?): completed, or left out by name."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from evalmark.converters.outcomes import LeftOutResults
from evalmark.converters.records.run import Result, Run, SampleStream
from evalmark.converters.sources.run_facts import supplied_for
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.metrics.known_metrics import known_metric
from evalmark.schemas.versions import RECORD, current
from evalmark.validator.findings.phrasing import first_of
from evalmark.validator.formats.records.record_fields import places_of, record_layout
from evalmark.validator.formats.shared.field_layout import with_fields
from evalmark.validator.io.escaping import shown

#: Where a record says it.
_LOWER = places_of("lower_is_better", "*")[0]
#: Names of results in a message.
_LISTED = 3


@dataclass(frozen=True, slots=True)
class DirectedRun:
    """A run whose results all have a direction."""

    run: Run  # the run with these results alone; it may have none
    undirected: tuple[Result, ...]  # the others
    left_out: tuple[LeftOutResults, ...]  # why they are left out, by metric
    notes: tuple[str, ...]  # where a direction contradicts the table of metrics


def outlined(run: Run) -> dict[str, Any]:
    """The members of a run's record that a file of defaults looks at."""
    newest = record_layout(None)
    results = [
        with_fields(
            newest.result,
            name=result.name,
            metric_id=result.metric.id,
            metric_name=result.metric.name,
        )
        for result in run.results
    ]
    about = with_fields(newest.record, evaluation_id=run.id, model_id=run.model.id, results=results)
    return {"schema_version": current(RECORD).label, **about}


def directed(run: Run, supplied: Supplied) -> DirectedRun:
    """A run with what is supplied of its metrics; results without a direction are left out."""
    completed = [_completed(index, result, supplied) for index, result in enumerate(run.results)]
    others = tuple(result for result in completed if result.metric.lower_is_better is None)
    kept = tuple(result for result in completed if result.metric.lower_is_better is not None)
    new = replace(run, results=kept)
    if others:
        names = {result.name for result in kept}
        samples = SampleStream(lambda: (sample for sample in run.samples if sample.result in names))
        new = replace(new, samples=samples)
    by_metric: dict[str, list[Result]] = {}
    for result in others:
        by_metric.setdefault(result.metric.name or "", []).append(result)
    left_out = tuple(_left_out(metric, results) for metric, results in by_metric.items())
    return DirectedRun(new, others, left_out, tuple(_contradictions(kept)))


def _completed(index: int, result: Result, supplied: Supplied) -> Result:
    metric = result.metric
    if metric.lower_is_better is None:
        lower = supplied_for(supplied, "lower_is_better", index)
        metric = replace(metric, lower_is_better=lower if isinstance(lower, bool) else None)
    if metric.bounds is None or math.inf in map(abs, metric.bounds):  # 0.2.0 has no open ends
        given = (supplied_for(supplied, end, index, takes=False) for end in ("low", "high"))
        ends = [_number(end) for end in given]
        stated = metric.bounds or (None, None)
        low, high = (known if end is None else end for end, known in zip(ends, stated, strict=True))
        if low is not None and high is not None and (low, high) != metric.bounds:
            unknown = ("bounds", "bounds_status")  # which they no longer are
            details = {key: text for key, text in metric.details.items() if key not in unknown}
            metric = replace(metric, bounds=(low, high), details=details)
            for end in ("low", "high"):
                supplied_for(supplied, end, index)
    return result if metric is result.metric else replace(result, metric=metric)


def _number(value: Any) -> float | None:
    if value in ("Infinity", "-Infinity"):
        return float(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else None


def _left_out(metric: str, results: list[Result]) -> LeftOutResults:
    count = len(results)
    names = first_of([shown(result.name) for result in results], _LISTED)
    entry = known_metric(metric)
    why = (
        "it says how far scores are spread"
        if entry is not None and entry.lower_is_better is None
        else "neither the results nor the table of metrics say whether a lower score is better"
    )
    reason = ConversionError(
        f'{count:,} result{"s" if count > 1 else ""} of the metric "{shown(metric)}" left out '
        f"({names}): {why}",
        f"supply {_LOWER}, or `lower_is_better` in a table of metrics",
        needs="directions",
        subject=_LOWER,
    )
    return LeftOutResults(reason, count)


def _contradictions(results: tuple[Result, ...]) -> Iterator[str]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for result in results:
        metric = result.metric
        entry = known_metric(metric.id, metric.name)
        if entry is None or entry.lower_is_better in (None, metric.lower_is_better):
            continue
        stated = "lower" if metric.lower_is_better else "higher"
        counts[metric.name or "", stated, entry.direction] += 1
    for (name, stated, usual), count in counts.items():
        times = f" ({count} times)" if count > 1 else ""
        yield (
            f'for "{shown(name)}", {stated} is better, as the results state or as supplied; '
            f"the table of metrics says {usual}{times}"
        )
