"""The rules that schemas check: their codes and names."""

from __future__ import annotations

#: Number -> name of the rules of schemas for suites (SG), records (EE) and conversations (LT).
SHAPES = {
    "101": "missing-key",
    "112": "wrong-type",
    "113": "unknown-value",
    "114": "unknown-key",
    "115": "too-short",
    "116": "out-of-range",
    "117": "wrong-form",
    "119": "schema-mismatch",
}
#: Code -> name of those of records only.
RECORD_SHAPES = {
    "EE102": "wrong-version",
    "EE103": "unfit-old-record",
    "EE111": "unknown-source-type",
    "EE131": "levels-need-names",
    "EE132": "bounds-missing",
    "EE133": "interaction-needs",
}
