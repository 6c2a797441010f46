"""Settings of a repository: ``evalmark.toml``, or ``[tool.evalmark]`` in ``pyproject.toml``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = ("ignore", "fail-on", "exclude", "join", "record")
RECORD_KEYS = ("organization", "relationship")


class ConfigError(ValueError):
    """The configuration cannot be used; the message names the file and what is wrong."""


class Config(NamedTuple):
    """What a repository has decided.

    Attributes:
        ignore: Codes or names of rules that are not shown.
        fail_on: Least severity that makes a check fail: ``error`` or ``warning``.
        exclude: Globs of paths that are not checked in folders and under the hook.
        join: How regions become sentences.
        organization: Who stands behind records that are written here.
        relationship: How they are related to the makers of models.
    """

    ignore: tuple[str, ...] = ()
    fail_on: str = "error"
    exclude: tuple[str, ...] = ()
    join: str = "core"
    organization: str | None = None
    relationship: str | None = None


def load_config(folder: str = ".") -> Config:
    """The configuration that holds for a folder: its own, or that of a folder above.

    Raises:
        ConfigError: There is one, and it cannot be used.
    """
    here = os.path.abspath(folder)
    while True:
        for name in ("evalmark.toml", "pyproject.toml"):
            path = os.path.join(here, name)
            try:
                with open(path, "rb") as file:
                    raw = file.read()
            except OSError:
                continue
            # Most pyproject files say nothing of us: then tomllib need not be loaded.
            if name == "evalmark.toml" or b"tool.evalmark" in raw:
                return _read(raw, path, own_file=name == "evalmark.toml")
        above = os.path.dirname(here)
        if above == here or os.path.exists(os.path.join(here, ".git")):
            return Config()
        here = above


def _read(raw: bytes, path: str, *, own_file: bool) -> Config:
    import tomllib

    try:
        document = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    table = document if own_file else document.get("tool", {}).get("evalmark", {})
    _known(table, KEYS, path, "")
    record = table.get("record", {})
    if not isinstance(record, dict):
        raise ConfigError(f"{path}: `record` must be a table")
    _known(record, RECORD_KEYS, path, "record.")
    config = Config(
        ignore=_strings(table, "ignore", path),
        fail_on=_choice(table, "fail-on", ("error", "warning"), path),
        exclude=_strings(table, "exclude", path),
        join=_choice(table, "join", ("core", "hf", "brainscore"), path),
        organization=record.get("organization"),
        relationship=record.get("relationship"),
    )
    for word in config.ignore:
        from .rules._registry import find_rules

        if not find_rules(word):
            raise ConfigError(f"{path}: `ignore` names no rule: {word!r}")
    return config


def _known(table: Mapping[str, Any], known: tuple[str, ...], path: str, prefix: str) -> None:
    for key in table:
        if key not in known:
            raise ConfigError(
                f"{path}: unknown setting `{prefix}{key}`; known are {', '.join(known)}"
            )


def _strings(table: Mapping[str, Any], key: str, path: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise ConfigError(f"{path}: `{key}` must be a list of strings")
    return tuple(value)


def _choice(table: Mapping[str, Any], key: str, allowed: tuple[str, ...], path: str) -> str:
    value = table.get(key, allowed[0])
    if value not in allowed:
        raise ConfigError(f"{path}: `{key}` must be one of {', '.join(allowed)}")
    return str(value)
