"""The tests that targets name, without their sources."""

from __future__ import annotations

from evalmark.memory.datasets.dataset_registry import load_sources


def load_tests(targets, choice):
    """The tests, and notes on what was skipped."""
    sources, notes = load_sources(targets, choice)
    return [test for tests in sources.values() for test in tests], notes
