"""Run folders of HELM: what was run, its scores, and its samples.

Requests and their scores are two large files, which are read side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.importers.imported import Header, ImportSource, named_metric
from evalmark.converters.records.run import UNKNOWN, Dataset, Model, Result, Run, Sample
from evalmark.converters.sources.documents import document
from evalmark.converters.sources.elements import elements
from evalmark.converters.sources.placed_values import Account, Node
from evalmark.converters.sources.supplied import supplied_text, texts
from evalmark.converters.step import as_text
from evalmark.schemas.errors import ConversionError

#: Statistics of a run that are not scores: what was asked, what it cost, how it ended.
_COUNTS = ("num_", "finish_reason_", "training_", "inference_")
_OTHER_COUNTS = frozenset({
    "batch_size", "estimated_num_tokens_cost", "max_prob", "predicted_index", "prompt_truncated",
})  # fmt: skip
_FILES = ("run_spec.json", "stats.json")
_STATES = "scenario_state.json"
_STATS = "per_instance_stats.json"
#: Statistics that follow from the mean of one value.
_DERIVED = ("sum", "sum_squared", "min", "max", "variance", "stddev", "count")
_WHY = "they follow from the mean of one value"
#: Id, trial and change of an instance.
Key = tuple[str, int, str]


def read_helm(source: ImportSource) -> Iterator[Run]:
    """The run of a folder. HELM's version is not in it."""
    folder, left_out = source.path, source.left_out
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise ConversionError(f"the run has no {missing[0]}, so no scores")
    spec = document(folder / "run_spec.json", "run_spec.json", left_out)
    scenario = _scenario(folder, left_out)
    adapter = spec.at("adapter_spec")
    model = _model(adapter)
    first = next(_states(folder, Account()), None)
    arguments = {
        "temperature": adapter.number("temperature", None),
        "max_tokens": adapter.whole("max_tokens", None),
        # HELM says it in its requests alone.
        "top_p": first and first.at("request", {}).number("top_p", None),
    }
    state = _state(folder, adapter, left_out)
    settings = {**_settings(spec, adapter), **state}
    stats = list(elements(folder / "stats.json", None, left_out, {}))
    read = [_Stat(stat) for stat in stats]
    title = scenario.text("name", spec.text("name").partition(":")[0])
    task = f"{title}{_arguments_of(spec)}"
    described = {f"scenario.{key}": value for key, value in scenario.rest().items()}
    dataset = (title, texts(described, task=task))
    sizes = {stat.group: stat.mean for stat in read if stat.name == "num_instances"}
    began = earliest(folder)
    scores = [stat for stat in read if stat.is_score]
    results = []
    for stat, key in zip(scores, _keys(scores), strict=True):
        size = sizes.get(stat.group, sizes.get(stat.instances))
        result = _result(stat, task, dataset, size, arguments)
        results.append(replace(result, time=began, evaluation=title, key=key))
    if not results:
        raise ConversionError("stats.json has no score that is a number")
    counts = {f"stats/{stat.place}": as_text(stat.rest()) for stat in read if not stat.is_score}
    counted: dict[str, list[MainScore]] = {}
    for stat, result in zip(scores, results, strict=True):
        counted.setdefault(stat.group, []).append(MainScore(stat.name, result.name))
    version = supplied_text(source.supplied, "library_version") or UNKNOWN
    yield source.run(
        Header(title, began, model, "HELM", "helm", version, counts, settings, is_joined=True),
        results,
        lambda: read_samples(folder, counted, left_out),
    )


def _keys(scores: list[_Stat]) -> list[str]:
    """The id of each score: its metric, and what it is about as far as that tells them apart."""
    keys: list[str] = []
    for stat in scores:
        short, whole = f"{stat.name}:{stat.about}".rstrip(":"), f"{stat.name}:{stat.group}"
        keys.append(short if short not in keys else whole.replace("/", ":"))
    return keys


def _scenario(folder: Path, left_out: Account) -> Node:
    path = folder / "scenario.json"
    if path.is_file():
        return document(path, "scenario.json", left_out)
    raise ConversionError("the run has no scenario.json, which names its data")


def _arguments_of(spec: Node) -> str:
    """The arguments that tell the scenario from others of its class: ``:subject=philosophy``."""
    arguments = spec.at("scenario_spec", {}).at("args", {})
    words = [f"{key}={as_text(value.value)}" for key, value in arguments.members()]
    return f":{','.join(words)}" if words else ""


def _model(adapter: Node) -> Model:
    stated = adapter.text("model")
    place = adapter.text("model_deployment", stated)
    maker, slash, name = stated.partition("/")
    host = place.partition("/")[0]
    # HELM's own client loads weights with transformers; a maker's name is its own service.
    deployment = "self_deployed" if host == "huggingface" else UNKNOWN
    if slash and host == maker and place != stated:
        deployment = "externally_managed"
    return Model(
        id=stated,
        name=name or stated,
        developer=maker if slash else None,
        platform=host if host != "huggingface" else None,
        engine=("transformers", "") if host == "huggingface" else None,
        deployment=deployment,
        details={"helm_model": stated, "helm_model_deployment": place},
    )


