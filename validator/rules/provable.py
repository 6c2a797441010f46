"""Rules that prove that a prediction holds, or fails, for every left-to-right model."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from evalmark.schemas.errors import Budget
from evalmark.validator.findings.hit import At, Hit, Remark
from evalmark.validator.findings.words import items_text, listed, shown
from evalmark.validator.formula.parser import Formula
from evalmark.validator.formula.proof import FormOf, can_fail, can_hold
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


_Question = Callable[[Node, FormOf], bool]
_Proved = tuple[int, list[int], list[Item] | Remark]


def _proved(view: SuiteFileView, question: _Question) -> Iterator[_Proved]:
    """For each prediction, the items for which the answer is proved to be no."""
    if not view.meaningful:
        return
    for index, formula in view.meaningful:
        wanted = list(
            dict.fromkeys((part.condition, part.region) for part in references(formula.tree))
        )
        answers: dict[object, bool] = {}
        items = []
        try:
            if sum(1 for _ in references(formula.tree)) > MAX_REFERENCES:
                raise Budget
            for item, forms in zip(view.suite.items, view.forms, strict=True):
                pattern = _pattern(forms, wanted)
                if pattern is None:
                    continue  # a value is missing or undefined; other rules report it
                if pattern not in answers:
                    answers[pattern] = question(formula.tree, _lookup(forms))
                if not answers[pattern]:
                    items.append(item)
        except Budget:
            text = f"prediction {index + 1} is too large to be analysed"
            yield index, [], Remark(text)
            continue
        if items:
            yield index, [item.number for item in items], items


def _claims(
    view: SuiteFileView,
    question: _Question,
    message: str,
    caret: str,
    helps: tuple[str, ...] = (),
) -> Iterator[Hit | Remark]:
    for index, numbers, items in _proved(view, question):
        if isinstance(items, Remark):
            yield items
            continue
        formula = view.formulas[index]
        assert isinstance(formula, Formula)
        yield Hit(
            message.format(_whom(numbers, view)),
            At(formula_at(index)),
            caret=caret,
            labels=((At(_first_item(view, numbers)), "for this item"),),
            notes=tuple(_sentences(view, items[0], formula.tree)),
            helps=helps,
        )


def _lookup(forms: Forms) -> FormOf:
    def form_of(reference: Reference) -> dict[int, int]:
        return dict(forms[reference.condition, reference.region])

    return form_of


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
        pattern.append(
            tuple(
                (names.setdefault(unknown, len(names)), count)
                for unknown, count in sorted(form.items())
            )
        )
    return tuple(pattern)


def _whom(numbers: list[int], view: SuiteFileView) -> str:
    if len(numbers) == len(view.suite.items) > 1:
        return "any item"
    return items_text(numbers)


def _first_item(view: SuiteFileView, numbers: list[int]) -> str:
    index = next(i for i, item in enumerate(view.suite.items) if item.number == numbers[0])
    return item_number_at(index)


def _sentences(view: SuiteFileView, item: Item, tree: Node) -> Iterator[str]:
    looked_at: dict[str, list[str]] = {}
    for reference in references(tree):
        regions = looked_at.setdefault(reference.condition, [])
        name = "*" if reference.region is None else str(reference.region)
        if name not in regions:
            regions.append(name)
    for condition in item.conditions:
        if condition.name in looked_at:
            regions = looked_at[condition.name]
            label = f"region{'s' if len(regions) > 1 else ''} {listed(regions)}"
            sentence = shown(join_regions(condition.contents, view.join).text)
            yield f"item {item.number}, `{condition.name}` ({label}): {sentence}"
