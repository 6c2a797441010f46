"""Two runs, compared: as a table on a terminal, Markdown or data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from evalmark.scoring.comparison.paired_statistics import PairedComparison, TieReading
from evalmark.scoring.comparison.run_comparison import RunComparison, shown_difference
from evalmark.validator.findings.phrasing import first_of
from evalmark.validator.io.escaping import in_markdown, markdown_table
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import print_line, print_note, write_stdout

SIDES = ("first", "second")
_COUNTS = "only one"
_NUMBERS = ("first", "second", "difference", "95 % interval", _COUNTS, "p", "p (Holm)")
#: Items without a score that are named.
LISTED = 10


def print_comparison(comparison: RunComparison, runs: Sequence[str]) -> None:
    """Print the differences of the runs, a table, and the claims that it supports."""
    for side, run, label in zip(SIDES, runs, comparison.labels, strict=True):
        print_line(f"{side:7} {run} ({label})")
    print_line(differences_text(comparison))
    print_line("")
    names, rows = _rows(comparison)
    first = names.index(comparison.words.items)
    table = plain_table(names[:first], names[first:])
    few = _narrow_row(names, first)
    narrow = plain_table(few[:first], few[first:])
    for row in rows:
        table.add_row(*row)
        narrow.add_row(*_narrow_row(row, first))
    print_table(table, narrow)
    print_line("")
    for claim in _claims(comparison):
        print_line(claim)


def print_markdown(comparison: RunComparison, runs: Sequence[str]) -> None:
    """The same as Markdown."""
    for side, run, label in zip(SIDES, runs, comparison.labels, strict=True):
        print_line(f"- {side}: {in_markdown(run)} ({in_markdown(label)})")
    print_line(f"- {in_markdown(differences_text(comparison))}")
    names, rows = _rows(comparison)
    print_line("")
    for line in markdown_table(names, rows, names.index(comparison.words.items)):
        print_line(line)
    print_line("")
    for claim in _claims(comparison):
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


def wholes(comparison: RunComparison) -> list[PairedComparison]:
    """The comparisons of several suites together: means of sets, the mean over all, their pool."""
    return [row for row in (*comparison.means, comparison.headline, comparison.pooled) if row]


def _all(comparison: RunComparison) -> list[PairedComparison]:
    return [*comparison.predictions, *wholes(comparison)]


def _rows(comparison: RunComparison) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The columns and the rows of a table: one for each comparison, more where there are ties."""
    words = comparison.words
    has_alone = any(any(row.alone) for row in _all(comparison))
    predicts = any(row.prediction for row in comparison.predictions)
    heads = words.part, "prediction" if predicts else "ties", words.items
    names: tuple[str, ...] = (*heads, *_NUMBERS, "not matched")
    rows = []
    before = ""
    for row in _all(comparison):
        prediction, suite = row.prediction, "" if row.suite == before else row.suite
        if extent := _extent(row, comparison):
            suite, prediction = (suite, extent) if predicts else (f"{suite} ({extent})", "")
        before = "" if row.group else row.suite
        cells = (suite, prediction, *number_cells(row), *count_cells(row.recorded))
        rows.append((*cells, f"{row.alone[0]} : {row.alone[1]}"))
        rows += [(*cells, "") for cells in _tie_rows(row, "ties " if predicts else "")]
    if not has_alone:
        names, rows = names[:-1], [cells[:-1] for cells in rows]
    if any(cells[1] for cells in rows):
        return names, rows
    return (names[0], *names[2:]), [(cells[0], *cells[2:]) for cells in rows]


def _narrow_row(row: tuple[str, ...], first: int) -> tuple[str, ...]:
    """A row, or the names of columns, where there is little room: neither items nor counts."""
    counts = first + 1 + _NUMBERS.index(_COUNTS)
    names = tuple(name.replace("prediction", "#") for name in row[:first])
    if len(names[-1]) > len("all"):  # what a mean is over
        names = (" ".join(filter(None, names)), *[""] * (first - 1))
    return (*names, *row[first + 1 : counts], *row[counts + 1 :])


def _tie_rows(row: PairedComparison, ties: str) -> Iterator[tuple[str, ...]]:
    """A row for each way to read ties other than the recorded one, if there are ties."""
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


def _extent(row: PairedComparison, comparison: RunComparison) -> str:
    """The size of what a headline is the mean of, in words; empty for other rows."""
    if row.suite == "mean":
        return row.averaged(comparison.words)
    return f"{row.items} {comparison.words.items}" if row is comparison.pooled else ""


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


def _claims(comparison: RunComparison) -> Iterator[str]:
    for row in [*wholes(comparison), *comparison.predictions]:
        yield f"{row.claim}."
    for weighting in dict.fromkeys(row.weighting for row in wholes(comparison) if row.weighting):
        yield f"{weighting}."


def differences_text(comparison: RunComparison) -> str:
    """A sentence on the settings that differ between the runs."""
    if not comparison.differences:
        return "The runs state the same settings."
    return f"The runs differ in: {'; '.join(map(shown_difference, comparison.differences))}."


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
