"""Which names are one: the files of aliases."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.schemas.errors import ConfigError
from evalmark.validator.edge.opening import read_whole

#: Table of a file of aliases -> what it names.
TABLES = {"models": "model", "developers": "developer", "benchmarks": "benchmark"}
#: What separates the parts of the key of a benchmark.
PART = " | "
_HEAD = re.compile(r"\s*\[\s*([a-z]+)\s*\]")
_KEY = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*=""")


class Aliases(NamedTuple):
    """Alias -> the name that it stands for."""

    models: Mapping[str, str] = {}
    developers: Mapping[str, str] = {}
    benchmarks: Mapping[str, str] = {}


class _Entry(NamedTuple):
    """One line of a file of aliases: the file, its text, and what the line says."""

    path: str
    text: str
    table: str
    alias: str
    target: str

    def wrong(self, message: str) -> ConfigError:
        return ConfigError(f"{_place(self.path, self.text, self.table, self.alias)}: {message}")


def read_aliases(paths: Iterable[Path]) -> Aliases:
    """The aliases in some files; a file that does not exist has none.

    Raises:
        ConfigError: They contradict each other, or are not written as they should be. The message
            begins with the file and the line.
    """
    found: dict[str, dict[str, _Entry]] = {table: {} for table in TABLES}
    for path in paths:
        for entry in _entries(path):
            before = found[entry.table].setdefault(entry.alias, entry)
            if before.target != entry.target:
                raise entry.wrong(
                    f"{_quoted(entry.alias)} stands for {_quoted(before.target)} in "
                    f"{_place(before.path, before.text, before.table, before.alias)}; "
                    "remove one of the two lines"
                )
    for entries in found.values():
        for entry in entries.values():
            _require_end(entry, entries)
    return Aliases(
        **{
            table: {entry.alias: entry.target for entry in entries.values()}
            for table, entries in found.items()
        }
    )


def _require_end(entry: _Entry, entries: Mapping[str, _Entry]) -> None:
    """Refuse an alias of an alias: it would mean one thing or another by the order of lines."""
    if entry.alias == entry.target:
        raise entry.wrong(f"{_quoted(entry.alias)} is an alias of itself; remove the line")
    if entry.table == "benchmarks":
        if entry.alias.count(PART) != entry.target.count(PART) or entry.alias.count(PART) > 1:
            raise entry.wrong(
                f"{_quoted(entry.alias)} = {_quoted(entry.target)}: both must be the first part of "
                "the key of a benchmark (collection/dataset), or both its first two "
                f"(collection/dataset{PART}subset)"
            )
        further = entries.get(entry.target) or entries.get(entry.target.partition(PART)[0])
    else:
        further = entries.get(entry.target)
    if further is None:
        return
    names = [entry.alias]
    while further is not None and further.alias not in names:
        names.append(further.alias)
        further = entries.get(further.target)
    if further is not None:
        circle = " = ".join(map(_quoted, [*names, further.alias]))
        raise entry.wrong(f"the aliases go in a circle: {circle}; remove one of the lines")
    end = entries[names[-1]].target
    raise entry.wrong(
        f"{_quoted(entry.target)} is an alias itself; write {_quoted(entry.alias)} = {_quoted(end)}"
    )


def _entries(path: Path) -> Iterable[_Entry]:
    try:
        text = read_whole(path).decode("utf-8")
        data = tomllib.loads(text)
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}; names need quotes") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8") from None
    except (ValueError, RecursionError):
        raise ConfigError(f"{path}: nested too deep, or a number is too long") from None
    for table, lines in data.items():
        if table not in TABLES:
            known = ", ".join(f"[{name}]" for name in TABLES)
            raise ConfigError(f"{path}: unknown table `{table}`; known are {known}")
        if not isinstance(lines, dict):
            raise ConfigError(f"{path}: `{table}` must be a table, which begins with [{table}]")
        for alias, target in lines.items():
            if not isinstance(target, str) or not target.strip() or not alias.strip():
                why = "; put names with dots in quotes" if isinstance(target, dict) else ""
                place = _place(str(path), text, table, alias)
                raise ConfigError(
                    f'{place}: expected two names as strings, {_quoted(alias)} = "name"{why}'
                )
            yield _Entry(str(path), text, table, alias, target)


def _place(path: str, text: str, table: str, alias: str) -> str:
    """The file, and the line of an alias if it can be told."""
    here = ""
    for number, line in enumerate(text.split("\n"), 1):
        if head := _HEAD.match(line):
            here = head[1]
        elif here == table and (match := _KEY.match(line)) and _named(match[1]) == alias:
            return f"{path}:{number}"
    return path


def _named(key: str) -> Any:
    return next(iter(tomllib.loads(f"{key} = 0")))


def _quoted(name: str) -> str:
    """A name as TOML writes it."""
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def alias_line(alias: str, target: str) -> str:
    """The line of a file of aliases."""
    return f"{_quoted(alias)} = {_quoted(target)}"
