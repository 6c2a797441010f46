"""A record of version 0.2.0 with every field of its format, and ways to change it."""

from __future__ import annotations

import json
import math
from typing import Any

from pointers import value_at

_MODEL = {
    "name": "Judge 1",
    "id": "example/judge-1",
    "developer": "Example",
    "inference_platform": "Example Cloud",
    "inference_engine": {"name": "engine", "version": "1.2"},
    "additional_details": {"license": "MIT"},
}

_LEVELS = {
    "evaluation_name": "tone",
    "source_data": {
        "dataset_name": "tone",
        "source_type": "url",
        "url": ["https://example.org/tone.json"],
        "additional_details": {"language": "en"},
    },
    "evaluation_timestamp": "1750000000",
    "metric_config": {
        "evaluation_description": "How polite the replies are.",
        "lower_is_better": False,
        "score_type": "levels",
        "level_names": ["rude", "plain", "polite"],
        "level_metadata": ["insults", "neither", "thanks"],
        "has_unknown_level": True,
        "llm_scoring": {
            "judges": [
                {"model_info": _MODEL, "temperature": 0.5, "weight": 2},
                {"model_info": {"name": "Judge 2", "id": "example/judge-2"}, "weight": 1},
            ],
            "input_prompt": "Is this polite? {reply}",
            "aggregation_method": "weighted_average",
            "expert_baseline": 1.8,
            "additional_details": {"rounds": 1},
        },
    },
    "score_details": {"score": 2},
}

_CONTINUOUS = {
    "evaluation_name": "agreement",
    "source_data": {
        "dataset_name": "agreement",
        "source_type": "hf_dataset",
        "hf_repo": "example/agreement",
        "hf_split": "test",
        "samples_number": 400,
        "sample_ids": [1, "two"],
        "additional_details": {"config": "en"},
    },
    "metric_config": {
        "lower_is_better": False,
        "score_type": "continuous",
        "min_score": 0,
        "max_score": 1,
    },
    "score_details": {
        "score": 0.75,
        "details": {"hits": 300},
        "uncertainty": {
            "standard_error": {"value": math.sqrt(0.75 * 0.25 / 400), "method": "analytic"},
            "confidence_interval": {
                "lower": 0.7,
                "upper": 0.79,
                "confidence_level": 0.95,
                "method": "wilson",
            },
            "standard_deviation": math.sqrt(0.75 * 0.25),
            "num_samples": 400,
            "num_bootstrap_samples": 1000,
        },
    },
    "generation_config": {
        "generation_args": {
            "temperature": 0.7,
            "top_p": 0.9,
            "top_k": 40,
            "max_tokens": 256,
            "execution_command": "run --all",
            "reasoning": True,
            "prompt_template": "Q: {question}",
            "agentic_eval_config": {
                "available_tools": [
                    {"name": "bash", "description": "a shell", "parameters": {"timeout": 5}}
                ],
                "additional_details": {"network": False},
            },
            "eval_plan": {
                "name": "plan",
                "steps": [{"solver": "react", "parameters": {"turns": 3}}],
                "config": {"epochs": 1},
            },
            "eval_limits": {"time_limit": 60, "message_limit": 10, "token_limit": 4000},
            "sandbox": {"type": "docker", "config": "compose.yaml"},
            "max_attempts": 2,
            "incorrect_attempt_feedback": "Try again.",
        },
        "additional_details": {"machine": "one"},
    },
}

_OTHER = {
    "evaluation_name": "house style",
    "source_data": {
        "dataset_name": "house style",
        "source_type": "other",
        "additional_details": {"kept": "in the house"},
    },
    "metric_config": {"lower_is_better": True, "score_type": "binary"},
    "score_details": {"score": 1},
}

FULL: dict[str, Any] = {
    "schema_version": "0.2.0",
    "evaluation_id": "agreement/example/model-1/1760000000",
    "evaluation_timestamp": "1750000000",
    "retrieved_timestamp": "1760000000",
    "source_metadata": {
        "source_name": "Example leaderboard",
        "source_type": "evaluation_run",
        "source_organization_name": "Example Lab",
        "source_organization_url": "https://example.org",
        "source_organization_logo_url": "https://example.org/logo.png",
        "evaluator_relationship": "third_party",
    },
    "model_info": {**_MODEL, "name": "Model 1", "id": "example/model-1"},
    "evaluation_results": [_LEVELS, _CONTINUOUS, _OTHER],
    "detailed_evaluation_results": {
        "format": "jsonl",
        "file_path": "samples.jsonl",
        "hash_algorithm": "sha256",
        "checksum": "0" * 64,
        "total_rows": 400,
    },
}

#: The results of ``FULL``, and objects in them.
LEVELS, CONTINUOUS, OTHER = (f"/evaluation_results/{index}" for index in range(3))
METRIC = f"{LEVELS}/metric_config"
JURY = f"{METRIC}/llm_scoring"
UNCERTAINTY = f"{CONTINUOUS}/score_details/uncertainty"
ARGS = f"{CONTINUOUS}/generation_config/generation_args"
AGENTIC = f"{ARGS}/agentic_eval_config"

_GONE = object()


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    """``FULL`` with other values at some pointers."""
    data = json.loads(json.dumps(FULL))  # parts of it are shared
    for pointer, value in changes.items():
        parent, _, key = pointer.rpartition("/")
        place = value_at(data, parent)
        if value is _GONE:
            del place[key]
        else:
            place[int(key) if isinstance(place, list) else key] = value
    return data


def without(*pointers: str) -> dict[str, Any]:
    """``FULL`` without some keys."""
    return changed(dict.fromkeys(pointers, _GONE))
