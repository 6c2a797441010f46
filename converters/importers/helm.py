"""Run folders of HELM: what was run, and its scores. The samples are in ``helm_samples``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalmark.converters.importers.helm_samples import (
    MainScore,
    earliest,
    first_top_p,
    read_samples,
)
from evalmark.converters.records.run import Dataset, Model, Result, Run, SampleStream
from evalmark.converters.sources.documents import document
from evalmark.converters.sources.elements import elements
from evalmark.converters.sources.metric_names import named_metric
from evalmark.converters.sources.node import Node
from evalmark.converters.sources.supplied import (
    availability,
    deployment,
    producer,
    said,
    texts,
    time_of,
)
from evalmark.converters.step import JOINED, Supplied, as_text
from evalmark.schemas.errors import ConversionError

#: Statistics of a run that are no scores: what was asked, what it cost, how it ended.
_COUNTS = ("num_", "finish_reason_", "training_", "inference_")
_OTHER_COUNTS = frozenset({
    "batch_size", "estimated_num_tokens_cost", "max_prob", "predicted_index", "prompt_truncated",
})  # fmt: skip
_FILES = ("run_spec.json", "stats.json")


def is_helm_run(folder: Path) -> bool:
    """Whether a folder is that of a run of HELM, whole or not."""
    return (folder / _FILES[0]).is_file() and any(
        (folder / name).is_file()
        for name in (*_FILES[1:], "scenario_state.json", "per_instance_stats.json")
    )


def read_helm(folder: Path, _: Any, supplied: Supplied) -> Iterator[Run]:
    """The run of a folder. HELM's version is not in it."""
    left_out: Counter[str] = Counter()
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise ConversionError(f"the run has no {missing[0]}, so no scores")
    spec = document(folder / "run_spec.json", "run_spec.json", left_out)
    scenario = _scenario(folder, left_out)
    adapter = spec.at("adapter_spec")
    model = _model(adapter, supplied)
    arguments = {
        "temperature": adapter.number("temperature", None),
        "max_tokens": adapter.whole("max_tokens", None),
        "top_p": first_top_p(folder),
    }
    state = _state(folder, adapter, left_out)
    settings = {**_settings(spec, adapter), **state}
    stats = list(elements(folder / "stats.json", None, "stats.json", left_out, {}))
    read = [_Stat(stat) for stat in stats]
    name = spec.text("name").partition(":")
    task = f"{scenario.text('name', name[0])}{_arguments_of(spec)}"
    dataset = (scenario.text("name", name[0]), texts(_described(scenario), task=task))
    sizes = {stat.group: stat.mean for stat in read if stat.name == "num_instances"}
    time, is_joined = time_of(supplied, earliest(folder)), supplied.names == JOINED
    scores = [stat for stat in read if stat.is_score]
    results = []
    for stat, key in zip(scores, _keys(scores), strict=True):
        size = sizes.get(stat.group, sizes.get(stat.instances))
        result = _result(stat, task, dataset, size, arguments)
        results.append(replace(result, time=time, evaluation=dataset[0], key=key))
    if not results:
        raise ConversionError("stats.json has no score that is a number")
    counts = {f"stats/{stat.place}": as_text(stat.rest()) for stat in read if not stat.is_score}
    counted: dict[str, list[MainScore]] = {}
    pairs = list(zip(scores, results, strict=True))
    if not is_joined:  # by the first score that will not be left out
        pairs.sort(key=lambda pair: pair[1].metric.lower_is_better is None)
    for stat, result in pairs:
        counted.setdefault(stat.group, []).append(MainScore(stat.name, result.name))
    if not is_joined:
        counted = {group: found[:1] for group, found in counted.items()}
    unscored: list[str] = []
    library = "helm" if is_joined else "crfm-helm"
    yield Run(
        collection=said(supplied, "/collection") or dataset[0],
        time=time,
        model=model,
        producer=producer(supplied, "HELM", (library, _version(supplied)), details=counts),
        results=tuple(results),
        samples=SampleStream(lambda: read_samples(folder, counted, left_out, unscored)),
        settings=settings,
        left_out=left_out,
        unscored=unscored,
        is_joined=is_joined,
    )


def _keys(scores: list[_Stat]) -> list[str]:
    """The id of each score: its metric, and what it is about as far as that tells them apart."""
    found: list[str] = []
    for stat in scores:
        short, whole = f"{stat.name}:{stat.about}".rstrip(":"), f"{stat.name}:{stat.group}"
        found.append(short if short not in found else whole.replace("/", ":"))
    return found


def _version(supplied: Supplied) -> str:
    return said(supplied, "/eval_library/version") or "unknown"


def _scenario(folder: Path, left_out: Counter[str]) -> Node:
    path = folder / "scenario.json"
    if path.is_file():
        return document(path, "scenario.json", left_out)
    raise ConversionError("the run has no scenario.json, which names its data")


def _described(scenario: Node) -> dict[str, str]:
    return {f"scenario.{key}": value for key, value in scenario.rest().items()}


