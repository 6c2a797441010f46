"""Whether every value of results is carried or listed as not carried.

A value is carried if changing it changes what is written, or if the results are then refused.
"""

import csv
import json
import math
import re
import shutil
import zipfile
from dataclasses import dataclass

import pytest
from evalmark.converters.records.writer import build_record
from evalmark.converters.sources.archive import open_archive
from evalmark.schemas.errors import ConversionError, InvalidDocument
from imported_runs import read_results
from pointers import values

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


@dataclass
class Counted:
    """How many values there are, are carried, are listed; and the places of those that are lost."""

    values: int
    carried: int
    listed: int
    lost: list


#: In place of a value: it is not there.
GONE = object()
#: Values of all types.
VALUES = (None, [], {}, "x", 3, [{"a": 1}], True, GONE, {"a": [1]}, [[1]])


def leaves_of(data):
    """The pointer and value of everything that is a single value."""
    for pointer, value in values(data):
        if not (value is None or isinstance(value, dict | list)):
            yield pointer, value


def other(value):
    """A value of the same type."""
    if isinstance(value, bool):
        return not value
    return f"{value}~" if isinstance(value, str) else 1 if value == math.inf else value + 1


def changed(value, pointer, other=other):
    """A copy in which the value at a pointer is another one."""
    if not pointer:
        return other(value)
    head, _, tail = pointer[1:].partition("/")
    key = int(head) if isinstance(value, list) else head.replace("~1", "/").replace("~0", "~")
    copy = list(value) if isinstance(value, list) else dict(value)
    new = changed(value[key], f"/{tail}" if tail else "", other)
    if new is GONE:
        del copy[key]
    else:
        copy[key] = new
    return copy


def written(source, supplied):
    """Everything that results become, or why they are refused; and what is listed."""
    try:
        runs = list(read_results(source, supplied))
        built = [build_record(run, source.parent, version="0.3.0") for run in runs]
        texts = [(b.text, b"".join(b.rows), str(b.paths.record)) for b in built]
        return texts, [place for run in runs for place in run.left_out]
    except (ConversionError, InvalidDocument) as error:
        return str(error), []


def is_listed(file, pointer, places):
    """Whether a place in a file is one of those that are listed."""
    for place in places:
        name, _, rest = place.partition(" ")
        pattern = rest.partition(": ")[0]
        parts = []
        for part in pattern.split("/")[1:]:
            if part == "*":
                parts.append(r"[^/]+")
            elif part.startswith("{"):
                parts.append("(" + "|".join(map(re.escape, part[1:-1].split(","))) + ")")
            else:
                parts.append(re.escape(part))
        if pattern.startswith("rows"):  # of a table
            return name == file
        match = re.match("".join(f"/{part}" for part in parts) + "(/|$)", pointer)
        files = re.escape(name).replace(r"\*", ".*")
        if match and re.fullmatch(files, file):
            return True
    return False


class JsonFile:
    """A JSON file of results, alone or in a folder, which can be written with another value."""

    def __init__(self, source, name):
        self.name = name
        self.data = self.read(source / name if source.is_dir() else source)

    def leaves(self):
        return leaves_of(self.data)

    def write(self, copy, pointer, other=other):
        target = copy / self.name if copy.is_dir() else copy
        self.store(target, changed(self.data, pointer, other))

    def read(self, path):
        return json.loads(path.read_text("utf-8"))

    def store(self, path, data):
        path.write_text(json.dumps(data), "utf-8")


class ZipMember(JsonFile):
    """A JSON member of a zip file of results."""

    def read(self, path):
        with open_archive(path) as archive:
            self.members = {name: archive.read(name) for name in archive.names}
        return json.loads(self.members[self.name])

    def store(self, path, data):
        with zipfile.ZipFile(path, "w") as file:
            for name, content in {**self.members, self.name: json.dumps(data).encode()}.items():
                file.writestr(name, content)


class JsonLines(JsonFile):
    """A file of JSON Lines."""

    def read(self, path):
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]

    def store(self, path, data):
        rows = data if isinstance(data, list) else [data]
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


def json_of(source, name):
    """A file of JSON, or of JSON Lines."""
    return (JsonLines if name.endswith(".jsonl") else JsonFile)(source, name)


class CsvFile(JsonFile):
    """A CSV table; an empty cell is no value."""

    def read(self, path):
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def leaves(self):
        return ((pointer, value) for pointer, value in super().leaves() if value)

    def store(self, path, data):
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, data[0].keys())
            writer.writeheader()
            writer.writerows(data)


class ParquetFile(JsonFile):
    """A Parquet file."""

    def read(self, path):
        self.table = parquet.read_table(path)
        return self.table.to_pylist()

    def store(self, path, data):
        parquet.write_table(pa.Table.from_pylist(data, self.table.schema), path)


def copied(source, tmp_path):
    copy = tmp_path / source.name
    if copy.is_dir():
        shutil.rmtree(copy)
    return shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)


def count_leaves(source, names, supplied, tmp_path, *, every=1, document=JsonFile):
    """Change each value of some files of results in turn; ``every`` takes one of so many."""
    before, places = written(copied(source, tmp_path), supplied)
    assert not isinstance(before, str), before
    counted = Counted(0, 0, 0, [])
    for name in names:
        file = document(source, name)
        copy = copied(source, tmp_path)
        for number, (pointer, _) in enumerate(file.leaves()):
            if number % every:
                continue
            file.write(copy, pointer)
            is_carried = written(copy, supplied)[0] != before
            listed = is_listed(name, pointer, places)
            counted.values += 1
            counted.carried += is_carried
            counted.listed += listed and not is_carried
            if not (is_carried or listed):
                counted.lost.append(f"{name} {pointer}")
    return counted


def damage(source, names, supplied, tmp_path, *, every, document=JsonFile, of_all_types=False):
    """Put values of other types everywhere: ``written`` raises what is neither read nor refused.

    One value in each place, or with ``of_all_types`` one after the other.
    """
    tried = 0
    for name in names:
        copy = copied(source, tmp_path)
        file = document(source, name)
        for number, (pointer, _) in enumerate(values(file.data)):
            if number % every or "/events" in pointer:
                continue
            odd = VALUES if of_all_types else (VALUES[number // every % 7],)
            for new in odd if pointer else odd[:7]:
                file.write(copy, pointer, lambda _, new=new: new)
                written(copy, supplied)
                tried += 1
    return tried
