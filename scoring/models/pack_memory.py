"""How many tokens of a pack fit into the memory of a GPU."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from evalmark.scoring.models.tree_mask import DENSE
from evalmark.scoring.settings import PACK_TOKENS

#: Tokens of the largest pack, and the share of free memory that a pack may take.
LARGEST, SHARE = 16_384, 0.5
#: Bytes that the logits of some rows take, with what is computed from them (``head.CHUNK_BYTES``).
LOGITS = 4 << 26


class Shape(NamedTuple):
    """What decides the memory that a forward pass takes."""

    hidden: int
    inner: int  # of its feed-forward layers
    heads: int
    element: int  # bytes of a number

    def bytes_of(self, tokens: int, *, blocks: bool) -> int:
        """Bytes of a forward pass over a pack: activations of one layer, masks and logits.

        With additive masks, each head has a float32 and a copy for each pair of tokens.
        """
        each = self.element * (12 * self.hidden + 3 * self.inner) + 8 * self.hidden
        pairs = 0 if blocks else tokens * tokens * (self.heads * (4 + self.element) + self.element)
        return tokens * each + pairs + LOGITS


def tokens_that_fit(free: int, shape: Shape, *, blocks: bool) -> int:
    """Tokens of a pack that take a share of the free bytes: a power of two.

    So it is the same number although other programs take a little more or less.
    """
    size = PACK_TOKENS
    while 2 * size <= (LARGEST if blocks else DENSE):
        if shape.bytes_of(2 * size, blocks=blocks) > SHARE * free:
            break
        size *= 2
    return size


def fitting_tokens(model: Any, *, blocks: bool) -> int:
    """The tokens of a pack on the device of a model; 256 where it is not a GPU of CUDA."""
    if model.device.type != "cuda":
        return PACK_TOKENS
    free, _ = torch.cuda.mem_get_info(model.device)
    return tokens_that_fit(free, shape_of(model), blocks=blocks)


def shape_of(model: Any) -> Shape:
    """The shape of a model, from its configuration."""
    config = model.config.get_text_config()
    hidden = config.hidden_size
    inner = next(
        (v for k in ("intermediate_size", "ffn_dim", "n_inner") if (v := getattr(config, k, None))),
        4 * hidden,
    )
    return Shape(hidden, inner, config.num_attention_heads, model.dtype.itemsize)
