"""The results of a record as rows, with types that a table can hold and without secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from itertools import repeat
from math import isinf
from typing import Any, NamedTuple

from evalmark.leaderboard.names import MergedNames, with_names
from evalmark.leaderboard.result_columns import RESULTS, ResultRow
from evalmark.validator.format import Document
from evalmark.validator.formats.records.datastore import LEVELS, datastore_parts
from evalmark.validator.formats.shared.fields import number, timestamp
from evalmark.validator.io.redaction import redacted
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Members, Source

#: Column -> ways to its value from the record, or from one of its results; the first that leads to
#: a value counts.
FieldPaths = Mapping[str, tuple[tuple[str, ...], ...]]


def ways(**columns: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Ways written as ``column="key/key|key"``."""
    return {
        column: tuple(tuple(way.split("/")) for way in text.split("|"))
        for column, text in columns.items()
    }


#: Where records have them.
RECORD: FieldPaths = ways(
    record="evaluation_id",
    model="model_info/id",
    model_name="model_info/name",
    developer="model_info/developer",
    evaluated_at="evaluation_timestamp",
    retrieved_at="retrieved_timestamp",
    source="source_metadata/source_organization_name|source_metadata/source_name",
    source_type="source_metadata/source_type",
    relationship="source_metadata/evaluator_relationship",
    harness="eval_library/name",
    harness_version="eval_library/version",
    platform="model_info/inference_platform",
    engine="model_info/inference_engine",
    details="model_info/additional_details",
)
#: Where results have them. What a result says counts before what its record says.
RESULT: FieldPaths = ways(
    subset="evaluation_name",
    result="evaluation_result_id",
    evaluated_at="evaluation_timestamp",
    dataset="source_data/dataset_name",
    split="source_data/hf_split",
    url="source_data/url",
    data_samples="source_data/samples_number",
    metric="metric_config/metric_id|metric_config/metric_name",
    description="metric_config/evaluation_description",
    metric_parameters="metric_config/metric_parameters",
    unit="metric_config/metric_unit",
    lower_is_better="metric_config/lower_is_better",
    score_type="metric_config/score_type",
    min_score="metric_config/min_score",
    max_score="metric_config/max_score",
    has_unknown_level="metric_config/has_unknown_level",
    score="score_details/score",
    standard_error="score_details/uncertainty/standard_error/value",
    lower="score_details/uncertainty/confidence_interval/lower",
    upper="score_details/uncertainty/confidence_interval/upper",
    confidence_level="score_details/uncertainty/confidence_interval/confidence_level",
    samples="score_details/uncertainty/num_samples",
    generation="generation_config",
    measuring="metric_config",
)

#: Before 0.2.0 a record describes its data once, by URLs or as a data set.
_OF_ITS_DATA = ways(
    dataset="source_data/dataset_name",
    split="source_data/hf_split",
    url="source_data|source_data_urls",
    data_samples="source_data/samples_number",
)
#: Version -> where its records and their results have them, if elsewhere than the others. Five
#: layouts are labelled 0.0.1.
_ELSEWHERE: dict[str | None, tuple[FieldPaths, FieldPaths]] = {
    "0.0.1": (
        {
            **RECORD,
            **_OF_ITS_DATA,
            **ways(
                source="source_metadata/source_organization_name|source_metadata/source_name"
                "|evaluation_source/evaluation_source_name|leaderboard_name",
                source_type="source_metadata/source_type|evaluation_source/evaluation_source_type",
            ),
        },
        RESULT,
    ),
    "0.1.0": ({**RECORD, **_OF_ITS_DATA}, RESULT),
}


class Plan(NamedTuple):
    """A plan that finds the columns of many results, and visits each object on the way once."""

    #: Number of the node above and key; node 0 is the result itself.
    nodes: tuple[tuple[int, str], ...]
    columns: tuple[tuple[str, tuple[int, ...]], ...]  # column -> the nodes that have its value


@cache
def layouts_of(version: str | None) -> tuple[FieldPaths, Plan]:
    """Paths of columns in records of a version, and the plan that finds those of results."""
    of_record, of_result = _ELSEWHERE.get(version, (RECORD, RESULT))
    numbers: dict[tuple[str, ...], int] = {(): 0}
    nodes = []
    for way in (way for ways_of_one in of_result.values() for way in ways_of_one):
        for length in range(1, len(way) + 1):
            if way[:length] not in numbers:
                nodes.append((numbers[way[: length - 1]], way[length - 1]))
                numbers[way[:length]] = len(nodes)
    columns = [
        (name, tuple(numbers[way] for way in pointers)) for name, pointers in of_result.items()
    ]
    return of_record, Plan(tuple(nodes), tuple(columns))


#: The start of the results in a file that is laid out with two spaces for each level, and where
#: one of them begins. In such a file nothing else has four spaces before its only brace.
_RESULTS, _RESULT = b'\n  "evaluation_results": [\n', b"\n    {\n"


def result_lines(reading: Reading, count: int) -> list[int | None]:
    """The line, from 1, of each of the ``count`` entries of the list of results."""
    if reading.path.endswith((".yaml", ".yml")):
        return _of_places(reading, count)
    if reading.plain is not None and reading.raw is not None:
        raw = reading.raw
        if b"\n" not in raw[:-1]:
            return [1] * count
        # The parser says so where the text is its own.
        is_laid_out = reading.plain is raw
        if lines := _laid_out(raw, count) if is_laid_out else _as_laid_out(raw, reading, count):
            return lines
    text = reading.text
    return [None] * count if text is None else _in_text(text, count)


