"""Would the gate of Every Eval Ever accept a record? What it asks for beyond the format.

The gate is ``every_eval_ever validate`` 0.3.0: models of its own that read every record as one of
0.3.0, and five registered checks. It never looks at the JSON schema.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.views.record import RecordFacts


def gate_null_bounds(facts: RecordFacts) -> Iterator[Hit]:
    """EEE's gate wants numbers for the bounds of a continuous score.

    The format allows `null` for a bound that is not known, the gate does not.

    Bad: `"score_type": "continuous", "max_score": null`
    Good: `"max_score": "Infinity"`
    """
    for result in facts.results:
        if result.metric.get("score_type") != "continuous":
            continue
        for key in ("min_score", "max_score"):
            if key in result.metric and result.metric[key] is None:
                yield Hit(
                    f"EEE's gate refuses a continuous score whose `{key}` is null",
                    At(f"{result.pointer}/metric_config/{key}"),
                    helps=('write the number, or "Infinity" or "-Infinity"',),
                )
