"""What the user decides for all folders: environment variables, and a configuration of their own.

It is ``evalmark/config.toml`` in the user's folder of configurations. It holds what no folder may
decide; see ``evalmark.validator.trust``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from evalmark.schemas.errors import ConfigError
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.repository.table import Table, toml_data
from evalmark.validator.trust import SETTINGS, TRUST

#: The table of hosts and of the variables that hold their keys.
KEYS = "keys"
#: Setting -> the environment variables that give it.
VARIABLES = {
    name: entry.variables for entry in TRUST if entry.source == SETTINGS for name in entry.names
    if entry.of_user
}  # fmt: skip
#: Purpose -> the variable that names the folder; its usual places on macOS and elsewhere.
_FOLDERS = {
    "config": ("XDG_CONFIG_HOME", "Application Support", ".config"),
    "cache": ("XDG_CACHE_HOME", "Caches", ".cache"),
}
#: Settings that are paths, relative to the file that has them.
PATHS = ("store.path", "store.aliases")


class UserConfig(NamedTuple):
    """What the user decides for all folders.

    Attributes:
        values: Setting -> its value.
        keys: Host -> the environment variable that holds its key.
    """

    values: Mapping[str, str] = MappingProxyType({})
    keys: Mapping[str, str] = MappingProxyType({})


def user_config_path() -> str | None:
    """Where the user's configuration is, whether it exists or not; None if there is no place."""
    folder = user_folder("config")
    return None if folder is None else os.path.join(folder, "config.toml")


def user_folder(purpose: Literal["config", "cache"]) -> str | None:
    """The user's folder of evalmark for a purpose, whether it exists or not; None without a place.

    A relative path in the environment is ignored: it would lead into whatever folder is current.
    """
    variable, on_mac, usual = _FOLDERS[purpose]
    home = os.path.expanduser("~")
    places = {
        "darwin": os.path.join(home, "Library", on_mac),
        "win32": os.environ.get("LOCALAPPDATA", ""),
    }
    stated = os.environ.get(variable, "")
    folder = (
        stated if os.path.isabs(stated) else places.get(sys.platform, os.path.join(home, usual))
    )
    return os.path.join(folder, "evalmark") if os.path.isabs(folder) else None


def user_config() -> UserConfig:
    """The user's configuration; environment variables come before the file.

    Raises:
        ConfigError: The file cannot be used.
    """
    values, keys = _of_file(user_config_path())
    stated = {
        setting: value
        for setting, names in VARIABLES.items()
        if (value := next(filter(None, map(os.environ.get, names)), None))
    }
    if {"converse.judge", "converse.judge-url"} & stated.keys():  # a judge is one thing
        values = {name: values[name] for name in values if not name.startswith("converse.")}
    return UserConfig({**values, **stated}, keys)


def _of_file(path: str | None) -> tuple[dict[str, str], Mapping[str, str]]:
    """The settings of the file, and its keys; none if there is no file."""
    if path is None:
        return {}, {}
    try:
        raw = read_whole(path)
    except (FileNotFoundError, NotADirectoryError):
        return {}, {}
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    data = toml_data(raw, path)
    known: dict[str, list[str]] = {}
    for name in VARIABLES:
        table, _, key = name.partition(".")
        known.setdefault(table, []).append(key)
    whole = Table(data, path, (*known, KEYS))
    values = {
        f"{table}.{key}": _placed(f"{table}.{key}", value, path)
        for table, names in known.items()
        for key in names
        if (value := whole.table(table, tuple(names)).text(key)) is not None
    }
    keys = whole.data.get(KEYS, {})
    if not isinstance(keys, dict) or not all(isinstance(value, str) for value in keys.values()):
        raise whole.wrong(f'`{KEYS}` must be a table of hosts: "host" = "NAME_OF_A_VARIABLE"')
    return values, {host.lower(): variable for host, variable in keys.items()}


def _placed(setting: str, value: str, path: str) -> str:
    """A value as it is used in any folder: no path depends on the current one."""
    folder = os.path.dirname(path)
    if setting in PATHS:
        return os.path.join(folder, os.path.expanduser(value))
    is_file = value.rpartition(":")[0].endswith(".py") or value.endswith(".json")
    if setting == "converse.judge" and (is_file or value.startswith((".", "~"))):
        return os.path.join(folder, os.path.expanduser(value))
    return value
