"""The severity of a finding and the safety of a fix."""

from __future__ import annotations

from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"


class Safety(StrEnum):
    """Whether a fix changes the text a model reads, or a recorded number or time: then unsafe."""

    SAFE = "safe"
    UNSAFE = "unsafe"
