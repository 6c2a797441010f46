"""``evalmark rescore`` on runs: scores before and again, and why they differ."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from evalmark.conversations.rescoring import Rescored, rescore, rescored_data
from evalmark.conversations.running.conversation_folder import Failed, agents_of
from evalmark.schemas.errors import ScoringError
from evalmark.validator.edge.paths import without_links
from evalmark.validator.edge.tables import plain_table, print_table
from evalmark.validator.edge.terminal import CLEAN, complain_about, put_json, say, tell
from evalmark.validator.edge.writing import json_bytes, sweep, write_atomically

_NUMBERS = ("tests", "decided", "same", "final", "again", "by hand")


def rescore_runs(
    runs: Sequence[Path],
    named: Sequence[str],
    approximations: bool,
    out: Path | None,
    output_format: str,
) -> int:
    """Score runs by the named rules, or by their own, print the scores and write them.

    Returns:
        The exit code.
    """
    found: dict[str, list[Rescored]] = {}
    codes = [CLEAN]

    def failed(path: Path, error: Exception) -> None:
        codes.append(complain_about(path, error))

    for run in runs:
        try:
            for agent in _agents(run):
                scored = _all_rules(agent, named, approximations, failed)
                found.setdefault(_title(agent), []).extend(scored)
                if output_format == "json":
                    continue
                if len(runs) > 1 or agent != run:
                    tell(_title(agent))
                print_rescored(scored)
        except Exception as error:  # the other runs are scored
            failed(run, error)
    entries = [entry for scored in found.values() for entry in scored]
    if output_format == "json":
        put_json(rescored_data(entries))
    elif len(found) > 1:
        _print_totals(found)
    if out is not None:
        sweep(out)  # temporary files of an interrupted run
        write_atomically(out, json_bytes(rescored_data(entries)))
        say(f"wrote {out}")
    return max(codes)


def _agents(run: Path) -> list[Path]:
    if run.is_file():
        raise ScoringError(f"{run} is a file: to score answers, name their set with --set")
    return agents_of(run)


def _all_rules(
    agent: Path, named: Sequence[str], approximations: bool, failed: Failed
) -> list[Rescored]:
    """The scores by each of the rules, or by those of the run; a file that fails does so once."""
    told: set[Path] = set()

    def once(path: Path, error: Exception) -> None:
        if path not in told:
            told.add(path)
            failed(path, error)

    return [
        entry
        for rules in (*named,) or (None,)
        for entry in rescore(agent, rules=rules, approximations=approximations, failed=once)
    ]


def _title(agent: Path) -> str:
    """Run and agent: agents of the same name are in many runs."""
    parents = without_links(agent).parents
    return f"{parents[1].name} / {agent.name}" if len(parents) > 1 else agent.name


def print_rescored(found: Sequence[Rescored]) -> None:
    """A line for each dataset and rules, and one for each stored score that differs."""
    table = plain_table(("dataset", "rules"), _NUMBERS)
    for (dataset, rules), own in _grouped(found):
        table.add_row(dataset, rules, *_numbers(own))
    print_table(table)
    for entry in found:
        if entry.differs:
            tell(
                f"{entry.test}: {entry.automatic:.3g} before, {entry.again:.3g} by {entry.rules} "
                f"({entry.way}): {'; '.join(entry.reasons)}; {entry.because}"
            )
        elif entry.because:
            tell(f"{entry.test}: {entry.because}")
    undecided = Counter(
        (entry.dataset, entry.rules, "; ".join(entry.reasons))
        for entry in found
        if entry.again is None
    )
    for (dataset, rules, why), count in undecided.items():
        tell(f"{dataset}: {count} undecided by {rules}: {why}")


def _print_totals(found: dict[str, list[Rescored]]) -> None:
    """A line for each run and rules, and their sum."""
    tell("all")
    table = plain_table(("run", "rules"), ("tests", "decided", "same", "by hand"))
    rows = [
        (title, rules, own) for title, scored in found.items() for rules, own in _by_rules(scored)
    ]
    everything = [entry for scored in found.values() for entry in scored]
    for title, rules, own in [*rows, ("all", "", everything)]:
        tests, decided, same, _final, _again, by_hand = _numbers(own)
        table.add_row(title, rules, tests, decided, same, by_hand)
    print_table(table)


def _grouped(found: Sequence[Rescored]) -> Iterator[tuple[tuple[str, str], list[Rescored]]]:
    """The tests of each dataset and rules; rules in the order in which they were asked for."""
    for dataset in sorted({entry.dataset for entry in found}):
        for rules, own in _by_rules([entry for entry in found if entry.dataset == dataset]):
            yield (dataset, rules), own


def _by_rules(found: Sequence[Rescored]) -> Iterator[tuple[str, list[Rescored]]]:
    for rules in dict.fromkeys(entry.rules for entry in found):
        yield rules, [entry for entry in found if entry.rules == rules]


def _numbers(own: Sequence[Rescored]) -> tuple[str, ...]:
    """The cells of a line: tests, decided, same, final, again, by hand."""
    again = [entry.again for entry in own if entry.again is not None]
    return (
        str(len(own)),
        str(len(again)),
        str(len(again) - sum(entry.differs for entry in own)),
        f"{statistics.fmean(entry.final for entry in own):.3f}" if own else "",
        f"{statistics.fmean(again):.3f}" if own and len(again) == len(own) else "",
        str(sum(entry.by_hand for entry in own) or ""),
    )
