"""Predictions of a source and of its result, on the same values of regions."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from evalmark.converters.proof.draws import DRAWS, Draws, Regions, Values, drawn
from evalmark.converters.proof.old_languages import Place, Prediction, as_it_is, prediction_of
from evalmark.schemas.errors import PLEASE_REPORT, ConversionError
from evalmark.validator.formats.suites.formula.formula_syntax import Reference, parse
from evalmark.validator.formats.suites.formula.meaning import evaluate


def compare(
    old: Sequence[Any],
    new: Sequence[Any],
    place: Place | None,
    regions: tuple[Regions, Regions],
    *,
    are_split: bool,
    item: int,
) -> Iterator[Counter[str]]:
    """The numbers of the proof of each prediction, which are those of ``Proof``.

    Args:
        old: The predictions of the source, as it states them.
        new: Those of the result.
        place: What the regions and conditions of the source are called in the result; None if
            nothing is called otherwise.
        regions: Condition -> its regions, of the source and of the result, named as in the result.
        item: The first item, which a counterexample is for: values may be those of any.
        are_split: Whether one may become several, for its parts that are joined by ``&``.

    Raises:
        ConversionError: A verdict is another, or there are more or fewer predictions.
    """
    reason = f"the source has {len(old)} predictions, and the result would have {len(new)}"
    refusal = ConversionError(reason, PLEASE_REPORT)
    starts = {0}  # what has become of those before may end at any of these
    for number, stated in enumerate(old, 1):
        same: dict[int, Counter[str]] = {}
        for start in starts:
            most = start + 1 + (str(stated).count("&") if are_split else 0)
            for end in range(start + 1, min(most, len(new)) + 1):
                try:
                    same[end] = _compared(stated, new[start:end], place, regions, item)
                except ConversionError as error:
                    error.reason = f"prediction {number} {error.reason}"
                    refusal = error
        if not same:
            raise refusal
        yield next(iter(same.values()))
        starts = {*same}
    if len(new) not in starts:
        raise ConversionError(reason, PLEASE_REPORT)


def _compared(
    stated: Any,
    new: Sequence[Any],
    place: Place | None,
    regions: tuple[Regions, Regions],
    item: int,
) -> Counter[str]:
    """The verdicts of a prediction and of what has become of it, which are the same."""
    if place is None and len(new) == 1 and _words(stated) == _words(new[0]):
        return Counter(unchanged=1)
    try:
        old = prediction_of(stated, place or as_it_is)
        values = drawn(old, regions[0])
        before, after = _verdicts(old, new, values, regions)
    except RecursionError:
        return Counter(unread=1)
    except ValueError as error:
        raise ConversionError(f"cannot be compared: {error}", PLEASE_REPORT) from error
    except TypeError:  # numbers in the place of verdicts, of which a check says so
        read = [(ast.dump(one.tree), one.words) for one in (old, *map(prediction_of, new))]
        if len(read) == 2 and read[0] == read[1]:
            return Counter(unchanged=1)
        reason = "has a verdict before or after, and not both"
        raise ConversionError(reason, PLEASE_REPORT) from None
    if before != after:
        raise _refusal(old, new, values, regions, item)
    is_declared = "=" in old.source and (old.is_exact or "formula" not in new[0])
    exact = values.cells(old.value(values, is_exact=True)) if is_declared else before
    declared = sum(a != b for a, b in zip(exact, before, strict=True))
    return Counter(predictions=1, edges=values.count - DRAWS, declared=declared)


def _words(stated: Any) -> Any:
    """What a prediction is as it is written: the same formula means the same."""
    return stated.get("formula", stated) if isinstance(stated, dict) else (stated,)


def _verdicts(
    old: Prediction, new: Sequence[Any], values: Values, regions: tuple[Regions, Regions]
) -> tuple[list[Any], list[Any]]:
    """The verdicts before, and after: all that has become of a prediction holds."""
    there = Values(values.count, regions[1], values)

    def value_of(reference: Reference) -> Any:
        return there["*" if reference.region is None else reference.region, reference.condition]

    after: Any = True
    for one in new:
        is_today = "formula" in one
        tree = parse(one["formula"]).tree if is_today else None
        after &= evaluate(tree, value_of) if tree else prediction_of(one).value(there)
    return values.cells(old.value(values)), values.cells(after)


def _refusal(
    old: Prediction,
    new: Sequence[Any],
    values: Values,
    regions: tuple[Regions, Regions],
    item: int,
) -> ConversionError:
    """The refusal, with simple values for which the verdicts differ."""
    before, after = _verdicts(old, new, values, regions)
    row = next(row for row, one in enumerate(before) if one != after[row])
    shown = {key: Draws([one.cells[row]]) for key, one in values.items()}

    def verdicts() -> tuple[Any, Any]:
        (first,), (second,) = _verdicts(old, new, Values(1, regions[0], shown), regions)
        return first, second

    for key, stated in [*shown.items()]:
        for simpler in (0.0, 1.0, 2.0, 3.0, *stated.cells):
            shown[key] = Draws([simpler])
            if len({*verdicts()}) > 1:
                break
    listed = ", ".join(f"({n};%{name}%) = {v.cells[0]:g}" for (n, name), v in shown.items())
    first, second = (str(verdict).lower() for verdict in verdicts())
    texts = " and ".join(f"`{prediction_of(one).source}`" for one in new)
    return ConversionError(
        f"would get another verdict: in item {item}, for {listed}, `{old.source}` is {first}, "
        f"and {texts} {second}",
        PLEASE_REPORT,
    )
