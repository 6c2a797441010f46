"""Every region of a run as a row: for those who plot and test with tools of their own."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from ._regions import condition_values
from ._run import Scores

COLUMNS = (
    "model", "suite", "metric", "item", "condition", "region", "region_name", "content", "tokens",
    "value",
)  # fmt: skip


def tidy_rows(scores: Scores) -> Iterator[tuple[str | int | float, ...]]:
    """One row for each region of each sentence; a value (bits) that is undefined is empty."""
    for scored in scores.suites:
        suite = scored.source.suite
        names = {int(key): str(name) for key, name in suite.region_meta.items()}
        for item, row in zip(suite.items, scored.surprisals, strict=True):
            for condition, surprisals in zip(item.conditions, row, strict=True):
                values = condition_values(condition, surprisals, suite.metric)
                for region, tokens in zip(condition.regions, surprisals, strict=True):
                    value = values[region.number]
                    yield (
                        scores.model.id, suite.name, suite.metric, item.number, condition.name,
                        region.number, names.get(region.number, ""), region.content, len(tokens),
                        "" if value is None else value,
                    )  # fmt: skip


def tidy_csv(scores: Scores) -> str:
    """The rows as CSV, with a header."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(tidy_rows(scores))
    return stream.getvalue()
