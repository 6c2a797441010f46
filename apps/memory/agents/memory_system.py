"""Memory systems: a user's class with ``reply``, and its optional methods."""

from __future__ import annotations

import base64
import binascii
import inspect
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from evalmark.memory.agents.agent import Answerer, Completion, Message, dated
from evalmark.memory.evaluation.texts import about_tokens, added
from evalmark.memory.interface.user_code import (
    awaited,
    named_class,
    said_of,
    short,
)
from evalmark.schemas.errors import AgentError, ScoringError
from evalmark.validator.io.paths import is_plain_name

#: The record's texts about an interrupted run.
EXACT = "from its saved state"
TOLD = "its turns are told again"


class MemorySystem(Protocol):
    """A memory system of your own: a class that ``evalmark memory`` runs.

    The class is made without arguments. Only ``reply`` is needed, or ``ask``, or ``search`` with
    ``answer``; each method may be ``async``. Other members are used where they exist:

    - ``ask(text)`` replies to a message without remembering anything; ``ingest`` is then told both.
      ``search(text)`` and ``answer(text, memories)`` are its two halves; without ``answer``, the
      model that is named answers.
    - ``ingest(turns)`` remembers turns without a reply, such as the talk between tests. A turn is a
      dictionary with ``role`` ("user" or "assistant"), ``content``, and ``date`` (ISO 8601) if the
      test states one. A ``Completion`` that it returns says what that cost. Without ``ingest``, the
      turns of the user go to ``reply``, and what it returns is dropped.
    - A parameter ``date`` of ``reply``, ``ask``, ``search`` or ``answer`` gets the date (ISO 8601)
      that the test states, or None. Without it, the date is put before the text, in brackets.
    - ``reset()`` forgets everything, before each test. Without it, a new object of the class is
      made.
    - ``save()`` returns the whole state as bytes or as what JSON can hold, and ``load(state)``
      restores it. The state is written to ``agent.state`` after each exchange, before the exchange
      is logged; one of more than 256 KB for each exchange so far at the end of each test, and
      occasionally within it. A run that was killed then resumes and writes the same bytes. Without
      both, the turns since the last ``reset`` are told again, and replies may differ; the run says
      so. A system that stores its memories elsewhere can return their name, such as a user's id.
    - ``changed``, True or False, says whether the state has changed since ``save``: only then is it
      saved after an exchange. Without it, it is, if it is small.
    - ``count(text)`` is the number of tokens in a text. Without it, four bytes are one.
    - ``name`` ("recall", or "acme/recall") names it in the record. Without it, the class does.
    - ``about``, a dictionary, holds settings for the record.
    """

    def reply(self, text: str) -> str | Completion:
        """The reply to a message; both are remembered. A ``Completion`` also says what it cost."""


