"""Runs of memory tests, as a comparison reads them in records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from evalmark.converters.records.run import Run
from evalmark.scoring.comparison.compared_run import RunKind, Words

#: Setting of a record: the tests without a score, by the reason.
LEFT_OUT = "left_out"
#: Metadata of the samples of temporal tests: the digest of the definition.
DEFINITION = "definition_sha256"
#: Name of the result over all datasets.
OVERALL = "Overall score"


def _left_out(run: Run) -> dict[str, str]:
    """The tests of a run that have no score, and why."""
    left_out = json.loads(run.settings.get(LEFT_OUT, "{}"))
    return {name: key.replace("_", " ") for key, names in left_out.items() for name in names}


def _is_overall(result: Mapping[str, Any]) -> bool:
    return result.get("evaluation_name") == OVERALL


TESTS = RunKind(
    Words("dataset", "datasets", "test", "tests"),
    _is_overall,
    is_total=_is_overall,
    # The question of a temporal test depends on the clock of the run.
    text=lambda metadata: metadata.get(DEFINITION),
    left_out=_left_out,
)
