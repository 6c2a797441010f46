"""Settings of the user for all folders: environment variables, and a configuration of their own.

It is ``evalmark/config.toml`` in the user's folder of configurations. It holds what no folder may
decide; see ``evalmark.validator.settings.trust``. The tables of settings of folders are read in the
same way.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from evalmark.schemas.errors import ConfigError, UnknownNameError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.settings.trust import SETTINGS, TRUST


def toml_data(raw: bytes, path: str) -> dict[str, Any]:
    """The data of a TOML file; ConfigError if it is none, or has too many levels or digits."""
    import tomllib  # most folders have no settings

    try:
        return tomllib.loads(raw.decode("utf-8"))
    except RecursionError:
        raise ConfigError(f"{path}: nested too deep") from None
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None


def rule_codes(words: Iterable[str]) -> tuple[str, ...]:
    """The codes of rules given by code, name or ``ALL``; an UnknownNameError for another one."""
    codes: list[str] = []
    for word in words:
        from evalmark.validator.formats.rule_registry import (  # loads all rules
            all_rules,
            find_rules,
            retired,
        )

        matches = list(all_rules().values()) if word.upper() == "ALL" else find_rules(word)
        if not matches:
            rules = all_rules().values()
            names = dict.fromkeys(name for rule in rules for name in (rule.code, rule.name))
            listing = "evalmark explain"
            raise UnknownNameError("rule", word, tuple(names), listing, retired=retired(word))
        codes += (rule.code for rule in matches)
    return tuple(codes)


class Table:
    """A table of the settings, whose values are checked when they are asked for."""

    def __init__(self, data: Any, path: str, keys: tuple[str, ...], name: str = "") -> None:
        self.data, self.path, self.name = data, path, name
        if not isinstance(data, dict):
            raise self.wrong(f"`{name or 'tool.evalmark'}` must be a table")
        for key in data:
            if key not in keys:
                setting = f"{name}.{key}" if name else key
                raise self.wrong(f"unknown setting `{setting}`; known are {', '.join(keys)}")

    def wrong(self, message: str) -> ConfigError:
        """An error that names the file."""
        return ConfigError(f"{self.path}: {message}")

    def table(self, key: str, keys: tuple[str, ...]) -> Table:
        """A table inside of this one; an empty one if it is absent."""
        return Table(self.data.get(key, {}), self.path, keys, key)

    def tables(self, key: str, keys: tuple[str, ...]) -> list[Table]:
        """A list of tables; an empty one if it is absent."""
        entries = self.data.get(key, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise self.wrong(f"`{key}` must be a list of tables")
        return [Table(entry, self.path, keys, key) for entry in entries]

    def glob(self, key: str) -> str:
        """A setting that an entry must have."""
        value = self.data.get(key)
        if not isinstance(value, str) or not value:
            raise self.wrong(f"an entry of `{self.name}` needs `{key}`, a glob")
        return self._with_slashes(key, value) if key == "files" else value

    def globs(self, key: str) -> tuple[str, ...]:
        """A list of globs of files."""
        return tuple(self._with_slashes(key, value) for value in self.strings(key))

    def _with_slashes(self, key: str, value: str) -> str:
        """A glob of files, which has to name the same ones on every system."""
        if "\\" in value.partition("#")[0]:
            raise self.wrong(f"`{key}` needs / between folders, not \\")
        return value

    def text(self, key: str) -> str | None:
        """A string, if the setting is there."""
        value = self.data.get(key)
        if value is not None and not isinstance(value, str):
            raise self.wrong(f"`{key}` must be a string")
        return value

    def has(self, key: str) -> bool:
        """True if a setting is there."""
        return key in self.data

    def strings(self, key: str) -> tuple[str, ...]:
        """A list of strings."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise self.wrong(f"`{key}` must be a list of strings")
        return tuple(value)

    def codes(self, key: str) -> tuple[str, ...]:
        """A list of codes or names of rules, as codes."""
        try:
            return rule_codes(self.strings(key))
        except UnknownNameError as error:
            raise self.wrong(f"`{key}`: {error}") from None

    def choice(self, key: str, *allowed: str) -> str:
        """One of several strings; the first if the setting is absent."""
        value = self.data.get(key, allowed[0])
        if value not in allowed:
            raise self.wrong(f"`{key}` must be one of {', '.join(allowed)}")
        return str(value)

    def optional(self, key: str, allowed: tuple[str, ...]) -> str | None:
        """One of several strings, if the setting is there."""
        return self.choice(key, *allowed) if self.has(key) else None

    def number(self, key: str, default: float, *, least: float) -> float:
        """A number that is not too small."""
        value = self.data.get(key, default)
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not least <= value < math.inf
        ):
            raise self.wrong(f"`{key}` must be a number of at least {least}")
        return value


#: The table of hosts and of the variables that hold their keys.
KEYS = "keys"
#: Setting -> the environment variables that give it.
VARIABLES = {
    name: entry.variables
    for entry in TRUST
    if entry.source == SETTINGS and entry.of_user
    for name in entry.names
}
#: Purpose -> the variable that names the folder; its usual places on macOS and elsewhere.
_FOLDERS = {
    "config": ("XDG_CONFIG_HOME", "Application Support", ".config"),
    "cache": ("XDG_CACHE_HOME", "Caches", ".cache"),
}


class UserConfig(NamedTuple):
    """The settings of the user for all folders."""

    values: Mapping[str, str] = MappingProxyType({})  # setting -> its value
    #: Host -> the environment variable that holds its key.
    keys: Mapping[str, str] = MappingProxyType({})


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
    """The user's configuration, or a ConfigError; environment variables come before the file."""
    values, keys = _of_file(user_folder("config"))
    stated = {
        setting: value
        for setting, names in VARIABLES.items()
        if (value := next(filter(None, map(os.environ.get, names)), None))
    }
    if {"memory.judge", "memory.judge-url"} & stated.keys():  # a judge is one thing
        values = {name: values[name] for name in values if not name.startswith("memory.")}
    return UserConfig({**values, **stated}, keys)


def _of_file(folder: str | None) -> tuple[dict[str, str], Mapping[str, str]]:
    if folder is None:
        return {}, {}
    path = os.path.join(folder, "config.toml")
    try:
        raw = read_whole(path)
    except (FileNotFoundError, NotADirectoryError):
        return {}, {}
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    data = toml_data(raw, path)
    names_by_table: dict[str, list[str]] = {}
    for name in VARIABLES:
        table, _, key = name.partition(".")
        names_by_table.setdefault(table, []).append(key)
    whole = Table(data, path, (*names_by_table, KEYS))
    values = {
        f"{table}.{key}": _with_absolute_path(f"{table}.{key}", value, path)
        for table, names in names_by_table.items()
        for key in names
        if (value := whole.table(table, tuple(names)).text(key)) is not None
    }
    return values, _keys_of_hosts(whole)


def _keys_of_hosts(table: Table) -> dict[str, str]:
    keys = table.data.get(KEYS, {})
    if not isinstance(keys, dict) or not all(isinstance(value, str) for value in keys.values()):
        raise table.wrong(f'`{KEYS}` must be a table of hosts: "host" = "NAME_OF_A_VARIABLE"')
    return {host.lower(): variable for host, variable in keys.items()}


def _with_absolute_path(setting: str, value: str, path: str) -> str:
    """A value as it is used in any folder: no path depends on the current one."""
    folder = os.path.dirname(path)
    is_file = value.rpartition(":")[0].endswith(".py") or value.endswith(".json")
    if setting == "memory.judge" and (is_file or value.startswith((".", "~"))):
        return os.path.join(folder, os.path.expanduser(value))
    return value
