"""``evalmark compare``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.command import Command, new_app
from evalmark.cli.options import one_of, output_option

app = new_app()


def _comparisons() -> Iterable[str]:
    from evalmark.pages.comparison_table import COMPARISONS

    return COMPARISONS


EPILOG = """
\b
Examples:
  evalmark compare results/gpt2 results/gpt2-medium
  evalmark compare a/scores.json b/scores.json --format json

Exit code: 0 done, 2 something failed.
"""


@app.command(cls=Command, epilog=EPILOG)
def compare(
    first: Annotated[Path, typer.Argument(metavar="FIRST", help="A run: see above.")],
    second: Annotated[
        Path, typer.Argument(metavar="SECOND", help="Another run over the same items.")
    ],
    output_format: Annotated[
        str,
        output_option(
            "--format",
            metavar="FORMAT",
            **one_of("compare format", _comparisons),
            help="Output format. One of: table, json, csv, markdown.",
        ),
    ] = "table",
) -> None:
    """Compare two runs over the same items.

    A run is a folder of `score` or `converse`, a record with its samples, or the results of a
    program that `convert` reads. What the runs differ in comes first.

    For each prediction: both accuracies, their difference with a 95 % interval, how many items only
    one of the runs has right, and an exact p value, also corrected by Holm for the number of
    predictions. A difference is claimed if the corrected p value is below 0.05 however the items
    that rounding decided are read.
    """
    from evalmark.pages.comparison_table import COMPARISONS
    from evalmark.scoring.comparison.run_comparison import compare as compare_runs

    COMPARISONS[output_format](compare_runs(first, second), (str(first), str(second)))
