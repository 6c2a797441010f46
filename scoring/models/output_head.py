"""The output head of a model: its logits at least in float32, whatever the dtype of its weights.

In bfloat16 a logit has 8 bits: many of a vocabulary's are equal, and surprisals are off by 0.01
bits on average. So only the body of a model computes in its dtype. Its last hidden states are
converted to float32, and a float32 copy of the head makes logits of them: only for the rows that
are needed, and in chunks of 64 MB. The copy takes 4 bytes × vocabulary × hidden size: 0.15 GB for
GPT-2 small, 2.1 GB for a vocabulary of 128,000 and a hidden size of 4,096 (``output_head`` of the
record).

Some models change the logits that leave their head: they scale them, cap them, or add a bias. What
a model does is not read from its code but tried when it is loaded: it is given known logits in
place of its own. The result has to agree with the model's own logits, or these are used, converted
to float32, and ``output_head`` says why.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from evalmark.schemas.errors import ScoringError
from torch.nn import Linear
from torch.nn.functional import linear

#: Bytes of one chunk of logits: in float32, 131 rows of a vocabulary of 128,000.
CHUNK_BYTES = 1 << 26
#: On a CPU: columns of a chunk that are computed at once, and bytes of it that are summed at once.
#: Values of a whole chunk at once leave the cache before they are used.
COLUMNS, CACHED_BYTES = 2048, 1 << 21
#: Tokens of the input with which a head is tried, and logits that it is then given.
_TRIED = 5
_KNOWN = (1.0, 1e9, 0.0, -1.0, 0.01, 3.0, -7.0, 20.0, -50.0, 100.0)
_ACCURATE = (torch.float32, torch.float64)

#: The inputs of a forward pass, by name.
Inputs = Mapping[str, Any]
#: Logits that leave a head -> logits of the model.
After = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class OutputHead:
    """The part of a model that makes logits of its last hidden states."""

    model: Any  # the model
    layer: Any = None  # its head, as the model calls it; None if it has none that can be used
    accurate: Any = None  # the head in float32 or float64: the model's own, or a copy of it
    #: The model's changes to the logits that leave its head. None if only its forward pass knows:
    #: then all logits of a pass are in memory at once.
    after: After | None = None
    vocabulary: int = 0  # numbers of a row of logits
    dtype_text: str = ""  # dtype of the logits, and where they come from, for a record

    def logits(self, inputs: Inputs, places: Sequence[Any]) -> Iterator[Any]:
        """The logits of some places of a pass, at least in float32, in chunks of rows.

        ``places`` has an index tensor for rows of the batch, and one for the tokens of a row.
        """
        in_rows = self.layer is not None and self.after is not None
        source = self._hidden(inputs) if in_rows else self._whole(inputs)
        element = max(4, (_dtype(self.accurate) if in_rows else source.dtype).itemsize)
        size = max(1, CHUNK_BYTES // (element * (self.vocabulary or source.shape[-1])))
        for chunk in zip(*(index.to(source.device).split(size) for index in places), strict=True):
            part = source[chunk]
            if in_rows:
                assert self.after is not None
                part = self.after(self._accurately(part))
            yield part if part.dtype in _ACCURATE else part.float()

    def _hidden(self, inputs: Inputs) -> Any:
        """The input of the head in a forward pass, in which it computes one row only."""
        entered: list[Any] = []
        with self.layer.register_forward_pre_hook(_input_hook(entered)):
            self.model(**inputs)
        return entered[0]

    def _whole(self, inputs: Inputs) -> Any:
        if self.layer is None:
            return self.model(**inputs).logits
        entered: list[Any] = []
        with (
            self.layer.register_forward_pre_hook(_input_hook(entered)),
            self.layer.register_forward_hook(lambda *_: self._accurately(entered[-1])),
        ):
            return self.model(**inputs).logits

    def _accurately(self, hidden: Any) -> Any:
        hidden = hidden.to(_dtype(self.accurate))
        if hidden.dim() != 2:
            return self.accurate(hidden)
        plain = type(self.accurate) is Linear and self.accurate.weight.is_cpu
        if not plain or self.vocabulary <= COLUMNS:
            return self.accurate(hidden[None])[0]
        weights, bias = self.accurate.weight.split(COLUMNS), self.accurate.bias
        biases = [None] * len(weights) if bias is None else bias.split(COLUMNS)
        parts = zip(weights, biases, strict=True)
        return torch.cat([linear(hidden, *part) for part in parts], 1)


def find_head(model: Any) -> OutputHead:
    """The head of a model, tried on a few tokens."""
    try:
        layer = getattr(model, "get_output_embeddings", lambda: None)()
        if layer is None or _dtype(layer) is None:
            raise ScoringError("it has no output head")
        return _tried(model, layer)
    except ScoringError as reason:
        dtype = str(getattr(model, "dtype", torch.float32)).removeprefix("torch.")
        accurate = dtype in ("float32", "float64")
        return OutputHead(
            model, dtype_text=dtype if accurate else f"{dtype}, of the model: {reason}"
        )


def _tried(model: Any, layer: Any) -> OutputHead:
    count = model.get_input_embeddings().weight.shape[0]
    ids = [[number % count for number in range(1, _TRIED + 1)]]
    tokens = torch.tensor(ids, device=model.device)
    inputs = {"input_ids": tokens, "attention_mask": torch.ones_like(tokens)}
    with torch.inference_mode():
        entered: list[Any] = []
        left: list[Any] = []

        def note(_: Any, inputs: tuple[Any, ...], tensor: Any) -> None:
            entered.extend(inputs[:1])
            left.append(tensor)

        with layer.register_forward_hook(note):
            theirs = model(**inputs).logits
        shapes = [getattr(tensor, "shape", ())[:-1] for tensor in (*entered, *left)]
        if shapes != [tokens.shape] * 2:
            raise ScoringError("it does not use its output head once for all tokens")
        accurate, dtypes = _accurate(layer)
        try:
            after = _measured_change(model, layer, inputs, left[0])
            head = OutputHead(model, layer, accurate, after, left[0].shape[-1], dtypes)
            places = torch.arange(tokens.shape[1])
            ours = torch.cat([*head.logits(inputs, [torch.zeros_like(places), places])])
        except ScoringError:
            raise
        except (TypeError, ValueError, RuntimeError, LookupError, AttributeError) as error:
            # Each model has its own error for what it does not accept.
            first = str(error).strip().partition("\n")[0] or type(error).__name__
            raise ScoringError(
                f"its output head cannot be used by itself ({first[:100]})"
            ) from error
        _require_equal(ours, theirs[0], left[0].dtype)
    return head


def _accurate(layer: Any) -> tuple[Any, str]:
    dtype = _dtype(layer)
    if dtype in _ACCURATE:
        return layer, str(dtype).removeprefix("torch.")
    copied = copy.deepcopy(layer).float()  # a tied weight stays as it is in the body
    size = sum(p.numel() * p.element_size() for p in copied.parameters())
    return copied, f"float32, in a copy of {size / 1e6:.1f} MB"


def _dtype(module: Any) -> Any:
    return next((p.dtype for p in module.parameters() if p.is_floating_point()), None)


def _measured_change(model: Any, layer: Any, inputs: Inputs, like: Any) -> After | None:
    """The model's change of logits, measured with known ones in place of those of its head."""
    dtype = _dtype(layer) if _dtype(layer) in _ACCURATE else torch.float32
    values = torch.tensor(_KNOWN, dtype=dtype, device=like.device)
    probe = values[torch.arange(like.numel(), device=like.device) % len(values)].reshape(like.shape)
    with layer.register_forward_hook(lambda *_: probe):
        logits = model(**inputs).logits
    if torch.equal(logits, probe.to(logits.dtype)):
        return _unchanged
    if logits.dtype not in _ACCURATE:
        raise ScoringError(f"it converts its logits to {str(logits.dtype).removeprefix('torch.')}")
    if logits.shape == probe.shape:
        unit, far = (logits.flatten()[i].item() for i in (0, 1))
        for after in (_scaled(unit), _capped(far)):
            if torch.allclose(after(probe), logits, rtol=1e-5, atol=1e-6):
                return after
    return None


