"""Causal and masked language models: surprisals of rows, and of packs.

In a pack, what continues a token follows it without a gap (``Pack.exits``), so the token at q sees
the one at k if ``k <= q < exits[k]``. An additive mask has a number for each pair.

On CUDA, a pack has 2,048 tokens by default, elsewhere 256. A pack that does not fit into memory
means padded batches, and the record says so; a smaller ``pack_tokens`` avoids that. An interrupted
run resumes only with packs of the same size.

A causal model must read from left to right. Some architectures are known to read both ways unless
their configuration says otherwise. Others are tried when they are loaded: what follows a prefix
must not change any prediction in it by more than ten times the rounding that repeats of the prefix
show. Models of float16 and bfloat16 with up to 250 million parameters are tried as a copy in
float32.
"""

from __future__ import annotations

import copy
import hashlib
import inspect
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from itertools import islice
from platform import machine
from typing import Any, Literal

import torch
import transformers
from evalmark.schemas.errors import ModelFailed, ScoringError
from evalmark.scoring.models.output_head import Lookup, OutputHead, find_head
from evalmark.scoring.models.protocols import ModelInfo, Tokenized
from evalmark.scoring.models.tokenizer_process import ask
from evalmark.scoring.models.tokenizers import around, text_of, tokenized, tokenizer_digest
from evalmark.scoring.score_settings import CUDA_PACK_TOKENS, PACK_TOKENS
from evalmark.scoring.surprisals.prefix_packs import Ids, Level, Pack, PackValues
from evalmark.scoring.surprisals.rounding import TOKEN
from evalmark.scoring.surprisals.word_boundaries import boundary_tokens

#: Texts for which the tokenizer is asked at once: they have its limit of time together.
_TOGETHER = 100


