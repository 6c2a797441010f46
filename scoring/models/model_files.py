"""The files of a model, looked at before ``transformers`` opens them: they are data, not code.

``transformers`` checks the code that a model brings, but follows many other references: an index of
weights may name pickled files, a configuration may name files anywhere, another class to load or a
kernel on a host. What is refused here is refused with the name of the file and the value.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.schemas.errors import ScoringError
from evalmark.validator.io.opening import open_regular, read_whole

#: The files of a hub model that are fetched and checked before its weights.
SMALL_FILES = (
    "*config*.json", "*.index.json", "tokenizer*", "vocab*", "merges*", "special_tokens_map.json",
    "added_tokens.json", "*.model", "*.tiktoken", "*.jinja", "*.py",
)  # fmt: skip
SAFE = ".safetensors"
#: Names of pickled weights.
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
#: The ending of a file of llama.cpp, whose tensors are read by nothing here.
GGUF = ".gguf"
ADAPTER = "adapter_config.json"
#: Ending of a file that cannot be read -> the advice.
NOT_READ = {
    GGUF: "GGUF files are not read; give the folder with safetensors that it was made from, or "
    "write one (needs the package gguf): "
    "`AutoModelForCausalLM.from_pretrained(FOLDER, gguf_file=NAME).save_pretrained(NEW)`, and the "
    "same with AutoTokenizer",
    ADAPTER: "adapters are not loaded, since they name another model; merge it first (needs the "
    "package peft): "
    "`AutoPeftModelForCausalLM.from_pretrained(FOLDER).merge_and_unload().save_pretrained(NEW)`, "
    "and save the tokenizer of its base there: "
    "`AutoTokenizer.from_pretrained(BASE).save_pretrained(NEW)`",
}
#: Layers of the deepest model that is built: each of them takes time and memory.
MOST_LAYERS = 10_000
#: Keys of a configuration that load something else, with what to do about them.
_ELSEWHERE = {
    "configuration_files": "names another configuration; write the configuration into config.json",
    "gguf_file": "names a GGUF file; give a folder with safetensors",
    "init_inputs": "has arguments for the class of the tokenizer; remove it",
    "fast_tokenizer_files": "names other tokenizers; write the tokenizer into tokenizer.json",
}
#: Keys that say where a file was saved; nothing is opened there.
_NOT_OPENED = ("name_or_path", "_name_or_path", "special_tokens_map_file", "chat_template")


#: Bytes of each file of weights that tell it from others, and at how many places they are read.
_PIECE, _PLACES = 1 << 12, 1 << 10


class Permitted(NamedTuple):
    """The permissions that a user gives a model."""

    pickle: bool = False
    code: bool = False


def weights_mark(folder: Path) -> str:
    """What tells the weights of a folder from others: a digest of bytes all over their files.

    To read all of a large model would take minutes. Empty if the folder has no weights.
    """
    files = sorted({path for pattern in (f"*{SAFE}", *PICKLED) for path in folder.glob(pattern)})
    digest = sha256()
    for path in files:
        with open_regular(path) as file:
            size = file.seek(0, os.SEEK_END)
            digest.update(f"{path.name} {size}\n".encode())
            for place in range(0, size, max(_PIECE, size // _PLACES)):
                file.seek(place)
                digest.update(file.read(_PIECE))
    return digest.hexdigest() if files else ""


def require_safetensors(folder: Path) -> None:
    """Raise a ScoringError, which begins with a file's name, if the only weights are pickled."""
    pickled = [path.name for pattern in PICKLED for path in folder.glob(pattern)]
    if pickled and not any(folder.glob(f"*{SAFE}*")):
        raise ScoringError(
            f"{pickled[0]}: pickled weights, which can execute code", argument="allow_pickle"
        )


def require_readable(folder: Path) -> None:
    """Raise a ScoringError, as above, for an adapter, or weights of another program only."""
    if (folder / ADAPTER).exists():
        raise ScoringError(f"{ADAPTER}: {NOT_READ[ADAPTER]}")
    others = sorted(path.name for path in folder.glob(f"*{GGUF}"))
    pickled = (path for pattern in PICKLED for path in folder.glob(pattern))
    if others and not any(folder.glob(f"*{SAFE}*")) and not any(pickled):
        raise ScoringError(f"{others[0]}: {NOT_READ[GGUF]}")


