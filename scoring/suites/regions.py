"""Regions: which of them are computed, and their values from token surprisals.

The value of a region is the suite's metric over the surprisals of its tokens: ``sum``, ``mean``,
``median``, ``range``, ``max`` or ``min``. For a region without tokens the sum is 0, and every other
metric is undefined. ``*`` in a formula is the sum of the values of all regions. A suite with
several metrics, or ``all``, is scored with each of them, as ``NAME (METRIC)``.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import Tokenized
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.surprisals.prefix_packs import Ids
from evalmark.validator.formats.suites.formula.formula_syntax import Reference, references
from evalmark.validator.formats.suites.suite import Condition, Sentence

if TYPE_CHECKING:  # it loads conversions, which readers of runs do not need
    from evalmark.scoring.suites.suite_loading import LoadedSuite

Offsets = tuple[int, int]
#: The surprisals (bits) of the tokens of a region, None for undefined ones; None in their place if
#: the region was not computed.
RegionSurprisals = Sequence[float | None] | None

#: Metric -> value of a region from the surprisals (bits) of its tokens, at least one.
METRICS: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "mean": lambda values: math.fsum(values) / len(values),
    "median": statistics.median,
    "range": lambda values: max(values) - min(values),
    "max": max,
    "min": min,
}


def assign_tokens(spans: Sequence[Offsets], sentence: Sentence) -> list[int]:
    """For each token the index of the region it belongs to.

    A token belongs to the region of its first character that is not a space, so the space that
    joins two regions belongs to the second. A token of spaces only belongs with the next token
    that has another character; at the end, with the last region that has text.
    """
    filled = [index for index, (start, end) in enumerate(sentence.spans) if end > start]
    region = filled[-1] if filled else 0
    assigned: list[int] = []
    for start, end in reversed(spans):
        piece = sentence.text[start:end]
        if rest := piece.lstrip():
            at = start + len(piece) - len(rest)
            holding = (i for i, (first, last) in enumerate(sentence.spans) if first <= at < last)
            if (found := next(holding, None)) is None:
                raise ScoringError(f"character {at} of {sentence.text!r} is not in any region")
            region = found
        assigned.append(region)
    return assigned[::-1]


def region_surprisals(
    values: Sequence[float | None], assigned: Sequence[int], count: int
) -> list[list[float | None]]:
    """The token surprisals (bits; None for undefined) of each of ``count`` regions, in order."""
    regions: list[list[float | None]] = [[] for _ in range(count)]
    for value, region in zip(values, assigned, strict=True):
        regions[region].append(value)
    return regions


def region_value(surprisals: Sequence[float | None], metric: str) -> float | None:
    """The value of a region; None if it is undefined.

    For a region without tokens the sum is 0, and every other metric is undefined.
    """
    numbers = [value for value in surprisals if value is not None]
    if len(numbers) < len(surprisals) or not (numbers or metric == "sum"):
        return None
    return METRICS[metric](numbers)


def condition_values(
    condition: Condition, surprisals: Sequence[RegionSurprisals], metric: str
) -> Mapping[int | None, float | None]:
    """Region number -> value, and None -> the sum over all regions, the value of ``*``.

    Regions that were not computed are not in it, and then neither is the sum.
    """
    values: dict[int | None, float | None] = {
        region.number: region_value(tokens, metric)
        for region, tokens in zip(condition.regions, surprisals, strict=True)
        if tokens is not None
    }
    if len(values) < len(condition.regions):
        return values
    values[None] = whole_value(list(values.values()))
    return values


def whole_value(values: Sequence[float | None]) -> float | None:
    """The value of ``*``, given those of all regions; None if one is undefined."""
    numbers = [value for value in values if value is not None]
    return math.fsum(numbers) if len(numbers) == len(values) else None


#: For each item and condition, the indices of the regions to compute.
Needed = Sequence[Sequence[Collection[int]]]


def needed_regions(suite: LoadedSuite, settings: Settings) -> Needed:
    """The regions of a suite to compute; all regions of a sentence for a ``*``."""
    items = suite.suite.items
    if settings.regions == "all":
        return [[range(len(c.regions)) for c in item.conditions] for item in items]
    referred = {(part.condition, part.region) for part in _referred(suite)}
    return [
        [
            [
                index
                for index, region in enumerate(condition.regions)
                if {(condition.name, region.number), (condition.name, None)} & referred
            ]
            for condition in item.conditions
        ]
        for item in items
    ]


def conditions_not_run(suite: LoadedSuite, settings: Settings) -> list[str]:
    """The conditions of a suite that no prediction refers to, if these are not computed."""
    if settings.regions == "all":
        return []
    referred = {part.condition for part in _referred(suite)}
    names = dict.fromkeys(c.name for item in suite.suite.items for c in item.conditions)
    return [name for name in names if name not in referred]


def _referred(suite: LoadedSuite) -> list[Reference]:
    return [part for tree in suite.trees for part in references(tree)]


def require_predictions(suite: LoadedSuite, settings: Settings) -> None:
    """Raise a ScoringError for a suite whose predictions refer to no region: none is computed."""
    if settings.regions != "all" and not _referred(suite):
        reason = "no prediction refers to a region" if suite.trees else "there are no predictions"
        raise ScoringError(f"{suite.path}: {reason}: nothing to compute", argument="regions")


@dataclass(frozen=True, slots=True)
class Texts:
    """The sentences of a run as tokens."""

    tokens: Mapping[str, Tokenized]  # text -> its tokens
    #: Text -> the places of the tokens whose surprisals are wanted, ascending.
    places: Mapping[str, Sequence[int]]
    complete: bool = True  # whether all are wanted

    def row(self, text: str) -> Ids:
        """The tokens of a text as far as a causal model has to know them."""
        places = self.places[text]
        return self.tokens[text].ids[: places[-1] + 1 if places else 0]


def whole_texts(tokens: Mapping[str, Tokenized]) -> Texts:
    """Some sentences; all their surprisals are wanted."""
    return Texts(tokens, {text: range(len(tokenized.ids)) for text, tokenized in tokens.items()})


def texts_of(
    suites: Iterable[LoadedSuite], tokens: Mapping[str, Tokenized], settings: Settings
) -> Texts:
    """The sentences of some suites, whose tokens are known, in the order of their texts."""
    ordered = {text: tokens[text] for text in sorted(tokens)}
    if settings.regions == "all":
        return whole_texts(ordered)
    places_by_text: dict[str, set[int]] = {text: set() for text in ordered}
    for suite in suites:
        for row, needs in zip(suite.sentences, needed_regions(suite, settings), strict=True):
            for sentence, regions in zip(row, needs, strict=True):
                if regions:
                    assigned = assign_tokens(tokens[sentence.text].spans, sentence)
                    places = (at for at, region in enumerate(assigned) if region in regions)
                    places_by_text[sentence.text].update(places)
    return Texts(
        ordered, {text: sorted(places) for text, places in places_by_text.items()}, complete=False
    )
