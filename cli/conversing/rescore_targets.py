"""``evalmark memory rescore``: results of runs and answers to memory sets, scored again."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from evalmark.cli.conversing.score_tables import print_scores, print_side_by_side
from evalmark.conversations.rescoring import Rescored, rescore, rescored_data
from evalmark.conversations.running.run_folder import Failed, agents_of
from evalmark.conversations.sets.answer_files import (
    GivenRow,
    RescoredAnswers,
    answers_data,
    rescore_answers,
)
from evalmark.conversations.sets.exclusions import Exclusions, exclusions_among
from evalmark.conversations.sets.set_files import load_sets
from evalmark.schemas.errors import ScoringError
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.io.paths import without_links
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import CLEAN, FOUND, complain_about, put_json, tell

_NUMBERS = ("tests", "decided", "same", "final", "again", "by hand")
#: Answers that are listed for each reason.
SHOWN = 20
#: The exit code of something that was scored, and what prints its scores.
_Scored = tuple[int, Callable[[], None]]


class SetOptions(NamedTuple):
    """The sets of answers, and a list of disputed questions."""

    sets: Sequence[Path]
    exclude: Path | None = None


class _Rescoring(Protocol):
    """The scores of one kind of dialogues, and how they are shown."""

    def scored(self, path: Path, failed: Failed) -> Iterator[_Scored]:
        """Score what is at a path; ``failed`` is called with files that cannot be used."""

    def print_totals(self) -> None:
        """Print the totals of all paths."""

    def data(self) -> dict[str, object]:
        """All scores as JSON."""


def rescore_targets(
    targets: Sequence[Path],
    of_sets: SetOptions,
    rules: Sequence[str],
    approximations: bool,
    output_format: str,
) -> int:
    """Score runs, or answers to sets, again; print the scores and write them.

    Args:
        targets: Folders of runs, or files of answers.
        of_sets: The sets of the answers; none for runs.
        rules: The rules of runs; empty for those that each was scored with.
        approximations: True if rules alone decide where a judge would.
        output_format: ``table`` or ``json``.

    Returns:
        The exit code.

    Raises:
        ScoringError: A set is not one.
        OSError: A file cannot be read.
    """
    codes = [CLEAN]

    def failed(path: object, error: Exception) -> None:
        codes.append(complain_about(path, error))

    rescoring: _Rescoring = (
        _AnswerRescoring(of_sets, failed, is_named=len(targets) > 1)
        if of_sets.sets
        else _RunRescoring(rules, approximations, is_named=len(targets) > 1)
    )
    for path in targets:
        for code, show in _each(rescoring, path, failed):
            codes.append(code)
            if output_format != "json":
                show()
    if output_format == "json":
        put_json(rescoring.data())
    else:
        rescoring.print_totals()
    return max(codes)


def _each(rescoring: _Rescoring, path: Path, failed: Failed) -> Iterator[_Scored]:
    try:
        yield from rescoring.scored(path, failed)
    except Exception as error:  # the others are scored
        failed(path, error)


class _AnswerRescoring:
    """Files of answers to sets."""

    def __init__(
        self,
        of_sets: SetOptions,
        failed: Callable[[object, Exception], None],
        *,
        is_named: bool,
    ) -> None:
        sets, exclude = of_sets
        self._sets = load_sets(list(map(str, sets)), failed)
        if not self._sets:
            raise ScoringError(f"{sets[0]} is not a memory set; `evalmark check` says more")
        self._exclusions = exclusions_among(exclude, self._sets)
        self._is_named = is_named
        self._files: list[RescoredAnswers] = []

    def scored(self, path: Path, failed: Failed) -> Iterator[_Scored]:
        file = rescore_answers(path, self._sets, failed)
        self._files.append(file)
        code = CLEAN if file.is_complete else FOUND
        yield (
            code,
            partial(_print_answers, file, is_named=self._is_named, exclusions=self._exclusions),
        )

    def print_totals(self) -> None:
        """There are none: each file has those of its sets."""

    def data(self) -> dict[str, object]:
        return answers_data(self._files, self._exclusions)


class _RunRescoring:
    """Runs of tests, by rules that are named, or by those that each was scored with."""

    def __init__(self, rules: Sequence[str], approximations: bool, *, is_named: bool) -> None:
        self._rules = rules
        self._approximations = approximations
        self._is_named = is_named
        self._agents: dict[str, list[Rescored]] = {}

    def scored(self, path: Path, failed: Failed) -> Iterator[_Scored]:
        for agent in _agents(path):
            tests = _all_rules(agent, self._rules, self._approximations, failed)
            self._agents.setdefault(_title(agent), []).extend(tests)
            title = _title(agent) if self._is_named or agent != path else ""
            yield CLEAN, partial(_print_tests, title, tests)

    def print_totals(self) -> None:
        if len(self._agents) > 1:
            _print_totals(self._agents)

    def data(self) -> dict[str, object]:
        return rescored_data([entry for tests in self._agents.values() for entry in tests])


def _agents(run: Path) -> list[Path]:
    if run.is_file():
        raise ScoringError(f"{run} is a file: to score answers, name their set with --set")
    return agents_of(run)


def _all_rules(
    agent: Path, named: Sequence[str], approximations: bool, failed: Failed
) -> list[Rescored]:
    """The scores by each of the rules, or by those of the run; a file that fails does so once."""
    failures: set[Path] = set()

    def once(path: Path, error: Exception) -> None:
        if path not in failures:
            failures.add(path)
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


def _print_answers(file: RescoredAnswers, *, is_named: bool, exclusions: Exclusions | None) -> None:
    """The scores of a file of answers, and which answers are not in them."""
    if is_named:
        tell(str(file.path))
    judges = [judge for judge in file.judges if judge]
    by = f" of {judges[0]}" if len(judges) == 1 else ""
    for scores in file.scores:
        print_scores(scores, f"labels{by}", "missing")
        if exclusions:
            tell("")
            print_side_by_side(scores, exclusions.without(scores), f"labels{by}")
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
