"""The score of a part of a run, whatever was scored: that of a result, or an average of several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evalmark.converters.records.run import Result
from evalmark.schemas.errors import ContradictionError
from evalmark.scoring.suites.chance import Chance, mean
from evalmark.stats.intervals import average_interval, wilson_interval
from evalmark.validator.findings.phrasing import first_of

#: The key of details that says which part was scored, if a limit left something out.
SCORED = "scored"
#: The keys of details that say how many items are right: of suites, and of minimal pairs.
CORRECT, RIGHT = "correct", "right"


def scored_part(done: int, left_out: int, items: str = "") -> str:
    """The part that was scored, such as ``5 of 48 items``; empty if nothing was left out."""
    return f"{done} of {done + left_out} {items}".rstrip() if left_out else ""


def require_part(result: Result) -> None:
    """Raise a ContradictionError if a result of evalmark names its scored part in other words."""
    part = result.details.get(SCORED, "")
    if not re.fullmatch(r"(\d+ of \d+ (items|pairs))?", part):
        raise ContradictionError(
            f"{result.name} has scored {part!r}, and not such as '5 of 48 items'"
        )


@dataclass(frozen=True, slots=True)
class Score:
    """A score of a prediction, a UID or a result, or an average; None if nothing counts."""

    score: float | None
    interval: tuple[float, float] | None
    exact_chance: Chance | None  # None if it is unknown
    items: int
    is_signed: bool = False  # from -1 to 1, as a correlation with people's ratios; else a share
    parts: int = 1  # how many suites or UIDs an average is over
    right: int | None = None  # how many items are right; None of an average
    ties: int = 0  # exact ones included
    exact_ties: int = 0
    impossible: int = 0
    part: str = ""  # the part of its items that was scored, if a limit left some out

    @property
    def chance(self) -> float | None:
        """Chance as a number; None if it is unknown."""
        return None if self.exact_chance is None else float(self.exact_chance.share)

    @property
    def is_below_chance(self) -> bool:
        """True if its interval is below chance."""
        return self.verdict == "worse"

    @property
    def verdict(self) -> str:
        """How it compares with chance: ``better``, ``worse``, or empty if it cannot be told."""
        if self.interval is None or self.chance is None:
            return ""
        low, high = self.interval
        return "better" if low > self.chance else "worse" if high < self.chance else ""

    @property
    def has_failures(self) -> bool:
        """True if not all items are right."""
        return self.right is not None and self.right < self.items


def score_of(result: Result, counted: str = "") -> Score:
    """The score of a result; ``counted`` is the detail that says how many of its items are right.

    Without it, the score and its interval are as the result states them. Raises a
    ContradictionError if the details do not have the score of the result.
    """
    details, uncertainty = result.details, result.uncertainty or {}
    stated = uncertainty.get("confidence_interval") or {}
    low, high = stated.get("lower"), stated.get("upper")
    score = result.score
    interval = None if low is None or high is None else (float(low), float(high))
    items = int(details.get("items") or uncertainty.get("num_samples") or 0)
    right = int(details[counted]) if counted else None
    if right is not None:
        if score is None or not 0 <= right <= items or not items or round(score * items) != right:
            raise ContradictionError(
                f"{result.name} has {right} of {items} right, and the score {score}"
            )
        require_part(result)
        score, interval = right / items, wilson_interval(right / items, items)
    ties, exact_ties, impossible = (
        int(details.get(key) or 0) if counted else 0 for key in ("ties", "exact_ties", "impossible")
    )
    return Score(
        score,
        interval,
        Chance.of_details(details) if counted or "chance" in details else None,
        items,
        result.metric.bounds == (-1, 1),
        int(details.get("uids", 1)),
        right,
        ties,
        exact_ties,
        impossible,
        details.get(SCORED, ""),
    )


def require_counts(result: Result, counted: Mapping[str, object]) -> None:
    """Raise a ContradictionError if a detail of a result is not what its samples have."""
    for key, count in counted.items():
        if (stated := result.details.get(key, str(count))) != str(count):
            raise ContradictionError(
                f"`{key}` of {result.name} is {stated}, but {count} by its samples"
            )


def require_once(result: Result, items: Sequence[object]) -> None:
    """Raise a ContradictionError if several samples of a result are of one item."""
    if repeated := [item for item, count in Counter(items).items() if count > 1]:
        raise ContradictionError(
            f"{result.name} has several samples of one item: {first_of([*map(str, repeated)], 3)}"
        )


def average_of(scores: Sequence[Score]) -> Score:
    """The mean of some accuracies with the same weight; its interval is over items."""
    known = [(score.score, score) for score in scores if score.score is not None]
    shares, counts = [share for share, _ in known], [score.items for _, score in known]
    chances = [score.exact_chance for _, score in known if score.exact_chance is not None]
    every = sum(int(one.part.split()[2]) if one.part else one.items for one in scores)
    return Score(
        sum(shares) / len(shares),
        average_interval(shares, counts),
        mean(chances) if len(chances) == len(known) else None,
        sum(counts),
        parts=len(shares),
        part=scored_part(sum(counts), every - sum(counts), "items"),
    )
