"""Identity of models, developers and benchmarks: their names in a store, and files of aliases.

A large table has few names: rows have their numbers, and the table says once what each means.

The table ``results`` holds names as records write them. The keys are made when a store is opened,
with the aliases of that moment. Two results have the same ``benchmark_key`` only if the
collection and data set, the subset, the split, the metric with its parameters, the direction and
the scale are the same; aliases can merge names of data sets and subsets, never different metrics
or scales.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from evalmark.leaderboard.columns import arrow_schema
from evalmark.schemas.errors import ConfigError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.redaction import redacted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

#: A connection to a store; DuckDB is loaded when one is opened.
Connection: TypeAlias = "DuckDBPyConnection"

#: The columns of ``results`` that decide which model or benchmark a result is of.
DECIDES = {
    "model": ("model", "model_name", "developer"),
    "benchmark": (
        "collection", "dataset", "subset", "split", "metric", "metric_parameters",
        "lower_is_better", "score_type", "min_score", "max_score",
    ),
}  # fmt: skip
#: The columns that have the numbers.
NUMBERS = {entity: f"{entity}_number" for entity in DECIDES}
#: The key of the table's list of names.
NAMES = "evalmark.names"
Name = tuple[Any, ...]


class NumberedNames:
    """Names of models and of benchmarks as records write them, each with a number from 0.

    Attributes:
        listed: Model or benchmark -> all names, in the order of their numbers.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, dict[Name, int]] = {entity: {} for entity in DECIDES}
        self.listed: dict[str, list[Name]] = {entity: [] for entity in DECIDES}

    def number(self, entity: str, name: Name) -> int:
        """The number of a name, which is the next if it is new."""
        numbers, listed = self._numbers[entity], self.listed[entity]
        number = numbers.get(name)
        if number is None:
            plain = tuple(map(_plain, name))
            number = numbers[name] = numbers.setdefault(plain, len(listed))
            if number == len(listed):
                listed.append(plain)
        return number

    def numbers(
        self, same: Mapping[str, Any], each: Mapping[str, Sequence[Any]], rows: int
    ) -> Iterator[tuple[str, list[int]]]:
        """The columns of numbers of some rows, whose columns have one value or one each."""
        for entity, columns in DECIDES.items():
            if not any(column in each for column in columns):
                number = self.number(entity, tuple(same[column] for column in columns))
                yield NUMBERS[entity], [number] * rows
                continue
            numbers = self._numbers[entity]
            values = [each[c] if c in each else repeat(same[c], rows) for c in columns]
            yield (
                NUMBERS[entity],
                [
                    numbers[name] if name in numbers else self.number(entity, name)
                    for name in zip(*values, strict=True)
                ],
            )

    def as_text(self) -> str:
        """The names as a table has them in its metadata."""
        return json.dumps(self.listed, separators=(",", ":"))


def listed_names(text: str) -> dict[str, list[Name]]:
    """The names that ``NumberedNames.as_text`` has written.

    Raises:
        KeyError, TypeError, ValueError: It has not written this.
    """
    tables = json.loads(text)
    names = {entity: list(map(tuple, tables[entity])) for entity in DECIDES}
    for entity, columns in DECIDES.items():
        if any(len(name) != len(columns) for name in names[entity]):
            raise ValueError(f"a {entity} has {len(columns)} columns")
    return names


def _plain(value: Any) -> Any:
    """A value as a table can hold it: no secret in a text, no sign of 0."""
    if type(value) is str:
        return encodable(redacted(value))
    return 0.0 if type(value) is float and not value else value


