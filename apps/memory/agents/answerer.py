"""A model that answers from what a memory system finds: the same for every system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evalmark.memory.agents.agent import Completer, Completion, Message

#: The prompt of a question.
PROMPT = """Memories of earlier conversations:
{memories}

Question: {question}
Answer from these memories in as few words as possible. If they do not say it, answer "not \
mentioned"."""


@dataclass(frozen=True, slots=True)
class Answerer:
    """A model that answers questions from memories.

    Attributes:
        completer: The model.
        system: A message before the prompt; empty if there is none.
        temperature: Sampling temperature; 0 for the likeliest reply.
        max_tokens: Maximum number of tokens in a reply.
    """

    completer: Completer
    system: str = ""
    temperature: float = 0.0
    max_tokens: int = 256

    @property
    def about(self) -> Mapping[str, str]:
        """The identity of the model, its settings and its prompt."""
        named = {f"answer_{key}": value for key, value in self.completer.about.items()}
        settings = {"temperature": str(self.temperature), "max_tokens": str(self.max_tokens)}
        system = {"answer_system": self.system} if self.system else {}
        return {**named, **settings, **system, "answer_prompt": PROMPT}

    def answer(self, question: str, memories: object) -> Completion:
        """The reply to a question.

        Args:
            question: The question, with its date if it has one.
            memories: A text, or several.

        Raises:
            AgentError: There is no reply.
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
