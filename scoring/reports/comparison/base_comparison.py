"""Several runs, compared with a base: as tables on a terminal, Markdown or data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evalmark.converters.records.run import Run
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.compared_run import SUITES
from evalmark.scoring.comparison.comparison_rows import count_cells, number_cells
from evalmark.scoring.comparison.paired_statistics import PairedComparison
from evalmark.scoring.comparison.run_comparison import (
    RunComparison,
    compare_all,
    of_texts,
    shown_difference,
)
from evalmark.scoring.reports.comparison.comparison_table import (
    COMPARISONS,
    comparison_data,
    say_what_is_left_out,
)
from evalmark.scoring.reports.comparison.cross_table import (
    CrossCell,
    CrossLabel,
    CrossTable,
    markdown_lines,
    terminal_width,
    text_lines,
)
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.io.escaping import in_markdown, markdown_table
from evalmark.validator.io.plain_table import distinct, plain_table, print_table
from evalmark.validator.io.terminal import print_line, write_stdout

#: Marks a difference that is claimed.
CLAIMED = "*"
_NUMBERS = ("base", "run", "difference", "95 % interval", "only one", "p", "p (Holm)")
#: Columns of a terminal for the names of runs beside these numbers.
_NAMES = 24


def names_of_runs(comparisons: Sequence[RunComparison], runs: Sequence[str]) -> list[str]:
    """The names of the runs without the base: their models, and paths where these are equal."""
    labels = [comparison.labels[1] for comparison in comparisons]
    counts = Counter([comparisons[0].models[0], *labels])
    return [
        f"{label} ({path})" if counts[label] > 1 else label
        for label, path in zip(labels, runs[1:], strict=True)
    ]


def correction_text(comparisons: Sequence[RunComparison]) -> str:
    """A sentence on the comparisons that Holm's correction covers."""
    words = comparisons[0].words
    counts = (
        (sum(bool(comparison.headline) for comparison in comparisons), f"means over {words.parts}"),
        (sum(len(comparison.means) for comparison in comparisons), "means of sets"),
        (
            sum(bool(comparison.pooled) for comparison in comparisons),
            f"accuracies over all {words.items}",
        ),
        (
            sum(len(comparison.predictions) for comparison in comparisons),
            "predictions" if words is SUITES else words.parts,
        ),
    )
    families = [f"the {count} {name}" for count, name in counts if count]
    verb = "are one family each" if len(families) > 1 else "are one family"
    return (
        f"Holm's correction is over all {len(comparisons)} runs together: {listed(families)} {verb}"
    )


def _wholes(
    comparisons: Sequence[RunComparison], names: Sequence[str]
) -> Iterator[tuple[str, RunComparison, PairedComparison]]:
    """For each run and each row for it as a whole: its name, with that of the set of a mean."""
    for name, comparison in zip(names, comparisons, strict=True):
        for whole in comparison.wholes:
            yield f"{name}, {whole.group}" if whole.group else name, comparison, whole


def claims_of(comparisons: Sequence[RunComparison], names: Sequence[str]) -> Iterator[str]:
    """The claims on each run as a whole, then the single predictions that differ."""
    for name, comparison in zip(names, comparisons, strict=True):
        for whole in comparison.wholes:
            yield f"{name}: {whole.claim}"
    for name, comparison in zip(names, comparisons, strict=True):
        for row in comparison.predictions:
            if row.better and row not in comparison.wholes:
                yield f"{name}: {row.claim}"


def difference_table(comparisons: Sequence[RunComparison], names: Sequence[str]) -> CrossTable:
    """Runs by predictions: the difference from the base, marked if it is claimed."""
    keys = list(
        dict.fromkeys(
            (row.suite, row.prediction)
            for comparison in comparisons
            for row in comparison.predictions
        )
    )
    several = Counter(suite for suite, _ in keys)
    cells = []
    for comparison in comparisons:
        by_key = {(row.suite, row.prediction): row for row in comparison.predictions}
        cells.append(tuple(_entry(by_key.get(key)) for key in keys))
    columns = [
        f"{suite}/{prediction}" if several[suite] > 1 else suite for suite, prediction in keys
    ]
    unit = f"difference from the base ({CLAIMED} claimed)"
    return CrossTable(
        "run", tuple(map(CrossLabel, names)), tuple(map(CrossLabel, columns)), tuple(cells), unit
    )


def _entry(row: PairedComparison | None) -> CrossCell:
    if row is None:
        return CrossCell()
    mark, value = CLAIMED if row.better else " ", row.difference
    return CrossCell(f"{value:+.3f}{mark}", f"{100 * value:+.0f}{mark}", value)


