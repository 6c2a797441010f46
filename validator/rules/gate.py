"""Would the gate of Every Eval Ever accept a record? What it asks for beyond the format.

The gate is ``every_eval_ever validate`` 0.3.0: models of its own that read every record as one of
0.3.0, and five registered checks. It never looks at the JSON schema.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.views.record import RecordView


def gate_null_bounds(record: RecordView) -> Iterator[Hit]:
    """EEE's gate wants numbers for the bounds of a continuous score.

    The format allows `null` for a bound that is not known, the gate does not.

    Bad: `"score_type": "continuous", "max_score": null`
    Good: `"max_score": "Infinity"`
    """
    for result in record.results:
        if result.get("score_type") != "continuous":
            continue
        for field in ("low", "high"):
            if result.has(field) and result.get(field) is None:
                yield Hit(
                    f"EEE's gate refuses a continuous score whose `{result.key(field)}` is null",
                    At(result.at(field)),
                    helps=('write the number, or "Infinity" or "-Infinity"',),
                )
