"""Language models of ``transformers``: the only room that loads torch, and only when one is loaded.

Nothing is loaded on import of this package; ``load_model`` does it.
"""

from typing import TYPE_CHECKING, Any

from ._loading import DEMO, DEMO_FOLDER, KINDS, load_model
from ._protocols import AnyModel, LanguageModel, MaskedLanguageModel, ModelInfo, Tokenized
from ._tokenizers import decoded_spans, space_words

if TYPE_CHECKING:
    from ._causal import CausalModel
    from ._masked import MaskedModel

__all__ = [
    "DEMO",
    "DEMO_FOLDER",
    "KINDS",
    "AnyModel",
    "CausalModel",
    "LanguageModel",
    "MaskedLanguageModel",
    "MaskedModel",
    "ModelInfo",
    "Tokenized",
    "decoded_spans",
    "load_model",
    "space_words",
]


def __getattr__(name: str) -> Any:
    """The classes that need torch, once they are asked for."""
    if name == "CausalModel":
        from ._causal import CausalModel

        return CausalModel
    if name == "MaskedModel":
        from ._masked import MaskedModel

        return MaskedModel
    raise AttributeError(name)
