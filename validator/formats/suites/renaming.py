"""Changes to a file that rename conditions wherever their names appear, and commands that do."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from evalmark.schemas.phrase import Phrase
from evalmark.validator.findings.finding import Action, At, Change
from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.formats.suites.condition_names import (
    is_older_name,
    names_of_conditions,
    normal_name,
)
from evalmark.validator.formats.suites.suite_view import (
    PREDICTIONS,
    STRING_PREDICTIONS,
    SuiteFileView,
    condition_name_at,
    formula_at,
    writable_names,
)

#: A name in a formula, whether or not a formula can contain it.
_NAME = re.compile(r"%[ \t\r\n]*([^%]*?)[ \t\r\n]*%")


def renaming(view: SuiteFileView, names: Mapping[str, str]) -> tuple[Change, ...]:
    """The changes that rename conditions in items and predictions of any dialect.

    Args:
        view: The suite.
        names: Old name, in NFC -> new name.
    """
    items = (
        Change(At(condition_name_at(i, j)), quoted(names[condition.name]))
        for i, item in enumerate(view.suite.items)
        for j, condition in enumerate(item.conditions)
        if condition.name in names
    )
    return (*items, *_in_predictions(view, names))


def _in_predictions(view: SuiteFileView, names: Mapping[str, str]) -> Iterator[Change]:
    for index, prediction in enumerate(view.data["predictions"]):
        yield from _in_formula(prediction.get("formula", ""), formula_at(index), names)
        for key in ("l_operand", "r_operand"):
            if (name := normal_name(prediction.get(key, ""))) in names:
                yield Change(At(f"{PREDICTIONS}/{index}/{key}"), quoted(names[name]))
    for index, formula in enumerate(view.data["meta"].get("string_predictions") or ()):
        yield from _in_formula(formula, f"{STRING_PREDICTIONS}/{index}", names)


def _in_formula(formula: str, pointer: str, names: Mapping[str, str]) -> Iterator[Change]:
    for match in _NAME.finditer(formula):
        if (name := normal_name(match[1])) in names:
            yield Change(At(pointer, *match.span(1)), names[name])


def rewriting(data: Mapping[str, Any], effect: str, metrics: tuple[str, ...] = ()) -> Phrase:
    """The command that rewrites a suite of an older dialect, with all that it needs.

    Args:
        data: The suite, whose items follow their schema.
        effect: What that does.
        metrics: Those that it names; the first is kept.
    """
    strings = data["meta"].get("string_predictions")
    formulas = [t for t in strings if isinstance(t, str)] if isinstance(strings, list) else []
    operands = set()
    for prediction in data["predictions"]:
        stated = {"formula": prediction} if isinstance(prediction, str) else prediction
        operands |= {normal_name(stated.get(key, "")) for key in ("l_operand", "r_operand")}
        formulas.append(stated.get("formula", ""))
    written = {normal_name(match[1]) for text in formulas for match in _NAME.finditer(text)}
    options = f"--metric {metrics[0]} " if len(metrics) > 1 else ""
    for name, new in writable_names(names_of_conditions(data)).items():
        if name in operands or (name in written and is_older_name(name)):
            word = f"{name}={new}"
            quoted_word = f'"{word}"' if is_older_name(name) else shlex.quote(word)
            options += f"--rename {quoted_word} "
    return Action.CONVERT(options, effect)