def _arguments_of(spec: Node) -> str:
    """What distinguishes the scenario from others of its class: ``:subject=philosophy``."""
    given = spec.at("scenario_spec", {}).at("args", {})
    words = [f"{key}={as_text(value.value)}" for key, value in given.members()]
    return f":{','.join(words)}" if words else ""


def _model(adapter: Node, supplied: Supplied) -> Model:
    stated = adapter.text("model")
    place = adapter.text("model_deployment", stated)
    maker, slash, name = stated.partition("/")
    host = place.partition("/")[0]
    # HELM's own client loads weights with transformers; a maker's name is its own service.
    known = "self_deployed" if host == "huggingface" else "unknown"
    if slash and host == maker and place != stated:
        known = "externally_managed"
    return Model(
        id=said(supplied, "/model_info/id") or stated,
        name=name or stated,
        developer=said(supplied, "/model_info/developer", maker if slash else None),
        platform=host if host != "huggingface" else None,
        engine=("transformers", "") if host == "huggingface" else None,
        deployment=deployment(supplied, known),
        availability=availability(supplied),
        details={"helm_model": stated, "helm_model_deployment": place},
    )


def _settings(spec: Node, adapter: Node) -> dict[str, str]:
    """Everything in ``run_spec.json``; the name of a member that is an object begins its keys."""
    return {**adapter.rest("adapter_spec."), "run_spec.name": spec.text("name"), **spec_rest(spec)}


def spec_rest(spec: Node) -> dict[str, str]:
    """The members of a run specification besides the adapter."""
    scenario = {
        f"scenario_spec.{k}": as_text(v.value) for k, v in spec.at("scenario_spec", {}).members()
    }
    return {**scenario, **spec.rest("run_spec.")}


def _state(folder: Path, adapter: Node, left_out: Counter[str]) -> dict[str, str]:
    """What ``scenario_state.json`` says of the adapter, if that is not what the run says."""
    path = folder / "scenario_state.json"
    if not path.is_file():
        return {}
    others: dict[str, Node] = {}
    for _ in elements(path, "request_states", path.name, left_out, others):
        if "adapter_spec" in others:
            break
    own = others.get("adapter_spec")
    same = own is None or own.value == adapter.value
    return {} if same or own is None else {"scenario_state.adapter_spec": as_text(own.value)}


class _Stat:
    """A statistic of ``stats.json``."""

    def __init__(self, node: Node) -> None:
        self.node = node
        named = node.at("name")
        self.name: str = named.text("name")
        self.split: str = named.text("split", "")
        perturbation = named.at("perturbation", None)
        kind = perturbation.text("name", None) if perturbation.value is not None else None
        self.perturbation = {} if kind is None else perturbation.rest()
        self.mean: float | None = node.number("mean", None)
        more = named.rest()
        parts = [self.split, *(more[key] for key in sorted(more)), kind]
        computed = self.perturbation.get("computed_on")
        parts += [computed] if computed not in (None, "perturbed") else []
        #: Which samples it is about, and under which change of them.
        self.group = "/".join(part for part in parts if part)
        self.more = more
        #: The group of the instances that a summary over changes of them is about.
        self.instances = "/".join(
            part for part in (self.split, *(more[key] for key in sorted(more))) if part
        )
        #: The same as the ids of results say it.
        self.about = ":".join(part for part in (self.split, kind) if part)

    @property
    def place(self) -> str:
        return f"{self.group}/{self.name}" if self.group else self.name

    @property
    def is_score(self) -> bool:
        is_count = self.name.startswith(_COUNTS) or self.name in _OTHER_COUNTS
        return self.mean is not None and not is_count

    def rest(self) -> dict[str, Any]:
        """All its numbers, and what else is known of a score that has no result of its own."""
        numbers = {k: v for k, v in self.node.value.items() if k != "name" and v is not None}
        more = {} if self.is_score or not self.perturbation else self.perturbation
        return {**numbers, **({"perturbation": more} if more else {})}


def _result(
    stat: _Stat,
    task: str,
    dataset: tuple[str, dict[str, str]],
    size: float | None,
    arguments: dict[str, Any],
) -> Result:
    parameter = stat.name.partition("@")[2]
    numbers = {k: as_text(v) for k, v in stat.rest().items() if k != "mean"}
    perturbed = {f"perturbation.{key}": value for key, value in stat.perturbation.items()}
    return Result(
        name="/".join(part for part in (task, stat.group, stat.name) if part),
        dataset=Dataset(
            dataset[0], details=texts(dataset[1], split=stat.split or None, **stat.more)
        ),
        metric=named_metric(
            stat.name,
            "helm",
            f"{stat.name} on {task}",
            details=texts(perturbed),
            parameters={"k": int(parameter)} if parameter.isdecimal() else {},
        ),
        score=float(stat.mean or 0),
        uncertainty={"num_samples": int(size)} if size and size == int(size) else None,
        details=numbers,
        arguments={key: value for key, value in arguments.items() if value is not None},
    )
