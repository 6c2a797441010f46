"""A suite as rules see it: its formulas parsed, its sentences joined, and where its parts are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formula.meaning import type_problems
from evalmark.validator.formula.parser import Formula, read
from evalmark.validator.formula.tree import references
from evalmark.validator.kinds import Document
from evalmark.validator.reading.pointer import make_pointer
from evalmark.validator.reading.reading import Reading
from evalmark.validator.views.sentences import Sentence, join_regions
from evalmark.validator.views.suite import Condition, Item, Region, Suite, suite_of
from evalmark.validator.views.unknowns import Forms, item_forms


@dataclass(slots=True)
class PlacedRegion:
    """A region with what it is part of. Not frozen, since a suite has thousands.

    Attributes:
        item: Its item.
        condition: Its condition.
        region: The region itself.
        path: The numbers of the item, the condition in it and the region in that, from 0.
    """

    item: Item
    condition: Condition
    region: Region
    path: tuple[int, int, int]

    @property
    def index(self) -> int:
        """Its place among the regions of the condition, from 0."""
        return self.path[2]

    @property
    def pointer(self) -> str:
        """Where it is in the file."""
        return f"{condition_at(*self.path[:2])}/regions/{self.index}"

    @property
    def content_at(self) -> str:
        """The pointer of its text."""
        return f"{self.pointer}/content"

    @property
    def number_at(self) -> str:
        """The pointer of its number."""
        return f"{self.pointer}/region_number"


@dataclass(frozen=True)
class SuiteFileView:
    """A suite that its schema accepts.

    Attributes:
        data: The parsed file.
        join: The rule by which regions become sentences.
    """

    data: Mapping[str, Any]
    join: str = "core"

    @cached_property
    def suite(self) -> Suite:
        """The view of the suite."""
        return suite_of(self.data)

    @cached_property
    def formulas(self) -> tuple[Formula | FormulaSyntaxError, ...]:
        """Each prediction's formula, or why it cannot be read."""
        return tuple(_parsed(source) for source in self.suite.formulas)

    @cached_property
    def meaningful(self) -> tuple[tuple[int, Formula], ...]:
        """Index and formula of the predictions that say something true or false."""
        return tuple(
            (index, formula)
            for index, formula in enumerate(self.formulas)
            if isinstance(formula, Formula) and not any(type_problems(formula.tree))
        )

    @cached_property
    def forms(self) -> tuple[Forms, ...]:
        """For each item, the region values that formulas ask for.

        They are given over what a left-to-right model is free to choose.
        """
        wanted = {
            (reference.condition, reference.region)
            for _, formula in self.meaningful
            for reference in references(formula.tree)
        }
        return tuple(
            item_forms(item, self.suite.metric, self.join, sentences=sentences, wanted=wanted)
            for item, sentences in zip(self.suite.items, self.sentences, strict=True)
        )

    @cached_property
    def sentences(self) -> tuple[tuple[Sentence, ...], ...]:
        """For each item the sentence of each of its conditions."""
        return tuple(
            tuple(join_regions(condition.contents, self.join) for condition in item.conditions)
            for item in self.suite.items
        )

    def readable(self) -> Iterator[tuple[int, Formula]]:
        """Index and formula of the predictions that can be read."""
        for index, formula in enumerate(self.formulas):
            if isinstance(formula, Formula):
                yield index, formula

    @cached_property
    def regions(self) -> tuple[PlacedRegion, ...]:
        """Every region of every sentence."""
        return tuple(
            PlacedRegion(item, condition, region, (i, j, k))
            for i, item in enumerate(self.suite.items)
            for j, condition in enumerate(item.conditions)
            for k, region in enumerate(condition.regions)
        )

    def values(self) -> Iterator[str]:
        """Pointers of the values that some model has been given for a region."""
        for i, item in enumerate(self.data["items"]):
            for j, condition in enumerate(item["conditions"]):
                for k, region in enumerate(condition["regions"]):
                    if "metric_value" in region:
                        yield f"{condition_at(i, j)}/regions/{k}/metric_value"

    @property
    def has_string_predictions(self) -> bool:
        """Whether its formulas are in `meta`, where suites of May 2020 have them."""
        return bool(self.data["meta"].get("string_predictions"))

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """The names of all conditions of the suite, in order of first appearance."""
        return tuple(
            dict.fromkeys(
                condition.name for item in self.suite.items for condition in item.conditions
            )
        )


def _parsed(source: str) -> Formula | FormulaSyntaxError:
    try:
        return read(source)
    except FormulaSyntaxError as error:
        return error


def suite_view(document: Document, _reading: Reading, join: str) -> SuiteFileView:
    """The view of a suite that its schema accepts."""
    return SuiteFileView(document.data, join)


METRIC = "/meta/metric"
PREDICTIONS = "/predictions"
STRING_PREDICTIONS = "/meta/string_predictions"
REGION_META = "/region_meta"


def formula_at(index: int) -> str:
    """The pointer of the formula of a prediction."""
    return f"{PREDICTIONS}/{index}/formula"


def declaration_at(region: str | int) -> str:
    """The pointer of the name of a region in `region_meta`."""
    return f"{REGION_META}{make_pointer([region])}"


def conditions_at(item: int) -> str:
    """The pointer of the conditions of an item."""
    return f"/items/{item}/conditions"


def item_number_at(item: int) -> str:
    """The pointer of the number of an item."""
    return f"/items/{item}/item_number"


def condition_at(item: int, condition: int) -> str:
    """The pointer of a condition of an item."""
    return f"/items/{item}/conditions/{condition}"


def condition_name_at(item: int, condition: int) -> str:
    """The pointer of the name of a condition."""
    return f"{condition_at(item, condition)}/condition_name"
