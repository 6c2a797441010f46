"""The version of records that a call writes, and the one that a leaderboard's gate takes."""

from __future__ import annotations

from evalmark.schemas.versions import DEFAULT_WRITTEN, GATES
from evalmark.validator.config import Config


def chosen_version(option: str | None, config: Config, default: str = DEFAULT_WRITTEN) -> str:
    """The version to write: of the option, of the settings, of the gate in them, or the default."""
    gate = GATES[config.profile] if config.profile else None
    return option or config.record_version or gate or default


def version_line(version: str) -> str:
    """The line for the user on the version that was written."""
    taken = GATES["eee"]
    if version == taken:
        return f"the record has version {version}, which EEE's validator takes"
    setting = f'`version = "{taken}"` under `[record]` in evalmark.toml'
    return (
        f"the record has version {version}; EEE's validator takes {taken}: "
        f"use --record-version {taken}, or write {setting}"
    )