def _unchanged(logits: Any) -> Any:
    return logits


def _scaled(factor: float) -> After:
    return lambda logits: logits * factor


def _capped(cap: float) -> After:
    return lambda logits: torch.tanh(logits / cap) * cap


def _require_equal(ours: Any, theirs: Any, dtype: Any) -> None:
    error = max(8 * torch.finfo(dtype).eps, 1e-3) * theirs.abs().max().item()
    if ours.shape != theirs.shape:
        raise ScoringError("its logits differ in shape from those of its output head")
    if math.isnan(error):
        raise ScoringError("its logits are NaN")
    left, right = ours.cpu().double(), theirs.cpu().double()
    if not torch.allclose(left, right, rtol=0, atol=error, equal_nan=True):
        raise ScoringError("its logits are not those of its output head")


def _input_hook(entered: list[Any]) -> Callable[..., Any]:
    """A hook that notes what enters a head, and leaves it one row to compute."""

    def note(_: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        entered.append(inputs[0])
        return (inputs[0][:1, :1], *inputs[1:])

    return note


@dataclass(frozen=True, slots=True)
class Lookup:
    """The values that are read off some rows of logits."""

    rows: Sequence[int]  # for each surprisal, the row that it is read off
    tokens: Sequence[int]  # the token whose surprisal it is
    ends: Sequence[int] = ()  # rows after which a word may end
    boundary: Sequence[int] = ()  # the tokens that begin another word, or end the text

    @torch.inference_mode()
    def read_off(self, chunks: Iterator[Any]) -> tuple[list[float], list[float]]:
        """Surprisals, and log2 of the probability that a word ends, from rows in chunks."""
        rows, tokens, ends = (
            torch.tensor(list(ids), dtype=torch.long) for ids in (self.rows, self.tokens, self.ends)
        )
        bits = torch.zeros(len(rows), dtype=torch.float64)
        bounds = torch.zeros(len(ends), dtype=torch.float64)
        start = 0
        for part in chunks:
            sums = _sums(part)
            mine = _indices_within(rows, start, len(part))
            at, columns = (tensor[mine].to(part.device) for tensor in (rows - start, tokens))
            bits[mine] = (sums[at] - part[at, columns]).cpu().double()
            mine = _indices_within(ends, start, len(part))
            if len(mine):
                at = (ends[mine] - start).to(part.device)
                chosen = torch.tensor(list(self.boundary), device=part.device)
                begun = part.index_select(0, at).index_select(1, chosen).logsumexp(-1)
                bounds[mine] = (begun - sums[at]).cpu().double()
            start += len(part)
        return (bits / math.log(2)).tolist(), (bounds / math.log(2)).tolist()


def _sums(logits: Any) -> Any:
    row = logits.shape[-1] * logits.element_size()
    size = max(1, (CACHED_BYTES if logits.is_cpu else CHUNK_BYTES) // row)
    return torch.cat([rows.logsumexp(-1) for rows in logits.split(size)])


def _indices_within(rows: Any, start: int, count: int) -> Any:
    return ((rows >= start) & (rows < start + count)).nonzero()[:, 0]
