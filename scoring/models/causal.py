"""Causal language models: surprisals of rows, and of packs of prefixes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import torch
from evalmark.scoring.models.loaded import Loaded, at_least_float32
from evalmark.scoring.surprisals.boundaries import boundary_tokens
from evalmark.scoring.surprisals.packs import Pack, PackValues
from evalmark.scoring.surprisals.prefixes import Ids

#: Rows of logits that are converted together: a whole pack is never copied.
_ROWS = 64


@dataclass(eq=False)
class CausalModel(Loaded):
    """A causal model and its tokenizer."""

    kind: Literal["causal"] = field(default="causal", init=False)
    bos: Ids = ()  # the tokens put before every sentence: one or none

    @property
    def added(self) -> dict[str, str]:
        """The token put before every sentence, as a record has it."""
        return {"bos": self.tokenizer.decode(list(self.bos)) if self.bos else "none"}

    def surprisals(self, rows: Sequence[Ids]) -> list[list[float]]:
        """One forward pass over right-padded rows; surprisals in bits, at least in float32.

        A causal model does not attend to the right, so padding there has no effect.
        """
        with torch.inference_mode():
            ids, logits = self.padded_logits(rows)
            logits = at_least_float32(logits[:, :-1])
            targets = logits.gather(-1, ids[:, 1:, None]).squeeze(-1)
            bits = (torch.logsumexp(logits, dim=-1) - targets) / math.log(2)
        return [
            values[: len(row) - 1] for row, values in zip(rows, bits.cpu().tolist(), strict=True)
        ]

    @cached_property
    def _boundary(self) -> tuple[int, ...] | None:
        return boundary_tokens(self.tokenizer)

    @property
    def marks_words(self) -> bool:
        """Whether the tokenizer marks the beginnings of words."""
        return self._boundary is not None

    def bounds(self, rows: Sequence[Ids]) -> list[list[float]]:
        """One forward pass over right-padded rows; log2 of the probability of a word's end."""
        with torch.inference_mode():
            bits = [self._bounds(part) for part in self.padded_logits(rows)[1]]
        return [values[: len(row)].tolist() for row, values in zip(rows, bits, strict=True)]

    def _bounds(self, logits: Any) -> Any:
        """log2 of the probability of the boundary tokens, row by row."""
        assert self._boundary is not None
        chosen = torch.tensor(self._boundary, device=logits.device)
        parts = [
            at_least_float32(part.index_select(-1, chosen)).logsumexp(-1)
            - at_least_float32(part).logsumexp(-1)
            for part in logits.split(_ROWS)
        ]
        return (torch.cat(parts) / math.log(2)).cpu()

    def read_pack(self, pack: Pack) -> PackValues:
        """One forward pass over a pack: each token attends to its own path, at its own position.

        The mask is additive (0 and the smallest number of the dtype): eager attention silently
        adds a boolean mask as 0 and 1.
        """
        parameter = next(self.model.parameters())
        device, dtype = parameter.device, parameter.dtype
        size = len(pack.tokens)
        seen = torch.zeros(size, size, dtype=torch.bool)
        for index, parent in enumerate(pack.parents):
            if parent >= 0:
                seen[index] = seen[parent]
            seen[index, index] = True
        mask = torch.zeros(size, size, dtype=dtype).masked_fill(~seen, torch.finfo(dtype).min)
        with torch.inference_mode():
            logits = self.model(
                input_ids=torch.tensor([pack.tokens], device=device),
                attention_mask=mask[None, None].to(device),
                position_ids=torch.tensor([pack.depths], device=device),
                use_cache=False,
            ).logits[0]
            whole = torch.long
            after = torch.tensor([t.after for t in pack.targets], device=device, dtype=whole)
            tokens = torch.tensor([t.token for t in pack.targets], device=device, dtype=whole)
            sums = torch.cat([at_least_float32(part).logsumexp(-1) for part in logits.split(_ROWS)])
            bits = (sums[after] - at_least_float32(logits[after, tokens])) / math.log(2)
            bounds = []
            if pack.ends:
                last = torch.tensor([end.after for end in pack.ends], device=device)
                bounds = self._bounds(logits[last]).tolist()
        return PackValues(bits.cpu().tolist(), bounds)
