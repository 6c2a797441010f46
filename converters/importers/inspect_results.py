"""Results of a log of Inspect: one for each metric of each scorer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from evalmark.converters.importers.inspect_models import judging_of
from evalmark.converters.records.run import Dataset, Result
from evalmark.converters.sources.metric_names import named_metric
from evalmark.converters.sources.node import Node
from evalmark.converters.sources.supplied import finite, sampling, texts
from evalmark.converters.step import JOINED, Supplied

#: What datastores call Inspect.
PROGRAM = "inspect_ai"
LIMITS = ("time_limit", "message_limit", "token_limit")
_HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_SPREAD = frozenset({"stderr", "std", "var", "bootstrap_stderr", "bootstrap_std"})
#: Metrics that say how the values of a scorer are put together, not what they measure.
_AGGREGATES = frozenset({"mean", "median", "min", "max", "nanmean"})
#: Steps of a plan whose template is the prompt.
_PROMPTING = frozenset({"prompt_template", "multiple_choice"})

#: Scorers, and scores within them, whose samples count towards a result.
Keys = tuple[tuple[str, str], ...]


class _About(NamedTuple):
    """What is the same for all results of a log.

    Attributes:
        task: Its name, without that of its package.
        evaluation: What datastores call it.
        stated: What the log says of the data.
    """

    task: str
    evaluation: str
    stated: dict[str, str]
    ids: tuple[str, ...]
    arguments: dict[str, Any]
    supplied: Supplied
    time: int


def results_of(log: Node, supplied: Supplied, time: int) -> Iterator[tuple[Keys, Result]]:
    """Each result, with the scorers and scores within them whose samples count towards it."""
    header, results = log.at("eval"), log.at("results", {})
    completed = results.plain("completed_samples")
    dataset = header.at("dataset", {})
    ids = dataset.value.get("sample_ids")
    is_list = isinstance(ids, list)
    if is_list and on_hub(dataset):
        dataset.plain("sample_ids")
    task = header.text("task").rpartition("/")[2]
    about = _About(
        task=task,
        evaluation=str(header.value.get("task_display_name") or task),
        stated=dataset.rest(),
        ids=tuple(str(entry) for entry in ids or ()) if is_list else (),
        arguments=_arguments(log, header),
        supplied=supplied,
        time=time,
    )
    for score in results.each("scores", []):
        yield from _of_scorer(score, completed, header, about)


def _of_scorer(
    score: Node, completed: Any, header: Node, about: _About
) -> Iterator[tuple[Keys, Result]]:
    name = score.text("name")
    scorer = score.text("scorer", name)
    count = score.plain("scored_samples") or completed
    unscored = score.plain("unscored_samples")
    params = score.plain("params")
    metrics = dict(score.at("metrics", {}).members())
    values = {key: value for key, n in metrics.items()
              if (value := finite(n.plain("value"))) is not None}  # fmt: skip
    # What only says how far scores are spread is a score if there is no other.
    chosen = [key for key in values if key not in _SPREAD] or list(values)
    spread = {key: metrics[key] for key in metrics.keys() & _SPREAD - set(chosen)}
    shared = {
        **score.rest(),
        **texts(scorer=score.plain("scorer"), params=params, unscored_samples=unscored or None),
    }
    for key in chosen:
        own = {k: v for k, v in metrics[key].value.items() if k != "value"}
        yield (
            ((scorer, ""), (scorer, name)),
            Result(
                name=f"{about.task}/{name}/{key}",
                dataset=_dataset(about, count),
                metric=named_metric(
                    key,
                    PROGRAM,
                    f"{key} of the scorer {name} on {about.task}",
                    also=name if key in _AGGREGATES else None,
                    judging=judging_of(scorer, params, header, about.supplied),
                    details=texts(shared, metric=own),
                ),
                score=values[key],
                uncertainty=_uncertainty(spread, count),
                details=texts({k: node.value for k, node in sorted(spread.items())}),
                arguments=about.arguments,
                time=about.time,
                evaluation=about.evaluation,
                key=f"{name}:{key}",
            ),
        )


def _uncertainty(spread: Mapping[str, Node], count: Any) -> dict[str, Any] | None:
    """The analytic error of the mean, or else that by bootstrap; and the deviation."""
    values = {key: finite(node.plain("value")) for key, node in spread.items()}
    found: dict[str, Any] = {}
    for key, method in (("stderr", "analytic"), ("bootstrap_stderr", "bootstrap")):
        if values.get(key) is not None and not found:
            found["standard_error"] = {"value": values[key], "method": method}
    if values.get("std") is not None:
        found["standard_deviation"] = values["std"]
    if isinstance(count, int) and count:
        found["num_samples"] = count
    return found or None


def on_hub(dataset: Node) -> str | None:
    """The repository of the data on the hub, if it is one."""
    place = dataset.value.get("location") or dataset.value.get("name")
    return place if isinstance(place, str) and _HUB.fullmatch(place) else None


def _dataset(about: _About, count: Any) -> Dataset:
    stated = about.stated
    place = stated.get("location") or stated.get("name")
    is_on_hub = place is not None and _HUB.fullmatch(place) is not None
    name, is_joined = stated.get("name"), about.supplied.names == JOINED
    if is_joined:
        # The names of files say little: a task is known by its own.
        is_a_file = bool(stated.get("location")) and not is_on_hub
        name = None if is_a_file or not name else name.rpartition("/")[2]
    known = {"name", "location", "samples"} if name == stated.get("name") else {
        "location", "samples",
    }  # fmt: skip
    if is_on_hub and place == stated.get("name"):
        known.add("name")
    return Dataset(
        name=name or about.task,
        repo=place if is_on_hub else None,
        size=count if isinstance(count, int) else None,
        details=texts(
            {key: value for key, value in stated.items() if key not in known},
            samples_in_all=stated.get("samples"),
            location=None if is_on_hub else place,
        ),
        sample_ids=about.ids if is_on_hub else (),
    )


def _arguments(log: Node, header: Node) -> dict[str, Any]:
    plan = log.value.get("plan") or {}
    given = {**(header.value.get("model_generate_config") or {}), **(plan.get("config") or {})}
    arguments = sampling(given)
    if isinstance(given.get("max_tokens"), int):
        arguments["max_tokens"] = given["max_tokens"]
    if given.get("reasoning_effort") not in (None, "", "none") or given.get("reasoning_tokens"):
        arguments["reasoning"] = True
    steps = [step for step in plan.get("steps") or () if isinstance(step, dict)]
    if template := next(filter(None, map(_template, steps)), None):
        arguments["prompt_template"] = template
    if tools := [tool for step in steps for tool in _tools(step)]:
        arguments["agentic_eval_config"] = {"available_tools": tools}
    if plan.get("steps"):
        arguments["eval_plan"] = {
            "name": str(plan.get("name", "plan")),
            "steps": [json.dumps(step, ensure_ascii=False) for step in plan["steps"]],
            "config": texts(plan.get("config") or {}),
        }
    config = header.value.get("config") or {}
    limits = {key: config[key] for key in LIMITS if type(config.get(key)) is int}
    if limits:
        arguments["eval_limits"] = limits
    return arguments


def _params(step: dict[str, Any]) -> dict[str, Any]:
    params = step.get("params")
    return params if isinstance(params, dict) else {}


def _template(step: dict[str, Any]) -> str | None:
    template = _params(step).get("template") if step.get("solver") in _PROMPTING else None
    return template if isinstance(template, str) else None


def _tools(step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The tools that a step makes available."""
    waiting = [_params(step).get("tools")] if step.get("solver") == "use_tools" else []
    while waiting:
        entry = waiting.pop(0)
        if isinstance(entry, list):
            waiting = [*entry, *waiting]
        elif isinstance(entry, dict) and isinstance(entry.get("name"), str):
            tool: dict[str, Any] = {"name": entry["name"]}
            if isinstance(entry.get("description"), str):
                tool["description"] = entry["description"]
            if isinstance(entry.get("params"), dict) and entry["params"]:
                tool["parameters"] = texts(entry["params"])
            yield tool
