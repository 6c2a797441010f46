"""``--stats``: where the time of a call went."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from evalmark.validator.stages import measure_stages, taken_stages

if TYPE_CHECKING:
    from evalmark.cli.checking import Session

_STARTED = 0.0


def begin() -> None:
    """Measure from here on."""
    global _STARTED
    _STARTED = time.perf_counter()
    measure_stages(True)


def print_stats(session: Session) -> None:
    """Files, bytes, rates, and seconds by stage, on stderr."""
    took = max(time.perf_counter() - _STARTED, 1e-9)
    stages = dict(session.stages)
    for stage, seconds in taken_stages().items():
        stages[stage] = stages.get(stage, 0.0) + seconds
    megabytes = session.bytes / 1e6
    lines = [
        f"files    {session.files}, {session.files / took:.0f} a second",
        f"bytes    {megabytes:.1f} MB, {megabytes / took:.1f} MB a second",
        f"seconds  {took:.2f}; by stage, added up over all processes:",
        *(f"  {stage:8} {seconds:.2f}" for stage, seconds in stages.items()),
    ]
    sys.stderr.write("\n".join(lines) + "\n")
