"""Results of the LTM benchmark: the folder of an agent, with the definitions of its run."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.formats import format_of
from evalmark.converters.importers.ltm_own import Own, arguments, judging, settings
from evalmark.converters.importers.supplied import availability, deployment, said, texts
from evalmark.converters.records.run import (
    Answer,
    Dataset,
    Metric,
    Model,
    Producer,
    Run,
    RunResult,
    Sample,
    Turn,
)
from evalmark.converters.records.statistics import mean_uncertainty
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.reading.reading import read

_HEAD = re.compile(r"(Test|Agent|System) \(([-0-9]{10} [0-9:]{8}(?:\.[0-9]+)?)\): ")
_ROLES = {"Test": "user", "Agent": "assistant", "System": "system"}
#: Keys of a result that somebody changed by hand; one published file has the misspelt one.
OVERRIDES = ("auto_score", "auto_reasoning", "auto reasoning", "auto_actual_responses")
#: Datasets whose tests a model judges, or helps to; who it is depends on the benchmark's version.
_JUDGED = {
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
#: Name of the result that sums up the others.
OVERALL = "Overall score"


class Test(NamedTuple):
    """One test of a run: its result and its definition."""

    dataset: str
    id: str
    result: Mapping[str, Any]
    definition: Mapping[str, Any]

    @property
    def score(self) -> float:
        """The score as a share of the greatest one."""
        share: float = self.result["score"] / self.result["max_score"]
        return share


def is_ltm_run(folder: Path) -> bool:
    """Whether a folder is that of an agent: ``<run>/results/<agent>`` beside definitions."""
    return (
        folder.resolve().parent.name == "results"
        and (folder.resolve().parents[1] / "definitions").is_dir()
    )


def read_ltm_run(folder: Path, _: Any, supplied: Supplied) -> Iterator[Run]:
    """The run of an agent.

    Expected responses are those of the definitions: results keep copies of older ones. Scores that
    were set by hand keep the automatic one beside them.

    Raises:
        ConversionError: There are no results, or one has no definition.
    """
    home = folder.resolve().parents[1]
    tests = [
        _test(path, home)
        for path in sorted(folder.glob("*/*.json"))
        if path.parent.parent == folder
    ]
    if not tests:
        raise ConversionError("the folder has no results")
    config = _config(home)
    run_args = config.get("datasets", {}).get("args", {})
    span = run_args.get("memory_span")
    forms = {str(format_of(test.definition)) for test in tests}
    generation = next((n for n in "12" if f"ltm-definition-{n}" in forms), "3")
    datasets = sorted({test.dataset for test in tests})
    grouped = {name: [test for test in tests if test.dataset == name] for name in datasets}
    stats = _load(folder / "runstats.json")
    own = _load(folder / "run.json")
    agent = {**_agent(folder.name), **texts(own.get("agent", {}))}
    limits = {"eval_limits": {"token_limit": span}} if isinstance(span, int) else {}
    limits |= arguments(own)
    run = str(config.get("config", {}).get("run_name") or home.name)
    results = [_dataset_result(name, grouped[name], limits, own) for name in datasets]
    evaluator = f"as stored by generation {generation} of the benchmark"
    clock = "of the benchmark: it jumps, and has no time zone"
    yield Run(
        collection=said(supplied, "/collection") or ("evalmark" if own else "goodai-ltm"),
        time=_began(tests),
        model=Model(
            id=said(supplied, "/model_info/id") or agent["model"],
            name=folder.name,
            developer=said(supplied, "/model_info/developer"),
            deployment=deployment(supplied),
            availability=availability(supplied),
            details=texts({k: v for k, v in agent.items() if k != "model"}),
        ),
        producer=Producer(
            said(supplied, "/source_metadata/source_organization_name"),
            said(supplied, "/source_metadata/evaluator_relationship"),
            "evalmark" if own else "GoodAI LTM Benchmark",
            None
            if own
            else ("goodai-ltm-benchmark", said(supplied, "/eval_library/version") or "unknown"),
        ),
        results=(*results, _overall(grouped, stats, limits)),
        samples=tuple(_sample(test, limits) for test in tests),
        settings=texts(
            {
                "run_name": run,
                "run_folder": home.name,
                "evaluator_version": evaluator,
                "clock": clock,
                **run_args,
                "isolated": True if home.name.endswith("(isolated)") else None,
                **(settings(own) if own else {}),
            }
        ),
    )


def _test(path: Path, home: Path) -> Test:
    dataset, identity = path.parent.name, path.stem.rpartition("_")[0]
    place = home / "definitions" / dataset / f"{identity}.def.json"
    definition = _load(place)
    if not definition:
        raise ConversionError(f"{dataset}/{path.name} has no definition {place.name}")
    result = _load(path)
    if not result:
        raise ConversionError(f"{dataset}/{path.name} cannot be read")
    return Test(dataset, identity, result, definition)


def _load(path: Path) -> dict[str, Any]:
    try:
        reading = read(path.read_bytes(), str(path))
    except OSError:
        return {}
    return reading.data if reading.readable and isinstance(reading.data, dict) else {}


def _config(home: Path) -> dict[str, Any]:
    names = ("config.yml", "config.yaml", "config.json")
    return next((c for name in names if (c := _load(home / "definitions" / name))), {})


def _agent(folder: str) -> dict[str, str]:
    """Class, model, prompt size and variant, as the benchmark writes them into a folder's name."""
    parts = folder.split(" - ")
    found = {"agent_class": parts[0], "model": parts[1] if len(parts) > 1 else parts[0]}
    if len(parts) > 2:
        found["max_prompt_size"] = parts[2]
    if len(parts) > 3:
        found["variant"] = " - ".join(parts[3:])
    # A model's name may be written as a path: together_ai/meta-llama/Llama-3.
    found["model"] = found["model"].replace("__", "/")
    return found


