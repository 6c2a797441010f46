"""A record as rules see it: the same fields for every version."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
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
from evalmark.validator.formats.shared.field_layout import Fields, reader
from evalmark.validator.formats.shared.json_values import timestamp
from evalmark.validator.reading.source import make_pointer

#: The name that evalmark gives itself in records of what it has scored.
OWN = "evalmark"


@dataclass(slots=True, eq=False, repr=False)
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
    numbers: Numbers | None = (
        None  # if it says how certain its score is, of how many, or who judged
    )

    @property
    def canonical(self) -> str:
        """A text that is equal for equal results."""
        return json.dumps(self.data, sort_keys=True)

    @property
    def without_id(self) -> str:
        """A text that is equal for results that are equal in all but their ids."""
        return json.dumps({**self.data, "evaluation_result_id": None}, sort_keys=True)

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


@dataclass(slots=True, eq=False, repr=False)
class RecordView(Fields):
    """A record: the fields that rules ask of every one, and its results."""

    now: float  # the Unix timestamp by which times are judged
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
    library: str | None
    library_version: str | None
    organization_url: str | None
    logo_url: str | None
    urls: Any
    hf_split: str | None
    samples: Any
    results: list[RecordResult] = field(default_factory=list)
    sources: list[DataSource] = field(default_factory=list)
    with_levels: list[RecordResult] = field(default_factory=list)
    with_numbers: list[RecordResult] = field(default_factory=list)
    with_judges: list[RecordResult] = field(default_factory=list)
    with_settings: list[RecordResult] = field(default_factory=list)
    with_details: list[RecordResult] = field(default_factory=list)
    times: list[Time] = field(default_factory=list)
    contradictions: dict[str, list[Mistake]] | None = None  # by code; None before a rule has looked

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

    def may_contain(self, patterns: tuple[str, ...], in_text: Callable[[str], bool]) -> bool:
        """False if no pattern matches in a string of the record: a look at its text.

        Patterns are of ASCII alone. ``in_text`` is the same as a function, where the fast parser
        was not used.
        """
        if self.plain is not None:
            from evalmark.validator.reading.fast_parsing import holds

            # What the patterns look for is ASCII, and stays together if other letters go.
            return holds(patterns, self.plain.decode("ascii", "ignore"))
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
    of_record: Callable[[Any], tuple[Any, ...]]
    of_result: Callable[[Any], tuple[Any, ...]]
    of_numbers: Callable[[Any], tuple[Any, ...]]


@cache
def _reader(version: str | None) -> _Reader:
    record, result = found = record_layout(version)
    names = RECORD_FIELDS.keys() | RESULT_FIELDS.keys()
    of_record, of_result = (
        {item.name: str(item.type) for item in fields(view) if item.name in names}
        for view in (RecordView, RecordResult)
    )
    del of_record["results"]
    of_numbers = {name: kind.__forward_arg__ for name, kind in Numbers.__annotations__.items()}
    read = (reader(record, of_record), reader(result, of_result), reader(result, of_numbers))
    return _Reader(found, *read)


def view_of(
    document: Document, now: float = 0, source: str | None = None, plain: bytes | None = None
) -> RecordView:
    """The view of a record; an invalid one is seen as far as its values have the right types."""
    read = _reader(document.version)
    data = document.data
    view = RecordView(data, "", read.layout.record, now, source, plain, *read.of_record(data))
    fields = Fields(data, "", read.layout.record)  # not the view: no circle keeps it in memory
    for at, value in (("retrieved", view.retrieved), ("evaluated", view.evaluated)):
        if value is not None:
            view.times.append(Time(fields, at, value, timestamp(value)))
    _add_results(view, read)
    return view


def _add_results(view: RecordView, read: _Reader) -> None:
    above, last = view.at("results"), None
    layout, read_result = read.layout.result, read.of_result
    for index, data in enumerate(view.entries("results")):
        if type(data) is not dict:
            continue
        result = RecordResult(data, f"{above}/{index}", layout, index, *read_result(data))
        view.results.append(result)
        source = result.source_type, result.urls, result.hf_repo, result.hf_split
        if source != last:
            last = source
            view.sources.append(DataSource([], *source))
        view.sources[-1].results.append(result)
        is_with_numbers = bool(result.uncertainty or result.judges)
        if is_with_numbers or result.samples_number is not None:
            result.numbers = Numbers(*read.of_numbers(data))
        if is_with_numbers:
            view.with_numbers.append(result)
        _sort_in(view, result)


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
