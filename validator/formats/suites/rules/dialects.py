"""Rules on what older tools read and wrote, and current ones do not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import shown
from evalmark.validator.formats.suites.formula.parser import CONDITION_NAME
from evalmark.validator.formats.suites.suite_view import (
    METRIC,
    PREDICTIONS,
    SuiteFileView,
    condition_name_at,
    writable_names,
)

#: Names that `convert --rename` finds in formulas.
_READABLE = re.compile(r"[-\w.: ]+")


def legacy_suite(view: SuiteFileView) -> Iterator[Hit]:
    """A suite is in the current dialect: its predictions are formulas, and it has one metric.

    Older suites have triples of `l_operand`, `relation` and `r_operand`, and can name several
    metrics. Current tools do not read them. evalmark checks them as they are.

    Bad: `{"l_operand": "b", "relation": "greaterthan", "r_operand": "a", "region_number": 2}`
    Good: `{"type": "formula", "formula": "(2;%b%) > (2;%a%)"}`
    """
    signs, metrics = view.legacy_signs, view.metrics
    if not signs:
        return
    option = f"--metric {metrics[0]} " if len(metrics) > 1 else ""
    for name, new in writable_names(view.conditions).items():
        if name in view.operands and _READABLE.fullmatch(name):
            option += f'--rename "{name}={new}" '
    yield Hit(
        f"suite is in the legacy dialect: {' and '.join(signs)}",
        At(PREDICTIONS if "triples" in signs[0] else METRIC, key=True),
        helps=(f"`evalmark convert --in-place {option}FILE` rewrites it in the current dialect",),
    )


def condition_name(view: SuiteFileView) -> Iterator[Hit]:
    """Condition names can be written in formulas.

    In formulas, a name has only letters, digits, `_` and `-`. No formula can refer to a condition
    whose name has other characters.

    Bad: `"condition_name": "no gap"` and the formula `(2;%no gap%) > (2;%gap%)`
    Good: `"condition_name": "no_gap"` and the formula `(2;%no_gap%) > (2;%gap%)`
    """
    for name, new in view.unwritable.items():
        i, j = next(
            (i, j)
            for i, item in enumerate(view.suite.items)
            for j, condition in enumerate(item.conditions)
            if condition.name == name
        )
        odd = shown(CONDITION_NAME.sub("", name)[:1])
        helps = [f"name the condition `{new}`, here, in every item and in the formulas"]
        if _READABLE.fullmatch(name):
            rename = f'`evalmark convert --in-place --rename "{name}={new}" FILE`'
            helps.append(f"or use {rename}, which does all of that")
        yield Hit(
            f"condition name {shown(name)} contains {odd}, so no formula can refer to it",
            At(condition_name_at(i, j)),
            caret="expected only letters, digits, `_` and `-`",
            helps=tuple(helps),
        )
