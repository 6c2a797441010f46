"""From the name of a judge to something that judges: a script, a class of users, or a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.conversations.agents.agents import (
    Completer,
    Completion,
    Message,
    ScriptedAgent,
    scripted_agent,
)
from evalmark.conversations.agents.choosing import judge_of
from evalmark.conversations.evaluation.texts import about_tokens
from evalmark.conversations.interface.user_code import named_class
from evalmark.schemas.errors import AgentError, ScoringError


@dataclass(frozen=True, slots=True)
class ScriptedJudge:
    """A judge with given replies to prompts."""

    script: ScriptedAgent

    @property
    def about(self) -> Mapping[str, str]:
        """A script, not a model."""
        return {"kind": "ScriptedJudge", "model": f"evalmark/{self.script.name}"}

    @property
    def window(self) -> None:
        """There is no limit."""

    def count(self, text: str) -> int:
        """An estimate of what tokenizers count."""
        return about_tokens(text)

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        """The reply of the script."""
        del temperature, max_tokens
        return self.script.reply(messages[-1]["content"])


def named_judge(name: str | None, *, url: str | None, **rest: Any) -> Completer | None:
    """A judge by its name: a script (``.json``), a class, or a model as in ``judge_of``.

    A class is ``file.py:Class``, or ``module:Class`` if there is no endpoint: names of models have
    colons too, and no module that happens to have such a name is run.

    Raises:
        ScoringError: The class cannot be used, or the model cannot be loaded.
        BrokenFile: The script cannot be used.
    """
    if name is not None and name.endswith(".json"):
        return ScriptedJudge(scripted_agent(Path(name)))
    if name is not None and (_is_file(name) or (url is None and _is_target(name))):
        return _own_judge(name)
    return judge_of(name, url=url, **rest)


def needs_endpoint(name: str) -> bool:
    """Whether a judge of this name can be asked at an endpoint."""
    return not (name.endswith(".json") or Path(name).exists() or _is_file(name))


def _is_target(name: str) -> bool:
    return ":" in name and not Path(name).exists()


def _is_file(name: str) -> bool:
    """Whether it is a class in a file."""
    return name.rpartition(":")[0].endswith(".py")


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
class _OwnJudge:
    judge: Any
    about: Mapping[str, str]
    window: None = None

    def count(self, text: str) -> int:
        return about_tokens(text)

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        try:
            said = self.judge.complete(messages, temperature=temperature, max_tokens=max_tokens)
        except AgentError:
            raise
        except Exception as error:  # code of users
            raise ScoringError(f"{self.about['model']} failed: {error!r}") from error
        if isinstance(said, str):
            return Completion(said)
        if not isinstance(said, Completion):
            raise ScoringError(
                f"{self.about['model']} returned {said!r}, not a text or a Completion"
            )
        return said
