"""Predictions: from region values to their outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evalmark.schemas.errors import Budget, UndefinedValue
from evalmark.scoring.suites.regions import RegionSurprisals, condition_values
from evalmark.scoring.surprisals.rounding import Rounding
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Node,
    Reference,
    references,
    unparse,
)
from evalmark.validator.formats.suites.formula.meaning import (
    Form,
    can_fail,
    can_hold,
    evaluate,
    is_close,
)
from evalmark.validator.formats.suites.suite import Item, Suite
from evalmark.validator.formats.suites.unknowns import Forms, item_forms

#: The errors of values that no model of ours has computed.
RECORDED_VALUES = Rounding()

#: For each condition of an item, the token surprisals (bits) of each of its regions.
ItemSurprisals = Sequence[Sequence[RegionSurprisals]]


@dataclass(frozen=True, slots=True)
class PredictionResult:
    """The outcomes of one prediction."""

    formula: str  # the prediction as the suite has it
    outcomes: tuple[bool, ...]  # for each item, whether it holds
    ties: tuple[int, ...]  # the numbers of the items decided by rounding

    @property
    def correct(self) -> int:
        """The number of items for which it holds."""
        return sum(self.outcomes)


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """The outcomes of all predictions of a suite; no item is ever skipped."""

    predictions: tuple[PredictionResult, ...]

    @property
    def conjunction(self) -> tuple[bool, ...]:
        """For each item, whether all predictions hold."""
        rows = zip(*(prediction.outcomes for prediction in self.predictions), strict=True)
        return tuple(all(row) for row in rows)

    @property
    def ties(self) -> tuple[int, ...]:
        """The items in which rounding decided a prediction."""
        return tuple(sorted({tie for p in self.predictions for tie in p.ties}))


def judge(
    suite: Suite,
    trees: Sequence[Node],
    surprisals: Sequence[ItemSurprisals],
    *,
    metric: str | None = None,
    undefined: str = "refuse",
    join: str = "core",
    context: str = "left",
    rounding: Rounding = RECORDED_VALUES,
) -> SuiteResult:
    """Evaluate every prediction for every item; for ``context`` see ``item_forms``.

    Raises:
        UndefinedValue: A prediction needs an undefined value, and they are refused.
    """
    metric = metric or suite.metric
    values = [
        item_values(item, tokens, metric)
        for item, tokens in zip(suite.items, surprisals, strict=True)
    ]
    predictions = []
    for formula, tree in zip(suite.formulas, trees, strict=True):
        outcomes: list[bool] = []
        ties: list[int] = []
        for item, of_item, tokens in zip(suite.items, values, surprisals, strict=True):
            missing = [r for r in references(tree) if of_item[r.condition, r.region] is None]
            if missing:
                if undefined == "refuse":
                    raise _undefined_value(suite.name, metric, item, tokens, missing[0])
                outcomes.append(False)
                continue

            def value_of(reference: Reference, of_item: RegionValues = of_item) -> float:
                value = of_item[reference.condition, reference.region]
                assert value is not None
                return value

            outcomes.append(evaluate(tree, value_of))
            error_of = _errors(item, tokens, metric, rounding)
            close = is_close(tree, value_of, error_of)
            if close and not _decided_by_text(tree, item_forms(item, metric, join, context)):
                ties.append(item.number)
        predictions.append(PredictionResult(formula, tuple(outcomes), tuple(ties)))
    return SuiteResult(tuple(predictions))


#: Condition and region (None for ``*``) -> value in bits; None for an undefined one.
RegionValues = Mapping[tuple[str, int | None], float | None]


def item_values(item: Item, surprisals: ItemSurprisals, metric: str) -> RegionValues:
    """The values of the regions of an item; regions that were not computed are not in it."""
    return {
        (condition.name, region): value
        for condition, regions in zip(item.conditions, surprisals, strict=True)
        for region, value in condition_values(condition, regions, metric).items()
    }


def _errors(
    item: Item, surprisals: ItemSurprisals, metric: str, rounding: Rounding
) -> Callable[[Comparison], float]:
    """A function: by how many bits rounding can move the difference of a comparison's sides."""
    regions = {
        (condition.name, region.number): tokens
        for condition, row in zip(item.conditions, surprisals, strict=True)
        for region, tokens in zip(condition.regions, row, strict=True)
        if tokens is not None
    }

    def error_of(comparison: Comparison) -> float:
        return rounding.error(
            rounding.parts(tokens, metric)
            for reference in references(comparison)
            for (condition, region), tokens in regions.items()
            if condition == reference.condition and reference.region in (None, region)
        )

    return error_of


def _decided_by_text(tree: Node, forms: Forms) -> bool:
    """True if the texts alone decide a prediction: equal texts have bit-identical values."""

    def form_of(reference: Reference) -> Form:
        return forms[reference.condition, reference.region]

    try:
        return not can_hold(tree, form_of) or not can_fail(tree, form_of)
    except Budget:
        return False


def _undefined_value(
    suite: str, metric: str, item: Item, surprisals: ItemSurprisals, reference: Reference
) -> UndefinedValue:
    values = [
        (region.number, bits)
        for condition, row in zip(item.conditions, surprisals, strict=True)
        for region, tokens in zip(condition.regions, row, strict=True)
        if condition.name == reference.condition
        for bits in tokens or ()
    ]
    of_region = [bits for number, bits in values if reference.region in (None, number)]
    cause = "a value is NaN or infinite" if of_region else "the region has no tokens"
    if values and values[0][1] is None and reference.region in (None, values[0][0]):
        cause = "the first token of the sentence has no surprisal, since no BOS precedes it"
    return UndefinedValue(
        f"{suite}: the {metric} of {unparse(reference)} is undefined in item "
        f"{item.number}: {cause}",
        argument="undefined",
    )
