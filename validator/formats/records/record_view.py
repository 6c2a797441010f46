"""A record as rules see it: the same fields for every version."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from evalmark.schemas.metrics.known_metrics import known_metric
from evalmark.validator.findings.finding import Hit
from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.format import Document, version_of
from evalmark.validator.formats.shared.fields import (
    Fields,
    Layout,
    layout,
    mapping,
    number,
    timestamp,
)
from evalmark.validator.reading.source import make_pointer

if TYPE_CHECKING:  # records whose metric is in the table
    from evalmark.schemas.metrics.metric_entry import KnownMetric

#: Where records have the fields that rules look at.
RECORD: Layout = layout(
    evaluation_id="evaluation_id",
    model_id="model_info/id",
    model_name="model_info/name",
    developer="model_info/developer",
    about_model="model_info/additional_details",
    retrieved="retrieved_timestamp",
    evaluated="evaluation_timestamp",
    source_name="source_metadata/source_name",
    organization="source_metadata/source_organization_name",
    relationship="source_metadata/evaluator_relationship",
    platform="model_info/inference_platform",
    deployment="model_info/additional_details/deployment_type",
    availability="model_info/additional_details/model_availability",
    library="eval_library/name",
    library_version="eval_library/version",
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
    baseline="metric_config/llm_scoring/expert_baseline",
    uncertainty="score_details/uncertainty",
    scored="score_details/details/scored",
    lower="score_details/uncertainty/confidence_interval/lower",
    upper="score_details/uncertainty/confidence_interval/upper",
    level="score_details/uncertainty/confidence_interval/confidence_level",
    interval_method="score_details/uncertainty/confidence_interval/method",
    standard_error="score_details/uncertainty/standard_error/value",
    error_method="score_details/uncertainty/standard_error/method",
    standard_deviation="score_details/uncertainty/standard_deviation",
    num_samples="score_details/uncertainty/num_samples",
    num_bootstrap_samples="score_details/uncertainty/num_bootstrap_samples",
    source_type="source_data/source_type",
    hf_repo="source_data/hf_repo",
    hf_split="source_data/hf_split",
    urls="source_data/url",
    samples_number="source_data/samples_number",
    sample_ids="source_data/sample_ids",
    metric_unit="metric_config/metric_unit",
    dataset="source_data/dataset_name",
    prompt="metric_config/llm_scoring/input_prompt",
    parameters="metric_config/metric_parameters",
    settings="generation_config",
    details="score_details/details",
    more_settings="generation_config/additional_details",
    command="generation_config/generation_args/execution_command",
    template="generation_config/generation_args/prompt_template",
    feedback="generation_config/generation_args/incorrect_attempt_feedback",
    steps="generation_config/generation_args/eval_plan/steps",
    tools="generation_config/generation_args/agentic_eval_config/available_tools",
    max_tokens="generation_config/generation_args/max_tokens",
    temperature="generation_config/generation_args/temperature",
    top_p="generation_config/generation_args/top_p",
    top_k="generation_config/generation_args/top_k",
    max_attempts="generation_config/generation_args/max_attempts",
    time_limit="generation_config/generation_args/eval_limits/time_limit",
    message_limit="generation_config/generation_args/eval_limits/message_limit",
    token_limit="generation_config/generation_args/eval_limits/token_limit",  # noqa: S106
)
JUDGE: Layout = layout(
    weight="weight", temperature="temperature", name="model_info/name", id="model_info/id"
)

#: The name that evalmark gives itself in records of what it has scored.
OWN = "evalmark"

#: Before 0.2.0 the data is described once, in the record: by URLs, or as a dataset.
_WITH_SOURCE: Layout = {**RECORD, **layout(urls="source_data", hf_split="source_data/hf_split")}

_USUAL = RECORD, RESULT
#: Version -> where it has the fields of a record and of a result, if elsewhere than the others.
_ELSEWHERE: dict[str | None, tuple[Layout, Layout]] = {
    "0.0.1": (
        {**_WITH_SOURCE, **layout(source_name="evaluation_source/evaluation_source_name")},
        RESULT,
    ),
    "0.1.0": (_WITH_SOURCE, RESULT),
}


@dataclass(slots=True, eq=False, repr=False)
class RecordResult(Fields):
    """One evaluation result, with the fields that rules ask of every result.

    Attributes:
        index: Its number among the results, from 0.
        score: The score, where it is a number.
        low: The least possible score, where it is a number.
        high: The greatest possible score, where it is a number.
        name: The name of the evaluation.
        identity: Its own id.
        metric_id: The id of its metric.
        metric_name: The name of its metric.
        description: What its metric is, in words.
        settings: How the answers were generated.
        has_more: Whether it says how certain its score is, or who judged.
    """

    index: int
    score: float | None
    low: float | None
    high: float | None
    name: Any
    identity: Any
    metric_id: Any
    metric_name: Any
    description: Any
    settings: Any
    has_more: bool

    @property
    def canonical(self) -> str:
        """A text that is equal for equal results."""
        return json.dumps(self.data, sort_keys=True)

    @property
    def without_id(self) -> str:
        """A text that is equal for results that are equal in all but their ids."""
        return json.dumps({**self.data, "evaluation_result_id": None}, sort_keys=True)


class DataSource(NamedTuple):
    """Where the data of results comes from that follow each other, and have it from one place.

    Attributes:
        results: The results.
        kind: What kind of thing it is.
        urls: Its URLs.
        hf_repo: Its repository on the Hugging Face Hub.
        hf_split: The split of the dataset there.
    """

    results: list[RecordResult]
    kind: Any
    urls: Any
    hf_repo: Any
    hf_split: Any


class Time(NamedTuple):
    """A time that a record names.

    Attributes:
        part: The record or the result that has it.
        field: The field that has it.
        value: What the record has there.
        seconds: The same as a Unix timestamp, if it is one.
    """

    part: Fields
    field: str
    value: Any
    seconds: float | None

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
    """A record, with the fields that rules ask of every record.

    Attributes:
        now: The Unix timestamp by which times are judged.
        source: Its text, if there is one.
        plain: Its text without needless escapes, where the fast parser has made it.
        evaluation_id: Its id.
        model_id: The id of its model.
        model_name: The name of its model.
        retrieved: When it was retrieved.
        results: Its results, in order.
        sources: Where their data comes from.
        with_levels: Those whose metric names levels.
        with_uncertainty: Those that say how certain their score is.
        with_judges: Those that name the models that judged.
        times: Its times, and those of its results.
        has_odd_identifiers: Whether an identifier begins or ends in space, or is blank.
        contradictions: Code -> what its numbers contradict; None before a rule has looked.
    """

    now: float
    source: str | None
    plain: bytes | None
    evaluation_id: str | None
    model_id: str | None
    model_name: str | None
    retrieved: Any
    results: list[RecordResult] = field(default_factory=list)
    sources: list[DataSource] = field(default_factory=list)
    with_levels: list[RecordResult] = field(default_factory=list)
    with_uncertainty: list[RecordResult] = field(default_factory=list)
    with_judges: list[RecordResult] = field(default_factory=list)
    times: list[Time] = field(default_factory=list)
    has_odd_identifiers: bool = False
    contradictions: dict[str, list[Hit]] | None = None

    @property
    def is_own(self) -> bool:
        """True for a record of what evalmark has scored itself."""
        return is_own(self)

    def urls(self) -> Iterator[tuple[Sequence[Fields], str, Any]]:
        """Each URL, or list of them: what has it, in which field, and what is there."""
        for name in ("organization_url", "logo_url"):
            yield [self], name, self.text(name)
        if isinstance(urls := self.get("urls"), list):
            yield [self], "urls", urls
        for source in self.sources:
            if isinstance(source.urls, list):
                yield source.results, "urls", source.urls

    def known_metrics(self) -> Iterator[tuple[RecordResult, KnownMetric]]:
        """The results whose metric the table of metrics has, by its id and its name.

        A record that has neither may have the name as its description; one that is also the name
        of the evaluation may be a topic.
        """
        for result in self.results:
            identity, name = result.metric_id, result.metric_name
            if identity is None and name is None:
                identity = result.description
                # No metric is a sentence.
                if type(identity) is not str or " " in identity or identity == result.name:
                    continue
            named = [text for text in (identity, name) if isinstance(text, str)]
            if entry := known_metric(*named):
                yield result, entry

    def may_contain(self, patterns: tuple[str, ...], in_text: Callable[[str], bool]) -> bool:
        """False if no pattern matches in a string of the record: a look at its text.

        Args:
            patterns: Regular expressions, of ASCII alone.
            in_text: The same as a function, where the fast parser was not used.
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


