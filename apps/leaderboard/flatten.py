"""The results of a record as rows, with types that a table can hold and without secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from functools import cache, lru_cache, partial
from itertools import repeat
from math import isinf
from typing import Any, NamedTuple

from evalmark.leaderboard.names import MergedNames, with_names
from evalmark.leaderboard.result_columns import RESULTS, ResultRow
from evalmark.validator.format import Document
from evalmark.validator.formats.records.datastore import LEVELS, datastore_parts
from evalmark.validator.formats.records.record_fields import fields_of, record_layout
from evalmark.validator.formats.shared.field_layout import Layout
from evalmark.validator.formats.shared.json_values import number, timestamp
from evalmark.validator.io.redaction import redacted
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Members, Source

#: Column -> fields that have its value; the first that has one counts.
FieldNames = Mapping[str, tuple[str, ...]]
#: Column -> the keys that lead to each of these fields.
FieldPaths = Mapping[str, tuple[tuple[str, ...], ...]]


def columns(**fields: str) -> dict[str, tuple[str, ...]]:
    """Columns written as ``column="field field"``."""
    return {column: tuple(names.split()) for column, names in fields.items()}


def paths_of(columns: FieldNames, layout: Layout) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Where files with this layout have the columns."""
    return {
        c: tuple(layout[name] for name in names if name in layout) for c, names in columns.items()
    }


#: Columns that records have. Before 0.2.0 these include what later ones say of each result.
_OF_RECORD = columns(
    record="evaluation_id",
    model="model_id",
    model_name="model_name",
    developer="developer",
    evaluated_at="evaluated",
    retrieved_at="retrieved",
    source="organization later_source_name source_name leaderboard",
    source_type="source_type first_source_type",
    relationship="relationship",
    harness="library",
    harness_version="library_version",
    platform="platform",
    engine="inference_engine",
    details="about_model",
    dataset="dataset",
    split="hf_split",
    url="urls data_urls",
    data_samples="samples_number",
)
#: Columns that results have. What a result says counts before what its record says.
_OF_RESULT = columns(
    subset="name",
    result="identity",
    evaluated_at="evaluated",
    dataset="dataset",
    split="hf_split",
    url="urls",
    data_samples="samples_number",
    metric="metric_id metric_name",
    description="description",
    metric_parameters="parameters",
    unit="unit",
    lower_is_better="lower_is_better",
    score_type="score_type",
    min_score="low",
    max_score="high",
    has_unknown_level="has_unknown_level",
    score="score",
    standard_error="standard_error",
    lower="lower",
    upper="upper",
    confidence_level="level",
    samples="num_samples",
    generation="settings",
    measuring="metric",
)
#: Fields of a metric that columns hold: its others are settings.
_NO_SETTINGS = (
    "metric_id", "metric_name", "unit", "lower_is_better", "score_type", "low", "high",
)  # fmt: skip


class Plan(NamedTuple):
    """A plan that finds the columns of many results, and visits each object on the way once."""

    #: Number of the node above and key; node 0 is the result itself.
    nodes: tuple[tuple[int, str], ...]
    columns: tuple[tuple[str, tuple[int, ...]], ...]  # column -> the nodes that have its value
    no_settings: frozenset[str]  # the keys of a metric that columns hold


@cache
def plans_of(version: str | None) -> tuple[FieldPaths, Plan]:
    """Where records of a version have columns, and the plan that finds those of their results."""
    layouts = record_layout(version)
    of_record = paths_of(_OF_RECORD, layouts.record)
    of_result = paths_of(_OF_RESULT, layouts.result)
    numbers: dict[tuple[str, ...], int] = {(): 0}
    nodes = []
    for path in (path for ways_of_one in of_result.values() for path in ways_of_one):
        for length in range(1, len(path) + 1):
            if path[:length] not in numbers:
                nodes.append((numbers[path[: length - 1]], path[length - 1]))
                numbers[path[:length]] = len(nodes)
    found = [(name, tuple(numbers[path] for path in paths)) for name, paths in of_result.items()]
    keys = frozenset(layouts.result[field][-1] for field in _NO_SETTINGS)
    return of_record, Plan(tuple(nodes), tuple(found), keys)


