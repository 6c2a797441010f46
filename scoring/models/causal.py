"""Causal language models: surprisals of rows, and of packs of prefixes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Literal

import torch
from evalmark.scoring.models.head import Lookup
from evalmark.scoring.models.reader import Reader
from evalmark.scoring.surprisals.boundaries import boundary_tokens
from evalmark.scoring.surprisals.packs import Pack, PackValues
from evalmark.scoring.surprisals.prefixes import Ids

#: For each row, some of its tokens.
Places = Sequence[Sequence[int]]


@dataclass(eq=False)
class CausalModel(Reader):
    """A causal model and its tokenizer."""

    kind: Literal["causal"] = field(default="causal", init=False)
    bos: Ids = ()  # the tokens put before every sentence: one or none

    @property
    def added(self) -> dict[str, str]:
        """The token put before every sentence, and the dtype of the logits, as a record has it."""
        return {
            **super().added,
            "bos": self.tokenizer.decode(list(self.bos)) if self.bos else "none",
        }

    def surprisals(self, rows: Sequence[Ids], places: Places | None = None, /) -> list[list[float]]:
        """One forward pass over right-padded rows; surprisals in bits, at least in float32.

        A causal model does not attend to the right, so padding there has no effect.
        """
        chosen = places or [range(1, len(ids)) for ids in rows]
        pairs = [(row, at - 1) for row, own in enumerate(chosen) for at in own]
        if not pairs:
            return [[] for _ in rows]
        lookup = Lookup(range(len(pairs)), [rows[row][at + 1] for row, at in pairs])
        bits, _ = lookup.read_off(self._logits(rows, pairs))
        values = iter(bits)
        return [list(islice(values, len(own))) for own in chosen]

    def _logits(self, rows: Sequence[Ids], pairs: Sequence[tuple[int, int]]) -> Iterator[Any]:
        """The logits after some tokens of right-padded rows, in chunks."""
        places = torch.tensor(pairs, dtype=torch.long).unbind(-1)
        return self.head.logits(self.padded(rows), places)

    @cached_property
    def _boundary(self) -> tuple[int, ...] | None:
        return boundary_tokens(self.tokenizer)

    @property
    def marks_words(self) -> bool:
        """Whether the tokenizer marks the beginnings of words."""
        return self._boundary is not None

    def bounds(self, rows: Sequence[Ids], places: Places | None = None, /) -> list[list[float]]:
        """One forward pass over right-padded rows; log2 of the probability of a word's end."""
        chosen = places or [range(len(ids)) for ids in rows]
        pairs = [(row, at) for row, own in enumerate(chosen) for at in own]
        if not pairs:
            return [[] for _ in rows]
        lookup = Lookup((), (), range(len(pairs)), self._boundary or ())
        _, found = lookup.read_off(self._logits(rows, pairs))
        values = iter(found)
        return [list(islice(values, len(own))) for own in chosen]

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
        inputs = {
            "input_ids": torch.tensor([pack.tokens], device=device),
            "attention_mask": mask[None, None].to(device),
            "position_ids": torch.tensor([pack.depths], device=device),
            "use_cache": False,
        }
        ends = [end.after for end in pack.ends]
        used = sorted({*ends, *(target.after for target in pack.targets)})
        row_of = {place: row for row, place in enumerate(used)}
        lookup = Lookup(
            [row_of[target.after] for target in pack.targets],
            [target.token for target in pack.targets],
            [row_of[place] for place in ends],
            (self._boundary or ()) if ends else (),
        )
        tokens = torch.tensor(used)
        return PackValues(*lookup.read_off(self.head.logits(inputs, (tokens * 0, tokens))))
