"""Rules on formulas: their grammar, their types, what they refer to, and older dialects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.findings.finding import Action, At, Change, Mistake, Remark, Safety
from evalmark.validator.findings.phrasing import alike, cited, closest, items_text, listed, quoted
from evalmark.validator.formats.plain_text import one_edit
from evalmark.validator.formats.suites.condition_names import (
    LEGAL,
    first_illegal,
    is_condition_name,
    is_older_name,
    normal_name,
)
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Logic,
    Reference,
    nodes_of,
    references,
    unparse,
)
from evalmark.validator.formats.suites.formula.meaning import type_problems
from evalmark.validator.formats.suites.renaming import renaming, rewriting_of
from evalmark.validator.formats.suites.suite_view import (
    METRIC,
    PREDICTIONS,
    STRING_PREDICTIONS,
    SuiteFileView,
    condition_name_at,
)

#: Names of conditions that a remark lists.
MAX_NAMES = 4


def formula_syntax(view: SuiteFileView) -> Iterator[Mistake]:
    """A formula does not follow the grammar of predictions.

    A formula compares sums of region references and numbers with `<`, `>` or `=`, and joins
    comparisons with `&` and `|`. A reference is written `(2;%condition%)`; `(*;%condition%)` is
    the whole sentence. Comparisons cannot be chained: the reference implementation reads
    `1 < 2 < 0` as `1 < 2`.

    Bad: `(2;%a%) >= (2;%b%)`
    Good: `(2;%a%) > (2;%b%)`
    """
    for index, formula in enumerate(view.formulas):
        if isinstance(formula, FormulaSyntaxError):
            # For bad formulas only.
            from evalmark.validator.formats.suites.formula.formula_fixes import (
                advice,
                mended,
                translation,
            )

            if normal_name(formula.source[slice(*formula.span)].strip()) in view.unwritable:
                continue  # it follows from the name of the condition
            if new := mended(formula):
                span, text = new
                yield Mistake(formula.message, view.at(index, span), helps=(f"write `{text}`",))
            elif meant := translation(formula.source, view.suite.region_meta, view.conditions):
                text, rest = meant
                at, extra = view.at(index), listed(f"`{part}`" for part in rest)
                yield Mistake(
                    f"{extra} is not part of a formula" if extra else formula.message,
                    at,
                    helps=(f"write `{text}`",),
                    changes=(Change(at, quoted(text)),),
                    safety=Safety.UNSAFE,
                )
            else:
                helps = tuple(filter(None, (advice(formula),)))
                yield Mistake(formula.message, view.at(index, formula.span), helps=helps)


def truth_value_expected(view: SuiteFileView) -> Iterator[Mistake]:
    """A formula is neither true nor false, or mixes truth values with numbers.

    A region value alone is not a prediction, and a truth value is not a number: the reference
    implementation evaluates `(3 > 2) + 1` to 2 and reports it as a result.

    Bad: `(2;%a%) - (2;%b%)`
    Good: `(2;%a%) - (2;%b%) > 0`
    """
    for index, formula in view.readable():
        for problem in type_problems(formula.tree):
            from evalmark.validator.formats.suites.formula.formula_fixes import retyped

            new = retyped(formula, problem)
            note = "in the dialect with `[ ]`, `&` and `|` bind more tightly than comparisons"
            yield Mistake(
                problem.message,
                view.at(index, problem.node.span),
                notes=(note,) if formula.brackets else (),
                helps=(f"write `{new}`" if new else problem.help,),
            )


def unknown_region(view: SuiteFileView) -> Iterator[Mistake]:
    """A region in a formula does not exist.

    The reference implementation stops with a KeyError, but only when the suite is evaluated.

    Bad: `(9;%match%) > 0` in a suite of four regions
    Good: `(3;%match%) > 0`
    """
    declared = set(view.suite.region_meta)
    for index, formula in view.readable():
        seen = set()
        for reference in references(formula.tree):
            at = view.at(index, reference.region_span)
            if reference.region is None or at in seen:
                continue
            seen.add(at)  # a legacy prediction has one region for both conditions
            if str(reference.region) not in declared:
                if reference.region in view.used_regions:
                    continue  # what is missing is its declaration
                yield Mistake(
                    f"prediction refers to region {reference.region}, "
                    "which is not in `region_meta`",
                    at,
                    caret="no region has this number",
                    notes=(f"declared regions: {listed(view.suite.region_meta, 12)}",),
                )
                continue
            lacking = _sentences_without(view, reference)
            if lacking:
                numbers = [view.suite.items[i].number for i, _ in lacking]
                yield Mistake(
                    f"prediction refers to region {reference.region}, which condition "
                    f"`{reference.condition}` of {items_text(numbers)} lacks",
                    at,
                    labels=((At(condition_name_at(*lacking[0])), "lacks the region"),),
                    helps=('add the region; its content can be empty: ""',),
                )


def _sentences_without(view: SuiteFileView, reference: Reference) -> list[tuple[int, int]]:
    """Item and condition, from 0, of the sentences that lack a region; see ``region_missing``."""
    return [
        (i, j)
        for (i, j), numbers in view.irregular.items()
        if view.suite.items[i].conditions[j].name == reference.condition
        and reference.region not in numbers
        and (i, j) not in view.missing
        and (i, j) not in view.misnumbered
    ]


def unknown_condition(view: SuiteFileView) -> Iterator[Mistake]:
    """A condition in a formula does not exist.

    The reference implementation stops with a KeyError, but only when the suite is evaluated. With
    `*` it silently uses 0 as the value of an unknown condition.

    Bad: `(2;%mach%) < (2;%mismatch%)`
    Good: `(2;%match%) < (2;%mismatch%)`
    """
    if not view.suite.items:
        return
    renamed = set(view.unwritable.values())
    writable = [name for name in view.conditions if is_condition_name(name)]
    for index, formula in view.readable():
        for reference in references(formula.tree):
            name = reference.condition
            if name in renamed:
                continue  # the condition has to get this name
            if name not in view.conditions:  # if only some items lack it, condition_sets says so
                at = view.at(index, reference.condition_span)
                names = listed((f"`{condition}`" for condition in sorted(view.conditions)), 12)
                meant, helps = _meant_conditions(name, writable)
                yield Mistake(
                    f"prediction refers to condition `{name}`, which no item has",
                    at,
                    caret="no item has a condition with this name",
                    notes=(f"conditions in this suite: {names}",),
                    helps=helps,
                    changes=tuple(
                        Change(at, quoted(other) if at.start is None else other) for other in meant
                    ),
                    safety=Safety.UNSAFE,
                )


def _meant_conditions(name: str, writable: Sequence[str]) -> tuple[Sequence[str], tuple[str, ...]]:
    same = [other for other in writable if other.casefold() == name.casefold()]
    begun = [other for other in writable if other.startswith(name)]
    if not same and len(begun) > 1:
        return (), ()  # it is cut, and may be any of them
    meant: Sequence[str] = same or [other for other in writable if one_edit(name, other)]
    meant = meant if len(meant) == 1 else alike(name, writable)
    helps = [f"write `{other}`" for other in same] or [
        f"did you mean `{other}`?" for other in meant
    ]
    return meant, tuple(helps) or closest(name, writable)


def mixed_operators(view: SuiteFileView) -> Iterator[Mistake]:
    """`&` and `|` are at the same level without parentheses.

    In formulas they have equal precedence and are evaluated from left to right, unlike in Python,
    C and logic, so readers of the suite misunderstand them.

    Bad: `A > B | C > D & E > F`
    Good: `(A > B | C > D) & E > F`, which means the same
    """
    for index, formula in view.readable():
        for node in nodes_of(formula.tree):
            if isinstance(node, Logic) and node.mixed:
                from evalmark.validator.formats.suites.formula.formula_fixes import parenthesized

                yield Mistake(
                    "`&` and `|` are mixed without parentheses, and evaluated from left to right",
                    view.at(index, node.span),
                    helps=(f"write `{unparse(parenthesized(node))}`, which means the same",),
                )


def bracket_dialect(view: SuiteFileView) -> Iterator[Mistake]:
    """A formula has square brackets, an old dialect.

    Some published suites group with `[ ]`, which the current reference implementation rejects.
    evalmark reads them as intended: `&` binds more tightly than `|`, and both bind more tightly
    than comparisons.

    Bad: `[(2;%a%) > (2;%b%)] & [(3;%a%) > (3;%b%)]`
    Good: `((2;%a%) > (2;%b%)) & ((3;%a%) > (3;%b%))`
    """
    for index, formula in view.readable():
        if formula.brackets:
            yield Mistake(
                "`[ ]` is the old way to group; current tools read only `( )`",
                view.at(index, formula.brackets[0]),
                helps=(rewriting_of(view, "rewrites it in the current dialect"),),
                fold="brackets",
            )


def string_predictions(view: SuiteFileView) -> Iterator[Mistake]:
    """Predictions are in `meta.string_predictions`, not in `predictions`.

    Suites of May 2020 have their formulas in `meta`, and an empty list of predictions. Current
    tools load such a suite and test nothing.

    Bad: `"meta": {"string_predictions": ["…"], …}, "predictions": []`
    Good: `"predictions": [{"type": "formula", "formula": "…"}]`
    """
    if view.meta.get("string_predictions") and not view.formulas:
        yield Mistake(
            "the predictions are in `meta.string_predictions`, which current tools ignore",
            At(STRING_PREDICTIONS, key=True),
            labels=((At(PREDICTIONS), "this list is empty, so nothing is tested"),),
            helps=(rewriting_of(view, "moves them"),),
        )


def legacy_suite(view: SuiteFileView) -> Iterator[Mistake]:
    """A suite is in an old dialect: its predictions are triples, or it has several metrics.

    Older suites have triples of `l_operand`, `relation` and `r_operand`, and can name several
    metrics. Current tools do not read them. evalmark checks them as they are.

    Bad: `{"l_operand": "b", "relation": "greaterthan", "r_operand": "a", "region_number": 2}`
    Good: `{"type": "formula", "formula": "(2;%b%) > (2;%a%)"}`
    """
    if not view.is_legacy:
        return
    triples, metrics = bool(view.formulas), view.metrics
    signs = ["its predictions are triples"] * triples
    signs += ["it names several metrics"] * (len(metrics) > 1)
    yield Mistake(
        f"suite is in the legacy dialect: {' and '.join(signs) or 'its metric is a list'}",
        At(PREDICTIONS if triples else METRIC, key=True),
        helps=(rewriting_of(view, "rewrites it in the current dialect", metrics),),
    )


def condition_name(view: SuiteFileView) -> Iterator[Mistake | Remark]:
    """A condition name cannot be written in formulas.

    In formulas, a name has only letters, marks and digits of any script, `_` and `-`. No formula
    can refer to a condition whose name has other characters. The fix renames it in every item and
    in the formulas. The reference implementation reads only names of `A` to `Z`, `a` to `z`, `0` to
    `9`, `_` and `-`; `evalmark check -v` lists the others, and `non-ascii-condition` renames them.

    Bad: `"condition_name": "no gap"` and the formula `(2;%no gap%) > (2;%gap%)`
    Good: `"condition_name": "no_gap"` and the formula `(2;%no_gap%) > (2;%gap%)`
    """
    for name, new in view.unwritable.items():
        character = first_illegal(name)
        odd = "a space" if character == " " else cited(character)
        helps = [Action.NAME_CONDITION(new)]
        if is_older_name(name):
            helps.append(Action.TERMINAL(str(rewriting_of(view, "does all of that"))))
        yield Mistake(
            f"condition name {cited(name)} contains {odd}, so no formula can refer to it",
            view.name_at(name),
            caret=f"expected only {LEGAL}",
            helps=tuple(helps),
            changes=renaming(view, {name: new}),
        )
    if foreign := _foreign(view):
        names = listed((f"`{name}`" for name in foreign), MAX_NAMES)
        yield Remark(f"the reference implementation cannot read condition names such as {names}")


def non_ascii_condition(view: SuiteFileView) -> Iterator[Mistake]:
    """Some programs cannot read the name of a condition.

    The format allows any name. The reference implementation, and programs with a copy of its
    parser, reject formulas with names of other characters than `A` to `Z`, `a` to `z`, `0` to `9`,
    `_` and `-`; evalmark reads letters of any script. Nothing needs to be fixed unless the suite
    is for such a program. The fix renames the conditions in every item and in the formulas: `shyh`
    for `صحيح`, `dogru` for `doğru`, and `condition_1` for names in scripts whose letters have no
    fixed spelling, such as Chinese. Results of earlier runs keep the old names.

    Bad: nothing is wrong with `"condition_name": "doğru"`
    Good: `"condition_name": "dogru"`, for programs that read only such names
    """
    foreign = _foreign(view)
    if not foreign:
        return
    from evalmark.validator.formats.suites.latin_names import latin_names

    # A name that no formula can contain gets another one from its own rule.
    new = {name: latin for name, latin in latin_names(view.conditions).items() if name in foreign}
    names = listed((f"`{name}`" for name in foreign), MAX_NAMES)
    pairs = listed((f"`{latin}` for `{name}`" for name, latin in new.items()), MAX_NAMES)
    yield Mistake(
        f"the reference implementation cannot read condition names such as {names}",
        view.name_at(foreign[0]),
        caret="it reads only A to Z, a to z, 0 to 9, `_` and `-`",
        helps=(f"write {pairs}, here, in every item and in the formulas",),
        changes=renaming(view, new),
    )


def _foreign(view: SuiteFileView) -> list[str]:
    """The conditions that formulas can name, but not those of the reference implementation."""
    return [name for name in view.conditions if not name.isascii() and is_condition_name(name)]
