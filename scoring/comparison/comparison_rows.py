"""The table of a comparison of two runs, as text: on a terminal, in Markdown, in notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalmark.scoring.comparison.compared_run import Words
from evalmark.scoring.comparison.paired_statistics import PairedComparison, TieReading

SIDES = ("first", "second")
COUNTS = "only one"
NUMBERS = (*SIDES, "difference", "95 % interval", COUNTS, "p", "p (Holm)")


def comparison_rows(
    words: Words, predictions: Sequence[PairedComparison], totals: Sequence[PairedComparison]
) -> tuple[Sequence[str], list[Sequence[str]]]:
    """The columns and the rows of a table: one for each comparison, more where there are ties.

    Args:
        words: The names of suites and items.
        predictions: The comparisons of predictions.
        totals: Those of several suites together.
    """
    every = [*predictions, *totals]
    predicts = any(row.prediction for row in predictions)
    heads = words.part, "prediction" if predicts else "ties", words.items
    names: Sequence[str] = (*heads, *NUMBERS, "not matched")
    rows: list[Sequence[str]] = []
    before = ""
    for row in every:
        prediction, suite = row.prediction, "" if row.suite == before else row.suite
        if row in totals:
            pooled = f"{row.items} {words.items}"
            extent = row.averaged(words) if row.suite == "mean" else pooled
            suite, prediction = (suite, extent) if predicts else (f"{suite} ({extent})", "")
        before = "" if row.group else row.suite
        cells = (suite, prediction, *number_cells(row), *count_cells(row.recorded))
        rows.append((*cells, f"{row.alone[0]} : {row.alone[1]}"))
        rows += [(*cells, "") for cells in _tie_rows(row, "ties " if predicts else "")]
    if not any(any(row.alone) for row in every):
        names, rows = names[:-1], [cells[:-1] for cells in rows]
    if any(cells[1] for cells in rows):
        return names, rows
    return (names[0], *names[2:]), [(cells[0], *cells[2:]) for cells in rows]


def _tie_rows(row: PairedComparison, ties: str) -> Iterator[tuple[str, ...]]:
    for reading in row.readings[1:] if row.ties else ():
        yield (
            "",
            f"{ties}{reading.ties}",
            str(row.ties),
            f"{reading.first:.3f}",
            f"{reading.second:.3f}",
            f"{reading.second - reading.first:+.3f}",
            "",
            *count_cells(reading),
        )


def number_cells(row: PairedComparison) -> Iterator[str]:
    """The number of items, both scores, and their difference with its interval."""
    yield "" if row.suite == "mean" else str(row.items)
    yield f"{row.recorded.first:.3f}"
    yield f"{row.recorded.second:.3f}"
    yield f"{row.difference:+.3f}"
    yield f"{row.interval[0]:+.2f} to {row.interval[1]:+.2f}" if row.interval else ""


def count_cells(reading: TieReading) -> Iterator[str]:
    """The items that only one run has right, and the p values."""
    yield f"{reading.only_first} : {reading.only_second}"
    yield f"{reading.p_value:.3g}"
    yield f"{reading.p_holm:.3g}"
