"""The way of a run over memory sets: histories are told, questions asked, answers judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias

from evalmark.memory.agents.agent import (
    CUT,
    Agent,
    ChatAgent,
    Completer,
    answer_of,
    is_concurrent,
    thoughts_of,
)
from evalmark.memory.evaluation.llm_judge import TEMPERATURE, digest
from evalmark.memory.judges.judge_prompt import JudgePrompt
from evalmark.memory.running.dialogue import Clock, clock_of_run, reply_event, timed
from evalmark.memory.running.run_folder import ConversationFolder
from evalmark.memory.running.run_log import ASKED, JUDGED, MEASURED, TOLD, Event, SetLog, measured
from evalmark.memory.running.workers import Job, run_jobs
from evalmark.memory.sets.set_agents import QUESTION, Listener, SetAgent, can_go_back
from evalmark.memory.sets.set_costs import SetCosts, costs_of
from evalmark.memory.sets.set_files import LoadedSet
from evalmark.memory.sets.set_kinds import PosedQuestion, SetKind, ToldHistory
from evalmark.memory.sets.set_scores import Answered
from evalmark.memory.sets.state_folder import STATES, StateFolder
from evalmark.schemas.errors import AgentError, AgentRefused, NotJudged, ScoringError

#: The record's texts about how agents are told histories.
TOLD_ONCE = "each history once; before each question the agent goes back to its end"
TOLD_READER = "each history once; the agent says that questions do not change it"
TOLD_AGAIN = "again before questions, since the agent cannot go back to the end of a history"
#: The expected answer, for a judge, of a question that has none.
NOTHING = "The conversation does not say."


@dataclass(frozen=True, slots=True)
class SetJudge:
    """A judge of answers to memory sets, and how it is asked."""

    model: Completer
    prompt: JudgePrompt

    @property
    def about(self) -> dict[str, object]:
        """Model, prompt and settings, for the log and ``run.json``."""
        return {"about": dict(self.model.about), "prompt": self.prompt.data()}


@dataclass(slots=True)
class SetTotals:
    """Totals of a run: seconds, tokens, and US dollars of the agent and of the judge.

    The dollars of the agent are None if nobody saw what telling it took.
    """

    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    agent_cost: float | None = 0.0
    judge_cost: float = 0.0


@dataclass(frozen=True, slots=True)
class FinishedSets:
    """A finished run over memory sets.

    Attributes:
        sets: The sets, with the questions that were asked.
        answered: The outcome of each question, in order.
        judge: Which judge judged them, as the log has it; None if none did.
        began: When the run began: a Unix timestamp.
        asked_as: Title of each kind of set -> how its questions were asked.
        tellings: How often the agent was told the histories.
        thoughts: How thoughts before replies were treated; empty if there were none.
        benchmark: The name of the published benchmark that the run is of; empty if of none.
        costs: Seconds, calls, tokens and dollars of telling, searching and answering.
    """

    sets: Sequence[LoadedSet]
    answered: Sequence[Answered]
    agent: Mapping[str, str]
    judge: Mapping[str, Any] | None
    totals: SetTotals
    began: int
    asked_as: Mapping[str, str]
    tellings: str
    thoughts: str
    home: Path
    folder: Path
    costs: SetCosts
    benchmark: str = ""


def run_sets(
    sets: Sequence[LoadedSet],
    agent: Agent,
    home: Path,
    *,
    judge: SetJudge | None = None,
    retry: bool = False,
    thoughts: str = CUT,
    progress: Callable[[int, int], None] | None = None,
    clock: Clock | None = None,
    workers: int = 1,
    benchmark: str = "",
) -> FinishedSets:
    """Tell an agent the histories of sets and ask their questions. An interrupted run resumes.

    Each question is asked at the end of its history, as if it were the only one.

    Args:
        sets: The sets.
        agent: The agent under test.
        home: The folder of the run.
        judge: The judge of the answers; also of those of a run that began without it.
        retry: Whether to ask again what failed.
        thoughts: How thoughts before an answer are treated: ``cut`` or ``keep``.
        progress: Called after each question and judgement.
        clock: The clock of the run.
        workers: Maximum number of requests at the same time. The files are those of one worker, but
            for ``measured`` fields, if each answer depends on its own history alone. Agents and
            judges that are not ``concurrent`` do one thing at a time.
        benchmark: The name of the published benchmark that the run is of.

    Raises:
        ScoringError: There are no questions.
        OtherRun: The folder holds another run, or judgements by another judge.
        FolderInUse: Another run writes to the folder.
        AgentRefused: The agent or the judge refuses every request. The run can be resumed.
        OSError: A file cannot be read or written.
    """
    if not any(memory_set.histories for memory_set in sets):
        raise ScoringError("no questions to ask")
    clock = clock or clock_of_run()
    folder = ConversationFolder(home, agent.about)
    asked_as = {
        memory_set.kind.title: memory_set.kind.asks if isinstance(agent, ChatAgent) else QUESTION
        for memory_set in sets
    }
    plan = _plan(sets, agent, asked_as, thoughts)
    histories = [history for memory_set in sets for history in memory_set.histories]
    states = StateFolder(
        folder.agent / STATES,
        digest(json.dumps(plan, sort_keys=True)),
        agent.about.get("class", ""),
    )
    with folder.running(SetLog, plan, retry=retry) as log:
        began = datetime.fromisoformat(log.began(clock.now().isoformat()))
        names = {history.id: history for history in histories}
        last_told = names.get(next(reversed(log.tellings), ""))
        set_agent = SetAgent(agent, states, clock.measure, last_told)
        asking = _Asking(sets, log, set_agent, clock, asked_as, judge, progress, thoughts, workers)
        asking.ask_all()
        if judge is not None:
            asking.judge_all(judge)
        log.arrange({history.id: [q.id for q in history.questions] for history in histories})
        return FinishedSets(
            sets,
            list(asking.answered()),
            dict(agent.about),
            log.judge,
            asking.totals(),
            int(began.timestamp()),
            asked_as,
            asking.tellings(),
            asking.thought(),
            home,
            folder.agent,
            costs_of(*asking.measurements()),
            benchmark,
        )


def _plan(
    sets: Sequence[LoadedSet], agent: Agent, asked_as: Mapping[str, str], thoughts: str
) -> dict[str, object]:
    """The plan of a run, which is only resumed with the same one."""
    return {
        "sets": [{"name": memory_set.name, "sha256": memory_set.sha256} for memory_set in sets],
        "agent": dict(agent.about),
        "asked_as": asked_as,
        **({"thoughts": thoughts} if thoughts != CUT else {}),
    }


#: A history and the questions that are left to ask after it.
_Part: TypeAlias = tuple[ToldHistory, Sequence[PosedQuestion]]


@dataclass
class _Asking:
    """The questions of a run, and what the log has about them."""

    sets: Sequence[LoadedSet]
    log: SetLog
    set_agent: SetAgent
    clock: Clock
    asked_as: Mapping[str, str]
    judge: SetJudge | None
    progress: Callable[[int, int], None] | None
    thoughts: str = CUT
    workers: int = 1
    done: int = 0
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._count = sum(1 for _ in self._questions)

    @property
    def _questions(self) -> Iterator[tuple[LoadedSet, ToldHistory, PosedQuestion]]:
        for memory_set in self.sets:
            for history in memory_set.histories:
                for question in history.questions:
                    yield memory_set, history, question

    def ask_all(self) -> None:
        """Ask the questions that the log has no reply to."""
        self._step(sum(q.id in self.log.replies for _, _, q in self._questions))
        jobs: list[Job] = []
        for memory_set in self.sets:
            ask = partial(self._ask_after, memory_set.kind)
            jobs += [partial(ask, parts) for parts in self._parts(memory_set.histories)]
        run_jobs(jobs, self.workers if self.set_agent.is_concurrent else 1)

    def _parts(self, histories: Sequence[ToldHistory]) -> Iterator[Sequence[_Part]]:
        """Histories with the questions that are left; parts of one are told one after the other."""
        for _, group in groupby(histories, lambda history: history.part_of or history.id):
            parts = [
                (history, [q for q in history.questions if q.id not in self.log.replies])
                for history in group
            ]
            if not self.set_agent.continues:
                yield from ([part] for part in parts if part[1])
                continue
            while parts and not parts[-1][1]:
                parts.pop()
            if parts:
                yield parts

    def _ask_after(
        self, kind: SetKind, parts: Sequence[_Part], earlier: Listener | None = None
    ) -> Sequence[Job]:
        """Tell a history; jobs are what can be asked at the same time, and what follows it.

        Args:
            kind: The kind of its set.
            parts: The history, and what follows it, with the questions that are asked.
            earlier: An agent at the end of the part before.
        """
        (history, questions), *later = parts
        listeners: list[Listener] = []

        def hear() -> Event:
            listeners.append(self.set_agent.hear(history, earlier, is_last=not later))
            return {}

        event, _ = timed(self.clock, hear)
        if "error" in event:
            for question in questions:
                self.log.add(ASKED, question=question.id, **event)
                self._step()
            return [partial(self._ask_after, kind, later)] if later else ()
        (listener,) = listeners
        if history.id not in self.log.tellings:
            self.log.add(TOLD, history=history.id, **{MEASURED: dict(listener.cost)})
            listener.tellings = 0
        following = [partial(self._ask_after, kind, later, listener)] if later else []
        # What is told next would change what readers of the same memory answer from.
        has_to_wait = bool(later) and self.set_agent.reads_only
        if self.set_agent.is_concurrent and can_go_back(listener.agent) and not has_to_wait:
            return [*(partial(self._ask, kind, q, listener.fork) for q in questions), *following]
        for question in questions:
            self._ask(kind, question, lambda: listener)
        return following

    def _ask(
        self, kind: SetKind, question: PosedQuestion, listening: Callable[[], Listener]
    ) -> Sequence[Job]:
        listeners: list[Listener] = []

        def ask() -> Event:
            listeners.append(listening())
            heard = listeners[0].ask(question, self.asked_as[kind.title])
            reply, missing = answer_of(heard.completion, self.thoughts, [question.expected or ""])
            event = reply_event(reply, missing)
            if heard.search is not None:
                event["search"] = round(heard.search, 3)
            return event | ({"retrieved": heard.retrieved} if heard.retrieved is not None else {})

        outcome, seconds = timed(self.clock, ask)
        again = {}
        for listener in listeners:
            if listener.tellings and not can_go_back(listener.agent):
                again = {"told": listener.tellings}
            listener.tellings = 0
        self.log.add(ASKED, question=question.id, **_apart(outcome, seconds), **again)
        self._step()
        return ()

    def judge_all(self, judge: SetJudge) -> None:
        """Judge the answers that the log has no judgement of."""
        self.log.name_judge(judge.about)
        jobs: list[Job] = []
        for memory_set, _, question in self._questions:
            reply = self.log.replies[question.id].get("reply")
            if reply is not None and question.id not in self.log.judged:
                jobs.append(partial(self._judge, judge, memory_set.kind, question, reply))
        if len(jobs) < self._count:
            self._step(self._count - len(jobs))
        run_jobs(jobs, self.workers if is_concurrent(judge.model) else 1)

    def _judge(
        self, judge: SetJudge, kind: SetKind, question: PosedQuestion, reply: str
    ) -> Sequence[Job]:
        # With the set's own rules, if it is the set's own.
        prompt = judge.prompt.as_of(kind.prompts, kind.prompt_tokens) or judge.prompt
        data: Event = {"accepted": None}
        began = self.clock.measure()
        try:
            text = prompt.text(
                kind.judged(question.type),
                question.text,
                question.expected or NOTHING,
                reply,
                has_none=question.has_none,
            )
            completion = judge.model.complete(
                [{"role": "user", "content": text}],
                temperature=TEMPERATURE,
                max_tokens=prompt.max_tokens,
            )
            spent = {
                "read": completion.input_tokens,
                "written": completion.output_tokens,
                "cost": completion.cost,
                "request": completion.request,
            }
            data["reply"] = completion.text
            data |= {key: value for key, value in spent.items() if value}
            data["accepted"], data["why"] = prompt.verdict(completion.text)
        except AgentRefused as error:
            raise AgentRefused(f"the judge: {error}") from error
        except (AgentError, NotJudged) as error:
            data["why"] = str(error)
        self.log.add(JUDGED, question=question.id, **_apart(data, self.clock.measure() - began))
        self._step()
        return ()

    def _step(self, count: int = 1) -> None:
        with self._lock:
            self.done += count
            if self.progress:
                self.progress(self.done, self._count * (2 if self.judge else 1))

    def answered(self) -> Iterator[Answered]:
        """The outcome of each question."""
        for memory_set, history, question in self._questions:
            event = self.log.replies[question.id]
            judged = self.log.judged.get(question.id, {})
            retrieved, spent = event.get("retrieved"), measured(event)
            yield Answered(
                memory_set.kind,
                question,
                event.get("reply"),
                event.get("error", ""),
                judged.get("accepted"),
                judged.get("why", ""),
                None if retrieved is None else tuple(retrieved),
                None if retrieved is None else history.session_of,
                (spent.get("read", 0), spent.get("written", 0)),
                spent.get("seconds", 0.0),
            )

    def tellings(self) -> str:
        """A note on how often the agent was told the histories of these questions."""
        names = {history.id for _, history, _ in self._questions}
        again = sum(self.log.replies[q.id].get("told", 0) for _, _, q in self._questions)
        if not again:
            return TOLD_READER if self.set_agent.reads_only else TOLD_ONCE
        count = len(names & self.log.tellings.keys())
        histories = "1 history" if count == 1 else f"{count} histories"
        return f"{histories}, {count + again} times: {TOLD_AGAIN}"

    def thought(self) -> str:
        """A note on the thoughts before replies."""
        events = [self.log.replies[question.id] for _, _, question in self._questions]
        return thoughts_of(self.thoughts, sum("thoughts" in event for event in events))

    def totals(self) -> SetTotals:
        """The totals of the run, as far as these questions are concerned."""
        tellings, replies = self.measurements()
        judged = [measured(self.log.judged.get(q.id, {})) for _, _, q in self._questions]
        return SetTotals(
            round(sum(event.get("seconds", 0.0) for event in [*tellings, *replies]), 3),
            sum(event.get("read", 0) for event in replies),
            sum(event.get("written", 0) for event in replies),
            None
            if any("cost" not in event for event in tellings)
            else sum(event.get("cost") or 0.0 for event in [*tellings, *replies]),
            sum(event.get("cost") or 0.0 for event in judged),
        )

    def measurements(self) -> tuple[list[Event], list[Event]]:
        """The measurements of the histories that were told, and of the replies."""
        replies = [measured(self.log.replies[q.id]) for _, _, q in self._questions]
        names = {history.id for _, history, _ in self._questions}
        told = [measured(event) for name, event in self.log.tellings.items() if name in names]
        return told, replies


#: The measured fields of a reply.
_MEASURED = ("seconds", "search", "read", "written", "cost", "calls", "context", "request")


def _apart(event: Event, seconds: float) -> Event:
    """An event with what was measured in a field of its own."""
    whole = {**event, "seconds": round(max(seconds, 0.0), 3)}
    rest = {key: value for key, value in whole.items() if key not in _MEASURED}
    return {**rest, MEASURED: {key: whole[key] for key in _MEASURED if key in whole}}
