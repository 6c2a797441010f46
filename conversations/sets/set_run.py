"""The way of a run over memory sets: histories are told, questions asked, answers judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from evalmark.conversations.agents.agent import (
    CUT,
    Agent,
    ChatAgent,
    Completer,
    answer_of,
    thoughts_of,
)
from evalmark.conversations.evaluation.llm_judge import TEMPERATURE, digest
from evalmark.conversations.judges.judge_prompt import JudgePrompt
from evalmark.conversations.running.dialogue import Clock, clock_of_run, reply_event, timed
from evalmark.conversations.running.run_folder import ConversationFolder
from evalmark.conversations.running.run_log import ASKED, JUDGED, TOLD, SetLog
from evalmark.conversations.sets.set_agents import QUESTION, SetAgent
from evalmark.conversations.sets.set_files import LoadedSet
from evalmark.conversations.sets.set_kinds import PosedQuestion, SetKind, ToldHistory
from evalmark.conversations.sets.set_scores import Answered
from evalmark.schemas.errors import AgentError, AgentRefused, NotJudged, ScoringError

#: What a record says about how agents are told.
TOLD_ONCE = "each history once; before each question the agent goes back to its end"
TOLD_AGAIN = "again before questions, since the agent cannot go back to the end of a history"
#: What a judge is told to expect of a question without an answer.
NOTHING = "The conversation does not say."


@dataclass(frozen=True, slots=True)
class SetJudge:
    """A judge of answers to memory sets, and how it is asked."""

    model: Completer
    prompt: JudgePrompt

    def prompt_of(self, kind: SetKind) -> JudgePrompt:
        """The prompt for a set, with the set's own rules if it is the set's own."""
        return self.prompt.as_of(kind.prompts, kind.prompt_tokens) or self.prompt

    @property
    def about(self) -> dict[str, object]:
        """Model, prompt and settings, for the log and ``run.json``."""
        return {"about": dict(self.model.about), "prompt": self.prompt.data()}


@dataclass(slots=True)
class SetTotals:
    """Totals of a run: seconds, tokens, and US dollars of the agent and of the judge."""

    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    agent_cost: float = 0.0
    judge_cost: float = 0.0


@dataclass(frozen=True, slots=True)
class FinishedSets:
    """A finished run over memory sets.

    Attributes:
        sets: The sets, with the questions that were asked.
        answered: What became of each question, in order.
        judge: Which judge judged them, as the log has it; None if none did.
        began: When the run began: a Unix timestamp.
        asked_as: Title of each kind of set -> how its questions were asked.
        tellings: How often the agent was told the histories.
        thoughts: What became of the thoughts before replies; empty if there were none.
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
) -> FinishedSets:
    """Tell an agent the histories of sets and ask their questions. An interrupted run resumes.

    Each question is asked at the end of its history, as if it were the only one.

    Args:
        sets: The sets.
        agent: The agent under test.
        home: The folder of the run.
        judge: What judges the answers; also those of a run that began without it.
        retry: Whether to ask again what failed.
        thoughts: What becomes of thoughts before an answer: ``cut`` or ``keep``.
        progress: Called after each question and judgement.
        clock: The clock of the run.

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
    plan = {
        "sets": [{"name": memory_set.name, "sha256": memory_set.sha256} for memory_set in sets],
        "agent": dict(agent.about),
        "asked_as": asked_as,
        **({"thoughts": thoughts} if thoughts != CUT else {}),
    }
    with folder.running(SetLog, plan, retry=retry) as log:
        began = datetime.fromisoformat(log.began(clock.now().isoformat()))
        set_agent = SetAgent(agent, folder.log, digest(json.dumps(plan, sort_keys=True)))
        asking = _Asking(sets, log, set_agent, clock, asked_as, judge, progress, thoughts)
        asking.ask_all()
        if judge is not None:
            asking.judge_all(judge)
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
        )


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
    done: int = 0

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
        for memory_set in self.sets:
            for history in memory_set.histories:
                left = [q for q in history.questions if q.id not in self.log.replies]
                if left:
                    self._ask_after(memory_set.kind, history, left)

    def _ask_after(
        self, kind: SetKind, history: ToldHistory, questions: Sequence[PosedQuestion]
    ) -> None:
        def hear() -> dict[str, object]:
            self.set_agent.hear(history)
            return {}

        event, seconds = timed(self.clock, hear)
        if "error" not in event and history.id not in self.log.tellings:
            self.log.add(TOLD, history=history.id, seconds=round(seconds, 3))
            self.set_agent.tellings = 0
        for question in questions:
            if "error" in event:
                self.log.add(ASKED, question=question.id, **event)
            else:
                self._ask(kind, question)
            self._step()

    def _ask(self, kind: SetKind, question: PosedQuestion) -> None:
        def ask() -> dict[str, object]:
            heard = self.set_agent.ask(question, self.asked_as[kind.title])
            reply, missing = answer_of(heard.completion, self.thoughts, [question.expected or ""])
            event = reply_event(reply, missing)
            return event | ({"retrieved": heard.retrieved} if heard.retrieved is not None else {})

        outcome, seconds = timed(self.clock, ask)
        again = {"told": self.set_agent.tellings} if self.set_agent.tellings else {}
        self.set_agent.tellings = 0
        self.log.add(ASKED, question=question.id, **outcome, **again, seconds=round(seconds, 3))

    def judge_all(self, judge: SetJudge) -> None:
        """Judge the answers that the log has no judgement of."""
        self.log.name_judge(judge.about)
        for memory_set, _, question in self._questions:
            reply = self.log.replies[question.id].get("reply")
            if reply is not None and question.id not in self.log.judged:
                self._judge(judge, memory_set.kind, question, reply)
            self._step()

    def _judge(self, judge: SetJudge, kind: SetKind, question: PosedQuestion, reply: str) -> None:
        prompt = judge.prompt_of(kind)
        data: dict[str, object] = {"accepted": None}
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
            data |= {
                "reply": completion.text,
                **({"cost": completion.cost} if completion.cost else {}),
            }
            data["accepted"], data["why"] = prompt.verdict(completion.text)
        except AgentRefused as error:
            raise AgentRefused(f"the judge: {error}") from error
        except (AgentError, NotJudged) as error:
            data["why"] = str(error)
        self.log.add(JUDGED, question=question.id, **data)

    def _step(self, count: int = 1) -> None:
        self.done += count
        if self.progress:
            self.progress(self.done, self._count * (2 if self.judge else 1))

    def answered(self) -> Iterator[Answered]:
        """The outcome of each question."""
        for memory_set, history, question in self._questions:
            event = self.log.replies[question.id]
            judged = self.log.judged.get(question.id, {})
            retrieved = event.get("retrieved")
            yield Answered(
                memory_set.kind,
                question,
                event.get("reply"),
                event.get("error", ""),
                judged.get("accepted"),
                judged.get("why", ""),
                None if retrieved is None else tuple(retrieved),
                None if retrieved is None else history.session_of,
                (event.get("read", 0), event.get("written", 0)),
                event.get("seconds", 0.0),
            )

    def tellings(self) -> str:
        """A note on how often the agent was told the histories of these questions."""
        names = {history.id for _, history, _ in self._questions}
        again = sum(self.log.replies[q.id].get("told", 0) for _, _, q in self._questions)
        if not again:
            return TOLD_ONCE
        count = len(names & self.log.tellings.keys())
        histories = "1 history" if count == 1 else f"{count} histories"
        return f"{histories}, {count + again} times: {TOLD_AGAIN}"

    def thought(self) -> str:
        """A note on the thoughts before replies."""
        events = [self.log.replies[question.id] for _, _, question in self._questions]
        return thoughts_of(self.thoughts, sum("thoughts" in event for event in events))

    def totals(self) -> SetTotals:
        """The totals of the run, as far as these questions are concerned."""
        replies = [self.log.replies[question.id] for _, _, question in self._questions]
        judged = [self.log.judged.get(question.id, {}) for _, _, question in self._questions]
        names = {history.id for _, history, _ in self._questions}
        tellings = [event for name, event in self.log.tellings.items() if name in names]
        return SetTotals(
            round(sum(event.get("seconds", 0.0) for event in [*tellings, *replies]), 3),
            sum(event.get("read", 0) for event in replies),
            sum(event.get("written", 0) for event in replies),
            sum(event.get("cost", 0.0) for event in replies),
            sum(event.get("cost", 0.0) for event in judged),
        )