class OwnAgent:
    """A memory system as an agent of a run. Errors of its class are errors of its replies.

    ``make`` makes the system, ``target`` is its name on the command line, and ``answerer`` a model
    that answers from what its ``search`` returns. A ScoringError if the class cannot be made or
    used.
    """

    def __init__(
        self, make: Callable[[], Any], target: str = "", answerer: Answerer | None = None
    ) -> None:
        self._make = make
        self._answerer = answerer
        self._title = getattr(make, "__name__", type(make).__name__)
        try:
            self._system = self._call("__init__", make)
            self._searches = self._has("search") and (answerer is not None or self._has("answer"))
            self._require_methods()
            self.saves = self._has("save") and self._has("load")
            about = dict(getattr(self._system, "about", {}))
            if self.saves:
                self.save()
        except (AgentError, TypeError, ValueError) as error:
            raise ScoringError(f"{target or self._title} cannot be used: {error}") from error
        self._dated = {
            name
            for name in ("reply", "ask", "search", "answer")
            if self._has(name) and "date" in _parameters(getattr(self._system, name))
        }
        self._about = {
            **{str(key): _as_text(value) for key, value in about.items()},
            "kind": "MemorySystem",
            "model": _model_id(getattr(self._system, "name", None) or self._title),
            "class": Path(target).name or self._title,
            "interrupted": EXACT if self.saves else TOLD,
            **(answerer.about if answerer else {}),
        }

    def _require_methods(self) -> None:
        if self._answerer is not None and (self._has("answer") or not self._searches):
            raise ScoringError("a model only answers for a class with `search` and no `answer`")
        if not (self._has("reply") or self._has("ask") or self._searches):
            needs = " (a model has to answer from its `search`)" if self._has("search") else ""
            raise ScoringError(f"{self._title} has no method `reply(text)`{needs}")

    @property
    def about(self) -> Mapping[str, str]:
        """Its name, its class, and the settings that it states."""
        return self._about

    def count(self, text: str) -> int:
        """Number of tokens in a text, by the system or an estimate."""
        if not self._has("count"):
            return about_tokens(text)
        count = self._call("count", self._system.count, text)
        if not isinstance(count, int) or count < 0:
            raise AgentError(f"{self._title}.count returned {short(count)}, not a number")
        return count

    @property
    def changed(self) -> bool | None:
        """True if the class says that its state has changed since it was saved; None if unknown."""
        changed = getattr(self._system, "changed", None)
        return changed if isinstance(changed, bool) else None

    def reply(self, message: str, date: str | None = None) -> Completion:
        """Ask the system; it remembers both. Raises AgentError if it fails, or returns no text."""
        if self._has("reply"):
            return self._completion("reply", message, date)
        completion = self._reply_unremembered(message, date)
        ingestion = self.tell(turns_of(message, completion.text, date))
        cost = added(completion.cost, ingestion.cost if ingestion else None)
        # A model that answers does not know what the search cost.
        return replace(completion, cost=None if self._answerer else cost)

    def _reply_unremembered(self, message: str, date: str | None) -> Completion:
        if not self._searches:
            return self._completion("ask", message, date)
        when = {"date": date} if "search" in self._dated else {}
        query = message if when else dated(message, date)
        memories = self._call("search", self._system.search, query, **when)
        if self._answerer is not None:
            return self._answerer.answer(dated(message, date), memories)
        return self._completion("answer", message, date, memories)

    def _completion(
        self, name: str, message: str, date: str | None, *memories: object
    ) -> Completion:
        method = getattr(self._system, name)
        if name in self._dated:
            reply = self._call(name, method, message, *memories, date=date)
        else:
            reply = self._call(name, method, dated(message, date), *memories)
        if isinstance(reply, Completion) and isinstance(reply.text, str):
            return reply
        if not isinstance(reply, str):
            raise AgentError(f"{self._title}.{name} returned {short(reply)}, not a text")
        return Completion(reply, self.count(message), self.count(reply))

    def observe(self, message: str, reply: str) -> None:
        """Tell the system an exchange."""
        self.tell(turns_of(message, reply))

    def tell(self, turns: Sequence[Message]) -> Completion | None:
        """Tell the system turns; what that cost, if it says so. Raises AgentError if it fails."""
        if self._has("ingest"):
            spent = self._call("ingest", self._system.ingest, [dict(turn) for turn in turns])
            return spent if isinstance(spent, Completion) else None
        heard = [turn for turn in turns if turn["role"] == "user" and self._has("reply")]
        replies = [self.reply(turn["content"], turn.get("date")) for turn in heard]
        costs = [reply.cost for reply in replies if reply.cost is not None]
        if len(costs) < len(replies):
            return None
        return Completion("", cost=sum(costs))

    def reset(self) -> None:
        """Forget everything; raises AgentError if it fails."""
        if self._has("reset"):
            self._call("reset", self._system.reset)
        else:
            self._system = self._call("__init__", self._make)

    def save(self) -> str:
        """The state of the system, as JSON; AgentError if it fails, or JSON cannot hold it."""
        state = self._call("save", self._system.save)
        if isinstance(state, bytes | bytearray):
            return json.dumps({"bytes": base64.b64encode(state).decode("ascii")})
        try:
            return json.dumps({"json": state}, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise AgentError(
                f"{self._title}.save returned neither bytes nor what JSON can hold: {error}"
            ) from error

    def load(self, kept: Mapping[str, Any]) -> None:
        """Restore a state: what ``save`` returned, parsed; raises AgentError if it fails."""
        try:
            state = base64.b64decode(kept["bytes"]) if "bytes" in kept else kept["json"]
        except (KeyError, TypeError, binascii.Error) as error:
            raise AgentError(f"the saved state of {self._title} is damaged") from error
        self._call("load", self._system.load, state)

    def _has(self, method: str) -> bool:
        return callable(getattr(self._system, method, None))

    def _call(self, name: str, call: Callable[..., Any], *args: Any, **rest: Any) -> Any:
        """Call a method. Its prints go to stderr: stdout may be JSON."""
        try:
            with redirect_stdout(sys.stderr):
                return awaited(call(*args, **rest))
        except (Exception, SystemExit) as error:
            method = self._title if name == "__init__" else f"{self._title}.{name}"
            raise AgentError(f"{method} failed: {said_of(error)}") from error


def own_agent(target: str, answerer: Answerer | None = None) -> OwnAgent:
    """The agent that ``module:Class`` or ``path/to/file.py:Class`` names; or a ScoringError.

    ``answerer`` answers from what its ``search`` returns.
    """
    agent_class = named_class(target)
    if not isinstance(agent_class, type):
        raise ScoringError(f"{target} is not a class")
    return OwnAgent(agent_class, target, answerer)


def turns_of(message: str, reply: str | None, date: str | None = None) -> list[Message]:
    """An exchange as turns; an empty text is not a turn."""
    turns = (("user", message), ("assistant", reply or ""))
    when = {"date": date} if date else {}
    return [{"role": role, "content": text, **when} for role, text in turns if text]


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _model_id(name: object) -> str:
    """The id of a name, which becomes part of paths.

    Raises ScoringError if it could lead out of a folder.
    """
    parts = name.split("/") if isinstance(name, str) else []
    if not (1 <= len(parts) <= 2 and all(map(is_plain_name, parts))):
        raise ScoringError(
            f"the name of the agent is {short(name)}; write a name, or organization/name"
        )
    return "/".join(parts) if len(parts) == 2 else f"local/{parts[0]}"


def _parameters(method: Callable[..., Any]) -> Sequence[str]:
    try:
        return list(inspect.signature(method).parameters)
    except (TypeError, ValueError):  # written in C
        return []
