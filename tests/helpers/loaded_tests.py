"""The tests that targets name, without their sources, and runs by a clock of the test."""

from unittest.mock import patch

from evalmark.memory.datasets.dataset_registry import load_sources
from evalmark.memory.running.conversation import converse


def load_tests(targets, choice):
    """The tests, and notes on what was skipped."""
    sources, notes = load_sources(targets, choice)
    return [test for tests in sources.values() for test in tests], notes


def converse_by(clock, *args, **rest):
    """``converse`` with a clock."""
    with patch("evalmark.memory.running.conversation.clock_of_run", lambda: clock):
        return converse(*args, **rest)