@dataclass(frozen=True, slots=True)
class BaseDifferences:
    """Several runs compared with the first, as a page shows it."""

    base: str  # the name of the base
    #: The name of each run, the difference as a whole, and why texts differ, if they do.
    rows: tuple[tuple[str, PairedComparison, str], ...] = ()
    over: str = ""  # what a difference as a whole is over
    correction: str = ""  # what Holm's correction is over
    claims: tuple[str, ...] = ()  # what may be claimed
    table: CrossTable | None = None  # the differences by prediction
    why_not: str = ""  # why the runs cannot be compared; the rest is empty then


def base_differences(names: Sequence[str], runs: Sequence[Run]) -> BaseDifferences | None:
    """The differences of runs, by their names, from the first; None if there are no others."""
    if len(runs) < 2:
        return None
    try:
        comparisons = compare_all(runs[0], runs[1:])
    except (ScoringError, OSError, ValueError) as error:
        return BaseDifferences(names[0], why_not=str(error))
    words = comparisons[0].words
    return BaseDifferences(
        names[0],
        tuple(
            (name, whole, "; ".join(map(shown_difference, of_texts(comparison.differences))))
            for name, comparison, whole in _wholes(comparisons, names[1:])
        ),
        f"mean over {words.parts}"
        if comparisons[0].wholes[0].suite == "mean"
        else f"over {words.items}",
        correction_text(comparisons),
        tuple(claims_of(comparisons, names[1:])),
        difference_table(comparisons, names[1:]),
    )


def print_base_comparison(comparisons: Sequence[RunComparison], runs: Sequence[str]) -> None:
    """Print the runs, what each differs in, a row for each, and the differences by suite."""
    names = names_of_runs(comparisons, runs)
    for line in _heads(comparisons, runs, names):
        print_line(line)
    print_line("")
    table = plain_table(("run",), (comparisons[0].words.parts, *_NUMBERS))
    for name, comparison, whole in _wholes(comparisons, distinct(names, _NAMES)):
        table.add_row(name, *_whole_cells(comparison, whole))
    print_table(table)
    print_line("")
    differences = difference_table(comparisons, names)
    if len(differences.columns) > 1:
        print_line(f"Difference from the base; {CLAIMED} is claimed:")
        for line in text_lines(differences, terminal_width(), comparisons[0].words.part):
            print_line(line)
        print_line("")
    claims = claims_of(comparisons, names)
    for line in (correction_text(comparisons), *claims):
        print_line(f"{line}.")


def print_base_markdown(comparisons: Sequence[RunComparison], runs: Sequence[str]) -> None:
    """The same as Markdown."""
    names = names_of_runs(comparisons, runs)
    for line in _heads(comparisons, runs, names):
        print_line(f"- {in_markdown(line)}")
    heads = ("run", comparisons[0].words.parts, *_NUMBERS)
    print_line("")
    rows = ([name, *_whole_cells(one, whole)] for name, one, whole in _wholes(comparisons, names))
    for line in markdown_table(heads, rows):
        print_line(line)
    print_line("")
    for line in markdown_lines(difference_table(comparisons, names)):
        print_line(line)
    print_line("")
    claims = claims_of(comparisons, names)
    for line in (correction_text(comparisons), *claims):
        print_line(f"- {in_markdown(line)}.")


_PRINTED: dict[str, Callable[[Sequence[RunComparison], Sequence[str]], None]] = {
    "table": print_base_comparison,
    "json": lambda comparisons, runs: write_stdout(base_comparison_data(comparisons, runs)),
    "markdown": print_base_markdown,
}


def print_comparisons(
    comparisons: Sequence[RunComparison], runs: Sequence[str], output_format: str
) -> None:
    """Print the comparisons of runs with the first one, in a format of ``COMPARISONS``."""
    if len(comparisons) == 1:
        COMPARISONS[output_format](comparisons[0], runs)
    else:
        _PRINTED[output_format](comparisons, runs)
    for run, comparison in zip(runs[1:], comparisons, strict=True):
        say_what_is_left_out(comparison, (runs[0], run))


def base_comparison_data(
    comparisons: Sequence[RunComparison], runs: Sequence[str]
) -> dict[str, Any]:
    """The comparisons as JSON has them: the base, and for each run what one of two has."""
    return {
        "base": {"run": runs[0], "model": comparisons[0].models[0]},
        "correction": correction_text(comparisons),
        "runs": [
            {"run": run, **comparison_data(comparison)}
            for run, comparison in zip(runs[1:], comparisons, strict=True)
        ],
    }


def _heads(
    comparisons: Sequence[RunComparison], runs: Sequence[str], names: Sequence[str]
) -> Iterator[str]:
    yield f"base: {runs[0]} ({comparisons[0].models[0]})"
    for run, name, comparison in zip(runs[1:], names, comparisons, strict=True):
        yield f"{name}: {run}. {comparison.stated_differences}"


def _whole_cells(comparison: RunComparison, whole: PairedComparison) -> list[str]:
    parts = whole.items if whole.suite == "mean" else len({r.suite for r in comparison.predictions})
    _, *numbers = number_cells(whole)
    return [str(parts), *numbers, *count_cells(whole.recorded)]