def _settings(spec: Node, adapter: Node) -> dict[str, str]:
    """Everything in ``run_spec.json``; the name of a member that is an object begins its keys."""
    return {
        **adapter.rest("adapter_spec."),
        "run_spec.name": spec.text("name"),
        **{
            f"scenario_spec.{key}": as_text(node.value)
            for key, node in spec.at("scenario_spec", {}).members()
        },
        **spec.rest("run_spec."),
    }


def _state(folder: Path, adapter: Node, left_out: Account) -> dict[str, str]:
    """The adapter in ``scenario_state.json``, if it is not that of the run."""
    path = folder / _STATES
    if not path.is_file():
        return {}
    others: dict[str, Node] = {}
    for _ in elements(path, "request_states", left_out, others):
        if "adapter_spec" in others:
            break
    stated = others["adapter_spec"].value if "adapter_spec" in others else adapter.value
    return {} if stated == adapter.value else {"scenario_state.adapter_spec": as_text(stated)}


class _Stat:
    def __init__(self, node: Node) -> None:
        self.node = node
        named = node.at("name")
        self.name: str = named.text("name")
        self.split: str = named.text("split", "")
        perturbation = named.at("perturbation", None)
        kind = perturbation.text("name", None) if perturbation.value is not None else None
        self.perturbation = {} if kind is None else perturbation.rest()
        self.mean: float | None = node.number("mean", None)
        self.more = named.rest()
        instances = [self.split, *(self.more[key] for key in sorted(self.more))]
        computed = self.perturbation.get("computed_on")
        change = [kind, computed if computed != "perturbed" else None]
        #: Which samples it is about, and under which change of them.
        self.group = "/".join(filter(None, [*instances, *change]))
        #: The group of the instances that a summary over changes of them is about.
        self.instances = "/".join(filter(None, instances))
        #: The same as the ids of results say it.
        self.about = ":".join(filter(None, (self.split, kind)))

    @property
    def place(self) -> str:
        return f"{self.group}/{self.name}" if self.group else self.name

    @property
    def is_score(self) -> bool:
        is_count = self.name.startswith(_COUNTS) or self.name in _OTHER_COUNTS
        return self.mean is not None and not is_count

    def rest(self) -> dict[str, Any]:
        """All its numbers, and what else is known of a score that has no result of its own."""
        numbers = {k: v for k, v in self.node.fields.items() if k != "name" and v is not None}
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
        name="/".join(filter(None, (task, stat.group, stat.name))),
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


class MainScore(NamedTuple):
    """A result that the samples of a group count towards: what HELM calls its metric, its name."""

    name: str
    result: str


def earliest(folder: Path) -> int | None:
    """The time of the first request; None if the run does not state it."""
    times = [
        time
        for state in _states(folder, Account())
        if (time := state.at("result", {}).number("request_datetime", None)) is not None
    ]
    return int(min(times)) if times else None


def read_samples(
    folder: Path,
    scores: Mapping[str, Sequence[MainScore]],
    left_out: Account,
) -> Iterator[Sample]:
    """A sample for each instance, trial and score of its group.

    All scores, and everything that is known of the request, are the metadata of the first.
    """
    instance_stats = _Stats(folder, left_out)
    for key, requests in groupby(_states(folder, left_out), _key):
        states = list(requests)
        stats = instance_stats.stats_of(key)
        mains = scores.get(_group(states[0]), ())
        scored = [(s, value) for s in mains if (value := _value(stats, s.name)) is not None]
        if not scored:
            for state in states:
                state.skip_all(why=f"no score in {_STATS}")
            continue
        first = _sample(states, stats, scored[0][1], scored[0][0])
        yield first
        for main, value in scored[1:]:
            yield replace(first, result=main.result, score=value, metadata={})
    for entry in instance_stats.others():
        entry.skip_all(why=f"no request in {_STATES}")


def _states(folder: Path, left_out: Account) -> Iterator[Node]:
    path = folder / _STATES
    if path.is_file():
        yield from elements(path, "request_states", left_out, {})


def _key(state: Node) -> Key:
    """Requests about one instance in one trial: for some methods, one for each choice."""
    instance = state.at("instance")
    change = as_text(instance.plain("perturbation"))
    return instance.text("id"), state.whole("train_trial_index", 0), change


def _group(state: Node) -> str:
    instance = state.at("instance")
    change = instance.at("perturbation", {})
    parts = (instance.text("split", ""), instance.text("sub_split", ""), change.text("name", ""))
    return "/".join(filter(None, parts))


class _InstanceStat(NamedTuple):
    name: str
    about: dict[str, Any]
    value: Any


