"""The pattern of the pairs of a paradigm: how their two texts differ, and which pairs differ so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from evalmark.validator.findings.phrasing import shown
from evalmark.validator.rows.row_findings import MAX_FINDINGS

#: Ways in which texts differ: in one run of words, in the order of words, in several runs.
ONE, ORDER, SEVERAL = "in one place", "only in the order of words", "in several places"
#: Pairs of a paradigm from which on it has a pattern, and the share of them that have it.
ENOUGH, NEARLY_ALL = 20, 0.95


def difference(good: str, bad: str) -> str:
    """The way in which two texts differ: by words, or by characters where there are no spaces."""
    left, right = (text.split() if " " in good else list(text) for text in (good, bad))
    while left and right and left[-1] == right[-1]:
        left.pop()
        right.pop()
    start = 0
    for word, other in zip(left, right, strict=False):
        if word != other:
            break
        start += 1
    middle, others = left[start:], right[start:]
    if {*middle}.isdisjoint(others):
        return ONE
    return ORDER if sorted(middle) == sorted(others) else SEVERAL


@dataclass(slots=True)
class Patterns:
    """How the pairs of each paradigm differ.

    Attributes:
        counts: UID and way -> how many pairs differ in it.
        numbers: UID and way -> the lines, or places in a list, of the first of these pairs.
    """

    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    numbers: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def add(self, uid: str, good: str, bad: str, number: int) -> None:
        """Add a pair of different texts."""
        key = uid, difference(good, bad)
        self.counts[key] = self.counts.get(key, 0) + 1
        numbers = self.numbers.setdefault(key, [])
        if len(numbers) < MAX_FINDINGS:
            numbers.append(number)

    def take(self, part: Patterns, lines: int) -> None:
        """Append the pairs of the part that follows."""
        for key, count in part.counts.items():
            self.counts[key] = self.counts.get(key, 0) + count
            numbers = self.numbers.setdefault(key, [])
            numbers += [number + lines for number in part.numbers[key]]
            del numbers[MAX_FINDINGS:]

    def exceptions(self) -> Iterator[tuple[int, str]]:
        """The line of each pair that differs in another way than nearly all of its paradigm."""
        totals: dict[str, int] = {}
        for (uid, _), count in self.counts.items():
            totals[uid] = totals.get(uid, 0) + count
        for uid, way in self.counts:
            total = totals[uid]
            usual = next((w for w in (ONE, ORDER) if self._is_usual(uid, w, total)), None)
            if usual is None or way == usual:
                continue
            of = f" of {shown(uid)}" if uid else ""
            share = f"{self.counts[uid, usual]} of {total} pairs{of} differ {usual}"
            for number in self.numbers[uid, way]:
                yield number, f"the texts differ {way}, but {share}"

    def _is_usual(self, uid: str, way: str, total: int) -> bool:
        return total >= ENOUGH and self.counts.get((uid, way), 0) >= NEARLY_ALL * total
