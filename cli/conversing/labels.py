"""``evalmark judge --labels``: judges on answers that people have judged."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

from evalmark.cli.conversing.judging_table import agreement_table, number_text, range_text
from evalmark.conversations.agents.agent import Completer
from evalmark.conversations.judges.judge_prompt import AsksAbout, ChecklistPrompt, read_prompt
from evalmark.conversations.judges.judging_report import rulings
from evalmark.conversations.judges.labelled_answers import (
    LabelReport,
    label_data,
    read_labels,
)
from evalmark.converters.steps.suite_tables import for_spreadsheets
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.plain_table import print_table
from evalmark.validator.io.terminal import CLEAN, FOUND, counting, put, put_json, say, tell

#: Two judges, or two prompts, can be compared.
_MOST = 2
_NEAR = "near misses"


def judge_labels(
    paths: Sequence[Path],
    judges: Sequence[Completer],
    prompts: Sequence[Path],
    output_format: str,
) -> int:
    """Ask judges about the answers of files, and print how far they agree; the exit code.

    Raises:
        UsageError: More than two judges with prompts.
        ScoringError: A file cannot be used, or a judge does not reply.
    """
    answers = [answer for path in paths for answer in read_labels(path)]
    asks: list[AsksAbout] = [*map(read_prompt, prompts)] or [ChecklistPrompt()]
    raters = [(judge, prompt) for judge in judges for prompt in asks]
    if len(raters) > _MOST:
        raise UsageError(f"{len(raters)} judges with prompts: at most two can be compared")
    given = [answer.given for answer in answers]
    done = 0
    with counting("judging", "answers") as progress:

        def count() -> None:
            nonlocal done
            done += 1
            if progress:
                progress(done, len(raters) * len(given))

        ruled = tuple(tuple(rulings(judge, given, count, prompt)) for judge, prompt in raters)
    several = len(asks) > 1
    report = LabelReport(
        tuple(answers),
        tuple(_name(judge, prompt, with_prompt=several) for judge, prompt in raters),
        tuple(prompt for _, prompt in raters),
        tuple(dict(judge.about) for judge, _ in raters),
        ruled,
    )
    {"json": _put_json, "csv": _put_csv, "table": _print}[output_format](report)
    if report.no_verdict:
        say(f"note: {report.no_verdict} verdicts are missing: --format json has the reasons")
    return FOUND if report.no_verdict else CLEAN


def _name(judge: Completer, prompt: AsksAbout, *, with_prompt: bool) -> str:
    host = f" at {judge.about['host']}" if "host" in judge.about else ""
    return f"{judge.about['model']}{host}" + (f", prompt {prompt.name}" if with_prompt else "")


def _print(report: LabelReport) -> None:
    for number, name in enumerate(report.judges):
        if number:
            tell("")
        tell(f"judge {name}, against people")
        _print_agreement(report, number)
    if paired := report.paired:
        tell("")
        low, high = paired.interval
        tell(
            f"agreement with people, second minus first: {paired.difference:+.3f} "
            f"({low:+.2f} to {high:+.2f}), p = {paired.p:.2g}; alone right on "
            f"{paired.only_first} : {paired.only_second} of {paired.answers} answers"
        )


def _print_agreement(report: LabelReport, number: int) -> None:
    counts = {
        "wrongly accepted": attrgetter("only_second"),
        "wrongly rejected": attrgetter("only_first"),
    }
    table = agreement_table(report.agreement(number), counts)
    near = report.near_misses(number)
    wrong = str(near.answers - near.rejected)
    share, interval = number_text(near.share), range_text(near.interval)
    table.add_row(_NEAR, str(near.answers), share, interval, "", "", wrong, "", "")
    print_table(table)


def _put_csv(report: LabelReport) -> None:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        (
            *("judge", "type", "answers", "agreement", "lower", "upper"),
            *("kappa", "kappa_lower", "kappa_upper", "wrongly_accepted", "wrongly_rejected"),
            "no_verdict",
        )
    )
    none = ("", "")
    for number, name in enumerate(report.judges):
        for row in report.agreement(number):
            measured = (row.agreement, *(row.interval or none))
            kappa = ("" if row.kappa is None else row.kappa, *(row.kappa_interval or none))
            wrong = (row.only_second, row.only_first, row.no_verdict)
            writer.writerow((name, row.type, row.answers, *measured, *kappa, *wrong))
        near = report.near_misses(number)
        share = "" if near.share is None else near.share
        accuracy = (share, *(near.interval or none))
        accepted = near.answers - near.rejected
        writer.writerow((name, _NEAR, near.answers, *accuracy, "", *none, accepted, "", ""))
    put(for_spreadsheets(stream.getvalue()))


def _put_json(report: LabelReport) -> None:
    put_json(label_data(report))
