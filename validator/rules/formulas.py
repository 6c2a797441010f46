"""Rules on what a prediction says: its grammar, its types, and what it refers to."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import closest, items_text, listed
from evalmark.validator.formula.meaning import type_problems
from evalmark.validator.formula.tree import Logic, references, walk
from evalmark.validator.views.suite import Condition
from evalmark.validator.views.suite_view import (
    PREDICTIONS,
    STRING_PREDICTIONS,
    SuiteView,
    condition_name_at,
    formula_at,
    item_number_at,
)


def formula_syntax(view: SuiteView) -> Iterator[Hit]:
    """A formula follows the grammar of predictions.

    A formula compares sums of region references and numbers with `<`, `>` or `=`, and joins
    comparisons with `&` and `|`. A reference is written `(2;%condition%)`; `(*;%condition%)` is
    the whole sentence. Comparisons do not chain: the reference implementation reads
    `1 < 2 < 0` as `1 < 2`.

    Bad: `(2;%a%) >= (2;%b%)`
    Good: `(2;%a%) > (2;%b%)`
    """
    for index, formula in enumerate(view.formulas):
        if isinstance(formula, FormulaSyntaxError):
            yield Hit(
                formula.message,
                At(formula_at(index), *formula.span),
                helps=(formula.help,) if formula.help else (),
            )


def truth_value_expected(view: SuiteView) -> Iterator[Hit]:
    """A formula is true or false, and mixes no truth values with numbers.

    A bare region value is no prediction, and a truth value is no number: the reference
    implementation evaluates `(3 > 2) + 1` to 2 and writes it down as a result.

    Bad: `(2;%a%) - (2;%b%)`
    Good: `(2;%a%) - (2;%b%) > 0`
    """
    for index, formula in view.readable():
        for problem in type_problems(formula.tree):
            notes: tuple[str, ...] = ()
            if formula.brackets:
                notes = ("in the bracket dialect `&` and `|` bind tighter than comparisons",)
            yield Hit(
                problem.message,
                At(formula_at(index), *problem.span),
                notes=notes,
                helps=(problem.help,),
            )


def unknown_region(view: SuiteView) -> Iterator[Hit]:
    """A prediction refers to regions that the sentences have.

    The reference implementation stops with a KeyError, and only when the suite is evaluated.

    Bad: `(9;%match%) > 0` in a suite of four regions
    Good: `(3;%match%) > 0`
    """
    declared = set(view.suite.region_meta)
    for index, formula in view.readable():
        for reference in references(formula.tree):
            if reference.region is None:
                continue
            at = At(formula_at(index), *reference.region_span)
            if str(reference.region) not in declared:
                yield Hit(
                    f"prediction refers to region {reference.region}, "
                    "which `region_meta` does not declare",
                    at,
                    caret="no region has this number",
                    notes=(f"declared regions: {listed(view.suite.region_meta, 12)}",),
                )
                continue
            lacking = [
                (i, j, item.number)
                for i, item in enumerate(view.suite.items)
                for j, condition in enumerate(item.conditions)
                if condition.name == reference.condition and not _has(condition, reference.region)
            ]
            if lacking:
                i, j, _ = lacking[0]
                yield Hit(
                    f"prediction refers to region {reference.region}, which condition "
                    f"`{reference.condition}` of {items_text([n for _, _, n in lacking])} lacks",
                    at,
                    labels=((At(condition_name_at(i, j)), "lacks it"),),
                    helps=('add the region; its content may be empty: ""',),
                )


def _has(condition: Condition, number: int) -> bool:
    return any(region.number == number for region in condition.regions)


def unknown_condition(view: SuiteView) -> Iterator[Hit]:
    """A prediction refers to conditions that the items have.

    The reference implementation stops with a KeyError, and only when the suite is evaluated; under
    `*` it takes the value of an unknown condition for 0 and says nothing.

    Bad: `(2;%mach%) < (2;%mismatch%)`
    Good: `(2;%match%) < (2;%mismatch%)`
    """
    if not view.suite.items:
        return
    for index, formula in view.readable():
        for reference in references(formula.tree):
            name = reference.condition
            lacking = [
                (i, item.number)
                for i, item in enumerate(view.suite.items)
                if all(condition.name != name for condition in item.conditions)
            ]
            at = At(formula_at(index), *reference.condition_span)
            if len(lacking) == len(view.suite.items):
                names = listed((f"`{known}`" for known in sorted(view.conditions)), 12)
                yield Hit(
                    f"prediction refers to condition `{name}`, which no item has",
                    at,
                    caret="no item has a condition of this name",
                    notes=(f"conditions in this suite: {names}",),
                    helps=closest(name, view.conditions),
                )
            elif lacking:
                yield Hit(
                    f"prediction refers to condition `{name}`, "
                    f"which {items_text([number for _, number in lacking])} lack"
                    f"{'s' if len(lacking) == 1 else ''}",
                    at,
                    labels=((At(item_number_at(lacking[0][0])), "this item lacks it"),),
                )


def mixed_operators(view: SuiteView) -> Iterator[Hit]:
    """`&` and `|` on one level need parentheses to be understood.

    In formulas the two have equal precedence and are read from left to right, unlike in Python, C
    and logic. Whoever reads the suite will guess wrong.

    Bad: `A > B | C > D & E > F`
    Good: `(A > B | C > D) & E > F`, which is what it means
    """
    for index, formula in view.readable():
        for node in walk(formula.tree):
            if isinstance(node, Logic) and node.mixed:
                yield Hit(
                    "`&` and `|` are mixed without parentheses; they are read from left to right",
                    At(formula_at(index), *node.span),
                    helps=("put parentheses around what belongs together",),
                )


def bracket_dialect(view: SuiteView) -> Iterator[Hit]:
    """Square brackets belong to an older dialect of formulas.

    Published suites group with `[ ]`. The current reference implementation refuses them. evalmark
    reads them as they were meant: `&` binds tighter than `|`, and both tighter than comparisons.

    Bad: `[(2;%a%) > (2;%b%)] & [(3;%a%) > (3;%b%)]`
    Good: `((2;%a%) > (2;%b%)) & ((3;%a%) > (3;%b%))`
    """
    for index, formula in view.readable():
        if formula.brackets:
            yield Hit(
                "formula groups with `[ ]`, which current tools do not read",
                At(formula_at(index), *formula.brackets[0]),
                helps=("`evalmark convert --in-place FILE` writes it in the current form",),
                fold="brackets",
            )


def string_predictions(view: SuiteView) -> Iterator[Hit]:
    """Predictions stand in `predictions`, not in `meta.string_predictions`.

    Suites of May 2020 keep their formulas in `meta`, beside an empty list of predictions. Every
    current tool loads them and tests nothing.

    Bad: `"meta": {"string_predictions": ["…"], …}, "predictions": []`
    Good: `"predictions": [{"type": "formula", "formula": "…"}]`
    """
    if view.has_string_predictions and not view.suite.formulas:
        yield Hit(
            "predictions stand in `meta.string_predictions`, where no current tool reads them",
            At(STRING_PREDICTIONS, key=True),
            labels=((At(PREDICTIONS), "this list is empty, so nothing is tested"),),
            helps=("`evalmark convert --in-place FILE` moves them",),
        )
