"""Causal language models of ``transformers``: the only module that loads torch.

Nothing is loaded on import; ``load_model`` does it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ._boundaries import boundary_tokens
from ._errors import ScoringError
from ._packs import Pack, Values
from ._prefixes import Ids
from ._tokenizers import bos_ids, decoded_spans, tokenizer_digest

#: The name of the bundled model, and where it lies.
DEMO = "demo"
DEMO_FOLDER = Path(__file__).parent / "demo_model"

#: Rows of logits that are looked at together: the whole of a pack is never copied.
_ROWS = 64


class Tokenized(NamedTuple):
    """A sentence as tokens: ids, and the characters of the text each one covers."""

    ids: Ids
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Which model it is, as a record says it.

    Attributes:
        id: ``organization/model``; never a path.
        name: As people call it.
        engine: Software that runs it, and its version.
        details: Revision, dtype, device, digests, library versions; strings.
    """

    id: str
    name: str
    engine: tuple[str, str]
    details: dict[str, str]


class LanguageModel(Protocol):
    """What scoring needs of a model."""

    @property
    def info(self) -> ModelInfo:
        """Which model it is."""

    @property
    def bos(self) -> Ids:
        """The tokens put before every sentence: one or none."""

    @property
    def max_tokens(self) -> int | None:
        """The longest sequence it can read, BOS included; None if there is no limit."""

    def tokenize(self, text: str) -> Tokenized:
        """A sentence as tokens, nothing added."""

    def surprisals(self, rows: Sequence[Ids]) -> list[list[float]]:
        """For each row the surprisals in bits of all its tokens but the first."""

    def read_pack(self, pack: Pack) -> Values:
        """What is asked of a pack, from one forward pass."""

    def bounds(self, rows: Sequence[Ids]) -> list[list[float]]:
        """For each row, after each of its tokens, log2 of the probability that a word ends."""

    @property
    def marks_words(self) -> bool:
        """Whether there is a word boundary to correct; see ``boundary_tokens``."""


def load_model(
    name: str,
    *,
    model_id: str | None = None,
    revision: str | None = None,
    dtype: str = "float32",
    device: str = "auto",
    bos: str = "auto",
) -> LanguageModel:
    """Load a causal language model.

    Args:
        name: A folder, a name on the Hugging Face hub, or ``demo`` for the bundled model.
        model_id: What a record calls it; by default the hub name, or ``local/<folder>``.
        revision: Branch, tag or commit of a hub model.
        dtype: ``float32``, ``float64``, ``bfloat16``, ``float16``, or ``auto`` for the model's own.
        device: ``cpu``, ``cuda``, ``mps``, or ``auto`` for the best there is.
        bos: See ``Settings.bos``.

    Raises:
        ScoringError: It cannot be loaded; the message says why.
    """
    try:
        import torch
        import transformers
    except ImportError as error:
        raise ScoringError(
            f"scoring needs {error.name}: pip install 'evalmark[scoring]'"
        ) from error
    _quieten(transformers)
    folder = DEMO_FOLDER if name == DEMO else Path(name)
    where = str(folder) if folder.is_dir() else name
    device = _device(torch, device)
    options: dict[str, Any] = {} if folder.is_dir() else {"revision": revision}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(where, **options)
        model = transformers.AutoModelForCausalLM.from_pretrained(
            where,
            dtype="auto" if dtype == "auto" else getattr(torch, dtype),
            use_safetensors=True,
            **options,
        )
    except (OSError, ValueError, KeyError, ImportError) as error:
        first_line = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
        raise ScoringError(f"model {name!r} cannot be loaded: {first_line}") from error
    model.eval()  # type: ignore[no-untyped-call]
    torch.nn.Module.to(model, device)
    return TransformersModel(
        model, tokenizer, _identity(name, folder, model_id), revision=revision, bos=bos
    )


def _quieten(transformers: Any) -> None:
    """Its bars and hints are about loading; ours are about the run."""
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()


def _device(torch: Any, wanted: str) -> str:
    if wanted != "auto":
        return wanted
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _identity(name: str, folder: Path, model_id: str | None) -> tuple[str, str]:
    if name == DEMO:
        return model_id or "evalmark/demo", "evalmark demo"
    if folder.is_dir():
        label = folder.resolve().name
        return model_id or f"local/{label}", label
    return model_id or name, name.rpartition("/")[2]


