"""What goes wrong in a conversation."""

from __future__ import annotations

from .._errors import ScoringError


class AgentError(ScoringError):
    """An agent did not answer; the message holds no key."""


class NotJudged(Exception):  # noqa: N818 - no error: nobody was there to judge
    """A test needs a judge, and the run has none."""
