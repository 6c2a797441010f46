"""Whether a model reads from left to right; scoring takes it for granted.

Some architectures are known to read both ways unless their configuration says otherwise. Others are
tried: what follows a prefix must not change what the model predicts in it.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from typing import Any

import torch
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.causal import CausalModel
from evalmark.scoring.surprisals.prefixes import Ids
from evalmark.scoring.surprisals.rounding import TOKEN

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
    """Refuse a model that attends to the right: its values would be meaningless.

    Raises:
        ScoringError: It does.
    """
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
    its length, so that the model computes with other shapes. NaN is no difference here.
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
    """The largest difference between rows."""
    apart = (bits - bits[:1]).abs()
    return float(apart.nan_to_num(nan=0, posinf=0).max())
