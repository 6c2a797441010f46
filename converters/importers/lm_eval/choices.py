"""Choices of the LM evaluation harness: which of them are ties, and which are of minimal pairs.

The harness takes the first of several equal log-likelihoods, so that a tie counts as a success if
the right answer is the first, as in all tasks of minimal pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from evalmark.converters.records.run import Result
from evalmark.converters.sources.supplied import finite
from evalmark.schemas.accepting import accepts
from evalmark.validator.formats.pairs.pair_items import PairItem, item_of
from evalmark.validator.formats.pairs.pair_sets import SUM

#: The metric that compares log-likelihoods as they are.
ACCURACY = "acc"
#: What an item is called that no model can get right, and one whose answers are equally likely.
IMPOSSIBLE, EXACT_TIE = "impossible", "exact tie"
#: Keys of the metadata of a sample, as those of scores of ours have them.
OUTCOME, ROUNDED = "outcome", "decided_by_rounding"
#: The same of a minimal pair: its id in its set, if the row has another one.
PAIR_ID = "pair_id"
#: Key of the details of its data.
UID = "uid"


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
    found = [request.get("arg_1") for request in requests(row)]
    texts = [answer for answer in found if isinstance(answer, str)]
    return texts if len(texts) == len(found) > 1 else []


def requests(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The requests of a row, in order."""
    arguments = row.get("arguments") or {}
    return [arguments[key] for key in sorted(arguments, key=lambda key: (len(key), key))]


def pair_doc(row: Mapping[str, Any]) -> PairDoc | None:
    """The minimal pair of a row; None if it is another task."""
    doc = row.get("doc")
    if not continuations(row) or not accepts("pairs", doc):
        return None
    item = item_of(doc, row["doc_id"])
    contests = item.contests(SUM) if item is not None and not item.set.split else ()
    if item is None or len(contests) != 1 or _gold(row) != 0:
        return None
    scored = tuple(continuations(row))
    has_prompt = any(request.get("arg_0") for request in requests(row))
    same = [text.strip() for text in scored] == [side.text.strip() for side in contests[0].sides]
    return PairDoc(item, scored) if same and not has_prompt else None


def outcome_of(row: Mapping[str, Any], metric: str) -> dict[str, str]:
    """What the metadata of a choice says of ties; empty if it cannot be known."""
    answers, gold = continuations(row), _gold(row)
    values = [_likelihood(response) for response in row.get("filtered_resps") or ()]
    if metric != ACCURACY or not answers or len(values) != len(answers) or None in values:
        return {}
    if gold is None or not 0 <= gold < len(answers):
        return {}
    others = [n for n in range(len(answers)) if n != gold]
    if any(answers[n] == answers[gold] for n in others):
        return {ROUNDED: "false", OUTCOME: IMPOSSIBLE}
    best = max(value for value in values if value is not None)
    if values[gold] == best and any(values[n] == best for n in others):
        return {ROUNDED: "true", OUTCOME: EXACT_TIE}
    return {ROUNDED: "false"}


@dataclass(slots=True)
class Ties:
    """How many samples of a result are ties, and how many of the others are right."""

    samples: int = 0
    exact: int = 0
    impossible: int = 0
    right: int = 0

    def add(self, outcome: Mapping[str, str], *, is_right: bool) -> None:
        """Count a sample with what ``outcome_of`` says of it."""
        found = outcome.get(OUTCOME)
        self.samples += 1
        self.exact += found == EXACT_TIE
        self.impossible += found == IMPOSSIBLE
        self.right += is_right and found is None

    def details(self) -> dict[str, str]:
        """What the details of the result say; empty without ties."""
        if not self.exact + self.impossible:
            return {}
        return {
            "ties": str(self.exact),
            "impossible": str(self.impossible),
            "accuracy_without_ties": str(self.right / self.samples),
        }


def of_uid(result: Result, uid: str, task: str, *, is_joined: bool) -> Result:
    """A result as one of a UID; as it is if that is "". Datastores call the data by the task."""
    if not uid:
        return result
    named = {UID: uid} if is_joined else {"task": task}
    dataset = replace(
        result.dataset,
        name=task if is_joined else uid,
        details={**result.dataset.details, **named},
    )
    method = {"method": SUM} if result.metric.name == ACCURACY else {}
    return replace(result, dataset=dataset, settings={**result.settings, **method})


def _gold(row: Mapping[str, Any]) -> int | None:
    """The index of the right answer."""
    target = row.get("target")
    if isinstance(target, str) and target.isdecimal():
        return int(target)
    return target if isinstance(target, int) and not isinstance(target, bool) else None


def _likelihood(response: Any) -> float | None:
    """The log-likelihood of an answer; early versions write numbers, later ones texts."""
    if not isinstance(response, list) or len(response) != 2:
        return None
    value = response[0]
    try:
        return finite(float(value)) if isinstance(value, str) else finite(value)
    except ValueError:
        return None
