"""Logs of Inspect (UK AISI), written as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from evalmark.converters.importers.supplied import (
    availability,
    deployment,
    finite,
    producer,
    said,
    sampling,
    texts,
)
from evalmark.converters.records.run import (
    Answer,
    Dataset,
    Metric,
    Model,
    Result,
    Run,
    Sample,
    Turn,
)
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConversionError

#: Providers that serve the models of their own makers.
_MAKERS = frozenset({"openai", "anthropic", "google", "mistral", "grok", "perplexity"})
#: Providers that run weights where the evaluation runs.
_LOCAL = frozenset({"hf", "vllm", "sglang", "ollama", "llama-cpp-python", "transformer_lens"})
#: Ways to a maker's models that are not part of a model's name.
_SERVICES = frozenset({"azure", "bedrock", "vertex"})
_HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_SPREAD = frozenset({"stderr", "std", "var", "bootstrap_stderr", "bootstrap_std"})
#: Letters that Inspect's scorers give, and what they are worth.
_VALUES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_SETTINGS = ("task", "task_version", "task_args", "model_args", "revision")
_LIMITS = ("time_limit", "message_limit", "token_limit")


def read_inspect(_: Path, data: Mapping[str, Any], supplied: Supplied) -> Iterator[Run]:
    """The run of a log; all times come from it."""
    if data["status"] != "success":
        raise ConversionError(
            f"the evaluation ended as {data['status']}: its scores are incomplete"
        )
    header = data["eval"]
    task = str(header["task"]).rpartition("/")[2]
    results = list(_results(task, data, supplied))
    if not results:
        raise ConversionError("the log has no score")
    # Samples count towards the first result of their scorer.
    by_scorer = dict(reversed(results))
    packages = header.get("packages") or {}
    yield Run(
        collection=said(supplied, "/collection") or "inspect",
        time=int(datetime.fromisoformat(header["created"]).timestamp()),
        model=_model(str(header["model"]), supplied),
        producer=producer(
            supplied, "Inspect", ("inspect_ai", str(packages.get("inspect_ai") or "unknown"))
        ),
        results=tuple(result for _, result in results),
        samples=tuple(_samples(data, by_scorer)),
        settings=texts(
            {
                **{key: header.get(key) for key in _SETTINGS},
                **{k: v for k, v in (header.get("config") or {}).items() if k not in _LIMITS},
                "packages": packages,
            }
        ),
    )


def _model(name: str, supplied: Supplied) -> Model:
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


def _results(
    task: str, data: Mapping[str, Any], supplied: Supplied
) -> Iterator[tuple[str, Result]]:
    header, results = data["eval"], data.get("results") or {}
    for score in results.get("scores") or ():
        metrics = score.get("metrics") or {}
        count = score.get("scored_samples") or results.get("completed_samples")
        error = finite((metrics.get("stderr") or {}).get("value"))
        for name, metric in metrics.items():
            value = finite(metric.get("value"))
            if name in _SPREAD or value is None:
                continue
            is_share = name == "accuracy"
            uncertainty: dict[str, Any] = {}
            if error is not None:
                uncertainty["standard_error"] = {"value": error, "method": "analytic"}
            if isinstance(count, int) and count:
                uncertainty["num_samples"] = count
            yield (
                str(score.get("scorer") or score["name"]),
                Result(
                    name=f"{task}/{score['name']}/{name}",
                    dataset=_dataset(task, header, count),
                    metric=Metric(
                        description=f"{name} of the scorer {score['name']} on {task}",
                        name=name,
                        bounds=(0, 1) if is_share else None,
                        judging=_judging(score, header, supplied),
                        details=texts(
                            scorer=score.get("scorer"),
                            params=score.get("params"),
                            unscored_samples=score.get("unscored_samples") or None,
                            bounds=None if is_share else "unknown",
                            lower_is_better=None if is_share else "not stated by the log",
                        ),
                    ),
                    score=value,
                    uncertainty=uncertainty or None,
                    arguments=_arguments(data),
                ),
            )


def _dataset(task: str, header: Mapping[str, Any], count: Any) -> Dataset:
    dataset = header.get("dataset") or {}
    place = dataset.get("location") or dataset.get("name")
    on_hub = isinstance(place, str) and _HUB.fullmatch(place) is not None
    return Dataset(
        name=str(dataset.get("name") or task),
        repo=place if on_hub else None,
        size=count if isinstance(count, int) else None,
        details=texts(
            samples_in_all=dataset.get("samples"),
            shuffled=dataset.get("shuffled"),
            location=None if on_hub else place,
        ),
    )


def _judging(
    score: Mapping[str, Any], header: Mapping[str, Any], supplied: Supplied
) -> dict[str, Any] | None:
    if not str(score.get("scorer") or score.get("name")).startswith("model_graded"):
        return None
    params = score.get("params") or {}
    role = (header.get("model_roles") or {}).get("grader") or {}
    name = params.get("model") or (role.get("model") if isinstance(role, dict) else role)
    # Without a grader of its own, Inspect lets the evaluated model grade itself.
    models = name if isinstance(name, list) else [name or header["model"]]
    judges = []
    for judge in models:
        model = _model(str(judge), supplied)
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


def _arguments(data: Mapping[str, Any]) -> dict[str, Any]:
    plan, header = data.get("plan") or {}, data["eval"]
    given = {**(header.get("model_generate_config") or {}), **(plan.get("config") or {})}
    arguments = sampling(given)
    if isinstance(given.get("max_tokens"), int):
        arguments["max_tokens"] = given["max_tokens"]
    if given.get("reasoning_effort") or given.get("reasoning_tokens"):
        arguments["reasoning"] = True
    if plan.get("steps"):
        arguments["eval_plan"] = {
            "name": str(plan.get("name", "plan")),
            "steps": [json.dumps(step, ensure_ascii=False) for step in plan["steps"]],
            "config": texts(plan.get("config") or {}),
        }
    config = header.get("config") or {}
    limits = {key: config[key] for key in _LIMITS if isinstance(config.get(key), int)}
    if limits:
        arguments["eval_limits"] = limits
    return arguments


def _samples(data: Mapping[str, Any], results: Mapping[str, Result]) -> Iterator[Sample]:
    epochs = (data["eval"].get("config") or {}).get("epochs") or 1
    for sample in data.get("samples") or ():
        for scorer, score in (sample.get("scores") or {}).items():
            result = results.get(scorer)
            value = _value(score.get("value"))
            if result is not None and value is not None:
                yield _sample(sample, score, value, result, epochs, data)


def _sample(
    sample: Mapping[str, Any],
    score: Mapping[str, Any],
    value: float,
    result: Result,
    epochs: int,
    data: Mapping[str, Any],
) -> Sample:
    turns = tuple(_turns(sample))
    talks = sum(turn.role == "assistant" for turn in turns) > 1 or any(
        turn.role == "tool" for turn in turns
    )
    output = sample.get("output") or {}
    first = (output.get("choices") or [{}])[0]
    completion = _content(first.get("message", {}).get("content"), sample)
    answer = score.get("answer")
    answers: tuple[Answer, ...] = ()
    if isinstance(answer, str) and answer:
        turn = max((i for i, t in enumerate(turns) if t.role == "assistant"), default=0)
        place = f"messages[{turn}].content" if talks else "output.raw"
        answers = (Answer(turn if talks else 0, place, answer, result.name.split("/")[1]),)
    usage = (sample.get("model_usage") or {}).get(data["eval"]["model"])
    counts = tuple((usage or {}).get(f"{kind}_tokens") for kind in ("input", "output", "total"))
    seconds = finite(output.get("time"))
    epoch = sample.get("epoch", 1)
    error = sample.get("error")
    return Sample(
        result=result.name,
        id=f"{sample['id']}#{epoch}" if epochs > 1 else str(sample["id"]),
        raw=_question(sample),
        reference=_references(sample.get("target")),
        output=() if talks else (completion or "",),
        correct=value == 1,
        score=value,
        turns=turns if talks else (),
        answers=answers,
        choices=tuple(str(choice) for choice in sample.get("choices") or ()),
        usage=counts if all(isinstance(c, int) for c in counts) else None,  # type: ignore[arg-type]
        milliseconds=None if seconds is None or talks else 1000 * seconds,
        error=str(error.get("message")) if isinstance(error, dict) else None,
        metadata=texts(
            sample.get("metadata") or {},
            epoch=epoch if epochs > 1 else None,
            explanation=score.get("explanation"),
            value=score.get("value"),
            **{key: sample.get(key) for key in ("total_time", "working_time", "uuid")},
        ),
    )


def _turns(sample: Mapping[str, Any]) -> Iterator[Turn]:
    for message in sample.get("messages") or ():
        calls = tuple(
            {"id": c["id"], "name": c["function"], "arguments": c.get("arguments") or {}}
            for c in message.get("tool_calls") or ()
        )
        content = _content(message.get("content"), sample)
        yield Turn(str(message["role"]), content, calls, message.get("tool_call_id"))


def _content(content: Any, sample: Mapping[str, Any]) -> str | None:
    """The text of a message: parts joined, attachments followed."""
    if isinstance(content, list):
        parts = [part.get("text") or part.get("reasoning") or "" for part in content]
        content = "\n".join(part for part in parts if part)
    if isinstance(content, str) and content.startswith("attachment://"):
        stored = (sample.get("attachments") or {}).get(content.removeprefix("attachment://"))
        return stored if isinstance(stored, str) else content
    return content if isinstance(content, str) else None


def _question(sample: Mapping[str, Any]) -> str:
    given = sample.get("input")
    if isinstance(given, list):
        return "\n".join(_content(message.get("content"), sample) or "" for message in given)
    return _content(given, sample) or ""


def _references(target: Any) -> tuple[str, ...]:
    if isinstance(target, list):
        return tuple(str(entry) for entry in target)
    return (str(target),) if target not in (None, "") else ()


def _value(value: Any) -> float | None:
    if isinstance(value, str):
        return _VALUES.get(value)
    return float(value) if isinstance(value, bool) else finite(value)