class _Stats:
    """``per_instance_stats.json``, read as far as the requests are; both have the same order."""

    def __init__(self, folder: Path, left_out: Account) -> None:
        path = folder / _STATS
        self._entries = elements(path, None, left_out, {}) if path.is_file() else iter(())
        self._waiting: dict[Key, list[Node]] = {}

    def stats_of(self, key: Key) -> list[_InstanceStat]:
        while key not in self._waiting:
            entry = next(self._entries, None)
            if entry is None:
                return []
            change = as_text(entry.plain("perturbation"))
            found = entry.text("instance_id"), entry.whole("train_trial_index", 0), change
            self._waiting.setdefault(found, []).append(entry)
        return [stat for entry in self._waiting.pop(key) for stat in _stats_of(entry)]

    def others(self) -> Iterator[Node]:
        """The entries of instances that were not asked for."""
        yield from chain(chain.from_iterable(self._waiting.values()), self._entries)


def _stats_of(entry: Node) -> Iterator[_InstanceStat]:
    """The statistics of an entry; what else it says is one without a name."""
    for stat in entry.each("stats"):
        named = stat.at("name")
        name, mean = named.text("name"), stat.number("mean", None)
        value: Any = {k: v for k, v in stat.fields.items() if k != "name"}
        if (
            mean is not None
            and stat.plain("count") == 1
            and all(stat.plain(key) == mean for key in ("sum", "min", "max"))
        ):
            stat.skip(*_DERIVED, why=_WHY)
            value = mean
        about = {k: v for k, v in named.fields.items() if k != "name" and v is not None}
        yield _InstanceStat(name, about, value)
    if more := entry.rest():
        yield _InstanceStat("", more, None)


def _value(stats: list[_InstanceStat], name: str) -> float | None:
    values = [stat.value for stat in stats if stat.name == name]
    return float(values[0]) if values and isinstance(values[0], int | float) else None


def _stats_by_name(stats: list[_InstanceStat], instance: Node) -> dict[str, Any]:
    """The statistics by name; one that is not about its instance says so in its key."""
    keys = ("split", "sub_split", "perturbation")
    usual = {key: instance.plain(key) for key in keys if instance.has(key)}
    return {
        stat.name if stat.about == usual else f"{stat.name} {as_text(stat.about)}": stat.value
        for stat in stats
    }


def _sample(
    states: list[Node], stats: list[_InstanceStat], score: float, result: MainScore
) -> Sample:
    first = states[0]
    instance, trial = first.at("instance"), first.whole("train_trial_index", 0)
    change = instance.at("perturbation", {})
    content = instance.at("input")
    references = list(instance.each("references", []))
    choices = [reference.at("output").text("text") for reference in references]
    right = [
        text
        for text, reference in zip(choices, references, strict=True)
        if any(tag.value == "correct" for tag in reference.each("tags", []))
    ]
    requests = [_Request(state) for state in states]
    about = {key: instance.text(key, None) for key in ("split", "sub_split")}
    seconds = sum(request.seconds for request in requests)
    return Sample(
        result=result.result,
        id="/".join(
            filter(
                None,
                (instance.text("id"), f"trial{trial}" if trial else "", change.text("name", "")),
            )
        ),
        raw=requests[0].prompt,
        reference=tuple(right),
        output=tuple(chain.from_iterable(request.outputs for request in requests)),
        correct=None,
        score=score,
        choices=tuple(choices) if len(choices) > len(right) else (),
        usage=_usage(stats),
        milliseconds=1000 * seconds if seconds else None,
        error=next(filter(None, (request.error for request in requests)), None),
        turn_count=1,
        metadata=texts(
            {f"instance.{key}": value for key, value in instance.rest().items()},
            **about,
            stop_reason=requests[0].stopped,
            input=content.text("text", None),
            input_parts=content.left() or None,
            references=[reference.value for reference in references],
            requests=[r.rest for r in requests] if len(requests) > 1 else requests[0].rest,
            perturbation=change.value,
            train_trial_index=trial,
            stats=_stats_by_name(stats, instance),
        ),
    )


def _usage(stats: list[_InstanceStat]) -> tuple[int, int, int] | None:
    """Input, output and total tokens."""
    prompt, output = (_value(stats, f"num_{kind}_tokens") for kind in ("prompt", "output"))
    if prompt is None or output is None:
        return None
    return int(prompt), int(output), int(prompt) + int(output)


class _Request:
    def __init__(self, state: Node) -> None:
        state.plain("instance")
        request, result = state.at("request"), state.at("result", {})
        self.prompt: str = request.text("prompt", "")
        completions = list(result.each("completions", []))
        self.outputs: list[str] = [completion.text("text") for completion in completions]
        #: Why the first answer ended.
        self.stopped: str | None = None
        if completions:
            end = completions[0].at("finish_reason", {})
            self.stopped = end.text("reason", None) if isinstance(end.value, dict) else None
            completions[0].again("finish_reason")
        self.seconds: float = result.number("request_time", 0.0)
        self.error: str | None = result.text("error", None)
        state.plain("train_trial_index")
        #: Facts for which a sample has no member.
        self.rest: dict[str, Any] = {
            "request": request.left(),
            "completions": [c.left() for c in completions],
            "result": result.left(),
            **state.left(),
        }
