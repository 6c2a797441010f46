"""``evalmark rescore --set``: answers to memory sets, scored again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evalmark.cli.conversing.set_table import print_scores
from evalmark.conversations.sets.answer_files import (
    RescoredAnswers,
    answers_data,
    rescore_answers,
)
from evalmark.conversations.sets.set_files import load_sets
from evalmark.schemas.errors import ScoringError, UsageError
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.io.terminal import CLEAN, FOUND, complain_about, put_json, say, tell
from evalmark.validator.io.writing import json_bytes, sweep, write_atomically

#: Answers that are listed for each reason.
SHOWN = 20


def rescore_sets(
    answers: Sequence[Path],
    paths: Sequence[Path],
    out: Path | None,
    output_format: str,
    *,
    has_rules: bool = False,
) -> int:
    """Score files of answers to sets, print the scores and write them; the exit code.

    Raises:
        UsageError: There are options that only runs have (``has_rules``).
        ScoringError: A set is not one.
        OSError: A file cannot be read or written.
    """
    if has_rules:
        raise UsageError("--rules and --approximate are for runs, not for answers to a set")
    codes = [CLEAN]

    def failed(path: object, error: Exception) -> None:
        codes.append(complain_about(path, error))

    sets = load_sets(list(map(str, paths)), failed)
    if not sets:
        raise ScoringError(f"{paths[0]} is not a memory set; `evalmark check` says more")
    found: list[RescoredAnswers] = []
    for path in answers:
        try:
            found.append(rescore_answers(path, sets, failed))
        except Exception as error:  # the other files are scored
            failed(path, error)
            continue
        codes.append(CLEAN if found[-1].is_complete else FOUND)
        if output_format != "json":
            print_answers(found[-1], named=len(answers) > 1)
    if output_format == "json":
        put_json(answers_data(found))
    if out is not None and found:
        sweep(out)  # temporary files of an interrupted run
        write_atomically(out, json_bytes(answers_data(found)))
        say(f"wrote {out}")
    return max(codes)


def print_answers(found: RescoredAnswers, *, named: bool) -> None:
    """The scores of a file of answers, and which answers are not in them."""
    if named:
        tell(str(found.path))
    judges = [judge for judge in found.judges if judge]
    by = f" of {judges[0]}" if len(judges) == 1 else ""
    for scores in found.scores:
        print_scores(scores, f"labels{by}", "missing")
    if len(judges) > 1:
        tell(f"labels are of {len(judges)} judges: {listed(judges)}")
    if found.missing:
        count = len(found.missing)
        tell(f"missing: {count} question{'s' if count > 1 else ''} without an answer: "
             f"{listed(found.missing)}")  # fmt: skip
    for what, rows in (
        ("extra: no such question", found.extra),
        ("duplicate: the first answer counts", found.duplicates),
    ):
        for row in rows[:SHOWN]:
            tell(f"{what}: {row.question} in line {row.place}")
        if len(rows) > SHOWN:
            tell(f"{what}: {len(rows) - SHOWN} more; --format json has all of them")
