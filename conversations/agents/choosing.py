"""From the name of a model to something that replies: here, or behind an endpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from evalmark.conversations.agents.agents import Completer, Completion, Message
from evalmark.conversations.agents.http import HttpCompleter
from evalmark.schemas.errors import AgentRefused, ModelFailed
from evalmark.scoring.models.load_models import load_chat_model

if TYPE_CHECKING:  # loads torch
    from evalmark.scoring.models.chat_models import ChatModel


#: The model that judges at an endpoint, if no other is given.
DEFAULT_JUDGE = "gpt-3.5-turbo"


class EndpointJudge(HttpCompleter):
    """A judge at an endpoint for which the run names no model: datasets may name theirs."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._others: dict[str, HttpCompleter] = {self.model: self}

    def named(self, model: str) -> HttpCompleter:
        """The judge with the model that a dataset names."""
        if model not in self._others:
            self._others[model] = replace(self, model=model)
        return self._others[model]


def judge_of(
    name: str | None, *, url: str | None, device: str, seed: int, **rest: Any
) -> Completer | None:
    """The judge that a run names by its model or its endpoint; arguments as in ``completer``."""
    if name is not None:
        return completer(name, url=url, device=device, seed=seed, **rest)
    return EndpointJudge(url, DEFAULT_JUDGE, **rest) if url is not None else None


def completer(
    name: str,
    *,
    url: str | None = None,
    key: str | None = None,
    window: int | None = None,
    prices: tuple[float, float] = (0.0, 0.0),
    model_id: str | None = None,
    device: str = "auto",
    seed: int = 0,
    **requests: Any,
) -> Completer:
    """A model that replies to messages.

    With ``url`` it is behind that endpoint, and ``key``, ``window``, ``prices`` and ``requests``
    are those of ``HttpCompleter``. Otherwise ``name`` is a folder or a name on the hub, and
    ``model_id``, ``device`` and ``seed`` are those of ``load_chat_model``.
    """
    if url is not None:
        return HttpCompleter(url, name, key=key, window=window, prices=prices, **requests)
    return LocalCompleter(load_chat_model(name, model_id=model_id, device=device, seed=seed))


@dataclass(eq=False)
class LocalCompleter:
    """A model of ``transformers``; it keeps its cache between turns."""

    model: ChatModel

    @property
    def about(self) -> Mapping[str, str]:
        """The model, its digests, and versions of libraries."""
        info = self.model.info
        return {"kind": "LocalChat", "model": info.id, **info.details}

    @property
    def window(self) -> int | None:
        """The model's position limit."""
        return self.model.max_tokens

    def count(self, text: str) -> int:
        """Number of tokens in a text, by the model's tokenizer."""
        with _refusing():
            return self.model.count(text)

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        """The model's reply."""
        with _refusing():
            said = self.model.respond(messages, temperature=temperature, max_tokens=max_tokens)
        return Completion(said.text, said.read, said.written)


@contextmanager
def _refusing() -> Iterator[None]:
    """A model that cannot be used answers nothing else either."""
    try:
        yield
    except ModelFailed as error:
        raise AgentRefused(str(error)) from error
