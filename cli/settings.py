"""The settings of a call."""

from __future__ import annotations

from evalmark.schemas.errors import UsageError
from evalmark.validator.io.terminal import print_note
from evalmark.validator.settings.check_options import RAY
from evalmark.validator.settings.config import Config, load_config


def settings_for(jobs: str | None) -> Config:
    """The settings of a call with ``--jobs``; see ``settings``."""
    return settings(*(["ray.address"] if jobs == RAY else []))


def settings(*required: str) -> Config:
    """The settings; each that is not for a folder to decide is a line on stderr.

    Args:
        required: Settings that the command needs, since nothing else gives them.

    Raises:
        ConfigError: They cannot be used.
        UsageError: A setting is not used, and the command needs it.
    """
    config = load_config()
    for refused in config.refused:
        if refused.setting not in required:
            print_note(f"note: {refused.line}")
    for refused in config.refused:
        if refused.setting in required:
            raise UsageError(refused.line)
    return config
