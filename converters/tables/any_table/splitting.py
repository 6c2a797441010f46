"""Sentences of an item, split into regions that all items have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from unicodedata import category

from evalmark.converters.tables.any_table.reading import Split
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.shared.writing_systems import unspaced_script
from evalmark.validator.reading.work_budget import WorkBudget

#: Sentences of an item, split; regions are in the same order in each.
Parts = list[list[str]]
#: Names of regions around a single difference.
AROUND = ("beginning", "difference", "end")
#: Words of a sentence for which the common parts are looked for: the search is quadratic.
_WORDS = 200


@dataclass(frozen=True, slots=True)
class SplitSentences:
    """The regions of all sentences.

    Attributes:
        names: The names of the regions.
        items: The texts of each sentence of each item, one for each region.
        is_spaced: Whether spaces separate words; if not, there are none between regions.
    """

    names: tuple[str, ...]
    items: list[Parts]
    is_spaced: bool = True


def split_sentences(
    items: Sequence[Sequence[str]], split: Split, budget: WorkBudget
) -> SplitSentences:
    """Split the sentences of all items.

    Raises:
        ConversionError: A sentence has another number of ``|`` than others.
    """
    if split is not Split.BARS:
        items = [[" ".join(_words(one.replace("|", " "))) for one in item] for item in items]
    is_spaced = unspaced_script(one for item in items for one in item) is None
    if split is Split.BARS:
        return _at_bars(items, is_spaced=is_spaced)
    if split is Split.WHOLE:
        return SplitSentences(("sentence",), [[[one] for one in item] for item in items], is_spaced)
    words = [[_words(one, is_spaced=is_spaced) for one in item] for item in items]
    if split is Split.WORDS:
        size = max(len(one) for item in words for one in item)
        budget.take(cells=size * sum(map(len, words)))
        padded = [[one + [""] * (size - len(one)) for one in item] for item in words]
        names = tuple(f"word {number}" for number in range(1, size + 1))
        return SplitSentences(names, padded, is_spaced)
    return _at_differences(words, is_spaced=is_spaced)


def _words(text: str, *, is_spaced: bool = True) -> list[str]:
    """The words of a text without spaces at its ends, or its letters with their marks."""
    if is_spaced:
        return [word for word in text.split(" ") if word]
    letters: list[str] = []
    for letter in text:
        if letters and category(letter)[0] == "M":
            letters[-1] += letter
        else:
            letters.append(letter)
    return letters


def _at_bars(items: Sequence[Sequence[str]], *, is_spaced: bool) -> SplitSentences:
    parts = [[[part.strip() for part in one.split("|")] for one in item] for item in items]
    sizes = {len(one) for item in parts for one in item}
    if len(sizes) > 1:
        listed = " and ".join(str(size) for size in sorted(sizes)[:3])
        raise ConversionError(
            f"the sentences have {listed} parts between `|`",
            "write as many `|` in each sentence; nothing between two is an empty region",
        )
    names = tuple(f"region {number}" for number in range(1, sizes.pop() + 1))
    return SplitSentences(names, parts, is_spaced)


def _at_differences(items: list[Parts], *, is_spaced: bool) -> SplitSentences:
    """The parts that the sentences of an item share, and those between them."""
    blocks = [_common_blocks(item) for item in items]
    pieces = [_pieces(item, common) for item, common in zip(items, blocks, strict=True)]
    shapes = {_shape(piece) for piece in pieces}
    if len(shapes) > 1:  # only the ends are shared in the same way
        pieces = [_around(item) for item in items]
    size = max(len(piece) for piece in pieces)
    used = [at for at in range(size) if any(any(piece[at]) for piece in pieces if at < len(piece))]
    gap = " " if is_spaced else ""
    texts = [
        [list(row) for row in zip(*([gap.join(w) for w in piece[at]] for at in used), strict=True)]
        for piece in pieces
    ]
    return SplitSentences(_names(used, size), texts, is_spaced)


def _names(used: list[int], size: int) -> tuple[str, ...]:
    if size <= len(AROUND):
        return tuple(AROUND[at] for at in used)
    inner = {at: f"{'difference' if at % 2 else 'middle'} {(at + 1) // 2}" for at in used}
    return tuple({0: "beginning", size - 1: "end"}.get(at, inner[at]) for at in used)


def _shape(piece: list[Parts]) -> tuple[bool, ...]:
    return tuple(any(words) for words in piece)


def _pieces(item: Parts, common: list[list[int]]) -> list[Parts]:
    """Shared and other words by turns, a shared part first and last, for each sentence.

    Args:
        item: The words of each sentence.
        common: For each shared word, in order, its place in each sentence.
    """
    count = len(item)
    pieces: list[Parts] = [[[] for _ in item]]
    at = [0] * count
    for places in [*common, [len(words) for words in item]]:
        if any(place > start for place, start in zip(places, at, strict=True)):
            pieces.append([w[s:p] for w, s, p in zip(item, at, places, strict=True)])
            pieces.append([[] for _ in item])
        if places[0] < len(item[0]):
            for words, sentence, place in zip(pieces[-1], item, places, strict=True):
                words.append(sentence[place])
        at = [place + 1 for place in places]
    return pieces


def _common_blocks(item: Parts) -> list[list[int]]:
    """The places of the words that all sentences share, in order."""
    first, *others = item
    if any(len(words) > _WORDS for words in item):
        return _ends(item)
    common = [[place] for place in range(len(first))]
    for words in others:
        pairs = _longest_common([first[places[0]] for places in common], words)
        common = [[*common[left], right] for left, right in pairs]
    return common


def _longest_common(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            is_same = left[i] == right[j]
            lengths[i][j] = (
                lengths[i + 1][j + 1] + 1 if is_same else max(lengths[i + 1][j], lengths[i][j + 1])
            )
    pairs, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _ends(item: Parts) -> list[list[int]]:
    """The places of the words that the beginnings and the ends of all sentences share."""
    shortest = min(map(len, item))
    start = _shared(item)
    end = min(_shared([words[::-1] for words in item]), shortest - start)
    return [[at] * len(item) for at in range(start)] + [
        [len(words) - back for words in item] for back in range(end, 0, -1)
    ]


def _around(item: Parts) -> list[Parts]:
    """The common beginning of all sentences, their different parts, and their common end."""
    ends = _ends(item)
    start = next((n for n, places in enumerate(ends) if places != [n] * len(item)), len(ends))
    back = len(ends) - start
    return [
        [words[:start] for words in item],
        [words[start : len(words) - back] for words in item],
        [words[len(words) - back :] for words in item],
    ]


def _shared(item: Parts) -> int:
    """How many words all sentences begin with."""
    return sum(1 for _ in takewhile(lambda words: len({*words}) == 1, zip(*item, strict=False)))
