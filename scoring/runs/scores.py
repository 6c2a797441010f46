"""The score of a part of a run, whatever was scored."""

from __future__ import annotations

from dataclasses import dataclass

#: Items of a suite that a page shows by default.
ITEMS = 200
#: The key of details that says which part was scored, if a limit left something out.
SCORED = "scored"


def scored_part(done: int, left_out: int, items: str = "") -> str:
    """The part that was scored, such as ``5 of 48 items``; empty if nothing was left out."""
    return f"{done} of {done + left_out} {items}".rstrip() if left_out else ""


@dataclass(frozen=True, slots=True)
class Score:
    """A score of a prediction, a UID or a result, or an average; None if nothing counts."""

    score: float | None
    interval: tuple[float, float] | None
    chance: float | None  # None if it is unknown
    is_correlation: bool  # with people's ratios; else a share or another score
    items: int
    parts: int = 1  # how many suites or UIDs an average is over
    right: int | None = None  # how many items are right; None of an average
    ties: int = 0
    impossible: int = 0
    part: str = ""  # the part of its items that was scored, if a limit left some out

    @property
    def is_below_chance(self) -> bool:
        """True if its interval is below chance."""
        if self.interval is None or self.chance is None:
            return False
        return self.interval[1] < self.chance

    @property
    def has_failures(self) -> bool:
        """True if not all items are right."""
        return self.right is not None and self.right < self.items
