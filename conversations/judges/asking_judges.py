"""Asking judges about answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from evalmark.conversations.agents.agents import Completion, Message, ScriptedAgent, scripted_agent
from evalmark.conversations.agents.choosing import judge_of
from evalmark.conversations.evaluation.judging import (
    MAX_TOKENS,
    TEMPERATURE,
    checked,
    checklist,
)
from evalmark.conversations.judges.planting import GivenAnswer
from evalmark.schemas.errors import AgentError, NotJudged, ScoringError

#: After so many answers without a single reply, a judge is not asked again.
ATTEMPTS = 3


class AnyJudge(Protocol):
    """What can judge: a ``Completer``, or less."""

    @property
    def about(self) -> Mapping[str, str]:
        """What identifies it: ``kind``, ``model`` and settings; never a key."""

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        """The reply to a prompt."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a judge says about an answer."""

    accepted: bool | None  # None: it gave no verdict
    why: str  # its reason, or why there is no verdict


@dataclass(frozen=True, slots=True)
class ScriptedJudge:
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


def named_judge(name: str | None, *, url: str | None, **rest: Any) -> AnyJudge | None:
    """A judge by its name: a script (``.json``), ``module:Class``, or a model as in ``judge_of``.

    Raises:
        ScoringError: The class cannot be used, or the model cannot be loaded.
        BrokenFile: The script cannot be used.
    """
    if name is not None and name.endswith(".json"):
        return ScriptedJudge(scripted_agent(Path(name)))
    if name is not None and (_is_own(name) or (url is None and _is_target(name))):
        return _own_judge(name)
    return judge_of(name, url=url, **rest)


def needs_endpoint(name: str) -> bool:
    """Whether a judge of this name can be asked at an endpoint."""
    return not (name.endswith(".json") or Path(name).exists() or _is_own(name))


def _is_target(name: str) -> bool:
    return ":" in name and not Path(name).exists()


def _is_own(name: str) -> bool:
    """Whether it is a class in a module that exists: names of models can have colons too."""
    module, _, attribute = name.partition(":")
    if not (attribute.isidentifier() and all(part.isidentifier() for part in module.split("."))):
        return False
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _own_judge(target: str) -> AnyJudge:
    module, _, name = target.partition(":")
    try:
        judge = getattr(import_module(module), name)()
    except Exception as error:  # code of users
        raise ScoringError(f"{target}: {type(error).__name__}: {error}") from error
    if not callable(getattr(judge, "complete", None)):
        raise ScoringError(
            f"{target} has no method `complete(messages, *, temperature, max_tokens)`"
        )
    about = getattr(judge, "about", None)
    return _OwnJudge(judge, dict(about) if about else {"kind": name, "model": target})


@dataclass(frozen=True, slots=True)
class _OwnJudge:
    judge: Any
    about: Mapping[str, str]

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


def rulings(
    judge: AnyJudge, answers: Sequence[GivenAnswer], progress: Callable[[], object]
) -> list[Ruling]:
    """The rulings of a judge on answers, in order. Equal answers are judged once.

    Raises:
        ScoringError: The judge does not reply.
    """
    found: dict[str, Ruling] = {}
    replied, failed = False, 0
    in_order = []
    for answer in answers:
        prompt = checklist(answer.question, answer.reply, answer.expected)
        if prompt not in found:
            try:
                found[prompt] = _ruling(judge, prompt)
                replied = True
            except AgentError as error:
                failed += 1
                if not replied and failed == ATTEMPTS:
                    raise ScoringError(f"the judge does not reply: {error}") from error
                found[prompt] = Ruling(None, f"no reply: {error}")
        in_order.append(found[prompt])
        progress()
    return in_order


def _ruling(judge: AnyJudge, prompt: str) -> Ruling:
    messages = [{"role": "user", "content": prompt}]
    said = judge.complete(messages, temperature=TEMPERATURE, max_tokens=MAX_TOKENS)
    try:
        return Ruling(*checked(said.text))
    except NotJudged as error:
        return Ruling(None, str(error))