def _began(tests: list[Test]) -> int:
    times = [
        head[2]
        for test in tests
        for line in test.result["task_log"][:1]
        if (head := _HEAD.match(line))
    ]
    if not times:
        raise ConversionError("no result says when its test was run")
    return int(datetime.fromisoformat(min(times)).replace(tzinfo=UTC).timestamp())


def _dataset_result(
    name: str, tests: list[Test], arguments: Mapping[str, Any], own: Own
) -> RunResult:
    scores = [test.score for test in tests]
    overridden = sum(_is_override(test.result) for test in tests)
    return RunResult(
        name=name,
        dataset=Dataset(name),
        metric=Metric(
            f"mean score of the tests of {name}, each as a share of its greatest score",
            name="mean score",
            judging=judging(own, name),
            details={} if own else texts({"judge": _JUDGED.get(name)}),
        ),
        score=statistics.fmean(scores),
        uncertainty=mean_uncertainty(scores),
        details=texts(
            {
                # As the benchmark's report prints it: divided by n, not by n - 1.
                "population_deviation": statistics.pstdev(scores),
                "scores": scores,
                "overridden": overridden or None,
            }
        ),
        arguments=arguments,
    )


def _overall(
    grouped: Mapping[str, list[Test]], stats: Mapping[str, Any], arguments: Mapping[str, Any]
) -> RunResult:
    means = {name: statistics.fmean(t.score for t in tests) for name, tests in grouped.items()}
    deviations = [statistics.pstdev([t.score for t in tests]) for tests in grouped.values()]
    kept = ("agent_costs_usd", "managing_costs_usd", "total_tokens", "agent_tokens", "duration")
    return RunResult(
        name=OVERALL,
        dataset=Dataset("GoodAI LTM Benchmark"),
        metric=Metric(
            "sum of the mean scores of all datasets", name="overall score", bounds=(0, len(means))
        ),
        score=sum(means.values()),
        details=texts(
            {
                "means": means,
                # The report adds the deviations of the datasets up.
                "sum_of_population_deviations": sum(deviations),
                **{key: stats.get(key) for key in kept},
                "overridden": sum(_is_override(t.result) for ts in grouped.values() for t in ts),
            }
        ),
        arguments=arguments,
    )


def _is_override(result: Mapping[str, Any]) -> bool:
    return any(key in result for key in OVERRIDES)


def _sample(test: Test, _: Mapping[str, Any]) -> Sample:
    result, definition = test.result, test.definition
    turns = list(_turns(result["task_log"]))
    script = definition["script"] or [turn.content or "" for turn in turns[:1]]
    asked = list(script)
    if definition["is_temporal"]:
        # The question was made at run time: it is the last thing that was asked.
        last = [turn.content or "" for turn in turns if turn.role == "user"]
        asked += [line for line in last if line not in script][-1:]
    keys = ("tokens", "characters", "needles", "score", "max_score", "reasoning")
    return Sample(
        result=test.dataset,
        id=f"{test.dataset}/{test.id}",
        raw="\n".join(asked),
        reference=tuple(
            entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False)
            for entry in definition["expected_responses"]
        ),
        output=(),
        correct=test.score == 1,
        score=test.score,
        turns=tuple(turns),
        answers=tuple(_answers(result["actual_responses"], turns)),
        metadata=texts(
            {
                **{key: result.get(key) for key in keys},
                **{key.replace(" ", "_"): result.get(key) for key in OVERRIDES},
                "overridden": True if _is_override(result) else None,
                "is_temporal": definition["is_temporal"],
                "uses_callback": definition["uses_callback"],
                "dynamic": not definition["script"],
            }
        ),
    )


def _turns(log: list[str]) -> Iterator[Turn]:
    for line in log:
        head = _HEAD.match(line)
        if head is None:
            raise ConversionError("a line of task_log has no speaker")
        yield Turn(_ROLES[head[1]], line[head.end() :])


def _answers(responses: list[str], turns: list[Turn]) -> Iterator[Answer]:
    """Where each response stands; one that was edited by hand stands nowhere, and is left out."""
    at = 0
    for index, response in enumerate(responses):
        found = next(
            (i for i in range(at, len(turns)) if turns[i] == Turn("assistant", response)), None
        )
        if found is None:
            continue
        at = found + 1
        terminal = index == len(responses) - 1
        yield Answer(found, f"messages[{found}].content", response, "whole message", terminal)