def view_of(
    document: Document, now: float = 0, source: str | None = None, plain: bytes | None = None
) -> RecordView:
    """The view of a record; an invalid one is seen as far as its values have the right types."""
    record = fields_of(document)
    identity, model, name = map(record.text, ("evaluation_id", "model_id", "model_name"))
    view = RecordView(
        document.data, "", record.layout, now, source, plain, identity, model, name,
        record.get("retrieved"),
    )  # fmt: skip
    for at in ("retrieved", "evaluated"):
        if (value := record.get(at)) is not None:
            view.times.append(Time(record, at, value, timestamp(value)))
    _add_results(view, _ELSEWHERE.get(document.version, _USUAL)[1])
    identifiers = (identity, model, name, *(result.name for result in view.results))
    names = [name for name in identifiers if isinstance(name, str)]
    view.has_odd_identifiers = "" in names or [*map(str.strip, names)] != names
    return view


def _add_results(view: RecordView, of: Layout) -> None:
    read = _values if of is RESULT else partial(_values_elsewhere, of)
    above, last = view.at("results"), None
    for index, data in enumerate(view.entries("results")):
        if type(data) is not dict:
            continue
        (
            score, low, high, name, own, metric_id, metric, words,
            evaluated, levels, uncertainty, judges, settings, source,
        ) = read(data)  # fmt: skip
        result = RecordResult(
            data,
            f"{above}/{index}",
            of,
            index,
            score if type(score) is float else number(score),  # no call for most of them
            low if type(low) is float else number(low),
            high if type(high) is float else number(high),
            name,
            own,
            metric_id,
            metric,
            words,
            settings,
            bool(uncertainty or judges),
        )  # fmt: skip
        view.results.append(result)
        if source != last:
            last = source
            view.sources.append(DataSource([], *source))
        view.sources[-1].results.append(result)
        if evaluated is not None:
            view.times.append(Time(result, "evaluated", evaluated, timestamp(evaluated)))
        if levels is not None:
            view.with_levels.append(result)
        if uncertainty:
            view.with_uncertainty.append(result)
        if judges:
            view.with_judges.append(result)