def _as_laid_out(raw: bytes, reading: Reading, count: int) -> list[int | None]:
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
    lines = _laid_out(laid_out, count)
    texts = raw.split(b"\n")
    begins = {texts[line - 1].rstrip(b"\r") for line in lines if line}
    return lines if len(begins) == 1 and begins.pop().strip() == b"{" else []


def _laid_out(raw: bytes, count: int) -> list[int | None]:
    """The lines in such a file; none if an entry is not an object, or is empty."""
    at = raw.find(_RESULTS)
    if at < 0:
        return []
    at += len(_RESULTS) - 1
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


def _in_text(text: str, count: int) -> list[int | None]:
    place = Source("", text).place("/evaluation_results")
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


def _of_places(reading: Reading, count: int) -> list[int | None]:
    source = reading.source
    if source is None:
        return [None] * count
    spans = (source.value_span(f"/evaluation_results/{index}") for index in range(count))
    return [span.line if span else None for span in spans]


#: Members of ``metric_config`` that columns hold: the others are settings.
_IN_COLUMNS = frozenset(
    ("metric_id", "metric_name", "metric_unit", "lower_is_better", "score_type", "min_score",
     "max_score")
)  # fmt: skip
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
    of_record, plan = layouts_of(document.version)
    data = document.data
    entries = data.get("evaluation_results") if isinstance(data, dict) else None
    if not isinstance(entries, list):
        return []
    numbers = [index for index, entry in enumerate(entries) if type(entry) is dict]
    if not numbers:
        return []
    record = {column: value_at(data, ways) for column, ways in of_record.items()}
    lines = result_lines(reading, len(entries))
    columns = _columns([entries[index] for index in numbers], plan)
    for column in columns.keys() & record.keys():
        value = record[column]
        if value is not None:
            columns[column] = [value if each is None else each for each in columns[column]]
    each = _of_results(columns)
    each["settings"] = _settings(record, columns)
    each["pointer"] = [f"/evaluation_results/{index}" for index in numbers]
    each["line"] = [lines[index] for index in numbers]
    same = {**_of_record(record, document, reading.path), **file._asdict()}
    return list(_rows(same, each, columns["has_unknown_level"], names))


def _rows(
    same: Mapping[str, Any],
    each: Mapping[str, list[Any]],
    has_unknown_level: Sequence[Any],
    names: MergedNames,
) -> Iterator[ResultRow]:
    """The results of a record; their keys are made of texts without secrets."""
    columns: dict[str, Iterator[Any]] = dict.fromkeys(RESULTS, repeat(None))
    for name, value in same.items():
        columns[name] = repeat(clean(value) if type(value) is str else value)
    for name, values in each.items():
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


def value_at(node: Any, ways: Sequence[Sequence[str]]) -> Any:
    """The value at the first way that leads to one."""
    for way in ways:
        value = node
        for key in way:
            value = value.get(key) if type(value) is dict else None
        if value is not None:
            return value
    return None


def _columns(results: Sequence[Any], plan: Plan) -> dict[str, list[Any]]:
    """The value of each column in each of many results."""
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


def _of_results(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The columns that differ between the results of a record."""
    each: dict[str, list[Any]] = {}
    for column in _TEXTS:
        each[column] = _of_type(str, columns[column])
    for column, convert in _CONVERTED.items():
        values = columns[column]
        if values.count(None) < len(values):  # most columns have none
            values = [convert(v) for v in values]
        each[column] = values
    if None in each["metric"]:
        # A record may name its metric only in its description; no metric has a sentence.
        texts = (text if type(text) is str else "" for text in columns["description"])
        names = (text if _NAME.fullmatch(text) else None for text in texts)
        pairs = zip(each["metric"], names, strict=True)
        each["metric"] = [name if metric is None else metric for metric, name in pairs]
    each["lower_is_better"] = _of_type(bool, columns["lower_is_better"])
    each["samples"] = [
        int_or_none(of_result if of_result is not None else of_data)
        for of_result, of_data in zip(columns["samples"], columns["data_samples"], strict=True)
    ]
    each["normalized_score"] = [
        _normalized(*values)
        for values in zip(
            *(each[column] for column in ("score", "min_score", "max_score", "lower_is_better")),
            columns["has_unknown_level"],
            strict=True,
        )
    ]
    return each


def _of_type(kind: type, values: Sequence[Any]) -> list[Any]:
    """Values of one type; None instead of others."""
    return [value if type(value) is kind else None for value in values]


_TEXTS = ("dataset", "subset", "result", "split", "metric", "unit", "score_type")
_OF_RECORD_TEXTS = ("record", "model", "model_name", "source", "source_type", "relationship")


def _of_record(record: Mapping[str, Any], document: Document, path: str) -> dict[str, Any]:
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


def _settings(record: Mapping[str, Any], columns: Mapping[str, list[Any]]) -> list[str]:
    """Every setting of each result as JSON; equal settings are equal texts."""
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
            left, measured = _but_columns(metric), metric
            last = "" if left is None else f',"metric":{left}'
        of_one = (first if generation is not None else "") + of_all
        settings.append(f"{{{(of_one + (last if metric is not None else ''))[1:]}}}")
    return settings


def _but_columns(metric: Any) -> str | None:
    """The members of ``metric_config`` without a column, as JSON; None if there are none."""
    if type(metric) is not dict:
        return _json(metric)
    names = sorted(metric.keys() - _IN_COLUMNS)
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
