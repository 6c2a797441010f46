"""Agents: the models under test, and the models that judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from evalmark.memory.evaluation.texts import about_tokens
from evalmark.schemas.errors import AgentError
from evalmark.scoring.models.thoughts import thought_of, with_thoughts
from evalmark.validator.checker import Checker
from evalmark.validator.findings.unusable import require_usable
from evalmark.validator.reading.reading import read_file

Message = dict[str, str]


@dataclass(frozen=True, slots=True)
class Completion:
    """The reply of a model to messages.

    Attributes:
        text: The reply.
        input_tokens: Number of tokens read.
        output_tokens: Number of tokens written.
        cost: In US dollars; 0 if the model is free, None if nobody saw it.
        thoughts: The model's thoughts before the reply, where they are not part of the text.
        request: The id that an endpoint gave the request; empty if it gave none.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    thoughts: str = ""
    request: str = ""


class Completer(Protocol):
    """A model that replies to messages and remembers nothing."""

    @property
    def about(self) -> Mapping[str, str]:
        """The identity of the model: ``kind``, ``model`` and settings; never a key."""

    @property
    def window(self) -> int | None:
        """Its context window in tokens; None if there is no limit."""

    def count(self, text: str) -> int:
        """Number of tokens in a text."""

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        """The reply to messages.

        Raises:
            AgentError: There is no reply.
        """


#: Ways to treat the thoughts before an answer: cut off before scoring and memory, or scored.
THOUGHTS = ("cut", "keep")
CUT, KEEP = THOUGHTS


def answer_of(
    completion: Completion, thoughts: str = CUT, literal: Sequence[str] = ()
) -> tuple[Completion, str]:
    """A reply whose text is its answer, and why it has none; empty if it has one.

    ``thoughts`` is one of ``THOUGHTS``; for ``literal`` see ``thought_of``.
    """
    if thoughts == KEEP:
        whole = (
            with_thoughts(completion.thoughts, completion.text)
            if completion.thoughts
            else completion.text
        )
        return replace(completion, text=whole, thoughts=""), ""
    thought = thought_of(completion.text, literal)
    both = "\n\n".join(text for text in (completion.thoughts, thought.thoughts) if text)
    return replace(completion, text=thought.answer, thoughts=both), thought.missing


def thoughts_of(thoughts: str, replies: int) -> str:
    """A note on the thoughts that so many replies began with; empty if none did."""
    if thoughts == KEEP:
        return "kept as a part of the replies"
    count = "1 reply" if replies == 1 else f"{replies} replies"
    return f"cut off before scoring and memory in {count}" if replies else ""


def dated(message: str, date: str | None) -> str:
    """A message with the date that its test states, for agents that only read text."""
    return f"[{date}] {message}" if date and message else message


class Agent(Protocol):
    """Takes part in a conversation, and remembers it or does not."""

    @property
    def about(self) -> Mapping[str, str]:
        """The identity of the agent; see ``Completer.about``."""

    def count(self, text: str) -> int:
        """Number of tokens in a text."""

    def reply(self, message: str) -> Completion:
        """The reply to a message; both are remembered.

        Raises:
            AgentError: There is no reply.
        """

    def observe(self, message: str, reply: str) -> None:
        """Remember an exchange without being asked; an empty text was not said."""

    def reset(self) -> None:
        """Forget everything."""


