"""Outcomes of tests and scores of memory sets as tables on a terminal."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from evalmark.memory.evaluation.texts import dollars
from evalmark.memory.running.outcome import FAILED, SCORED, UNJUDGED, Outcome, Totals
from evalmark.memory.running.runner import MODES
from evalmark.memory.sets.set_costs import INGEST, SetCosts
from evalmark.memory.sets.set_scores import (
    AVERAGED,
    SetScores,
    TypeScores,
    Values,
    recalls,
    unknown_ids,
)
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import say, tell

#: Causes that are shown.
SHOWN = 20


#: A column of numbers: its name, and what is averaged in it.
_Column = tuple[str, Values]


def print_scores(scores: SetScores, accuracy: str, lacking: str = "errors") -> None:
    """The scores of the sets of one kind.

    Args:
        scores: The scores.
        accuracy: The name of the share of accepted answers.
        lacking: The name of questions without an answer.
    """
    tell(f"{scores.kind.title}: {', '.join(scores.names)}")
    columns: list[_Column] = [
        (scores.kind.f1, lambda row: row.f1s),
        (scores.kind.match, lambda row: row.exacts),
    ]
    if scores.is_judged:
        columns.append((accuracy, lambda row: row.labels))
    counts = ("not judged",) if scores.is_judged else ()
    names = (*(name for name, _ in columns), *counts, lacking)
    table = plain_table(("type",), ("questions", *names))
    for row in scores.types:
        table.add_row(*_cells(row, columns, has_judge=scores.is_judged))
    table.add_section()
    for row in scores.totals:
        table.add_row(*_cells(row, columns, has_judge=scores.is_judged))
    means = [scores.averaged(values) for _, values in columns]
    if any(mean is not None for mean in means):
        table.add_row(AVERAGED, "", *map(shown, means), *("" for _ in counts), "")
    print_table(table)
    for line in _recall_lines(scores):
        tell(line)
    if lacking == "errors":
        _tell_errors(scores)


def _cells(row: TypeScores, columns: Sequence[_Column], *, has_judge: bool) -> Iterator[str]:
    yield row.name
    yield str(len(row.answers))
    for _, values_of in columns:
        values = values_of(row)
        yield shown(statistics.fmean(values) if values else None)
    if has_judge:
        yield str(row.not_judged or "")
    yield str(row.errors or "")


def shown(value: float | None) -> str:
    """A share; a dash if there is none."""
    return "-" if value is None else f"{value:.3f}"


def _recall_lines(scores: SetScores) -> Iterator[str]:
    recall_rows = recalls(scores.answers)
    for of in dict.fromkeys(recall.of for recall in recall_rows):
        members = [recall for recall in recall_rows if recall.of == of]
        numbers = ", ".join(f"@{recall.cutoff} {recall.mean:.3f}" for recall in members)
        count = len(members[0].values)
        counted = f"{count} question{'' if count == 1 else 's'}"
        yield f"recall of evidence {of}: {numbers} ({counted})"
    unknown = unknown_ids(scores.answers)
    if unknown:
        yield f"{len(unknown)} retrieved ids were never told, for example {unknown[0]}"


def print_costs(costs: SetCosts) -> None:
    """A line for each step: how often, how long, and what it took."""
    for name, step in costs.steps.items():
        unit = "session" if name == INGEST else "question"
        parts = [
            f"{name}: {step.count} {unit}{'' if step.count == 1 else 's'}",
            f"{step.seconds_p50:.2f} s (p95 {step.seconds_p95:.2f} s)",
            f"{step.calls:,} calls" if step.calls else "",
            f"{step.read:,} tokens read, {step.written:,} written" if step.read else "",
            dollars(step.dollars) if step.dollars != 0 else "",
        ]
        tell(", ".join(filter(None, parts)) if step.count else f"{name}: none")
    if costs.context_tokens is not None:
        tell(f"context: {costs.context_tokens:,.0f} tokens per question")


def _tell_errors(scores: SetScores) -> None:
    failed = [answer for answer in scores.answers if answer.reply is None]
    causes: dict[str, list[str]] = {}
    for answer in failed:
        causes.setdefault(answer.error, []).append(answer.question.id)
    for error, names in [*causes.items()][:SHOWN]:
        tell(f"error: {listed(names)}: {error}")
    if len(causes) > SHOWN:
        tell(f"{len(causes) - SHOWN} more errors; --format json has all of them")
    reasons: dict[str, int] = {}
    if scores.is_judged:
        for answer in scores.answers:
            if answer.reply is not None and answer.accepted is None:
                why = answer.why or "no judge was asked"
                reasons[why] = reasons.get(why, 0) + 1
    for why, count in [*reasons.items()][:SHOWN]:
        tell(f"not judged: {count}: {why}")


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
    yield shown(statistics.fmean(scores)) if scores else ""
    yield shown(statistics.stdev(scores)) if len(scores) > 1 else ""
    yield str(round(statistics.fmean(outcome.tokens for outcome in tests)))
    for state in (UNJUDGED, FAILED):
        yield str(sum(outcome.state == state for outcome in tests) or "")
