"""What a test asks of the runner: to send a message, or to wait."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar

from evalmark.schemas.errors import ScoringError


@dataclass
class TestAction:
    """What a test yields."""

    __test__: ClassVar[bool] = False  # pytest takes it for a class of tests by its name


@dataclass
class SendMessageAction(TestAction):
    """Send a message to the agent.

    The runner writes ``reply``, ``sent_ts`` and ``reply_ts`` into it before it asks the test for
    the next action: a dynamic test reads them there.

    Attributes:
        message: What is sent; empty for the question of a temporal test, which is made when it is
            sent.
        is_question: Whether the reply is evaluated.
        reply: What the agent said.
        sent_ts: When it was sent, by the clock of the run.
        reply_ts: When the reply was there.
    """

    message: str
    reply: str | None = None
    reply_ts: datetime | None = None
    sent_ts: datetime | None = None
    is_question: bool = False
    is_filling: bool = False
    filler_response: str | None = None


@dataclass
class SendAndRegisterAction(SendMessageAction):
    """Send a message, and from then on ask the dataset's callback after every turn."""


@dataclass
class WaitAction(TestAction):
    """Wait until all of this is over.

    Attributes:
        tokens: Tokens of conversation.
        time: Time by the clock of the run.
        percentage_finished: Share of the memory span, in percent, since the test began.
    """

    tokens: int = 0
    time: timedelta = field(default_factory=timedelta)
    percentage_finished: float = 0.0


@dataclass
class TestFinishedAction(TestAction):
    """The test is over, whatever its script still holds."""


class WaitCreator:
    """Waits as definitions write them: ``{}`` waits not at all."""

    @staticmethod
    def create_wait(
        tokens: int | None = None,
        time: timedelta | float | None = None,
        percentage_finished: float | None = None,
    ) -> dict[str, Any]:
        """A wait, without what is not said."""
        found = {"tokens": tokens, "time": time, "percentage_finished": percentage_finished}
        return {key: value for key, value in found.items() if value is not None}

    @staticmethod
    def serialise(wait: dict[str, Any]) -> dict[str, Any]:
        """A wait as JSON holds it: time in seconds, days and fractions included."""
        time = wait.get("time")
        if not isinstance(time, timedelta):
            return dict(wait)
        seconds = time.total_seconds()
        return {**wait, "time": int(seconds) if seconds.is_integer() else seconds}

    @staticmethod
    def action(wait: dict[str, Any]) -> WaitAction:
        """The action of a wait.

        Raises:
            ScoringError: It asks for less than nothing, or for more than the whole span.
        """
        time = wait.get("time", 0)
        time = time if isinstance(time, timedelta) else timedelta(seconds=time)
        action = WaitAction(wait.get("tokens", 0), time, wait.get("percentage_finished", 0.0))
        check_wait(action)
        return action


def check_wait(action: WaitAction) -> None:
    """Refuse a wait that makes no sense.

    Raises:
        ScoringError: It asks for less than nothing, or for more than the whole span.
    """
    if action.tokens < 0 or action.time < timedelta() or not 0 <= action.percentage_finished <= 100:
        raise ScoringError(f"no wait that can be waited: {action}")
