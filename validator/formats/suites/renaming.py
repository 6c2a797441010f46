"""Changes to a file that rename conditions wherever their names appear, and commands that do."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from evalmark.schemas.phrase import Phrase
from evalmark.validator.findings.finding import Action, At, Change
from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.formats.suites.condition_names import (
    is_older_name,
    names_of_conditions,
    normal_name,
    writable_names,
)
from evalmark.validator.formats.suites.suite_view import (
    PREDICTIONS,
    STRING_PREDICTIONS,
    SuiteFileView,
    condition_name_at,
    formula_at,
)

#: A name in a formula, whether or not a formula can contain it.
_NAME = re.compile(r"%[ \t\r\n]*([^%]*?)[ \t\r\n]*%")


def _named(data: Mapping[str, Any]) -> Iterator[tuple[str, At]]:
    """The conditions that predictions of any dialect name, in NFC, and where."""

    def in_formula(formula: object, pointer: str) -> Iterator[tuple[str, At]]:
        for match in _NAME.finditer(formula) if isinstance(formula, str) else ():
            yield normal_name(match[1]), At(pointer, *match.span(1))

    for index, prediction in enumerate(data["predictions"]):
        stated = {"formula": prediction} if isinstance(prediction, str) else prediction
        yield from in_formula(stated.get("formula"), formula_at(index))
        for key in ("l_operand", "r_operand"):
            yield normal_name(stated.get(key, "")), At(f"{PREDICTIONS}/{index}/{key}")
    strings = data["meta"].get("string_predictions")
    for index, formula in enumerate(strings if isinstance(strings, list) else ()):
        yield from in_formula(formula, f"{STRING_PREDICTIONS}/{index}")


def renaming(view: SuiteFileView, names: Mapping[str, str]) -> tuple[Change, ...]:
    """The changes that rename conditions (by their names in NFC) in items and predictions."""
    in_items = (
        (condition.name, At(condition_name_at(i, j)))
        for i, item in enumerate(view.suite.items)
        for j, condition in enumerate(item.conditions)
    )
    return tuple(
        Change(at, quoted(names[name]) if at.start is None else names[name])
        for name, at in chain(in_items, _named(view.data))
        if name in names
    )


def rewriting_of(view: SuiteFileView, effect: str, metrics: tuple[str, ...] = ()) -> Phrase:
    """The same of a view; rules read no data."""
    return rewriting(view.data, effect, metrics)


def rewriting(data: Mapping[str, Any], effect: str, metrics: tuple[str, ...] = ()) -> Phrase:
    """The command that rewrites a suite of an older dialect; the first of ``metrics`` is kept."""
    named = {(name, at.start is None) for name, at in _named(data)}
    options = f"--metric {metrics[0]} " if len(metrics) > 1 else ""
    for name, new in writable_names(names_of_conditions(data)).items():
        if (name, True) in named or ((name, False) in named and is_older_name(name)):
            word = f"{name}={new}"
            quoted_word = f'"{word}"' if is_older_name(name) else shlex.quote(word)
            options += f"--rename {quoted_word} "
    return Action.CONVERT(options, effect)
