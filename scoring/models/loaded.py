"""What causal and masked models of ``transformers`` have in common."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
import transformers
from evalmark.scoring.models.protocols import ModelInfo, Tokenized
from evalmark.scoring.models.tokenizers import (
    decoded_spans,
    space_words,
    tokenizer_digest,
    unknown_places,
)


@dataclass(eq=False)
class Loaded:
    """A model and its tokenizer, as ``transformers`` loads them."""

    model: Any  # in evaluation mode, on its device
    tokenizer: Any
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
        """What is put around sentences, as a record has it."""
        return {}

    @cached_property
    def info(self) -> ModelInfo:
        """The identity of the model. The digest of the weights in memory is computed once."""
        parameter = next(self.model.parameters())
        details = {
            "torch": str(torch.__version__),
            "transformers": str(transformers.__version__),
            "architecture": type(self.model).__name__,
            "dtype": str(parameter.dtype).removeprefix("torch."),
            "device": parameter.device.type,
            "weights_sha256": _weights_digest(self.model),
            "tokenizer_sha256": tokenizer_digest(self.tokenizer),
            **self.added,
            **self.details,
        }
        commit = getattr(self.model.config, "_commit_hash", None)
        if commit:
            details["commit"] = str(commit)
        model_id, name = self.identity
        return ModelInfo(model_id, name, ("transformers", str(transformers.__version__)), details)

    def tokenize(self, text: str) -> Tokenized:
        """A sentence as tokens, with offsets in the text."""
        (found,) = self.tokenize_all([text])
        return found

    def tokenize_all(self, texts: Sequence[str]) -> list[Tokenized]:
        """Sentences as tokens; many at once are faster than one by one."""
        if not texts or not self.tokenizer.is_fast:
            return [self._decoded(text) for text in texts]
        encoded = self.tokenizer(
            list(texts), add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        rows = zip(encoded["input_ids"], encoded["offset_mapping"], strict=True)
        return [
            Tokenized(
                tuple(ids),
                tuple((start, end) for start, end in spans),
                tuple(-1 if word is None else word for word in encoded.word_ids(place)),
                unknown_places(ids, self.tokenizer),
            )
            for place, (ids, spans) in enumerate(rows)
        ]

    def _decoded(self, text: str) -> Tokenized:
        """A sentence as tokens, for a tokenizer without offsets."""
        ids = self.tokenizer.encode(text, add_special_tokens=False)
        spans = decoded_spans(ids, text, self.tokenizer.decode)
        unknown = unknown_places(ids, self.tokenizer)
        return Tokenized(tuple(ids), spans, space_words(spans, text), unknown)


def _weights_digest(model: Any) -> str:
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        flat = tensor.detach().cpu().contiguous().view(-1).view(torch.uint8)
        digest.update(flat.numpy().tobytes())
    return digest.hexdigest()
