"""Runs of ``evalmark converse``: what ``run.json`` says, in the words of a record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalmark.converters.importers.supplied import availability, deployment, finite, said, texts
from evalmark.converters.records.memory_run import MemoryRun
from evalmark.converters.records.run import Model, Producer
from evalmark.converters.step import Supplied


def about_converse_run(
    own: Mapping[str, Any],
    config: Mapping[str, Any],
    stats: Mapping[str, Any],
    folder: Path,
    supplied: Supplied,
) -> MemoryRun:
    """What a record says about a run of ours.

    Args:
        own: ``run.json``.
        config: ``definitions/config.json``; empty where a dataset is not the benchmark's.
        stats: ``runstats.json``.
        folder: ``<run>/results/<agent>``.
        supplied: What the user supplies.
    """
    home = folder.resolve().parents[1]
    run_args = config.get("datasets", {}).get("args", {})
    span = run_args.get("memory_span")
    agent = texts(own.get("agent", {}))
    return MemoryRun(
        collection=said(supplied, "/collection") or "evalmark",
        model=Model(
            id=said(supplied, "/model_info/id") or agent["model"],
            name=folder.name,
            developer=said(supplied, "/model_info/developer"),
            deployment=deployment(supplied),
            availability=availability(supplied),
            details=texts({"agent_class": agent.get("kind"), **_but(agent, "model")}),
        ),
        producer=Producer(
            said(supplied, "/source_metadata/source_organization_name"),
            said(supplied, "/source_metadata/evaluator_relationship"),
        ),
        arguments={
            **({"eval_limits": {"token_limit": span}} if isinstance(span, int) else {}),
            **_arguments(agent),
        },
        settings=texts(
            {
                "run_name": str(config.get("config", {}).get("run_name") or home.name),
                "run_folder": home.name,
                "evaluator_version": own.get("evaluator"),
                "clock": "of the run, in UTC: it jumps where a test waits",
                **run_args,
                **{key: own.get(key) for key in ("mode", "memory_span", "seed", "examples")},
                "left_out": {key: own[key] for key in ("not_judged", "errors") if own.get(key)},
            }
        ),
        stats=stats,
        judging=_judging(own),
    )


def _judging(own: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """``llm_scoring`` for each dataset that asked the judge."""
    judge = own.get("judge")
    if not judge:
        return {}
    model = {
        "name": judge["model"],
        "id": judge["model"],
        "additional_details": texts(_but(judge, "model")),
    }
    scoring = {
        "judges": [{"model_info": model, "temperature": 0}],
        "input_prompt": own.get("judge_prompt", ""),
        "additional_details": {"when": "only where the rules of the dataset cannot decide"},
    }
    return dict.fromkeys(own.get("judged", ()), scoring)


def _arguments(agent: Mapping[str, str]) -> dict[str, Any]:
    """How replies were generated, where it is a number."""
    temperature, tokens = _number(agent.get("temperature")), _number(agent.get("max_tokens"))
    found: dict[str, Any] = {} if temperature is None else {"temperature": temperature}
    return found if tokens is None else {**found, "max_tokens": int(tokens)}


def _number(text: object) -> float | None:
    try:
        return finite(float(str(text)))
    except ValueError:
        return None


def _but(entries: Mapping[str, Any], left_out: str) -> dict[str, Any]:
    return {key: value for key, value in entries.items() if key != left_out}
