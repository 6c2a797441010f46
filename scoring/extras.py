"""Packages that the base installation does not have."""

from __future__ import annotations

from evalmark.schemas.errors import ScoringError


def not_installed(package: str | None, extra: str) -> ScoringError:
    """The error for a missing package; it says how to install it."""
    return ScoringError(
        f"{package or 'a package'} is not installed: pip install 'evalmark[{extra}]' "
        f"(in a clone: pip install '.[{extra}]')"
    )
