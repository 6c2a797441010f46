"""The probability of a design that is too large for an exact number, from seeded draws."""

from __future__ import annotations

import hashlib
from collections import Counter
from fractions import Fraction
from math import sqrt
from typing import Any

from evalmark.schemas.errors import require
from evalmark.scoring.chance.designs import Design
from evalmark.scoring.chance.logic import Joint, Logic

#: Enough for a standard error of at most 0.001.
DRAWS = 250_000
BATCH = 5_000
#: Unknowns, inequalities and coefficients of a design; with more of them there are fewer draws.
MAX_SIZE = 1000
#: Far above any sum of draws.
LARGE = Fraction(10**100)


def simulated_probability(design: Design) -> tuple[Fraction, float]:
    """The share of draws for which a design holds, and its standard error.

    The draws are seeded with the design, so that equal designs have equal numbers and different
    ones independent errors.
    """
    require("numpy")
    import numpy as np

    digest = hashlib.sha256(repr(design).encode("ascii")).digest()
    random = np.random.default_rng(int.from_bytes(digest))
    # Unknowns with the same coefficients count only as a sum, which has a gamma distribution.
    counts = sorted(Counter(design.columns).items())
    size = len(counts) + len(design.constants)
    size += sum(coefficient != 0 for column, _ in counts for coefficient in column)
    draws = BATCH * max(1, DRAWS // BATCH * MAX_SIZE // max(size, MAX_SIZE))
    found = 0
    for _ in range(draws // BATCH):
        sums = [np.full(BATCH, _as_float(constant)) for constant in design.constants]
        for column, count in counts:
            drawn = random.standard_gamma(count, BATCH)
            for row, coefficient in enumerate(column):
                if coefficient:
                    sums[row] += coefficient * drawn
        found += int(_holds(design.logic, [total > 0 for total in sums]).sum())
    likely = (found + 1) / (draws + 2)  # never 0 or 1, where the error would be 0
    return Fraction(found, draws), sqrt(likely * (1 - likely) / draws)


def _as_float(constant: Fraction) -> float:
    """A constant; one that no sum of draws can reach if it is too large for a float."""
    return float(max(-LARGE, min(constant, LARGE)))


def _holds(logic: Logic, rows: list[Any]) -> Any:
    if not isinstance(logic, Joint):
        return rows[logic]
    parts = [_holds(part, rows) for part in logic.parts]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole & part if logic.operator == "&" else whole | part
    return whole
