"""Models as services and benchmarks call them, and who made them."""

from __future__ import annotations

import re
from typing import NamedTuple

#: The beginning of a model's name → its organization, as it calls itself on the hub.
_MAKERS = {
    "gpt-": "openai", "chatgpt-": "openai", "o1": "openai", "o3": "openai", "o4-": "openai",
    "text-davinci": "openai", "claude-": "anthropic", "gemini-": "google", "gemma-": "google",
    "mistral-": "mistralai", "mixtral-": "mistralai", "codestral-": "mistralai",
    "ministral-": "mistralai", "llama-": "meta-llama", "meta-llama-": "meta-llama",
    "command-": "CohereLabs", "qwen": "Qwen", "deepseek-": "deepseek-ai", "phi-": "microsoft",
    "grok-": "xai-org",
}  # fmt: skip
#: Services that run the models of others; they come first in a name.
_SERVICES = frozenset((
    "anyscale", "azure", "bedrock", "fireworks_ai", "gemini", "groq", "huggingface", "ollama",
    "openrouter", "replicate", "together_ai", "vertex_ai",
))  # fmt: skip
_BY_LENGTH = sorted(_MAKERS, key=len, reverse=True)


class ModelName(NamedTuple):
    """The parts of a model's name."""

    id: str  # ``organization/model`` where the organization is known, else the model
    maker: str | None = None  # the organization, if it is known
    platform: str | None = None  # the service that ran the model, if the name has one


def model_name(name: str) -> ModelName:
    """Read a name: ``gpt-4o``, ``openai/gpt-4o``, ``together_ai/meta-llama/Llama-3-8b-chat-hf``."""
    first, slash, rest = name.partition("/")
    platform = first if slash and first in _SERVICES else None
    path = rest if platform else name
    if "/" in path:
        return ModelName(path, path.partition("/")[0], platform)
    maker = maker_of(path)
    return ModelName(f"{maker}/{path}" if maker else path, maker, platform)


def maker_of(model: str) -> str | None:
    """The maker of a model, by the beginning of its name."""
    start = next((start for start in _BY_LENGTH if model.lower().startswith(start)), None)
    return _MAKERS[start] if start else None


def agent_parts(folder: str) -> dict[str, str]:
    """Class, model, prompt size and variant, as the LTM benchmark names the folder of an agent.

    A number is the size of the prompt and never a model. Where the folder names no model, there is
    no ``model``.
    """
    kind, *parts = folder.split(" - ")
    named_parts = {"agent_class": kind}
    size = next((part for part in parts if re.fullmatch(r"\d+", part)), None)
    if size is not None:
        named_parts["max_prompt_size"] = size
        parts.remove(size)
    # A model is named first, or is at least a known one.
    named = folder.split(" - ")[1:2]
    model = next(
        (part for part in parts if [part] == named or "__" in part or maker_of(part)), None
    )
    if model is not None:
        # The name may be a path: together_ai/meta-llama/Llama-3.
        named_parts["model"] = model.replace("__", "/")
        parts.remove(model)
    if parts:
        named_parts["variant"] = " - ".join(parts)
    return named_parts
