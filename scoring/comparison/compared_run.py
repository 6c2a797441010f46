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
#: The names of the column that has the whole of a part: the conjunction, or the only column.
WHOLE = ("", ALL)
#: The key of a sample's metadata that says whether rounding decided it: ``true`` or ``false``.
ROUNDED = "decided_by_rounding"
#: The key of a result's details that says why its scores are not compared: none is a better one.
NOT_COMPARED = "not_compared"

#: The key of a sample's metadata that says what became of it, and what is right for no one: other
#: programs may count it as right, because they take the first of equal answers.
OUTCOME, NEVER_RIGHT = "outcome", frozenset({"exact tie", "impossible"})


class Words(NamedTuple):
    """The names of the parts of a run and of their items."""

    part: str
    parts: str
    item: str
    items: str
    full: int = 1  # how many items a part needs to count in full in a mean over parts


SUITES = Words("suite", "suites", "item", "items")
PAIRS = Words("UID", "UIDs", "pair", "pairs", full=20)
SAMPLES = Words("result", "results", "sample", "samples")


@dataclass(frozen=True, slots=True)
class RunKind:
    """A kind of runs, as their records show it."""

    words: Words  # the names of its parts and items
    recognizes: Callable[[Result], bool]  # whether a result is of such a run
    #: Whether a result sums up others, and has no items of its own.
    is_total: Callable[[Result], bool] = lambda _: False
    #: The metadata of a sample -> what identifies the text of its item; None if the texts of
    #: samples do.
    text: Callable[[Mapping[str, str]], str | None] | None = None
    #: A run -> its items without a score, and why.
    left_out: Callable[[Run], Mapping[str, str]] = lambda _: {}


class ItemScore(NamedTuple):
    """The score of an item."""

    score: float  # its score; 1 or 0 if it was right or wrong
    is_tie: bool = False  # whether rounding decided it
    text: str | None = None  # what identifies the item's text; None if it is unknown
    bare: str | None = None  # the same of its text without spaces before it; None if it has none

    @property
    def content(self) -> str | None:
        """What identifies the text, whatever space it begins with."""
        return self.bare or self.text


@dataclass(frozen=True, slots=True)
class ScoredItems:
    """The items of one prediction of a suite, or of one result of a record."""

    #: The question that decides an item: a formula, a metric. Items are only compared if it is the
    #: same.
    asks: str
    items: Mapping[str, ItemScore]  # id of an item -> its score
    #: Ids that several items have; these are not in ``items``.
    repeated: frozenset[str] = frozenset()
    unplaced_ties: int = 0  # how many items rounding decided, if the run does not say which
    #: Whether a smaller score is a better one; None if the run does not say.
    lower_is_better: bool | None = False
    bounds: tuple[float, float] | None = (0, 1)  # the least and the greatest score; None if unknown
    #: The mean score of a model that knows nothing; None if the run does not say.
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class ComparedSuite:
    """A suite of a run, or one result of a record."""

    label: str  # its name in the run
    #: Its name; several suites of a run have the same if they are the same with another metric.
    name: str
    metric: str | None  # its metric, if that is known
    #: ``1``, ``2``, ... and ``all`` -> the items; the only prediction of a suite, and a result that
    #: has no predictions, is one column without a name.
    columns: Mapping[str, ScoredItems]
    #: The settings that its numbers depend on.
    settings: Mapping[str, str] = field(default_factory=dict)
    digest: str | None = None  # a digest of its items, if texts are unknown
    group: str = ""  # the set that it is averaged with; empty for all
    language: str = ""  # its language: there is no mean over several


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run."""

    run: Run  # as it was read
    path: Path  # the file or folder that was named
    model: str  # its id
    facts: Mapping[str, str]  # the known facts about the model and its numbers
    suites: tuple[ComparedSuite, ...]  # its suites, in order
    without_samples: tuple[str, ...] = ()  # results that no sample belongs to
    words: Words = SAMPLES  # the names of its suites and items
    #: Items that have no score, and why.
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
