"""Rules on formulas: their grammar, their types, and what they refer to."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import closest, items_text, listed
from evalmark.validator.formula.meaning import type_problems
from evalmark.validator.formula.tree import Logic, references, walk
from evalmark.validator.views.suite_view import (
    PREDICTIONS,
    STRING_PREDICTIONS,
    SuiteFileView,
    condition_name_at,
    formula_at,
    item_number_at,
)


def formula_syntax(view: SuiteFileView) -> Iterator[Hit]:
    """A formula follows the grammar of predictions.

    A formula compares sums of region references and numbers with `<`, `>` or `=`, and joins
    comparisons with `&` and `|`. A reference is written `(2;%condition%)`; `(*;%condition%)` is
    the whole sentence. Comparisons cannot be chained: the reference implementation reads
    `1 < 2 < 0` as `1 < 2`.

    Bad: `(2;%a%) >= (2;%b%)`
    Good: `(2;%a%) > (2;%b%)`
    """
    for index, formula in enumerate(view.formulas):
        if isinstance(formula, FormulaSyntaxError):
            helps = (formula.help,) if formula.help else ()
            yield Hit(formula.message, At(formula_at(index), *formula.span), helps=helps)


def truth_value_expected(view: SuiteFileView) -> Iterator[Hit]:
    """A formula is true or false, and does not mix truth values with numbers.

    A region value alone is not a prediction, and a truth value is not a number: the reference
    implementation evaluates `(3 > 2) + 1` to 2 and reports it as a result.

    Bad: `(2;%a%) - (2;%b%)`
    Good: `(2;%a%) - (2;%b%) > 0`
    """
    for index, formula in view.readable():
        for problem in type_problems(formula.tree):
            note = "in the dialect with `[ ]`, `&` and `|` bind more tightly than comparisons"
            yield Hit(
                problem.message,
                At(formula_at(index), *problem.span),
                notes=(note,) if formula.brackets else (),
                helps=(problem.help,),
            )


def unknown_region(view: SuiteFileView) -> Iterator[Hit]:
    """The regions in a formula exist.

    The reference implementation stops with a KeyError, but only when the suite is evaluated.

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
                    "which is not in `region_meta`",
                    at,
                    caret="no region has this number",
                    notes=(f"declared regions: {listed(view.suite.region_meta, 12)}",),
                )
                continue
            lacking = [
                (i, j, item.number)
                for i, item in enumerate(view.suite.items)
                for j, condition in enumerate(item.conditions)
                if condition.name == reference.condition
                and all(region.number != reference.region for region in condition.regions)
            ]
            if lacking:
                i, j, _ = lacking[0]
                yield Hit(
                    f"prediction refers to region {reference.region}, which condition "
                    f"`{reference.condition}` of {items_text([n for _, _, n in lacking])} lacks",
                    at,
                    labels=((At(condition_name_at(i, j)), "lacks the region"),),
                    helps=('add the region; its content can be empty: ""',),
                )


def unknown_condition(view: SuiteFileView) -> Iterator[Hit]:
    """The conditions in a formula exist.

    The reference implementation stops with a KeyError, but only when the suite is evaluated. With
    `*` it silently uses 0 as the value of an unknown condition.

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
                    caret="no item has a condition with this name",
                    notes=(f"conditions in this suite: {names}",),
                    helps=closest(name, view.conditions),
                )
            elif lacking:
                yield Hit(
                    f"prediction refers to condition `{name}`, "
                    f"which {items_text([number for _, number in lacking])} lack"
                    f"{'s' if len(lacking) == 1 else ''}",
                    at,
                    labels=((At(item_number_at(lacking[0][0])), "this item lacks the condition"),),
                )


def mixed_operators(view: SuiteFileView) -> Iterator[Hit]:
    """`&` and `|` at the same level need parentheses.

    In formulas they have equal precedence and are evaluated from left to right, unlike in Python,
    C and logic, so readers of the suite misunderstand them.

    Bad: `A > B | C > D & E > F`
    Good: `(A > B | C > D) & E > F`, which means the same
    """
    for index, formula in view.readable():
        for node in walk(formula.tree):
            if isinstance(node, Logic) and node.mixed:
                yield Hit(
                    "`&` and `|` are mixed without parentheses, and evaluated from left to right",
                    At(formula_at(index), *node.span),
                    helps=("group them with parentheses",),
                )


def bracket_dialect(view: SuiteFileView) -> Iterator[Hit]:
    """Square brackets are an old dialect of formulas.

    Some published suites group with `[ ]`, which the current reference implementation rejects.
    evalmark reads them as intended: `&` binds more tightly than `|`, and both bind more tightly
    than comparisons.

    Bad: `[(2;%a%) > (2;%b%)] & [(3;%a%) > (3;%b%)]`
    Good: `((2;%a%) > (2;%b%)) & ((3;%a%) > (3;%b%))`
    """
    for index, formula in view.readable():
        if formula.brackets:
            yield Hit(
                "`[ ]` grouping is the old dialect; current tools read only `( )`",
                At(formula_at(index), *formula.brackets[0]),
                helps=("`evalmark convert --in-place FILE` rewrites it in the current dialect",),
                fold="brackets",
            )


def string_predictions(view: SuiteFileView) -> Iterator[Hit]:
    """Predictions are in `predictions`, not in `meta.string_predictions`.

    Suites of May 2020 have their formulas in `meta`, and an empty list of predictions. Current
    tools load such a suite and test nothing.

    Bad: `"meta": {"string_predictions": ["…"], …}, "predictions": []`
    Good: `"predictions": [{"type": "formula", "formula": "…"}]`
    """
    if view.has_string_predictions and not view.suite.formulas:
        yield Hit(
            "the predictions are in `meta.string_predictions`, which current tools ignore",
            At(STRING_PREDICTIONS, key=True),
            labels=((At(PREDICTIONS), "this list is empty, so nothing is tested"),),
            helps=("`evalmark convert --in-place FILE` moves them",),
        )
