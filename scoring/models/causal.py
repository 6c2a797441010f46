"""Causal language models: surprisals of rows, and of packs of prefixes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from itertools import islice
from platform import machine
from typing import Any, Literal

import torch
import transformers
from evalmark.scoring.models.head import Lookup
from evalmark.scoring.models.pack_memory import fitting_tokens
from evalmark.scoring.models.reader import Reader
from evalmark.scoring.models.tokenizer_process import ask
from evalmark.scoring.models.tokenizers import text_of
from evalmark.scoring.models.tree_mask import (
    DENSE,
    additive_mask,
    agree,
    block_mask,
    filled,
    flex_attention,
    sample_pack,
)
from evalmark.scoring.surprisals.boundaries import boundary_tokens
from evalmark.scoring.surprisals.compute import TOLERANCE
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
            "bos": ask(self.tokenizer, text_of, self.bos) if self.bos else "none",
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
        bits, _ = self.read_off(lookup, self._logits(rows, pairs))
        values = iter(bits)
        return [list(islice(values, len(own))) for own in chosen]

    def _logits(self, rows: Sequence[Ids], pairs: Sequence[tuple[int, int]]) -> Iterator[Any]:
        """The logits after some tokens of right-padded rows, in chunks."""
        places = torch.tensor(pairs, dtype=torch.long).unbind(-1)
        return self.head.logits(self.padded(rows), places)

    @cached_property
    def _boundary(self) -> tuple[int, ...] | None:
        return ask(self.tokenizer, boundary_tokens)

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
        _, found = self.read_off(lookup, self._logits(rows, pairs))
        values = iter(found)
        return [list(islice(values, len(own))) for own in chosen]

    def read_pack(self, pack: Pack) -> PackValues:
        """One forward pass over a pack: each token attends to its own path, at its own position."""
        if len(pack.tokens) > DENSE and self.has_block_attention:
            return self._read_blocks(pack)
        return self._read_densely(pack)

    def _read_densely(self, pack: Pack) -> PackValues:
        """With a mask that has a number for each pair of tokens."""
        parameter = next(self.model.parameters())
        exits = torch.tensor(pack.exits, device=parameter.device)
        return self._values(pack, pack.tokens, pack.depths, additive_mask(exits, parameter.dtype))

    def _read_blocks(self, pack: Pack) -> PackValues:
        """With FlexAttention, which skips blocks of pairs that do not see each other."""
        exits = filled(torch.tensor(pack.exits, device=self.model.device))
        room = [0] * (len(exits) - len(pack.tokens))
        with flex_attention(self.model):
            mask = block_mask(exits)
            return self._values(pack, pack.tokens + room, pack.depths + room, mask)

    @cached_property
    def has_block_attention(self) -> bool:
        """Whether FlexAttention compiles for the model, and is right: tried once, on a GPU."""
        if self.model.device.type != "cuda" or not getattr(self.model, "_supports_flex_attn", 0):
            return False
        pack = sample_pack(self.model.get_input_embeddings().weight.shape[0], self.max_tokens)
        try:
            found = self._read_blocks(pack).surprisals
        except Exception:  # whatever the compiler, the GPU or the model does not support
            return False
        dtype = str(self.model.dtype).removeprefix("torch.")
        return agree(found, self._read_densely(pack).surprisals, TOLERANCE.get(dtype, 1e-3))

    @cached_property
    def pack_digest(self) -> str:
        """SHA-256 of all that decides whether packs are exact; empty if that is not known.

        That is so for classes that are not of ``transformers``, and where large packs are read in
        another way than small ones.
        """
        if not type(self.model).__module__.startswith("transformers.") or self.has_block_attention:
            return ""
        config = {**self.model.config.to_dict(), "_name_or_path": ""}
        software = (version("evalmark"), torch.__version__, transformers.__version__)
        device = self.model.device
        where = torch.cuda.get_device_name(device) if device.type == "cuda" else machine()
        attention = self.model.config._attn_implementation  # noqa: SLF001 - there is no public name
        parts = [*software, device.type, where, self.weights_digest, attention, config]
        text = json.dumps(parts, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def pack_tokens(self) -> int:
        """How many tokens of a pack fit into the memory of a GPU; 256 on other devices."""
        return fitting_tokens(self.model, blocks=self.has_block_attention)

    def _values(
        self, pack: Pack, tokens: Sequence[int], depths: Sequence[int], mask: Any
    ) -> PackValues:
        """What is wanted of a pack, from a forward pass over its tokens and what fills them up."""
        device = self.model.device
        inputs = {
            "input_ids": torch.tensor([tokens], device=device),
            "attention_mask": mask,
            "position_ids": torch.tensor([depths], device=device),
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
        places = torch.tensor(used)
        return PackValues(*self.read_off(lookup, self.head.logits(inputs, (places * 0, places))))
