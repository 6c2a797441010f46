"""Why a conversion is refused."""

from __future__ import annotations


class ConversionError(ValueError):
    """The file cannot be converted exactly.

    Attributes:
        reason: Why.
        help: What would make it possible; may be empty.
    """

    def __init__(self, reason: str, help: str = "") -> None:  # noqa: A002
        super().__init__(f"{reason}; {help}" if help else reason)
        self.reason = reason
        self.help = help
