"""Where records of each version have what the columns of ``results`` hold."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

#: Column -> ways to its value from the record, or from one of its results; the first that leads to
#: a value counts.
Ways = Mapping[str, tuple[tuple[str, ...], ...]]


def ways(**columns: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Ways written as ``column="key/key|key"``."""
    return {
        column: tuple(tuple(way.split("/")) for way in text.split("|"))
        for column, text in columns.items()
    }


#: Where records have them.
RECORD: Ways = ways(
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
RESULT: Ways = ways(
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
_ELSEWHERE: dict[str | None, tuple[Ways, Ways]] = {
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
#: Where the rows of sample files have the columns of ``samples``, in every version.
SAMPLE: Ways = ways(
    result="evaluation_result_id",
    subset="evaluation_name",
    model="model_id",
    sample="sample_id",
    sample_hash="sample_hash",
    interaction="interaction_type",
    score="evaluation/score",
    correct="evaluation/is_correct",
    turns="evaluation/num_turns",
    tool_calls="evaluation/tool_calls_count",
    input_tokens="token_usage/input_tokens",
    output_tokens="token_usage/output_tokens",
    reasoning_tokens="token_usage/reasoning_tokens",
    total_tokens="token_usage/total_tokens",
    latency_ms="performance/latency_ms",
    error="error",
)


class Plan(NamedTuple):
    """How the columns of many results are found, each object on the way once.

    Attributes:
        nodes: Number of the node above and key; node 0 is the result itself.
        columns: Column -> the nodes that have its value.
    """

    nodes: tuple[tuple[int, str], ...]
    columns: tuple[tuple[str, tuple[int, ...]], ...]


@cache
def layouts_of(version: str | None) -> tuple[Ways, Plan]:
    """Where records of a version have the values of columns, and how to find those of results."""
    of_record, of_result = _ELSEWHERE.get(version, (RECORD, RESULT))
    numbers: dict[tuple[str, ...], int] = {(): 0}
    nodes = []
    for way in (way for ways_of_one in of_result.values() for way in ways_of_one):
        for length in range(1, len(way) + 1):
            if way[:length] not in numbers:
                nodes.append((numbers[way[: length - 1]], way[length - 1]))
                numbers[way[:length]] = len(nodes)
    columns = [(name, tuple(numbers[way] for way in found)) for name, found in of_result.items()]
    return of_record, Plan(tuple(nodes), tuple(columns))
