"""Agents: those who are tested, and those who judge."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from evalmark.schemas.errors import AgentError, ScoringError

Message = dict[str, str]


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model says to messages.

    Attributes:
        text: The reply.
        input_tokens: Tokens that were read.
        output_tokens: Tokens that were written.
        cost: In US dollars; 0 where nothing is paid.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


class Completer(Protocol):
    """A model that replies to messages, and keeps nothing."""

    @property
    def about(self) -> Mapping[str, str]:
        """Which model it is: ``kind``, ``model`` and settings; never a key."""

    @property
    def window(self) -> int | None:
        """Tokens that it can read and write together; None if there is no limit."""

    def count(self, text: str) -> int:
        """Tokens of a text."""

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        """The reply to messages.

        Raises:
            AgentError: There is none.
        """


class Agent(Protocol):
    """Somebody who is talked to, and remembers or does not."""

    @property
    def about(self) -> Mapping[str, str]:
        """Who it is; see ``Completer.about``."""

    def count(self, text: str) -> int:
        """Tokens of a text."""

    def reply(self, message: str) -> Completion:
        """The reply to a message; both are remembered.

        Raises:
            AgentError: There is none.
        """

    def observe(self, message: str, reply: str) -> None:
        """Remember an exchange that was had without asking."""

    def reset(self) -> None:
        """Forget everything."""


class ChatAgent:
    """A model with the conversation so far in its context.

    When the conversation no longer fits, its oldest turns are left out, a message with its reply
    at a time, until the rest and the longest possible reply fit. Each turn is counted once.

    Args:
        completer: The model.
        system: A message that stays at the beginning.
        temperature: 0 for the likeliest reply.
        max_tokens: Of a reply.
    """

    def __init__(
        self,
        completer: Completer,
        *,
        system: str = "",
        temperature: float = 0.0,
        max_tokens: int = 256,
    ) -> None:
        self.completer = completer
        self.temperature = temperature
        self.max_tokens = max_tokens
        self._system = [{"role": "system", "content": system}] if system else []
        #: Message, reply, and what they take of the context together.
        self._turns: list[tuple[str, str, int]] = []

    @property
    def about(self) -> Mapping[str, str]:
        """Which model it is, and how it is asked."""
        return {
            **self.completer.about,
            "temperature": str(self.temperature),
            "max_tokens": str(self.max_tokens),
            "context": "the whole conversation; the oldest turns are left out when it is full",
        }

    def count(self, text: str) -> int:
        """Tokens of a text, by the model's tokenizer or near it."""
        return self.completer.count(text)

    def reply(self, message: str) -> Completion:
        """Ask the model with all turns that fit.

        Raises:
            AgentError: It does not reply, or the message alone does not fit.
        """
        messages = self._fitting(message)
        completion = self.completer.complete(
            messages, temperature=self.temperature, max_tokens=self.max_tokens
        )
        self.observe(message, completion.text)
        return completion

    def observe(self, message: str, reply: str) -> None:
        """Remember an exchange."""
        size = self._size(message) + self._size(reply)
        self._turns.append((message, reply, size))

    def reset(self) -> None:
        """Forget everything but the system message."""
        self._turns.clear()

    def _fitting(self, message: str) -> list[Message]:
        window = self.completer.window
        room = None if window is None else window - self.max_tokens
        used = sum(self._size(entry["content"]) for entry in self._system) + self._size(message)
        if room is not None and used > room:
            raise AgentError(
                f"a message of {used} tokens and a reply of {self.max_tokens} do not fit {window}"
            )
        kept: list[Message] = []
        for said, answered, size in reversed(self._turns):
            used += size
            if room is not None and used > room:
                break
            kept += [{"role": "assistant", "content": answered}, {"role": "user", "content": said}]
        return [*self._system, *reversed(kept), {"role": "user", "content": message}]

    def _size(self, text: str) -> int:
        return self.count(text) + OVERHEAD


#: Tokens that a chat template puts around a message, at most as far as is known.
OVERHEAD = 8


@dataclass
class ScriptedAgent:
    """An agent whose replies are known: for tests, and for trying a dataset out.

    Attributes:
        replies: Message → reply.
        default: The reply to all other messages.
        choose: Instead of both: message → reply.
    """

    replies: Mapping[str, str]
    default: str = ""
    choose: Callable[[str], str] | None = None
    name: str = "scripted"

    @property
    def about(self) -> Mapping[str, str]:
        """It is no model."""
        return {"kind": "ScriptedAgent", "model": f"evalmark/{self.name}"}

    def count(self, text: str) -> int:
        """Near what tokenizers count."""
        return about_tokens(text)

    def reply(self, message: str) -> Completion:
        """The reply that is written down."""
        text = self.choose(message) if self.choose else self.replies.get(message, self.default)
        return Completion(text, self.count(message), self.count(text))

    def observe(self, message: str, reply: str) -> None:
        """It remembers nothing."""

    def reset(self) -> None:
        """It forgets nothing."""


def scripted_agent(path: Path) -> ScriptedAgent:
    """An agent from a JSON file: ``{"replies": {message: reply}, "default": reply}``.

    Raises:
        ScoringError: The file is not of that shape.
        OSError: It cannot be read.
    """
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        replies, default = data.get("replies", {}), data.get("default", "")
        texts = [*replies, *replies.values(), default]
    except (ValueError, AttributeError, TypeError) as error:
        raise ScoringError(f"{path} is no script of an agent: {error}") from error
    if not all(isinstance(text, str) for text in texts):
        raise ScoringError(f"{path}: messages and replies are texts")
    return ScriptedAgent(replies, default, name=path.stem)


def about_tokens(text: str) -> int:
    """Tokens of a text where there is no tokenizer: one for four bytes, as in English."""
    return -(-len(text.encode("utf-8")) // 4)
