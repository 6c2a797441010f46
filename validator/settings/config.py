"""Settings of a repository: ``evalmark.toml``, or ``[tool.evalmark]`` in ``pyproject.toml``."""

from __future__ import annotations

import json
import os
import posixpath
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from evalmark.schemas.errors import ConfigError, UnknownNameError, UsageError
from evalmark.schemas.versions import DEFAULT_WRITTEN, GATES, written
from evalmark.validator.format import FileIgnore
from evalmark.validator.formats.suites.suite import JOINS, MODELS
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.paths import is_below
from evalmark.validator.reading.pair_columns import NO_TABLES, STATED, PairTables, columns_of
from evalmark.validator.settings import trust
from evalmark.validator.settings.trust import TrustRule, trusted
from evalmark.validator.settings.user_config import Table, UserConfig, toml_data, user_config

#: Where settings are: a file of our own, before a table in that of the project.
SETTINGS_FILES = ("evalmark.toml", "pyproject.toml")
#: Table of the configuration -> its settings, which docs/checking-a-suite-repository.md explains;
#: the empty name is that of the whole.
SETTINGS: dict[str, tuple[str, ...]] = {
    "": (
        "select", "ignore", "per-file-ignores", "fail-on", "exclude", "join", "models", "profile",
        "words", "pairs",
    ),
    "record": ("organization", "relationship", "collection", "version"),
    "score": ("strategy", "pack-tokens", "batch-tokens"),
    "memory": ("judge", "judge-url"),
    "ray": ("address", "cpus-per-model", "gpus-per-model"),
}  # fmt: skip
#: A name on the Hugging Face hub.
HUB_NAME = r"\w[\w.-]*(/\w[\w.-]*)?"
#: How the publisher of a record may be related to the developer of the model.
RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")


class RayConfig(NamedTuple):
    """The address of a Ray cluster, and the share of each model in it."""

    address: str | None = None  # None for a cluster of this machine; of the user, not of the folder
    cpus_per_model: float = 1  # processors for each model that is scored
    gpus_per_model: float = 0  # with 0.5 two models share one


class RefusedSetting(NamedTuple):
    """A setting of a folder that is not used, since it is not for a folder to decide."""

    setting: str  # its name, such as ``ray.address``
    line: str  # the line that a command prints about it


class Config(NamedTuple):
    """The settings of a repository, and those of the user for all repositories."""

    select: tuple[str, ...] = ()  # codes of optional rules to enable
    ignore: tuple[str, ...] = ()  # codes of rules to ignore
    per_file_ignores: tuple[FileIgnore, ...] = ()
    fail_on: str = "error"  # the least severity that makes a check fail, or "never"
    exclude: tuple[str, ...] = ()  # globs of paths to skip in folders and under the hook
    join: str = "core"  # how regions become sentences
    models: str = "left-to-right"  # that proofs about predictions are to hold for
    words: tuple[str, ...] = ()  # words of suites that are right, however they look
    profile: str | None = None  # the leaderboard whose checks apply as well
    #: Who publishes the records written here, and the relationship to the developers of models.
    organization: str | None = None
    relationship: str | None = None
    #: The first part of the `evaluation_id` of these records; the names of the suites if unset.
    collection: str | None = None
    record_version: str | None = None  # of these records
    #: How scoring is done: `strategy`, `pack_tokens`, `batch_tokens`, where set.
    score: Mapping[str, Any] = {}
    judge: str | None = None  # the model that judges conversations
    judge_url: str | None = None  # its endpoint; of the user, not of the folder
    ray: RayConfig = RayConfig()
    pairs: PairTables = NO_TABLES  # the columns of tables of minimal pairs
    #: Settings of the folder that are not used.
    refused: tuple[RefusedSetting, ...] = ()
    folder: str = ""  # that globs are relative to; empty for paths as they are written

    def version_of_records(self, option: str | None, default: str = DEFAULT_WRITTEN) -> str:
        """The version to write: of an option, of these settings, of the gate in them, or usual."""
        gate = GATES[self.profile] if self.profile else None
        return option or self.record_version or gate or default


def load_config(folder: str = ".", read: Callable[[str], bytes] = read_whole) -> Config:
    """The configuration of a folder: its own, or that of a parent folder.

    Code, hosts and paths outside of the folder are not taken from there; the user gives them in
    environment variables or in their own configuration.

    Args:
        folder: The folder.
        read: Reads a file: that of the working tree, or of a commit.

    Raises:
        ConfigError: It, or that of the user, cannot be used.
    """
    user = user_config()
    settings = find_settings(folder, read)
    if settings is not None:
        return _read(*settings, user)
    nowhere = os.path.join(os.path.abspath(folder), SETTINGS_FILES[0])
    return _read(b"", nowhere, user) if user.values else Config()


def find_settings(
    folder: str, read: Callable[[str], bytes] = read_whole
) -> tuple[bytes, str] | None:
    """Content and path of the settings of a folder, or of a parent; ConfigError if unreadable."""
    here = os.path.abspath(folder)
    while True:
        for name in SETTINGS_FILES:
            path = os.path.join(here, name)
            try:
                raw = read(path)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                if name == "pyproject.toml":
                    continue  # it need not have settings for evalmark
                raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
            # Most pyproject files have no settings for evalmark; tomllib is then not loaded.
            if name == "evalmark.toml" or b"tool.evalmark" in raw:
                return raw, path
        above = os.path.dirname(here)
        if above == here or os.path.exists(os.path.join(here, ".git")):
            return None
        here = above


