"""Load what replies, given the name of a model or a judge.

It is a model here or behind an endpoint; a judge may also be a script or a class of users.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from evalmark.memory.agents.agent import (
    Completer,
    Completion,
    Message,
    ScriptedAgent,
    scripted_agent,
)
from evalmark.memory.agents.endpoints import HttpCompleter
from evalmark.memory.evaluation.texts import about_tokens
from evalmark.memory.interface.user_code import awaited, named_class
from evalmark.schemas.errors import AgentError, AgentRefused, ModelFailed, ScoringError
from evalmark.scoring.models.load_models import load_chat_model

if TYPE_CHECKING:  # loads torch
    from evalmark.scoring.models.chat_models import ChatModel


#: The model that ``ask_llm`` asks at an endpoint, if no other is given.
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


def completer(
    name: str,
    *,
    url: str | None = None,
    key: str | None = None,
    window: int | None = None,
    prices: tuple[float, float] | None = None,
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
            reply = self.model.respond(messages, temperature=temperature, max_tokens=max_tokens)
        return Completion(reply.text, reply.read, reply.written, 0.0)


@contextmanager
def _refusing() -> Iterator[None]:
    """A model that cannot be used answers nothing else either."""
    try:
        yield
    except ModelFailed as error:
        raise AgentRefused(str(error)) from error


class _Unlimited:
    window: ClassVar[None] = None

    def count(self, text: str) -> int:
        return about_tokens(text)


@dataclass(frozen=True, slots=True)
class ScriptedJudge(_Unlimited):
    """A judge with given replies to prompts."""

    script: ScriptedAgent

    @property
    def about(self) -> Mapping[str, str]:
        """A script, not a model."""
        return {"kind": "ScriptedJudge", "model": f"evalmark/{self.script.name}"}

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        """The reply of the script."""
        del temperature, max_tokens
        return self.script.reply(messages[-1]["content"])


def named_judge(
    name: str | None, *, url: str | None, device: str, seed: int, **rest: Any
) -> Completer | None:
    """A judge by its name: a script (``.json``), a class, or a model as in ``completer``.

    Without a name it is a model at the endpoint, where datasets may name theirs; None without both.
    A class is ``file.py:Class``, or ``module:Class`` if there is no endpoint: names of models have
    colons too, and no module that happens to have such a name is run.

    Raises:
        ScoringError: The class cannot be used, or the model cannot be loaded.
        BrokenFile: The script cannot be used.
    """
    if name is None:
        return EndpointJudge(url, DEFAULT_JUDGE, **rest) if url is not None else None
    if name.endswith(".json"):
        return ScriptedJudge(scripted_agent(Path(name)))
    names_file = name.rpartition(":")[0].endswith(".py")
    if names_file or (url is None and ":" in name and not Path(name).exists()):
        return _own_judge(name)
    return completer(name, url=url, device=device, seed=seed, **rest)


def _own_judge(target: str) -> Completer:
    try:
        judge = named_class(target)()
    except ScoringError:
        raise
    except Exception as error:  # code of users
        raise ScoringError(f"{target}: {type(error).__name__}: {error}") from error
    if not callable(getattr(judge, "complete", None)):
        raise ScoringError(
            f"{target} has no method `complete(messages, *, temperature, max_tokens)`"
        )
    about = getattr(judge, "about", None)
    return _OwnJudge(
        judge, dict(about) if about else {"kind": target.rpartition(":")[2], "model": target}
    )


@dataclass(frozen=True, slots=True)
class _OwnJudge(_Unlimited):
    judge: Any
    about: Mapping[str, str]

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        try:
            reply = awaited(
                self.judge.complete(messages, temperature=temperature, max_tokens=max_tokens)
            )
        except AgentError:
            raise
        except Exception as error:  # code of users
            raise ScoringError(f"{self.about['model']} failed: {error!r}") from error
        if isinstance(reply, str):
            return Completion(reply)
        if not isinstance(reply, Completion):
            raise ScoringError(
                f"{self.about['model']} returned {reply!r}, not a text or a Completion"
            )
        return reply
