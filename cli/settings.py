"""The settings of the current folder, and what commands say about those that are not used."""

from __future__ import annotations

from evalmark.schemas.errors import UsageError
from evalmark.validator.config import Config, load_config
from evalmark.validator.io.terminal import say


def settings(*needed: str) -> Config:
    """The settings; each that is not for a folder to decide is a line on stderr.

    Args:
        needed: Settings that the command needs, since nothing else gives them.

    Raises:
        ConfigError: They cannot be used.
        UsageError: A setting is not used, and the command needs it.
    """
    config = load_config()
    for refused in config.refused:
        if refused.setting not in needed:
            say(f"note: {refused.line}")
    for refused in config.refused:
        if refused.setting in needed:
            raise UsageError(refused.line)
    return config
