"""Causal and masked language models: surprisals of rows, and of packs that fit into memory.

In a pack, what continues a token follows it without a gap (``Pack.exits``), so the token at q sees
the one at k if ``k <= q < exits[k]``. An additive mask has a number for each pair.

On CUDA, a pack has by default as many tokens as fit into half of the free memory: a power of two
from 256 to 16,384. Above 2,048 tokens, attention is FlexAttention with a block mask, which has
three kinds of blocks of 128 by 128 pairs: those in which no pair sees each other are skipped, those
in which all do need no test. The least and the greatest exit of a block decide which kind it is, so
no array of all pairs is ever in memory. ``transformers`` passes a block mask on to FlexAttention
unchanged. evalmark compiles it when the model is first used and compares it with an additive mask
on a small pack. If it does not compile, gives other values or is not supported by the model (GPT-2,
for example), packs have additive masks and at most 2,048 tokens. A pack that does not fit into
memory means padded batches, and the record says so; a smaller ``pack_tokens`` avoids that. An
interrupted run resumes only with packs of the same size.

A causal model must read from left to right. Some architectures are known to read both ways unless
their configuration says otherwise. Others are tried when they are loaded: what follows a prefix
must not change any prediction in it by more than ten times the rounding that repeats of the prefix
show. Models of float16 and bfloat16 with up to 250 million parameters are tried as a copy in
float32.
"""

from __future__ import annotations

import copy
import hashlib
import json
import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from itertools import islice
from platform import machine
from typing import Any, Literal, NamedTuple

import torch
import transformers
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.output_head import Lookup
from evalmark.scoring.models.tokenizer_process import ask
from evalmark.scoring.models.tokenizers import around, text_of
from evalmark.scoring.models.transformers_models import Reader
from evalmark.scoring.score_settings import PACK_TOKENS
from evalmark.scoring.surprisals.compute import TOLERANCE
from evalmark.scoring.surprisals.prefix_packs import Ids, Pack, PackValues, PrefixTree, packs
from evalmark.scoring.surprisals.rounding import TOKEN
from evalmark.scoring.surprisals.word_boundaries import boundary_tokens


class MaskedModel(Reader):
    """A masked model and its tokenizer."""

    kind: Literal["masked"] = "masked"

    @cached_property
    def around(self) -> tuple[Ids, Ids]:
        """The tokens that the tokenizer puts before and after a text."""
        return ask(self.tokenizer, around)

    @cached_property
    def mask(self) -> int:
        """The mask token."""
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
        """Further details of a record: the dtype of the logits, and the tokens around sentences."""
        before, after = (ask(self.tokenizer, text_of, ids) for ids in self.around)
        return {**super().added, "around": f"{before} … {after}"}

    def fill_in(self, rows: Sequence[Ids], places: Sequence[int], tokens: Ids) -> list[float]:
        """One forward pass over right-padded rows; surprisals in bits, at least in float32."""
        lookup = Lookup(range(len(rows)), tokens)
        masked = (torch.arange(len(rows)), torch.tensor(places))
        return self.read_off(lookup, self.head.logits(self.padded(rows), masked))[0]


class NextTokenModel(MaskedModel):
    """A masked model trained on masked next-token prediction (MNTP; Lv et al. 2024, GPT-BERT).

    The prediction of a masked token is read at the token before it, as a causal model's is.
    """

    @property
    def added(self) -> dict[str, str]:
        """Further details of a record: where predictions are read as well."""
        return {**super().added, "prediction": "at the token before (MNTP)"}

    def fill_in(self, rows: Sequence[Ids], places: Sequence[int], tokens: Ids) -> list[float]:
        """One forward pass over right-padded rows; a first token has 0 bits."""
        bits = super().fill_in(rows, [max(place - 1, 0) for place in places], tokens)
        return [value if place else 0.0 for place, value in zip(places, bits, strict=True)]


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
    """True where tokens at q see those at k."""
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


def agree(first: Sequence[float], second: Sequence[float], tolerance: float) -> bool:
    """True if two lists of surprisals are equal up to rounding."""
    return all(abs(a - b) <= tolerance for a, b in zip(first, second, strict=True))


#: Tokens of the largest pack, and the share of free memory that a pack may take.
LARGEST, SHARE = 16_384, 0.5
#: Bytes that the logits of some rows take, with what is computed from them (``head.CHUNK_BYTES``).
LOGITS = 4 << 26


class Shape(NamedTuple):
    """The sizes that decide the memory of a forward pass."""

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

        Raises:
            ScoringError: A row is a text.
        """
        if isinstance(rows, str) or any(isinstance(ids, str) for ids in rows):
            raise ScoringError("surprisals takes rows of token ids: [model.tokenize(text).ids]")
        chosen = places or [range(1, len(ids)) for ids in rows]
        wanted = [rows[row][at] for row, of_row in enumerate(chosen) for at in of_row]
        lookup = Lookup(range(len(wanted)), wanted)
        return self._read(rows, [[at - 1 for at in of_row] for of_row in chosen], lookup)

    def _read(self, rows: Sequence[Ids], places: Places, lookup: Lookup) -> list[list[float]]:
        pairs = [(row, at) for row, of_row in enumerate(places) for at in of_row]
        if not pairs:
            return [[] for _ in rows]
        at = torch.tensor(pairs, dtype=torch.long).unbind(-1)
        bits, logs = self.read_off(lookup, self.head.logits(self.padded(rows), at))
        values = iter(bits or logs)
        return [list(islice(values, len(of_row))) for of_row in places]

    @cached_property
    def _boundary(self) -> tuple[int, ...] | None:
        return ask(self.tokenizer, boundary_tokens)

    @property
    def marks_words(self) -> bool:
        """True if the tokenizer marks the beginnings of words."""
        return self._boundary is not None

    def bounds(self, rows: Sequence[Ids], places: Places | None = None, /) -> list[list[float]]:
        """One forward pass over right-padded rows; log2 of the probability of a word's end."""
        chosen = places or [range(len(ids)) for ids in rows]
        lookup = Lookup((), (), range(sum(map(len, chosen))), self._boundary or ())
        return self._read(rows, chosen, lookup)

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
        """True if FlexAttention compiles for the model, and is right: tried once, on a GPU."""
        if self.model.device.type != "cuda" or not getattr(self.model, "_supports_flex_attn", 0):
            return False
        pack = sample_pack(self.model.get_input_embeddings().weight.shape[0], self.max_tokens)
        try:
            surprisals = self._read_blocks(pack).surprisals
        except Exception:  # whatever the compiler, the GPU or the model does not support
            return False
        dtype = str(self.model.dtype).removeprefix("torch.")
        return agree(surprisals, self._read_densely(pack).surprisals, TOLERANCE.get(dtype, 1e-3))

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
        """The tokens of a pack that fit into the memory of a GPU; 256 on other devices."""
        return fitting_tokens(self.model, blocks=self.has_block_attention)

    def _values(
        self, pack: Pack, tokens: Sequence[int], depths: Sequence[int], mask: Any
    ) -> PackValues:
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


