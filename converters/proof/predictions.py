"""Predictions of a source and of its result, on the same values of regions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evalmark.converters.proof.draws import DRAWS, Draws, Regions, Values, drawn
from evalmark.converters.proof.old_languages import Place, Prediction, prediction_of
from evalmark.schemas.errors import PLEASE_REPORT, ConversionError
from evalmark.validator.formats.suites.formula.formula_syntax import Reference, parse
from evalmark.validator.formats.suites.formula.meaning import evaluate


@dataclass(frozen=True, slots=True)
class Comparing:
    """Two suites whose predictions are compared.

    Attributes:
        place: What the regions and conditions of the source are called in the result; None if
            nothing is called otherwise.
        before: Condition -> its regions, of the source, named as in the result.
        after: The same of the result.
        item: The number of an item that has these regions.
        are_split: Whether a prediction may become several, for its parts that are joined by ``&``.
    """

    place: Place | None
    before: Regions
    after: Regions
    item: int
    are_split: bool

    def numbers(self, old: Sequence[Any], new: Sequence[Any]) -> Iterator[Counter[str]]:
        """The numbers of the proof of each prediction, which are those of ``Proof``.

        Raises:
            ConversionError: A verdict is another, or there are more or fewer predictions.
        """
        reason = f"the source has {len(old)} predictions, and the result would have {len(new)}"
        starts: dict[int, Counter[str]] = {0: Counter()}  # those before may end at any of these
        for number, stated in enumerate(old, 1):
            refusal, same = ConversionError(reason, PLEASE_REPORT), {}
            parts = 1 + str(stated).count("&") * self.are_split
            for start in starts:
                for end in range(start + 1, min(start + parts, len(new)) + 1):
                    try:
                        same[end] = self._compared(stated, new[start:end])
                    except ConversionError as error:
                        error.reason = f"prediction {number} {error.reason}"
                        refusal = error
            if not same:
                raise refusal
            starts = same
            yield next(iter(same.values()))
        if len(new) not in starts:
            raise ConversionError(reason, PLEASE_REPORT)

    def _compared(self, stated: Any, new: Sequence[Any]) -> Counter[str]:
        """The verdicts of a prediction and of what has become of it, which are the same."""
        if self.place is None and [*map(_words, new)] == [_words(stated)]:
            return Counter(unchanged=1)
        try:
            old = prediction_of(stated, self.place or (lambda key: key))
            values = drawn(old, self.before)
            before, after = self._verdicts(old, new, values)
        except RecursionError:
            return Counter(unread=1)
        except ValueError as error:
            raise ConversionError(f"cannot be compared: {error}", PLEASE_REPORT) from error
        except TypeError:  # numbers in the place of verdicts, of which a check says so
            if [prediction_of(one).code for one in new] == [old.code]:
                return Counter(unchanged=1)
            reason = "has a verdict before or after, and not both"
            raise ConversionError(reason, PLEASE_REPORT) from None
        if before != after:
            row = next(row for row, one in enumerate(before) if one != after[row])
            raise self._refusal(old, new, values, row)
        is_declared = "=" in old.source and (old.is_exact or "formula" not in new[0])
        exact = values.cells(old.value(values, is_exact=True)) if is_declared else before
        declared = sum(a != b for a, b in zip(exact, before, strict=True))
        return Counter(predictions=1, edges=values.count - DRAWS, declared=declared)

    def _verdicts(
        self, old: Prediction, new: Sequence[Any], values: Values
    ) -> tuple[list[Any], list[Any]]:
        """The verdicts before, and after: all that has become of a prediction holds."""
        there = Values(values.count, self.after, values)

        def value_of(at: Reference) -> Any:
            return there["*" if at.region is None else at.region, at.condition]

        after: Any = True
        for one in new:
            is_today = "formula" in one
            after &= (
                evaluate(parse(one["formula"]).tree, value_of)
                if is_today
                else prediction_of(one).value(there)
            )
        return values.cells(old.value(values)), values.cells(after)

    def _refusal(
        self, old: Prediction, new: Sequence[Any], values: Values, row: int
    ) -> ConversionError:
        """The refusal, with simple values for which the verdicts differ as they do in a draw."""
        shown = Values(1, self.before, {key: Draws([v.cells[row]]) for key, v in values.items()})
        for key, stated in [*shown.items()]:
            for simpler in (0.0, 1.0, 2.0, 3.0, *stated.cells):
                shown[key] = Draws([simpler])
                before, after = self._verdicts(old, new, shown)
                if before != after:
                    break
        listed = ", ".join(f"({n};%{name}%) = {v.cells[0]:g}" for (n, name), v in shown.items())
        first, second = (str(verdict).lower() for (verdict,) in self._verdicts(old, new, shown))
        texts = " and ".join(f"`{prediction_of(one).source}`" for one in new)
        return ConversionError(
            f"would get another verdict: in item {self.item}, for {listed}, `{old.source}` is "
            f"{first}, and {texts} {second}",
            PLEASE_REPORT,
        )


def _words(stated: Any) -> Any:
    """What a prediction is as it is written: the same formula means the same."""
    return stated.get("formula", stated) if isinstance(stated, dict) else (stated,)
