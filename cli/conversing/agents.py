"""The agent that a command line describes, and the endpoints and keys that it names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.conversations.agents.agent import Agent, ChatAgent, scripted_agent
from evalmark.conversations.agents.answerer import Answerer
from evalmark.conversations.agents.completers import completer
from evalmark.conversations.agents.endpoint_keys import KEY, host_of, key_of
from evalmark.conversations.agents.memory_system import own_agent
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.terminal import say


class Endpoint(NamedTuple):
    """A model, at an endpoint or on this machine.

    Attributes:
        model: Its name, if it is named.
        url: The endpoint, if it is at one.
        key: The variable of the key, if one is named.
        prices: Dollars per million tokens that are read and written, if they are given.
        fields: Further fields of requests, as NAME=JSON.
    """

    model: str | None
    url: str | None
    key: str | None
    prices: tuple[float, float] | None
    fields: Sequence[str]


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """Options of the requests to all models."""

    max_tokens_field: str
    timeout: float
    window: int | None
    device: str

    def arguments(self, fields: Sequence[str], seed: int) -> dict[str, Any]:
        """Arguments of ``completer``, with the fields of one model.

        Raises:
            UsageError: A field is not NAME=JSON.
        """
        return {
            "max_tokens_field": None if self.max_tokens_field == "none" else self.max_tokens_field,
            "body": dict(map(_field, fields)),
            "timeout": self.timeout,
            "window": self.window,
            "device": self.device,
            "seed": seed,
        }


def _field(entry: str) -> tuple[str, object]:
    name, sign, value = entry.partition("=")
    if not (name and sign):
        raise UsageError(f"{entry!r} is not NAME=JSON")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        text = json.dumps(f"{name}={json.dumps(value)}")
        raise UsageError(
            f"the value of {entry!r} is not JSON; a text needs quotes: {text}"
        ) from None


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """The agent under test: a model, a class or a script."""

    endpoint: Endpoint
    agent_class: str | None
    script: Path | None
    system: str
    temperature: float
    max_tokens: int
    model_id: str | None

    def agent(self, requests: RequestOptions, *, seed: int, joins: bool) -> Agent:
        """The agent; ``joins`` is that of ``ChatAgent``. With a class, a model answers for it.

        Raises:
            UsageError: None is named, or several are.
        """
        model, url, key, prices, fields = self.endpoint
        arguments = requests.arguments(fields, seed)
        # A model may be given with a class, for which it answers.
        named = [self.agent_class, self.script, model if self.agent_class is None else None]
        if sum(name is not None for name in named) != 1 or (url and not model):
            raise UsageError("give one of --model, --url with --model, --agent, or --script")
        if self.script is not None:
            return scripted_agent(self.script)
        if model is None:
            return own_agent(str(self.agent_class))
        tested = completer(
            model,
            url=url,
            key=key,
            prices=prices or (0.0, 0.0),
            model_id=self.model_id,
            **arguments,
        )
        settings: dict[str, Any] = {
            "system": self.system,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        if self.agent_class is not None:
            return own_agent(self.agent_class, Answerer(tested, **settings))
        return ChatAgent(tested, joins=joins, **settings)


def say_withheld(*endpoints: tuple[str | None, str | None, str]) -> None:
    """Say which endpoints do not get the key in ``KEY``.

    Args:
        endpoints: URL, the variable that is named for it, and the option that names it.
    """
    for url, variable, option in endpoints:
        if url is not None and key_of(url, variable).is_withheld:
            say(f"note: {KEY} is not sent to {host_of(url)}: {option} {KEY} allows it")
