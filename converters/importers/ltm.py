"""Results of the LTM benchmark: the folder of an agent, with the definitions of its run.

``evalmark converse`` uses the same layout and adds ``run.json``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalmark.converters.formats import format_of
from evalmark.converters.importers.converse_run import about_converse_run
from evalmark.converters.importers.model_names import agent_parts, model_name
from evalmark.converters.records.memory_run import (
    CLASS,
    MODEL_ID,
    MemoryRun,
    MemoryTest,
    about_run,
    require_usable,
    run_of_tests,
)
from evalmark.converters.records.run import Run
from evalmark.converters.sources.supplied import producer, said, texts
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.edge.links import without_links
from evalmark.validator.formats.ltm.ltm_run import config_of, load

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


def is_ltm_run(folder: Path) -> bool:
    """Whether a folder is that of an agent: ``<run>/results/<agent>`` beside definitions."""
    return (
        without_links(folder).parent.name == "results"
        and (without_links(folder).parents[1] / "definitions").is_dir()
    )


def read_ltm_run(folder: Path, _: Any, supplied: Supplied) -> Iterator[Run]:
    """The run of an agent, without the results that cannot be used."""
    home = without_links(folder).parents[1]
    tests, unusable = _tests(folder, home)
    config, stats = config_of(home), load(folder / "runstats.json")
    own = load(folder / "run.json")
    if own:
        about = about_converse_run(own, config, stats, folder, supplied)
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
    """The tests of a run, and why a result is left out."""
    tests: list[MemoryTest] = []
    unusable: dict[str, str] = {}
    for path in sorted(folder.glob("*/*.json")):
        if path.parent.name == "unscored":
            continue
        name = f"{path.parent.name}/{path.name}"
        try:
            test = _test(path, home)
            require_usable(test)
            tests.append(test)
        except ConversionError as error:
            unusable[name] = str(error)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            unusable[name] = f"{name} is not a result of a conversation: {error!r}"
    return tests, unusable


def _about(
    folder: Path,
    tests: Sequence[MemoryTest],
    config: Mapping[str, Any],
    stats: Mapping[str, Any],
    supplied: Supplied,
) -> MemoryRun:
    """What is known of a run of the benchmark itself."""
    forms = {str(format_of(test.definition)) for test in tests}
    generation = next((n for n in "12" if f"ltm-definition-{n}" in forms), "3")
    isolated = without_links(folder).parents[1].name.endswith("(isolated)")
    return about_run(
        folder,
        _named(folder.name),
        config,
        stats,
        supplied,
        collection="goodai-ltm",
        producer=producer(
            supplied,
            "GoodAI LTM Benchmark",
            ("goodai-ltm-benchmark", said(supplied, "/eval_library/version") or "unknown"),
        ),
        evaluator=f"as stored by generation {generation} of the benchmark",
        clock="of the benchmark: it jumps, and has no time zone",
        settings={"isolated": True if isolated else None},
        judges=_JUDGES,
    )


def _test(path: Path, home: Path) -> MemoryTest:
    dataset, identity = path.parent.name, path.stem.rpartition("_")[0]
    place = home / "definitions" / dataset / f"{identity}.def.json"
    definition = load(place)
    if not definition:
        raise ConversionError(f"{dataset}/{path.name} has no definition {place.name}")
    result = load(path)
    if not result:
        raise ConversionError(f"{dataset}/{path.name} cannot be read")
    return MemoryTest(dataset, identity, result, definition)


def _named(folder: str) -> dict[str, str | None]:
    """What the folder's name says of the agent; its class stands for a model that is not named."""
    parts = agent_parts(folder)
    others = {key: value for key, value in parts.items() if key != "model"}
    if "model" not in parts:
        return {"model": parts["agent_class"], **others, MODEL_ID: CLASS}
    name = model_name(parts["model"])
    return {"model": name.id, "developer": name.maker, "platform": name.platform, **others}
