"""Chat models of ``transformers``: replies to messages, with a cache between turns."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Any

import torch
from evalmark.schemas.errors import AgentError, ModelFailed
from evalmark.scoring.models.language_models import Loaded
from evalmark.scoring.models.tokenizer_process import ask
from evalmark.scoring.models.tokenizers import count, has_template, reply_of, written_out

#: The work of the tokenizer, for errors.
_WRITING = "writing messages with its chat template"


@dataclass(frozen=True, slots=True)
class Said:
    """A reply."""

    text: str
    read: int  # tokens of the messages
    written: int  # tokens of the reply
    reused: int  # tokens that were already in the cache


@dataclass(eq=False)
class ChatModel(Loaded):
    """A causal model that answers messages.

    Tokens that it has read stay in its cache: a turn costs its own tokens, not those of the whole
    conversation. Where the messages differ from those before, the cache is cut back to their
    common beginning.
    """

    seed: int = 0  # of sampled replies
    _read: list[int] = field(default_factory=list, init=False)
    _cache: Any = field(default=None, init=False)

    @property
    def added(self) -> dict[str, str]:
        """The notation of messages, as a record has it."""
        return {"template": "of the tokenizer" if self._has_template else "plain"}

    def count(self, text: str) -> int:
        """Tokens of a text, without added tokens."""
        return ask(self.tokenizer, count, text)

    def respond(
        self, messages: Sequence[Mapping[str, str]], *, temperature: float, max_tokens: int
    ) -> Said:
        """The reply to messages: the likeliest if ``temperature`` is 0.

        Otherwise the same seed and messages give the same reply. A reply ends where the model's
        context window does.

        Raises:
            AgentError: The messages alone fill the window.
        """
        ids, opening = ask(self.tokenizer, written_out, messages, doing=_WRITING)
        if self.max_tokens is not None and len(ids) >= self.max_tokens:
            raise AgentError(
                f"messages of {len(ids)} tokens do not fit into a context window of "
                f"{self.max_tokens}"
            )
        room = max_tokens if self.max_tokens is None else self.max_tokens - len(ids)
        pairs = zip(ids[:-1], self._read, strict=False)
        self._cut_back(sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)))
        reused = len(self._read)
        generator = torch.Generator().manual_seed(self.seed + len(ids))
        reply: list[int] = []
        with torch.inference_mode():
            new = ids[len(self._read) :]
            while True:
                token = self._next(new, temperature, generator)
                if token in self._ends or len(reply) == min(max_tokens, room):
                    break
                reply.append(token)
                new = [token]
        text = opening + ask(self.tokenizer, reply_of, reply).strip()
        if not self._has_template:
            text = text.partition("\nUser:")[0].strip()
        return Said(text, len(ids), len(reply), reused)

    def _cut_back(self, shared: int) -> None:
        if self._cache is not None and shared == len(self._read):
            return
        if self._cache is not None and shared:
            try:
                self._cache.crop(shared - len(self._read))
            except (AttributeError, ValueError, NotImplementedError, RuntimeError):
                shared = 0  # a cache that cannot be cut, such as that of a sliding window
        if self._cache is None or not shared:
            self._read, self._cache = [], None
        self._read = self._read[:shared]

    def _next(self, new: list[int], temperature: float, generator: torch.Generator) -> int:
        # Without a cache all is read again.
        row = new if self._cache is not None else [*self._read, *new]
        ids = torch.tensor([row], device=self.model.device)
        accepted = inspect.signature(self.model.forward).parameters
        name = "cache" if "cache" in accepted else "past_key_values"  # from transformers 5.24 on
        output = self.model(input_ids=ids, use_cache=True, **{name: self._cache})
        cache = getattr(output, name, None)
        # The state of Mamba and similar models: several tokens after it would be read wrongly.
        self._cache = cache if getattr(cache, "is_croppable", True) else None
        self._read = [*self._read, *new]
        logits = output.logits[0, -1].float().cpu()
        if not logits.isfinite().any() or logits.isnan().any():
            self.require_numbers([math.nan])
            raise ModelFailed(f"model {self.identity[0]!r} cannot be used: its logits are NaN")
        if temperature == 0:
            return int(logits.argmax())
        shares = (logits / temperature).softmax(-1)
        return int(torch.multinomial(shares, 1, generator=generator))

    @cached_property
    def _ends(self) -> frozenset[int]:
        config = getattr(self.model, "generation_config", None)
        ends = getattr(config, "eos_token_id", None)
        ends = ends if isinstance(ends, list) else [ends]
        tokenizer_end = ask(self.tokenizer, getattr, "eos_token_id")
        return frozenset(end for end in [*ends, tokenizer_end] if end is not None)

    @cached_property
    def _has_template(self) -> bool:
        return ask(self.tokenizer, has_template)
