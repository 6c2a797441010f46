"""The fields of records and their samples: where each version has them, and nothing else says it.

Rules, tables, comparisons with a base and reports name a field; a version that moves it has an
entry in ``_RECORDS_SINCE``. Steps of conversions are of one version, and have the keys of that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from evalmark.schemas.versions import RECORDS, SAMPLES, Version
from evalmark.validator.format import Document, version_of
from evalmark.validator.formats.shared.field_layout import Fields, Layout, layout

T = TypeVar("T")

#: Where a record, or a judge, says which model it is about.
_OF_MODEL = {
    "model": "model_info",
    "model_id": "model_info/id",
    "model_name": "model_info/name",
    "developer": "model_info/developer",
    "about_model": "model_info/additional_details",
    "platform": "model_info/inference_platform",
    "deployment": "model_info/additional_details/deployment_type",
    "availability": "model_info/additional_details/model_availability",
    "inference_engine": "model_info/inference_engine",
    "engine": "model_info/inference_engine/name",
    "engine_version": "model_info/inference_engine/version",
}
#: Fields of a record.
RECORD_FIELDS: Layout = layout(
    **_OF_MODEL,
    evaluation_id="evaluation_id",
    retrieved="retrieved_timestamp",
    evaluated="evaluation_timestamp",
    source_name="source_metadata/source_name",
    organization="source_metadata/source_organization_name",
    source_type="source_metadata/source_type",
    relationship="source_metadata/evaluator_relationship",
    harness="eval_library",
    library="eval_library/name",
    library_version="eval_library/version",
    organization_url="source_metadata/source_organization_url",
    about_source="source_metadata/additional_details",
    logo_url="source_metadata/source_organization_logo_url",
    results="evaluation_results",
    samples="detailed_evaluation_results",
    samples_path="detailed_evaluation_results/file_path",
    samples_format="detailed_evaluation_results/format",
    samples_rows="detailed_evaluation_results/total_rows",
    samples_checksum="detailed_evaluation_results/checksum",
    samples_algorithm="detailed_evaluation_results/hash_algorithm",
)
#: Fields of each of its results.
RESULT_FIELDS: Layout = layout(
    name="evaluation_name",
    identity="evaluation_result_id",
    evaluated="evaluation_timestamp",
    score="score_details/score",
    metric="metric_config",
    about_metric="metric_config/additional_details",
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
    judging="metric_config/llm_scoring",
    judges="metric_config/llm_scoring/judges",
    about_judging="metric_config/llm_scoring/additional_details",
    aggregation="metric_config/llm_scoring/aggregation_method",
    baseline="metric_config/llm_scoring/expert_baseline",
    kind="metric_config/metric_kind",
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
    unit="metric_config/metric_unit",
    about_data="source_data/additional_details",
    dataset="source_data/dataset_name",
    prompt="metric_config/llm_scoring/input_prompt",
    parameters="metric_config/metric_parameters",
    settings="generation_config",
    details="score_details/details",
    more_settings="generation_config/additional_details",
    arguments="generation_config/generation_args",
    command="generation_config/generation_args/execution_command",
    template="generation_config/generation_args/prompt_template",
    sandbox="generation_config/generation_args/sandbox/type",
    sandbox_config="generation_config/generation_args/sandbox/config",
    feedback="generation_config/generation_args/incorrect_attempt_feedback",
    steps="generation_config/generation_args/eval_plan/steps",
    plan="generation_config/generation_args/eval_plan/config",
    reasoning="generation_config/generation_args/reasoning",
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
#: Fields of each judge of a result.
JUDGE_FIELDS: Layout = layout(weight="weight", temperature="temperature", **_OF_MODEL)
#: Fields of a row of samples.
SAMPLE_FIELDS: Layout = layout(
    evaluation_id="evaluation_id",
    evaluation_name="evaluation_name",
    model_id="model_id",
    sample_id="sample_id",
    identity="evaluation_result_id",
    interaction_type="interaction_type",
    score="evaluation/score",
    is_correct="evaluation/is_correct",
    num_turns="evaluation/num_turns",
    num_tool_calls="evaluation/tool_calls_count",
    evaluation="evaluation",
    sample_hash="sample_hash",
    input="input",
    raw="input/raw",
    reference="input/reference",
    output="output/raw",
    metadata="metadata",
    turns="messages",
    attributions="answer_attribution",
    input_tokens="token_usage/input_tokens",
    output_tokens="token_usage/output_tokens",
    total_tokens="token_usage/total_tokens",
    reasoning_tokens="token_usage/reasoning_tokens",
    cached_tokens="token_usage/input_tokens_cache_read",
    tokens_to_cache="token_usage/input_tokens_cache_write",
    usage="token_usage",
    choices="input/choices",
    latency="performance/latency_ms",
    performance="performance",
    first_token="performance/time_to_first_token_ms",  # noqa: S106
    generation="performance/generation_time_ms",
    error="error",
)
#: Fields of each turn of its conversation, and of each call in one.
TURN_FIELDS: Layout = layout(
    role="role", index="turn_idx", content="content", answers="tool_call_id", calls="tool_calls"
)
CALL_FIELDS: Layout = layout(id="id")
#: Fields of each answer that was found in its output.
ATTRIBUTION_FIELDS: Layout = layout(
    turn="turn_idx", source="source", value="extracted_value", method="extraction_method",
    is_terminal="is_terminal",
)  # fmt: skip


class RecordLayout(NamedTuple):
    """Where a version has the fields of a record, of each of its results, and of their judges."""

    record: Layout
    result: Layout
    judge: Layout


class SampleLayout(NamedTuple):
    """Where a version has the fields of a row, and of the entries of its lists."""

    row: Layout
    turn: Layout
    call: Layout
    attribution: Layout


#: Before 0.2.0 the data is described once, in the record: by URLs, or as a dataset.
_WITH_DATA: Layout = {
    **RECORD_FIELDS,
    **layout(
        urls="source_data",
        hf_split="source_data/hf_split",
        dataset="source_data/dataset_name",
        samples_number="source_data/samples_number",
    ),
}
#: Five layouts are labelled 0.0.1: what one has under a second name is a second field.
_FIRST: Layout = {
    **_WITH_DATA,
    **layout(
        source_name="evaluation_source/evaluation_source_name",
        later_source_name="source_metadata/source_name",
        leaderboard="leaderboard_name",
        first_source_type="evaluation_source/evaluation_source_type",
        data_urls="source_data_urls",
    ),
}
#: The version that moved fields -> where records have them from then on.
_RECORDS_SINCE: dict[str, RecordLayout] = {
    "0.0.1": RecordLayout(_FIRST, RESULT_FIELDS, JUDGE_FIELDS),
    "0.1.0": RecordLayout(_WITH_DATA, RESULT_FIELDS, JUDGE_FIELDS),
    "0.2.0": RecordLayout(RECORD_FIELDS, RESULT_FIELDS, JUDGE_FIELDS),
}
_ROW = SampleLayout(SAMPLE_FIELDS, TURN_FIELDS, CALL_FIELDS, ATTRIBUTION_FIELDS)
#: The same of rows of samples.
_SAMPLES_SINCE: dict[str, SampleLayout] = {
    "0.2.0": _ROW._replace(row={**SAMPLE_FIELDS, **layout(turns="interactions")}),
    "0.2.1": _ROW,
}


def _by_version(since: Mapping[str, T], known: Sequence[Version]) -> dict[str | None, T]:
    """Version -> its layout, that of the last one to move fields; None -> the newest."""
    layouts: dict[str | None, T] = {}
    for version in known:
        layouts[version.name] = layouts[None] = since.get(version.name) or layouts[None]
    return layouts


# Asked for each record and each row: looked up, not worked out.
_RECORD_LAYOUTS = _by_version(_RECORDS_SINCE, RECORDS)
_SAMPLE_LAYOUTS = _by_version(_SAMPLES_SINCE, SAMPLES)


def record_layout(version: str | None) -> RecordLayout:
    """Where records of a version have their fields; the newest layout if there is no version."""
    return _RECORD_LAYOUTS.get(version) or _RECORD_LAYOUTS[None]


def sample_layout(version: str | None) -> SampleLayout:
    """Where rows of samples of a version have theirs."""
    return _SAMPLE_LAYOUTS.get(version) or _SAMPLE_LAYOUTS[None]


@cache
def places_of(field: str, result: str = "") -> tuple[str, ...]:
    """The pointers that versions have for a field of a record, the newest first.

    With a ``result``, an index or ``*``, those of a field of its results.
    """
    found: dict[str, None] = {}
    for version in reversed(RECORDS):
        layouts = record_layout(version.name)
        holder = Fields(None, "", layouts.record)
        if result:
            holder = Fields(None, f"{holder.at('results')}/{result}", layouts.result)
        if field in holder.layout:
            found[holder.at(field)] = None
    return tuple(found)


def fields_of(document: Document) -> Fields:
    """The fields of a record, without its results."""
    return Fields(document.data, "", record_layout(document.version).record)


def fields_in(record: Mapping[str, Any]) -> Fields:
    """The same of a record whose version nobody has told."""
    return Fields(record, "", record_layout(version_of(record, "record")).record)


def results_in(record: Mapping[str, Any]) -> Iterator[Fields]:
    """The fields of each result of such a record that is an object."""
    layouts = record_layout(version_of(record, "record"))
    for result in Fields(record, "", layouts.record).each("results", layouts.result):
        if isinstance(result.data, dict):
            yield result


def models_in(record: Mapping[str, Any]) -> Iterator[Fields]:
    """What has a model: such a record, and then its judges. Both have the same fields for it."""
    layouts = record_layout(version_of(record, "record"))
    holders = [Fields(record, "", layouts.record)]
    for result in holders[0].each("results", layouts.result):
        holders += result.each("judges", layouts.judge)
    yield from (holder for holder in holders if isinstance(holder.get("model"), dict))
