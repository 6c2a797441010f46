"""Logs of Inspect (UK AISI), written as JSON or as ``.eval``: the run and its results.

The samples are in ``inspect_samples``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from evalmark.converters.importers.inspect_models import judging_of, model_of
from evalmark.converters.importers.inspect_samples import Scored, read_samples
from evalmark.converters.records.run import Dataset, Metric, Result, Run, SampleStream
from evalmark.converters.sources.archive import Archive, open_archive
from evalmark.converters.sources.documents import parsed
from evalmark.converters.sources.elements import elements
from evalmark.converters.sources.node import Node, Piece
from evalmark.converters.sources.supplied import (
    finite,
    producer,
    said,
    sampling,
    texts,
)
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.edge.opening import open_regular

_HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_SPREAD = frozenset({"stderr", "std", "var", "bootstrap_stderr", "bootstrap_std"})
_LIMITS = ("time_limit", "message_limit", "token_limit")
#: What identifies a run or describes it.
_ABOUT = (
    "eval_id", "eval_set_id", "run_id", "task_id", "created", "task_display_name", "task_file",
    "task_registry_name", "tags", "metadata",
)  # fmt: skip
#: Bytes from which a log is read piece by piece, and how Inspect begins one.
LARGE = 1 << 24
_BEGINNING = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:')
_JOURNAL = "_journal/"
_REDUCTIONS = "reductions.json"
_SUMMARIES = "summaries.json"
_REDUCED = "they follow from the scores of the samples"
_SUMMED = "the header and the samples say it"


def is_inspect_log(data: Mapping[str, Any]) -> bool:
    """Whether parsed data is a log."""
    return {"eval", "status"} <= data.keys() and isinstance(data["eval"], dict)


def is_large_log(path: Path) -> bool:
    """Whether a file is a log that is better read piece by piece; it has not been parsed."""
    if path.suffix != ".json" or path.stat().st_size < LARGE:
        return False
    with open_regular(path) as file:
        return _BEGINNING.match(file.read(256)) is not None


def _read_large(path: Path, supplied: Supplied) -> Run:
    """The run of a log whose samples are read one by one, twice: what follows them is needed."""
    left_out: Counter[str] = Counter()
    others: dict[str, Node] = {}
    for _ in elements(path, "samples", path.name, Counter(), others):
        pass
    log = Node(
        {key: node.value for key, node in others.items()}, Piece(path.name, left_out=left_out)
    )
    return _run(log, lambda: elements(path, "samples", path.name, left_out, {}), supplied)


def read_inspect(path: Path, data: Any, supplied: Supplied) -> Iterator[Run]:
    """The run of a log that is written as JSON; a large one has not been parsed."""
    if data is None:
        yield _read_large(path, supplied)
        return
    left_out: Counter[str] = Counter()
    name = path.name
    log = Node(data, Piece(name, left_out=left_out))
    samples = log.plain("samples") or []

    def read() -> Iterator[Node]:
        origin = Piece(name, at="/samples", left_out=left_out)
        return Node(samples, origin).entries()

    yield _run(log, read, supplied)


def read_inspect_archive(path: Path, _: Any, supplied: Supplied) -> Iterator[Run]:
    """The run of a log that is written as a zip file: ``.eval``."""
    left_out: Counter[str] = Counter()
    name = path.name
    with open_archive(path, name) as archive:
        if "header.json" not in archive.names:
            raise ConversionError(f"{name}: no header.json: the evaluation has not ended")
        log = parsed(archive.read("header.json"), "header.json", left_out)
        ordered = _ordered(archive)
        for member in (_REDUCTIONS, _SUMMARIES, *_journal(archive.names)):
            if member in archive.names:
                read = parsed(archive.read(member), member, left_out)
                file = f"{_JOURNAL}*" if member.startswith(_JOURNAL) else member
                read.skip_all(why=_REDUCED if member == _REDUCTIONS else _SUMMED, file=file)

    def read_all() -> Iterator[Node]:
        with open_archive(path, name) as archive:
            for member in ordered:
                yield parsed(archive.read(member), member, left_out, kind="samples/*.json")

    yield _run(log, read_all, supplied)


def _ordered(archive: Archive) -> list[str]:
    """The members that are samples, in the order that they have when Inspect writes JSON."""
    found = [n for n in archive.names if n.startswith("samples/") and n.endswith(".json")]
    places: dict[str, tuple[int, str]] = {}
    if _SUMMARIES in archive.names:
        for entry in parsed(archive.read(_SUMMARIES), _SUMMARIES, Counter()).entries():
            identity, epoch = entry.at("id").value, entry.whole("epoch", 1)
            key = identity if isinstance(identity, str) else str(identity).zfill(20)
            places[f"samples/{identity}_epoch_{epoch}.json"] = (epoch, key)
    return sorted(found, key=lambda name: places.get(name, (1 << 60, "")))


def _journal(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if name.startswith(_JOURNAL) and name.endswith(".json")]


def _run(log: Node, samples: Callable[[], Iterator[Node]], supplied: Supplied) -> Run:
    """The run of a log; all times come from it."""
    status = log.text("status")
    if status != "success":
        raise ConversionError(f"the evaluation ended as {status}: its scores are incomplete")
    header = log.at("eval")
    task = header.text("task").rpartition("/")[2]
    results = list(_results(task, log))
    if not results:
        raise ConversionError("the log has no score")
    # Samples count towards the first result of their scorer, or of the score within it.
    scored = {
        key: Scored(r.name, r.name.split("/")[1]) for keys, r in reversed(results) for key in keys
    }
    packages = header.at("packages", {}).value
    model = header.text("model")
    log.skip("reductions", why=_REDUCED)
    about = _about(log, header)
    epochs = header.at("config", {}).whole("epochs", 1)
    created = header.at("created")
    try:
        time = int(datetime.fromisoformat(created.value).timestamp())
    except (TypeError, ValueError):
        created.wrong("a time as ISO 8601 writes it")
    return Run(
        collection=said(supplied, "/collection") or "inspect",
        time=time,
        model=model_of(model, supplied),
        producer=producer(
            supplied,
            "Inspect",
            ("inspect_ai", str(packages.get("inspect_ai") or "unknown")),
            details=about,
        ),
        results=tuple(result for _, result in results),
        samples=SampleStream(lambda: read_samples(samples(), scored, model, epochs)),
        settings=_settings(log, header),
        left_out=log.origin.left_out,
    )


def _about(log: Node, header: Node) -> dict[str, str]:
    """What identifies the run and what it took: the numbers do not depend on it."""
    results = log.at("results", {})
    results.plain("scores")
    named = {f"eval.{key}": header.plain(key) for key in _ABOUT}
    for key in ("eval", "plan", "samples", "reductions", "status"):
        log.plain(key)
    return {
        **texts(named),
        **log.at("stats", {}).rest("stats."),
        **results.rest("results."),
        **log.rest("log."),
    }


def _settings(log: Node, header: Node) -> dict[str, str]:
    """Everything that the numbers may depend on, and that has no place of its own."""
    config = header.at("config", {})
    for key in _LIMITS:
        if type(config.value.get(key)) is int:
            config.plain(key)  # is in eval_limits
    plan = log.at("plan", {})
    for key in ("name", "steps", "config"):
        plan.plain(key)
    packages = header.plain("packages")
    header.plain("dataset")  # is in the source data
    return {
        **header.rest(),
        **config.rest(),
        **texts(packages=packages),
        **plan.rest("plan."),
    }


Keys = tuple[tuple[str, str], ...]


def _results(task: str, log: Node) -> Iterator[tuple[Keys, Result]]:
    """Each result, with the scorers and scores within them whose samples count towards it."""
    header, results = log.at("eval"), log.at("results", {})
    completed = results.plain("completed_samples")
    dataset = header.at("dataset", {})
    stated = dataset.rest()
    arguments = _arguments(log, header)
    for score in results.each("scores", []):
        name = score.text("name")
        scorer = score.text("scorer", name)
        count = score.plain("scored_samples") or completed
        unscored = score.plain("unscored_samples")
        params = score.plain("params")
        metrics = dict(score.at("metrics", {}).members())
        spread = {key: metrics[key] for key in metrics.keys() & _SPREAD}
        judging = judging_of(scorer, params, header)
        more = score.rest()
        for key, metric in metrics.items():
            value = finite(metric.plain("value"))
            if key in _SPREAD or value is None:
                continue
            is_share = key == "accuracy"
            yield (
                ((scorer, ""), (scorer, name)),
                Result(
                    name=f"{task}/{name}/{key}",
                    dataset=_dataset(task, stated, count),
                    metric=Metric(
                        description=f"{key} of the scorer {name} on {task}",
                        name=key,
                        bounds=(0, 1) if is_share else None,
                        judging=judging,
                        details=texts(
                            more,
                            scorer=score.plain("scorer"),
                            params=params,
                            unscored_samples=unscored or None,
                            metric={k: v for k, v in metric.value.items() if k != "value"},
                            bounds=None if is_share else "unknown",
                            lower_is_better=None if is_share else "not stated by the log",
                        ),
                    ),
                    score=value,
                    uncertainty=_uncertainty(spread, count),
                    details=texts({k: node.value for k, node in sorted(spread.items())}),
                    arguments=arguments,
                ),
            )


def _uncertainty(spread: Mapping[str, Node], count: Any) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    error = finite(spread["stderr"].plain("value")) if "stderr" in spread else None
    if error is not None:
        found["standard_error"] = {"value": error, "method": "analytic"}
    if isinstance(count, int) and count:
        found["num_samples"] = count
    return found or None


def _dataset(task: str, stated: dict[str, str], count: Any) -> Dataset:
    place = stated.get("location") or stated.get("name")
    on_hub = place is not None and _HUB.fullmatch(place) is not None
    return Dataset(
        name=stated.get("name") or task,
        repo=place if on_hub else None,
        size=count if isinstance(count, int) else None,
        details=texts(
            {
                key: value
                for key, value in stated.items()
                if key not in ("name", "location", "samples")
            },
            samples_in_all=stated.get("samples"),
            location=None if on_hub else place,
        ),
    )


def _arguments(log: Node, header: Node) -> dict[str, Any]:
    plan = log.value.get("plan") or {}
    given = {**(header.value.get("model_generate_config") or {}), **(plan.get("config") or {})}
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
    config = header.value.get("config") or {}
    limits = {key: config[key] for key in _LIMITS if type(config.get(key)) is int}
    if limits:
        arguments["eval_limits"] = limits
    return arguments
