"""A test while it runs: what it waits for, and what was said in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from evalmark.conversations.interface.actions import TestAction
from evalmark.conversations.interface.dataset_interface import DynamicExample, TestExample
from evalmark.conversations.running.dialogue import Dialogue, Exchange
from evalmark.conversations.running.evaluation import needles
from evalmark.conversations.running.outcome import Outcome


@dataclass(eq=False, slots=True)
class RunningTest:
    """A running test."""

    example: TestExample
    actions: Iterator[TestAction]  # what it still has to do
    number: int  # tests are numbered in the order in which they began
    began: int  # exchanges in the run before it began
    start_tokens: int  # tokens in the run before it began
    token_target: int = 0  # tokens in the run at which its wait ends
    time_target: datetime | None = None  # time at which its wait ends
    waiting: bool = False  # whether it waits
    registered: bool = False  # whether its callback is listening
    nudges: int = 0  # number of turns that were added for its callback
    #: Its exchanges: index in the run, exchange, and whether it was a question.
    said: list[tuple[int, Exchange, bool]] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Dataset and id."""
        return self.example.unique_id

    @property
    def expected(self) -> tuple[str, ...]:
        """What its replies may have to contain."""
        return (json.dumps(self.example.expected_responses, ensure_ascii=False, default=str),)

    def begin(self) -> None:
        """Ask the test for its actions."""
        self.example.start_token = self.start_tokens
        self.actions = iter(self.example.step, None)

    def asked(self) -> tuple[list[str], list[str]]:
        """Its questions and the replies to them."""
        pairs = [(exchange.message, exchange.reply) for _, exchange, asks in self.said if asks]
        return [message for message, _ in pairs], [reply for _, reply in pairs]

    def outcome(
        self, dialogue: Dialogue, state: str, score: float | None, reasons: list[str]
    ) -> Outcome:
        """The outcome of the test, with what was said and how much."""
        questions, responses = self.asked()
        whole = dialogue.exchanges[self.began :]
        own = [exchange for exchange in whole if self.registered or exchange.test == self.id]
        tokens, characters = self._size(dialogue)
        expected: list[Any] = list(self.example.expected_responses or [])
        if isinstance(self.example, DynamicExample):
            expected += ["(decided as the test goes)"] * (len(questions) - len(expected))
        return Outcome(
            example=self.example,
            state=state,
            score=score,
            reasons=[str(reason) for reason in reasons],
            questions=questions,
            responses=responses,
            expected=expected,
            task_log=[line for exchange in own for line in exchange.lines],
            full_log=[line for exchange in whole for line in exchange.lines],
            tokens=tokens,
            characters=characters,
            needles=needles(self.example, len(self.said)),
        )

    def _size(self, dialogue: Dialogue) -> tuple[int, int]:
        """Tokens and characters from its first message to its last question."""
        asked = [at for at, _, asks in self.said if asks]
        if not asked:
            return 0, 0
        before = dialogue.sizes[self.began - 1] if self.began else (0, 0)
        last, reply = dialogue.sizes[asked[-1]], dialogue.exchanges[asked[-1]].reply
        return last[0] - before[0] - dialogue.agent.count(reply), last[1] - before[1] - len(reply)
