"""The agent that a command line describes, and the endpoints and keys that it names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.memory.agents.agent import Agent, Answerer, ChatAgent, scripted_agent
from evalmark.memory.agents.completers import completer
from evalmark.memory.agents.endpoint_keys import KEY, host_of, key_of
from evalmark.memory.agents.memory_system import own_agent
from evalmark.memory.commands.memory_options import MemoryOptions
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.terminal import print_note

#: The beginning of values of options that are for the judge.
_JUDGE = "judge:"


class Endpoint(NamedTuple):
    """A model, at an endpoint or on this machine."""

    model: str | None  # its name, if it is named
    url: str | None  # the endpoint, if it is at one
    key: str | None  # the variable of the key, if one is named
    #: Dollars per million tokens that are read and written, if they are given.
    prices: tuple[float, float] | None
    body: Mapping[str, object]  # further fields of requests


def endpoints(options: MemoryOptions) -> tuple[Endpoint, Endpoint]:
    """The endpoints of the agent and of the judge; values for the judge begin with ``judge:``.

    Raises UsageError if a value cannot be used, or there are two where one is needed.
    """
    of_agent, of_judge = (
        Endpoint(
            model,
            url,
            _only("--key-env", _values_of_endpoint(options.keys, is_judge=is_judge)),
            _prices(_only("--prices", _values_of_endpoint(options.prices, is_judge=is_judge))),
            dict(map(_field, _values_of_endpoint(options.body, is_judge=is_judge))),
        )
        for model, url, is_judge in (
            (options.model, options.url, False),
            (options.judge, options.judge_url, True),
        )
    )
    return of_agent, of_judge


def _values_of_endpoint(values: Sequence[str], *, is_judge: bool) -> list[str]:
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


def request_arguments(options: MemoryOptions, endpoint: Endpoint, seed: int) -> dict[str, Any]:
    """Arguments of ``completer``, with the fields of one model."""
    return {
        "timeout": options.timeout,
        "window": options.window,
        "device": options.device,
        "body": endpoint.body,
        "seed": seed,
    }


def agent_of(options: MemoryOptions, endpoint: Endpoint, *, seed: int) -> Agent:
    """The agent under test. With a class, a model answers for it.

    Raises UsageError if none is named, or several are.
    """
    model, url, own = endpoint.model, endpoint.url, options.agent_class
    is_script = own is not None and own.endswith(".json")
    # A model may be given with a class, for which it answers.
    if (model is None and (own is None or url)) or (is_script and model):
        raise UsageError("give one of --model, --url with --model, or --agent")
    if is_script:
        return scripted_agent(Path(str(own)))
    if model is None:
        return own_agent(str(own))
    tested = completer(
        model,
        url=url,
        key=endpoint.key,
        prices=endpoint.prices,
        model_id=options.model_id,
        **request_arguments(options, endpoint, seed),
    )
    settings: dict[str, Any] = {
        "system": options.system,
        "temperature": options.temperature,
        "max_tokens": options.max_tokens,
    }
    return (
        ChatAgent(tested, **settings)
        if own is None
        else own_agent(own, Answerer(tested, **settings))
    )


def say_withheld(*endpoints: tuple[str | None, str | None, str]) -> None:
    """Say which endpoints do not get the key in ``KEY``.

    An endpoint is its URL, the variable that is named for it, and what names one in a call.
    """
    for url, variable, option in endpoints:
        if url is not None and key_of(url, variable).is_withheld:
            print_note(f"note: {KEY} is not sent to {host_of(url)}: {option}{KEY} allows it")
