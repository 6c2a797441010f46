"""Which of very many texts occur more than once, in 16 bytes for each of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from hashlib import blake2b
from itertools import groupby


class Repeats:
    """Texts with a number each; what is kept of a text is a digest of 64 bits.

    It is spread over 256 lists, so that finding repeats needs little memory beyond them.
    """

    def __init__(self) -> None:
        self._digests = [array("Q") for _ in range(256)]
        self._numbers = [array("Q") for _ in range(256)]

    def add(self, text: str, number: int) -> None:
        """Keep a text; numbers grow."""
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        self._digests[digest[0]].append(int.from_bytes(digest))
        self._numbers[digest[0]].append(number)

    def take(self, other: Repeats, offset: int) -> None:
        """Take over the texts of another one, whose numbers begin after ``offset``."""
        for mine, theirs in zip(self._digests, other._digests, strict=True):
            mine += theirs
        for mine, theirs in zip(self._numbers, other._numbers, strict=True):
            mine += array("Q", (number + offset for number in theirs))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """For each text that is there again: the number of the first, and its own."""
        for digests, numbers in zip(self._digests, self._numbers, strict=True):
            order = sorted(range(len(digests)), key=digests.__getitem__)
            for _, group in groupby(order, key=digests.__getitem__):
                first, *later = group
                yield from ((numbers[first], numbers[at]) for at in later)
