"""Masked language models: the surprisal of a masked token."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import torch
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.output_head import Lookup
from evalmark.scoring.models.tokenizer_process import ask
from evalmark.scoring.models.tokenizers import around, text_of
from evalmark.scoring.models.transformers_models import Reader
from evalmark.scoring.surprisals.prefix_packs import Ids


class MaskedModel(Reader):
    """A masked model and its tokenizer."""

    kind: Literal["masked"] = "masked"

    @cached_property
    def around(self) -> tuple[Ids, Ids]:
        """The tokens that the tokenizer puts before and after a text."""
        return ask(self.tokenizer, around)

    @property
    def mask(self) -> int:
        """The mask token."""
        return self._mask

    @cached_property
    def _mask(self) -> int:
        number = ask(self.tokenizer, getattr, "mask_token_id")
        if number is None:
            raise ScoringError("the tokenizer has no mask token; is this a masked model?")
        return int(number)

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
        before, after = (ask(self.tokenizer, text_of, ids) for ids in self.around)
        return {**super().added, "around": f"{before} … {after}"}

    def fill_in(self, rows: Sequence[Ids], places: Sequence[int], tokens: Ids) -> list[float]:
        """One forward pass over right-padded rows; surprisals in bits, at least in float32."""
        lookup = Lookup(range(len(rows)), tokens)
        masked = (torch.arange(len(rows)), torch.tensor(places))
        return self.read_off(lookup, self.head.logits(self.padded(rows), masked))[0]
