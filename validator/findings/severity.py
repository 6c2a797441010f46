"""How bad a finding is, and how safe a fix: what rules say before there is any finding."""

from __future__ import annotations

from enum import StrEnum


class Severity(StrEnum):
    """How much harm a finding does."""

    ERROR = "error"
    WARNING = "warning"


class Safety(StrEnum):
    """Whether a fix changes the text a model reads or a recorded number: then it is unsafe."""

    SAFE = "safe"
    UNSAFE = "unsafe"
