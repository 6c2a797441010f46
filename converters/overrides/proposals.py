"""Proposals of who runs a model and whether its weights are open, each with its source.

Nobody has stated what is proposed: ``--needs`` writes it with its source, for a maintainer to
review. A table of the maintainer, of models whose names have a ``*``, comes before ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from evalmark.validator.formats.shared.fields import mapping

DEPLOYMENT, AVAILABILITY = "deployment_type", "model_availability"
_SERVED, _OWN = "externally_managed", "self_deployed"
_OPEN, _CLOSED = "open_weights", "closed_weights"
#: Services that run models, as records call them in ``inference_platform``.
_SERVICES = frozenset((
    "ai21", "aliyun", "anthropic", "anyscale", "ark", "azure", "bedrock", "cohere", "deepinfra",
    "deepseek", "fireworks", "fireworks_ai", "google", "groq", "mistral", "openai", "openrouter",
    "perplexity", "replicate", "sambanova", "together", "together_ai", "vertex", "vertex_ai", "xai",
))  # fmt: skip
#: Software that runs weights where the evaluation runs.
_ENGINES = frozenset((
    "llama.cpp", "mamba_ssm", "nemo", "ollama", "sglang", "transformer_lens", "transformers",
    "vllm",
))  # fmt: skip
_HUB = "https://huggingface.co"
#: Ids in lower case, of which the first that fits counts; whether the weights are published, and
#: where that is documented. Owners with models of both kinds are here by model.
_MODELS: tuple[tuple[str, str, str], ...] = (
    ("anthropic/claude*", _CLOSED, "https://docs.anthropic.com/en/docs/about-claude/models"),
    ("openai/gpt-oss*", _OPEN, f"{_HUB}/openai"),
    ("openai/gpt2*", _OPEN, f"{_HUB}/openai-community"),
    *(
        (f"openai/{name}*", _CLOSED, "https://platform.openai.com/docs/models")
        for name in ("gpt-3.5", "gpt-4", "gpt-5", "chatgpt-", "o1", "o3", "o4-", "text-davinci-")
    ),
    ("google/gemini*", _CLOSED, "https://ai.google.dev/gemini-api/docs/models"),
    ("google/gemma*", _OPEN, f"{_HUB}/google"),
    ("amazon/nova*", _CLOSED, "https://docs.aws.amazon.com/nova"),
    ("xai*/grok-[34]*", _CLOSED, "https://docs.x.ai/docs/models"),
    ("ai21*/j[12]-*", _CLOSED, "https://docs.ai21.com"),
    ("ai21*/*jamba*", _OPEN, f"{_HUB}/ai21labs"),
    ("*/qwen*-max*", _CLOSED, "https://www.alibabacloud.com/help/en/model-studio/models"),
    ("qwen/qwen*[0-9]b*", _OPEN, f"{_HUB}/Qwen"),
    ("alibaba/qwen*[0-9]b*", _OPEN, f"{_HUB}/Qwen"),
    ("meta/llama*", _OPEN, f"{_HUB}/meta-llama"),
    ("meta-llama/*", _OPEN, f"{_HUB}/meta-llama"),
    ("mistralai/mixtral*", _OPEN, f"{_HUB}/mistralai"),
    ("mistralai/mistral-7b*", _OPEN, f"{_HUB}/mistralai"),
    ("mistralai/open-*", _OPEN, f"{_HUB}/mistralai"),
    ("deepseek*/deepseek-[rv][0-9]*", _OPEN, f"{_HUB}/deepseek-ai"),
    ("moonshotai/kimi-k2*", _OPEN, f"{_HUB}/moonshotai"),
    ("microsoft/phi-*", _OPEN, f"{_HUB}/microsoft"),
    ("ibm*/granite-*", _OPEN, f"{_HUB}/ibm-granite"),
    ("tiiuae/falcon*", _OPEN, f"{_HUB}/tiiuae"),
    ("allenai/olmo*", _OPEN, f"{_HUB}/allenai"),
    ("bigscience/*", _OPEN, f"{_HUB}/bigscience"),
    ("eleutherai/*", _OPEN, f"{_HUB}/EleutherAI"),
)


class Proposal(NamedTuple):
    """A value that nobody has stated, and where it is from."""

    value: str
    source: str


def proposals(
    model: Mapping[str, Any], tables: tuple[Mapping[str, Mapping[str, Any]], ...] = ()
) -> dict[str, Proposal]:
    """The proposals for a model, by key: ``DEPLOYMENT`` or ``AVAILABILITY``.

    Args:
        model: ``model_info`` of a record.
        tables: Names of models, some of them with a ``*``, and their values; narrower ones first.
    """
    found: dict[str, Proposal] = {}
    for key, proposal in (*_of_tables(model, tables), *_of_record(model), *_of_id(model)):
        found.setdefault(key, proposal)
    if AVAILABILITY in found and found[AVAILABILITY].value == _CLOSED:
        found.setdefault(DEPLOYMENT, Proposal(_SERVED, "closed weights run at a provider"))
    return found


def _of_tables(
    model: Mapping[str, Any], tables: tuple[Mapping[str, Mapping[str, Any]], ...]
) -> Iterator[tuple[str, Proposal]]:
    name = str(model.get("id") or model.get("name") or "")
    for table in tables:
        for pattern, values in table.items():
            if "*" in pattern and fnmatchcase(name, pattern):
                for key in (DEPLOYMENT, AVAILABILITY):
                    if isinstance(value := values.get(key), str):
                        yield key, Proposal(value, f"{pattern} in --defaults")


def _of_record(model: Mapping[str, Any]) -> Iterator[tuple[str, Proposal]]:
    """What a record says of where its model ran."""
    platform = str(model.get("inference_platform") or "").lower()
    engine = model.get("inference_engine")
    software = str(mapping(engine).get("name") or engine or "").lower()
    is_served, is_own = platform in _SERVICES, software in _ENGINES
    if is_served and not is_own:
        yield DEPLOYMENT, Proposal(_SERVED, f"inference_platform {platform}")
    if is_own and not is_served:
        yield DEPLOYMENT, Proposal(_OWN, f"inference_engine {software}")


def _of_id(model: Mapping[str, Any]) -> Iterator[tuple[str, Proposal]]:
    identity = str(model.get("id") or "").lower()
    for pattern, value, source in _MODELS:
        if fnmatchcase(identity, pattern):
            yield AVAILABILITY, Proposal(value, f"{pattern}: {source}")
            return