def require_data(folder: Path, permitted: Permitted) -> None:
    """Refuse a folder with a model that would run code, contact a host or open other folders.

    Raises:
        ScoringError: The message begins with the name of the file.
    """
    for path in sorted(folder.iterdir()):
        _require_inside(folder, path)
    require_readable(folder)
    for path in sorted(folder.glob("*config*.json")):
        _require_plain(folder, path, _object(path), permitted)
    for path in sorted(folder.glob("*.index.json")):
        if permitted.pickle or path.name.endswith(f"{SAFE}.index.json"):
            weights = _object(path).get("weight_map")
            for name in sorted(map(str, weights.values())) if isinstance(weights, dict) else ():
                _require_weights(folder, path, name, permitted)


@contextmanager
def hub_offline() -> Iterator[None]:
    """Let the hub library contact no host: what a folder names is not fetched."""
    from huggingface_hub import constants

    former = constants.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = former


def _object(path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(read_whole(path).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ScoringError(f"{path.name}: not JSON: {error}") from error
    except OSError as error:
        raise ScoringError(f"{path.name}: {error.strerror}") from error
    return data if isinstance(data, dict) else {}


def _require_inside(folder: Path, path: Path) -> None:
    """Refuse a link out of the folder; those of the hub's cache lead to its blobs."""
    home = folder.resolve()
    roots = [home, home.parents[1] / "blobs"] if home.parent.name == "snapshots" else [home]
    if not any(Path(os.path.realpath(path)).is_relative_to(root) for root in roots):
        raise ScoringError(f"{path.name}: a link out of the folder; copy the file into the folder")


def _require_weights(folder: Path, index: Path, name: str, permitted: Permitted) -> None:
    if not permitted.pickle and not name.endswith(SAFE):
        raise ScoringError(
            f"{index.name}: names {name!r}, which is not a safetensors file and can execute code",
            argument="allow_pickle",
        )
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise ScoringError(f"{index.name}: names {name!r}, which is not in the folder")
    _require_inside(folder, folder / name)


def _require_plain(
    folder: Path, path: Path, config: Mapping[str, Any], permitted: Permitted
) -> None:
    for key, value, top in _entries(config):
        if key == "transformers_weights" and value:
            _require_weights(folder, path, str(value).removesuffix(".index.json"), permitted)
        elif key == "auto_map" and not top and not permitted.code:
            raise ScoringError(
                f"{path.name}: {key} brings code in a part of the configuration; it belongs to the "
                "top"
            )
        elif wrong := _objection(folder, key, value):
            raise ScoringError(f"{path.name}: {key} {wrong}")


def _objection(folder: Path, key: str, value: Any) -> str:
    if key in _ELSEWHERE and value:
        return _ELSEWHERE[key]
    if key == "tokenizer_class" and value and not _is_tokenizer(str(value)):
        return f"is {value!r}, which is not a tokenizer"
    if "implementation" in key and "/" in json.dumps(value):
        return f"is {value!r}, which is code on a host; remove it"
    if "layer" in key and isinstance(value, int) and value > MOST_LAYERS:
        return f"is {value}; expected at most {MOST_LAYERS}"
    if isinstance(value, str) and key not in _NOT_OPENED and _is_elsewhere(folder, value):
        return f"is {value!r}, a file that is not in the folder; remove it"
    return ""


def _entries(value: Any, *, top: bool = True, key: str = "") -> Iterator[tuple[str, Any, bool]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name, inner, top
            yield from _entries(inner, top=False, key=name)
    elif isinstance(value, list):
        for inner in value:
            yield key, inner, False
            yield from _entries(inner, top=False, key=key)


def _is_tokenizer(name: str) -> bool:
    """True if ``transformers`` would load nothing else under this name."""
    import transformers

    tokenizer = getattr(transformers, name, None)
    if tokenizer is None or getattr(tokenizer, "__module__", "").startswith(
        "transformers.utils.dummy"
    ):
        return True  # it has none, or none without another library
    return isinstance(tokenizer, type) and issubclass(
        tokenizer, transformers.PreTrainedTokenizerBase
    )


def _is_elsewhere(folder: Path, value: str) -> bool:
    if os.sep not in value:
        return False
    try:
        home = folder.resolve()
        return Path(value).is_file() and not Path(os.path.realpath(value)).is_relative_to(home)
    except (OSError, ValueError):
        return False
