"""``evalmark compare``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from evalmark.cli.typed import option
from evalmark.scoring.comparison import PairedComparison, compare, not_compared
from evalmark.validator.edge.lines import put_json, say
from evalmark.validator.edge.tables import plain_table, print_table

EPILOG = """
Examples:
  evalmark compare results/gpt2 results/gpt2-medium
  evalmark compare a/scores.json b/scores.json --format json

Exit code: 0 done, 2 something failed.
"""

SIDES = ("first", "second")


def command(
    first: Annotated[Path, option("compare_first")],
    second: Annotated[Path, option("compare_second")],
    output_format: Annotated[str, option("table_format")] = "table",
) -> None:
    """Compare two runs over the same items.

    For each prediction: both accuracies, their difference with a 95 % bootstrap interval over
    items, how many items only one of the runs has right, and the p value of McNemar's exact test.
    """
    found, alone = compare(first, second), not_compared(first, second)
    for run, labels in zip((first, second), alone, strict=True):
        if labels:
            say(f"note: only in {run}, not compared: {', '.join(labels)}")
    if output_format == "json":
        rows = [{**asdict(row), "difference": row.difference} for row in found]
        put_json({"comparisons": rows, "not_compared": dict(zip(SIDES, alone, strict=True))})
        return
    _table(found)


def _table(found: list[PairedComparison]) -> None:
    numbers = ("items", "first", "second", "difference", "95 % interval", "only one", "p")
    table = plain_table(("suite", "prediction"), numbers)
    before = ""
    for row in found:
        table.add_row(
            row.suite if row.suite != before else "",
            row.prediction,
            str(row.items),
            f"{row.first:.3f}",
            f"{row.second:.3f}",
            f"{row.difference:+.3f}",
            f"{row.interval[0]:+.2f} to {row.interval[1]:+.2f}",
            f"{row.only_first} : {row.only_second}",
            f"{row.p_value:.3g}",
        )
        before = row.suite
    print_table(table)