#: Where a result begins in a file that is laid out with two spaces for each level. In such a file
#: nothing else has four spaces before its only brace.
_RESULT = b"\n    {\n"


def result_lines(reading: Reading, count: int, above: str) -> list[int | None]:
    """The line, from 1, of each of the ``count`` entries of the list at a pointer."""
    if reading.path.endswith((".yaml", ".yml")):
        return _lines_of_places(reading, count, above)
    if reading.plain is not None and reading.raw is not None:
        raw = reading.raw
        if b"\n" not in raw[:-1]:
            return [1] * count
        # The parser says so where the text is its own.
        found = _laid_out if reading.plain is raw else partial(_as_laid_out, reading)
        if lines := found(raw, count, above):
            return lines
    text = reading.text
    return [None] * count if text is None else _lines_in_text(text, count, above)


def _as_laid_out(reading: Reading, raw: bytes, count: int, above: str) -> list[int | None]:
    """The lines of a file that has a line for each value, however it is indented and escaped.

    They are those of the same data with two spaces for each level, if there are as many lines and
    each result begins where it should.
    """
    import orjson

    try:
        laid_out = orjson.dumps(reading.data, option=orjson.OPT_INDENT_2)
    except TypeError:
        return []
    if laid_out.count(b"\n") != raw.rstrip(b"\r\n").count(b"\n"):
        return []
    lines = _laid_out(laid_out, count, above)
    texts = raw.split(b"\n")
    begins = {texts[line - 1].rstrip(b"\r") for line in lines if line}
    return lines if len(begins) == 1 and begins.pop().strip() == b"{" else []


def _laid_out(raw: bytes, count: int, above: str) -> list[int | None]:
    """The lines in such a file; none if an entry is not an object, or is empty."""
    start = f'\n  "{above[1:]}": [\n'.encode()  # of a list at the root
    at = raw.find(start)
    if at < 0:
        return []
    at += len(start) - 1
    line = raw.count(b"\n", 0, at) + 1
    lines: list[int | None] = []
    for _ in range(count):
        position = raw.find(_RESULT, at)
        if position < 0:
            return []
        line += raw.count(b"\n", at, position + 1)
        lines.append(line)
        at = position + 1
    return lines if raw.find(b"\n  ]", at) > at else []


def _lines_in_text(text: str, count: int, above: str) -> list[int | None]:
    place = Source("", text).place(above)
    if place is None:
        return [None] * count
    entries = Members(text, place.start)
    line, before = 1, 0
    lines: list[int | None] = []
    while (key := entries.advance()) is not None:
        at = entries.starts[key].value
        line += text.count("\n", before, at)
        before = at
        lines.append(line)
    return lines


def _lines_of_places(reading: Reading, count: int, above: str) -> list[int | None]:
    source = reading.source
    if source is None:
        return [None] * count
    spans = (source.value_span(f"{above}/{index}") for index in range(count))
    return [span.line if span else None for span in spans]


#: A description that is a name, such as ``quasi_exact_match``.
_NAME = re.compile(r"[A-Za-z0-9_@.:+-]{1,80}")
#: The least and the greatest whole number of a column.
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_written = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
#: The same for a text.
_text = json.encoder.encode_basestring


class RecordFile(NamedTuple):
    """Columns of a record's file: its path, its SHA-256, and what our check says of it."""

    file: str
    digest: str | None
    verdict: str
    codes: str | None


def flatten(
    document: Document, reading: Reading, file: RecordFile, names: MergedNames
) -> list[ResultRow]:
    """The results of a record, which may have mistakes: what has another type is missing."""
    of_record, plan = plans_of(document.version)
    data, fields = document.data, fields_of(document)
    entries = fields.entries("results")
    numbers = [index for index, entry in enumerate(entries) if type(entry) is dict]
    if not numbers:
        return []
    record = {column: value_at(data, paths) for column, paths in of_record.items()}
    above = fields.at("results")
    lines = result_lines(reading, len(entries), above)
    columns = _columns([entries[index] for index in numbers], plan)
    for column in columns.keys() & record.keys():
        value = record[column]
        if value is not None:
            columns[column] = [value if cell is None else cell for cell in columns[column]]
    cells = _result_columns(columns)
    cells["settings"] = _settings(record, columns, plan.no_settings)
    cells["pointer"] = [f"{above}/{index}" for index in numbers]
    cells["line"] = [lines[index] for index in numbers]
    same = {**_record_columns(record, document, reading.path), **file._asdict()}
    return list(_rows(same, cells, columns["has_unknown_level"], names))