_DECODER = ("is_decoder", True)
#: Type of a model -> the value of its configuration without which it reads both ways. Source:
#: ``modeling_<type>.py`` of transformers 5, where a mask is causal only with this value.
LEFT_TO_RIGHT_IF: dict[str, tuple[str, object]] = {
    **dict.fromkeys(
        (
            "bert", "bert-generation", "big_bird", "camembert", "data2vec-text", "electra", "ernie",
            "megatron-bert", "reformer", "rembert", "roberta", "roberta-prelayernorm", "roc_bert",
            "roformer", "xlm-roberta", "xlm-roberta-xl", "xmod",
        ),
        _DECODER,
    ),
    "xlm": ("causal", True),
    "xlnet": ("attn_type", "uni"),
}  # fmt: skip
#: Models of float16 and bfloat16 with up to so many parameters are tried as a copy in float32.
COPIED = 250_000_000
#: How many times the measured rounding what follows may change a prediction; below the error of a
#: token (``TOKEN``) it may in any case.
TIMES = 10

#: The prefix that is tried, and what follows it; tokens beyond the vocabulary wrap around.
_PREFIX = (1, 2, 3, 4)
_OTHER = (8, 9, 10, 11)
_FOLLOWING = ((5, 5, 5), (6, 7, 5), (7, 6, 6), (9, 10, 11), (12, 5, 13))


def require_causal(model: CausalModel, name: str) -> None:
    """Raise a ScoringError if a model attends to the right: its values would be meaningless."""
    config = model.model.config
    kind = getattr(config, "model_type", "")
    attribute, value = LEFT_TO_RIGHT_IF.get(kind, ("", None))
    if attribute and getattr(config, attribute, None) != value:
        raise ScoringError(
            f"model {name!r} is not causal: {kind} reads both ways unless its configuration has "
            f"{attribute} = {value!r}",
            argument="" if kind == "xlnet" else "kind",
        )
    changed, allowed = influence(model.model)
    if changed > allowed:
        raise ScoringError(
            f"model {name!r} is not causal: later tokens change the surprisal of earlier ones, by "
            f"{changed:.2g} bits where rounding explains {allowed:.2g}",
            argument="kind",
        )


def influence(model: Any) -> tuple[float, float]:
    """By how many bits what follows a prefix changes its predictions, and what rounding explains.

    Rounding is measured where nothing else differs: the prefix alone, repeated, and among others of
    its length, so that the model computes with other shapes. NaN is not a difference here.
    """
    tried = _in_float32(model)
    alone = _bits(tried, [_PREFIX])
    repeated, among = _bits(tried, [_PREFIX] * 3), _bits(tried, [_PREFIX, _OTHER])[:1]
    continued = _bits(tried, [(*_PREFIX, *_FOLLOWING[0])] * 2)
    rounding = max(_spread(torch.cat([alone, repeated, among])), _spread(continued))
    changed = _spread(_bits(tried, [(*_PREFIX, *following) for following in _FOLLOWING]))
    dtype = str(next(tried.parameters()).dtype).removeprefix("torch.")
    return changed, max(TIMES * rounding, TOKEN.get(dtype, TOKEN["float32"]))


def _in_float32(model: Any) -> Any:
    """The model, or a copy of it in float32 if its dtype hides what is small."""
    parameters = list(model.parameters())
    coarse = any(parameter.dtype in (torch.float16, torch.bfloat16) for parameter in parameters)
    if not coarse or sum(map(torch.numel, parameters)) > COPIED:
        return model
    try:
        return copy.deepcopy(model).float()
    except Exception:  # memory, or code of the model that cannot be copied
        return model


def _bits(model: Any, rows: Sequence[Ids]) -> torch.Tensor:
    """For each row, log2 of the probability of every token after each token of the prefix."""
    size = model.get_input_embeddings().weight.shape[0]
    ids = torch.tensor([[token % size for token in row] for row in rows], device=model.device)
    options = {"use_cache": False} if hasattr(model.config, "use_cache") else {}
    with torch.inference_mode():
        logits = model(input_ids=ids, attention_mask=torch.ones_like(ids), **options).logits
    bits: torch.Tensor = logits[:, : len(_PREFIX)].double().log_softmax(-1) / math.log(2)
    return bits


def _spread(bits: torch.Tensor) -> float:
    apart = (bits - bits[:1]).abs()
    return float(apart.nan_to_num(nan=0, posinf=0).max())
