"""What evalmark's own conversations say of themselves: ``run.json`` beside the results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalmark.converters.importers.supplied import finite, texts

Own = Mapping[str, Any]


def judging(own: Own, dataset: str) -> dict[str, Any] | None:
    """``llm_scoring`` of a dataset that asked the judge."""
    judge = own.get("judge")
    if not judge or dataset not in own.get("judged", ()):
        return None
    known = {key: value for key, value in judge.items() if key != "model"}
    model = {"name": judge["model"], "id": judge["model"], "additional_details": texts(known)}
    return {
        "judges": [{"model_info": model, "temperature": 0}],
        "input_prompt": own.get("judge_prompt", ""),
        "additional_details": {"when": "only where the rules of the dataset cannot decide"},
    }


def arguments(own: Own) -> dict[str, Any]:
    """How replies were generated, as far as it is a number."""
    agent = own.get("agent", {})
    temperature = _number(agent.get("temperature"))
    tokens = _number(agent.get("max_tokens"))
    found: dict[str, Any] = {}
    if temperature is not None:
        found["temperature"] = temperature
    if tokens is not None:
        found["max_tokens"] = int(tokens)
    return found


def settings(own: Own) -> dict[str, Any]:
    """What the scores depend on."""
    kept = ("mode", "memory_span", "seed", "examples")
    return {
        **{key: own.get(key) for key in kept},
        "evaluator_version": own.get("evaluator"),
        "clock": "of the run, in UTC: it jumps where a test waits",
        "left_out": {key: own[key] for key in ("not_judged", "errors") if own.get(key)},
    }


def _number(text: object) -> float | None:
    try:
        return finite(float(str(text)))
    except ValueError:
        return None
