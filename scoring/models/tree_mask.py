"""Which tokens of a pack see which: additive masks, and block masks of FlexAttention.

In a pack, what continues a token follows it without a gap (``Pack.exits``), so the token at q sees
the one at k if ``k <= q < exits[k]``. An additive mask has a number for each pair. A block mask has
three kinds of blocks of 128 by 128 pairs: those in which no pair sees each other are skipped, those
in which all do need no test. The least and the greatest exit of a block decide which kind it is, so
no array of all pairs is ever in memory.

``transformers`` passes a block mask on to FlexAttention unchanged, as it does an additive one to
other implementations. FlexAttention is only used after it gave what an additive mask gives.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from evalmark.scoring.surprisals.packs import Pack, packs
from evalmark.scoring.surprisals.prefixes import PrefixTree

#: Tokens of the largest pack with an additive mask where FlexAttention can be used.
DENSE = 2048
#: Tokens on either side of a block.
BLOCK = 128


def additive_mask(exits: Any, dtype: Any) -> Any:
    """0 for pairs that see each other, else the smallest number; as ``transformers`` takes it.

    A boolean mask would not do: eager attention silently adds it as 0 and 1.
    """
    at = torch.arange(len(exits), device=exits.device)
    seen = sees(exits, at[:, None], at)
    mask = torch.zeros(seen.shape, dtype=dtype, device=exits.device)
    return mask.masked_fill(~seen, torch.finfo(dtype).min)[None, None]


def sees(exits: Any, q: Any, k: Any) -> Any:
    """Whether tokens at q see those at k."""
    return (k <= q) & (q < exits[k])


def filled(exits: Any) -> Any:
    """The exits of a pack and of tokens that fill it up; these see only themselves.

    Lengths are powers of two, so that few shapes have to be compiled.
    """
    size = BLOCK
    while size < len(exits):
        size *= 2
    more = torch.arange(len(exits) + 1, size + 1, device=exits.device, dtype=exits.dtype)
    return torch.cat([exits, more])


def block_mask(exits: Any) -> Any:
    """The mask of FlexAttention; the length is a multiple of that of a block."""
    from torch.nn.attention.flex_attention import BlockMask

    blocks = exits.view(-1, BLOCK)
    least, most = blocks.amin(1), blocks.amax(1)
    at = torch.arange(len(blocks), device=exits.device)
    q, k = at[:, None], at[None]
    some = (k < q) & (most > q * BLOCK)
    whole = (k < q) & (least >= (q + 1) * BLOCK)
    partly = (some & ~whole) | (k == q)

    def mask_mod(_batch: Any, _head: Any, query: Any, key: Any) -> Any:
        return sees(exits, query, key)

    size = len(exits)
    return BlockMask.from_kv_blocks(
        *_listed(partly), *_listed(whole), BLOCK_SIZE=BLOCK, mask_mod=mask_mod,
        seq_lengths=(size, size),
    )  # fmt: skip


def _listed(chosen: Any) -> tuple[Any, Any]:
    """For each row how many columns are chosen, and all columns, these first."""
    counts = chosen.sum(1, dtype=torch.int32)
    columns = torch.argsort(~chosen, dim=1, stable=True).to(torch.int32)
    return counts[None, None], columns[None, None]


@contextmanager
def flex_attention(model: Any) -> Iterator[None]:
    """A model attends with FlexAttention, compiled for each length of a pack by itself.

    What torch compiles for all lengths once there is a second one does not work everywhere.
    """
    from torch._dynamo import config

    before = model.config._attn_implementation  # noqa: SLF001 - there is no public name
    model.set_attn_implementation("flex_attention")
    try:
        with config.patch(automatic_dynamic_shapes=False):
            yield
    finally:
        model.set_attn_implementation(before)


def sample_pack(vocabulary: int, length: int | None) -> Pack:
    """A pack of several blocks, in which some see each other and others do not.

    It is no longer than the ``length`` that the model reads.
    """
    r = random.Random(1)
    longest = min(24, length or 24)
    rows: list[tuple[int, ...]] = [(0,)]
    while len(rows) < 60:
        start = r.choice(rows)[: r.randrange(1, longest)]
        more = [r.randrange(vocabulary) for _ in range(longest - len(start))]
        rows.append((*start, *more))
    return next(packs(PrefixTree(rows), length or 10_000))


def agree(one: Sequence[float], other: Sequence[float], tolerance: float) -> bool:
    """Whether two lists of surprisals are equal up to rounding."""
    return all(abs(a - b) <= tolerance for a, b in zip(one, other, strict=True))
