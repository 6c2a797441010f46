"""A suite itself, and its sentences, as rules, scoring and tables use them.

``suite_view.py`` adds pointers. Three public tools join regions to sentences differently, so a
score depends on the joining rule.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

#: The name of the format of suites whose predictions are triples.
LEGACY = "suite-legacy"
#: Every metric: how the surprisals of tokens become the value of a region.
METRICS = ("sum", "mean", "median", "range", "max", "min")
#: The metric of formats that have no place for one, or leave it out.
USUAL_METRIC = "sum"
#: The key of `meta` that lists the regions before which no space is put, or is `"all"`.
NO_SPACE_BEFORE = "no_space_before"
ALL = "all"
#: Keys that only a triple has.
OF_TRIPLES = frozenset(("l_operand", "relation", "r_operand"))


class Region(NamedTuple):
    """A part of a sentence."""

    number: int  # its number
    content: str  # its text
    #: Whether a joining rule with spaces puts one before it. If not, the spaces that are written in
    #: the text are part of the sentence.
    is_spaced: bool = True


class Condition(NamedTuple):
    """One sentence of an item, as regions in reading order; its name is in NFC."""

    name: str
    regions: tuple[Region, ...]

    @property
    def contents(self) -> tuple[str, ...]:
        """The texts of the regions."""
        return tuple(region.content for region in self.regions)

    def sentence(self, join: str = "core") -> Sentence:
        """The sentence that a model reads; raises KeyError if there is no such joining rule."""
        return join_regions(self.contents, join, [region.is_spaced for region in self.regions])


class Item(NamedTuple):
    """A sentence in all its conditions."""

    number: int
    conditions: tuple[Condition, ...]


class Suite(NamedTuple):
    """A test suite."""

    name: str  # its unique name
    metric: str  # how token surprisals become a region's value
    region_meta: Mapping[str, Any]  # region numbers, as strings, and their names
    formulas: tuple[str, ...]  # its predictions, in order
    items: tuple[Item, ...]  # its items, in order
    tags: tuple[str, ...] = ()  # its topics; scores are averaged over the suites with the same tag

    @property
    def joined_regions(self) -> list[int]:
        """The numbers of the regions that sentences have, before which no space is put."""
        regions = (r for item in self.items for c in item.conditions for r in c.regions)
        return sorted({region.number for region in regions if not region.is_spaced})


def suite_of(data: Mapping[str, Any], join: str = "core") -> Suite:
    """The suite in valid data.

    A legacy suite has no formulas, and can have several metrics. With a joining rule that puts
    nothing between regions, no region is spaced.
    """
    from evalmark.validator.formats.suites.condition_names import normal_name  # for suites only

    unspaced = data["meta"].get(NO_SPACE_BEFORE) if JOINS[join].space else ALL
    return Suite(
        name=data["meta"]["name"],
        metric=_metric(data["meta"]["metric"]),
        region_meta=data["region_meta"],
        formulas=tuple(
            prediction["formula"] for prediction in data["predictions"] if "formula" in prediction
        ),
        items=tuple(
            Item(
                int(item["item_number"]),
                tuple(
                    Condition(
                        normal_name(condition["condition_name"]),
                        tuple(
                            Region(
                                number := int(region["region_number"]),
                                region["content"],
                                is_spaced(number, unspaced),
                            )
                            for region in condition["regions"]
                        ),
                    )
                    for condition in item["conditions"]
                ),
            )
            for item in data["items"]
        ),
        tags=_tags(data["meta"].get("tags")),
    )


def has_triples(data: Mapping[str, Any]) -> bool:
    """True if a suite is a legacy one: of triples of operand, relation, operand, and no formula."""
    predictions = data.get("predictions")
    if isinstance(predictions, list):
        objects = [prediction for prediction in predictions if isinstance(prediction, dict)]
        if objects:
            keys = set[str]().union(*objects)
            return "formula" not in keys and not keys.isdisjoint(OF_TRIPLES)
    meta = data.get("meta")
    if isinstance(meta, dict):
        metric = meta.get("metric")
        return isinstance(metric, list) or metric == "all"
    return False


def metrics_of(declared: object) -> tuple[str, ...]:
    """The metrics that `meta.metric` declares, each once; none if it has no texts."""
    if declared == "all":
        return METRICS
    metrics = declared if isinstance(declared, list) else [declared]
    names = [metric for metric in metrics if isinstance(metric, str)]
    return tuple(dict.fromkeys(names)) if len(names) == len(metrics) else ()


def _metric(written: object) -> str:
    """The metric; of a legacy suite with several or none, a text that is none of them."""
    declared = metrics_of(written)
    return declared[0] if len(declared) == 1 else str(written)


def _tags(written: object) -> tuple[str, ...]:
    """A list of strings, or one string; the schema allows anything."""
    tags = [written] if isinstance(written, str) else written if isinstance(written, list) else []
    return tuple(dict.fromkeys(tag for tag in tags if isinstance(tag, str)))


def is_spaced(region: int, unspaced: object) -> bool:
    """True if `meta.no_space_before`, a list or `"all"`, does not contain a region."""
    return unspaced != ALL and not (isinstance(unspaced, list) and region in unspaced)


class Joining(NamedTuple):
    """A rule that makes a sentence of regions."""

    space: str = " "  # what is put between two regions
    strips: bool = True  # whether space at the beginning of a region is removed
    tight: str = ""  # characters before which space is removed


#: Joining rule -> how it joins.
#:
#: - ``core``: the reference implementation. Regions without text are dropped, leading space is
#:   stripped, and regions are joined with one space.
#: - ``hf``: the same, but space before ``.`` and ``,`` is removed.
#: - ``brainscore``: nothing is stripped; space before ``. , ! ? ; :`` is removed.
#: - ``none``: regions follow each other as they are, for scripts without spaces.
JOINS: dict[str, Joining] = {
    "core": Joining(),
    "hf": Joining(tight=".,"),
    "brainscore": Joining(strips=False, tight=".,!?;:"),
    "none": Joining(space="", strips=False),
}

#: Models that a proof about predictions is to hold for -> what the value of a region depends on
#: with them (``unknowns``).
MODELS = {"left-to-right": "left", "any": "whole"}

_SPACE = " \t\n\r\x0b\x0c"


class Sentence(NamedTuple):
    """A sentence as a model reads it."""

    text: str  # the sentence
    #: For each region, in order, where its text is; an empty region has an empty span.
    spans: tuple[tuple[int, int], ...]


def join_regions(
    contents: Sequence[str], join: str = "core", spaced: Sequence[bool] | None = None
) -> Sentence:
    """Join the contents of regions to a sentence.

    A region's span contains only its text; the joining space is before the span of the next one.
    A region that is not ``spaced`` is joined as by the rule ``none``. If regions between two texts
    are empty, a space is put between these unless none of the later regions is spaced.

    Raises:
        KeyError: There is no such joining rule.
    """
    space, strips, tight = JOINS[join]
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    length = 0
    gap = ""
    for k, content in enumerate(contents):
        separates = bool(space) and (spaced is None or spaced[k])
        gap = space if separates else gap
        if not (content.strip() if separates else content):
            spans.append((length, length))
            continue
        text = content.lstrip(_SPACE) if strips and separates else content
        if pieces:
            pieces.append(gap)
            length += len(gap)
        gap = ""
        spans.append((length, length + len(text)))
        pieces.append(text)
        length += len(text)
    sentence = Sentence("".join(pieces), tuple(spans))
    return _tighten(sentence, tight) if tight else sentence


def _tighten(sentence: Sentence, tight: str) -> Sentence:
    spaces = re.compile(rf"(?<!\s)\s+(?=[{re.escape(tight)}])")
    removed = [at for match in spaces.finditer(sentence.text) for at in range(*match.span())]
    spans = (tuple(at - bisect_left(removed, at) for at in span) for span in sentence.spans)
    return Sentence(spaces.sub("", sentence.text), tuple((start, end) for start, end in spans))
