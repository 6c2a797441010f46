"""Language models of ``transformers``: the only room that loads torch, and only when one is loaded.

Nothing is loaded on import of this package; ``load_model`` does it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._loading import DEMO, DEMO_FOLDER, KINDS, load_chat_model, load_model
from ._protocols import AnyModel, LanguageModel, MaskedLanguageModel, ModelInfo, Tokenized
from ._tokenizers import decoded_spans, space_words

if TYPE_CHECKING:
    from ._causal import CausalModel
    from ._chat import ChatModel
    from ._masked import MaskedModel

__all__ = [
    "DEMO",
    "DEMO_FOLDER",
    "KINDS",
    "AnyModel",
    "CausalModel",
    "ChatModel",
    "LanguageModel",
    "MaskedLanguageModel",
    "MaskedModel",
    "ModelInfo",
    "Tokenized",
    "decoded_spans",
    "load_chat_model",
    "load_model",
    "space_words",
]


def __getattr__(name: str) -> Any:
    """The classes that need torch, once they are asked for."""
    modules = {"CausalModel": "_causal", "ChatModel": "_chat", "MaskedModel": "_masked"}
    if name in modules:
        return getattr(import_module(f".{modules[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
