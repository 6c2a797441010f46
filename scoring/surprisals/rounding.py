"""Rounding: by how many bits it can move a difference of regions.

The surprisal of a token is off by up to 0.00002 bits in float32 and float64, 0.016 in float16 and
0.125 in bfloat16. These margins are above the largest error of the 7,232 tokens of the demo suites
under the demo model against float64, rounding of weights included: 0.000012, 0.013 and 0.20 (in
bfloat16, 99.9 % of errors are below 0.075). float64 has the margin of float32, since many models
compute norms in float32 anyway. Errors of other models can be larger.

Errors of different tokens are independent, so a sum of n of them is off by √n times as much:

- The mean of n tokens counts as 1/n, the maximum, minimum and median as one token, the range as
  two.
- The sum of no tokens and the range of one token are exactly 0.
- ``boundary`` ``corrected`` adds two to n for each region.
- Logits that are the model's own, in float16 or bfloat16, have four times the margin; quantized
  weights have at least that of float16.
- Recorded values have a margin of 0.0001 bits each; recorded ranges of 0 are exact.

A prediction is decided by rounding if its truth could change when each comparison in it moves by
its margin, unless the texts decide it. Records have the margin
(``rounding_margin``), and each sample whether rounding decided it (``decided_by_rounding``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalmark.scoring.models.protocols import ModelInfo

#: Dtype of a model -> bits by which the surprisal of a token can be off, if its logits are computed
#: in float32. Many models compute norms in float32 even if their weights are float64.
TOKEN = {"float64": 2e-5, "float32": 2e-5, "float16": 0.016, "bfloat16": 0.125}
#: The same -> half the step between its numbers above 1: by so much of itself a number is off.
UNIT = {"float64": 2**-24, "float32": 2**-24, "float16": 2**-11, "bfloat16": 2**-8}
#: Where the logits are those of the model, in float16 or bfloat16, these are off as well.
OWN_LOGITS = 4
#: Recorded values: what was not written down.
RECORDED = 1e-4


@dataclass(frozen=True, slots=True)
class Rounding:
    """The errors of values."""

    token: float = RECORDED  # bits by which the surprisal of a token can be off
    ends: int = 0  # further terms of a region: the boundary corrections at its two ends
    #: Whether values of 0 are exact, as recorded ranges are: those of one token.
    zero_is_exact: bool = False
    unit: float = 0.0  # by how much of itself a number of the model is off

    def parts(self, surprisals: Sequence[float | None], metric: str) -> float:
        """The square of a region's error, in tokens."""
        count = len(surprisals)
        if not count or (metric == "range" and count == 1):
            return 0  # the value is exactly 0, in every dtype
        if self.zero_is_exact and not any(surprisals):
            return 0
        return {"sum": count + self.ends, "mean": 1 / count, "range": 2}.get(metric, 1)

    def error(self, parts: Iterable[float]) -> float:
        """The error of a difference of regions, in bits."""
        return self.token * math.sqrt(math.fsum(parts))

    @property
    def text(self) -> str:
        """The margin that rounding decides, for a record."""
        return margin_text(self.token)


def margin_text(token: float) -> str:
    """The margin below which rounding decides, for people; ``token`` is that of one token."""
    return f"{token:g} bits × √(tokens compared)"


def rounding_of(info: ModelInfo, boundary: str) -> Rounding:
    """The errors of a model's values, for a choice of ``Settings.boundary``."""
    dtype = info.details.get("dtype", "float32")
    token, unit = (table.get(dtype, table["float32"]) for table in (TOKEN, UNIT))
    if "quantization" in info.details:  # matrices may be multiplied in float16
        token, unit = max(token, TOKEN["float16"]), max(unit, UNIT["float16"])
    if info.details.get("output_head", "").startswith(("float16", "bfloat16")):
        token, unit = token * OWN_LOGITS, unit * OWN_LOGITS
    return Rounding(token, 2 if boundary == "corrected" else 0, unit=unit)
