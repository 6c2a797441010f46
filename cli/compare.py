"""``evalmark compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from evalmark.cli.typed import option
from evalmark.pages.comparison_table import COMPARISONS
from evalmark.scoring.comparison.compare import compare

EPILOG = """
Examples:
  evalmark compare results/gpt2 results/gpt2-medium
  evalmark compare a/scores.json b/scores.json --format json

Exit code: 0 done, 2 something failed.
"""


def command(
    first: Annotated[Path, option("compare_first")],
    second: Annotated[Path, option("compare_second")],
    output_format: Annotated[str, option("compare_format")] = "table",
) -> None:
    """Compare two runs over the same items.

    A run is a folder of `score` or `converse`, a record with its samples, or the results of a
    program that `convert` reads. What the runs differ in comes first.

    For each prediction: both accuracies, their difference with a 95 % interval, how many items only
    one of the runs has right, and an exact p value, also corrected by Holm for the number of
    predictions. A difference is claimed if the corrected p value is below 0.05 however the items
    that rounding decided are read.
    """
    COMPARISONS[output_format](compare(first, second), (str(first), str(second)))
