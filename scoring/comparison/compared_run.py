"""A run as a comparison sees it, whichever program it is of, and tests of memory in records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from evalmark.converters.records.run import Result, Run

#: The conjunction of all predictions of a suite.
ALL = "all"
#: The key of a sample's metadata that says whether rounding decided it: ``true`` or ``false``.
ROUNDED = "decided_by_rounding"
#: The key of a result's details that says why its scores are not compared: none is a better one.
NOT_COMPARED = "not_compared"

#: The key of a sample's metadata that says what became of it, and what is right for no one: other
#: programs may count it as right, because they take the first of equal answers.
OUTCOME, NEVER_RIGHT = "outcome", frozenset({"exact tie", "impossible"})


class Words(NamedTuple):
    """The names of the parts of a run and of their items.

    Attributes:
        full: How many items a part needs to count in full in a mean over parts.
    """

    part: str
    parts: str
    item: str
    items: str
    full: int = 1


SUITES = Words("suite", "suites", "item", "items")
PAIRS = Words("UID", "UIDs", "pair", "pairs", full=20)
SAMPLES = Words("result", "results", "sample", "samples")


@dataclass(frozen=True, slots=True)
class RunKind:
    """A kind of runs, as their records show it.

    Attributes:
        words: The names of its parts and items.
        recognizes: Whether a result is of such a run.
        is_total: Whether a result sums up others, and has no items of its own.
        text: The metadata of a sample -> what identifies the text of its item; None if the texts of
            samples do.
        left_out: A run -> its items without a score, and why.
    """

    words: Words
    recognizes: Callable[[Result], bool]
    is_total: Callable[[Result], bool] = lambda _: False
    text: Callable[[Mapping[str, str]], str | None] | None = None
    left_out: Callable[[Run], Mapping[str, str]] = lambda _: {}


class ItemScore(NamedTuple):
    """The score of an item.

    Attributes:
        score: Its score; 1 or 0 if it was right or wrong.
        is_tie: Whether rounding decided it.
        text: What identifies the item's text; None if it is unknown.
        bare: The same of its text without spaces before it; None if it has none.
    """

    score: float
    is_tie: bool = False
    text: str | None = None
    bare: str | None = None

    @property
    def content(self) -> str | None:
        """What identifies the text, whatever space it begins with."""
        return self.bare or self.text


@dataclass(frozen=True, slots=True)
class ScoredItems:
    """The items of one prediction of a suite, or of one result of a record.

    Attributes:
        asks: The question that decides an item: a formula, a metric. Items are only compared if
            it is the same.
        items: Id of an item -> its score.
        repeated: Ids that several items have; these are not in ``items``.
        unplaced_ties: How many items rounding decided, if the run does not say which.
        lower_is_better: Whether a smaller score is a better one; None if the run does not say.
        bounds: The least and the greatest score; None if unknown.
        chance: The mean score of a model that knows nothing; None if the run does not say.
    """

    asks: str
    items: Mapping[str, ItemScore]
    repeated: frozenset[str] = frozenset()
    unplaced_ties: int = 0
    lower_is_better: bool | None = False
    bounds: tuple[float, float] | None = (0, 1)
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class ComparedSuite:
    """A suite of a run, or one result of a record.

    Attributes:
        label: Its name in the run.
        name: Its name; several suites of a run have the same if they are the same with another
            metric.
        metric: Its metric, if that is known.
        columns: ``1``, ``2``, ... and ``all`` -> the items; the only prediction of a suite, and a
            result that has no predictions, is one column without a name.
        settings: The settings that its numbers depend on.
        digest: A digest of its items, if texts are unknown.
        group: The set that it is averaged with; empty for all.
        language: Its language: there is no mean over several.
    """

    label: str
    name: str
    metric: str | None
    columns: Mapping[str, ScoredItems]
    settings: Mapping[str, str] = field(default_factory=dict)
    digest: str | None = None
    group: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run.

    Attributes:
        path: The file or folder that was named.
        model: Its id.
        facts: The known facts about the model and its numbers.
        suites: Its suites, in order.
        without_samples: Results that no sample belongs to.
        words: The names of its suites and items.
        without_score: Items that have no score, and why.
    """

    path: Path
    model: str
    facts: Mapping[str, str]
    suites: tuple[ComparedSuite, ...]
    without_samples: tuple[str, ...] = ()
    words: Words = SAMPLES
    without_score: Mapping[str, str] = field(default_factory=dict)


def words_of(first: ComparedRun, second: ComparedRun) -> Words:
    """The names of the suites and items of two runs; those of a record are less definite."""
    return second.words if first.words is SAMPLES else first.words


def conjunction(columns: Iterable[ItemScore]) -> ItemScore:
    """The outcome of an item: all of its predictions hold.

    It is a tie only if the predictions that rounding decided would change it.
    """
    scores = list(columns)
    least = all(item.score and not item.is_tie for item in scores)
    most = all(item.score or item.is_tie for item in scores)
    return ItemScore(
        float(all(item.score for item in scores)), least != most, scores[0].text if scores else None
    )


def all_of(columns: Iterable[ScoredItems]) -> str:
    """The question of a conjunction: the questions of all predictions."""
    return " & ".join(column.asks for column in columns)


#: Setting of a record: the tests without a score, by the reason.
LEFT_OUT = "left_out"
#: Metadata of the samples of temporal tests: the digest of the definition.
DEFINITION = "definition_sha256"
#: Name of the result over all datasets.
OVERALL = "Overall score"


def _left_out(run: Run) -> dict[str, str]:
    """The tests of a run that have no score, and why."""
    if not any(map(_is_overall, run.results)):
        return {}
    left_out = json.loads(run.settings_of(run.results[0]).get(LEFT_OUT, "{}"))
    return {name: key.replace("_", " ") for key, names in left_out.items() for name in names}


def _is_overall(result: Result) -> bool:
    return result.name == OVERALL


TESTS = RunKind(
    Words("dataset", "datasets", "test", "tests"),
    _is_overall,
    is_total=_is_overall,
    # The question of a temporal test depends on the clock of the run.
    text=lambda metadata: metadata.get(DEFINITION),
    left_out=_left_out,
)
