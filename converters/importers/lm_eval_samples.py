"""Samples of a task of the LM evaluation harness: JSON Lines, read row by row, twice.

The harness takes the first of several equal log-likelihoods, so that a tie counts as a success if
the right answer is the first, as in all tasks of minimal pairs: samples say which ones are ties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.records.run import Answer, Result, Sample
from evalmark.converters.sources.documents import parsed_lines
from evalmark.converters.sources.placed_values import Account, Node
from evalmark.converters.sources.supplied import finite, texts
from evalmark.converters.step import as_list, spaced
from evalmark.schemas.backend import accepts
from evalmark.validator.formats.pairs.pair_items import PairItem, item_of
from evalmark.validator.formats.pairs.pair_sets import SUM

#: The metric that compares log-likelihoods as they are.
ACCURACY = "acc"
#: Names of an item that no model can get right, and of one whose answers are equally likely.
IMPOSSIBLE, EXACT_TIE = "impossible", "exact tie"
#: Keys of the metadata of a sample, as those of scores of ours have them.
OUTCOME, ROUNDED = "outcome", "decided_by_rounding"
#: The same of a minimal pair: its id in its set, if the row has another one.
PAIR_ID = "pair_id"
#: Key of the details of its data.
UID = "uid"
_HASHES = ("doc_hash", "prompt_hash", "target_hash")
_WHY = "no score that is a number and counts towards a result"
#: Members of a row that are lists, and all that a sample has in places of its own.
_LISTS = ("metrics", "resps", "filtered_resps")
_READ = (*_LISTS, "arguments", "target", "filter")
#: The sample files of all tasks, as lists call them.
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
    ) -> None:
        self.task = task
        self._file = file
        self.results = self._with_samples(results)

    def _with_samples(
        self, results: dict[tuple[str, str], Result]
    ) -> dict[tuple[str, str], Result]:
        """Read all rows once, if they are choices, to know what is about all of them."""
        ties = {key: Ties() for key in results}
        uids: set[str] = set()
        for node in self._rows(Account()):
            row = node.fields
            if not continuations(row):
                return results
            pair = pair_doc(row)
            uids.add(pair.item.label("uid") if pair else "")
            for metric, score in _scores(row, results):
                key = metric, _filter(row)
                ties[key].add(outcome_of(row, metric), is_right=results[key].metric.is_best(score))
        uid = uids.pop() if len(uids) == 1 else ""
        completed = {}
        for key, result in results.items():
            named = of_uid(result, uid, self.task)
            completed[key] = replace(named, details={**named.details, **ties[key].details()})
        return completed

    def _rows(self, left_out: Account) -> Iterator[Node]:
        if self._file is not None:
            name = self._file.name
            for row in parsed_lines(self._file, name, left_out, kind=_KIND, infinite=True):
                # Refuse a row whose lists are none, or whose requests are not objects.
                for key in _LISTS:
                    entries = list(row.seen(key).entries()) if row.fields.get(key) else []
                    for entry in entries if key == "metrics" else ():
                        if not isinstance(entry.value, str):
                            entry.wrong("a string")
                if row.fields.get("arguments"):
                    for _, request in row.seen("arguments").members():
                        request.names()
                yield row

    def read(self, left_out: Account) -> Iterator[Sample]:
        """A sample for each row and metric with a score; rows without one are listed."""
        for node in self._rows(left_out):
            scored = list(_scores(node.fields, self.results))
            if not scored:
                node.skip_all(why=_WHY)
                continue
            row = _Row(node, [metric for metric, _ in scored])
            for metric, score in scored:
                result = self.results[metric, row.filter]
                yield row.sample(row.doc, result, metric, score)


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
        row_requests = requests(row)
        self.prompt = spaced(row_requests[0].get("arg_0", "")) if row_requests else ""
        self.choices = tuple(continuations(row))
        self.answers = [spaced(answer) for answer in row.get("filtered_resps") or ()]
        self.output = tuple(spaced(p) for resp in row.get("resps") or () for p in _parts(resp))
        for key in (*_READ, *metrics):
            node.plain(key)
        others = [metric for metric in row.get("metrics") or () if metric not in metrics]
        self.metadata = texts(
            {key: node.plain(key) for key in _HASHES},
            filter=self.filter,
            filtered_resps=row.get("filtered_resps") if self._is_filtered() else None,
            doc=node.plain("doc"),
            arguments=self._arguments(row_requests),
            metrics_without_a_score=others,
            **{PAIR_ID: self.pair_id if self.pair_id != self.doc else None},
            **node.left(),
        )

    def _is_filtered(self) -> bool:
        """True if the filtered answers are not the first one of each output."""
        first = [r[0] if isinstance(r, list) and r else r for r in self.values.get("resps") or ()]
        return self.filter != "none" or self.values.get("filtered_resps") != first

    def _arguments(self, row_requests: list[Mapping[str, Any]]) -> Any:
        """The arguments that the prompt and the choices do not show."""
        is_usual = all(request.keys() <= {"arg_0", "arg_1"} for request in row_requests)
        prompts = {spaced(request.get("arg_0", "")) for request in row_requests}
        if not is_usual or len(prompts) > 1:
            return self.values.get("arguments")
        return None if self.choices else [request.get("arg_1") for request in row_requests]

    def sample(self, identity: str, result: Result, metric: str, score: float) -> Sample:
        """The sample of one of the row's scores."""
        pair = self.pair
        return Sample(
            result=result.name,
            id=identity,
            raw="\n".join(pair.texts) if pair else self.prompt,
            reference=pair.texts[:1]
            if pair
            else tuple(map(spaced, as_list(self.values.get("target")))),
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


def _parts(response: object) -> list[Any]:
    """The texts of a response; a log-likelihood stays a pair."""
    if isinstance(response, list):
        if response and isinstance(response[0], list):
            return response
        if all(isinstance(part, str) for part in response):
            return response
    return [response]


class PairDoc(NamedTuple):
    """A row of the harness whose document is a minimal pair, compared as whole texts.

    Attributes:
        item: The row of its set.
        texts: The texts as they were scored; the right one comes first. The harness's template of
            BLiMP puts a space before them.
    """

    item: PairItem
    texts: tuple[str, ...]


def continuations(row: Mapping[str, Any]) -> list[str]:
    """The answers that a row chooses from; empty if it is not a choice."""
    answers = [request.get("arg_1") for request in requests(row)]
    texts = [answer for answer in answers if isinstance(answer, str)]
    return texts if len(texts) == len(answers) > 1 else []


def requests(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The requests of a row, in order."""
    arguments = row.get("arguments") or {}
    return [arguments[key] for key in sorted(arguments, key=lambda key: (len(key), key))]


def pair_doc(row: Mapping[str, Any]) -> PairDoc | None:
    """The minimal pair of a row; None if it is another task."""
    doc = row.get("doc")
    if not continuations(row) or not accepts("pairs", doc):
        return None
    item = item_of(doc, row.get("doc_id", 0))
    contests = item.contests(SUM) if item is not None and not item.set.split else ()
    if item is None or len(contests) != 1 or _gold(row) != 0:
        return None
    scored = tuple(continuations(row))
    has_prompt = any(request.get("arg_0") for request in requests(row))
    same = [text.strip() for text in scored] == [side.text.strip() for side in contests[0].sides]
    return PairDoc(item, scored) if same and not has_prompt else None


def outcome_of(row: Mapping[str, Any], metric: str) -> dict[str, str]:
    """The metadata of a choice that tells ties; empty if it cannot be known."""
    answers, gold = continuations(row), _gold(row)
    values = _likelihoods(row, len(answers)) if metric == ACCURACY else None
    if values is None or gold is None or gold not in range(len(answers)):
        return {}
    if answers.count(answers[gold]) > 1:
        return {ROUNDED: "false", OUTCOME: IMPOSSIBLE}
    best = max(values)
    if values[gold] == best and values.count(best) > 1:
        return {ROUNDED: "true", OUTCOME: EXACT_TIE}
    return {ROUNDED: "false"}


@dataclass(slots=True)
class Ties:
    """Counts of the samples of a result: ties, and right ones among the others."""

    samples: int = 0
    exact: int = 0
    impossible: int = 0
    right: int = 0

    def add(self, outcome: Mapping[str, str], *, is_right: bool) -> None:
        """Count a sample with what ``outcome_of`` says of it."""
        kind = outcome.get(OUTCOME)
        self.samples += 1
        self.exact += kind == EXACT_TIE
        self.impossible += kind == IMPOSSIBLE
        self.right += is_right and kind is None

    def details(self) -> dict[str, str]:
        """The details of the result; empty without ties."""
        if not self.exact + self.impossible:
            return {}
        return {
            "ties": str(self.exact),
            "impossible": str(self.impossible),
            "accuracy_without_ties": str(self.right / self.samples),
        }


def of_uid(result: Result, uid: str, task: str) -> Result:
    """A result as one of a UID; as it is if that is "". Datastores call the data by the task."""
    if not uid:
        return result
    dataset = replace(result.dataset, name=task, details={**result.dataset.details, UID: uid})
    method = {"method": SUM} if result.metric.name == ACCURACY else {}
    return replace(result, dataset=dataset, settings={**result.settings, **method})


def _gold(row: Mapping[str, Any]) -> int | None:
    """The index of the right answer."""
    target = row.get("target")
    if isinstance(target, str) and target.isdecimal():
        return int(target)
    return target if isinstance(target, int) and not isinstance(target, bool) else None


def _likelihoods(row: Mapping[str, Any], count: int) -> list[float] | None:
    """The log-likelihood of each answer; None unless there is one for each."""
    responses = row.get("filtered_resps") or ()
    values = [v for v in map(_likelihood, responses) if v is not None]
    return values if len(values) == len(responses) == count else None


def _likelihood(response: object) -> float | None:
    """The log-likelihood of an answer; early versions write numbers, later ones texts."""
    if not isinstance(response, list) or len(response) != 2:
        return None
    value = response[0]
    try:
        return finite(float(value)) if isinstance(value, str) else finite(value)
    except ValueError:
        return None
