"""Verdicts of judges as tables on a terminal, CSV or data."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING

from evalmark.conversations.judges.judge_prompt import ChecklistPrompt
from evalmark.conversations.judges.judging_report import (
    JudgedShare,
    JudgePair,
    JudgingReport,
    report_data,
)
from evalmark.converters.steps.suite_tables import for_spreadsheets
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import put, put_json, say, tell

if TYPE_CHECKING:
    from rich.table import Table

#: Disagreements that the tables show; JSON has all answers.
SHOWN = 20
#: Characters of a text that a line shows.
_SHORT = 60
_COLUMNS = (
    "judge", "other_judge", "kind", "type", "answers", "no_verdict", "count", "share", "lower",
    "upper", "both", "only_first", "only_second", "neither", "kappa", "kappa_lower", "kappa_upper",
)  # fmt: skip


def print_judging(report: JudgingReport) -> None:
    """A table for each judge, one for two, and what they disagree about."""
    if report.asks != ChecklistPrompt():
        tell(f"prompt {report.asks.name}")
    for number, (about, rows) in enumerate(zip(report.judges, report.shares, strict=True)):
        if number:
            tell("")
        tell(f"judge {_named(about)}")
        _print_shares(rows, is_planted=report.seed is not None)
    if report.pairs:
        tell("")
        tell("the two judges")
        _print_pairs(report.pairs)
        _tell_disagreements(report)
    _say_what_is_left_out(report)


def _print_shares(rows: list[JudgedShare], *, is_planted: bool) -> None:
    names = ("planted answers", "question type") if is_planted else ("question type",)
    count = "right" if is_planted else "accepted"
    table = plain_table(names, ("answers", count, "share", "95 % interval", "no verdict"))
    before = ""
    for row in rows:
        kind = (row.kind if row.kind != before else "",) if is_planted else ()
        before = row.kind
        numbers = (
            str(row.answers),
            str(row.count),
            number_text(row.share),
            range_text(row.interval),
        )
        table.add_row(*kind, row.type, *numbers, str(row.no_verdict or ""))
    print_table(table)


def _print_pairs(rows: list[JudgePair]) -> None:
    counts = {"only first": attrgetter("only_first"), "only second": attrgetter("only_second")}
    print_table(agreement_table(rows, counts))


def agreement_table(
    rows: Iterable[JudgePair], disagreements: Mapping[str, Callable[[JudgePair], int]]
) -> Table:
    """A table with a row for each pair of judges and type of questions.

    Args:
        rows: The pairs.
        disagreements: Head -> number, for the two columns of answers that only one judge accepts.
    """
    numbers = ("answers", "agreement", "95 % interval", "kappa", "95 % interval")
    table = plain_table(("question type",), (*numbers, *disagreements, "no verdict"))
    for row in rows:
        table.add_row(
            row.type,
            str(row.answers),
            number_text(row.agreement),
            range_text(row.interval),
            number_text(row.kappa),
            range_text(row.kappa_interval),
            *(str(count(row)) for count in disagreements.values()),
            str(row.no_verdict or ""),
        )
    return table


def _tell_disagreements(report: JudgingReport) -> None:
    disagreements = report.disagreements
    if not disagreements:
        return
    tell("")
    for answer, ruling, _ in disagreements[:SHOWN]:
        who = "first" if ruling.accepted else "second"
        kind = f" ({answer.kind})" if answer.kind else ""
        tell(
            f"only the {who} accepts{kind}: {_shortened(answer.question)} "
            f"expected: {_shortened(answer.expected)} reply: {_shortened(answer.reply)}"
        )
    if len(disagreements) > SHOWN:
        tell(f"{len(disagreements) - SHOWN} more disagreements; --format json has all answers")


def print_judging_csv(report: JudgingReport) -> None:
    """A row for each line of the tables; columns that a row does not have are empty."""
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_csv_rows(report))
    put(for_spreadsheets(stream.getvalue()))
    _say_what_is_left_out(report)


def _csv_rows(report: JudgingReport) -> Iterator[dict[str, object]]:
    names = [_named(about) for about in report.judges]
    for name, rows in zip(names, report.shares, strict=True):
        for row in rows:
            lower, upper = row.interval or ("", "")
            yield {
                "judge": name,
                "kind": row.kind,
                "type": row.type,
                "answers": row.answers,
                "no_verdict": row.no_verdict,
                "count": row.count,
                "share": row.share,
                "lower": lower,
                "upper": upper,
            }
    for pair in report.pairs:
        lower, upper = pair.interval or ("", "")
        kappa_lower, kappa_upper = pair.kappa_interval or ("", "")
        yield {
            "judge": names[0],
            "other_judge": names[1],
            "type": pair.type,
            "answers": pair.answers,
            "no_verdict": pair.no_verdict,
            "count": pair.both + pair.neither,
            "share": pair.agreement,
            "lower": lower,
            "upper": upper,
            "both": pair.both,
            "only_first": pair.only_first,
            "only_second": pair.only_second,
            "neither": pair.neither,
            "kappa": pair.kappa,
            "kappa_lower": kappa_lower,
            "kappa_upper": kappa_upper,
        }


def print_judging_json(report: JudgingReport) -> None:
    """One object, with every answer and verdict."""
    put_json(report_data(report))
    _say_what_is_left_out(report)


#: Output format -> what prints it.
JUDGINGS: dict[str, Callable[[JudgingReport], None]] = {
    "table": print_judging,
    "json": print_judging_json,
    "csv": print_judging_csv,
}


def _say_what_is_left_out(report: JudgingReport) -> None:
    for skipped in report.skipped:
        say(f"note: not judged: {skipped}")
    reasons: dict[str, int] = {}
    for about, ruled in zip(report.judges, report.rulings, strict=True):
        for ruling in ruled:
            if ruling.accepted is None:
                reason = f"{_named(about)}: {ruling.why}"
                reasons[reason] = reasons.get(reason, 0) + 1
    for reason, count in [*reasons.items()][:SHOWN]:
        say(f"note: {count} without a verdict of {reason}")


def _named(about: Mapping[str, str]) -> str:
    host = f" at {about['host']}" if "host" in about else ""
    return f"{about['model']}{host}"


def number_text(value: float | None) -> str:
    """A share or a kappa with three decimals; - for none."""
    return "-" if value is None else f"{value:.3f}"


def range_text(interval: tuple[float, float] | None) -> str:
    """An interval; - for none."""
    return "-" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"


def _shortened(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"
