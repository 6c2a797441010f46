"""``evalmark memory rescore``: results of runs and answers to memory sets, scored again."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evalmark.memory.commands.score_tables import print_scores
from evalmark.memory.running.rescoring import Rescored, rescore, rescored_data
from evalmark.memory.running.run_folder import agents_of
from evalmark.memory.sets.answer_files import (
    GivenRow,
    RescoredAnswers,
    answers_data,
    rescore_answers,
)
from evalmark.memory.sets.set_files import load_sets
from evalmark.schemas.errors import ScoringError
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.findings.report import Failed
from evalmark.validator.io.paths import without_links
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import CLEAN, FOUND, complain, put, tell

_NUMBERS = ("tests", "decided", "same", "final", "again", "by hand")
#: Answers that are listed for each reason.
SHOWN = 20


def rescore_answer_files(paths: Sequence[Path], sets: Sequence[Path], *, as_json: bool) -> int:
    """Score files of answers to sets again, and print the scores; the exit code.

    Raises:
        ScoringError: A set is not one.
        OSError: A file cannot be read.
    """
    failures = _Failures()
    loaded = load_sets(list(map(str, sets)), failures.add)
    if not loaded:
        raise ScoringError(f"{sets[0]} is not a memory set; `evalmark check` says more")
    files: list[RescoredAnswers] = []
    for path in paths:
        with failures.of(path):
            files.append(rescore_answers(path, loaded, failures.add))
            if not as_json:
                _print_answers(files[-1], is_named=len(paths) > 1)
    if as_json:
        put(answers_data(files))
    return max([failures.code, *(CLEAN if file.is_complete else FOUND for file in files)])


def rescore_runs(paths: Sequence[Path], rules: Sequence[str], *, as_json: bool) -> int:
    """Score runs of tests again, and print the scores; the exit code.

    Args:
        paths: Folders of runs, or of one agent.
        rules: The rules; empty for those that each run was scored with.
        as_json: Whether one object is printed.
    """
    failures = _Failures()
    agents: dict[str, list[Rescored]] = {}
    for path in paths:
        found: list[Path] = []
        with failures.of(path):
            if path.is_file():
                raise ScoringError(f"{path} is a file: to score answers, name their set with --set")
            found = agents_of(path)
        for agent in found:
            with failures.of(agent):
                tests = _all_rules(agent, rules, failures.add)
                agents.setdefault(_title(agent), []).extend(tests)
                if not as_json:
                    _print_tests(_title(agent) if len(paths) > 1 or agent != path else "", tests)
    if as_json:
        put(rescored_data([entry for tests in agents.values() for entry in tests]))
    elif len(agents) > 1:
        _print_totals(agents)
    return failures.code


@dataclass
class _Failures:
    """Targets that could not be used, reported at once; the others are scored."""

    code: int = CLEAN

    def add(self, path: object, error: Exception) -> None:
        """Say why a file cannot be used."""
        self.code = max(self.code, complain(error, path))

    @contextmanager
    def of(self, path: Path) -> Iterator[None]:
        """Report an error, and continue with the other targets."""
        try:
            yield
        except Exception as error:
            self.add(path, error)


def _all_rules(agent: Path, named: Sequence[str], failed: Failed) -> list[Rescored]:
    """The scores by each of the rules, or by those of the run; a file that fails does so once."""
    failures: set[Path] = set()

    def once(path: Path, error: Exception) -> None:
        if path not in failures:
            failures.add(path)
            failed(path, error)

    return [
        entry
        for rules in (*named,) or (None,)
        for entry in rescore(agent, rules=rules, failed=once)
    ]


def _title(agent: Path) -> str:
    """Run and agent: agents of the same name are in many runs."""
    parents = without_links(agent).parents
    return f"{parents[1].name} / {agent.name}" if len(parents) > 1 else agent.name


def _print_tests(title: str, tests: Sequence[Rescored]) -> None:
    """A line for each dataset and rules, and one for each stored score that differs."""
    if title:
        tell(title)
    table = plain_table(("dataset", "rules"), _NUMBERS)
    for (dataset, rules), members in _grouped(tests):
        table.add_row(dataset, rules, *_numbers(members))
    print_table(table)
    for entry in tests:
        if entry.differs:
            tell(
                f"{entry.test}: {entry.automatic:.3g} before, {entry.again:.3g} by {entry.rules} "
                f"({entry.way}): {'; '.join(entry.reasons)}; {entry.because}"
            )
        elif entry.because:
            tell(f"{entry.test}: {entry.because}")
    undecided = Counter(
        (entry.dataset, entry.rules, "; ".join(entry.reasons))
        for entry in tests
        if entry.again is None
    )
    for (dataset, rules, why), count in undecided.items():
        tell(f"{dataset}: {count} undecided by {rules}: {why}")


def _print_totals(agents: dict[str, list[Rescored]]) -> None:
    """A line for each run and rules, and their sum."""
    tell("all")
    table = plain_table(("run", "rules"), ("tests", "decided", "same", "by hand"))
    rows = [
        (title, rules, members)
        for title, tests in agents.items()
        for rules, members in _by_rules(tests)
    ]
    everything = [entry for tests in agents.values() for entry in tests]
    for title, rules, members in [*rows, ("all", "", everything)]:
        count, decided, same, _final, _again, by_hand = _numbers(members)
        table.add_row(title, rules, count, decided, same, by_hand)
    print_table(table)


def _grouped(tests: Sequence[Rescored]) -> Iterator[tuple[tuple[str, str], list[Rescored]]]:
    """The tests of each dataset and rules; rules in the order in which they were asked for."""
    for dataset in sorted({entry.dataset for entry in tests}):
        for rules, members in _by_rules([entry for entry in tests if entry.dataset == dataset]):
            yield (dataset, rules), members


def _by_rules(tests: Sequence[Rescored]) -> Iterator[tuple[str, list[Rescored]]]:
    for rules in dict.fromkeys(entry.rules for entry in tests):
        yield rules, [entry for entry in tests if entry.rules == rules]


def _numbers(tests: Sequence[Rescored]) -> tuple[str, ...]:
    """The cells of a line: tests, decided, same, final, again, by hand."""
    again = [entry.again for entry in tests if entry.again is not None]
    return (
        str(len(tests)),
        str(len(again)),
        str(len(again) - sum(entry.differs for entry in tests)),
        f"{statistics.fmean(entry.final for entry in tests):.3f}" if tests else "",
        f"{statistics.fmean(again):.3f}" if tests and len(again) == len(tests) else "",
        str(sum(entry.by_hand for entry in tests) or ""),
    )


def _print_answers(file: RescoredAnswers, *, is_named: bool) -> None:
    """The scores of a file of answers, and which answers are not in them."""
    if is_named:
        tell(str(file.path))
    judges = [judge for judge in file.judges if judge]
    by = f" of {judges[0]}" if len(judges) == 1 else ""
    for scores in file.scores:
        print_scores(scores, f"labels{by}", "missing")
    if len(judges) > 1:
        tell(f"labels are of {len(judges)} judges: {listed(judges)}")
    if file.missing:
        count = len(file.missing)
        tell(
            f"missing: {count} question{'s' if count > 1 else ''} without an answer: "
            f"{listed(file.missing)}"
        )
    _tell_rows("extra: no such question", file.extra)
    _tell_rows("duplicate: the first answer counts", file.duplicates)


def _tell_rows(title: str, rows: Sequence[GivenRow]) -> None:
    """Name answers that have no score."""
    for row in rows[:SHOWN]:
        tell(f"{title}: {row.question} in line {row.place}")
    if len(rows) > SHOWN:
        tell(f"{title}: {len(rows) - SHOWN} more; --format json has all of them")
