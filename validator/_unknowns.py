"""What a left-to-right model must agree with itself about: the unknowns behind region values.

For metric ``sum``, C(p) is the cumulative surprisal of the prefix p of a sentence at which a
region ends. A region's value is C(end) - C(start), C("") = 0, and C(p) <= C(q) where q continues
p at a space. The prefixes form a tree, so each step of it is one unknown that is never negative.
For the other metrics there is one unknown for each text before a region and text of the region.

Assumptions: the model reads from left to right; no token crosses a space; no EOS and no boundary
correction is counted, so what follows a prefix does not matter. A join that takes away the space
before punctuation breaks the second assumption at that place: there, what is glued on is part of
what is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ._sentences import Sentence, join_regions
from ._suite import Condition, Item
from .formula import Form

#: (condition name, region number or None for all) → the unknowns in its value. A region without
#: a defined value (empty, and the metric is not sum) has none.
Forms = Mapping[tuple[str, int | None], Form]


class _Cut(NamedTuple):
    """A place in a text between two of its characters, after all that must be read to know it."""

    text: str
    at: int


def item_forms(
    item: Item,
    metric: str,
    join: str = "core",
    context: str = "left",
    *,
    sentences: Sequence[Sentence] | None = None,
) -> Forms:
    """The values of all regions of an item over shared unknowns, numbered from 0.

    Args:
        item: The item.
        metric: That of its suite.
        join: How regions become sentences.
        context: What the value of a region depends on: what is ``left`` of it, or the ``whole``
            sentence, as for a masked model.
        sentences: The sentences of its conditions, where they have been joined already.
    """
    if sentences is None:
        sentences = [join_regions(condition.contents, join) for condition in item.conditions]
    if context == "whole":
        return _whole_forms(item.conditions, sentences, metric)
    if metric == "sum":
        return _sum_forms(item.conditions, sentences)
    return _other_forms(item.conditions, sentences)


def _sum_forms(conditions: Sequence[Condition], sentences: Sequence[Sentence]) -> Forms:
    cuts = {
        (index, end): _cut(sentence.text, end)
        for index, sentence in enumerate(sentences)
        for span in sentence.spans
        for end in span
    }
    steps = _tree_steps(set(cuts.values()))
    forms: dict[tuple[str, int | None], Form] = {}
    for index, (condition, sentence) in enumerate(zip(conditions, sentences, strict=True)):
        before: tuple[int, ...] = ()
        end_before = 0
        for region, (_, end) in zip(condition.regions, sentence.spans, strict=True):
            path = steps[cuts[index, end]] if end > end_before else before
            forms[condition.name, region.number] = dict.fromkeys(path[len(before) :], 1)
            before, end_before = path, max(end, end_before)
        forms[condition.name, None] = dict.fromkeys(before, 1)
    return forms


def _tree_steps(cuts: set[_Cut]) -> dict[_Cut, tuple[int, ...]]:
    """For each cut, the steps from the empty prefix down to it; a step is an unknown's number."""
    steps: dict[_Cut, tuple[int, ...]] = {}
    chain: list[_Cut] = []
    # Sorted by words, a cut is followed at once by all that continue it.
    for number, cut in enumerate(sorted(cuts, key=lambda cut: (cut.text.split(" "), cut.at))):
        while chain and not _continues(cut, chain[-1]):
            chain.pop()
        above = steps[chain[-1]] if chain else ()
        steps[cut] = (*above, number) if cut.text[: cut.at] else ()
        chain.append(cut)
    return steps


def _continues(cut: _Cut, other: _Cut) -> bool:
    return cut.text == other.text or not other.text or cut.text.startswith(other.text + " ")


def _cut(text: str, end: int) -> _Cut:
    """The cut at ``end``: without space at its end, and with whatever is glued on behind it."""
    at = len(text[:end].rstrip())
    if at == 0 or end != at or end == len(text) or text[end].isspace():
        return _Cut(text[:at], at)
    run = end
    while run < len(text) and not text[run].isspace():
        run += 1
    return _Cut(text[:run], at)


def _other_forms(conditions: Sequence[Condition], sentences: Sequence[Sentence]) -> Forms:
    unknowns: dict[tuple[_Cut, int], int] = {}
    forms: dict[tuple[str, int | None], Form] = {}
    for condition, sentence in zip(conditions, sentences, strict=True):
        total: Counter[int] | None = Counter()
        for region, (start, end) in zip(condition.regions, sentence.spans, strict=True):
            if start == end:
                total = None  # an empty region has no mean, and so the sum over all has none
                continue
            key = (_cut(sentence.text, end), start)
            number = unknowns.setdefault(key, len(unknowns))
            forms[condition.name, region.number] = {number: 1}
            if total is not None:
                total[number] += 1
        if total is not None:
            forms[condition.name, None] = total
    return forms


def _whole_forms(
    conditions: Sequence[Condition], sentences: Sequence[Sentence], metric: str
) -> Forms:
    """Equal only where whole sentences are equal: one unknown for each stretch between cuts."""
    cuts: dict[str, set[int]] = {}
    for sentence in sentences:
        ends = (len(sentence.text[:end].rstrip()) for span in sentence.spans for end in span)
        cuts.setdefault(sentence.text, set()).update(ends)
    stretches: dict[tuple[str, int, int], int] = {}
    forms: dict[tuple[str, int | None], Form] = {}
    for condition, sentence in zip(conditions, sentences, strict=True):
        text = sentence.text
        total: Counter[int] | None = Counter()
        for region, span in zip(condition.regions, sentence.spans, strict=True):
            start, end = (len(text[:at].rstrip()) for at in span)
            inner = sorted(cut for cut in cuts[text] if start <= cut <= end)
            pairs = pairwise(inner) if metric == "sum" else [(start, end)] if start < end else []
            keys = [(text, one, other) for one, other in pairs]
            if not keys and metric != "sum":
                total = None  # an empty region has no mean, and so the sum over all has none
                continue
            form = {stretches.setdefault(key, len(stretches)): 1 for key in keys}
            forms[condition.name, region.number] = form
            if total is not None:
                total.update(form)
        if total is not None:
            forms[condition.name, None] = total
    return forms
