"""Names of models, developers and benchmarks: keys of rows, and files of names to merge.

Two results have the same ``benchmark_key`` only if the collection and data set, the subset, the
split, the metric with its parameters, the direction and the scale are the same; a file of names can
merge data sets and subsets, never different metrics or scales.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.leaderboard.result_columns import ResultRow
from evalmark.schemas.errors import ConfigError
from evalmark.validator.io.opening import read_whole

#: The tables of a file of names.
TABLES = ("models", "developers", "benchmarks")
#: The separator of the parts of a benchmark's key.
PART = " | "
#: Whether lower scores are better -> the word in a key.
DIRECTIONS = {True: "lower", False: "higher", None: "-"}
_HEAD = re.compile(r"\s*\[\s*([a-z]+)\s*\]")
_KEY = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*=""")


@dataclass(frozen=True)
class MergedNames:
    """Names to merge: other name -> the name to use."""

    models: Mapping[str, str] = field(default_factory=dict)
    developers: Mapping[str, str] = field(default_factory=dict)
    benchmarks: Mapping[str, str] = field(default_factory=dict)

    def model_key(self, model: str | None, model_name: str | None) -> str | None:
        """The one name of a model: its id, else its display name."""
        name = model or model_name or ""
        return self.models.get(name, name) or None

    def developer_key(
        self, model: str | None, model_name: str | None, developer: str | None
    ) -> str | None:
        """The one name of a developer; of a model with another name, the owner in that name."""
        owner, slash, _ = self.models.get(model or model_name or "", "").partition("/")
        name = owner if slash else developer
        return name and self.developers.get(name, name)

    def benchmark_key(
        self,
        data: tuple[str | None, str | None, str | None],
        split: str | None,
        metric: tuple[str | None, str | None],
        lower_is_better: bool | None,
        scale: tuple[str | None, float | None, float | None],
    ) -> str:
        """The key of a benchmark.

        ``data`` is collection, data set and subset; ``metric`` its name, and its parameters as
        JSON; ``scale`` the type of the score, and its bounds.
        """
        collection, dataset, subset = map(_key_part, data)
        short = f"{collection}/{dataset}"
        name = f"{short}{PART}{subset}"
        merged = self.benchmarks.get(name)
        if merged is None and short in self.benchmarks:
            merged = self.benchmarks[short] + name.removeprefix(short)
        score_type, least, most = scale
        ends = f"{_bound(least)} to {_bound(most)}"
        if score_type == "binary" and least is None and most is None:
            ends = "0 to 1"
        measured = _key_part(metric[0])
        if metric[1] is not None and metric[1] != "{}":
            measured += f" {_key_part(metric[1])}"
        direction = DIRECTIONS[lower_is_better]
        return PART.join((merged or name, _key_part(split), measured, direction, ends))


def is_benchmark_key(text: str) -> bool:
    """True for a text that ``MergedNames.benchmark_key`` can make."""
    parts = text.split(PART)
    return len(parts) == 6 and parts[4] in DIRECTIONS.values() and " to " in parts[5]


def with_names(row: ResultRow, names: MergedNames) -> ResultRow:
    """A row with the keys that some names make."""
    model, name = row.model, row.model_name
    return row._replace(
        model_key=names.model_key(model, name),
        developer_key=names.developer_key(model, name, row.developer),
        benchmark_key=names.benchmark_key(
            (row.collection, row.dataset, row.subset),
            row.split,
            (row.metric, row.metric_parameters),
            row.lower_is_better,
            (row.score_type, row.min_score, row.max_score),
        ),
    )


def _key_part(text: str | None) -> str:
    """A part of a key: `-` where there is none; no name has the mark that separates."""
    if not text:
        return "-"
    return r"\-" if text == "-" else text.replace("\\", r"\\").replace("|", r"\|")


def _bound(bound: float | None) -> str:
    return "open" if bound is None else repr(bound + 0.0).removesuffix(".0")  # 0 has no sign


class _Entry(NamedTuple):
    path: str
    text: str
    table: str
    name: str
    target: str

    def wrong(self, message: str) -> ConfigError:
        return ConfigError(f"{_place(self.path, self.text, self.table, self.name)}: {message}")


def read_names(path: Path) -> MergedNames:
    """The names in a file; a ConfigError begins with the file and the line."""
    entries_by_table: dict[str, dict[str, _Entry]] = {table: {} for table in TABLES}
    for entry in _entries(path):
        entries_by_table[entry.table][entry.name] = entry
    for entries in entries_by_table.values():
        for entry in entries.values():
            _require_end(entry, entries)
    return MergedNames(
        **{
            table: {entry.name: entry.target for entry in entries.values()}
            for table, entries in entries_by_table.items()
        }
    )


def _require_end(entry: _Entry, entries: Mapping[str, _Entry]) -> None:
    """Refuse a name for a name that means another: the order of lines would decide."""
    if entry.name == entry.target:
        raise entry.wrong(f"{_quoted(entry.name)} is already the name to use; remove the line")
    if entry.table == "benchmarks":
        if entry.name.count(PART) != entry.target.count(PART) or entry.name.count(PART) > 1:
            raise entry.wrong(
                f"{_quoted(entry.name)} = {_quoted(entry.target)}: both must be the first part of "
                "the key of a benchmark (collection/dataset), or both its first two "
                f"(collection/dataset{PART}subset)"
            )
        further = entries.get(entry.target) or entries.get(entry.target.partition(PART)[0])
    else:
        further = entries.get(entry.target)
    if further is None:
        return
    names = [entry.name]
    while further is not None and further.name not in names:
        names.append(further.name)
        further = entries.get(further.target)
    if further is not None:
        circle = " = ".join(map(_quoted, [*names, further.name]))
        raise entry.wrong(f"the names go in a circle: {circle}; remove one of the lines")
    end = entries[names[-1]].target
    raise entry.wrong(
        f"{_quoted(entry.target)} is itself a name to merge; "
        f"write {_quoted(entry.name)} = {_quoted(end)}"
    )


def _entries(path: Path) -> Iterator[_Entry]:
    try:
        text = read_whole(path).decode("utf-8")
        data = tomllib.loads(text)
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
        for name, target in lines.items():
            if not isinstance(target, str) or not target.strip() or not name.strip():
                why = "; put names with dots in quotes" if isinstance(target, dict) else ""
                place = _place(str(path), text, table, name)
                raise ConfigError(
                    f'{place}: expected two names as strings, {_quoted(name)} = "name"{why}'
                )
            yield _Entry(str(path), text, table, name, target)


def _place(path: str, text: str, table: str, name: str) -> str:
    here = ""
    for number, line in enumerate(text.split("\n"), 1):
        if head := _HEAD.match(line):
            here = head[1]
        elif here == table and (match := _KEY.match(line)) and _named(match[1]) == name:
            return f"{path}:{number}"
    return path


def _named(key: str) -> Any:
    return next(iter(tomllib.loads(f"{key} = 0")))


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")
