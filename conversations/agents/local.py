"""A chat model on this machine, as agents and judges use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalmark.conversations.agents.agents import Completion, Message

if TYPE_CHECKING:  # loads torch
    from evalmark.scoring.models.chat import ChatModel


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
        return self.model.count(text)

    def complete(
        self, messages: Sequence[Message], *, temperature: float, max_tokens: int
    ) -> Completion:
        """The model's reply."""
        said = self.model.respond(messages, temperature=temperature, max_tokens=max_tokens)
        return Completion(said.text, said.read, said.written)
