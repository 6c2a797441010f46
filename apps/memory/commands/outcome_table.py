"""Outcomes of tests as a table on a terminal."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from evalmark.memory.evaluation.texts import dollars
from evalmark.memory.running.outcome import FAILED, SCORED, UNJUDGED, Outcome, Totals
from evalmark.memory.running.runner import MODES
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import say, tell


def print_outcomes(
    outcomes: Sequence[Outcome], totals: Totals, *, has_judge: bool, mode: str
) -> None:
    """A table of datasets on stdout, and what went wrong."""
    numbers = ("tests", "score", "deviation", "distance", "not judged", "errors")
    table = plain_table(("dataset",), numbers)
    means = []
    for name in sorted({outcome.example.dataset_name for outcome in outcomes}):
        tests = [outcome for outcome in outcomes if outcome.example.dataset_name == name]
        scores = [outcome.score for outcome in tests if outcome.score is not None]
        means += [statistics.fmean(scores)] if scores else []
        table.add_row(name, *_numbers(tests, scores))
    if len(means) > 1:
        table.add_section()
        table.add_row(f"sum of {len(means)} datasets", "", f"{sum(means):.3f}")
        table.add_row(f"mean of {len(means)} datasets", "", f"{statistics.fmean(means):.3f}")
    print_table(table)
    costs = dollars(totals.cost)
    tell("")
    tell(f"{totals.tokens} tokens of conversation, {costs}, {totals.seconds:.0f} s for replies")
    tell(f"mode {mode}: {MODES[mode]}")
    _tell_unscored(outcomes)
    if not has_judge and any(outcome.state == UNJUDGED for outcome in outcomes):
        say("note: to judge these tests, run the same command with --judge")


def _tell_unscored(outcomes: Sequence[Outcome]) -> None:
    """A line for each cause."""
    causes: dict[tuple[str, str], list[str]] = {}
    for outcome in outcomes:
        if outcome.state != SCORED:
            cause = outcome.state, "; ".join(outcome.reasons)
            causes.setdefault(cause, []).append(outcome.example.unique_id)
    for (state, why), names in causes.items():
        tell(f"{state}: {listed(names)}: {why}")


def _numbers(tests: Sequence[Outcome], scores: Sequence[float]) -> Iterator[str]:
    yield str(len(tests))
    yield f"{statistics.fmean(scores):.3f}" if scores else ""
    yield f"{statistics.stdev(scores):.3f}" if len(scores) > 1 else ""
    yield str(round(statistics.fmean(outcome.tokens for outcome in tests)))
    for state in (UNJUDGED, FAILED):
        yield str(sum(outcome.state == state for outcome in tests) or "")
