"""The agent that a command line describes, and the endpoints and keys that it names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.memory.agents.agent import Agent, ChatAgent, scripted_agent
from evalmark.memory.agents.answerer import Answerer
from evalmark.memory.agents.completers import completer
from evalmark.memory.agents.endpoint_keys import KEY, host_of, key_of
from evalmark.memory.agents.memory_system import own_agent
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.terminal import say

#: The beginning of values of options that are for the judge.
_JUDGE = "judge:"


class Endpoint(NamedTuple):
    """A model, at an endpoint or on this machine.

    Attributes:
        model: Its name, if it is named.
        url: The endpoint, if it is at one.
        key: The variable of the key, if one is named.
        prices: Dollars per million tokens that are read and written, if they are given.
        body: Further fields of requests.
    """

    model: str | None
    url: str | None
    key: str | None
    prices: tuple[float, float] | None
    body: Mapping[str, object]


def endpoints(
    agent: tuple[str | None, str | None],
    judge: tuple[str | None, str | None],
    keys: Sequence[str],
    prices: Sequence[str],
    fields: Sequence[str],
) -> tuple[Endpoint, Endpoint]:
    """The endpoints of the agent and of the judge; values for the judge begin with ``judge:``.

    Args:
        agent: Model and URL.
        judge: Model and URL.
        keys: Variables of keys.
        prices: Prices as IN,OUT.
        fields: Fields of requests as NAME=JSON.

    Raises:
        UsageError: A value cannot be used, or there are two where one is needed.
    """
    of_agent, of_judge = (
        Endpoint(
            *named,
            _only("--key-env", _of(keys, is_judge=is_judge)),
            _prices(_only("--prices", _of(prices, is_judge=is_judge))),
            dict(map(_field, _of(fields, is_judge=is_judge))),
        )
        for named, is_judge in ((agent, False), (judge, True))
    )
    return of_agent, of_judge


def _of(values: Sequence[str], *, is_judge: bool) -> list[str]:
    return [v.removeprefix(_JUDGE) for v in values if v.startswith(_JUDGE) is is_judge]


def _only(option: str, values: Sequence[str]) -> str | None:
    if len(values) > 1:
        raise UsageError(f"{option} is given twice for one endpoint")
    return values[0] if values else None


def _prices(value: str | None) -> tuple[float, float] | None:
    if value is None:
        return None
    try:
        read, written = map(float, value.split(","))
    except ValueError:
        raise UsageError(f"{value!r} are not prices: write IN,OUT, such as 0.15,0.6") from None
    return read, written


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """Options of the requests to all models."""

    timeout: float
    window: int | None
    device: str

    def arguments(self, endpoint: Endpoint, seed: int) -> dict[str, Any]:
        """Arguments of ``completer``, with the fields of one model."""
        return {**asdict(self), "body": endpoint.body, "seed": seed}


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
    system: str
    temperature: float
    max_tokens: int
    model_id: str | None

    def agent(self, requests: RequestOptions, *, seed: int) -> Agent:
        """The agent. With a class, a model answers for it.

        Raises:
            UsageError: None is named, or several are.
        """
        model, url, key, prices, _ = self.endpoint
        is_script = self.agent_class is not None and self.agent_class.endswith(".json")
        # A model may be given with a class, for which it answers.
        if (model is None and (self.agent_class is None or url)) or (is_script and model):
            raise UsageError("give one of --model, --url with --model, or --agent")
        if is_script:
            return scripted_agent(Path(str(self.agent_class)))
        if model is None:
            return own_agent(str(self.agent_class))
        tested = completer(
            model,
            url=url,
            key=key,
            prices=prices,
            model_id=self.model_id,
            **requests.arguments(self.endpoint, seed),
        )
        settings: dict[str, Any] = {
            "system": self.system,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        if self.agent_class is not None:
            return own_agent(self.agent_class, Answerer(tested, **settings))
        return ChatAgent(tested, **settings)


def say_withheld(*endpoints: tuple[str | None, str | None, str]) -> None:
    """Say which endpoints do not get the key in ``KEY``.

    Args:
        endpoints: URL, the variable that is named for it, and what names one in a call.
    """
    for url, variable, option in endpoints:
        if url is not None and key_of(url, variable).is_withheld:
            say(f"note: {KEY} is not sent to {host_of(url)}: {option}{KEY} allows it")
