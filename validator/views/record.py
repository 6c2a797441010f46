"""A record as rules see it: the same fields for every version."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from evalmark.schemas.metric_entry import KnownMetric
from evalmark.schemas.metrics import known_metric
from evalmark.validator.kinds import Document
from evalmark.validator.reading.pointer import make_pointer
from evalmark.validator.reading.reading import Reading
from evalmark.validator.views.fields import Fields, Layout, column, layout, number

#: Where records have the fields that rules look at.
RECORD: Layout = layout(
    evaluation_id="evaluation_id",
    model_id="model_info/id",
    model_name="model_info/name",
    developer="model_info/developer",
    retrieved="retrieved_timestamp",
    evaluated="evaluation_timestamp",
    organization_url="source_metadata/source_organization_url",
    logo_url="source_metadata/source_organization_logo_url",
    results="evaluation_results",
    samples="detailed_evaluation_results",
    samples_path="detailed_evaluation_results/file_path",
    samples_format="detailed_evaluation_results/format",
    samples_rows="detailed_evaluation_results/total_rows",
    samples_checksum="detailed_evaluation_results/checksum",
    samples_algorithm="detailed_evaluation_results/hash_algorithm",
)
#: Where the results of a record have theirs.
RESULT: Layout = layout(
    name="evaluation_name",
    identity="evaluation_result_id",
    evaluated="evaluation_timestamp",
    score="score_details/score",
    low="metric_config/min_score",
    high="metric_config/max_score",
    lower_is_better="metric_config/lower_is_better",
    metric_id="metric_config/metric_id",
    metric_name="metric_config/metric_name",
    description="metric_config/evaluation_description",
    score_type="metric_config/score_type",
    level_names="metric_config/level_names",
    level_metadata="metric_config/level_metadata",
    has_unknown_level="metric_config/has_unknown_level",
    judges="metric_config/llm_scoring/judges",
    aggregation="metric_config/llm_scoring/aggregation_method",
    uncertainty="score_details/uncertainty",
    lower="score_details/uncertainty/confidence_interval/lower",
    upper="score_details/uncertainty/confidence_interval/upper",
    standard_error="score_details/uncertainty/standard_error/value",
    error_method="score_details/uncertainty/standard_error/method",
    standard_deviation="score_details/uncertainty/standard_deviation",
    num_samples="score_details/uncertainty/num_samples",
    num_bootstrap_samples="score_details/uncertainty/num_bootstrap_samples",
    source_type="source_data/source_type",
    hf_repo="source_data/hf_repo",
    hf_split="source_data/hf_split",
    urls="source_data/url",
)
JUDGE: Layout = layout(weight="weight")

#: What rules ask of every result, in the order of the attributes of ``RecordResult``.
_OF_EVERY_RESULT = (
    "score", "low", "high", "name", "identity", "evaluated", "level_names", "uncertainty", "judges",
    "source_type", "urls",
)  # fmt: skip

#: What names the metric of a result.
_OF_A_METRIC = ("metric_id", "metric_name", "description")

#: Before 0.2.0 the data is described once, in the record: by URLs, or as a dataset.
_WITH_SOURCE: Layout = {**RECORD, **layout(urls="source_data", hf_split="source_data/hf_split")}

#: Version -> where it has the fields of a record and of a result, if elsewhere than the others.
_ELSEWHERE: dict[str | None, tuple[Layout, Layout]] = {
    "0.0.1": (_WITH_SOURCE, RESULT),
    "0.1.0": (_WITH_SOURCE, RESULT),
}


@dataclass(slots=True)
class RecordResult(Fields):
    """One evaluation result, with the fields that rules ask of every result.

    Attributes:
        index: Its number among the results, from 0.
        score: The score, where it is a number.
        low: The least possible score, where it is a number.
        high: The greatest possible score, where it is a number.
        name: The name of the evaluation.
        identity: Its own id.
        evaluated: When it was evaluated.
        level_names: The names of the levels of its metric.
        uncertainty: How certain its score is.
        judges: The models that judged the answers.
        source_type: What kind of thing its data comes from.
        urls: Where its data comes from.
    """

    index: int
    score: float | None
    low: float | None
    high: float | None
    name: Any
    identity: Any
    evaluated: Any
    level_names: Any
    uncertainty: Any
    judges: Any
    source_type: Any
    urls: Any

    @property
    def canonical(self) -> str:
        """A text that is equal for equal results."""
        return json.dumps(self.data, sort_keys=True)


class Time(NamedTuple):
    """A time that a record names.

    Attributes:
        pointer: Where it is.
        value: What the record has there.
        seconds: The same as a Unix timestamp, if it is one.
        is_documented: Whether the format asks for a Unix timestamp in this field.
    """

    pointer: str
    value: Any
    seconds: float | None
    is_documented: bool


@dataclass(slots=True)
class RecordView(Fields):
    """A record.

    Attributes:
        results: Its results, in order.
        with_levels: Those whose metric names levels.
        with_uncertainty: Those that say how certain their score is.
        with_judges: Those that name the models that judged.
        times: Its times, and those of its results.
        now: The Unix timestamp by which times are judged.
        source: Its text, if there is one.
        plain: Its text without needless escapes, where the fast parser has made it.
    """

    results: tuple[RecordResult, ...]
    with_levels: tuple[RecordResult, ...]
    with_uncertainty: tuple[RecordResult, ...]
    with_judges: tuple[RecordResult, ...]
    times: tuple[Time, ...]
    now: float = 0
    source: str | None = None
    plain: bytes | None = None

    def urls(self) -> Iterator[tuple[str, str]]:
        """Pointer and text of each URL."""
        for field in ("organization_url", "logo_url"):
            if value := self.text(field):
                yield self.at(field), value
        of_results = ((result, result.urls) for result in self.results)
        for part, urls in ((self, self.get("urls")), *of_results):
            for index, url in enumerate(urls if isinstance(urls, list) else ()):
                if isinstance(url, str):
                    yield f"{part.at('urls')}/{index}", url

    def known_metrics(self) -> Iterator[tuple[RecordResult, KnownMetric]]:
        """The results whose metric the table of metrics has, by its id and its name.

        A record that has neither may have the name as its description; one that is also the name
        of the evaluation may be a topic.
        """
        if not self.results:
            return
        entries, of = [result.data for result in self.results], self.results[0].layout
        columns = [column(entries, field, of) for field in _OF_A_METRIC]
        for result, identity, name, described in zip(self.results, *columns, strict=True):
            if identity is None and name is None:
                # No metric is a sentence.
                if type(described) is not str or " " in described or described == result.name:
                    continue
                identity = described
            if entry := known_metric(*(t for t in (identity, name) if isinstance(t, str))):
                yield result, entry

    def may_contain(self, pattern: str, in_bytes: Callable[[bytes], bool]) -> bool:
        """Whether a pattern may match in a string of the record: one look at its text.

        Args:
            pattern: A regular expression.
            in_bytes: The same as a function of UTF-8, where the fast parser was not used.
        """
        if self.plain is not None:
            from evalmark.validator.reading.native import holds

            return holds(pattern, self.plain.decode("utf-8"))
        text = self.source
        if text is None or "\\" in text:
            text = json.dumps(self.data, ensure_ascii=False)
        return in_bytes(text.encode("utf-8", "surrogatepass"))

    def strings(self) -> Iterator[tuple[str, str]]:
        """Every string of the record with its pointer."""
        stack: list[tuple[tuple[str | int, ...], Any]] = [((), self.data)]
        while stack:
            path, node = stack.pop()
            if isinstance(node, str):
                yield make_pointer(path), node
            elif isinstance(node, dict):
                stack += [((*path, key), child) for key, child in node.items()]
            elif isinstance(node, list):
                stack += [((*path, index), child) for index, child in enumerate(node)]


def record_view(document: Document, reading: Reading, _join: str, _context: str) -> RecordView:
    """The view of a record that its schema accepts."""
    text = None if reading.plain else reading.text
    return view_of(document, time.time(), text, reading.plain)


def view_of(
    document: Document, now: float = 0, source: str | None = None, plain: bytes | None = None
) -> RecordView:
    """The view of a record; an invalid one is seen as far as its values have the right types."""
    record = fields_of(document)
    _, of_results = _ELSEWHERE.get(document.version, (RECORD, RESULT))
    # All rules ask for these, so there is nothing to gain by waiting until one does.
    results = tuple(_results(record, of_results))
    return RecordView(
        record.data,
        record.pointer,
        record.layout,
        results,
        tuple(result for result in results if result.level_names is not None),
        tuple(result for result in results if result.uncertainty),
        tuple(result for result in results if result.judges),
        tuple(_times(record, results)),
        now,
        source,
        plain,
    )


def fields_of(document: Document) -> Fields:
    """The fields of a record, without its results."""
    layout_of_record, _ = _ELSEWHERE.get(document.version, (RECORD, RESULT))
    return Fields(document.data, "", layout_of_record)


def _results(record: Fields, of: Layout) -> Iterator[RecordResult]:
    above, entries = record.at("results"), record.entries("results")
    columns = [column(entries, field, of) for field in _OF_EVERY_RESULT]
    for index, (data, score, low, high, *others) in enumerate(zip(entries, *columns, strict=True)):
        if isinstance(data, dict):
            numbers = number(score), number(low), number(high)
            yield RecordResult(data, f"{above}/{index}", of, index, *numbers, *others)


def _times(record: Fields, results: tuple[RecordResult, ...]) -> Iterator[Time]:
    times: list[tuple[Fields, str, Any]] = [
        (record, "retrieved", record.get("retrieved")),
        (record, "evaluated", record.get("evaluated")),
    ]
    times += [(result, "evaluated", result.evaluated) for result in results]
    for part, field, value in times:
        if value is not None:
            yield Time(part.at(field), value, timestamp(value), field == "retrieved")


def timestamp(value: Any) -> float | None:
    """The value as a Unix timestamp, where it is one, as a text or a number."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    seconds = number(value)
    # From 2000 on: smaller numbers are not dates of evaluations.
    return seconds if seconds is not None and 946_684_800 <= seconds < 1e11 else None
