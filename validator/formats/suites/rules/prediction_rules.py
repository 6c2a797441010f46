"""Rules on predictions: what they compare, and what is proved of them for every model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

from evalmark.schemas.errors import Budget
from evalmark.validator.findings.finding import At, Mistake, Remark, Safety
from evalmark.validator.findings.phrasing import cited, items_text, listed
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Formula,
    Logic,
    Node,
    Reference,
    nodes_of,
    references,
)
from evalmark.validator.formats.suites.formula.meaning import (
    can_fail,
    can_hold,
    contradiction,
    meaning_of,
)
from evalmark.validator.formats.suites.rules.design_rules import changes_of
from evalmark.validator.formats.suites.rules.spreadsheet_columns import of_rows
from evalmark.validator.formats.suites.rules.structure_rules import repeats
from evalmark.validator.formats.suites.suite_view import (
    METRIC,
    SuiteFileView,
    condition_name_at,
    item_number_at,
)
from evalmark.validator.formats.suites.unknowns import NodeTest, disproved, form_of

#: More predictions are not compared with each other.
MAX_PREDICTIONS = 12


def never_holds(view: SuiteFileView) -> Iterator[Mistake | Remark]:
    """A prediction can never hold in an item.

    For every left-to-right model, texts that are equal up to the end of a region have equal
    surprisal, and surprisal never decreases as text continues. It follows that some predictions are
    false for an item whatever the model, most often because two conditions do not differ in the
    regions that are compared. Such an item counts as a failure of every left-to-right model.

    Predictions that cannot hold together are a remark (`-v`): one of them fails in every run.

    Masked models see what follows a region too. In a repository whose suites are for such models,
    the setting `models = "any"` leaves only predictions that no model at all can fulfil.

    Bad: `(2;%a%) > (2;%b%)` where both conditions begin "The woman plays"
    Good: `(2;%a%) > (2;%b%)` where one begins "The woman plays" and the other "The woman play"
    """
    for index, formula, items in _claims(view, can_hold):
        if isinstance(items, Remark):
            yield items
            continue
        # A valid file needs none.
        from evalmark.validator.formats.suites.rules.proof_notes import reason

        i, broken = items[0], view.design.broken.get(items[0])
        core = contradiction(formula.tree, partial(form_of, view.forms[i]))
        caret, notes, advice = reason(view, i, core)
        first, *others = (view.at(index, comparison.span) for comparison in core)
        yield Mistake(
            f"prediction can never hold for {_whom(view, items)}, with any {view.models}",
            first,
            caret=caret,
            labels=(
                *((at, "contradicts the first") for at in others if len(others) == 1),
                *((at, "part of the contradiction") for at in others if len(others) > 1),
                _example(i, items),
            ),
            notes=notes,
            helps=((broken.cure if broken else "") or advice,),
            changes=changes_of(view, i) if len(items) == 1 else (),
            safety=Safety.UNSAFE,
            pointer=view.at(index).pointer,
        )
    yield from _incompatible(view)


def _incompatible(view: SuiteFileView) -> Iterator[Remark]:
    """The pairs of predictions that can hold, but not together in any item."""
    possible = [(index, f.tree) for index, f in view.meaningful if not view.never(index)]
    for (i, first), (j, second) in combinations(possible[:MAX_PREDICTIONS], 2):
        try:
            items = disproved(Logic(first, (("&", second),)), can_hold, view.forms, view.sound)
        except Budget:
            continue
        if items and len(items) == sum(view.sound):
            yield Remark(f"predictions {i + 1} and {j + 1} can never hold together")


def cannot_fail(view: SuiteFileView) -> Iterator[Mistake | Remark]:
    """A prediction can never fail in an item.

    A prediction that is true for every left-to-right model tests nothing, and raises every
    accuracy. The setting `models = "any"` leaves only predictions that are true for masked models
    too.

    Bad: `(*;%a%) > (2;%a%) - 1`, since the whole is never less than a part
    Good: `(2;%a%) > (2;%b%)`
    """
    for index, formula, items in _claims(view, can_fail):
        if isinstance(items, Remark):
            yield items
            continue
        items = [i for i in items if not any(i in view.never(n) for n, _ in view.meaningful)]
        if not items:
            continue  # the mistake in them is reported where it makes a prediction impossible
        from evalmark.validator.formats.suites.rules.proof_notes import read_texts

        i = items[0]
        yield Mistake(
            f"prediction cannot fail for {_whom(view, items)}, with any {view.models}",
            view.at(index),
            caret=f"true for every {view.models}",
            labels=(_example(i, items),),
            notes=tuple(read_texts(view, i, references(formula.tree))),
        )


def _claims(
    view: SuiteFileView, question: NodeTest
) -> Iterator[tuple[int, Formula, Sequence[int] | Remark]]:
    """The predictions with items for which the answer is proved to be no, or why there is none."""
    for index, formula in view.meaningful:
        try:
            if items := view.disproved(index, question):
                yield index, formula, items
        except Budget:
            yield index, formula, Remark(f"prediction {index + 1} is too large to analyse")


def _example(item: int, items: Sequence[int]) -> tuple[At, str]:
    is_alone = len(items) == 1
    return At(item_number_at(item)), "this item" if is_alone else "for example, this item"


def _whom(view: SuiteFileView, items: Sequence[int]) -> str:
    everyone = len(items) == len(view.suite.items) > 1
    return "any item" if everyone else items_text([view.suite.items[i].number for i in items])


def one_sided(view: SuiteFileView) -> Iterator[Mistake]:
    """A prediction does not compare conditions.

    A formula with only one condition, or none, does not test the contrast that the suite is about.
    Most often a condition name was copied and not changed.

    Bad: `(3;%match%) > (2;%match%)`
    Good: `(3;%mismatch%) > (3;%match%)`
    """
    if len(view.conditions) < 2:
        return
    for index, formula in view.meaningful:
        named = _conditions_of(formula)
        if len(named) < 2 and not _compares_with_itself(formula.tree):
            uses = f"only condition `{named.pop()}`" if named else "no condition"
            yield Mistake(
                f"prediction uses {uses}", view.at(index), helps=("compare two conditions",)
            )


def _compares_with_itself(tree: Node) -> bool:
    """True if both sides of a comparison are the same; never_holds or cannot_fail reports it."""
    return any(isinstance(node, Comparison) and node.left == node.right for node in nodes_of(tree))


def _conditions_of(formula: Formula) -> set[str]:
    return {reference.condition for reference in references(formula.tree)}


def unused_condition(view: SuiteFileView) -> Iterator[Mistake]:
    """A condition is used by no prediction.

    The sentences of an unused condition are scored, but no prediction uses the result.

    Bad: conditions `a`, `b`, `c` and the one prediction `(2;%a%) > (2;%b%)`
    Good: a prediction that compares `c` too, or no condition `c`
    """
    if len(view.meaningful) < len(view.formulas) or not view.formulas:
        return  # a formula that cannot be parsed may use it
    if any(_compares_with_itself(formula.tree) for _, formula in view.meaningful):
        return  # one of its sides should be another condition, perhaps this one
    used = set().union(*(_conditions_of(formula) for _, formula in view.meaningful))
    everywhere = [{condition.name for condition in item.conditions} for item in view.suite.items]
    if not everywhere or not used <= set(view.conditions):
        return  # a name is misspelt; other rules report it
    in_all = set.intersection(*everywhere) - used
    for j, condition in enumerate(view.suite.items[0].conditions):
        if (name := condition.name) in in_all:
            in_all.remove(name)
            yield Mistake(
                f"no prediction uses condition `{name}`",
                At(condition_name_at(0, j)),
                helps=("compare it in a prediction, or remove it",),
            )


def undefined_region(view: SuiteFileView) -> Iterator[Mistake]:
    """A prediction uses an undefined value of an empty region.

    A region without tokens has the sum 0, but no mean, median, range, maximum or minimum. The
    reference implementation stops, or continues with NaN.

    Bad: `"metric": "mean"` and a prediction on a region whose content is `""`
    Good: `"metric": "sum"`
    """
    undefined = [metric for metric in view.metrics if metric != "sum"]
    if not undefined:
        return
    for index, formula in view.meaningful:
        for reference in references(formula.tree):
            lacking = _undefined_in(view, reference)
            if lacking:
                yield Mistake(
                    f"an empty region has no {listed(undefined)}: undefined in "
                    f"{items_text(lacking)}",
                    view.at(index, reference.span),
                    labels=((At(METRIC), "the metric"),),
                )


def _undefined_in(view: SuiteFileView, reference: Reference) -> list[int]:
    """The numbers of the items that have a region, and no value of it."""
    name, region = reference.condition, reference.region
    return [
        view.suite.items[i].number
        for i in view.table.rows
        if (name, region) not in view.forms[i]
        and name in view.table.texts[i]
        and region in (None, *view.table.texts[i][name])
    ]


def identical_sentences(view: SuiteFileView) -> Iterator[Mistake]:
    """Two conditions of an item have the same sentence.

    Two conditions with the same sentence have the same values. If a prediction can never hold
    because of it, the prediction is reported instead.

    Bad: `match` and `mismatch` both read "The sheep ate grass"
    Good: sentences that differ where the prediction looks
    """
    compared = {index: _conditions_of(formula) for index, formula in view.meaningful}
    for i, (item, sentences) in enumerate(zip(view.suite.items, view.sentences, strict=True)):
        for j, first in repeats(sentence.text for sentence in sentences):
            first_name, name = item.conditions[first].name, item.conditions[j].name
            if (
                name == first_name
                or not sentences[j].text
                or i in view.no_items
                or i in view.design.broken
            ):
                continue  # duplicate_condition, empty_sentence, no_item, shared_text report them
            both = (index for index, names in compared.items() if {first_name, name} <= names)
            if not any(i in view.never(index) for index in both):
                yield Mistake(
                    f"item {item.number}: conditions `{first_name}` and `{name}` have the same "
                    "sentence",
                    At(condition_name_at(i, j)),
                    labels=((At(condition_name_at(i, first)), "the other condition"),),
                    notes=(f"both are {cited(sentences[j].text)}",),
                    fold="identical",
                )


def empty_where_read(view: SuiteFileView) -> Iterator[Mistake]:
    """A region that a prediction reads has text in some items only.

    An empty region has the value 0. If a region has text in most items but not in one, the text of
    that one is usually in another region. If the prediction can then never hold, that is
    reported instead.

    Bad: region 3 of `match` is `"sings"` in item 1 and `""` in item 2, where region 2 is
    `"the bird sings"`
    Good: the verb in region 3 of both
    """
    if view.metrics != ("sum",):
        return  # undefined_region reports it
    texts = view.table.texts
    for (name, region), index in view.readers.items():
        if region is None:
            continue  # a whole sentence; empty_sentence reports it
        column = {
            i: cells[name][region] for i, cells in enumerate(texts) if region in cells.get(name, ())
        }
        empty = [i for i, text in column.items() if not text.strip()]
        if not empty or len(empty) == len(column):
            continue
        moved = of_rows(view)
        for i in empty:
            at = view.table.at[i, name, region]
            is_known = i in view.never(index) or i in view.design.broken or at.pointer in moved
            if not is_known and any(map(str.strip, texts[i][name].values())):
                sentence = view.sentences[i][list(texts[i]).index(name)].text
                yield Mistake(
                    f"prediction reads region {region} of condition `{name}`, which is empty in "
                    f"item {view.suite.items[i].number} but not in other items",
                    at,
                    labels=((view.at(index), "reads it"),),
                    notes=(f"the sentence is {cited(sentence)}",),
                    fold=f"empty {i}",
                )


def repeated_prediction(view: SuiteFileView) -> Iterator[Mistake]:
    """A suite has duplicate predictions.

    A prediction that appears twice counts twice, and `A < B` is the same prediction as `B - A > 0`.

    Bad: `(2;%a%) < (2;%b%)` and `(2;%b%) > (2;%a%)`
    Good: one of them
    """
    meanings = [meaning_of(formula.tree) for _, formula in view.meaningful]
    for later, first in repeats(meanings):
        index, first_index = view.meaningful[later][0], view.meaningful[first][0]
        yield Mistake(
            f"prediction {index + 1} is a duplicate of prediction {first_index + 1}",
            view.at(index),
            labels=((view.at(first_index), "first occurrence"),),
            helps=("remove one of them",),
        )


def different_regions(view: SuiteFileView) -> Iterator[Mistake]:
    """A comparison of two regions compares regions with different numbers.

    Most often one of the numbers is wrong. A comparison of different regions is not reported if
    their contents are equal in some item, or if a sum is compared.

    Bad: `(2;%match%) < (3;%mismatch%)`
    Good: `(3;%match%) < (3;%mismatch%)`
    """
    for index, formula in view.meaningful:
        for node in nodes_of(formula.tree):
            match node:
                case Comparison(
                    left=Reference(region=int(left_region), condition=left),
                    right=Reference(region=int(right_region), condition=right),
                ) if (
                    left_region != right_region
                    and left != right
                    and {left_region, right_region} <= view.used_regions.keys()
                ):
                    if not _equal_somewhere(view, (left, left_region), (right, right_region)):
                        yield Mistake(
                            f"comparison of different regions: {left_region} and {right_region}",
                            view.at(index, node.span),
                            notes=(
                                f"region {left_region}: {_name(view, left_region)}; "
                                f"region {right_region}: {_name(view, right_region)}",
                            ),
                        )


def _equal_somewhere(view: SuiteFileView, left: tuple[str, int], right: tuple[str, int]) -> bool:
    """True if two regions have the same text in some item: the regions are then shifted."""
    both = (
        [texts.get(name, {}).get(region, "").strip() for name, region in (left, right)]
        for texts in view.table.texts
    )
    return any(text == other for text, other in both)


def _name(view: SuiteFileView, region: int) -> str:
    return cited(view.suite.region_meta.get(str(region)))
