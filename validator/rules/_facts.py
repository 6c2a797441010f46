"""What the suite rules share: the suite, its formulas read once, and words for messages."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .._suite import Suite, suite_view
from .._unknowns import Forms, item_forms
from ..formula import Formula, FormulaSyntaxError, read, type_problems


@dataclass(frozen=True)
class SuiteFacts:
    """A suite that its schema accepts, as the rules see it.

    Attributes:
        data: The parsed file.
        join: The rule by which regions become sentences.
    """

    data: dict[str, Any]
    join: str = "core"

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
        """For each item, its region values over what a left-to-right model is free to choose."""
        return tuple(item_forms(item, self.suite.metric, self.join) for item in self.suite.items)

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


def shown(value: Any) -> str:
    """A value as JSON, so that spaces and quotes can be seen; long ones are cut."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"


def listed(words: Iterable[Any], limit: int = 6) -> str:
    """``4, 9 and 12``; a long list is cut."""
    words = [str(word) for word in words]
    if len(words) > limit:
        words = [*words[: limit - 1], f"{len(words) - limit + 1} more"]
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def items_text(numbers: Sequence[int]) -> str:
    """``item 4`` or ``items 4, 9 and 12``."""
    return f"item{'s' if len(numbers) > 1 else ''} {listed(numbers)}"


def closest(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """``did you mean …`` if there is a close one."""
    known = list(known)
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.7)
    # An abbreviation is close too: "hf" for "hf_dataset".
    near = near or [name for name in known if len(word) > 1 and name.startswith(word)]
    return (f"did you mean `{near[0]}`?",) if near else ()
