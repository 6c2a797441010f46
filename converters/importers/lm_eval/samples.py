"""Samples of a task of the LM evaluation harness: a file of JSON Lines, read row by row, twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalmark.converters.importers.lm_eval.choices import (
    PAIR_ID,
    PairDoc,
    Ties,
    continuations,
    of_uid,
    outcome_of,
    pair_doc,
    requests,
)
from evalmark.converters.records.run import Answer, Result, Sample
from evalmark.converters.sources.documents import parsed_lines
from evalmark.converters.sources.node import Node
from evalmark.converters.sources.supplied import finite, texts
from evalmark.converters.step import spaced

_HASHES = ("doc_hash", "prompt_hash", "target_hash")
_WHY = "no score that is a number and counts towards a result"
#: What lists call the sample files of all tasks.
_KIND = "samples_*.jsonl"


class TaskSamples:
    """The samples of a task, and its results with what the samples say of them.

    Attributes:
        task: Its name.
        results: (metric, filter) and result: of a UID if all rows are pairs of it, and with ties.
    """

    def __init__(
        self,
        task: str,
        results: dict[tuple[str, str], Result],
        file: Path | None,
        *,
        is_joined: bool,
    ) -> None:
        self.task = task
        self._file = file
        self._is_joined = is_joined
        self.results = self._with_samples(results)

    def _with_samples(
        self, results: dict[tuple[str, str], Result]
    ) -> dict[tuple[str, str], Result]:
        """Read all rows once, if they are choices, to know what is about all of them."""
        ties = {key: Ties() for key in results}
        uids: set[str] = set()
        for node in self._rows(Counter()):
            row = node.fields
            if not continuations(row):
                return results
            pair = pair_doc(row)
            uids.add(pair.item.label("uid") if pair else "")
            for metric, score in _scores(row, results):
                key = metric, _filter(row)
                ties[key].add(outcome_of(row, metric), is_right=results[key].metric.is_best(score))
        uid = uids.pop() if len(uids) == 1 else ""
        found = {}
        for key, result in results.items():
            named = of_uid(result, uid, self.task, is_joined=self._is_joined)
            found[key] = replace(named, details={**named.details, **ties[key].details()})
        return found

    def _rows(self, left_out: Counter[str]) -> Iterator[Node]:
        if self._file is not None:
            name = self._file.name
            yield from parsed_lines(self._file, name, left_out, kind=_KIND, infinite=True)

    def read(self, left_out: Counter[str], unscored: list[str]) -> Iterator[Sample]:
        """A sample for each row and metric with a score; rows without one are listed."""
        for node in self._rows(left_out):
            scored = list(_scores(node.fields, self.results))
            if not scored:
                unscored.append(spaced(node.plain("doc_id")))
                node.skip_all(why=_WHY)
                continue
            row = _Row(node, [metric for metric, _ in scored])
            for metric, score in scored:
                result = self.results[metric, row.filter]
                yield row.sample(self._id(row, result), result, metric, score)

    def _id(self, row: _Row, result: Result) -> str:
        if self._is_joined:
            return row.doc
        return f"{result.name}/{row.pair_id}" if row.pair_id else f"{self.task}/{row.doc}"


def _filter(row: Mapping[str, Any]) -> str:
    return str(row.get("filter", "none"))


def _scores(
    row: Mapping[str, Any], results: Mapping[tuple[str, str], Result]
) -> Iterator[tuple[str, float]]:
    """Each metric of a row with a number that counts towards a result."""
    for metric in row.get("metrics") or ():
        value = row.get(metric)
        score = finite(float(value) if isinstance(value, bool) else value)
        if (metric, _filter(row)) in results and score is not None:
            yield metric, score


class _Row:
    """A row, with what is the same for all its scores."""

    def __init__(self, node: Node, metrics: list[str]) -> None:
        self.values = row = node.fields
        self.filter = _filter(row)
        self.pair: PairDoc | None = pair_doc(row)
        self.doc = str(node.at("doc_id").value)
        self.pair_id = str(self.pair.item.identity) if self.pair else None
        asked = requests(row)
        self.prompt = spaced(asked[0].get("arg_0", "")) if asked else ""
        self.choices = tuple(continuations(row))
        self.answers = [spaced(answer) for answer in row.get("filtered_resps") or ()]
        self.output = tuple(spaced(p) for resp in row.get("resps") or () for p in _parts(resp))
        for key in (
            "arguments",
            "resps",
            "filtered_resps",
            "target",
            "filter",
            "metrics",
            *metrics,
        ):
            node.plain(key)
        others = [metric for metric in row.get("metrics") or () if metric not in metrics]
        self.metadata = texts(
            {key: node.plain(key) for key in _HASHES},
            filter=self.filter,
            filtered_resps=row.get("filtered_resps") if self._is_filtered() else None,
            doc=node.plain("doc"),
            arguments=self._arguments(asked),
            metrics_without_a_score=others,
            **{PAIR_ID: self.pair_id if self.pair_id != self.doc else None},
            **node.left(),
        )

    def _is_filtered(self) -> bool:
        first = [resp[0] if isinstance(resp, list) and resp else resp
                 for resp in self.values.get("resps") or ()]  # fmt: skip
        return self.filter != "none" or self.values.get("filtered_resps") != first

    def _arguments(self, asked: list[Mapping[str, Any]]) -> Any:
        """What is not said by the prompt and the choices."""
        is_usual = all(request.keys() <= {"arg_0", "arg_1"} for request in asked)
        prompts = {spaced(request.get("arg_0", "")) for request in asked}
        if not is_usual or len(prompts) > 1:
            return self.values.get("arguments")
        return None if self.choices else [request.get("arg_1") for request in asked]

    def sample(self, identity: str, result: Result, metric: str, score: float) -> Sample:
        """What the row says of one of its scores."""
        pair = self.pair
        return Sample(
            result=result.name,
            id=identity,
            raw="\n".join(pair.texts) if pair else self.prompt,
            reference=pair.texts[:1] if pair else _references(self.values.get("target")),
            output=self.output,
            correct=None,
            score=score,
            choices=pair.texts if pair else self.choices,
            # Without a filter the answer is the whole output, and there is nothing to point at.
            answers=tuple(Answer(0, "output.raw", a, self.filter) for a in self.answers[:1])
            if self.filter != "none" and not self.choices
            else (),
            metadata={**self.metadata, **outcome_of(self.values, metric)},
            turn_count=1,
        )


def _references(target: Any) -> tuple[str, ...]:
    return tuple(spaced(t) for t in target) if isinstance(target, list) else (spaced(target),)


def _parts(response: Any) -> list[Any]:
    """The texts of a response; a log-likelihood stays a pair."""
    if isinstance(response, list):
        if response and isinstance(response[0], list):
            return response
        if all(isinstance(part, str) for part in response):
            return response
    return [response]
