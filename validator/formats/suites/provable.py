"""Proofs about predictions that hold for every model, item by item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from evalmark.schemas.errors import Budget
from evalmark.validator.formats.suites.formula.formula_syntax import Node, Reference, references
from evalmark.validator.formats.suites.formula.meaning import Form, FormOf
from evalmark.validator.formats.suites.unknowns import Forms

#: Formulas with more region references are not analysed.
MAX_REFERENCES = 2000
#: A question about a formula whose region values are given: whether it can hold, or can fail.
Question = Callable[[Node, FormOf], bool]


def disproved(
    tree: Node, question: Question, forms_of_items: Sequence[Forms], sound: Sequence[bool]
) -> tuple[int, ...]:
    """The items, from 0, for which the answer to a question is proved to be no.

    Items that are not sound, and those that lack a value, are left to other rules.

    Raises:
        Budget: The formula is too large.
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
    """The value that a reference stands for, as a sum of unknowns."""
    return forms[reference.condition, reference.region]
