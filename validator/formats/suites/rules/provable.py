"""Rules that prove that a prediction holds, or fails, for every left-to-right model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from evalmark.schemas.errors import Budget
from evalmark.validator.findings.hit import At, Hit, Remark
from evalmark.validator.findings.words import items_text
from evalmark.validator.formats.suites.formula.parser import Formula
from evalmark.validator.formats.suites.formula.proof import (
    Form,
    FormOf,
    can_fail,
    can_hold,
    contradiction,
)
from evalmark.validator.formats.suites.formula.tree import Node, Reference, references
from evalmark.validator.formats.suites.suite_view import SuiteFileView, item_number_at
from evalmark.validator.formats.suites.unknowns import Forms

#: Formulas with more region references are not analysed.
MAX_REFERENCES = 2000


def never_holds(view: SuiteFileView) -> Iterator[Hit | Remark]:
    """In every item, a prediction can be true.

    For every left-to-right model, texts that are equal up to the end of a region have equal
    surprisal, and surprisal never decreases as text continues. It follows that some predictions are
    false for an item whatever the model, most often because two conditions do not differ in the
    regions that are compared. Such an item counts as a failure of every left-to-right model.

    Masked models see what follows a region too. In a repository whose suites are for such models,
    the setting `models = "any"` leaves only predictions that no model at all can fulfil.

    Bad: `(2;%a%) > (2;%b%)` where both conditions begin "The woman plays"
    Good: `(2;%a%) > (2;%b%)` where one begins "The woman plays" and the other "The woman play"
    """
    for index, formula, items in _claims(view, can_hold):
        if isinstance(items, Remark):
            yield items
            continue
        from evalmark.validator.formats.suites.rules.proof_notes import (
            reason,  # a valid file needs none
        )

        i = items[0]
        core = contradiction(formula.tree, partial(_form_of, view.forms[i]))
        why = reason(view, i, core)
        first, *others = (view.at(index, comparison.span) for comparison in core)
        yield Hit(
            f"prediction can never hold for {_whom(view, items)}, with any {view.models}",
            first,
            caret=why.caret,
            labels=(
                *((at, "part of the contradiction") for at in others),
                (At(item_number_at(i)), "for this item"),
            ),
            notes=why.notes,
            helps=(why.help,),
            pointer=view.at(index).pointer,
        )


def cannot_fail(view: SuiteFileView) -> Iterator[Hit | Remark]:
    """In every item, a prediction can be false.

    A prediction that is true for every left-to-right model tests nothing, and raises every
    accuracy. The setting `models = "any"` leaves only predictions that are true for masked models
    too.

    Bad: `(*;%a%) > (2;%a%) - 1`, since the whole is never less than a part
    Good: `(2;%a%) > (2;%b%)`
    """
    never = NeverHolds(view)
    for index, formula, items in _claims(view, can_fail):
        if isinstance(items, Remark):
            yield items
            continue
        items = [i for i in items if not any(i in never[other] for other, _ in view.meaningful)]
        if not items:
            continue  # the mistake in them is reported where it makes a prediction impossible
        from evalmark.validator.formats.suites.rules.proof_notes import read_texts

        i = items[0]
        yield Hit(
            f"prediction cannot fail for {_whom(view, items)}, with any {view.models}",
            view.at(index),
            caret=f"true for every {view.models}",
            labels=((At(item_number_at(i)), "for this item"),),
            notes=tuple(read_texts(view, i, references(formula.tree))),
        )


class NeverHolds(dict[int, frozenset[int]]):
    """Index of a prediction → the items, from 0, for which it can never hold; proved when asked."""

    def __init__(self, view: SuiteFileView) -> None:
        self._view = view
        self._trees = {index: formula.tree for index, formula in view.meaningful}

    def __missing__(self, index: int) -> frozenset[int]:
        try:
            self[index] = frozenset(_proved(self._view, self._trees[index], can_hold))
        except Budget:
            self[index] = frozenset()
        return self[index]


def _claims(
    view: SuiteFileView, question: Callable[[Node, FormOf], bool]
) -> Iterator[tuple[int, Formula, list[int] | Remark]]:
    """The predictions with items for which the answer is proved to be no, or why there is none."""
    for index, formula in view.meaningful:
        try:
            if items := _proved(view, formula.tree, question):
                yield index, formula, items
        except Budget:
            yield index, formula, Remark(f"prediction {index + 1} is too large to analyse")


def _whom(view: SuiteFileView, items: list[int]) -> str:
    everyone = len(items) == len(view.suite.items) > 1
    return "any item" if everyone else items_text([view.suite.items[i].number for i in items])


def _proved(view: SuiteFileView, tree: Node, question: Callable[[Node, FormOf], bool]) -> list[int]:
    """The items, from 0, for which the answer to a question is proved to be no."""
    found = [(part.condition, part.region) for part in references(tree)]
    if len(found) > MAX_REFERENCES:
        raise Budget
    wanted = list(dict.fromkeys(found))
    answers: dict[object, bool] = {}
    items = []
    for i, (forms, is_sound) in enumerate(zip(view.forms, view.sound, strict=True)):
        if not is_sound:
            continue  # rules on sentences report it
        pattern = _pattern(forms, wanted)
        if pattern is None:
            continue  # a value is missing or undefined; other rules report it
        if pattern not in answers:
            answers[pattern] = question(tree, partial(_form_of, forms))
        if not answers[pattern]:
            items.append(i)
    return items


def _form_of(forms: Forms, reference: Reference) -> Form:
    return forms[reference.condition, reference.region]


def _pattern(forms: Forms, wanted: list[tuple[str, int | None]]) -> object | None:
    """The forms with their unknowns renumbered in order of appearance: equal questions are equal.

    None if a form is missing.
    """
    names: dict[int, int] = {}
    pattern = []
    for key in wanted:
        form = forms.get(key)
        if form is None:
            return None
        counts = sorted(form.items())
        pattern.append(tuple((names.setdefault(one, len(names)), count) for one, count in counts))
    return tuple(pattern)
