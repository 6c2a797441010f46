"""Help with a suite in an editor: formulas in words, regions, names of conditions.

Names are found in whatever part of a suite is written already; sentences and proofs need a suite
that its schema accepts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import Budget
from evalmark.validator.findings.editing import Editing, Insertion, Mention
from evalmark.validator.findings.finding import At
from evalmark.validator.format import CheckContext
from evalmark.validator.formats.suites.condition_names import LEGAL, is_condition_name, normal_name
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Formula,
    Reference,
    formula_or_error,
    references,
)
from evalmark.validator.formats.suites.formula.formula_words import (
    OPERATORS,
    in_words,
    region_in_words,
)
from evalmark.validator.formats.suites.formula.meaning import can_fail, can_hold
from evalmark.validator.formats.suites.suite import MODELS
from evalmark.validator.formats.suites.suite_view import (
    UNSPACED,
    SuiteFileView,
    condition_at,
    condition_name_at,
    declaration_at,
    formula_at,
)

CONDITION, REGION = "condition", "region"
#: Items whose texts a hover shows.
SHOWN_ITEMS = 6
_FORMULA = re.compile(r"/predictions/(\d+)/formula")


@dataclass(frozen=True)
class SuiteEditing(Editing):
    """A suite, perhaps an incomplete one."""

    kind: str  # the name of its format
    data: object  # what is written of it
    #: That of a check: how regions are joined, and for which models proofs hold.
    context: CheckContext

    @cached_property
    def view(self) -> SuiteFileView | None:
        """The suite, if its schema accepts it."""
        if not isinstance(self.data, dict) or not accepts(self.kind, self.data):
            return None
        context = self.context
        return SuiteFileView(self.data, context.join, MODELS[context.models], context.words)

    @cached_property
    def region_names(self) -> Mapping[str, str]:
        """The number of each region, as text, and its name."""
        declared = _member(self.data, "region_meta")
        if not isinstance(declared, dict):
            return {}
        return {number: name if isinstance(name, str) else "" for number, name in declared.items()}

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """The names of the conditions, in order of first appearance."""
        return tuple(dict.fromkeys(name for _, _, name, _ in self._conditions()))

    def mentions(self) -> Iterator[Mention]:
        """The names of conditions and the numbers of regions, wherever they are."""
        for number in self.region_names:
            yield Mention(REGION, number, At(declaration_at(number), key=True), True)
        seen: set[str] = set()
        for i, j, name, regions in self._conditions():
            yield Mention(CONDITION, name, At(condition_name_at(i, j)), name not in seen)
            seen.add(name)
            for k, region in enumerate(regions):
                if (value := _member(region, "region_number")) is not None:
                    at = At(f"{condition_at(i, j)}/regions/{k}/region_number")
                    yield Mention(REGION, str(value), at)
        for k, value in enumerate(_list(_member(self.data, "meta"), "no_space_before")):
            yield Mention(REGION, str(value), At(f"{UNSPACED}/{k}"))
        yield from self._mentions_in_predictions()

    def _mentions_in_predictions(self) -> Iterator[Mention]:
        for index, prediction in enumerate(_list(self.data, "predictions")):
            for key in ("l_operand", "r_operand"):  # of the legacy dialect
                if isinstance(name := _member(prediction, key), str):
                    yield Mention(CONDITION, normal_name(name), At(f"/predictions/{index}/{key}"))
        for index, text in self._formulas():
            for reference in references(formula.tree) if (formula := _parsed(text)) else ():
                at = At(formula_at(index), *reference.condition_span)
                yield Mention(CONDITION, reference.condition, at)
                if reference.region is not None:
                    at = At(formula_at(index), *reference.region_span)
                    yield Mention(REGION, str(reference.region), at)

    def can_be_called(self, kind: str, name: str) -> str:
        """The reason that a formula could not refer to a condition or a region of this name."""
        if kind == REGION:
            if name in self.region_names:
                return f"there is a region {name} already"
            return "" if name.isascii() and name.isdecimal() else "a region has a number"
        if normal_name(name) in self.conditions:
            return f"there is a condition `{name}` already"
        return "" if is_condition_name(name) else f"the name of a condition can only have {LEGAL}"

    def hover(self, pointer: str, offset: int) -> str:
        """The formula in words, what is proved of it, and the texts of the region at the cursor."""
        match = _FORMULA.fullmatch(pointer)
        text = dict(self._formulas()).get(int(match[1])) if match else None
        formula = _parsed(text) if text is not None else None
        if match is None or formula is None:
            return ""
        words = in_words(formula.tree, self.region_names)
        parts = [f"{words[:1].upper()}{words[1:]}.", self._proof(int(match[1]))]
        for reference in references(formula.tree):
            if reference.span[0] <= offset < reference.span[1]:
                title = region_in_words(reference, self.region_names)
                texts = self._texts(reference)
                if normal_name(reference.condition) not in map(normal_name, self.conditions):
                    known = ", ".join(f"`{name}`" for name in self.conditions)
                    texts = f"There is no condition `{reference.condition}`. There are: {known}."
                parts = [f"**{title[:1].upper()}{title[1:]}**", texts, *parts]
        return "\n\n".join(filter(None, parts))

    def _proof(self, index: int) -> str:
        view = self.view
        if view is None or index not in dict(view.meaningful):
            return ""
        try:
            never, always = (view.disproved(index, ask) for ask in (can_hold, can_fail))
        except Budget:
            return ""
        lines = []
        for items, truth in ((never, "false"), (always, "true")):
            if items:
                numbers = [str(view.suite.items[item].number) for item in items]
                is_all = len(items) == len(view.suite.items)
                where = "every item" if is_all else f"item {', '.join(numbers)}"
                lines.append(f"Proved: {truth} in {where}, for every {view.models}.")
        undecided = f"The texts decide nothing: for a {view.models}, it can be true or false."
        return " ".join(lines) or undecided

    def _texts(self, reference: Reference) -> str:
        if self.view is None:
            return ""
        names = self.conditions
        rows = [f"| item | {' | '.join(names)} |", f"|{'---|' * (len(names) + 1)}"]
        for i, item in enumerate(self.view.suite.items[:SHOWN_ITEMS]):
            cells = {}
            for condition, sentence in zip(item.conditions, self.view.sentences[i], strict=True):
                texts = [r.content for r in condition.regions if r.number == reference.region]
                cells[condition.name] = (
                    sentence.text if reference.region is None else " … ".join(texts)
                ).replace("|", "\\|")
            shown = (cells.get(name, "") for name in names)
            rows.append(f"| {item.number} | {' | '.join(shown)} |")
        return "\n".join(rows)

    def choices(self, pointer: str, before: str) -> Iterator[Insertion]:
        """Regions, conditions and operators in a formula; names and numbers in the items."""
        if pointer.endswith("/condition_name"):
            yield from (Insertion(f'"{name}"', CONDITION, None) for name in self.conditions)
        elif pointer.endswith("/region_number"):
            yield from (Insertion(n, name, None) for n, name in self.region_names.items())
        elif _FORMULA.fullmatch(pointer):
            if match := re.search(r";%([^%]*)\Z", before):
                typed = len(match[1])
                yield from (Insertion(f"{name}%)", CONDITION, typed) for name in self.conditions)
            elif match := re.search(r"\(\s*(\d*)\Z", before):
                for number, name in {**self.region_names, "*": "the whole sentence"}.items():
                    yield Insertion(f"{number};%", name, len(match[1]))
            elif re.search(r"[\d)]\s*\Z", before):
                space = "" if before.endswith(" ") else " "
                for operator, meaning in OPERATORS.items():
                    yield Insertion(f"{space}{operator} ", meaning)
            else:
                for number, name in self.region_names.items():
                    yield Insertion(f"({number};%", name)

    def sentences(self) -> Iterator[tuple[str, str]]:
        """The sentence of each condition, above its name."""
        for i, sentences in enumerate(self.view.sentences if self.view else ()):
            for j, sentence in enumerate(sentences):
                yield condition_name_at(i, j), sentence.text

    def commands(self) -> Iterator[tuple[str, str]]:
        """Score it."""
        yield "score", "score this suite"

    def _formulas(self) -> Iterator[tuple[int, str]]:
        for index, prediction in enumerate(_list(self.data, "predictions")):
            if isinstance(text := _member(prediction, "formula"), str):
                yield index, text

    def _conditions(self) -> Iterator[tuple[int, int, str, list[Any]]]:
        for i, item in enumerate(_list(self.data, "items")):
            for j, condition in enumerate(_list(item, "conditions")):
                if isinstance(name := _member(condition, "condition_name"), str):
                    yield i, j, normal_name(name), _list(condition, "regions")


def _parsed(text: str) -> Formula | None:
    return formula if isinstance(formula := formula_or_error(text), Formula) else None


def _member(holder: object, key: str) -> Any:
    return holder.get(key) if isinstance(holder, dict) else None


def _list(holder: object, key: str) -> list[Any]:
    value = _member(holder, key)
    return value if isinstance(value, list) else []
