"""What the suite rules share: the suite, and its formulas read once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formula.meaning import type_problems
from evalmark.validator.formula.parser import Formula, read
from evalmark.validator.formula.tree import references
from evalmark.validator.views.sentences import Sentence, join_regions
from evalmark.validator.views.suite import Suite, suite_view
from evalmark.validator.views.unknowns import Forms, item_forms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class SuiteFacts:
    """A suite that its schema accepts, as the rules see it.

    Attributes:
        data: The parsed file.
        join: The rule by which regions become sentences.
    """

    def __init__(self, data: dict[str, Any], join: str = "core") -> None:
        self.data = data
        self.join = join

    @cached_property
    def suite(self) -> Suite:
        """The view of the suite."""
        return suite_view(self.data)

    @cached_property
    def formulas(self) -> tuple[Formula | FormulaSyntaxError, ...]:
        """Each prediction's formula, or why it cannot be read."""
        return tuple(_read(source) for source in self.suite.formulas)

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
    def conditions(self) -> tuple[str, ...]:
        """The names of all conditions of the suite, in order of first appearance."""
        return tuple(
            dict.fromkeys(
                condition.name for item in self.suite.items for condition in item.conditions
            )
        )


def _read(source: str) -> Formula | FormulaSyntaxError:
    try:
        return read(source)
    except FormulaSyntaxError as error:
        return error


def formula_pointer(index: int) -> str:
    """Where the formula of a prediction stands."""
    return f"/predictions/{index}/formula"