def _table(raw: bytes, path: str) -> Any:
    document = toml_data(raw, path)
    if os.path.basename(path) == SETTINGS_FILES[0]:
        return document
    tools = document.get("tool")
    return tools.get("evalmark", {}) if isinstance(tools, dict) else {}


def _read(raw: bytes, path: str, user: UserConfig) -> Config:
    data = _table(raw, path)
    table = Table(data, path, (*SETTINGS[""], *filter(None, SETTINGS)))
    tables = {name: table.table(name, SETTINGS[name]) for name in SETTINGS if name}
    record, ray = tables["record"], tables["ray"]
    limited = _LimitedValues(user, path, tables)
    judge, judge_url = limited.judge()
    return Config(
        select=table.codes("select"),
        ignore=table.codes("ignore"),
        per_file_ignores=_file_ignores(table),
        fail_on=table.choice("fail-on", "error", "warning", "never"),
        exclude=table.globs("exclude"),
        join=table.choice("join", *JOINS),
        models=table.choice("models", *MODELS),
        words=table.strings("words"),
        profile=table.optional("profile", tuple(GATES)),
        organization=record.text("organization"),
        relationship=record.optional("relationship", RELATIONSHIPS),
        collection=record.text("collection"),
        record_version=record.optional("version", written("record")),
        score=_score(tables["score"]),
        judge=judge,
        judge_url=judge_url,
        ray=RayConfig(
            address=limited.value("ray.address"),
            cpus_per_model=ray.number("cpus-per-model", 1, least=0.1),
            gpus_per_model=ray.number("gpus-per-model", 0, least=0),
        ),
        pairs=_pair_tables(table),
        refused=tuple(limited.refused),
        folder=os.path.dirname(path),
    )


class _LimitedValues:
    def __init__(self, user: UserConfig, path: str, tables: Mapping[str, Table]) -> None:
        self.user, self.path, self.tables = user, path, tables
        self.refused: list[RefusedSetting] = []

    def value(self, setting: str) -> str | None:
        name, _, key = setting.partition(".")
        text = self.tables[name].text(key)
        if setting in self.user.values or not text:
            return self.user.values.get(setting)
        taken = _trusted_value(setting, text, os.path.dirname(self.path))
        if taken is None:
            entry, shown = trusted(trust.SETTINGS, setting), json.dumps(text, ensure_ascii=False)
            line = trust.refusal(entry, self.path, setting, shown)
            self.refused.append(RefusedSetting(setting, line))
        return taken

    def judge(self) -> tuple[str | None, str | None]:
        """The judge and its endpoint, both of the user or both of the folder."""
        names = ("memory.judge", "memory.judge-url")
        if not self.user.values.keys().isdisjoint(names):
            return self.user.values.get(names[0]), self.user.values.get(names[1])
        url, judge = self.tables["memory"].text("judge-url"), self.value(names[0])
        if url and self.value(names[1]) is None:
            return None, None  # the name is that of a model at the endpoint
        return judge, None


def _trusted_value(setting: str, text: str, folder: str) -> str | None:
    if trusted(trust.SETTINGS, setting).rule is not TrustRule.NAMED:
        return None
    place = os.path.join(folder, text)
    if not os.path.lexists(place):
        # A name on the hub: no class, and no path from here that leads elsewhere.
        is_plain = re.fullmatch(HUB_NAME, text) and not text.endswith(".json")
        return text if is_plain and not os.path.lexists(text) else None
    try:
        inside = is_below(os.path.realpath(place), os.path.realpath(folder))
    except (OSError, ValueError):
        return None
    return place if inside and ":" not in text else None


def _pair_tables(table: Table) -> PairTables:
    """The columns of tables of minimal pairs: names alone; ConfigError if they cannot be used."""
    if not table.has("pairs"):
        return NO_TABLES
    entries = []
    for entry in table.tables("pairs", ("files", "preset", *STATED)):
        stated = {key: value for key, value in entry.data.items() if key in STATED}
        try:
            columns = columns_of(stated, entry.text("preset") or "")
        except (UsageError, UnknownNameError) as error:
            raise table.wrong(f"`pairs`: {error}") from None
        # As places are written: no `./` at the beginning, no slash at the end.
        plain = posixpath.normpath(entry.glob("files"))
        entries.append(("*" if plain == "." else plain, columns))
    return PairTables(os.path.dirname(os.path.abspath(table.path)), tuple(entries))


def _score(table: Table) -> dict[str, Any]:
    options: dict[str, Any] = {
        key.replace("-", "_"): int(table.number(key, 1, least=1))
        for key in ("pack-tokens", "batch-tokens")
        if table.has(key) and (key, table.data[key]) != ("pack-tokens", "auto")
    }
    if table.has("strategy"):
        options["strategy"] = table.choice("strategy", "packed", "padded")
    return options


def _file_ignores(table: Table) -> tuple[FileIgnore, ...]:
    ignores, folder = [], os.path.dirname(table.path)
    for entry in table.tables("per-file-ignores", ("files", "rules", "reason")):
        files, reason = entry.glob("files"), entry.data.get("reason")
        if not isinstance(reason, str) or not reason.strip():
            raise table.wrong(f"the ignore of {files} needs a `reason`")
        glob, _, pointer = files.partition("#")
        ignores.append(FileIgnore(glob, pointer, frozenset(entry.codes("rules")), reason, folder))
    return tuple(ignores)