def _rows(
    same: Mapping[str, Any],
    cells: Mapping[str, list[Any]],
    has_unknown_level: Sequence[Any],
    names: MergedNames,
) -> Iterator[ResultRow]:
    """The results of a record; their keys are made of texts without secrets."""
    columns: dict[str, Iterator[Any]] = dict.fromkeys(RESULTS, repeat(None))
    for name, value in same.items():
        columns[name] = repeat(clean(value) if type(value) is str else value)
    for name, values in cells.items():
        is_text = RESULTS[name].type is str
        columns[name] = iter([value and clean(value) for value in values] if is_text else values)
    # `repeat` has no end.
    rows = map(ResultRow._make, zip(*(columns[name] for name in RESULTS), strict=False))
    for row, is_unknown in zip(rows, has_unknown_level, strict=False):
        is_level = not (is_unknown is True and row.score == -1)
        row = with_names(row, names)
        yield row._replace(
            # Where a model has several results, ``Results`` decides.
            represents=row.score is not None and row.model_key is not None,
            is_ranked=row.in_bounds and is_level and row.lower_is_better is not None,
        )


@lru_cache(maxsize=1 << 14)
def clean(text: str) -> str:
    """A text as tables hold it: no secret, and halves of surrogate pairs as escapes."""
    text = redacted(text)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def value_at(node: Any, paths: Sequence[Sequence[str]]) -> Any:
    """The value at the first path that leads to one."""
    for path in paths:
        value = node
        for key in path:
            value = value.get(key) if type(value) is dict else None
        if value is not None:
            return value
    return None


def _columns(results: Sequence[Any], plan: Plan) -> dict[str, list[Any]]:
    nothing: Sequence[Any] = [None] * len(results)
    nodes = [results]
    for above, key in plan.nodes:
        members = nothing
        if nodes[above] is not nothing:
            members = _members(nodes[above], key)
            if members.count(None) == len(members):
                members = nothing
        nodes.append(members)
    columns = {}
    for column, (first, *others) in plan.columns:
        values = nodes[first]
        for fallback in others:
            if None in values:
                pairs = zip(values, nodes[fallback], strict=True)
                values = [spare if value is None else value for value, spare in pairs]
        columns[column] = list(values)
    return columns


def _members(nodes: Sequence[Any], key: str) -> list[Any]:
    """The value of a key in each of some values, which are nearly always objects."""
    try:
        return [node.get(key) for node in nodes]
    except AttributeError:
        return [node.get(key) if type(node) is dict else None for node in nodes]


