"""Samples of a run of HELM: requests and their scores, two large files read side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.records.run import Sample
from evalmark.converters.sources.elements import elements
from evalmark.converters.sources.node import Node, leaves
from evalmark.converters.sources.supplied import texts
from evalmark.converters.step import as_text

_STATES = "scenario_state.json"
_STATS = "per_instance_stats.json"
#: What follows from the mean of one value.
_DERIVED = ("sum", "sum_squared", "min", "max", "variance", "stddev", "count")
_WHY = "they follow from the mean of one value"


@dataclass(frozen=True, slots=True)
class MainScore:
    """A result that the samples of a group count towards.

    Attributes:
        name: The metric, as HELM calls it.
        result: The name of the result.
    """

    name: str
    result: str


def earliest(folder: Path) -> int | None:
    """When the first request was made; None if the run does not say."""
    times = [
        time
        for state in _states(folder, Counter())
        if (time := state.at("result", {}).number("request_datetime", None)) is not None
    ]
    return int(min(times)) if times else None


def first_top_p(folder: Path) -> float | None:
    """``top_p`` of the first request: HELM does not say it elsewhere."""
    for state in _states(folder, Counter()):
        found: float | None = state.at("request", {}).number("top_p", None)
        return found
    return None


def read_samples(
    folder: Path,
    scores: Mapping[str, Sequence[MainScore]],
    left_out: Counter[str],
    unscored: list[str],
) -> Iterator[Sample]:
    """A sample for each instance, trial and score of its group.

    All scores, and everything that is known of the request, are the metadata of the first.
    """
    found = _Stats(folder, left_out)
    for key, requests in groupby(_states(folder, left_out), _key):
        states = list(requests)
        stats = found.of(key)
        wanted = scores.get(_group(states[0]), ())
        scored = [(s, value) for s in wanted if (value := _value(stats, s.name)) is not None]
        if not scored:
            place = f"{_STATES} /request_states/*: no score in {_STATS}"
            left_out[place] += sum(leaves(state.value) for state in states)
            unscored.append(key[0])
            continue
        first = _sample(states, stats, scored[0][1], scored[0][0])
        yield first
        for one, value in scored[1:]:
            yield replace(first, result=one.result, score=value, metadata={})
    for values in found.others():
        left_out[f"{_STATS} /*: no request in {_STATES}"] += leaves(values)


def _states(folder: Path, left_out: Counter[str]) -> Iterator[Node]:
    path = folder / _STATES
    if path.is_file():
        yield from elements(path, "request_states", _STATES, left_out, {})


Key = tuple[str, int, str]


def _key(state: Node) -> Key:
    """Requests about one instance in one trial: for some methods, one for each choice."""
    instance = state.at("instance")
    change = as_text(instance.plain("perturbation"))
    return instance.text("id"), state.whole("train_trial_index", 0), change


def _group(state: Node) -> str:
    """As ``stats.json`` groups its statistics."""
    instance = state.at("instance")
    change = instance.at("perturbation", {})
    parts = (
        instance.text("split", ""),
        instance.text("sub_split", ""),
        change.text("name", ""),
    )
    return "/".join(part for part in parts if part)


class _InstanceStat(NamedTuple):
    """A statistic of one instance: its name, what it is about, and its value or numbers."""

    name: str
    about: dict[str, Any]
    value: Any


class _Stats:
    """``per_instance_stats.json``, read as far as the requests are; both have the same order."""

    def __init__(self, folder: Path, left_out: Counter[str]) -> None:
        path = folder / _STATS
        self._entries = elements(path, None, _STATS, left_out, {}) if path.is_file() else iter(())
        self._waiting: dict[Key, list[_InstanceStat]] = {}

    def of(self, key: Key) -> list[_InstanceStat]:
        """The statistics of an instance; empty if there are none."""
        while key not in self._waiting:
            entry = next(self._entries, None)
            if entry is None:
                return []
            self._add(entry)
        return self._waiting.pop(key)

    def _add(self, entry: Node) -> None:
        change = as_text(entry.plain("perturbation"))
        key = entry.text("instance_id"), entry.whole("train_trial_index", 0), change
        stats = self._waiting.setdefault(key, [])
        for stat in entry.each("stats"):
            named = stat.at("name")
            name, mean = named.text("name"), stat.number("mean", None)
            value: Any = {k: v for k, v in stat.value.items() if k != "name"}
            if mean is not None and stat.plain("count") == 1 and _is_one(stat, mean):
                stat.skip(*_DERIVED, why=_WHY)
                value = mean
            about = {k: v for k, v in named.value.items() if k != "name" and v is not None}
            stats.append(_InstanceStat(name, about, value))
        more = entry.rest()
        if more:
            stats.append(_InstanceStat("", more, None))

    def others(self) -> Iterator[list[_InstanceStat]]:
        """The statistics of instances that were not asked for."""
        for entry in self._entries:
            self._add(entry)
        yield from self._waiting.values()


def _is_one(stat: Node, mean: float) -> bool:
    """Whether the numbers of a statistic are those of a single value."""
    return all(stat.plain(key) == mean for key in ("sum", "min", "max"))


def _value(stats: list[_InstanceStat], name: str) -> float | None:
    found = [stat.value for stat in stats if stat.name == name]
    return float(found[0]) if found and isinstance(found[0], int | float) else None


def _named(stats: list[_InstanceStat], instance: Node) -> dict[str, Any]:
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
    given = instance.at("input")
    references = list(instance.each("references", []))
    right = [n.at("output").text("text") for n in references if _is_right(n)]
    choices = [n.at("output").text("text") for n in references]
    names = [instance.text("id"), f"trial{trial}" if trial else "", change.text("name", "")]
    requests = [_Request(state) for state in states]
    about = {key: instance.text(key, None) for key in ("split", "sub_split")}
    counts = (_value(stats, key) for key in ("num_prompt_tokens", "num_output_tokens"))
    usage = [int(n) for n in counts if n is not None]
    seconds = sum(request.seconds for request in requests)
    return Sample(
        result=result.result,
        id="/".join(name for name in names if name),
        raw=requests[0].prompt,
        reference=tuple(right),
        output=tuple(text for request in requests for text in request.outputs),
        correct=None,
        score=score,
        choices=tuple(choices) if len(choices) > len(right) else (),
        usage=(usage[0], usage[1], sum(usage)) if len(usage) == 2 else None,
        milliseconds=1000 * seconds if seconds else None,
        error=next((request.error for request in requests if request.error), None),
        turn_count=1,
        metadata=texts(
            {f"instance.{key}": value for key, value in instance.rest().items()},
            **about,
            stop_reason=requests[0].stopped,
            **_given(given),
            references=[node.value for node in references],
            requests=[r.rest for r in requests] if len(requests) > 1 else requests[0].rest,
            perturbation=change.value or None,
            train_trial_index=trial,
            stats=_named(stats, instance),
        ),
    )


def _is_right(reference: Node) -> bool:
    return any(tag.value == "correct" for tag in reference.each("tags", []))


def _given(given: Node) -> dict[str, Any]:
    return {"input": given.text("text", None), "input_parts": given.left() or None}


class _Request:
    """A request and what came back, as values that a sample has and the rest of them."""

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
        #: What a sample has no member for.
        self.rest: dict[str, Any] = {
            "request": request.left(),
            "completions": [c.left() for c in completions],
            "result": result.left(),
            **state.left(),
        }
