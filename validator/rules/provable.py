"""Rules that prove that a prediction holds, or fails, for every left-to-right model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from evalmark.schemas.errors import Budget
from evalmark.validator.findings.hit import At, Hit, Remark
from evalmark.validator.findings.words import items_text, listed, shown
from evalmark.validator.formula.proof import Form, FormOf, can_fail, can_hold
from evalmark.validator.formula.tree import Node, Reference, references
from evalmark.validator.views.sentences import join_regions
from evalmark.validator.views.suite import Item
from evalmark.validator.views.suite_view import SuiteFileView, formula_at, item_number_at
from evalmark.validator.views.unknowns import Forms

#: Formulas with more region references are not analysed.
MAX_REFERENCES = 2000


def never_holds(view: SuiteFileView) -> Iterator[Hit | Remark]:
    """In every item, a prediction can be true.

    For every left-to-right model, texts that are equal up to the end of a region have equal
    surprisal, and surprisal never decreases as text continues. It follows that some predictions are
    false for an item whatever the model, most often because two conditions do not differ in the
    regions that are compared. Such an item counts as a failure of every model.

    Bad: `(2;%a%) > (2;%b%)` where both conditions begin "The woman plays"
    Good: `(2;%a%) > (2;%b%)` where one begins "The woman plays" and the other "The woman play"
    """
    return _claims(
        view,
        can_hold,
        "prediction can never hold for {}",
        "false for every left-to-right model",
        ("do the conditions differ before the end of the regions that are compared?",),
    )


def cannot_fail(view: SuiteFileView) -> Iterator[Hit | Remark]:
    """In every item, a prediction can be false.

    A prediction that is true for every left-to-right model tests nothing, and raises every
    accuracy.

    Bad: `(*;%a%) > (2;%a%) - 1`, since the whole is never less than a part
    Good: `(2;%a%) > (2;%b%)`
    """
    return _claims(
        view,
        can_fail,
        "prediction cannot fail for {}",
        "true for every left-to-right model",
    )


def _claims(
    view: SuiteFileView,
    question: Callable[[Node, FormOf], bool],
    message: str,
    caret: str,
    helps: tuple[str, ...] = (),
) -> Iterator[Hit | Remark]:
    for index, formula in view.meaningful:
        try:
            items = _proved(view, formula.tree, question)
        except Budget:
            yield Remark(f"prediction {index + 1} is too large to be analysed")
            continue
        if not items:
            continue
        numbers = [item.number for item in items]
        first = [item.number for item in view.suite.items].index(numbers[0])
        whom = "any item" if len(items) == len(view.suite.items) > 1 else items_text(numbers)
        yield Hit(
            message.format(whom),
            At(formula_at(index)),
            caret=caret,
            labels=((At(item_number_at(first)), "for this item"),),
            notes=tuple(_sentences(view, items[0], formula.tree)),
            helps=helps,
        )


def _proved(
    view: SuiteFileView, tree: Node, question: Callable[[Node, FormOf], bool]
) -> list[Item]:
    """The items for which the answer to a question is proved to be no."""
    found = [(part.condition, part.region) for part in references(tree)]
    if len(found) > MAX_REFERENCES:
        raise Budget
    wanted = list(dict.fromkeys(found))
    answers: dict[object, bool] = {}
    items = []
    for item, forms in zip(view.suite.items, view.forms, strict=True):
        pattern = _pattern(forms, wanted)
        if pattern is None:
            continue  # a value is missing or undefined; other rules report it
        if pattern not in answers:
            answers[pattern] = question(tree, partial(_form_of, forms))
        if not answers[pattern]:
            items.append(item)
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


def _sentences(view: SuiteFileView, item: Item, tree: Node) -> Iterator[str]:
    looked_at: dict[str, dict[str, None]] = {}
    for reference in references(tree):
        name = "*" if reference.region is None else str(reference.region)
        looked_at.setdefault(reference.condition, {})[name] = None
    for condition in item.conditions:
        if regions := looked_at.get(condition.name):
            label = f"region{'s' if len(regions) > 1 else ''} {listed(regions)}"
            sentence = shown(join_regions(condition.contents, view.join).text)
            yield f"item {item.number}, `{condition.name}` ({label}): {sentence}"