#: Looks up the fields of an object that is not there.
_NOTHING = dict[str, Any]().get


def _values(data: dict[str, Any]) -> tuple[Any, ...]:
    """The fields of a result that rules ask for; each object that holds some is looked up once."""
    metric, source = data.get("metric_config"), data.get("source_data")
    of_metric = metric.get if type(metric) is dict else _NOTHING
    of_source = source.get if type(source) is dict else _NOTHING
    details, judging = data.get("score_details"), of_metric("llm_scoring")
    of_score = details.get if type(details) is dict else _NOTHING
    return (
        of_score("score"),
        of_metric("min_score"),
        of_metric("max_score"),
        data.get("evaluation_name"),
        data.get("evaluation_result_id"),
        of_metric("metric_id"),
        of_metric("metric_name"),
        of_metric("evaluation_description"),
        data.get("evaluation_timestamp"),
        of_metric("level_names"),
        of_score("uncertainty"),
        judging and mapping(judging).get("judges"),
        data.get("generation_config"),
        (of_source("source_type"), of_source("url"), of_source("hf_repo"), of_source("hf_split")),
    )


def _values_elsewhere(of: Layout, data: dict[str, Any]) -> tuple[Any, ...]:
    """The same of a version that has its fields elsewhere."""
    get = Fields(data, "", of).get
    fields = (
        "score", "low", "high", "name", "identity", "metric_id", "metric_name", "description",
        "evaluated", "level_names", "uncertainty", "judges", "settings",
    )  # fmt: skip
    return (*map(get, fields), tuple(map(get, ("source_type", "urls", "hf_repo", "hf_split"))))


def is_own(record: Fields) -> bool:
    """True for a record of what evalmark has scored itself."""
    return bool(record.get("source_name") == OWN)


def fields_of(document: Document) -> Fields:
    """The fields of a record, without its results."""
    return Fields(document.data, "", _ELSEWHERE.get(document.version, _USUAL)[0])


def fields_in(record: Mapping[str, Any]) -> Fields:
    """The same of a record whose version nobody has told."""
    return fields_of(Document(record, None, version_of(record, "record")))


def evaluation_id(name: object, model: object, time: object) -> str:
    """The evaluation id of a record, as JSON: name/model/time; empty if one of them is missing."""
    texts = [part.strip() for part in (name, model, time) if isinstance(part, str)]
    return quoted("/".join(texts)) if len(texts) == 3 and all(texts) else ""
