"""Models that score: padded batches, and logits at least in float32."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from evalmark.scoring.models.head import Lookup, OutputHead, find_head
from evalmark.scoring.models.loaded import Loaded
from evalmark.scoring.surprisals.prefixes import Ids


@dataclass(eq=False)
class Reader(Loaded):
    """A model whose logits are wanted, not its replies."""

    head: OutputHead = field(init=False)

    def __post_init__(self) -> None:
        self.head = find_head(self.model)

    @property
    def added(self) -> dict[str, str]:
        """The dtype of the logits, as a record has it."""
        return {"output_head": self.head.said}

    def padded(self, rows: Sequence[Ids]) -> dict[str, Any]:
        """The inputs of a pass over rows, padded on the right."""
        width = max(len(row) for row in rows)
        device = self.model.device
        ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows], device=device)
        mask = torch.tensor(
            [[1] * len(row) + [0] * (width - len(row)) for row in rows], device=device
        )
        options = {"use_cache": False} if hasattr(self.model.config, "use_cache") else {}
        return {"input_ids": ids, "attention_mask": mask, **options}

    def read_off(self, lookup: Lookup, chunks: Iterator[Any]) -> tuple[list[float], list[float]]:
        """What is read off the logits of a pass; see ``Lookup.read_off``.

        Raises:
            ModelFailed: It is NaN, because weights are.
        """
        bits, bounds = lookup.read_off(chunks)
        self.require_numbers(bits)
        self.require_numbers(bounds)
        return bits, bounds
