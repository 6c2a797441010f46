"""Results of the LTM benchmark: the folder of an agent, with the definitions of its run.

``evalmark memory`` uses the same layout and adds ``run.json``: what it says, in the words of a
record, is here too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from evalmark.converters.formats import conversion_format_of
from evalmark.converters.importers.imported import ImportSource
from evalmark.converters.importers.model_names import agent_parts, model_name
from evalmark.converters.records.run import Run
from evalmark.converters.sources.placed_values import Node, Piece
from evalmark.converters.sources.supplied import finite, producer, supplied_text, texts
from evalmark.converters.step import Supplied
from evalmark.memory.converters.memory_run import (
    CLASS,
    MODEL_ID,
    MemoryRun,
    MemoryTest,
    ResultFile,
    about_run,
    require_shape,
    require_usable,
    results_in,
    run_of_tests,
)
from evalmark.schemas.errors import ConversionError, ScoringError
from evalmark.scoring.comparison.compared_run import LEFT_OUT
from evalmark.validator.formats.ltm.ltm_run import config_of, load_of_run
from evalmark.validator.io.escaping import shown
from evalmark.validator.io.paths import without_links

#: Datasets whose tests a model judges, or helps to; who it is depends on the benchmark's version.
_JUDGES = {
    "Delayed Recall": "a model judges each answer",
    "Instruction Recall": "a model judges each answer",
    "How to Think": "a model judges each answer",
    "Conflicting Personal Information": "a model judges each answer",
    "Locations": "a model judges each answer",
    "Locations Directions": "a model writes the answer down as steps, which are then walked",
    "Restaurant": "models play the waiter and judge each of five things",
    "Jokes": "a model judges answers that do not hold the joke word for word",
    "Trigger Response": "a model looks for the response where no rule finds it",
}
#: The settings in a record on how the tests were run.
_SETTINGS = (
    "mode", "memory_span", "seed", "examples", "thoughts", "benchmark", "max_messages",
    "max_seconds",
)  # fmt: skip
#: Name of a number in ``runstats.json`` -> in ``run.json``, where a cost can be unknown.
_TOTALS = {
    "agent_costs_usd": "agent_cost",
    "managing_costs_usd": "judge_cost",
    "total_tokens": "tokens",
    "agent_tokens": "agent_tokens",
    "duration": "seconds",
}
#: In place of a prompt that is not the same for every reply.
_OF_THE_DATASET = "Written by the dataset for each reply; the log of the run has every prompt."


def read_ltm_run(source: ImportSource) -> Iterator[Run]:
    """The run of an agent, without the results that cannot be used."""
    folder, supplied = source.path, source.supplied
    home = without_links(folder).parents[1]
    tests, unusable = _tests(folder, home)
    config, stats = config_of(home), load_of_run(folder / "runstats.json")
    run_file = load_of_run(folder / "run.json")
    if run_file:
        about = about_converse_run(run_file, config, stats, folder, supplied)
    else:
        about = _about(folder, tests, config, stats, supplied)
    if not tests and unusable:
        raise ConversionError(f"no result can be used: {next(iter(unusable.values()))}")
    if unusable:
        about = replace(
            about, settings={**about.settings, **texts(unusable_results=list(unusable))}
        )
    yield replace(run_of_tests(tests, about), unusable=unusable)


def _tests(folder: Path, home: Path) -> tuple[list[MemoryTest], dict[str, str]]:
    tests: list[MemoryTest] = []
    unusable: dict[str, str] = {}
    for file in results_in(folder, home):
        name = f"{file.dataset}/{file.path.name}"
        try:
            test = _test(file, name)
            require_usable(test)
            tests.append(test)
        except (ConversionError, ScoringError) as error:
            unusable[name] = str(error).removeprefix(f"{folder}{os.sep}")
    return tests, unusable


def _about(
    folder: Path,
    tests: Sequence[MemoryTest],
    config: Mapping[str, Any],
    stats: Mapping[str, Any],
    supplied: Supplied,
) -> MemoryRun:
    forms = {str(conversion_format_of(test.definition)) for test in tests}
    generation = next((n for n in "12" if f"ltm-definition-{n}" in forms), "3")
    isolated = without_links(folder).parents[1].name.endswith("(isolated)")
    return about_run(
        folder,
        _agent_of_folder(folder.name),
        config,
        stats,
        supplied,
        collection="goodai-ltm",
        producer=producer(
            supplied,
            "GoodAI LTM Benchmark",
            ("goodai-ltm-benchmark", supplied_text(supplied, "library_version") or "unknown"),
        ),
        evaluator=f"as stored by generation {generation} of the benchmark",
        clock="of the benchmark: it jumps, and has no time zone",
        settings={"isolated": True if isolated else None},
        judges=_JUDGES,
    )


def _test(file: ResultFile, name: str) -> MemoryTest:
    test = file.test()
    if not test.definition:
        raise ConversionError(f"{name} has no definition {file.defined_in.name}")
    try:
        require_shape(test)
    except ConversionError as error:
        raise ConversionError(f"{name} is not a result of a conversation: {error}") from error
    return test


def _agent_of_folder(folder: str) -> dict[str, str | None]:
    """The agent by the folder's name; its class stands for a model that is not named."""
    parts = agent_parts(folder)
    others = {key: value for key, value in parts.items() if key != "model"}
    if "model" not in parts:
        return {"model": parts["agent_class"], **others, MODEL_ID: CLASS}
    name = model_name(parts["model"])
    return {"model": name.id, "developer": name.maker, "platform": name.platform, **others}


