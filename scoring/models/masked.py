"""Masked language models: the surprisal of a masked token."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import torch
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.head import Lookup
from evalmark.scoring.models.reader import Reader
from evalmark.scoring.surprisals.prefixes import Ids


class MaskedModel(Reader):
    """A masked model and its tokenizer."""

    kind: Literal["masked"] = "masked"

    @cached_property
    def around(self) -> tuple[Ids, Ids]:
        """The tokens that the tokenizer puts before and after a text."""
        bare = self.tokenizer("a", add_special_tokens=False)["input_ids"]
        full = self.tokenizer("a")["input_ids"]
        at = next(i for i in range(len(full)) if full[i : i + len(bare)] == bare)
        return tuple(full[:at]), tuple(full[at + len(bare) :])

    @property
    def mask(self) -> int:
        """The mask token."""
        if self.tokenizer.mask_token_id is None:
            raise ScoringError("the tokenizer has no mask token; is this a masked model?")
        return int(self.tokenizer.mask_token_id)

    @property
    def max_tokens(self) -> int | None:
        """The model's position limit; RoBERTa and its kin count from after their padding."""
        limit = super().max_tokens
        for name, module in self.model.named_modules():
            padding = getattr(module, "padding_idx", None)
            if limit and name.endswith("position_embeddings") and padding is not None:
                return int(limit - padding - 1)
        return limit

    @property
    def added(self) -> dict[str, str]:
        """What else a record says: the dtype of the logits, and what is put around sentences."""
        before, after = (self.tokenizer.decode(list(ids)) for ids in self.around)
        return {**super().added, "around": f"{before} … {after}"}

    def fill_in(self, rows: Sequence[Ids], places: Sequence[int], tokens: Ids) -> list[float]:
        """One forward pass over right-padded rows; surprisals in bits, at least in float32."""
        lookup = Lookup(range(len(rows)), tokens)
        masked = (torch.arange(len(rows)), torch.tensor(places))
        return lookup.read_off(self.head.logits(self.padded(rows), masked))[0]
