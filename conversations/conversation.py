"""The way of a run: tests, an agent and perhaps a judge in; results, statistics and a log out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from evalmark.conversations.agents.agents import Agent, Completer
from evalmark.conversations.interface.interface import Ask, TestExample
from evalmark.conversations.registry import Choice, load_tests, require_targets
from evalmark.conversations.running.clock import Clock
from evalmark.conversations.running.dialogue import Dialogue
from evalmark.conversations.running.judging_later import judge_later
from evalmark.conversations.running.outcome import UNJUDGED, Outcome, Totals
from evalmark.conversations.running.run_folder import ConversationFolder
from evalmark.conversations.running.run_log import RunLog
from evalmark.conversations.running.runner import MODES, Runner
from evalmark.schemas.errors import OtherRun, ScoringError, UnknownNameError
from evalmark.scoring.output import run_time
from evalmark.validator.edge.writing import only_writer

#: Called with the number of finished tests and the number of all tests.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Settings of a run.

    Attributes:
        mode: One of ``MODES``.
        examples: Number of tests of each dataset that is generated.
        memory_span: Number of tokens that a wait of 100 % stands for.
        seed: Seed of generated tests and of filler talk.
        incompatible: Names of datasets whose tests never run at the same time.

    Raises:
        UnknownNameError: There is no such mode.
    """

    mode: str = "isolated"
    examples: int = 3
    memory_span: int = 2000
    seed: int = 0
    incompatible: tuple[frozenset[str], ...] = (
        frozenset({"Names", "NameList"}),
        frozenset({"Locations", "Locations Directions"}),
    )

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UnknownNameError("mode", self.mode, MODES)

    def choice(self, ask: Ask) -> Choice:
        """How tests are made for this run."""
        isolated = self.mode == "isolated"
        return Choice(self.examples, self.memory_span, self.seed, ask, isolated)


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished run."""

    outcomes: list[Outcome]
    totals: Totals  # tokens, costs and time
    home: Path
    folder: Path  # the folder of the agent in it, with the results
    notes: list[str]  # what was skipped


def converse(
    targets: list[str],
    agent: Agent,
    home: Path,
    settings: Conversation,
    *,
    judge: Completer | None = None,
    retry: bool = False,
    progress: Progress | None = None,
) -> Finished:
    """Run tests with an agent. An interrupted run resumes where its log ends.

    A judge that the run began without judges what it has left unjudged.

    Args:
        targets: Keys of datasets, ``all``, ``module:Class``, definition files, or folders of them.
        agent: The agent under test.
        home: The folder of the run.
        settings: How to run the tests.
        judge: A model that judges replies where rules cannot decide.
        retry: Whether to go back to the first reply that failed, and ask again from there.
        progress: Called after each test.

    Raises:
        UnknownNameError: A target or the mode names nothing.
        ScoringError: A definition or a dataset is wrong.
        OtherRun: The folder holds another run.
        FolderInUse: Another run writes to the folder.
        NotJudged: A judge has to write tests, and there is none.
        OSError: A file cannot be read or written.
    """
    clock = Clock(datetime.fromtimestamp(run_time(), UTC))
    return converse_by(
        clock, targets, agent, home, settings, judge=judge, retry=retry, progress=progress
    )


def converse_by(
    clock: Clock,
    targets: list[str],
    agent: Agent,
    home: Path,
    settings: Conversation,
    *,
    judge: Completer | None = None,
    retry: bool = False,
    progress: Progress | None = None,
) -> Finished:
    """``converse`` with a clock of the caller."""
    require_targets(targets)
    folder = ConversationFolder(home, agent.about)
    folder.agent.mkdir(parents=True, exist_ok=True)
    plan = _plan(targets, agent, settings, judge)
    with only_writer(folder.agent), closing(RunLog(folder.log, plan, retry=retry)) as log:
        later = judge if log.judged_later else None
        dialogue = Dialogue(agent, None if later else judge, log, clock)
        began = dialogue.begin()
        tests, notes = load_tests(targets, settings.choice(dialogue.ask_judge))
        if not tests:
            raise ScoringError("no tests to run")
        digest = _digest(tests)
        log.event("tests", digest=digest)
        folder.check_unchanged(tests)
        folder.prepare(tests, memory_span=settings.memory_span, mode=settings.mode)

        def load() -> list[TestExample]:
            fresh, _ = load_tests(targets, settings.choice(dialogue.ask_judge))
            if _digest(fresh) != digest:
                raise OtherRun(f"cannot resume from {folder.log}: the tests have changed")
            return fresh

        runner = partial(
            Runner,
            session=dialogue,
            mode=settings.mode,
            memory_span=settings.memory_span,
            incompatible=settings.incompatible,
            filler_seed=settings.seed,
        )
        outcomes = _run(tests, runner, folder, keeps_unjudged=not later, progress=progress)
        if later:
            before, outcomes = outcomes, judge_later(outcomes, dialogue, later, load, runner)
            for old, new in zip(before, outcomes, strict=True):
                if old.state == UNJUDGED:
                    folder.keep(new)
        folder.finish(
            outcomes,
            dialogue.totals,
            plan=plan,
            judged=sorted(dialogue.judged - {""}),
            judges=sorted(dialogue.judges),
            seconds=(clock.now() - began).total_seconds(),
        )
    return Finished(outcomes, dialogue.totals, home, folder.agent, notes)


def _run(
    tests: Sequence[TestExample],
    runner: Callable[..., Runner],
    folder: ConversationFolder,
    *,
    keeps_unjudged: bool,
    progress: Progress | None,
) -> list[Outcome]:
    """Run all tests, and keep the result of each as it ends."""
    outcomes: list[Outcome] = []

    def done(outcome: Outcome) -> None:
        # An earlier attempt may have been judged already.
        if keeps_unjudged or outcome.state != UNJUDGED:
            folder.keep(outcome)
        outcomes.append(outcome)
        if progress:
            progress(len(outcomes), len(tests))

    runner(tests, done=done).run()
    return outcomes


def _plan(
    targets: Sequence[str], agent: Agent, settings: Conversation, judge: Completer | None
) -> dict[str, Any]:
    """What a run depends on; files are named without their folders."""
    return {
        "tests": [Path(target).name for target in targets],
        "mode": settings.mode,
        "examples": settings.examples,
        "memory_span": settings.memory_span,
        "seed": settings.seed,
        "agent": dict(agent.about),
        "judge": dict(judge.about) if judge else None,
    }


def _digest(tests: Sequence[TestExample]) -> str:
    """A digest of all definitions: a log is never resumed with other tests."""
    content = [[test.unique_id, test.definition()] for test in tests]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
