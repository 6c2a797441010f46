"""Models in logs of Inspect: the evaluated one, and those that judge."""

from __future__ import annotations

from typing import Any

from evalmark.converters.records.run import Model
from evalmark.converters.sources.node import Node
from evalmark.converters.sources.supplied import availability, deployment, said
from evalmark.converters.step import NOTHING, Supplied

#: Providers that serve the models of their own makers.
_MAKERS = frozenset({"openai", "anthropic", "google", "mistral", "grok", "perplexity"})
#: Providers that run weights where the evaluation runs.
_LOCAL = frozenset({"hf", "vllm", "sglang", "ollama", "llama-cpp-python", "transformer_lens"})
#: Ways to a maker's models that are not part of a model's name.
_SERVICES = frozenset({"azure", "bedrock", "vertex"})


def model_of(name: str, supplied: Supplied) -> Model:
    """The model that Inspect calls so: ``provider/model``, or ``provider/service/model``."""
    provider, _, rest = name.partition("/")
    parts = [part for part in rest.split("/") if part not in _SERVICES]
    if not rest:
        provider, parts = "", [name]
    maker = provider if provider in _MAKERS else None
    # A maker's name may appear twice: anthropic/anthropic/claude.
    if maker and len(parts) == 1:
        parts = [maker, *parts]
    identity = said(supplied, "/model_info/id") or "/".join(parts)
    known = "self_deployed" if provider in _LOCAL else "externally_managed" if maker else "unknown"
    return Model(
        id=identity,
        name=parts[-1],
        developer=said(supplied, "/model_info/developer", maker),
        platform=provider or None,
        deployment=deployment(supplied, known),
        availability=availability(supplied),
        details={"inspect_model": name},
    )


def judging_of(scorer: str, params: Any, header: Node) -> dict[str, Any] | None:
    """``llm_scoring`` of a scorer that lets a model grade; None for others."""
    if not scorer.startswith("model_graded"):
        return None
    params = params if isinstance(params, dict) else {}
    role = (header.value.get("model_roles") or {}).get("grader") or {}
    name = params.get("model") or (role.get("model") if isinstance(role, dict) else role)
    # Without a grader of its own, Inspect lets the evaluated model grade itself.
    models = name if isinstance(name, list) else [name or header.value["model"]]
    judges = []
    for judge in models:
        model = model_of(str(judge), NOTHING)
        details = {
            "deployment_type": model.deployment,
            "model_availability": model.availability,
        }
        judges.append(
            {"model_info": {"name": model.name, "id": model.id, "additional_details": details}}
        )
    prompt = params.get("template") or "the default template of inspect_ai"
    found: dict[str, Any] = {"judges": judges, "input_prompt": str(prompt)}
    if len(judges) > 1:
        found["aggregation_method"] = "majority_vote"
    return found
