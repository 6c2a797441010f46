"""Two runs, compared: as a table on a terminal, Markdown or data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from evalmark.scoring.comparison.comparison_rows import COUNTS, NUMBERS, SIDES
from evalmark.scoring.comparison.paired_statistics import PairedComparison
from evalmark.scoring.comparison.run_comparison import RunComparison
from evalmark.validator.findings.phrasing import first_of
from evalmark.validator.io.escaping import in_markdown, markdown_table
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import print_line, print_note, write_stdout

#: Items without a score that are named.
LISTED = 10


def print_comparison(comparison: RunComparison, runs: Sequence[str]) -> None:
    """Print the differences of the runs, a table, and the claims that it supports."""
    for side, run, label in zip(SIDES, runs, comparison.labels, strict=True):
        print_line(f"{side:7} {run} ({label})")
    print_line(comparison.stated_differences)
    print_line("")
    names, rows = comparison.table
    first = names.index(comparison.words.items)
    table = plain_table(names[:first], names[first:])
    few = _narrow_row(names, first)
    narrow = plain_table(few[:first], few[first:])
    for row in rows:
        table.add_row(*row)
        narrow.add_row(*_narrow_row(row, first))
    print_table(table, narrow)
    print_line("")
    for claim in comparison.claims:
        print_line(claim)


def print_markdown(comparison: RunComparison, runs: Sequence[str]) -> None:
    """The same as Markdown."""
    for side, run, label in zip(SIDES, runs, comparison.labels, strict=True):
        print_line(f"- {side}: {in_markdown(run)} ({in_markdown(label)})")
    print_line(f"- {in_markdown(comparison.stated_differences)}")
    names, rows = comparison.table
    print_line("")
    for line in markdown_table(names, rows, names.index(comparison.words.items)):
        print_line(line)
    print_line("")
    for claim in comparison.claims:
        print_line(f"- {in_markdown(claim)}")


#: Output format -> what prints it.
COMPARISONS: dict[str, Callable[[RunComparison, Sequence[str]], None]] = {
    "table": print_comparison,
    "json": lambda comparison, _: write_stdout(comparison_data(comparison)),
    "markdown": print_markdown,
}


def comparison_data(comparison: RunComparison) -> dict[str, Any]:
    """The comparison as JSON has it."""
    return {
        "models": dict(zip(SIDES, comparison.models, strict=True)),
        "labels": dict(zip(SIDES, comparison.labels, strict=True)),
        "differences": [difference._asdict() for difference in comparison.differences],
        "comparisons": [_data(row) for row in comparison.predictions],
        "headline": None if comparison.headline is None else _data(comparison.headline),
        "pooled": None if comparison.pooled is None else _data(comparison.pooled),
        "means": [_data(row) for row in comparison.means],
        "not_compared": dict(zip(SIDES, comparison.not_compared, strict=True)),
        "without_score": dict(zip(SIDES, map(dict, comparison.without_score), strict=True)),
    }


def _data(row: PairedComparison) -> dict[str, Any]:
    recorded = asdict(row.recorded)
    del recorded["ties"]
    data = {**asdict(row), **recorded, "difference": row.difference}
    for key in ("alone", "repeated"):
        data[key] = dict(zip(SIDES, data[key], strict=True))
    return data


def _narrow_row(row: Sequence[str], first: int) -> tuple[str, ...]:
    counts = first + 1 + NUMBERS.index(COUNTS)
    names = tuple(name.replace("prediction", "#") for name in row[:first])
    if len(names[-1]) > len("all"):  # what a mean is over
        names = (" ".join(filter(None, names)), *[""] * (first - 1))
    return (*names, *row[first + 1 : counts], *row[counts + 1 :])


def say_what_is_left_out(comparison: RunComparison, runs: Sequence[str]) -> None:
    """Write to stderr what only one of the runs has, and what has no score."""
    for run, labels in zip(runs, comparison.not_compared, strict=True):
        if labels:
            print_note(f"note: only in {run}, not compared: {', '.join(labels)}")
    for run, reasons in zip(runs, comparison.without_score, strict=True):
        if reasons:
            listed = first_of([f"{name} ({why})" for name, why in reasons.items()], LISTED)
            print_note(f"note: without a score in {run}, not compared: {listed}")
    for row in comparison.predictions:
        name = "/".join(filter(None, (row.suite, row.prediction)))
        for run, alone, repeated in zip(runs, row.alone, row.repeated, strict=True):
            if alone:
                words = comparison.words
                items = f"1 {words.item} is" if alone == 1 else f"{alone} {words.items} are"
                print_note(f"note: {name}: {items} only in {run}, not compared")
            if repeated:
                ids = "1 id has" if repeated == 1 else f"{repeated} ids have"
                print_note(
                    f"note: {name}: {ids} several {comparison.words.items} in {run}, not compared"
                )
