"""The fields of records and their samples: where each version has them, and nothing else says it.

Rules, tables, comparisons with a base and reports name a field; a version that moves it has an
entry in ``_RECORDS_SINCE``. Steps of conversions are of one version, and have the keys of that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from evalmark.schemas.versions import RECORDS, SAMPLES, Version
from evalmark.validator.format import Document, version_of
from evalmark.validator.formats.shared.field_layout import Fields, Layout, layout

T = TypeVar("T")

#: Fields of a record.
RECORD_FIELDS: Layout = layout(
    evaluation_id="evaluation_id",
    model_id="model_info/id",
    model_name="model_info/name",
    developer="model_info/developer",
    about_model="model_info/additional_details",
    retrieved="retrieved_timestamp",
    evaluated="evaluation_timestamp",
    source_name="source_metadata/source_name",
    organization="source_metadata/source_organization_name",
    source_type="source_metadata/source_type",
    relationship="source_metadata/evaluator_relationship",
    platform="model_info/inference_platform",
    deployment="model_info/additional_details/deployment_type",
    availability="model_info/additional_details/model_availability",
    inference_engine="model_info/inference_engine",
    engine="model_info/inference_engine/name",
    engine_version="model_info/inference_engine/version",
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
JUDGE_FIELDS: Layout = layout(
    weight="weight",
    temperature="temperature",
    name="model_info/name",
    id="model_info/id",
    developer="model_info/developer",
)
#: Fields of a row of samples, of its turns, of their calls, and of the answers found in them.
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
    usage="token_usage",
    choices="input/choices",
    latency="performance/latency_ms",
    performance="performance",
    error="error",
)
TURN_FIELDS: Layout = layout(
    role="role", index="turn_idx", answers="tool_call_id", calls="tool_calls"
)
ATTRIBUTION_FIELDS: Layout = layout(
    turn="turn_idx", source="source", value="extracted_value", method="extraction_method"
)
CALL_FIELDS: Layout = layout(id="id")


class RecordLayout(NamedTuple):
    """Where a version has the fields of a record, and of each of its results."""

    record: Layout
    result: Layout


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
    "0.0.1": RecordLayout(_FIRST, RESULT_FIELDS),
    "0.1.0": RecordLayout(_WITH_DATA, RESULT_FIELDS),
    "0.2.0": RecordLayout(RECORD_FIELDS, RESULT_FIELDS),
}
#: The same of rows of samples.
_SAMPLES_SINCE: dict[str, Layout] = {
    "0.2.0": {**SAMPLE_FIELDS, **layout(turns="interactions")},
    "0.2.1": SAMPLE_FIELDS,
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


def sample_layout(version: str | None) -> Layout:
    """Where rows of samples of a version have theirs."""
    return _SAMPLE_LAYOUTS.get(version) or _SAMPLE_LAYOUTS[None]


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
