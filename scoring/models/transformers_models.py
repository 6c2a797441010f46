"""Models of ``transformers``: what all have in common, padded batches, float32 logits."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
import transformers
from evalmark.schemas.errors import ModelFailed
from evalmark.scoring.models.output_head import Lookup, OutputHead, find_head
from evalmark.scoring.models.protocols import ModelInfo, Tokenized
from evalmark.scoring.models.tokenizer_process import ask
from evalmark.scoring.models.tokenizers import tokenized, tokenizer_digest
from evalmark.scoring.surprisals.prefix_packs import Ids

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
            for kind, of in (("NaN", torch.isnan), ("infinite", torch.isinf)):
                if count := int(of(tensor).sum()) if tensor.is_floating_point() else 0:
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
        """The values that are read off the logits of a pass; see ``Lookup.read_off``.

        Raises:
            ModelFailed: It is NaN, because weights are.
        """
        bits, bounds = lookup.read_off(chunks)
        self.require_numbers(bits)
        self.require_numbers(bounds)
        return bits, bounds
