"""The actions of a test: send a message, wait, finish."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar

from evalmark.schemas.errors import ScoringError


@dataclass
class TestAction:
    """An action that a test yields."""

    __test__: ClassVar[bool] = False  # pytest takes it for a class of tests by its name


@dataclass
class SendMessageAction(TestAction):
    """Send a message to the agent.

    The runner sets ``reply``, ``sent_ts`` and ``reply_ts`` before it asks the test for its next
    action. A dynamic test reads them.

    Attributes:
        message: The text; empty for the question of a temporal test, which is written when it is
            sent.
        is_question: Whether the reply is evaluated.
        reply: The agent's reply.
        sent_ts: When the message was sent, by the clock of the run.
        reply_ts: When the reply arrived.
        is_filling: Whether the message belongs to no task; only for readers.
        filler_response: A reply that is given: the agent is told message and reply, and not asked.
            An empty text is not told, so a turn of one side can stand alone.
        date: When the message was said, if the test states it: a ``datetime``, or ISO 8601.
    """

    message: str
    reply: str | None = None
    reply_ts: datetime | None = None
    sent_ts: datetime | None = None
    is_question: bool = False
    is_filling: bool = False
    filler_response: str | None = None
    date: datetime | str | None = None


@dataclass
class SendAndRegisterAction(SendMessageAction):
    """Send a message, and call the dataset's callback after every turn from then on."""


@dataclass
class WaitAction(TestAction):
    """Wait until all conditions are met.

    Attributes:
        tokens: Number of tokens of conversation.
        time: Time by the clock of the run.
        percentage_finished: Percentage of the memory span since the test began.
    """

    tokens: int = 0
    time: timedelta = field(default_factory=timedelta)
    percentage_finished: float = 0.0


@dataclass
class TestFinishedAction(TestAction):
    """End the test, even if its script has more messages."""


class WaitCreator:
    """Waits as definitions write them; ``{}`` is not a wait."""

    @staticmethod
    def create_wait(
        tokens: int | None = None,
        time: timedelta | float | None = None,
        percentage_finished: float | None = None,
    ) -> dict[str, Any]:
        """A wait with the given conditions."""
        conditions = {"tokens": tokens, "time": time, "percentage_finished": percentage_finished}
        return {key: value for key, value in conditions.items() if value is not None}

    @staticmethod
    def unserialise(wait: dict[str, Any]) -> dict[str, Any]:
        """A wait as a definition file has it, with its time as a ``timedelta``."""
        return {**wait, "time": timedelta(seconds=wait["time"])} if "time" in wait else dict(wait)

    @staticmethod
    def serialise(wait: dict[str, Any]) -> dict[str, Any]:
        """A wait as JSON; its time is in seconds, including days and fractions."""
        time = wait.get("time")
        if not isinstance(time, timedelta):
            return dict(wait)
        seconds = time.total_seconds()
        return {**wait, "time": int(seconds) if seconds.is_integer() else seconds}

    @staticmethod
    def action(wait: dict[str, Any]) -> WaitAction:
        """The action of a wait.

        Raises:
            ScoringError: A condition is negative, or more than the whole span.
        """
        time = wait.get("time", 0)
        time = time if isinstance(time, timedelta) else timedelta(seconds=time)
        action = WaitAction(wait.get("tokens", 0), time, wait.get("percentage_finished", 0.0))
        check_wait(action)
        return action


def check_wait(action: WaitAction) -> None:
    """Check the conditions of a wait."""
    if action.tokens < 0 or action.time < timedelta() or not 0 <= action.percentage_finished <= 100:
        raise ScoringError(f"invalid wait: {action}")
