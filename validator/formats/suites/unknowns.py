"""Proofs item by item: region values are sums of unknowns, on which a model agrees with itself.

For metric ``sum``, C(p) is the cumulative surprisal of the prefix p of a sentence at which a
region ends. A region's value is C(end) - C(start), C("") = 0, and C(p) <= C(q) where q continues
p at a space. The prefixes form a tree, so each step of it is one unknown that is never negative.
For the other metrics there is one unknown for each text before a region and text of the region.

Assumptions: the model reads from left to right; no token crosses a space; no EOS and no boundary
correction is counted, so what follows a prefix does not matter. Where nothing separates a region
from the text after it (punctuation before which a join removes the space, and everything with the
joining rule ``none``), a token may cross its end, so the text up to the next space becomes part of
the prefix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise, product

from evalmark.schemas.errors import Budget
from evalmark.validator.formats.suites.formula.formula_syntax import Node, Reference, references
from evalmark.validator.formats.suites.formula.meaning import Form, FormOf
from evalmark.validator.formats.suites.suite import Condition, Item, Sentence

#: (condition name, region number or None for all) → the unknowns in its value. A region without
#: a defined value (empty, and the metric is not sum) has none.
Forms = Mapping[tuple[str, int | None], Form]
#: A question about a formula whose region values are given: whether it can hold, or can fail.
NodeTest = Callable[[Node, FormOf], bool]
#: Formulas with more region references are not analysed.
MAX_REFERENCES = 2000
#: A place between two characters of a text: the text that determines its value, and the offset.
_Cut = tuple[str, int]


def item_forms(
    item: Item,
    metric: str,
    join: str = "core",
    context: str = "left",
    *,
    sentences: Sequence[Sentence] | None = None,
    regions: Collection[tuple[str, int | None]] | None = None,
) -> Forms:
    """The values of all regions of an item as sums of shared unknowns, numbered from 0.

    ``context`` is what the value of a region depends on: what is ``left`` of it, or the ``whole``
    sentence, as for a masked model. ``regions`` are those whose values are needed, all if None;
    others may be left out, and unknowns that only they distinguish are merged.
    """
    if sentences is None:
        sentences = [condition.sentence(join) for condition in item.conditions]
    if metric == "sum" and context == "left":
        return _sum_forms(item.conditions, sentences, regions)
    return _other_forms(item.conditions, sentences, metric, context)


def _sum_forms(
    conditions: Sequence[Condition],
    sentences: Sequence[Sentence],
    regions: Collection[tuple[str, int | None]] | None,
) -> Forms:
    # A region begins where the text before it ends, except for space: so it is given by two ends.
    stretches: dict[tuple[str, int | None], tuple[_Cut, _Cut]] = {}

    def add(name: str, number: int | None, text: str, start: int, end: int) -> None:
        if regions is None or (name, number) in regions:
            stretches[name, number] = _cut(text, start), _cut(text, end)

    for condition, sentence in zip(conditions, sentences, strict=True):
        before = 0
        for region, (_, end) in zip(condition.regions, sentence.spans, strict=True):
            add(condition.name, region.number, sentence.text, before, max(before, end))
            before = max(before, end)
        add(condition.name, None, sentence.text, 0, before)
    plain = all(sentence.text.isprintable() for sentence in sentences)
    steps = _tree_steps({cut for ends in stretches.values() for cut in ends}, plain)
    return {
        key: dict.fromkeys(steps[end][len(steps[start]) :], 1)
        for key, (start, end) in stretches.items()
    }


def _tree_steps(cuts: set[_Cut], plain: bool) -> dict[_Cut, tuple[int, ...]]:
    """For each cut, the steps from the empty prefix down to it; a step is an unknown's number.

    Sorted by words, a cut is followed at once by all that continue it. In a plain text nothing
    comes before a space, and so the order of characters is that of words.
    """
    steps: dict[_Cut, tuple[int, ...]] = {}
    chain: list[tuple[str, tuple[int, ...]]] = []
    ordered = sorted(cuts) if plain else sorted(cuts, key=lambda cut: (cut[0].split(" "), cut[1]))
    for number, cut in enumerate(ordered):
        text, at = cut
        while chain and not (text == chain[-1][0] or text.startswith(chain[-1][0] + " ")):
            chain.pop()
        above = chain[-1][1] if chain else ()
        steps[cut] = path = (*above, number) if at else ()
        if at:
            chain.append((text, path))
    return steps


def _cut(text: str, end: int) -> _Cut:
    """The cut at ``end``: without trailing space, and with the rest of a word that it splits."""
    at = _without_space(text, end)
    if at == 0 or end != at or end == len(text) or text[end].isspace():
        return text[:at], at
    run = end
    while run < len(text) and not text[run].isspace():
        run += 1
    return text[:run], at


def _without_space(text: str, end: int) -> int:
    """The end of a stretch without its space, which belongs with what follows, if anything does."""
    return end if end == len(text) else len(text[:end].rstrip())


def _other_forms(
    conditions: Sequence[Condition], sentences: Sequence[Sentence], metric: str, context: str
) -> Forms:
    """Of other metrics, and of masked models: equal only where whole sentences are equal.

    The sum is then one of the stretches between all cuts of the sentence.
    """
    cuts: dict[str, set[int]] = {}
    for text, spans in sentences:
        ends = (_without_space(text, end) for span in spans for end in span)
        cuts.setdefault(text, set()).update(ends)
    unknowns: dict[object, int] = {}
    forms: dict[tuple[str, int | None], Form] = {}
    for condition, (text, spans) in zip(conditions, sentences, strict=True):
        total, is_defined = Counter[int](), True
        for region, (start, end) in zip(condition.regions, spans, strict=True):
            if metric != "sum" and not text[start:end].strip():
                is_defined = False  # an empty region has no mean, so the sum over all has none
                continue
            first, last = _without_space(text, start), _without_space(text, end)
            keys: Iterable[object] = [(_cut(text, end), start)]
            if context == "whole":
                inner = sorted(cut for cut in cuts[text] if first <= cut <= last)
                keys = product([text], pairwise(inner) if metric == "sum" else [(first, last)])
            form = {unknowns.setdefault(key, len(unknowns)): 1 for key in keys}
            forms[condition.name, region.number] = form
            total.update(form)
        if is_defined:
            forms[condition.name, None] = total
    return forms


def disproved(
    tree: Node, question: NodeTest, forms_of_items: Sequence[Forms], sound: Sequence[bool]
) -> tuple[int, ...]:
    """The items, from 0, for which the answer to a question is proved to be no.

    Items that are not sound, and those that lack a value, are left to other rules. May raise
    ``Budget``, if the formula is too large.
    """
    keys = [(part.condition, part.region) for part in references(tree)]
    if len(keys) > MAX_REFERENCES:
        raise Budget
    regions = dict.fromkeys(keys)
    answers: dict[object, bool] = {}
    items = []
    for i, (forms, is_sound) in enumerate(zip(forms_of_items, sound, strict=True)):
        if not (is_sound and forms.keys() >= regions.keys()):
            continue
        # Unknowns are renumbered in order of appearance: equal questions have one answer.
        names: dict[int, int] = {}
        pattern = tuple(
            tuple((names.setdefault(unknown, len(names)), n) for unknown, n in sorted(form.items()))
            for form in map(forms.__getitem__, regions)
        )
        if pattern not in answers:
            answers[pattern] = question(tree, partial(form_of, forms))
        if not answers[pattern]:
            items.append(i)
    return tuple(items)


def form_of(forms: Forms, reference: Reference) -> Form:
    """The value of a reference, as a sum of unknowns."""
    return forms[reference.condition, reference.region]
