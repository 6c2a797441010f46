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

    ``required`` are settings that the command needs, since nothing else gives them: a UsageError if
    one is not used. Raises ConfigError if the settings cannot be used.
    """
    config = load_config()
    for refused in config.refused:
        if refused.setting not in required:
            print_note(f"note: {refused.line}")
    for refused in config.refused:
        if refused.setting in required:
            raise UsageError(refused.line)
    return config
