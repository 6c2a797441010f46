"""Why a suite cannot be scored."""

from __future__ import annotations


class ScoringError(ValueError):
    """The job cannot be done as asked; the message says what to do."""


class UndefinedValue(ScoringError):  # noqa: N818 - the noun says what it is
    """A prediction needs a region value that is not defined."""


class SurprisalFileError(ScoringError):
    """A file of surprisals does not fit the sentences; the message names the line."""
