"""``evalmark compare``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evalmark.validator.io.terminal import CLEAN, FOUND, print_note
from evalmark.validator.options.declaration import Argument, choice_of, command, output_option


def _comparisons() -> Iterable[str]:
    from evalmark.scoring.reports.comparison.base_comparison import FORMATS

    return FORMATS


@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    """The options of ``evalmark compare``."""

    base: Annotated[Path, Argument(metavar="BASE", help="A run: see above.")]
    others: Annotated[
        Sequence[Path], Argument(metavar="RUN...", help="Other runs over the same items.")
    ]
    output_format: Annotated[
        str,
        output_option(
            "--format",
            metavar="FORMAT",
            **choice_of("compare format", _comparisons),
            help="Output format. One of: table, json, markdown.",
        ),
    ] = "table"
    alpha: Annotated[
        float,
        output_option("--alpha", metavar="P", min=0, max=1, help="Claims are below this p value."),
    ] = 0.05
    pooled: Annotated[
        bool,
        output_option("--pooled", help="Compare all items as well, each with the same weight."),
    ] = False
    fail_if_worse: Annotated[
        bool, output_option("--fail-if-worse", help="Exit with 1 if a run is claimed to be worse.")
    ] = False


@command(
    CompareOptions,
    "evalmark compare results/gpt2 results/gpt2-medium",
    "evalmark compare a/record.json b/record.json --format json",
    "evalmark compare results/base results/step-1000 results/step-2000",
    "evalmark compare results/last-week results/today --fail-if-worse",
    exit_code="0 done, 1 a run is worse (--fail-if-worse), 2 something failed",
)
def compare(options: CompareOptions) -> int:
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

    runs = (options.base, *options.others)
    comparisons = compare_all(options.base, options.others, options.alpha, pooled=options.pooled)
    print_comparisons(comparisons, tuple(map(str, runs)), options.output_format)
    reasons = list(worse(comparisons, options.others)) if options.fail_if_worse else []
    for reason in reasons:
        print_note(reason)
    return FOUND if reasons else CLEAN
