"""A record as rules see it: the same fields for every version."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from evalmark.validator.findings.finding import Mistake
from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.format import Document
from evalmark.validator.formats.records.record_fields import (
    RECORD_FIELDS,
    RESULT_FIELDS,
    RecordLayout,
    record_layout,
)
from evalmark.validator.formats.shared.field_layout import Fields, Layout, filler, reader, replaced
from evalmark.validator.formats.shared.json_values import timestamp
from evalmark.validator.reading.source import make_pointer

#: The name that evalmark gives itself in records of what it has scored.
OWN = "evalmark"


class RecordResult(Fields):
    """One evaluation result: the fields that rules ask of every one, and its numbers."""

    index: int  # among the results, from 0
    score: float | None
    low: float | None
    high: float | None
    name: str | None
    identity: str | None
    metric_id: str | None
    metric_name: str | None
    description: str | None
    unit: str | None
    lower_is_better: Any
    dataset: str | None
    evaluated: Any
    level_names: Any
    uncertainty: Any
    judges: Any
    settings: Any
    arguments: Any
    more_settings: Any
    details: Any
    source_type: str | None
    urls: Any
    hf_repo: str | None
    hf_split: str | None
    samples_number: float | None
    numbers: Numbers | None  # if it says how certain its score is, of how many, or who judged
    __slots__ = tuple(__annotations__)  # a data class takes a millisecond to make

    @property
    def canonical(self) -> str:
        """A text that is equal for equal results."""
        return json.dumps(self.data, sort_keys=True)

    @property
    def without_id(self) -> str:
        """A text that is equal for results that are equal in all but their ids."""
        return json.dumps(replaced(self.data, self.layout["identity"], None), sort_keys=True)

    @property
    def without_score(self) -> str:
        """A text that is equal for results that are equal in all but their numbers."""
        other = [self.get("details"), self.get("num_samples")]
        return json.dumps({**self.data, "score_details": other}, sort_keys=True)


class Numbers(NamedTuple):
    """The numbers of a result, None where it has none, and the words that say how to read them."""

    score: float | None
    low: float | None
    high: float | None
    lower: float | None = None
    upper: float | None = None
    level: float | None = None
    standard_error: float | None = None
    standard_deviation: float | None = None
    num_samples: float | None = None
    num_bootstrap_samples: float | None = None
    baseline: float | None = None
    score_type: Any = None
    error_method: str | None = None
    interval_method: str | None = None
    samples_number: float | None = None
    sample_ids: Any = None
    metric_id: str | None = None
    metric_name: str | None = None
    description: str | None = None
    more_settings: Any = None
    details: Any = None

    @property
    def range(self) -> float:
        """The greatest minus the least possible score; infinite if one of them is not known."""
        is_known = self.low is not None and self.high is not None and self.low < self.high
        return self.high - self.low if is_known else math.inf  # type: ignore[operator]

    @property
    def spread(self) -> float:
        """The greatest deviation of samples that have this mean and are inside these bounds.

        The bound of Bhatia and Davis: the variance is at most (high - mean)(mean - low). A mean at
        a bound counts as one that one of n + 2 samples moves away, since some methods smooth it.
        """
        if self.range == math.inf or self.score is None or self.low is None:
            return self.range / 2
        least = 1 / (max(self.num_samples or 0, 0) + 2)
        share = min(max((self.score - self.low) / self.range, least), 1 - least)
        return self.range * math.sqrt(share * (1 - share))

    @property
    def is_share(self) -> bool:
        """True if samples are right or wrong, and the score is the share of right ones."""
        return self.score_type == "binary" and (self.low, self.high) in ((0, 1), (None, None))

    @property
    def looks_like_percent(self) -> bool:
        """True if the score is above the bounds of a share, and a percentage can be."""
        return self.high == 1 and self.score is not None and 1 < self.score <= 100


class DataSource(NamedTuple):
    """Where the data of results comes from that follow each other, and have it from one place."""

    results: list[RecordResult]
    kind: Any
    urls: Any
    hf_repo: Any
    hf_split: Any


class Time(NamedTuple):
    """A time that a record names."""

    part: Fields  # the record or the result that has it
    field: str
    value: Any
    seconds: float | None  # the same as a Unix timestamp, if it is one

    @property
    def pointer(self) -> str:
        """The pointer of its field."""
        return self.part.at(self.field)

    @property
    def is_documented(self) -> bool:
        """True if the format asks for a Unix timestamp in this field."""
        return self.field == "retrieved"


class RecordView(Fields):
    """A record: the fields that rules ask of every one, and its results."""

    now: float  # the Unix timestamp by which times are judged
    judge_layout: Layout  # where judges of its results have their fields
    source: str | None  # its text, if there is one
    plain: bytes | None  # its text without needless escapes, where the fast parser has made it
    evaluation_id: str | None
    model_id: str | None
    model_name: str | None
    developer: str | None
    retrieved: Any
    evaluated: Any
    source_name: str | None
    organization: str | None
    relationship: str | None
    platform: str | None
    deployment: str | None
    availability: str | None
    engine: str | None
    engine_version: str | None
    library: str | None
    library_version: str | None
    organization_url: str | None
    logo_url: str | None
    urls: Any
    hf_split: str | None
    samples: Any
    results: list[RecordResult]
    sources: list[DataSource]
    with_levels: list[RecordResult]
    with_numbers: list[RecordResult]
    #: Those with numbers of any kind but a score inside its bounds.
    with_relations: list[RecordResult]
    with_judges: list[RecordResult]
    with_settings: list[RecordResult]
    with_details: list[RecordResult]
    times: list[Time]
    contradictions: dict[str, list[Mistake]] | None  # by code; None before a rule has looked
    __slots__ = tuple(__annotations__)

    @property
    def has_metrics(self) -> bool:
        """True if a metric has a name, or words; most versions know none."""
        return any(r.metric_name or r.metric_id or r.description or r.unit for r in self.results)

    @property
    def has_hub_data(self) -> bool:
        """True if a result is of a dataset of the Hugging Face Hub, or names a part of one."""
        is_there = (s.kind == "hf_dataset" or s.hf_repo is not None for s in self.sources)
        return self.hf_split is not None or any(is_there)

    @property
    def has_details(self) -> bool:
        """True if there is something that the rules on details look at."""
        return bool(
            len(self.results) > 1
            or self.with_relations
            or self.with_settings
            or self.with_details
            or self.with_levels
            or self.with_judges
            or self.is_own
            or self.has_metrics
            or self.has_hub_data
        )

    @property
    def is_own(self) -> bool:
        """True for a record of what evalmark has scored itself."""
        return bool(self.source_name == OWN)

    def all_urls(self) -> Iterator[tuple[Sequence[Fields], str, Any]]:
        """Each URL, or list of them: what has it, in which field, and what is there."""
        yield [self], "organization_url", self.organization_url
        yield [self], "logo_url", self.logo_url
        if isinstance(self.urls, list):
            yield [self], "urls", self.urls
        for source in self.sources:
            if isinstance(source.urls, list):
                yield source.results, "urls", source.urls

    def judges_of(self, result: RecordResult) -> Iterator[Fields]:
        """The fields of each judge of a result."""
        return result.each("judges", self.judge_layout)

    def may_contain(self, patterns: tuple[str, ...], in_text: Callable[[str], bool]) -> bool:
        """False if no pattern matches in a string of the record: a look at its text.

        ``in_text`` is the same as a function, where the fast parser was not used.
        """
        if self.plain is not None:
            from evalmark.validator.reading.fast_parsing import holds

            return holds(patterns, self.plain.decode())
        text = self.source
        if text is None or "\\" in text:
            text = json.dumps(self.data, ensure_ascii=False)
        return in_text(text)

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


class _Reader(NamedTuple):
    layout: RecordLayout
    fill_record: Callable[[RecordView, Any], None]
    fill_result: Callable[[RecordResult, Any], None]


@cache
def _reader(version: str | None) -> _Reader:
    record, result, _ = found = record_layout(version)
    names = RECORD_FIELDS.keys() - {"results"} | RESULT_FIELDS.keys()
    of_record, of_result = (
        {name: kind for name, kind in view.__annotations__.items() if name in names}
        for view in (RecordView, RecordResult)
    )
    return _Reader(found, filler(record, of_record), filler(result, of_result))


@cache
def _numbers_reader(version: str | None) -> Callable[[Any], tuple[Any, ...]]:
    kinds = {name: kind.__forward_arg__ for name, kind in Numbers.__annotations__.items()}
    return reader(record_layout(version).result, kinds)


def view_of(
    document: Document, now: float = 0, source: str | None = None, plain: bytes | None = None
) -> RecordView:
    """The view of a record; an invalid one is seen as far as its values have the right types."""
    read = _reader(document.version)
    data = document.data
    layout, _, judge = read.layout
    view = RecordView(data, "", layout)
    read.fill_record(view, data)
    view.now, view.judge_layout, view.source, view.plain = now, judge, source, plain
    view.results, view.sources, view.times = [], [], []
    view.with_levels, view.with_judges, view.with_settings, view.with_details = [], [], [], []
    view.with_numbers, view.with_relations = [], []
    view.contradictions = None
    fields = Fields(data, "", layout)  # not the view: no circle keeps it in memory
    for at, value in (("retrieved", view.retrieved), ("evaluated", view.evaluated)):
        if value is not None:
            view.times.append(Time(fields, at, value, timestamp(value)))
    _add_results(view, read, document.version)
    return view


def _add_results(view: RecordView, read: _Reader, version: str | None) -> None:
    above, last = view.at("results"), None
    layout, fill = read.layout.result, read.fill_result
    for index, data in enumerate(view.entries("results")):
        if type(data) is not dict:
            continue
        result = RecordResult(data, f"{above}/{index}", layout)
        fill(result, data)
        result.index, result.numbers = index, None
        view.results.append(result)
        source = result.source_type, result.urls, result.hf_repo, result.hf_split
        if source != last:
            last = source
            view.sources.append(DataSource([], *source))
        view.sources[-1].results.append(result)
        is_with_numbers = bool(result.uncertainty or result.judges)
        if is_with_numbers or result.samples_number is not None:
            result.numbers = Numbers(*_numbers_reader(version)(data))
        if is_with_numbers:
            view.with_numbers.append(result)
        if result.numbers or not _is_inside(result.score, result.low, result.high):
            view.with_relations.append(result)
        _sort_in(view, result)


def _is_inside(score: float | None, low: float | None, high: float | None) -> bool:
    if low is None or high is None or low >= high:
        return False
    return score is None or low <= score <= high


def _sort_in(view: RecordView, result: RecordResult) -> None:
    if result.evaluated is not None:
        time = timestamp(result.evaluated)
        view.times.append(Time(result, "evaluated", result.evaluated, time))
    if result.level_names is not None:
        view.with_levels.append(result)
    if result.judges:
        view.with_judges.append(result)
    if result.settings is not None:
        view.with_settings.append(result)
    if result.details is not None:
        view.with_details.append(result)


def evaluation_id(name: object, model: object, time: object) -> str:
    """The evaluation id of a record, as JSON: name/model/time; empty if one of them is missing."""
    texts = [part.strip() for part in (name, model, time) if isinstance(part, str)]
    return quoted("/".join(texts)) if len(texts) == 3 and all(texts) else ""