@dataclass(eq=False)
class Loaded:
    """A model and its tokenizer, as ``transformers`` loads them."""

    model: Any  # in evaluation mode, on its device
    tokenizer: Any  # of ``transformers``: the process that it runs in, or itself
    identity: tuple[str, str]  # its id in a record, and its display name
    details: dict[str, str] = field(default_factory=dict)  # for a record, such as the revision

    @property
    def max_tokens(self) -> int | None:
        """The model's position limit, where its configuration has one."""
        config = self.model.config
        for key in ("n_positions", "max_position_embeddings", "max_seq_len"):
            limit = getattr(config, key, None)
            if isinstance(limit, int) and limit > 0:
                return limit
        return None

    @property
    def added(self) -> dict[str, str]:
        """The tokens around sentences, as a record has them."""
        return {}

    @cached_property
    def info(self) -> ModelInfo:
        """The identity of the model."""
        parameter = next(self.model.parameters())
        details = {
            "torch": str(torch.__version__),
            "transformers": str(transformers.__version__),
            "architecture": type(self.model).__name__,
            "dtype": str(parameter.dtype).removeprefix("torch."),
            "device": parameter.device.type,
            "weights_sha256": self.weights_digest,
            "tokenizer_sha256": ask(self.tokenizer, tokenizer_digest),
            **self.added,
            **self._quantization,
            **self.details,
        }
        commit = getattr(self.model.config, "_commit_hash", None)
        if commit:
            details["commit"] = str(commit)
        model_id, name = self.identity
        return ModelInfo(model_id, name, ("transformers", str(transformers.__version__)), details)

    @property
    def _quantization(self) -> dict[str, str]:
        config = getattr(self.model.config, "quantization_config", None)
        if config is None:
            return {}
        data = config if isinstance(config, dict) else vars(config)
        method = data.get("quant_method", "unknown")
        return {"quantization": str(getattr(method, "value", method))}

    @cached_property
    def weights_digest(self) -> str:
        """SHA-256 of the weights in memory, computed once."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self.model.state_dict().items()):
            digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
            flat = tensor.detach().cpu().contiguous().view(-1).view(torch.uint8)
            digest.update(flat.numpy().tobytes())
        return digest.hexdigest()

    @property
    def equality_digest(self) -> str:
        """SHA-256 of all that values depend on; empty if that is not known.

        Two revisions of equal weights have the same: names and commits do not count. It is not
        known for classes that are not of ``transformers``.
        """
        if not type(self.model).__module__.startswith("transformers."):
            return ""
        names = ("_name_or_path", "_commit_hash")
        config = {k: v for k, v in self.model.config.to_dict().items() if k not in names}
        names = ("revision", "commit")
        details = {k: v for k, v in self.info.details.items() if k not in names}
        text = json.dumps([config, details], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def tokenize(self, text: str) -> Tokenized:
        """A sentence as tokens, with offsets in the text."""
        (tokens,) = self.tokenize_all([text])
        return tokens

    def tokenize_all(self, texts: Sequence[str]) -> list[Tokenized]:
        """Sentences as tokens; many at once are faster than one by one."""
        parts = (texts[at : at + _TOGETHER] for at in range(0, len(texts), _TOGETHER))
        return [tokens for part in parts for tokens in ask(self.tokenizer, tokenized, part)]

    def require_numbers(self, values: Iterable[float]) -> None:
        """Raise a ModelFailed if a value is NaN because weights are."""
        if any(map(math.isnan, values)) and self._not_numbers:
            raise ModelFailed(
                f"model {self.identity[0]!r} cannot be used: its weights are not numbers: "
                f"{self._not_numbers}"
            )

    @cached_property
    def _not_numbers(self) -> str:
        counts = []
        for name, tensor in self.model.named_parameters():
            for kind, test in (("NaN", torch.isnan), ("infinite", torch.isinf)):
                if count := int(test(tensor).sum()) if tensor.is_floating_point() else 0:
                    counts.append(f"{count} of {tensor.numel()} values of {name} are {kind}")
        more = len(counts) - 1
        return f"{counts[0]} (and those of {more} more tensors)" if more > 0 else "".join(counts)


@dataclass(eq=False)
class Reader(Loaded):
    """A model whose logits are wanted, not its replies."""

    head: OutputHead = field(init=False)

    def __post_init__(self) -> None:
        self.head = find_head(self.model)

    @property
    def added(self) -> dict[str, str]:
        """The dtype of the logits, as a record has it."""
        return {"output_head": self.head.dtype_text}

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
        """The values that are read off the logits of a pass; a ModelFailed if they are NaN."""
        bits, bounds = lookup.read_off(chunks)
        self.require_numbers(bits)
        self.require_numbers(bounds)
        return bits, bounds


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


def additive_mask(exits: Any, dtype: Any) -> Any:
    """0 for pairs that see each other, else the smallest number; as ``transformers`` takes it.

    A boolean mask would not do: eager attention silently adds it as 0 and 1.
    """
    at = torch.arange(len(exits), device=exits.device)
    seen = (at <= at[:, None]) & (at[:, None] < exits)
    mask = torch.zeros(seen.shape, dtype=dtype, device=exits.device)
    return mask.masked_fill(~seen, torch.finfo(dtype).min)[None, None]


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

        A causal model does not attend to the right, so padding there has no effect. A ScoringError
        if a row is a text.
        """
        if isinstance(rows, str) or any(isinstance(ids, str) for ids in rows):
            raise ScoringError("surprisals takes rows of token ids: [model.tokenize(text).ids]")
        return self._alone(self._bits, rows, places or [range(1, len(ids)) for ids in rows])

    def _bits(self, rows: Sequence[Ids], places: Places) -> list[list[float]]:
        wanted = [rows[row][at] for row, of_row in enumerate(places) for at in of_row]
        lookup = Lookup(range(len(wanted)), wanted)
        return self._read(rows, [[at - 1 for at in of_row] for of_row in places], lookup)

    def _read(self, rows: Sequence[Ids], places: Places, lookup: Lookup) -> list[list[float]]:
        pairs = [(row, at) for row, of_row in enumerate(places) for at in of_row]
        if not pairs:
            return [[] for _ in rows]
        at = torch.tensor(pairs, dtype=torch.long).unbind(-1)
        bits, logs = self.read_off(lookup, self.head.logits(self.padded(rows), at))
        values = iter(bits or logs)
        return [list(islice(values, len(of_row))) for of_row in places]

    def _alone(
        self, read: Callable[..., list[list[float]]], rows: Sequence[Ids], places: Places
    ) -> list[list[float]]:
        """The values of rows together; those of a row of which padding has made NaN, alone."""
        values = read(rows, places)
        for row, of_row in enumerate(values):
            if len(rows) > 1 and any(map(math.isnan, of_row)):
                (values[row],) = read([rows[row]], [places[row]])
        return values

    @cached_property
    def _boundary(self) -> tuple[int, ...] | None:
        return ask(self.tokenizer, boundary_tokens)

    @property
    def marks_words(self) -> bool:
        """True if the tokenizer marks the beginnings of words."""
        return self._boundary is not None

    def bounds(self, rows: Sequence[Ids], places: Places | None = None, /) -> list[list[float]]:
        """One forward pass over right-padded rows; log2 of the probability of a word's end."""
        return self._alone(self._bounds, rows, places or [range(len(ids)) for ids in rows])

    def _bounds(self, rows: Sequence[Ids], places: Places) -> list[list[float]]:
        lookup = Lookup((), (), range(sum(map(len, places))), self._boundary or ())
        return self._read(rows, places, lookup)

    def read_pack(self, pack: Pack) -> PackValues:
        """One forward pass over a pack: each token attends to its own path, at its own position."""
        parameter = next(self.model.parameters())
        device = parameter.device
        exits = torch.tensor(pack.exits, device=device)
        inputs = {
            "input_ids": torch.tensor([pack.tokens], device=device),
            "attention_mask": additive_mask(exits, parameter.dtype),
            "position_ids": torch.tensor([pack.depths], device=device),
            "use_cache": False,
        }
        places, lookup = self._lookup(pack)
        return PackValues(*self.read_off(lookup, self.head.logits(inputs, (places * 0, places))))

    def _lookup(self, part: Pack | Level) -> tuple[Any, Lookup]:
        ends = [end.after for end in part.ends]
        used = sorted({*ends, *(target.after for target in part.targets)})
        row_of = {place: row for row, place in enumerate(used)}
        lookup = Lookup(
            [row_of[target.after] for target in part.targets],
            [target.token for target in part.targets],
            [row_of[place] for place in ends],
            (self._boundary or ()) if ends else (),
        )
        return torch.tensor(used, dtype=torch.long), lookup

    def read_levels(self, levels: Sequence[Level]) -> Iterator[PackValues]:
        """A forward pass for each level, of one token a row: the cache has those before it.

        There is no attention mask: no row is padded.
        """
        device = self.model.device
        # Older versions of transformers have another name for it.
        named = inspect.signature(self.model.forward).parameters
        name = next(name for name in ("cache", "past_key_values") if name in named)
        cache = transformers.DynamicCache(config=self.model.config)
        for depth, level in enumerate(levels):
            if depth:
                parents: Any = torch.tensor(level.parents, device=device)
                cache.reorder_cache(parents)
            tokens = torch.tensor(level.tokens, device=device)[:, None]
            inputs = {"input_ids": tokens, name: cache, "use_cache": True}
            places, lookup = self._lookup(level)
            at = (places, places * 0)
            yield PackValues(*self.read_off(lookup, self.head.logits(inputs, at)))

    @cached_property
    def pack_digest(self) -> str:
        """SHA-256 of all that decides whether packs are exact; empty if that is not known.

        That is so for classes that are not of ``transformers``.
        """
        if not type(self.model).__module__.startswith("transformers."):
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
        """The usual number of tokens of a pack on the device of the model.

        Attention to a window is exact in packs that are not longer than it.
        """
        usual = CUDA_PACK_TOKENS if self.model.device.type == "cuda" else PACK_TOKENS
        return min([usual, *_windows(self.model.config)])


def _windows(config: Any) -> Iterator[int]:
    """The tokens that layers of a model attend back to, where that is a window."""
    for key in ("sliding_window", "window_size", "attention_chunk_size"):
        size = getattr(config, key, None)
        if type(size) is int and size > 0 and getattr(config, "use_sliding_window", True):
            yield size


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
