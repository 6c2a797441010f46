"""Runs of ``evalmark converse``: what ``run.json`` says, in the words of a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evalmark.converters.records.memory_run import LEFT_OUT, MemoryRun, about_run
from evalmark.converters.sources.supplied import finite, producer, texts
from evalmark.converters.step import Supplied

#: What a record says about how the tests were run.
_SETTINGS = ("mode", "memory_span", "seed", "examples", "thoughts")
#: In place of a prompt that is not the same for every reply.
_OF_THE_DATASET = "Written by the dataset for each reply; the log of the run has every prompt."


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
            **{key: own.get(key) for key in _SETTINGS},
            LEFT_OUT: {key: own[key] for key in ("not_judged", "errors") if own.get(key)},
        },
        arguments=generation_arguments(agent),
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
    asked = own.get("judging", {})
    # Runs of before the prompts of each dataset were listed state one prompt for all.
    before = {"prompts": [{"text": own["judge_prompt"]}]} if "judge_prompt" in own else {}
    return {name: _scoring(model, asked.get(name, before)) for name in own.get("judged", ())}


def _scoring(model: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """``llm_scoring``: the judge, its prompt and its settings."""
    temperatures = asked.get("temperature", [0])
    prompts = [prompt["text"] for prompt in asked.get("prompts", ())]
    judge = {
        "model_info": model,
        **({"temperature": temperatures[0]} if len(temperatures) == 1 else {}),
        "additional_details": texts(
            max_tokens=_one_or_all(asked.get("max_tokens", [])),
            temperatures=temperatures if len(temperatures) > 1 else None,
        ),
    }
    others = asked.get("prompts_of_the_dataset", {})
    return {
        "judges": [{key: value for key, value in judge.items() if value != {}}],
        "input_prompt": "\n\n".join(prompts) or _OF_THE_DATASET,
        "additional_details": texts(
            when="only where the rules of the dataset cannot decide",
            prompt_sha256=_one_or_all(
                [p["sha256"] for p in asked.get("prompts", ()) if "sha256" in p]
            ),
            prompts_of_the_dataset=others.get("number"),
            prompts_of_the_dataset_sha256=others.get("sha256"),
        ),
    }


def _one_or_all(values: Sequence[Any]) -> Any:
    """A value that is the only one, all if they differ, or None."""
    return values[0] if len(values) == 1 else list(values) or None


def generation_arguments(agent: Mapping[str, str]) -> dict[str, Any]:
    """How replies were generated, where it is a number."""
    temperature, tokens = _number(agent.get("temperature")), _number(agent.get("max_tokens"))
    found: dict[str, Any] = {} if temperature is None else {"temperature": temperature}
    return found if tokens is None else {**found, "max_tokens": int(tokens)}


def _number(text: object) -> float | None:
    try:
        return finite(float(str(text)))
    except ValueError:
        return None
