"""What Every Eval Ever's validator still refuses in a record that has been converted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from evalmark.converters.step import Object
from evalmark.validator.findings.finding import Severity
from evalmark.validator.formats.records.gate.gate import contents_refused
from evalmark.validator.formats.records.gate.gate_files import VERSION
from evalmark.validator.formats.records.gate.refusal import Refusal

#: The format of the records that the validator reads.
READ = f"record-{VERSION}"
#: Ends of pointers -> what is the matter, in words that are the same for all records.
_REASONS = {
    "/min_score": "bounds are null or not numbers",
    "/max_score": "bounds are null or not numbers",
    "/score_details/score": "scores are outside their bounds or not numbers",
}


def remaining_refusals(record: Object) -> Mapping[str, int]:
    """The reasons to refuse the contents of a record, and how many of its values have each.

    Where it lies and which samples are next to it is not looked at.
    """
    places: dict[str, set[str | None]] = {}
    for refusal in contents_refused(record):
        if refusal.severity is Severity.ERROR:
            places.setdefault(_reason(refusal), set()).add(refusal.pointer)
    return Counter({reason: len(pointers) for reason, pointers in places.items()})


def _reason(refusal: Refusal) -> str:
    pointer = refusal.pointer or ""
    return next((why for end, why in _REASONS.items() if pointer.endswith(end)), refusal.message)
