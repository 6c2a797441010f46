"""A whole run: tests, an agent and perhaps a judge in; results, statistics and a log out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.conversations.agents.agents import Agent, Completer
from evalmark.conversations.interface.interface import TestExample
from evalmark.conversations.registry import Choice, load_tests
from evalmark.conversations.running.clock import Clock
from evalmark.conversations.running.dialogue import Dialogue
from evalmark.conversations.running.outcome import Outcome, Totals
from evalmark.conversations.running.run_folder import ConversationFolder
from evalmark.conversations.running.run_log import RunLog
from evalmark.conversations.running.runner import Runner
from evalmark.schemas.errors import ScoringError

#: Called with the tests that are over, and how many there are.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Conversation:
    """How a run is done.

    Attributes:
        mode: One of ``MODES``.
        examples: Tests of each dataset that is generated.
        memory_span: Tokens that 100 % of waiting are.
        seed: Of the tests that are generated, and of the talk in between.
        incompatible: Names of datasets whose tests never run at the same time.
    """

    mode: str = "isolated"
    examples: int = 3
    memory_span: int = 2000
    seed: int = 0
    incompatible: tuple[frozenset[str], ...] = (
        frozenset({"Names", "NameList"}),
        frozenset({"Locations", "Locations Directions"}),
    )


class Finished(NamedTuple):
    """A run that is over.

    Attributes:
        outcomes: What became of each test.
        totals: What was used.
        folder: Of the agent, with the results.
        notes: What was left out.
    """

    outcomes: list[Outcome]
    totals: Totals
    folder: Path
    notes: list[str]


def converse(
    targets: list[str],
    agent: Agent,
    home: Path,
    settings: Conversation,
    *,
    judge: Completer | None = None,
    clock: Clock,
    retry: bool = False,
    progress: Progress | None = None,
) -> Finished:
    """Run tests with an agent; a run that was killed goes on where its log ends.

    Args:
        targets: See ``load_tests``.
        agent: Who is tested.
        home: The folder of the run.
        settings: How.
        judge: Who judges where rules cannot; there may be nobody.
        clock: The time of the run.
        retry: Whether to go back to before the first reply that failed, and ask again.
        progress: Called after each test.

    Raises:
        ScoringError: A target names nothing, or the folder holds another run.
        OSError: A file cannot be read or written.
    """
    folder = ConversationFolder(home, agent.about)
    folder.agent.mkdir(parents=True, exist_ok=True)
    plan = _plan(targets, agent, settings, judge)
    log = RunLog(folder.log, plan, retry=retry)
    try:
        session = Dialogue(agent, judge, log, clock)
        began = _began(log, clock)
        choice = Choice(
            settings.examples,
            settings.memory_span,
            settings.seed,
            session.ask_judge,
            settings.mode == "isolated",
        )
        tests, notes = load_tests(targets, choice)
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

        runner = Runner(
            tests,
            session,
            mode=settings.mode,
            memory_span=settings.memory_span,
            incompatible=settings.incompatible,
            filler_seed=settings.seed,
            done=done,
        )
        runner.run()
        seconds = (clock.now() - began).total_seconds()
        folder.finish(
            outcomes,
            session.totals,
            plan=plan,
            judged=sorted(session.judged - {""}),
            seconds=seconds,
        )
        return Finished(outcomes, session.totals, folder.agent, notes)
    finally:
        log.close()


def _began(log: RunLog, clock: Clock) -> datetime:
    """When the run began: as the log has it, if it goes on."""
    event, _ = log.answered("began", lambda: {"at": clock.now().isoformat()})
    began = datetime.fromisoformat(event["at"])
    clock.restart(began)
    return began


def _plan(
    targets: Sequence[str], agent: Agent, settings: Conversation, judge: Completer | None
) -> dict[str, Any]:
    """What a run depends on; names of files without their folders."""
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
    """Of all definitions, so that a log is never gone on with for other tests."""
    content = [[test.unique_id, test.definition()] for test in tests]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
