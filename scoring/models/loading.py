"""From a name to a model that scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from evalmark.schemas.errors import ScoringError
from evalmark.schemas.extras import require
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel

if TYPE_CHECKING:
    from evalmark.scoring.models.chat import ChatModel

#: The name of the bundled model, and where it lies.
DEMO = "demo"
DEMO_FOLDER = Path(__file__).parents[2] / "demo_model"

#: How models read: from left to right, or on both sides of what is hidden.
KINDS = ("causal", "masked")


def load_model(
    name: str,
    *,
    model_id: str | None = None,
    revision: str | None = None,
    dtype: str = "float32",
    device: str = "auto",
    bos: str = "auto",
    kind: str = "auto",
    allow_pickle: bool = False,
    trust_remote_code: bool = False,
) -> LanguageModel | MaskedLanguageModel:
    """Load a causal or masked language model.

    Args:
        name: A folder, a name on the Hugging Face hub, or ``demo`` for the bundled model.
        model_id: What a record calls it; by default the hub name, or ``local/<folder>``.
        revision: Branch, tag or commit of a hub model.
        dtype: ``float32``, ``float64``, ``bfloat16``, ``float16``, or ``auto`` for the model's own.
        device: ``cpu``, ``cuda``, ``mps``, or ``auto`` for the best there is.
        bos: See ``Settings.bos``; masked models have tokens of their own around a sentence.
        kind: ``causal``, ``masked``, or ``auto`` for what the configuration says.
        allow_pickle: Take weights that are no safetensors: loading them can run code.
        trust_remote_code: Run the code that comes with the model.

    Raises:
        ScoringError: It cannot be loaded; the message says why.
    """
    found = _load(name, model_id, revision, dtype, device, kind, allow_pickle, trust_remote_code)
    from evalmark.scoring.models.causal import CausalModel
    from evalmark.scoring.models.masked import MaskedModel

    if found.kind == "masked":
        if bos != "auto":
            raise ScoringError("--bos goes with causal models; a masked one has its own tokens")
        return MaskedModel(found.model, found.tokenizer, found.identity, details=found.details)
    causal = CausalModel(
        found.model, found.tokenizer, found.identity, bos=bos, details=found.details
    )
    _require_causal(causal, name)
    return causal


def load_chat_model(
    name: str,
    *,
    model_id: str | None = None,
    revision: str | None = None,
    dtype: str = "auto",
    device: str = "auto",
    seed: int = 0,
    allow_pickle: bool = False,
    trust_remote_code: bool = False,
) -> ChatModel:
    """Load a causal model that is talked to; arguments as in ``load_model``.

    Args:
        name: A folder, a name on the Hugging Face hub, or ``demo`` for the bundled model.
        model_id: What a record calls it.
        revision: Branch, tag or commit of a hub model.
        dtype: Of the weights.
        device: Where it runs.
        seed: Of replies that are drawn.
        allow_pickle: Take weights that are no safetensors.
        trust_remote_code: Run the code that comes with the model.

    Raises:
        ScoringError: It cannot be loaded; the message says why.
    """
    found = _load(
        name, model_id, revision, dtype, device, "causal", allow_pickle, trust_remote_code
    )
    from evalmark.scoring.models.chat import ChatModel

    return ChatModel(found.model, found.tokenizer, found.identity, details=found.details, seed=seed)


class _Found(NamedTuple):
    """What was loaded."""

    model: Any
    tokenizer: Any
    kind: str
    identity: tuple[str, str]
    details: dict[str, str]


def _load(
    name: str,
    model_id: str | None,
    revision: str | None,
    dtype: str,
    device: str,
    kind: str,
    allow_pickle: bool,
    trust_remote_code: bool,
) -> _Found:
    require("numpy", "torch", "transformers")
    import torch
    import transformers

    _quieten(transformers)
    folder = DEMO_FOLDER if name == DEMO else Path(name)
    if name == DEMO and not folder.is_dir():
        raise ScoringError(
            "the demo model is not part of an installed evalmark: "
            "give the path of demo_model/ in a clone"
        )
    where = str(folder) if folder.is_dir() else name
    options: dict[str, Any] = {} if folder.is_dir() else {"revision": revision}
    # Always said: transformers asks on the terminal where it is left open, and `y` runs the code.
    options["trust_remote_code"] = trust_remote_code
    try:
        config = transformers.AutoConfig.from_pretrained(where, **options)
        kind = _kind(config, transformers) if kind == "auto" else kind
        tokenizer = transformers.AutoTokenizer.from_pretrained(where, **options)
        auto = {
            "causal": transformers.AutoModelForCausalLM,
            "masked": transformers.AutoModelForMaskedLM,
        }[kind]
        model = auto.from_pretrained(
            where,
            dtype="auto" if dtype == "auto" else getattr(torch, dtype),
            use_safetensors=None if allow_pickle else True,
            **options,
        )
    except (OSError, ValueError, KeyError, ImportError) as error:
        if not trust_remote_code and "trust_remote_code=True" in str(error):
            raise ScoringError(
                f"model {name!r} comes with its own code, which evalmark does not run by default; "
                "`evalmark score --trust-remote-code` runs it"
            ) from error
        first_line = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
        raise ScoringError(f"model {name!r} cannot be loaded: {first_line}") from error
    model.eval()
    torch.nn.Module.to(model, _device(torch, device))
    details = {"revision": revision} if revision else {}
    if trust_remote_code:
        details["trust_remote_code"] = "true"
    return _Found(model, tokenizer, kind, _identity(name, folder, model_id), details)


def _kind(config: Any, transformers: Any) -> str:
    """What a configuration says of how a model reads.

    Raises:
        ScoringError: It reads one text to write another.
    """
    if getattr(config, "is_encoder_decoder", False):
        raise ScoringError(f"{config.model_type} is an encoder-decoder: it scores no sentences")
    named = getattr(config, "architectures", None) or ()
    if any(name.endswith(("ForMaskedLM", "ForPreTraining")) for name in named):
        return "masked"
    if any(name.endswith(("ForCausalLM", "LMHeadModel")) for name in named):
        return "causal"
    both = transformers.models.auto.modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
    encoder = config.model_type in both and not getattr(config, "is_decoder", False)
    return "masked" if encoder else "causal"


def _require_causal(model: LanguageModel, name: str) -> None:
    """A model that looks right gives numbers too, and they mean nothing.

    Raises:
        ScoringError: What follows a token changes its surprisal.
    """
    ends = [model.surprisals([(1, 2, 3, 4, last)])[0][:3] for last in (5, 6)]
    differences = (abs(one - other) for one, other in zip(*ends, strict=True))
    if any(difference > 0.05 for difference in differences):  # numbers that are none pass here
        raise ScoringError(
            f"model {name!r} looks at what follows a token, so it is not causal; "
            "`--kind masked` scores masked models"
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
