"""The columns of tables of records: their names, types and meanings, each in one place.

They are what other programs ask for, so a name means the same in both tables, and stays. Values
are texts, numbers and truth values; any may be missing.
"""

from __future__ import annotations

from math import inf, isfinite
from typing import Annotated, NamedTuple, TypeAlias, get_args, get_type_hints

from evalmark.stats.intervals import QUANTILE

_Text: TypeAlias = str | None
_Number: TypeAlias = float | None
_Count: TypeAlias = int | None
_Truth: TypeAlias = bool | None


class ResultRow(NamedTuple):
    """A result of a record: a row of the table of results."""

    model_key: Annotated[
        _Text, "the model by one name: its id, else its name, or what `--names` puts for it"
    ]
    developer_key: Annotated[_Text, "the same for its developer"]
    benchmark_key: Annotated[
        str, "collection/dataset | subset | split | metric | direction | scale"
    ]
    represents: Annotated[
        bool, "whether this number represents its model on its benchmark; true once for each"
    ]
    conflict: Annotated[
        _Text,
        "of different numbers of a model on a benchmark: `contradiction` if two of them have the "
        "same settings, else `several settings`",
    ]
    differs: Annotated[
        _Text, "of several results of a model on a benchmark: the settings in which they differ"
    ]
    is_ranked: Annotated[
        bool, "whether the score has a rank: the direction is known, and it is within its bounds"
    ]
    record: Annotated[_Text, "evaluation_id of the record"]
    result: Annotated[_Text, "evaluation_result_id, where the result has one"]
    version: Annotated[_Text, "schema version of the record"]
    model: Annotated[_Text, "id of the model, as the record writes it"]
    model_name: Annotated[_Text, "display name of the model"]
    developer: Annotated[_Text, "developer; where the record has none, the owner in the id"]
    collection: Annotated[_Text, "folder of the datastore, or the beginning of evaluation_id"]
    dataset: Annotated[_Text, "name of the data set that was evaluated on"]
    subset: Annotated[_Text, "evaluation_name: the task or subset within the data set"]
    split: Annotated[_Text, "split of the data set"]
    metric: Annotated[
        _Text, "metric_id, else the name of the metric, else its description if that is a word"
    ]
    metric_parameters: Annotated[
        _Text, "parameters of the metric, such as the k of pass@k, as a JSON object"
    ]
    unit: Annotated[_Text, "unit of the metric"]
    lower_is_better: Annotated[_Truth, "direction of the metric"]
    score_type: Annotated[_Text, "binary, continuous or levels"]
    min_score: Annotated[_Number, "lowest possible score; missing where open or not given"]
    max_score: Annotated[_Number, "highest possible score; missing where open or not given"]
    score: Annotated[_Number, "score, on the record's own scale"]
    normalized_score: Annotated[_Number, "0 worst to 1 best; missing without both bounds"]
    standard_error: Annotated[_Number, "standard error, on the record's own scale"]
    lower: Annotated[_Number, "lower end of the confidence interval"]
    upper: Annotated[_Number, "upper end of the confidence interval"]
    confidence_level: Annotated[_Number, "level of the interval, such as 0.95"]
    samples: Annotated[_Count, "number of samples behind the score"]
    evaluated_at: Annotated[_Number, "when it was evaluated, Unix timestamp"]
    retrieved_at: Annotated[_Number, "when the record was made, Unix timestamp"]
    source: Annotated[_Text, "organization of the source, else its name"]
    source_type: Annotated[_Text, "documentation or evaluation_run"]
    relationship: Annotated[_Text, "of the evaluator to the developer: first_party, …"]
    url: Annotated[_Text, "first URL of the data, where there is one"]
    harness: Annotated[_Text, "evaluation library and its version"]
    settings: Annotated[_Text, "every setting as a JSON object: generation, inference, metric"]
    file: Annotated[str, "path of the record, as it was given"]
    digest: Annotated[_Text, "SHA-256 of the record's bytes"]
    pointer: Annotated[str, "JSON pointer of the result in the record"]
    line: Annotated[_Count, "line of the result in the record, from 1"]
    verdict: Annotated[str, "worst severity that our check found in the record, or clean"]
    codes: Annotated[_Text, "codes of the findings of the record, with spaces between them"]

    @property
    def when(self) -> float | None:
        """The time of its evaluation; that of its record if it is not known."""
        return self.retrieved_at if self.evaluated_at is None else self.evaluated_at

    @property
    def bounds(self) -> tuple[float, float]:
        """The scale as far as it is known; a binary score without bounds is 0 to 1."""
        if self.score_type == "binary" and self.min_score is None and self.max_score is None:
            return 0.0, 1.0
        low = -inf if self.min_score is None else self.min_score
        return low, inf if self.max_score is None else self.max_score

    @property
    def in_bounds(self) -> bool:
        """True if the score is a number on its scale."""
        low, high = self.bounds
        return self.score is not None and isfinite(self.score) and low <= self.score <= high

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """The interval of the record, or 95 % from its standard error, as far as the scale goes."""
        if self.score is None or self.standard_error is None:
            return self.lower, self.upper
        low, high = self.bounds if self.in_bounds else (-inf, inf)
        half = QUANTILE * self.standard_error
        return (
            max(self.score - half, low) if self.lower is None else self.lower,
            min(self.score + half, high) if self.upper is None else self.upper,
        )


class SampleRow(NamedTuple):
    """A row of a sample file: a row of the table of samples."""

    record: Annotated[_Text, "evaluation_id of the record"]
    result: Annotated[_Text, "evaluation_result_id that the sample names"]
    subset: Annotated[_Text, "evaluation_name that the sample names"]
    file: Annotated[str, "path of the record, as it was given"]
    pointer: Annotated[
        _Text, "JSON pointer of its result in the record; missing if that is not clear"
    ]
    sample: Annotated[_Text, "sample_id"]
    sample_hash: Annotated[_Text, "hash of the input and the references"]
    sample_score: Annotated[_Number, "score of the sample"]
    sample_line: Annotated[int, "line in the sample file, from 1"]
    correct: Annotated[_Truth, "whether it counts as correct"]
    interaction: Annotated[_Text, "single_turn, multi_turn or agentic"]
    turns: Annotated[_Count, "number of turns"]
    tool_calls: Annotated[_Count, "number of tool calls"]
    input_tokens: Annotated[_Count, "tokens of the input"]
    output_tokens: Annotated[_Count, "tokens of the output"]
    reasoning_tokens: Annotated[_Count, "tokens of the reasoning"]
    total_tokens: Annotated[_Count, "all tokens, as the row says"]
    latency_ms: Annotated[_Number, "milliseconds until the answer"]
    error: Annotated[_Text, "what went wrong, where something did"]


class TableColumn(NamedTuple):
    """A column: the type of its values, what it holds, and whether each row has a value."""

    type: type[str] | type[float] | type[int] | type[bool]
    meaning: str
    is_required: bool

    @property
    def sql(self) -> str:
        """The type as SQL names it."""
        return {str: "VARCHAR", float: "DOUBLE", int: "BIGINT", bool: "BOOLEAN"}[self.type]


def columns_of(row: type[ResultRow] | type[SampleRow]) -> dict[str, TableColumn]:
    """Name -> column, in the order of the rows of a table."""
    columns = {}
    for name, hint in get_type_hints(row, include_extras=True).items():
        kind, meaning = get_args(hint)
        optional = get_args(kind)  # of ``str | None``
        columns[name] = TableColumn(next(iter(optional), kind), meaning, not optional)
    return columns


RESULTS, SAMPLES = columns_of(ResultRow), columns_of(SampleRow)
