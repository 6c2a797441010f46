"""A suite itself, as rules, scoring and tables use it; ``suite_view.py`` adds pointers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

#: Every metric: how the surprisals of tokens become the value of a region.
METRICS = ("sum", "mean", "median", "range", "max", "min")
#: The metric of formats that have no place for one, or leave it out.
USUAL_METRIC = "sum"


class Region(NamedTuple):
    """A part of a sentence."""

    number: int
    content: str


class Condition(NamedTuple):
    """One sentence of an item, as regions in reading order."""

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
                        condition["condition_name"],
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


def metrics_of(declared: Any) -> tuple[str, ...]:
    """The metrics that `meta.metric` declares, each once: one, those of a list, or all.

    What is neither a text nor a list of texts declares none.
    """
    if declared == "all":
        return METRICS
    listed = declared if isinstance(declared, list) else [declared]
    return tuple(dict.fromkeys(listed)) if all(isinstance(m, str) for m in listed) else ()


def _metric(written: Any) -> str:
    """The metric; of a legacy suite with several or none, a text that is none of them."""
    declared = metrics_of(written)
    return declared[0] if len(declared) == 1 else str(written)


def _tags(written: Any) -> tuple[str, ...]:
    """A list of strings, or one string; the schema allows anything."""
    tags = [written] if isinstance(written, str) else written if isinstance(written, list) else []
    return tuple(dict.fromkeys(tag for tag in tags if isinstance(tag, str)))
