"""The way of a run: tests, an agent and perhaps a judge in; results, statistics and a log out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalmark.conversations.agents.agents import Agent, Completer
from evalmark.conversations.interface.interface import Ask, TestExample
from evalmark.conversations.registry import Choice, load_tests, require_targets
from evalmark.conversations.running.clock import Clock
from evalmark.conversations.running.dialogue import Dialogue
from evalmark.conversations.running.outcome import Outcome, Totals
from evalmark.conversations.running.run_folder import ConversationFolder
from evalmark.conversations.running.run_log import RunLog
from evalmark.conversations.running.runner import MODES, Runner
from evalmark.schemas.errors import ScoringError, UnknownNameError
from evalmark.scoring.output import run_time

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
    clock: Clock | None = None,
    retry: bool = False,
    progress: Progress | None = None,
) -> Finished:
    """Run tests with an agent. An interrupted run resumes where its log ends.

    Args:
        targets: See ``load_tests``.
        agent: The agent under test.
        home: The folder of the run.
        settings: How to run the tests.
        judge: A model that judges replies where rules cannot decide.
        clock: The time of the run; by default it begins now.
        retry: Whether to go back to the first reply that failed, and ask again from there.
        progress: Called after each test.

    Raises:
        UnknownNameError: A target or the mode names nothing.
        ScoringError: A definition or a dataset is wrong.
        OtherRun: The folder holds another run.
        NotJudged: A judge has to write tests, and there is none.
        OSError: A file cannot be read or written.
    """
    require_targets(targets)
    folder = ConversationFolder(home, agent.about)
    folder.agent.mkdir(parents=True, exist_ok=True)
    clock = clock or Clock(datetime.fromtimestamp(run_time(), UTC))
    plan = _plan(targets, agent, settings, judge)
    with closing(RunLog(folder.log, plan, retry=retry)) as log:
        dialogue = Dialogue(agent, judge, log, clock)
        began = dialogue.begin()
        tests, notes = load_tests(targets, settings.choice(dialogue.ask_judge))
        if not tests:
            raise ScoringError("no tests to run")
        log.event("tests", digest=_digest(tests))
        folder.check_unchanged(tests)
        folder.prepare(tests, memory_span=settings.memory_span, mode=settings.mode)
        outcomes: list[Outcome] = []

        def done(outcome: Outcome) -> None:
            folder.keep(outcome)
            outcomes.append(outcome)
            if progress:
                progress(len(outcomes), len(tests))

        Runner(
            tests,
            dialogue,
            mode=settings.mode,
            memory_span=settings.memory_span,
            incompatible=settings.incompatible,
            filler_seed=settings.seed,
            done=done,
        ).run()
        folder.finish(
            outcomes,
            dialogue.totals,
            plan=plan,
            judged=sorted(dialogue.judged - {""}),
            seconds=(clock.now() - began).total_seconds(),
        )
    return Finished(outcomes, dialogue.totals, home, folder.agent, notes)


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