def encodable(text: str) -> str:
    """A text that UTF-8 can hold: halves of surrogate pairs are written as escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


#: Table of a file of aliases -> what it names.
TABLES = {"models": "model", "developers": "developer", "benchmarks": "benchmark"}
#: The separator of the parts of a benchmark's key.
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
    entries_by_table: dict[str, dict[str, _Entry]] = {table: {} for table in TABLES}
    for path in paths:
        for entry in _entries(path):
            before = entries_by_table[entry.table].setdefault(entry.alias, entry)
            if before.target != entry.target:
                raise entry.wrong(
                    f"{_quoted(entry.alias)} stands for {_quoted(before.target)} in "
                    f"{_place(before.path, before.text, before.table, before.alias)}; "
                    "remove one of the two lines"
                )
    for entries in entries_by_table.values():
        for entry in entries.values():
            _require_end(entry, entries)
    return Aliases(
        **{
            table: {entry.alias: entry.target for entry in entries.values()}
            for table, entries in entries_by_table.items()
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
            tables = ", ".join(f"[{name}]" for name in TABLES)
            raise ConfigError(f"{path}: unknown table `{table}`; known are {tables}")
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
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def alias_line(alias: str, target: str) -> str:
    """The line of a file of aliases."""
    return f"{_quoted(alias)} = {_quoted(target)}"


#: The columns that ``results`` has in a connection besides those of the file.
KEYS = {
    "model_key": "what the model is called here: its id, or what that is an alias of",
    "developer_key": "the same for its developer; of a model with an alias, the owner in that id",
    "benchmark_key": "collection/dataset | subset | split | metric | direction | scale",
}
#: Which of them are of a model, and which of a benchmark.
KEYS_OF = {"model": ("model_key", "developer_key"), "benchmark": ("benchmark_key",)}
#: Whether lower scores are better -> the word in a key.
DIRECTIONS = {True: "lower", False: "higher", None: "-"}


def model_keys(name: Name, aliases: Aliases) -> tuple[str | None, str | None]:
    """The keys of a model and of its developer, from the columns that ``DECIDES`` names."""
    spelling, developer = _called(name), _developer(name, aliases)
    return (
        aliases.models.get(spelling, spelling) or None,
        developer and aliases.developers.get(developer, developer),
    )


def benchmark_key(name: Name, aliases: Aliases) -> str:
    """The key of a benchmark, from the columns that ``DECIDES`` names."""
    *_, split, metric, parameters, lower_is_better, score_type, least, most = name
    data, subset = _data_and_subset(name)
    merged = aliases.benchmarks.get(subset)
    if merged is None and data in aliases.benchmarks:
        merged = aliases.benchmarks[data] + subset.removeprefix(data)
    scale = f"{_bound(least)} to {_bound(most)}"
    if score_type == "binary" and least is None and most is None:
        scale = "0 to 1"
    metric = _part(metric)
    if parameters is not None and parameters != "{}":
        metric += f" {_part(parameters)}"
    direction = DIRECTIONS[lower_is_better]
    return PART.join((merged or subset, _part(split), metric, direction, scale))


def _called(name: Name) -> str:
    """The name that a record gives its model: the id, else the display name."""
    model, model_name, _ = name
    return model or model_name or ""


def _developer(name: Name, aliases: Aliases) -> str | None:
    """The developer of a model, before its own alias counts."""
    owner, slash, _ = aliases.models.get(_called(name), "").partition("/")
    developer: str | None = owner if slash else name[2]
    return developer


def _data_and_subset(name: Name) -> tuple[str, str]:
    """The first part of the key of a benchmark, and its first two, without aliases."""
    collection, dataset, subset, *_ = name
    data = f"{_part(collection)}/{_part(dataset)}"
    return data, f"{data}{PART}{_part(subset)}"


def _part(text: str | None) -> str:
    """A part of a key: `-` where there is none; no name has the mark that separates."""
    if not text:
        return "-"
    return r"\-" if text == "-" else text.replace("\\", r"\\").replace("|", r"\|")


def _bound(bound: float | None) -> str:
    return "open" if bound is None else repr(float(bound)).removesuffix(".0")


def create_view(connection: Connection, table: str, keys: Mapping[str, Any]) -> None:
    """Create the view ``results`` with the keys.

    The keys of each model and of each benchmark are made once, and are in ``own.model_keys`` and
    ``own.benchmark_keys``; ``model_key_number`` and ``benchmark_key_number`` are numbers of them
    in their order, which are compared faster than texts. Rows have the numbers of their names.

    Args:
        connection: Of DuckDB.
        table: The source of the rows, in SQL; also there as ``own.rows``.
        keys: The meaning of the numbers in the rows; see ``keys_of``.
    """
    connection.execute("CREATE SCHEMA own")
    connection.execute(f"CREATE VIEW own.rows AS FROM {table}")
    for entity, key_table in keys.items():
        connection.register("keys", key_table)
        connection.execute(f"CREATE TABLE own.{entity}_keys AS FROM keys")
        connection.unregister("keys")
    joins = " ".join(
        f"JOIN own.{entity}_keys {entity} USING ({NUMBERS[entity]})" for entity in NUMBERS
    )
    names = ", ".join(KEYS)
    numbers = ", ".join(f"{entity}_key_number" for entity in NUMBERS)
    for view, columns in (("results", names), ("own.numbered", f"{names}, {numbers}")):
        connection.execute(
            f"CREATE VIEW {view} AS SELECT rows.*, {columns} FROM own.rows rows {joins}"  # noqa: S608
        )


def keys_of(entity: str, names: Sequence[Name], aliases: Aliases) -> Any:
    """The names of models or of benchmarks with their keys, as a ``pyarrow.Table``."""
    import pyarrow as pa

    schema = arrow_schema()
    columns = {
        column: pa.array([name[at] for name in names], schema.field(column).type)
        for at, column in enumerate(DECIDES[entity])
    }
    columns[NUMBERS[entity]] = pa.array(range(len(names)), schema.field(NUMBERS[entity]).type)
    keys = [_KEYS[entity](name, aliases) for name in names]
    for at, column in enumerate(KEYS_OF[entity]):
        columns[column] = pa.array([each[at] for each in keys], pa.string())
    in_order = sorted({each[0] for each in keys}, key=lambda key: (key is None, key or ""))
    place = {key: at for at, key in enumerate(in_order)}
    columns[f"{entity}_key_number"] = pa.array([place[each[0]] for each in keys], pa.int32())
    return pa.table(columns)


_KEYS: dict[str, Callable[[Name, Aliases], tuple[str | None, ...]]] = {
    "model": model_keys,
    "benchmark": lambda name, aliases: (benchmark_key(name, aliases),),
}


def rows_with_alias(
    models: Iterable[tuple[Name, int]], benchmarks: Iterable[tuple[Name, int]], aliases: Aliases
) -> Mapping[str, Mapping[str, int]]:
    """Table of aliases -> alias -> how many rows have it, from the rows that have each name."""
    counts: dict[str, Counter[str]] = {table: Counter() for table in TABLES}
    for name, rows in models:
        counts["models"][_called(name)] += rows
        counts["developers"][_developer(name, aliases) or ""] += rows
    for name, rows in benchmarks:
        for text in _data_and_subset(name):
            counts["benchmarks"][text] += rows
    return counts
