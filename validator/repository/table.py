"""A table of the settings."""

from __future__ import annotations

import math
from typing import Any

from evalmark.schemas.errors import ConfigError, UnknownNameError
from evalmark.validator.arguments import rule_codes


def toml_data(raw: bytes, path: str) -> dict[str, Any]:
    """The data of a TOML file.

    Raises:
        ConfigError: It is not TOML, or it has more levels or digits than can be read.
    """
    import tomllib  # most folders have no settings

    try:
        return tomllib.loads(raw.decode("utf-8"))
    except RecursionError:
        raise ConfigError(f"{path}: nested too deep") from None
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None


class Table:
    """A table of the settings, whose values are checked when they are asked for."""

    def __init__(self, data: Any, path: str, known: tuple[str, ...], name: str = "") -> None:
        self.data, self.path, self.name = data, path, name
        if not isinstance(data, dict):
            raise self.wrong(f"`{name or 'tool.evalmark'}` must be a table")
        for key in data:
            if key not in known:
                setting = f"{name}.{key}" if name else key
                raise self.wrong(f"unknown setting `{setting}`; known are {', '.join(known)}")

    def wrong(self, message: str) -> ConfigError:
        """An error that names the file."""
        return ConfigError(f"{self.path}: {message}")

    def table(self, key: str, known: tuple[str, ...]) -> Table:
        """A table inside of this one; an empty one if it is absent."""
        return Table(self.data.get(key, {}), self.path, known, key)

    def tables(self, key: str, known: tuple[str, ...]) -> list[Table]:
        """A list of tables; an empty one if it is absent."""
        entries = self.data.get(key, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise self.wrong(f"`{key}` must be a list of tables")
        return [Table(entry, self.path, known, key) for entry in entries]

    def glob(self, key: str) -> str:
        """A setting that an entry must have."""
        value = self.data.get(key)
        if not isinstance(value, str) or not value:
            raise self.wrong(f"an entry of `{self.name}` needs `{key}`, a glob")
        return value

    def text(self, key: str) -> str | None:
        """A string, if the setting is there."""
        value = self.data.get(key)
        if value is not None and not isinstance(value, str):
            raise self.wrong(f"`{key}` must be a string")
        return value

    def has(self, key: str) -> bool:
        """Whether a setting is there."""
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
