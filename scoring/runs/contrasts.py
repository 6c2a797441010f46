"""Contrasts: a difference of regions in each item of a finished run, and its mean over items."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evalmark.schemas.errors import FormulaSyntaxError, ScoringError
from evalmark.scoring.runs.run_files import reading_folder, region_rows
from evalmark.scoring.score_settings import require_known
from evalmark.scoring.suites.effects import EQUALITY, kind_of, margin, sides_of
from evalmark.scoring.suites.predictions import RegionValues
from evalmark.stats.effect_sizes import EffectSize, effect_size
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Logic,
    Node,
    Number,
    read,
    references,
    unparse,
    walk,
)


@dataclass(frozen=True, slots=True)
class Contrast:
    """A contrast of regions in the items of a suite.

    Attributes:
        suite: The name of the suite.
        formula: The comparison whose margin is the contrast.
        kind: ``interaction`` for the interaction of a 2 × 2 design, else ``difference``.
        margins: Number of the item -> the contrast in bits; None if a value is undefined.
        size: The mean over items (bits) with its interval and tests; None without a defined margin.
    """

    suite: str
    formula: str
    kind: str
    margins: Mapping[int, float | None]
    size: EffectSize | None

    def __str__(self) -> str:
        """One line: kind, mean, interval and p values."""
        size, text = self.size, f"{self.kind} in {self.suite}:"
        if size is None:
            return f"{text} undefined in every item"
        parts = [f"mean {size.mean:.2f} bits"]
        if size.interval is not None:
            low, high = size.interval
            parts.append(f"95 % interval {low:.2f} to {high:.2f}")
        if size.t is not None:
            parts.append(f"t({size.items - 1}) = {size.t:.2f}, p = {size.t_test:.3g}")
        if size.sign_flip is not None:
            parts.append(f"p of sign flips = {size.sign_flip.value:.3g}")
        return f"{text} {', '.join(parts)}, {size.items} items"


def contrast_in(folder: Path, formula: str, suite: str | None, *, is_whole: bool) -> Contrast:
    """The contrast of a formula in a run; see ``FinishedRun.contrast``.

    ``is_whole`` says that all regions were computed, so that ``*`` is known.
    """
    comparison = _comparison(formula)
    places = {(part.condition, part.region) for part in references(comparison)}
    if not is_whole and any(region is None for _, region in places):
        raise ScoringError(f"{folder} has predicted regions only: * is not known there")
    suites = _values(folder)
    if suite is not None:
        require_known("suite", suite, tuple(suites))
        suites = {suite: suites[suite]}
    fitting = {
        name: items
        for name, items in suites.items()
        if places <= {place for of in items.values() for place in of}
    }
    if not fitting:
        raise ScoringError(f"{folder} has no suite with the regions of {formula}{_known(suites)}")
    if len(fitting) > 1:
        names = ", ".join(map(repr, fitting))
        raise ScoringError(f"{len(fitting)} suites have these regions, name one: {names}")
    ((name, items),) = fitting.items()
    margins = {
        number: margin(comparison.operator, sides_of(comparison, values))
        for number, values in items.items()
    }
    defined = [bits for bits in margins.values() if bits is not None and math.isfinite(bits)]
    size = effect_size(defined)
    return Contrast(name, unparse(comparison), kind_of(comparison), margins, size)


def _known(suites: Mapping[str, Mapping[int, RegionValues]]) -> str:
    """The conditions and regions of a suite in words, if there is one suite."""
    if len(suites) != 1:
        return ""
    (items,) = suites.values()
    places = {place for values in items.values() for place in values}
    conditions = ", ".join(f"%{name}%" for name in sorted({name for name, _ in places}))
    regions = ", ".join(map(str, sorted({number for _, number in places if number is not None})))
    return f": it has the conditions {conditions} and the regions {regions}"


def _comparison(formula: str) -> Comparison:
    """A formula as a comparison; a sum is compared with 0."""
    if not isinstance(formula, str):  # as a notebook may pass
        raise ScoringError(f"a formula is a text, not {formula!r}")
    try:
        tree: Node = read(formula).tree
    except FormulaSyntaxError as error:
        raise ScoringError(f"{formula!r} is not a formula: {error}") from error
    if not isinstance(tree, Comparison):
        tree = Comparison(">", tree, Number(0.0))
    inner = [*walk(tree.left), *walk(tree.right)]
    is_sum = not any(isinstance(part, Comparison | Logic) for part in inner)
    if kind_of(tree) == EQUALITY or not is_sum or not [*references(tree)]:
        raise ScoringError(
            f"{formula!r} is not a difference of regions, nor one compared by < or >"
        )
    return tree


def _values(folder: Path) -> dict[str, dict[int, RegionValues]]:
    """Suite -> item -> condition and region -> bits; the sum of all regions is under None."""
    values: dict[str, dict[int, dict[tuple[str, int | None], float | None]]] = {}
    with reading_folder(folder):
        for row in region_rows(folder):
            item = values.setdefault(row["suite"], {}).setdefault(int(row["item"]), {})
            bits = float(row["value"]) if row["value"] else None
            item[row["condition"], int(row["region"])] = bits
    for items in values.values():
        for item in items.values():
            for name in {condition for condition, _ in item}:
                parts = [bits for (of, _), bits in item.items() if of == name]
                whole = [bits for bits in parts if bits is not None]
                item[name, None] = math.fsum(whole) if len(whole) == len(parts) else None
    return {name: dict(items) for name, items in values.items()}
