"""The version of records that a call writes."""

from __future__ import annotations

from evalmark.schemas.versions import DEFAULT_WRITTEN, GATES
from evalmark.validator.settings.config import Config


def chosen_version(option: str | None, config: Config, default: str = DEFAULT_WRITTEN) -> str:
    """The version to write: of the option, of the settings, of the gate in them, or the default."""
    gate = GATES[config.profile] if config.profile else None
    return option or config.record_version or gate or default
