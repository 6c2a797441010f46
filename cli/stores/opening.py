"""The store that a command is about."""

from __future__ import annotations

from pathlib import Path

from evalmark.cli.settings import settings
from evalmark.leaderboard.open_store import Store


def opened(folder: Path) -> Store:
    """A store with the aliases of the settings."""
    return Store(folder, further_aliases())


def further_aliases() -> tuple[Path, ...]:
    """The files of aliases besides those of the stores."""
    aliases = settings().aliases
    return () if aliases is None else (Path(aliases),)
