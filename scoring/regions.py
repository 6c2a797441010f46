"""From token surprisals to region values."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence

from evalmark.schemas.errors import ScoringError
from evalmark.validator.formats.suites.sentences import Sentence
from evalmark.validator.formats.suites.suite import Condition

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
    text = sentence.text
    regions: list[int | None] = []
    for start, end in spans:
        at = start
        while at < end and text[at].isspace():
            at += 1
        regions.append(_region_at(at, sentence) if at < end else None)
    filled = [index for index, (start, end) in enumerate(sentence.spans) if end > start]
    following = filled[-1] if filled else 0
    assigned: list[int] = []
    for region in reversed(regions):
        following = following if region is None else region
        assigned.append(following)
    return assigned[::-1]


def _region_at(at: int, sentence: Sentence) -> int:
    for index, (start, end) in enumerate(sentence.spans):
        if start <= at < end:
            return index
    raise ScoringError(f"character {at} of {sentence.text!r} is not in any region")


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
    known = [value for value in surprisals if value is not None]
    if len(known) < len(surprisals):
        return None
    if not known:
        return 0.0 if metric == "sum" else None
    return METRICS[metric](known)


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
    known = [value for value in values.values() if value is not None]
    values[None] = math.fsum(known) if len(known) == len(values) else None
    return values
