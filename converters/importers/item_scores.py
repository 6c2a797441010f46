"""Scores of items, each the row of a table: a result is the mean of those of its name."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from evalmark.converters.records.run import Result
from evalmark.converters.records.uncertainty import mean_uncertainty, proportion_uncertainty
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.escaping import shown

#: Words that say whether an answer is right.
TRUTHS = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}
#: The scale of such words.
_SHARE = (0.0, 1.0)


@dataclass(slots=True)
class _Items:
    """The scores of a result so far.

    Attributes:
        first: The row of its first item, as a result.
        scores: Of each item, on the metric's own scale.
        places: Id of each item -> its row.
        are_truths: Whether all of them say only right or wrong.
        time: The newest time of an item: a Unix timestamp.
    """

    first: Result
    scores: array[float] = field(default_factory=lambda: array("d"))
    places: dict[str, str] = field(default_factory=dict)
    are_truths: bool = True
    time: int | None = None


class ItemScores:
    """The scores of the items of a model, by the name of their result."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._by_name: dict[str, _Items] = {}

    def add(self, place: str, item: str, result: Result, *, is_truth: bool) -> None:
        """Add the row of an item.

        Args:
            place: Of the row, for messages.
            item: Its id.
            result: What the row says, as if its score were that of all items.
            is_truth: Whether its score says only right or wrong.

        Raises:
            ConversionError: The item has a score already, or the row contradicts an earlier one.
        """
        plain = replace(result, score=0.0, time=None)
        items = self._by_name.setdefault(result.name, _Items(plain))
        before = items.places.setdefault(item, place)
        if before is not place:
            raise ConversionError(
                f'{place}: a second score of {self._model} for item "{shown(item)}" of '
                f'"{shown(result.name)}", as in {before}: map what differs to `split` or `name`'
            )
        if plain != items.first:
            raise ConversionError(
                f'{place}: not the same data, metric or bounds of "{shown(result.name)}" as in '
                f"{next(iter(items.places.values()))}: map what differs to `split` or `name`"
            )
        items.scores.append(result.score)
        items.are_truths = items.are_truths and is_truth
        items.time = max(filter(None, (items.time, result.time)), default=None)

    def results(self) -> list[Result]:
        """A result for each name: the mean of its items, with its uncertainty."""
        return [_mean(items) for items in self._by_name.values()]


def _mean(items: _Items) -> Result:
    scores = items.scores
    metric = items.first.metric
    if items.are_truths and metric.bounds in (None, _SHARE):
        metric = replace(
            metric,
            bounds=_SHARE,
            details={name: text for name, text in metric.details.items() if name != "bounds"},
        )
    is_share = metric.bounds == _SHARE and set(scores) <= set(_SHARE)
    error = proportion_uncertainty(int(sum(scores)), len(scores)) if is_share else None
    return replace(
        items.first,
        metric=metric,
        score=sum(scores) / len(scores),
        uncertainty=error or mean_uncertainty(scores),
        time=items.time,
    )


def is_truth(value: object) -> bool:
    """True if a cell says only right or wrong."""
    return isinstance(value, bool) or str(value).lower() in TRUTHS


def present(texts: Iterable[str | None]) -> tuple[str, ...]:
    """The texts that are there."""
    return tuple(text for text in texts if text is not None)