def about_converse_run(
    run_file: Mapping[str, Any],
    config: Mapping[str, Any],
    stats: Mapping[str, Any],
    folder: Path,
    supplied: Supplied,
) -> MemoryRun:
    """The description of a run of ours: ``run.json``, ``config.json`` and ``runstats.json``.

    The folder is ``<run>/results/<agent>``; a dataset that is not the benchmark's has no config.
    """
    run = Node(run_file, Piece("run.json"))
    name = run.at("agent").text("model")
    agent = texts(run.at("agent").fields)
    totals = run.at("totals", {}).fields
    return about_run(
        folder,
        {"model": name, "agent_class": agent.get("kind"), **agent},
        config,
        {key: totals.get(total) for key, total in _TOTALS.items()} if totals else stats,
        supplied,
        time=_timestamp(run.at("began").value) if run.has("began") else None,
        producer=producer(supplied),
        evaluator=run_file.get("evaluator"),
        clock="of the run, in UTC: it jumps where a test waits",
        settings={
            **{key: run_file.get(key) for key in _SETTINGS},
            LEFT_OUT: {key: run_file[key] for key in ("not_judged", "errors") if run_file.get(key)},
        },
        arguments=generation_arguments(agent),
        judging=_judging(run),
    )


def _timestamp(began: object) -> int:
    try:
        return int(datetime.fromisoformat(str(began)).timestamp())
    except ValueError:
        raise ConversionError(f"`began` of run.json is {shown(str(began))}, not a date") from None


def _judging(run: Node) -> dict[str, dict[str, Any]]:
    judge = run.at("judge", {})
    if not judge.fields:
        return {}
    name = judge.text("model")
    model = {
        "name": name,
        "id": name,
        "additional_details": texts(
            {key: value for key, value in judge.fields.items() if key != "model"},
            models_named_by_datasets=run.plain("judge_models"),
        ),
    }
    judging = run.at("judging", {})
    judged = [str(entry.value) for entry in run.each("judged", [])]
    return {name: _scoring(model, judging.at(name, {})) for name in judged}


def _scoring(model: Mapping[str, Any], judging: Node) -> dict[str, Any]:
    temperatures = [entry.value for entry in judging.each("temperature", [0])]
    prompts = list(judging.each("prompts", []))
    judge = {
        "model_info": model,
        **({"temperature": temperatures[0]} if len(temperatures) == 1 else {}),
        "additional_details": texts(
            max_tokens=_one_or_all([entry.value for entry in judging.each("max_tokens", [])]),
            temperatures=temperatures if len(temperatures) > 1 else None,
        ),
    }
    others = judging.at("prompts_of_the_dataset", {}).fields
    return {
        "judges": [{key: value for key, value in judge.items() if value != {}}],
        "input_prompt": "\n\n".join(prompt.text("text") for prompt in prompts) or _OF_THE_DATASET,
        "additional_details": texts(
            when="only where the rules of the dataset cannot decide",
            prompt_sha256=_one_or_all([p.plain("sha256") for p in prompts if p.has("sha256")]),
            prompts_of_the_dataset=others.get("number"),
            prompts_of_the_dataset_sha256=others.get("sha256"),
        ),
    }


def _one_or_all(values: Sequence[Any]) -> Any:
    return values[0] if len(values) == 1 else list(values) or None


def generation_arguments(agent: Mapping[str, str]) -> dict[str, Any]:
    """The settings of generation that are numbers."""
    temperature, tokens = _number(agent.get("temperature")), _number(agent.get("max_tokens"))
    arguments: dict[str, Any] = {} if temperature is None else {"temperature": temperature}
    return arguments if tokens is None else {**arguments, "max_tokens": int(tokens)}


def _number(text: object) -> float | None:
    try:
        return finite(float(str(text)))
    except ValueError:
        return None
