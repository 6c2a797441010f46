"""The demo model and the demo suite, which are installed with the package under one name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

#: The name of both; a file or folder of this name comes first where suites are named.
DEMO = "demo"
DEMO_FOLDER = Path(__file__).parent / "demo_model"
_SUITE = Path(__file__).parent / "demo_suite" / "demo.json"


def with_demo_suite(paths: Iterable[str]) -> list[str]:
    """Paths of suites and pairs, with the file of the demo suite for its name."""
    return [str(_SUITE) if path == DEMO and not Path(DEMO).exists() else path for path in paths]
