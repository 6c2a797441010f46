"""Settings of a repository: ``evalmark.toml``, or ``[tool.evalmark]`` in ``pyproject.toml``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evalmark.schemas.errors import ConfigError, UnknownNameError
from evalmark.validator.asked import rule_codes
from evalmark.validator.views.sentences import JOINS

KEYS = (
    "select", "ignore", "per-file-ignores", "fail-on", "exclude", "join", "record", "score", "ray",
)  # fmt: skip
RECORD_KEYS = ("organization", "relationship", "collection")
SCORE_KEYS = ("strategy", "pack-tokens", "batch-tokens")
RAY_KEYS = ("address", "cpus-per-model", "gpus-per-model")


@dataclass(frozen=True, slots=True)
class FileIgnore:
    """Rules that are ignored in some files, or at some places of them.

    Attributes:
        files: Glob of paths.
        pointer: Only findings at or below this JSON pointer; empty for the whole file.
        codes: Codes of the rules.
        reason: Why they are ignored.
    """

    files: str
    pointer: str
    codes: frozenset[str]
    reason: str


@dataclass(frozen=True, slots=True)
class RayConfig:
    """Where a Ray cluster is, and how it is shared.

    Attributes:
        address: Address of the cluster; None for one of this machine.
        cpus_per_model: Processors for each model that is scored.
        gpus_per_model: GPUs for each model; with 0.5 two models share one.
    """

    address: str | None = None
    cpus_per_model: float = 1
    gpus_per_model: float = 0


@dataclass(frozen=True, slots=True)
class Config:
    """What a repository has decided.

    Attributes:
        select: Codes of optional rules to enable.
        ignore: Codes of rules to ignore.
        per_file_ignores: Rules to ignore in some files.
        fail_on: Least severity that makes a check fail: ``error``, ``warning`` or ``never``.
        exclude: Globs of paths to skip in folders and under the hook.
        join: How regions become sentences.
        organization: Organization that publishes the records written here.
        relationship: Its relationship to the developers of models.
        collection: First part of the ``evaluation_id`` of records that are written here.
        score: How scoring is done: ``strategy``, ``pack_tokens``, ``batch_tokens``, where set.
        ray: The cluster of ``--engine ray``.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[FileIgnore, ...] = ()
    fail_on: str = "error"
    exclude: tuple[str, ...] = ()
    join: str = "core"
    organization: str | None = None
    relationship: str | None = None
    collection: str = "evalmark"
    score: Mapping[str, Any] = field(default_factory=dict)
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
                with open(path, "rb") as file:
                    raw = file.read()
            except OSError:
                continue
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
    table = document if own_file else document.get("tool", {}).get("evalmark", {})
    _require_known(table, KEYS, path, "")
    record = _table(table, "record", RECORD_KEYS, path)
    return Config(
        select=_codes(_strings(table, "select", path), "select", path),
        ignore=_codes(_strings(table, "ignore", path), "ignore", path),
        per_file_ignores=_file_ignores(table, path),
        fail_on=_choice(table, "fail-on", ("error", "warning", "never"), path),
        exclude=_strings(table, "exclude", path),
        join=_choice(table, "join", tuple(JOINS), path),
        organization=record.get("organization"),
        relationship=record.get("relationship"),
        collection=str(record.get("collection", "evalmark")),
        score=_score(_table(table, "score", SCORE_KEYS, path), path),
        ray=_ray(_table(table, "ray", RAY_KEYS, path), path),
    )


def _table(
    table: Mapping[str, Any], key: str, known: tuple[str, ...], path: str
) -> Mapping[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise ConfigError(f"{path}: `{key}` must be a table")
    _require_known(value, known, path, f"{key}.")
    return value


def _score(table: Mapping[str, Any], path: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if "strategy" in table:
        found["strategy"] = _choice(table, "strategy", ("packed", "padded"), path)
    for key in ("pack-tokens", "batch-tokens"):
        if key in table:
            found[key.replace("-", "_")] = int(_number(table, key, 1, path))
    return found


def _ray(table: Mapping[str, Any], path: str) -> RayConfig:
    return RayConfig(
        address=table.get("address"),
        cpus_per_model=_number({"cpus-per-model": 1, **table}, "cpus-per-model", 0.1, path),
        gpus_per_model=_number({"gpus-per-model": 0, **table}, "gpus-per-model", 0, path),
    )


def _number(table: Mapping[str, Any], key: str, least: float, path: str) -> float:
    value = table[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or value < least:
        raise ConfigError(f"{path}: `{key}` must be a number of at least {least}")
    return value


def _codes(words: Iterable[str], key: str, path: str) -> tuple[str, ...]:
    try:
        return rule_codes(words)
    except UnknownNameError as error:
        raise ConfigError(f"{path}: `{key}`: {error}") from None


def _file_ignores(table: Mapping[str, Any], path: str) -> tuple[FileIgnore, ...]:
    entries = table.get("per-file-ignores", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ConfigError(f"{path}: `per-file-ignores` must be a list of tables")
    ignores = []
    for entry in entries:
        _require_known(entry, ("files", "rules", "reason"), path, "per-file-ignores.")
        files, reason = entry.get("files"), entry.get("reason")
        if not isinstance(files, str) or not files:
            raise ConfigError(f"{path}: an entry of `per-file-ignores` needs `files`, a glob")
        if not isinstance(reason, str) or not reason.strip():
            raise ConfigError(f"{path}: the ignore of {files} needs a `reason`")
        glob, _, pointer = files.partition("#")
        codes = _codes(_strings(entry, "rules", path), "rules", path)
        ignores.append(FileIgnore(glob, pointer, frozenset(codes), reason))
    return tuple(ignores)


def _require_known(
    table: Mapping[str, Any], known: tuple[str, ...], path: str, prefix: str
) -> None:
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
