"""Common traits of nearly all pairs of a paradigm, and the pairs that lack them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from evalmark.validator.findings.phrasing import cited, listed
from evalmark.validator.formats.pairs.pair_characters import FINAL, common_start
from evalmark.validator.formats.shared.row_findings import MAX_FINDINGS

#: Ways in which texts differ: in one run of words, in the order of words, in several runs.
ONE, ORDER, SEVERAL = "in one place", "only in the order of words", "in several places"
#: Pairs of a paradigm from which on it has a pattern, and the share of them that have it.
ENOUGH, NEARLY_ALL = 20, 0.95
#: Labels that belong to a paradigm, not to a pair, after its UID; and what they are called.
LABELS = {"uid": "UID", "field": "field", "term": "linguistic term", "language": "language"}
#: Words that are counted before the rare ones among them are forgotten.
MAX_WORDS = 20_000
#: Swapped pairs that are reported for a word.
MAX_SWAPPED = 50


def difference(good: str, bad: str) -> tuple[str, list[str], list[str]]:
    """How two texts differ: the way, and the words of each from the first to the last other one.

    Texts without spaces are compared by characters; a final mark that both have is left out.
    """
    if good[-1:] == bad[-1:] and good[-1:] in FINAL:
        good, bad = good[:-1], bad[:-1]
    left, right = (good.split(), bad.split()) if " " in good else (list(good), list(bad))
    while left and right and left[-1] == right[-1]:
        left.pop()
        right.pop()
    start = common_start(left, right)
    middle, others = left[start:], right[start:]
    if {*middle}.isdisjoint(others):
        return ONE, middle, others
    return ORDER if sorted(middle) == sorted(others) else SEVERAL, middle, others


@dataclass(slots=True)
class PairCounts:
    """Counts of what pairs have, each a UID and what follows it."""

    most: int = MAX_FINDINGS  # lines that are kept of each
    # UID and trait -> how many pairs have it, then lines (or places) of the first
    seen: dict[tuple[str, ...], list[int]] = field(default_factory=dict)

    def add(self, key: tuple[str, ...], number: int) -> None:
        """Count a pair."""
        counted = self.seen.get(key)
        if counted is None:
            self.seen[key] = [1, number]
            return
        counted[0] += 1
        if len(counted) <= self.most:
            counted.append(number)

    def take(self, part: PairCounts, lines: int) -> None:
        """Add the counts of the next part of the file, before which there are ``lines`` lines."""
        for key, (count, *numbers) in part.seen.items():
            counted = self.seen.setdefault(key, [0])
            counted[0] += count
            counted += [number + lines for number in numbers]
            del counted[self.most + 1 :]

    def count(self, *key: str) -> int:
        """How many pairs have it."""
        return self.seen.get(key, (0,))[0]

    def numbers(self, *key: str) -> list[int]:
        """The lines of the first pairs that have it."""
        return self.seen[key][1:]

    def by_uid(self) -> dict[str, dict[tuple[str, ...], int]]:
        """UID -> what its pairs have, with the counts."""
        groups: dict[str, dict[tuple[str, ...], int]] = {}
        for (uid, *rest), (count, *_) in self.seen.items():
            groups.setdefault(uid, {})[tuple(rest)] = count
        return groups


@dataclass(slots=True)
class Patterns:
    """Common traits of the pairs of each paradigm."""

    changes: PairCounts = field(default_factory=PairCounts)  # UID and the way in which texts differ
    # UID, a word that one text has where the other has another, and whose it is
    words: PairCounts = field(default_factory=lambda: PairCounts(MAX_SWAPPED))
    labels: PairCounts = field(default_factory=PairCounts)  # UID and the other labels of it
    limit: int = MAX_WORDS  # words that may be counted before the rare ones are forgotten

    def add(self, uid: str, good: str, bad: str, number: int) -> None:
        """Add a pair of different texts."""
        change, *changed_words = difference(good, bad)
        self.changes.add((uid, change), number)
        if change is not ONE:
            return
        for words, role in zip(changed_words, ("good", "bad"), strict=True):
            for word in words if len(words) < 2 else {*words}:
                self.words.add((uid, word, role), number)
        if len(self.words.seen) > self.limit:
            self._forget()

    def _forget(self) -> None:
        """Forget words that less than one of a hundred pairs of a paradigm have had so far."""
        self.words.seen = {
            (uid, *rest): counted
            for (uid, *rest), counted in self.words.seen.items()
            if 100 * counted[0] >= self.changes.count(uid, ONE)
        }
        self.limit = MAX_WORDS + 2 * len(self.words.seen)

    def take(self, part: Patterns, lines: int) -> None:
        """Add the counts of the next part of the file, before which there are ``lines`` lines."""
        self.changes.take(part.changes, lines)
        self.words.take(part.words, lines)
        self.labels.take(part.labels, lines)

    def exceptions(self) -> Iterator[tuple[str, int, str]]:
        """The rule, the line and the message for each pair that lacks what nearly all have."""
        for uid, changes in self.changes.by_uid().items():
            suffix = f" of {cited(uid)}" if uid else ""
            yield from self._other_changes(uid, suffix, changes)
        for uid, words in self.words.by_uid().items():
            for number, message in self._swapped(uid, words):
                yield "swapped-texts", number, message
        for uid, labels in self.labels.by_uid().items():
            if uid:
                yield from self._other_labels(uid, labels)

    def _other_changes(
        self, uid: str, suffix: str, changes: dict[tuple[str, ...], int]
    ) -> Iterator[tuple[str, int, str]]:
        total = sum(changes.values())
        usual = next((w for w in (ONE, ORDER) if _is_usual(changes.get((w,), 0), total)), None)
        if usual is None:
            return
        share = f"{changes[(usual,)]} of {total} pairs{suffix} differ {usual}"
        for (change,) in changes:
            for number in self.changes.numbers(uid, change) if change != usual else ():
                yield "unlike-the-others", number, f"the texts differ {change}, but {share}"

    def _swapped(self, uid: str, words: dict[tuple[str, ...], int]) -> Iterator[tuple[int, str]]:
        """The pairs with a word in one text that is nearly always in the other text."""
        total = self.changes.count(uid, ONE)
        usual: dict[str, dict[int, str]] = {"good": {}, "bad": {}}
        certain: set[int] = set()
        for (word, role), count in words.items():
            other = "bad" if role == "good" else "good"
            others = words.get((word, other), 0)
            if not others or not _is_usual(count, count + others):
                continue
            text = f"{cited(word)} is in the {other} text, but in {count} pairs in the {role} one"
            numbers = self.words.numbers(uid, word, other)
            usual[role].update(dict.fromkeys(numbers, text))
            certain.update(numbers if _is_usual(count, total) else ())
        for number in sorted(certain | usual["good"].keys() & usual["bad"].keys()):
            yield number, "; ".join(texts[number] for texts in usual.values() if number in texts)

    def _other_labels(
        self, uid: str, labels: dict[tuple[str, ...], int]
    ) -> Iterator[tuple[str, int, str]]:
        total = sum(labels.values())
        usual = max(labels, key=lambda values: labels[values])
        if not _is_usual(labels[usual], total):
            return
        for values in labels:
            others = [
                f"{name} {cited(value)} instead of {cited(common)}"
                for name, value, common in zip([*LABELS.values()][1:], values, usual, strict=True)
                if value != common
            ]
            for number in self.labels.numbers(uid, *values) if others else ():
                share = f"{labels[usual]} of {total} pairs of {cited(uid)}"
                yield "labels-of-uid", number, f"{listed(others)}, unlike {share}"


def _is_usual(count: int, total: int) -> bool:
    return total >= ENOUGH and count >= NEARLY_ALL * total