@dataclass(eq=False)
class ChatAgent:
    """A model with the conversation so far in its context.

    When the conversation no longer fits, the oldest turns are dropped, each message with its
    reply, until the rest and the longest possible reply fit. Each turn is counted once.

    Args:
        completer: The model.
        system: A message that stays at the beginning.
        temperature: Sampling temperature; 0 for the likeliest reply.
        max_tokens: Maximum number of tokens in a reply.
    """

    completer: Completer
    _: KW_ONLY
    system: str = ""
    temperature: float = 0.0
    max_tokens: int = 256

    def __post_init__(self) -> None:
        self._system = [{"role": "system", "content": self.system}] if self.system else []
        #: Message, reply, and the tokens that both take in the context.
        self._turns: list[tuple[str, str, int]] = []

    @property
    def about(self) -> Mapping[str, str]:
        """The identity of the model, and the settings of its requests."""
        return {
            **self.completer.about,
            "temperature": str(self.temperature),
            "max_tokens": str(self.max_tokens),
            "context": "the whole conversation; the oldest turns are left out when it is full",
        }

    def count(self, text: str) -> int:
        """Number of tokens in a text, by the model's tokenizer or an estimate."""
        return self.completer.count(text)

    def reply(self, message: str) -> Completion:
        """Ask the model, with all turns that fit.

        Raises:
            AgentError: The model does not reply, or the message alone does not fit.
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

    def amend(self, reply: str | None) -> None:
        """Remember another reply than the last one; None: forget the last exchange."""
        message, _, _ = self._turns.pop()
        if reply is not None:
            self.observe(message, reply)

    def reset(self) -> None:
        """Forget everything but the system message."""
        self._turns.clear()

    def _fitting(self, message: str) -> list[Message]:
        window = self.completer.window
        room = None if window is None else window - self.max_tokens
        used = sum(self._size(entry["content"]) for entry in self._system) + self._size(message)
        if room is not None and used > room:
            raise AgentError(
                f"a message of {used} tokens and a reply of {self.max_tokens} do not fit into "
                f"a context window of {window}"
            )
        kept: list[Message] = []
        for earlier, answered, size in reversed(self._turns):
            used += size
            if room is not None and used > room:
                break
            turns = (("assistant", answered), ("user", earlier))
            kept += [{"role": role, "content": text} for role, text in turns if text]
        return [*self._system, *reversed(kept), {"role": "user", "content": message}]

    def _size(self, text: str) -> int:
        return self.count(text) + OVERHEAD


#: Upper estimate of the tokens that a chat template adds to a message.
OVERHEAD = 8


@dataclass
class ScriptedAgent:
    """An agent with given replies, for tests and for trying out a dataset.

    Attributes:
        replies: Message → reply.
        default: The reply to all other messages.
        choose: A function used instead of both: message → reply.
        name: Its name in the record.
    """

    replies: Mapping[str, str]
    default: str = ""
    choose: Callable[[str], str] | None = None
    name: str = "scripted"

    @property
    def about(self) -> Mapping[str, str]:
        """A script, not a model."""
        return {"kind": "ScriptedAgent", "model": f"evalmark/{self.name}"}

    def count(self, text: str) -> int:
        """An estimate of what tokenizers count."""
        return about_tokens(text)

    def reply(self, message: str) -> Completion:
        """The given reply."""
        text = self.choose(message) if self.choose else self.replies.get(message, self.default)
        return Completion(text, self.count(message), self.count(text), 0.0)

    def observe(self, message: str, reply: str) -> None:
        """Do nothing: a script has no memory."""

    def reset(self) -> None:
        """Do nothing: a script has no memory."""


def scripted_agent(path: Path) -> ScriptedAgent:
    """An agent from a JSON file: ``{"replies": {message: reply}, "default": reply}``."""
    require_usable(Checker(kind="agent-script").file(path))
    data: dict[str, Any] = read_file(path).data
    return ScriptedAgent(data.get("replies", {}), data.get("default", ""), name=path.stem)


#: The prompt of a question.
PROMPT = """Memories of earlier conversations:
{memories}

Question: {question}
Answer from these memories in as few words as possible. If they do not say it, answer "not \
mentioned"."""


@dataclass(frozen=True, slots=True)
class Answerer:
    """A model that answers questions from memories."""

    completer: Completer  # the model
    system: str = ""  # a message before the prompt; empty if there is none
    temperature: float = 0.0  # sampling temperature; 0 for the likeliest reply
    max_tokens: int = 256  # maximum number of tokens in a reply

    @property
    def about(self) -> Mapping[str, str]:
        """The identity of the model, its settings and its prompt."""
        named = {f"answer_{key}": value for key, value in self.completer.about.items()}
        settings = {"temperature": str(self.temperature), "max_tokens": str(self.max_tokens)}
        system = {"answer_system": self.system} if self.system else {}
        return {**named, **settings, **system, "answer_prompt": PROMPT}

    def answer(self, question: str, memories: object) -> Completion:
        """The reply to a question, given memories: a text, or several.

        Raises AgentError if there is no reply.
        """
        several = memories if isinstance(memories, list | tuple) else [memories]
        context = "\n".join(f"- {memory}" for memory in several)
        system: list[Message] = [{"role": "system", "content": self.system}] if self.system else []
        prompt = PROMPT.format(memories=context, question=question)
        return self.completer.complete(
            [*system, {"role": "user", "content": prompt}],
            temperature=self.temperature,
            max_tokens=self.max_tokens,
        )
