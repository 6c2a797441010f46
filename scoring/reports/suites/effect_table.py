"""The size of effects of a suite, as the page of a run shows it next to accuracies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from evalmark.scoring.reports.suites.item_table import bits, compared, formula_code, region_values
from evalmark.scoring.reports.suites.suite_run_folder import SuiteView
from evalmark.scoring.suites.effects import (
    EQUALITY,
    INTERACTION,
    comparisons,
    kind_of,
    margin,
    sides_of,
)
from evalmark.stats.effect_sizes import EffectSize, effect_size
from evalmark.validator.formats.suites.formula.formula_syntax import unparse


@dataclass(frozen=True, slots=True)
class Effect:
    """A comparison of a prediction and its margins over items.

    Attributes:
        prediction: The label of the prediction.
        comparison: The comparison, as a formula.
        size: The mean margin (bits) and its tests; those of ``=`` are None.
        kind: ``difference``, ``interaction`` or ``equality``.
    """

    prediction: str
    comparison: str
    size: EffectSize
    kind: str


def effects_of(suite: SuiteView) -> Iterator[Effect]:
    """The comparisons of a suite; items with an undefined or infinite margin do not count."""
    values = [region_values(item) for item in suite.items]
    for label, tree in enumerate(compared(suite).trees, 1):
        for comparison in comparisons(tree) if tree is not None else ():
            try:
                margins = [margin(comparison.operator, sides_of(comparison, of)) for of in values]
            except TypeError:  # not a comparison of numbers: the folder may come from elsewhere
                continue
            defined = [value for value in margins if value is not None and math.isfinite(value)]
            kind = kind_of(comparison)
            size = effect_size(defined, is_directed=kind != EQUALITY)
            if size is not None:
                yield Effect(str(label), unparse(comparison), size, kind)


def effect_table(suite: SuiteView, caption: str) -> str:
    """HTML with a row for each comparison; empty if there is none."""
    rows = "".join(map(_row, effects_of(suite)))
    if not rows:
        return ""
    heads = "".join(
        f"<th scope=col{' class=number' if place > 1 else ''}>{name}"
        for place, name in enumerate(
            ("prediction", "comparison", "mean margin", "95 % interval", "t", "p (t test)",
             "p (sign flips)", "items")
        )
    )  # fmt: skip
    title = f"<caption>{escape(caption)}</caption>"
    return f"<table class=effects>{title}<thead><tr>{heads}</thead><tbody>{rows}</table>"


def _row(effect: Effect) -> str:
    size = effect.size
    low_high = "" if size.interval is None else " to ".join(map(bits, size.interval))
    tests = (
        "" if size.t is None else f"{size.t:.2f}",
        "" if size.t_test is None else _p(size.t_test),
        "" if size.sign_flip is None else _p(size.sign_flip.value),
    )
    cells = (bits(size.mean), low_high, *tests, str(size.items))
    numbers = "".join(f"<td class=number>{cell}" for cell in cells)
    kind = f" ({INTERACTION})" if effect.kind == INTERACTION else ""
    name = f"<th scope=row>{effect.prediction}<td>{formula_code(effect.comparison)}{kind}"
    return f"<tr>{name}{numbers}"


def _p(value: float) -> str:
    return "&lt; 0.0001" if value < 1e-4 else f"{value:.{4 if value < 0.1 else 2}f}"
