"""``evalmark compare``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.command import new_app
from evalmark.cli.options import one_of, output_option
from evalmark.validator.io.terminal import FOUND, say

app = new_app()


def _comparisons() -> Iterable[str]:
    from evalmark.scoring.reports.comparison.comparison_table import COMPARISONS

    return COMPARISONS


@app.with_examples(
    "evalmark compare results/gpt2 results/gpt2-medium",
    "evalmark compare a/scores.json b/scores.json --format json",
    "evalmark compare results/base results/step-1000 results/step-2000",
    "evalmark compare results/last-week results/today --fail-if-worse",
    exit_code="0 done, 1 a run is worse (--fail-if-worse), 2 something failed",
)
def compare(
    base: Annotated[Path, typer.Argument(metavar="BASE", help="A run: see above.")],
    others: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Other runs over the same items.")
    ],
    output_format: Annotated[
        str,
        output_option(
            "--format",
            metavar="FORMAT",
            **one_of("compare format", _comparisons),
            help="Output format. One of: table, json, markdown.",
        ),
    ] = "table",
    alpha: Annotated[
        float,
        output_option("--alpha", metavar="P", min=0, max=1, help="Claims are below this p value."),
    ] = 0.05,
    pooled: Annotated[
        bool,
        output_option("--pooled", help="Compare all items as well, each with the same weight."),
    ] = False,
    fail_if_worse: Annotated[
        bool, output_option("--fail-if-worse", help="Exit with 1 if a run is claimed to be worse.")
    ] = False,
) -> None:
    """Compare two runs over the same items, or several with a base.

    A run is a folder of `score` or `memory`, a record with its samples, or the results of a
    program that `convert` reads. What the runs differ in comes first. The verdict is the mean over
    suites; --pooled adds a row of all items, which says something about these items only.

    For each prediction: both accuracies, their difference with a 95 % interval, how many items only
    one of the runs has right, and an exact p value, also corrected by Holm for the number of
    predictions. A difference is claimed if the corrected p value is below `--alpha` however the
    items that rounding decided are read. With several runs, each is compared with the first, and
    p values are corrected over all of them together.
    """
    from evalmark.scoring.comparison.gates import worse
    from evalmark.scoring.comparison.run_comparison import compare_all
    from evalmark.scoring.reports.comparison.base_comparison import print_comparisons

    comparisons = compare_all(base, others, alpha, pooled=pooled)
    print_comparisons(comparisons, tuple(map(str, (base, *others))), output_format)
    reasons = list(worse(comparisons, others)) if fail_if_worse else []
    for reason in reasons:
        say(reason)
    if reasons:
        raise typer.Exit(FOUND)
