"""Duplicates among millions of texts, with 16 bytes of memory for each text."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from hashlib import blake2b
from itertools import groupby

#: 64 bits; and an odd factor of that size whose bits look random (the golden ratio).
_ALL, _ODD = (1 << 64) - 1, 0x9E3779B97F4A7C15


def digest_of(text: str) -> int:
    """64 bits of a text."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest)


def digest_of_several(digests: list[int]) -> int:
    """64 bits of several texts in their order, from those of each."""
    whole = len(digests)
    for digest in digests:
        whole = (whole * _ODD + digest) & _ALL
    return whole


class Repeats:
    """Finds texts that were added before, by a digest of 64 bits.

    Digests are spread over 256 lists, so that sorting one needs little more memory.
    """

    def __init__(self) -> None:
        self._digests = [array("Q") for _ in range(256)]
        self._numbers = [array("Q") for _ in range(256)]

    def add(self, text: str, number: int) -> None:
        """Add a text with its number; numbers increase."""
        self.put(digest_of(text), number)

    def put(self, digest: int, number: int) -> None:
        """Add what has a digest, with its number."""
        bucket = digest >> 56
        self._digests[bucket].append(digest)
        self._numbers[bucket].append(number)

    def take(self, following: Repeats, offset: int) -> None:
        """Add the texts of another object; its numbers start after ``offset``."""
        for mine, theirs in zip(self._digests, following._digests, strict=True):
            mine += theirs
        for mine, theirs in zip(self._numbers, following._numbers, strict=True):
            mine += array("Q", (number + offset for number in theirs))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """For each duplicate: the smallest number of its texts, and its own."""
        for digests, numbers in zip(self._digests, self._numbers, strict=True):
            order = sorted(range(len(digests)), key=digests.__getitem__)
            for _, group in groupby(order, key=digests.__getitem__):
                alike = [numbers[at] for at in group]
                if len(alike) > 1:
                    first, *later = sorted(alike)
                    yield from ((first, number) for number in later)
