"""Settings of a repository: ``evalmark.toml``, or ``[tool.evalmark]`` in ``pyproject.toml``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from evalmark.schemas.errors import ConfigError, UnknownNameError
from evalmark.validator.asked import rule_codes
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.views.sentences import JOINS

#: Table of the configuration -> its settings; the empty name is that of the whole.
SETTINGS: dict[str, tuple[str, ...]] = {
    "": ("select", "ignore", "per-file-ignores", "fail-on", "exclude", "join"),
    "record": ("organization", "relationship", "collection"),
    "score": ("strategy", "pack-tokens", "batch-tokens"),
    "converse": ("judge", "judge-url"),
    "ray": ("address", "cpus-per-model", "gpus-per-model"),
}
#: How the publisher of a record may be related to the developer of the model.
RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")


class FileIgnore(NamedTuple):
    """Rules that are ignored in some files, or at some places of them."""

    files: str  # a glob of paths
    pointer: str  # only findings at or below this JSON pointer; empty for the whole file
    codes: frozenset[str]
    reason: str


class RayConfig(NamedTuple):
    """Where a Ray cluster is, and how it is shared."""

    address: str | None = None  # None for a cluster of this machine
    cpus_per_model: float = 1  # processors for each model that is scored
    gpus_per_model: float = 0  # with 0.5 two models share one


class Config(NamedTuple):
    """What a repository has decided."""

    select: tuple[str, ...] = ()  # codes of optional rules to enable
    ignore: tuple[str, ...] = ()  # codes of rules to ignore
    per_file_ignores: tuple[FileIgnore, ...] = ()
    fail_on: str = "error"  # the least severity that makes a check fail, or "never"
    exclude: tuple[str, ...] = ()  # globs of paths to skip in folders and under the hook
    join: str = "core"  # how regions become sentences
    #: Who publishes the records written here, and the relationship to the developers of models.
    organization: str | None = None
    relationship: str | None = None
    #: The first part of the `evaluation_id` of these records; the names of the suites if unset.
    collection: str | None = None
    #: How scoring is done: `strategy`, `pack_tokens`, `batch_tokens`, where set.
    score: Mapping[str, Any] = MappingProxyType({})
    judge: str | None = None  # the model that judges conversations
    judge_url: str | None = None  # its endpoint
    ray: RayConfig = RayConfig()


def load_config(folder: str = ".") -> Config:
    """The configuration of a folder: its own, or that of a parent folder.

    Raises:
        ConfigError: It cannot be used.
    """
    here = os.path.abspath(folder)
    while True:
        for name in ("evalmark.toml", "pyproject.toml"):
            path = os.path.join(here, name)
            try:
                raw = read_whole(path)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                if name == "pyproject.toml":
                    continue  # it need not have settings for evalmark
                raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
            # Most pyproject files have no settings for evalmark; tomllib is then not loaded.
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
    data = document if own_file else document.get("tool", {}).get("evalmark", {})
    table = _Table(data, path, (*SETTINGS[""], *filter(None, SETTINGS)))
    record, ray, converse = map(table.table, ("record", "ray", "converse"))
    return Config(
        select=table.codes("select"),
        ignore=table.codes("ignore"),
        per_file_ignores=_file_ignores(table),
        fail_on=table.choice("fail-on", "error", "warning", "never"),
        exclude=table.strings("exclude"),
        join=table.choice("join", *JOINS),
        organization=record.text("organization"),
        relationship=record.optional("relationship", RELATIONSHIPS),
        collection=record.text("collection"),
        score=_score(table.table("score")),
        judge=converse.text("judge"),
        judge_url=converse.text("judge-url"),
        ray=RayConfig(
            address=ray.text("address"),
            cpus_per_model=ray.number("cpus-per-model", 1, least=0.1),
            gpus_per_model=ray.number("gpus-per-model", 0, least=0),
        ),
    )


class _Table:
    """A table of the file, whose values are checked when they are asked for."""

    def __init__(self, data: Any, path: str, known: tuple[str, ...], name: str = "") -> None:
        self.data, self.path = data, path
        if not isinstance(data, dict):
            raise self.wrong(f"`{name or 'tool.evalmark'}` must be a table")
        for key in data:
            if key not in known:
                setting = f"{name}.{key}" if name else key
                raise self.wrong(f"unknown setting `{setting}`; known are {', '.join(known)}")

    def wrong(self, message: str) -> ConfigError:
        return ConfigError(f"{self.path}: {message}")

    def table(self, key: str) -> _Table:
        return _Table(self.data.get(key, {}), self.path, SETTINGS[key], key)

    def text(self, key: str) -> str | None:
        value = self.data.get(key)
        if value is not None and not isinstance(value, str):
            raise self.wrong(f"`{key}` must be a string")
        return value

    def has(self, key: str) -> bool:
        return key in self.data

    def strings(self, key: str) -> tuple[str, ...]:
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise self.wrong(f"`{key}` must be a list of strings")
        return tuple(value)

    def codes(self, key: str) -> tuple[str, ...]:
        try:
            return rule_codes(self.strings(key))
        except UnknownNameError as error:
            raise self.wrong(f"`{key}`: {error}") from None

    def choice(self, key: str, *allowed: str) -> str:
        value = self.data.get(key, allowed[0])
        if value not in allowed:
            raise self.wrong(f"`{key}` must be one of {', '.join(allowed)}")
        return str(value)

    def optional(self, key: str, allowed: tuple[str, ...]) -> str | None:
        return self.choice(key, *allowed) if self.has(key) else None

    def number(self, key: str, default: float, *, least: float) -> float:
        value = self.data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or value < least:
            raise self.wrong(f"`{key}` must be a number of at least {least}")
        return value


def _score(table: _Table) -> dict[str, Any]:
    found: dict[str, Any] = {
        key.replace("-", "_"): int(table.number(key, 1, least=1))
        for key in ("pack-tokens", "batch-tokens")
        if table.has(key)
    }
    if table.has("strategy"):
        found["strategy"] = table.choice("strategy", "packed", "padded")
    return found


def _file_ignores(table: _Table) -> tuple[FileIgnore, ...]:
    entries = table.data.get("per-file-ignores", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise table.wrong("`per-file-ignores` must be a list of tables")
    ignores = []
    for entry in entries:
        one = _Table(entry, table.path, ("files", "rules", "reason"), "per-file-ignores")
        files, reason = entry.get("files"), entry.get("reason")
        if not isinstance(files, str) or not files:
            raise table.wrong("an entry of `per-file-ignores` needs `files`, a glob")
        if not isinstance(reason, str) or not reason.strip():
            raise table.wrong(f"the ignore of {files} needs a `reason`")
        glob, _, pointer = files.partition("#")
        ignores.append(FileIgnore(glob, pointer, frozenset(one.codes("rules")), reason))
    return tuple(ignores)