class TransformersModel:
    """A causal model and its tokenizer, as ``transformers`` loads them."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        identity: tuple[str, str],
        *,
        revision: str | None = None,
        bos: str = "auto",
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self._identity = identity
        self._revision = revision
        self._bos = bos_ids(tokenizer, bos)

    @property
    def bos(self) -> Ids:
        """The token put before every sentence, if any."""
        return self._bos

    @property
    def max_tokens(self) -> int | None:
        """The model's position limit, where its configuration names one."""
        config = self.model.config
        for key in ("n_positions", "max_position_embeddings", "max_seq_len"):
            limit = getattr(config, key, None)
            if isinstance(limit, int) and limit > 0:
                return limit
        return None

    @cached_property
    def info(self) -> ModelInfo:
        """Which model it is; digests are taken of the weights as they are in memory, once."""
        import torch
        import transformers

        parameter = next(self.model.parameters())
        details = {
            "torch": str(torch.__version__),
            "transformers": str(transformers.__version__),
            "architecture": type(self.model).__name__,
            "dtype": str(parameter.dtype).removeprefix("torch."),
            "device": parameter.device.type,
            "weights_sha256": _weights_digest(self.model),
            "tokenizer_sha256": tokenizer_digest(self.tokenizer),
            "bos": self.tokenizer.decode(list(self._bos)) if self._bos else "none",
        }
        if self._revision:
            details["revision"] = self._revision
        commit = getattr(self.model.config, "_commit_hash", None)
        if commit:
            details["commit"] = str(commit)
        model_id, name = self._identity
        return ModelInfo(model_id, name, ("transformers", str(transformers.__version__)), details)

    def tokenize(self, text: str) -> Tokenized:
        """A sentence as tokens, with offsets into the text."""
        if self.tokenizer.is_fast:
            encoded = self.tokenizer(
                text, add_special_tokens=False, return_offsets_mapping=True, verbose=False
            )
            spans = tuple((start, end) for start, end in encoded["offset_mapping"])
            return Tokenized(tuple(encoded["input_ids"]), spans)
        ids = self.tokenizer.encode(text, add_special_tokens=False)
        return Tokenized(tuple(ids), decoded_spans(ids, text, self.tokenizer.decode))

    def surprisals(self, rows: Sequence[Ids]) -> list[list[float]]:
        """One forward pass over right-padded rows; surprisals in bits, at least in float32.

        A causal model never looks right, so padding there changes nothing.
        """
        import torch

        with torch.inference_mode():
            ids, logits = self._padded(rows)
            logits = _float(logits[:, :-1])
            targets = logits.gather(-1, ids[:, 1:, None]).squeeze(-1)
            bits = (torch.logsumexp(logits, dim=-1) - targets) / math.log(2)
        return [
            values[: len(row) - 1] for row, values in zip(rows, bits.cpu().tolist(), strict=True)
        ]

    def _padded(self, rows: Sequence[Ids]) -> tuple[Any, Any]:
        """Rows padded on the right, and the logits of one pass over them."""
        import torch

        width = max(len(row) for row in rows)
        device = self.model.device
        ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows], device=device)
        mask = torch.tensor(
            [[1] * len(row) + [0] * (width - len(row)) for row in rows], device=device
        )
        return ids, self.model(input_ids=ids, attention_mask=mask, use_cache=False).logits

    @cached_property
    def _boundary(self) -> tuple[int, ...] | None:
        return boundary_tokens(self.tokenizer)

    @property
    def marks_words(self) -> bool:
        """Whether the tokenizer marks the beginnings of words.

        Raises:
            ScoringError: It marks neither beginnings nor ends.
        """
        return self._boundary is not None

    def bounds(self, rows: Sequence[Ids]) -> list[list[float]]:
        """One forward pass over right-padded rows; log2 of the probability of a word's end."""
        import torch

        with torch.inference_mode():
            bits = [self._bounds(part) for part in self._padded(rows)[1]]
        return [values[: len(row)].tolist() for row, values in zip(rows, bits, strict=True)]

    def _bounds(self, logits: Any) -> Any:
        """log2 of the probability of the boundary tokens, row by row."""
        import torch

        assert self._boundary is not None
        chosen = torch.tensor(self._boundary, device=logits.device)
        parts = [
            _float(part.index_select(-1, chosen)).logsumexp(-1) - _float(part).logsumexp(-1)
            for part in logits.split(_ROWS)
        ]
        return (torch.cat(parts) / math.log(2)).cpu()

    def read_pack(self, pack: Pack) -> Values:
        """One forward pass over a pack: each token sees its own path, at its own position.

        The mask is additive (0 and the least number of the dtype): attention that is written out
        adds a boolean one as 0 and 1, without a word.
        """
        import torch

        parameter = next(self.model.parameters())
        device, dtype = parameter.device, parameter.dtype
        size = len(pack.tokens)
        seen = torch.zeros(size, size, dtype=torch.bool)
        for index, parent in enumerate(pack.parents):
            if parent >= 0:
                seen[index] = seen[parent]
            seen[index, index] = True
        mask = torch.zeros(size, size, dtype=dtype).masked_fill(~seen, torch.finfo(dtype).min)
        with torch.inference_mode():
            logits = self.model(
                input_ids=torch.tensor([pack.tokens], device=device),
                attention_mask=mask[None, None].to(device),
                position_ids=torch.tensor([pack.depths], device=device),
                use_cache=False,
            ).logits[0]
            whole = torch.long
            after = torch.tensor([t.after for t in pack.targets], device=device, dtype=whole)
            tokens = torch.tensor([t.token for t in pack.targets], device=device, dtype=whole)
            sums = torch.cat([_float(part).logsumexp(-1) for part in logits.split(_ROWS)])
            bits = (sums[after] - _float(logits[after, tokens])) / math.log(2)
            bounds = []
            if pack.ends:
                last = torch.tensor([end.after for end in pack.ends], device=device)
                bounds = self._bounds(logits[last]).tolist()
        return Values(bits.cpu().tolist(), bounds)


def _float(tensor: Any) -> Any:
    """At least float32: sums over a vocabulary lose too much below."""
    import torch

    return tensor if tensor.dtype in (torch.float32, torch.float64) else tensor.float()


def _weights_digest(model: Any) -> str:
    import torch

    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        flat = tensor.detach().cpu().contiguous().view(-1).view(torch.uint8)
        digest.update(flat.numpy().tobytes())
    return digest.hexdigest()
