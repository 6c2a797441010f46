"""The store that a call means, and the names in it."""

from __future__ import annotations

from contextlib import redirect_stderr, suppress
from io import StringIO
from pathlib import Path

from evalmark.cli.settings import settings
from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions.name_lookup import completable_names
from evalmark.schemas.errors import UsageError
from evalmark.validator.settings.config import load_config


def opened(folder: Path) -> Store:
    """A store with the aliases of the settings."""
    aliases = settings().aliases
    return Store(folder, () if aliases is None else (Path(aliases),))


def the_store(named: Path | None) -> Store:
    """The store that a user means.

    Raises:
        UsageError: None is named, nor does the configuration name one.
        ConfigError: The configuration cannot be used.
    """
    if named is None:
        config = load_config()
        if config.store is None:
            refused = {setting.setting: setting.line for setting in config.refused}
            missing = "no store is named: give its folder first, or set EVALMARK_STORE"
            raise UsageError(refused.get("store.path", missing))
        named = Path(config.store)
    return opened(named)


def names_in(folder: Path | None, entity: str) -> list[str]:
    """The models or benchmarks of a store that a shell can complete; none if it cannot be read.

    Args:
        folder: The store; that of the settings if None.
        entity: ``model`` or ``benchmark``.
    """
    # A prompt has no place for messages: the command that is being typed will show them.
    with suppress(Exception), redirect_stderr(StringIO()):
        return completable_names(the_store(folder).connect(), entity)
    return []
