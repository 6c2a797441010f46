"""The tests of a run in the order in which they run: those of files that were fixed come last.

A file that cannot be used does not stop the others. The log names it, so that the same command can
run its tests once it is fixed: after all others, whose replies are in the log already.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evalmark.conversations.interface.dataset_interface import TestExample
from evalmark.conversations.running.run_log import RunLog
from evalmark.schemas.errors import OtherRun

#: The event that begins a batch.
TESTS = "tests"


def batches(
    sources: Mapping[str, list[TestExample]], unused: Collection[str], log: RunLog
) -> Iterator[list[TestExample]]:
    """The tests of each batch; as the log says, as long as it does.

    Args:
        sources: The tests of each file, dataset and class.
        unused: The sources that cannot be used.
        log: The log of the run.

    Raises:
        OtherRun: The tests are not those of the log.
    """
    left: dict[str, list[TestExample]] = {}
    for source, tests in sources.items():
        left.setdefault(_key(source), []).extend(tests)
    broken = sorted({_key(source) for source in unused} - left.keys())
    named = {"without": broken} if broken else {}
    while any(left.values()):
        whole = digest_of([test for tests in left.values() for test in tests])
        new: dict[str, Any] = {"digest": whole, **named}
        event, _ = log.answered(TESTS, new.copy)
        without = set(event.get("without", ()))
        batch = [test for key, tests in left.items() if key not in without for test in tests]
        if digest_of(batch) != event["digest"]:
            also = f"; cannot be used any more: {', '.join(broken)}" if broken else ""
            raise OtherRun(f"cannot resume from {log.path}: the tests have changed{also}")
        yield batch
        left = {key: tests for key, tests in left.items() if key in without}


def digest_of(tests: Sequence[TestExample]) -> str:
    """A digest of all definitions: a log is never resumed with other tests."""
    content = [[test.unique_id, test.definition()] for test in tests]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _key(source: str) -> str:
    """A source as the log names it: a file with its folder, wherever that is."""
    path = Path(source)
    return f"{path.absolute().parent.name}/{path.name}" if path.exists() else source
