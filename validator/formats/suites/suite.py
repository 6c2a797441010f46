"""A suite itself, and its sentences, as rules, scoring and tables use them.

``suite_view.py`` adds pointers. Three public tools join regions to sentences differently, so a
score depends on the joining rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evalmark.validator.formats.suites.condition_names import normal_name

#: Every metric: how the surprisals of tokens become the value of a region.
METRICS = ("sum", "mean", "median", "range", "max", "min")
#: The metric of formats that have no place for one, or leave it out.
USUAL_METRIC = "sum"


class Region(NamedTuple):
    """A part of a sentence."""

    number: int
    content: str


class Condition(NamedTuple):
    """One sentence of an item, as regions in reading order; its name is in NFC."""

    name: str
    regions: tuple[Region, ...]

    @property
    def contents(self) -> tuple[str, ...]:
        """The texts of the regions."""
        return tuple(region.content for region in self.regions)


class Item(NamedTuple):
    """A sentence in all its conditions."""

    number: int
    conditions: tuple[Condition, ...]


class Suite(NamedTuple):
    """A test suite.

    Attributes:
        name: Its unique name.
        metric: How token surprisals become a region's value.
        region_meta: Region numbers, as strings, and their names.
        formulas: Its predictions, in order.
        items: Its items, in order.
        tags: Its topics; scores are averaged over the suites with the same tag.
    """

    name: str
    metric: str
    region_meta: Mapping[str, Any]
    formulas: tuple[str, ...]
    items: tuple[Item, ...]
    tags: tuple[str, ...] = ()


def suite_of(data: Mapping[str, Any]) -> Suite:
    """The suite in valid data.

    A legacy suite has no formulas, and can have several metrics.
    """
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
                            Region(int(region["region_number"]), region["content"])
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
    """True if a suite is a legacy one: of triples of operand, relation, operand."""
    predictions = data.get("predictions")
    if isinstance(predictions, list):
        for prediction in predictions:
            if isinstance(prediction, dict):
                return "formula" not in prediction and bool(
                    {"l_operand", "r_operand", "relation"} & prediction.keys()
                )
    meta = data.get("meta")
    if isinstance(meta, dict):
        metric = meta.get("metric")
        return isinstance(metric, list) or metric == "all"
    return False


def metrics_of(declared: object) -> tuple[str, ...]:
    """The metrics that `meta.metric` declares, each once: one, those of a list, or all.

    What is neither a text nor a list of texts declares none.
    """
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


class Joining(NamedTuple):
    """A rule that makes a sentence of regions.

    Attributes:
        space: What is put between two regions.
        strips: Whether space at the beginning of a region is removed.
        tight: Characters before which space is removed.
    """

    space: str = " "
    strips: bool = True
    tight: str = ""


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

_SPACE = " \t\n\r\x0b\x0c"


class Sentence(NamedTuple):
    """A sentence as a model reads it.

    Attributes:
        text: The sentence.
        spans: For each region, in order, where its text is; an empty region has an empty span.
    """

    text: str
    spans: tuple[tuple[int, int], ...]


def join_regions(contents: Sequence[str], join: str = "core") -> Sentence:
    """Join the contents of regions to a sentence.

    A region's span contains only its text; the joining space is before the span of the next one.

    Raises:
        KeyError: There is no such joining rule.
    """
    space, strips, tight = JOINS[join]
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    length = 0
    started = False
    for content in contents:
        if not (content.strip() if space else content):
            spans.append((length, length))
            continue
        text = content.lstrip(_SPACE) if strips else content
        if started:
            pieces.append(space)
            length += len(space)
        started = True
        spans.append((length, length + len(text)))
        pieces.append(text)
        length += len(text)
    sentence = Sentence("".join(pieces), tuple(spans))
    return _tighten(sentence, tight) if tight else sentence


def _tighten(sentence: Sentence, tight: str) -> Sentence:
    """Remove the space before tight characters, and adjust the spans."""
    keep = [True] * len(sentence.text)
    for at, character in enumerate(sentence.text):
        if character in tight:
            before = at
            while before > 0 and sentence.text[before - 1].isspace():
                before -= 1
                keep[before] = False
    position = [0]
    for kept in keep:
        position.append(position[-1] + kept)
    text = "".join(c for c, kept in zip(sentence.text, keep, strict=True) if kept)
    return Sentence(text, tuple((position[start], position[end]) for start, end in sentence.spans))
