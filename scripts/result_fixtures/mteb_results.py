"""Results of MTEB: its baseline of random vectors on two of its own small tasks.

python mteb_results.py FOLDER
"""

from __future__ import annotations

import sys

import mteb
from mteb.cache import ResultCache
from mteb.mocks.mock_tasks import MockMultilingualSTSTask, MockSTSTask


def main(folder: str) -> None:
    mteb.evaluate(
        mteb.get_model("mteb/baseline-random-encoder"),
        tasks=[MockSTSTask(), MockMultilingualSTSTask()],
        cache=ResultCache(folder),
        co2_tracker=False,
    )


if __name__ == "__main__":
    main(sys.argv[1])
