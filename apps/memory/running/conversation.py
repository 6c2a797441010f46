"""A run of memory tests: from tests, an agent and perhaps a judge to results, statistics and a log.

The tests of files that were fixed come last. A file that cannot be used does not stop the others.
The log names it, so that the same command can run its tests once it is fixed: after all others,
whose replies are in the log already. The tests of a run that began without a judge can be judged
later.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from evalmark.memory.agents.agent import CUT, THOUGHTS, Agent, Completer, thoughts_of
from evalmark.memory.datasets.dataset_registry import Choice, load_sources, require_targets
from evalmark.memory.datasets.ltm_configuration import configuration_of, span_beside
from evalmark.memory.evaluation.llm_judge import Ask
from evalmark.memory.interface.dataset_interface import DynamicExample, TestExample
from evalmark.memory.running.dialogue import Dialogue, clock_of_run
from evalmark.memory.running.outcome import (
    SCORED,
    UNJUDGED,
    Outcome,
    Totals,
    evaluated,
    without_score,
)
from evalmark.memory.running.run_folder import ConversationFolder
from evalmark.memory.running.run_log import END, JUDGE, RunLog
from evalmark.memory.running.runner import MESSAGES, MODES, Runner
from evalmark.schemas.errors import (
    AgentRefused,
    NotJudged,
    OtherRun,
    ScoringError,
    UnknownNameError,
)
from evalmark.validator.findings.unusable import Failed, raising

#: The event that begins a batch.
TESTS = "tests"


def batches(
    sources: Mapping[str, list[TestExample]], unused: Collection[str], log: RunLog
) -> Iterator[list[TestExample]]:
    """The tests of each batch; as the log says, as long as it does.

    ``unused`` has the sources that cannot be used. An OtherRun if the tests are not those of the
    log.
    """
    left: dict[str, list[TestExample]] = {}
    for source, tests in sources.items():
        left.setdefault(_key(source), []).extend(tests)
    broken = sorted({_key(source) for source in unused} - left.keys())
    named = {"without": broken} if broken else {}
    while any(left.values()):
        whole = digest_of([test for tests in left.values() for test in tests])
        new: dict[str, Any] = {"digest": whole, **named}
        event, _ = log.answered(TESTS, new.copy)
        without = set(event.get("without", ()))
        batch = [test for key, tests in left.items() if key not in without for test in tests]
        if digest_of(batch) != event["digest"]:
            also = f"; cannot be used any more: {', '.join(broken)}" if broken else ""
            raise OtherRun(f"cannot resume from {log.path}: the tests have changed{also}")
        yield batch
        left = {key: tests for key, tests in left.items() if key in without}


def digest_of(tests: Sequence[TestExample]) -> str:
    """A digest of all definitions: a log is never resumed with other tests."""
    content = [[test.unique_id, test.definition()] for test in tests]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _key(source: str) -> str:
    """A source as the log names it: a file with its folder, wherever that is."""
    path = Path(source)
    return f"{path.absolute().parent.name}/{path.name}" if path.exists() else source


def judge_later(
    outcomes: Sequence[Outcome],
    session: Dialogue,
    load: Callable[[], Sequence[TestExample]],
    runner: Callable[[Sequence[TestExample]], Runner],
) -> list[Outcome]:
    """The outcomes of a run, with those that lacked a judge judged.

    A script has ended, so only its replies are judged. A test that asks the judge while it runs (a
    dynamic one, or one with a callback) runs again, after all others: ``load`` gives the tests as
    they were, and ``runner`` makes the runner of some tests.
    """
    waiting = [outcome.example for outcome in outcomes if outcome.state == UNJUDGED]
    again = {
        test.unique_id for test in waiting if isinstance(test, DynamicExample) or test.uses_callback
    }
    judged = {
        outcome.example.unique_id: _judge_outcome(outcome, session)
        for outcome in outcomes
        if outcome.state == UNJUDGED and outcome.example.unique_id not in again
    }
    if again:
        tests = [test for test in load() if test.unique_id in again]
        judged |= {outcome.example.unique_id: outcome for outcome in runner(tests).run()}
    return [judged.get(outcome.example.unique_id, outcome) for outcome in outcomes]


def _judge_outcome(outcome: Outcome, session: Dialogue) -> Outcome:
    example = outcome.example
    session.current = (example.unique_id, example.dataset_name)
    state, score, reasons = SCORED, None, list[str]()
    try:
        score, reasons = evaluated(example, outcome.questions, outcome.responses)
    except (OtherRun, AgentRefused):
        raise
    except (Exception, SystemExit) as error:  # code of users
        state, reasons = without_score(error)
    finally:
        session.current = ("", "")
    session.log.event(END, test=example.unique_id, state=state, score=score, reasons=reasons)
    return replace(outcome, state=state, score=score, reasons=reasons)


#: Called with the number of finished tests and the number of all tests.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Settings of a run.

    Attributes:
        mode: One of ``MODES``.
        examples: Number of tests of each dataset that is generated.
        memory_span: Number of tokens in a wait of 100 %.
        seed: Seed of generated tests and of filler talk.
        incompatible: Names of datasets whose tests never run at the same time.
        thoughts: How thoughts before a reply are treated: cut off before scoring and memory
            (``cut``), or scored (``keep``).
        max_messages: A test that has not ended after so many messages has failed. Those of a script
            do not count; for a callback, those after the script do.
        max_seconds: A test has failed whose replies, with those of a judge, took longer. None:
            there is no limit.
        benchmark: The name of the published benchmark that the run is of; empty if of none.

    Raises:
        UnknownNameError: There is no such mode.
    """

    mode: str = "filled"
    examples: int = 3
    memory_span: int = 2000
    seed: int = 0
    incompatible: tuple[frozenset[str], ...] = (
        frozenset({"Names", "NameList"}),
        frozenset({"Locations", "Locations Directions"}),
    )
    thoughts: str = CUT
    max_messages: int = MESSAGES
    max_seconds: float | None = None
    benchmark: str = ""

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UnknownNameError("mode", self.mode, MODES)
        if self.thoughts not in THOUGHTS:
            raise UnknownNameError("value of thoughts", self.thoughts, THOUGHTS)

    @classmethod
    def for_targets(
        cls,
        targets: Sequence[str],
        mode: str | None = None,
        examples: int | None = None,
        memory_span: int | None = None,
        seed: int | None = None,
        thoughts: str | None = None,
    ) -> Conversation:
        """Arguments first, then the configuration among the targets, then the defaults.

        The mode of a configuration that states none is the benchmark's: interleaved. Of one that
        lies beside definitions, only the memory span counts.

        Raises:
            UsageError: A configuration is not the only target, or several state memory spans.
            BrokenFile: The configuration cannot be used.
        """
        arguments = {
            "mode": mode,
            "examples": examples,
            "memory_span": memory_span,
            "seed": seed,
            "thoughts": thoughts,
        }
        configuration = configuration_of(targets)
        configured = configuration and {
            "mode": configuration.mode or "interleaved",
            "examples": configuration.examples,
            "memory_span": configuration.memory_span,
            "seed": configuration.seed,
            "incompatible": configuration.incompatible,
        }
        if configured is None and memory_span is None:
            configured = {"memory_span": span_beside(targets)}
        chosen: dict[str, Any] = {}
        for source in (configured or {}, arguments):
            chosen.update({key: value for key, value in source.items() if value is not None})
        return cls(**chosen)

    def choice(self, ask: Ask, cost: Callable[[float], object] | None = None) -> Choice:
        """The settings of the tests of this run; ``ask`` and ``cost`` as in ``Choice``."""
        isolated = self.mode == "isolated"
        return Choice(self.examples, self.memory_span, self.seed, ask, cost, isolated)


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished run."""

    outcomes: list[Outcome]
    totals: Totals  # tokens, costs and time
    home: Path
    folder: Path  # the folder of the agent in it, with the results
    notes: list[str]  # what was skipped, and what to know about a resumed run


def converse(
    targets: list[str],
    agent: Agent,
    home: Path,
    settings: Conversation,
    *,
    judge: Completer | None = None,
    retry: bool = False,
    progress: Progress | None = None,
    failed: Failed = raising,
) -> Finished:
    """Run tests with an agent. An interrupted run resumes where its log ends.

    A judge that the run began without judges what it has left unjudged.

    Args:
        targets: Keys of datasets, ``all``, ``module:Class`` or ``file.py:Class``, definition files,
            folders of them, or a configuration of the LTM benchmark.
        agent: The agent under test.
        home: The folder of the run.
        settings: How to run the tests.
        judge: A model that judges replies where rules cannot decide.
        retry: Whether to go back to the first reply that failed, and ask again from there.
        progress: Called after each test.
        failed: Called with each definition, dataset or class that cannot be used, and why; the
            tests of the others run. By default, the first is an error. Once it is fixed, or there
            is a judge to write its tests, the same run resumes with them.

    Raises:
        UnknownNameError: A target or the mode names nothing.
        ScoringError: A definition or a dataset is wrong.
        OtherRun: The folder holds another run.
        FolderInUse: Another run writes to the folder.
        NotJudged: A judge has to write tests, and there is none.
        AgentRefused: The agent or the judge refuses every request. The run can be resumed.
        OSError: A file cannot be read or written.
    """
    require_targets(targets)
    folder = ConversationFolder(home, agent.about)
    plan = _plan(targets, agent, settings, judge)
    with folder.running(plan, retry=retry) as log:
        later = judge if log.judged_later else None
        first = None if later else judge
        dialogue = Dialogue(agent, first, log, clock_of_run(), thoughts=settings.thoughts)
        began = dialogue.begin()
        loading = _Loading(targets, settings.choice(dialogue.ask_judge, dialogue.add_cost))
        sources = loading.first(failed, deferred=later is not None)
        outcomes: list[Outcome] = []
        if not sources:
            log.forget()
        else:
            outcomes = _all_outcomes(
                sources, loading, folder, dialogue, settings, later, progress, failed
            )
            dialogue.replaying_agent.finish()
            folder.finish(
                outcomes,
                dialogue.totals,
                began=began,
                plan=plan,
                judged={name: prompts for name, prompts in dialogue.judged.items() if name},
                judges=sorted(dialogue.judges),
                thoughts=thoughts_of(settings.thoughts, dialogue.thoughtful),
            )
    notes = [*loading.notes, *dialogue.replaying_agent.notes]
    if dialogue.thoughtful:
        notes.append(f"thoughts: {thoughts_of(settings.thoughts, dialogue.thoughtful)}")
    return Finished(outcomes, dialogue.totals, home, folder.agent, notes)


@dataclass(slots=True)
class _Loading:
    """The tests of a run, which are loaded once, or twice if a judge comes later."""

    targets: list[str]
    choice: Choice
    notes: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    unwritten: list[str] = field(default_factory=list)  # until there is a judge
    tests: list[TestExample] = field(default_factory=list)
    digest: str = ""

    def first(self, failed: Failed, *, deferred: bool) -> dict[str, list[TestExample]]:
        """The tests of each file, dataset and class; none if no source can be used.

        ``deferred`` says that a judge comes later, which can write the tests of some sources.
        """

        def note(source: str, error: Exception) -> None:
            self.unused.append(source)
            if deferred and isinstance(error, NotJudged):
                self.unwritten.append(source)
            else:
                failed(source, error)

        sources, self.notes = load_sources(self.targets, self.choice, note)
        self.tests = [test for of_one in sources.values() for test in of_one]
        if not self.tests and not self.unused:
            raise ScoringError("no tests to run")
        self.digest = digest_of(self.tests)
        self.used = list(sources)
        return sources if self.tests else {}

    def again(self) -> list[TestExample]:
        ignore = (lambda *_: None) if self.unused else raising
        sources, _ = load_sources(self.targets, self.choice, ignore, self.used)
        tests = [test for of_one in sources.values() for test in of_one]
        if digest_of(tests) != self.digest:
            raise OtherRun("cannot resume: the tests have changed")
        return tests

    def written(self, failed: Failed) -> dict[str, list[TestExample]]:
        """The tests that lacked a judge to write them, now that there is one."""
        taken = {test.unique_id for test in self.tests}
        sources, _ = load_sources(self.targets, self.choice, failed, self.unwritten, taken)
        self.tests += [test for of_one in sources.values() for test in of_one]
        return sources


def _all_outcomes(
    sources: Mapping[str, list[TestExample]],
    loading: _Loading,
    folder: ConversationFolder,
    dialogue: Dialogue,
    settings: Conversation,
    later: Completer | None,
    progress: Progress | None,
    failed: Failed,
) -> list[Outcome]:
    """Run all tests, have ``later`` judge what the run left unjudged, and keep each result."""
    remaining = batches(sources, loading.unused, dialogue.log)
    first = next(remaining)

    def prepare() -> None:
        folder.check_unchanged(loading.tests)
        folder.prepare(loading.tests, memory_span=settings.memory_span, mode=settings.mode)

    prepare()
    runner = partial(
        Runner,
        session=dialogue,
        mode=settings.mode,
        memory_span=settings.memory_span,
        incompatible=settings.incompatible,
        filler_seed=settings.seed,
        max_messages=settings.max_messages,
        max_seconds=settings.max_seconds,
    )
    finished = 0

    def done(outcome: Outcome) -> None:
        nonlocal finished
        # An earlier attempt may have been judged already.
        if not later or dialogue.judge or outcome.state != UNJUDGED:
            folder.keep(outcome)
        finished += 1
        if progress:
            progress(finished, len(loading.tests))

    outcomes = _run(chain([first], remaining), runner, dialogue.log, done)
    if not later:
        return outcomes
    before = outcomes
    if loading.unwritten or any(outcome.state == UNJUDGED for outcome in before):
        dialogue.name_judge(later)
        outcomes = judge_later(before, dialogue, loading.again, runner)
    for old, new in zip(before, outcomes, strict=True):
        if old.state == UNJUDGED:
            folder.keep(new)
    if loading.unwritten:
        written = loading.written(failed)
        prepare()
        remaining = chain(batches(written, loading.unused, dialogue.log), remaining)
    return outcomes + _run(remaining, runner, dialogue.log, done)


def _run(
    remaining: Iterable[list[TestExample]],
    runner: Callable[..., Runner],
    log: RunLog,
    done: Callable[[Outcome], None],
) -> list[Outcome]:
    outcomes: list[Outcome] = []
    for batch in remaining:
        outcomes += runner(batch, done=done).run()
        if log.upcoming == JUDGE:
            break
    return outcomes


def _plan(
    targets: Sequence[str], agent: Agent, settings: Conversation, judge: Completer | None
) -> dict[str, Any]:
    """The plan of a run; files are named without their folders."""
    return {
        "tests": [Path(target).name for target in targets],
        "mode": settings.mode,
        "examples": settings.examples,
        "memory_span": settings.memory_span,
        "seed": settings.seed,
        "agent": dict(agent.about),
        "judge": dict(judge.about) if judge else None,
        **({"thoughts": settings.thoughts} if settings.thoughts != CUT else {}),
        **({"max_messages": settings.max_messages} if settings.max_messages != MESSAGES else {}),
        **({"max_seconds": settings.max_seconds} if settings.max_seconds is not None else {}),
        **({"benchmark": settings.benchmark} if settings.benchmark else {}),
    }
