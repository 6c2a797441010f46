"""Load a model for scoring, given its name or folder."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalmark.schemas.errors import (
    EvalmarkError,
    ModelFailed,
    ScoringError,
    require,
    require_known,
)
from evalmark.scoring.demo_files import DEMO, DEMO_FOLDER
from evalmark.scoring.models.checkpoints import AT, checkpoints_in, first_and_last, is_checkpoint
from evalmark.scoring.models.model_files import (
    GGUF,
    NOT_READ,
    SMALL_FILES,
    Permitted,
    hub_offline,
    require_data,
    require_readable,
    require_safetensors,
)
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.scoring.models.tokenizer_process import TokenizerProcess, ask
from evalmark.scoring.models.tokenizers import bos_ids, has_vocabulary
from evalmark.scoring.score_settings import DEVICE_MAPS, DEVICES, DTYPES, MODEL_KINDS
from evalmark.validator.io.paths import without_links

if TYPE_CHECKING:  # loading it loads torch
    from evalmark.scoring.models.chat_models import ChatModel

#: In older versions, ``torch.load`` with ``weights_only`` executes code (CVE-2025-32434).
LEAST_TORCH = (2, 6)

#: The libraries without which quantized weights are not loaded.
QUANTIZERS = ("accelerate", "bitsandbytes")

#: A name on the Hugging Face hub, which a folder may have too.
_HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")


@dataclass(frozen=True, slots=True)
class _Request:
    name: str
    model_id: str | None = None
    revision: str | None = None
    dtype: str = "float32"
    device: str = "auto"
    kind: str = "auto"
    allow_pickle: bool = False
    trust_remote_code: bool = False
    device_map: str | None = None

    def __post_init__(self) -> None:
        require_known("dtype", self.dtype, ("auto", *DTYPES))
        require_known("device", self.device.partition(":")[0], ("auto", *DEVICES))
        require_known("kind", self.kind, ("auto", *MODEL_KINDS))
        if self.device_map is not None:
            require_known("device_map", self.device_map, DEVICE_MAPS)
            if self.device != "auto":
                raise ScoringError("a device map chooses the devices; give only one of them")

    @property
    def folder(self) -> Path:
        return DEMO_FOLDER if self.name == DEMO else Path(self.name)

    @property
    def identity(self) -> tuple[str, str]:
        if self.name == DEMO:
            return self.model_id or "evalmark/demo", "evalmark demo"
        if self.folder.is_dir():
            real = without_links(self.folder)
            label = real.parent.name if is_checkpoint(real) else real.name
            return self.model_id or f"local/{label}", label
        return self.model_id or self.name, self.name.rpartition("/")[2]

    @property
    def details(self) -> dict[str, str]:
        revision = self.revision
        if self.folder.is_dir() and is_checkpoint(self.folder):
            revision = without_links(self.folder).name
        details = {"revision": revision} if revision else {}
        if self.device_map:
            details["device_map"] = self.device_map
        if self.dtype == "auto":
            details["dtype_choice"] = "auto"
        return {**details, "trust_remote_code": "true"} if self.trust_remote_code else details


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
    device_map: str | None = None,
) -> LanguageModel | MaskedLanguageModel:
    """Load a causal or masked language model.

    Args:
        name: A folder, a name on the Hugging Face hub, or ``demo`` for the demo model.
            A name on the hub may end in a revision: ``lab/model@step1000``.
        model_id: Its id in a record; by default the hub name, or ``local/<folder>``. The folder of
            a checkpoint has the id of the folder that it is in, and its own name as revision.
        revision: Branch, tag or commit of a hub model, or a checkpoint in a folder.
        dtype: ``float32``, ``float64``, ``bfloat16``, ``float16``, or ``auto`` for the model's own.
        device: ``cpu``, ``cuda``, ``mps``, or ``auto`` for the best available.
        bos: See ``Settings.bos``; masked models have their own tokens around a sentence.
        kind: ``causal``, ``masked``, ``mntp`` for a masked model that predicts a token at the one
            before it, or ``auto`` to read ``causal`` or ``masked`` from the configuration.
        allow_pickle: Accept pickled weights: they can execute code.
        trust_remote_code: Run the code that comes with the model.
        device_map: ``auto``, ``balanced`` or ``sequential`` to share a model among devices, as
            accelerate does; None for one device.

    Raises:
        NotInstalledError: A library is missing.
        ScoringError: It cannot be loaded; the message says why.
        UnknownNameError: There is no such dtype, device or kind.
    """
    name, revision = _place_of(name, revision)
    request = _Request(
        name, model_id, revision, dtype, device, kind, allow_pickle, trust_remote_code, device_map
    )
    # What the configuration promises, and the weights do not hold.
    with _in_one_line(request):
        return _scoring_model(request, _load(request), bos)


def require_models(names: Sequence[str], loading: Mapping[str, Any]) -> None:
    """Find every model, before hours are spent on the first; arguments as in ``load_model``.

    Raises:
        NotInstalledError: A library is missing.
        ScoringError: Some cannot be found, or are not loaded as they are; all of them are named.
    """
    options = {key: value for key, value in loading.items() if key not in ("bos", "revision")}
    failed = []
    for name in dict.fromkeys(names):
        try:
            place, revision = _place_of(name, loading.get("revision"))
            with _located(_Request(place, revision=revision, **options)):
                pass
        except ScoringError as error:
            failed.append(error)
    if failed:
        more = "".join(f"; {error}" for error in failed[1:])
        raise ScoringError(f"{failed[0]}{more}", argument=failed[0].argument) from failed[0]


def given_model(
    model: Any,
    tokenizer: Any,
    *,
    bos: str = "auto",
    kind: str = "auto",
    model_id: str | None = None,
) -> LanguageModel | MaskedLanguageModel:
    """A model and a tokenizer of ``transformers`` that the caller has loaded.

    The model is set to evaluation; arguments and errors are those of ``load_model``.
    """
    import transformers

    if not isinstance(model, transformers.PreTrainedModel):
        raise ScoringError(f"a model is a name, or one of transformers, not {type(model).__name__}")
    if not isinstance(tokenizer, transformers.PreTrainedTokenizerBase):
        raise ScoringError("a loaded model needs its tokenizer, of transformers as well")
    name = str(model.config.name_or_path or type(model).__name__)
    request = _Request(name, model_id, kind=kind)
    with _in_one_line(request):
        location = _kind(model.config, transformers) if kind == "auto" else kind
        model.train(mode=False)
        return _scoring_model(request, (location, model, tokenizer), bos)


def _place_of(name: str, revision: str | None) -> tuple[str, str | None]:
    """The folder of a checkpoint; or the name of a model, and its revision on the hub."""
    if Path(name).is_dir():
        is_inside = revision is not None and revision in checkpoints_in(Path(name))
        return (str(Path(name) / str(revision)), None) if is_inside else (name, revision)
    base, at, of_name = name.partition(AT)
    if at and revision is not None:
        raise ScoringError(f"{name!r} names a revision, and {revision!r} is another")
    return (base, of_name) if at else (name, revision)


def _scoring_model(
    request: _Request, loaded: tuple[str, Any, Any], bos: str
) -> LanguageModel | MaskedLanguageModel:
    location, model, tokenizer = loaded
    from evalmark.scoring.models.language_models import (
        CausalModel,
        MaskedModel,
        NextTokenModel,
        require_causal,
    )

    if location != "causal":
        if bos not in ("auto", "tokenizer"):
            raise ScoringError("bos applies to causal models; a masked model has its own tokens")
        masked_class = MaskedModel if location == "masked" else NextTokenModel
        with _computing(request, model):
            masked = masked_class(model, tokenizer, request.identity, request.details)
            _require_finite(masked.fill_in([(1, 2, 3)], [1], (2,)), request.name)
        return masked
    first = ask(tokenizer, bos_ids, bos)
    with _computing(request, model):
        causal = CausalModel(model, tokenizer, request.identity, request.details, bos=first)
        _require_finite(causal.surprisals([(1, 2, 3)])[0], request.name)
    require_causal(causal, request.name)
    return causal


@contextmanager
def _computing(request: _Request, model: Any) -> Iterator[None]:
    """Say in one line that a model, as experts and fused kernels do, has no float64."""
    try:
        yield
    except (RuntimeError, TypeError, ValueError) as error:
        if request.dtype != "float64" or not _computes_in_float32(model):
            raise
        raise ScoringError(
            f"model {request.name!r} does not compute in float64", argument="dtype"
        ) from error


def _computes_in_float32(model: Any) -> bool:
    """True if a model, which is not used any more, reads a few tokens in float32."""
    import torch

    tokens = torch.tensor([[1, 2, 3]], device=model.device)
    try:
        with torch.inference_mode():
            model.float()(input_ids=tokens, attention_mask=torch.ones_like(tokens))
    except (RuntimeError, TypeError, ValueError):
        return False
    return True


def load_chat_model(
    name: str,
    *,
    model_id: str | None = None,
    dtype: str = "auto",
    device: str = "auto",
    seed: int = 0,
) -> ChatModel:
    """Load a causal model that answers messages.

    Arguments and errors are those of ``load_model``; ``seed`` is that of sampled replies.
    """
    request = _Request(name, model_id, None, dtype, device, "causal")
    with _in_one_line(request):
        _, model, tokenizer = _load(request)
    from evalmark.scoring.models.chat_models import ChatModel

    return ChatModel(model, tokenizer, request.identity, request.details, seed=seed)


def _load(request: _Request) -> tuple[str, Any, Any]:
    require("numpy", "torch", "transformers", *(["accelerate"] if request.device_map else []))
    import torch
    import transformers

    device = None if request.device_map else _device(torch, request.device)
    with _located(request) as (where, options):
        config = transformers.AutoConfig.from_pretrained(where, **options)
        _require_quantizer(request.name, config)
        _refuse_classifier(request.name, config)
        kind = _kind(config, transformers) if request.kind == "auto" else request.kind
        # The class is imported here, not by the process of each model.
        load = partial(_tokenizer, transformers.AutoTokenizer, where, options)
        tokenizer = TokenizerProcess(request.name, load)
        try:
            model = _weights(request, where, kind, options)
            tokenizer.loaded()
            if not ask(tokenizer, has_vocabulary):
                raise ScoringError(f"model {request.name!r} cannot be loaded: it has no tokenizer")
            model.eval()
            if device is not None:
                torch.nn.Module.to(model, device)
        except BaseException:
            tokenizer.end()
            raise
    # Since transformers 5, a configuration no longer has the commit that it is from.
    model.config._commit_hash = options.get("revision")  # noqa: SLF001
    return kind, model, tokenizer


@contextmanager
def _located(request: _Request) -> Iterator[tuple[str, dict[str, Any]]]:
    require("numpy", "torch", "transformers")
    import torch
    import transformers

    _require_torch(torch.__version__)
    _require_place(request)
    _quieten(transformers)
    is_folder = request.folder.is_dir()
    # Without a connection the hub library tries six times a file; the cache may have the model.
    # A folder contacts no host, unless by its own code.
    offline = not request.trust_remote_code if is_folder else not _hub_is_reachable()
    # Always explicit: otherwise transformers asks on the terminal, and `y` runs the code.
    options: dict[str, Any] = {
        "local_files_only": offline,
        "trust_remote_code": request.trust_remote_code,
    }
    cached = offline and not is_folder
    with _in_one_line(request, cached=cached), hub_offline() if offline else nullcontext():
        _require_data(request, options)
        yield str(request.folder) if is_folder else request.name, options


def _tokenizer(auto: Any, where: str, options: Mapping[str, Any]) -> Any:
    with hub_offline() if options["local_files_only"] else nullcontext():
        return auto.from_pretrained(where, **options)


def _weights(request: _Request, where: str, kind: str, options: Mapping[str, Any]) -> Any:
    import torch
    import transformers

    auto = {
        "causal": transformers.AutoModelForCausalLM,
        "masked": transformers.AutoModelForMaskedLM,
        "mntp": transformers.AutoModelForMaskedLM,
    }[kind]
    model, info = auto.from_pretrained(
        where,
        dtype="auto" if request.dtype == "auto" else getattr(torch, request.dtype),
        use_safetensors=None if request.allow_pickle else True,
        weights_only=True,
        output_loading_info=True,
        **({"device_map": request.device_map} if request.device_map else {}),
        **options,
    )
    if any(parameter.is_meta for parameter in model.parameters()):
        raise ScoringError(
            f"model {request.name!r} cannot be loaded: it does not fit into the memory of the "
            "devices; dtype bfloat16 takes half of it"
        )
    if missing := sorted(info["missing_keys"]):
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise ModelFailed(
            f"model {request.name!r} cannot be used: its weights have no {missing[0]}{more}, for "
            "which transformers takes random numbers"
        )
    return model


def _require_quantizer(name: str, config: Any) -> None:
    quantization = getattr(config, "quantization_config", None) or {}
    if "bitsandbytes" not in str(quantization):
        return
    if missing := [library for library in QUANTIZERS if find_spec(library) is None]:
        raise ScoringError(
            f"model {name!r} cannot be loaded: its weights are quantized with bitsandbytes; "
            f"`pip install {' '.join(missing)}` loads them, or give the model before quantization"
        )


#: The ends of names of classes that have no probabilities of tokens.
_CLASSIFIERS = ("Classification", "ForQuestionAnswering", "ForMultipleChoice", "RewardModel")


def _refuse_classifier(name: str, config: Any) -> None:
    """Refuse weights whose head is not that of a language model, though a tied one would load."""
    for named in getattr(config, "architectures", None) or ():
        if named.endswith(_CLASSIFIERS):
            raise ScoringError(
                f"model {name!r} cannot be used: it is a {named}, which has no probabilities of "
                "tokens"
            )


def _require_data(request: _Request, options: dict[str, Any]) -> None:
    """Check the files of a model; of one on the hub, what is checked is what will be loaded."""
    folder = request.folder
    try:
        if folder.is_dir() and not request.allow_pickle:
            require_safetensors(folder)
        elif not folder.is_dir():
            folder = _snapshot(request, offline=options["local_files_only"])
            options["revision"] = folder.name
        require_data(folder, Permitted(request.allow_pickle, request.trust_remote_code))
    except ScoringError as error:
        reason = f"model {request.name!r} cannot be loaded: {error}"
        raise ScoringError(reason, argument=error.argument) from error


def _snapshot(request: _Request, *, offline: bool) -> Path:
    """The folder of the cache with the small files of a hub model."""
    import transformers
    from huggingface_hub import snapshot_download

    places: dict[str, Any] = {"revision": request.revision, "local_files_only": offline}
    try:
        return Path(snapshot_download(request.name, allow_patterns=list(SMALL_FILES), **places))
    except Exception:
        # What cannot be found has better errors there.
        transformers.PretrainedConfig.get_config_dict(request.name, **places)
        raise


@contextmanager
def _in_one_line(request: _Request, *, cached: bool = False) -> Iterator[None]:
    """Make one line of what happens to a damaged model anywhere in ``transformers`` and torch."""
    try:
        yield
    except EvalmarkError:
        raise
    except Exception as error:
        raise _not_loaded(request, error, cached=cached) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of a library in Rust
            raise
        raise _not_loaded(request, error) from error


def _require_torch(version: str) -> None:
    match = re.match(r"(\d+)\.(\d+)", version)
    if match and tuple(map(int, match.groups())) < LEAST_TORCH:
        least = ".".join(map(str, LEAST_TORCH))
        raise ScoringError(
            f"torch {version} is installed, which is not safe for models of others: "
            f"pip install 'torch>={least}'"
        )


def _require_place(request: _Request) -> None:
    name, folder = request.name, request.folder
    if folder.is_dir():
        if request.revision is not None:
            raise ScoringError(
                f"revision {request.revision!r} is of a model on the hub; {name!r} is a folder",
                argument="revision",
            )
        _require_config(name, folder)
    elif name.endswith(GGUF):
        raise ScoringError(f"model {name!r} cannot be loaded: {NOT_READ[GGUF]}")
    elif folder.exists() or not _HUB_NAME.fullmatch(name):
        raise ScoringError(f"model {name!r} cannot be loaded: there is no such folder")


def _require_config(name: str, folder: Path) -> None:
    if (folder / "config.json").exists():
        return
    if names := checkpoints_in(folder):
        why = (
            f"the folder has checkpoints: {first_and_last(names)}; give one of them "
            f"({str(folder / names[-1])!r}), or `evalmark score` scores all of them"
        )
    else:
        why = "the folder has no config.json"
        try:
            require_readable(folder)
        except ScoringError as error:
            why = str(error)
    raise ScoringError(f"model {name!r} cannot be loaded: {why}")


def _hub_is_reachable() -> bool:
    from huggingface_hub import constants, get_session

    try:
        get_session().head(constants.ENDPOINT, timeout=10)
    except Exception:  # the library has had three HTTP clients, each with exceptions of its own
        return False
    return True


def _not_loaded(request: _Request, error: BaseException, *, cached: bool = False) -> ScoringError:
    """The error of ``transformers`` in one line; ``cached``: only the cache was looked at."""
    if not request.allow_pickle and "use_safetensors=True" in str(error):
        return ScoringError(
            f"model {request.name!r} cannot be loaded: it has no safetensors, only pickled "
            "weights, which can execute code",
            argument="allow_pickle",
        )
    if cached and isinstance(error, OSError):
        from huggingface_hub import constants

        return ScoringError(
            f"model {request.name!r} cannot be loaded: there is no such folder, "
            f"{constants.ENDPOINT} cannot be reached, and the cache ({constants.HF_HUB_CACHE}) "
            f"does not have it; `hf download {request.name}` on a connected machine fetches it"
        )
    if not request.trust_remote_code and "trust_remote_code=True" in str(error):
        return ScoringError(
            f"model {request.name!r} comes with its own code, which is not run by default",
            argument="trust_remote_code",
        )
    first, *rest = str(error).strip().splitlines() or [repr(error)]
    if rest and first.endswith(":"):
        first = f"{first} {rest[0].strip()}"
    if "ignore_mismatched_sizes" in first:
        first = "its weights do not fit its config.json"
    elif not isinstance(error, OSError | ValueError):  # texts like `'model'` say little alone
        first = f"{type(error).__name__}: {first}"
    source = "" if request.folder.is_dir() else "there is no such folder, and from the hub: "
    return ScoringError(f"model {request.name!r} cannot be loaded: {source}{first}")


def _kind(config: Any, transformers: Any) -> str:
    if getattr(config, "is_encoder_decoder", False):
        raise ScoringError(f"{config.model_type} is an encoder-decoder: it cannot score sentences")
    named = getattr(config, "architectures", None) or ()
    if any(name.endswith(("ForMaskedLM", "ForPreTraining")) for name in named):
        return "masked"
    if any(name.endswith(("ForCausalLM", "LMHeadModel")) for name in named):
        return "causal"
    both = transformers.models.auto.modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
    encoder = config.model_type in both and not getattr(config, "is_decoder", False)
    return "masked" if encoder else "causal"


def _require_finite(surprisals: Sequence[float], name: str) -> None:
    if not any(map(math.isfinite, surprisals)):
        raise ModelFailed(
            f"model {name!r} cannot be used: its logits are NaN or infinite for the whole "
            "vocabulary"
        )


def _quieten(transformers: Any) -> None:
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()


def _device(torch: Any, choice: str) -> str:
    available = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if choice == "auto":
        return next(name for name, there in available.items() if there)
    if not available.get(choice.partition(":")[0]):
        usable = ", ".join(name for name, there in available.items() if there)
        raise ScoringError(f"device {choice!r} is not available; available: {usable}")
    return choice
