"""Runs of ``evalmark converse``: what ``run.json`` says, in the words of a record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalmark.converters.records.memory_run import MemoryRun, about_run
from evalmark.converters.sources.supplied import finite, producer, texts
from evalmark.converters.step import Supplied


def about_converse_run(
    own: Mapping[str, Any],
    config: Mapping[str, Any],
    stats: Mapping[str, Any],
    folder: Path,
    supplied: Supplied,
) -> MemoryRun:
    """What a record says about a run of ours: ``run.json``, ``config.json`` and ``runstats.json``.

    The folder is ``<run>/results/<agent>``; a dataset that is not the benchmark's has no config.
    """
    agent = texts(own.get("agent", {}))
    return about_run(
        folder,
        {"model": agent["model"], "agent_class": agent.get("kind"), **agent},
        config,
        stats,
        supplied,
        producer=producer(supplied),
        evaluator=own.get("evaluator"),
        clock="of the run, in UTC: it jumps where a test waits",
        settings={
            **{key: own.get(key) for key in ("mode", "memory_span", "seed", "examples")},
            "left_out": {key: own[key] for key in ("not_judged", "errors") if own.get(key)},
        },
        arguments=_arguments(agent),
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
        "additional_details": texts(
            {key: value for key, value in judge.items() if key != "model"},
            models_named_by_datasets=own.get("judge_models"),
        ),
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