def _result_columns(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    cells: dict[str, list[Any]] = {}
    for column in _TEXTS:
        cells[column] = _only_type(str, columns[column])
    for column, convert in _CONVERTED.items():
        values = columns[column]
        if values.count(None) < len(values):  # most columns have none
            values = [convert(v) for v in values]
        cells[column] = values
    if None in cells["metric"]:
        # A record may name its metric only in its description; no metric has a sentence.
        texts = (text if type(text) is str else "" for text in columns["description"])
        names = (text if _NAME.fullmatch(text) else None for text in texts)
        pairs = zip(cells["metric"], names, strict=True)
        cells["metric"] = [name if metric is None else metric for metric, name in pairs]
    cells["lower_is_better"] = _only_type(bool, columns["lower_is_better"])
    cells["samples"] = [
        int_or_none(of_result if of_result is not None else of_data)
        for of_result, of_data in zip(columns["samples"], columns["data_samples"], strict=True)
    ]
    cells["normalized_score"] = [
        _normalized(*values)
        for values in zip(
            *(cells[column] for column in ("score", "min_score", "max_score", "lower_is_better")),
            columns["has_unknown_level"],
            strict=True,
        )
    ]
    return cells


def _only_type(kind: type, values: Sequence[Any]) -> list[Any]:
    return [value if type(value) is kind else None for value in values]


_TEXTS = ("dataset", "subset", "result", "split", "metric", "unit", "score_type")
_OF_RECORD_TEXTS = ("record", "model", "model_name", "source", "source_type", "relationship")


def _record_columns(record: Mapping[str, Any], document: Document, path: str) -> dict[str, Any]:
    same: dict[str, Any] = {column: text_or_none(record[column]) for column in _OF_RECORD_TEXTS}
    # One source is written with blanks in other places.
    same["source"] = " ".join((same["source"] or "").split()) or None
    same["version"] = document.version
    owner, slash, _ = (same["model"] or "").partition("/")
    same["developer"] = text_or_none(record["developer"]) or (owner if slash else None) or None
    parts = datastore_parts(path)
    if parts is not None and len(parts) == len(LEVELS) + 1:
        same["collection"] = parts[0]
    else:
        beginning, slash, _ = (same["record"] or "").partition("/")
        same["collection"] = (beginning if slash else None) or None
    same["retrieved_at"] = _time(record["retrieved_at"])
    library = [text_or_none(record["harness"]), text_or_none(record["harness_version"])]
    same["harness"] = " ".join(filter(None, library)) or None
    return same


def _settings(
    record: Mapping[str, Any], columns: Mapping[str, list[Any]], no_settings: Set[str]
) -> list[str]:
    inference = {
        name: value
        for name in ("platform", "engine", "details")
        if (value := record[name]) is not None
    }
    of_all = f',"inference":{_written(inference)}' if inference else ""
    settings: list[str] = []
    generated, measured, first, last = None, None, "", ""
    for generation, metric in zip(columns["generation"], columns["measuring"], strict=True):
        # The results of a record often have the same settings.
        if generation != generated:
            first, generated = f',"generation":{_written(generation)}', generation
        if metric != measured:
            left, measured = _without(metric, no_settings), metric
            last = "" if left is None else f',"metric":{left}'
        of_one = (first if generation is not None else "") + of_all
        settings.append(f"{{{(of_one + (last if metric is not None else ''))[1:]}}}")
    return settings


def _without(metric: Any, keys: Set[str]) -> str | None:
    if type(metric) is not dict:
        return _json(metric)
    names = sorted(metric.keys() - keys)
    # Mostly a text or two, which are written much faster than an object that holds them.
    members = [
        f"{_text(name)}:{_text(value) if type(value := metric[name]) is str else _written(value)}"
        for name in names
    ]
    return f"{{{','.join(members)}}}" if members else None


def text_or_none(value: Any) -> str | None:
    """The value if it is a text."""
    return value if type(value) is str else None


def _json(value: Any) -> str | None:
    return None if value is None else _written(value)


def int_or_none(value: Any) -> int | None:
    """The value if it is a whole number that a column can hold."""
    return value if type(value) is int and _LEAST <= value <= _MOST else None


def _bound(value: Any) -> float | None:
    """A bound; null where the scale is open."""
    bound = number(value)
    return None if bound is None or isinf(bound) else bound


def _time(value: Any) -> float | None:
    """A Unix timestamp; a date of the calendar too, if it has a time zone."""
    seconds = timestamp(value)
    if seconds is None and type(value) is str and value[4:5] == "-":
        try:
            moment = datetime.fromisoformat(value)
            seconds = None if moment.tzinfo is None else moment.timestamp()
        except (ValueError, OverflowError):
            return None
    return seconds


#: Columns of results that are not texts -> what makes their values of those that files have.
_CONVERTED: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("score", "standard_error", "lower", "upper", "confidence_level"), number),
    **dict.fromkeys(("min_score", "max_score"), _bound),
    "evaluated_at": _time,
    "metric_parameters": _json,
    "url": lambda value: text_or_none(value[0] if type(value) is list and value else value),
}


def _normalized(
    score: float | None,
    least: float | None,
    most: float | None,
    lower_is_better: bool | None,
    has_unknown_level: Any,
) -> float | None:
    """From 0, the worst, to 1, the best; beyond them if the score is out of its bounds."""
    if score is None or least is None or most is None or lower_is_better is None:
        return None
    if least >= most or (has_unknown_level is True and score == -1):
        return None
    share = (score - least) / (most - least)
    return 1 - share if lower_is_better else share
