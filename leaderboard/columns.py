"""The columns of the tables of a store: ``results`` has a row for each result of a record.

It holds what records say, as they say it: which names are one model, one developer or one
benchmark is decided when a question is asked (see ``identity``), so that an alias can be edited
without reading any record again.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class StoreColumn(NamedTuple):
    """A column: its type as DuckDB writes it, and what it holds. Any may be null but the keys."""

    type: str
    meaning: str


RESULTS: dict[str, StoreColumn] = {
    "record": StoreColumn("VARCHAR", "evaluation_id of the record"),
    "result": StoreColumn("VARCHAR", "evaluation_result_id, where the result has one"),
    "version": StoreColumn("VARCHAR", "schema version of the record"),
    "model": StoreColumn("VARCHAR", "id of the model, as the record writes it"),
    "model_name": StoreColumn("VARCHAR", "display name of the model"),
    "developer": StoreColumn(
        "VARCHAR", "developer; where the record has none, the owner in the id"
    ),
    "collection": StoreColumn(
        "VARCHAR", "folder of the datastore, or the beginning of evaluation_id"
    ),
    "dataset": StoreColumn("VARCHAR", "name of the data set that was evaluated on"),
    "subset": StoreColumn("VARCHAR", "evaluation_name: the task or subset within the data set"),
    "split": StoreColumn("VARCHAR", "split of the data set"),
    "metric": StoreColumn(
        "VARCHAR", "metric_id, else the name of the metric, else its description if that is a word"
    ),
    "metric_parameters": StoreColumn(
        "VARCHAR", "parameters of the metric, such as the k of pass@k, as a JSON object"
    ),
    "unit": StoreColumn("VARCHAR", "unit of the metric"),
    "lower_is_better": StoreColumn("BOOLEAN", "direction of the metric"),
    "score_type": StoreColumn("VARCHAR", "binary, continuous or levels"),
    "min_score": StoreColumn("DOUBLE", "lowest possible score; null where open or not given"),
    "max_score": StoreColumn("DOUBLE", "highest possible score; null where open or not given"),
    "score": StoreColumn("DOUBLE", "score, on the record's own scale"),
    "normalized_score": StoreColumn("DOUBLE", "0 worst to 1 best; null without both bounds"),
    "standard_error": StoreColumn("DOUBLE", "standard error, on the record's own scale"),
    "lower": StoreColumn("DOUBLE", "lower end of the confidence interval"),
    "upper": StoreColumn("DOUBLE", "upper end of the confidence interval"),
    "confidence_level": StoreColumn("DOUBLE", "level of the interval, such as 0.95"),
    "samples": StoreColumn("BIGINT", "number of samples behind the score"),
    "evaluated_at": StoreColumn("DOUBLE", "when it was evaluated, Unix timestamp"),
    "retrieved_at": StoreColumn("DOUBLE", "when the record was made, Unix timestamp"),
    "source": StoreColumn("VARCHAR", "organization of the source, else its name"),
    "source_type": StoreColumn("VARCHAR", "documentation or evaluation_run"),
    "relationship": StoreColumn("VARCHAR", "of the evaluator to the developer: first_party, …"),
    "url": StoreColumn("VARCHAR", "first URL of the data, where there is one"),
    "harness": StoreColumn("VARCHAR", "evaluation library and its version"),
    "settings": StoreColumn(
        "VARCHAR", "JSON object of every setting: generation, inference, metric"
    ),
    "file": StoreColumn("VARCHAR", "path of the record, as it was given to `store add`"),
    "digest": StoreColumn("VARCHAR", "SHA-256 of the file's bytes"),
    "pointer": StoreColumn("VARCHAR", "JSON pointer of the result in the file"),
    "line": StoreColumn("BIGINT", "line of the result in the file, from 1"),
    "verdict": StoreColumn("VARCHAR", "worst severity that our check found in the file, or clean"),
    "codes": StoreColumn("VARCHAR[]", "codes of the findings of the file, each once"),
    "model_number": StoreColumn(
        "INTEGER", "number of the names of the model in this file, which may change"
    ),
    "benchmark_number": StoreColumn(
        "INTEGER", "number of the names of the benchmark in this file, which may change"
    ),
}


#: The files that were read: a cache, which can be made again from ``results`` and the files.
FILES: dict[str, StoreColumn] = {
    "file": StoreColumn("VARCHAR", "path, as it was given to `store add`"),
    "folder": StoreColumn("VARCHAR", "folder that a relative path starts from"),
    "kind": StoreColumn("VARCHAR", "kind of the file; null if it could not be told"),
    "record": StoreColumn("VARCHAR", "evaluation_id of a record"),
    "results": StoreColumn("BIGINT", "number of its rows in `results`"),
    "verdict": StoreColumn("VARCHAR", "worst severity that our check found, or clean"),
    "codes": StoreColumn("VARCHAR[]", "codes of its findings, each once"),
    "alone": StoreColumn("VARCHAR", "verdict without what other files of the store explain"),
    "digest": StoreColumn("VARCHAR", "SHA-256 of its bytes; null if it could not be read"),
    "size": StoreColumn("BIGINT", "bytes of the file"),
    "mtime": StoreColumn("BIGINT", "when it was changed, nanoseconds; null if just now"),
    "companion": StoreColumn("VARCHAR", "sample file that was checked with it, from its folder"),
    "companion_digest": StoreColumn("VARCHAR", "SHA-256 of the bytes of that file"),
    "companion_size": StoreColumn("BIGINT", "bytes of that file"),
    "companion_mtime": StoreColumn("BIGINT", "when that file was changed, nanoseconds"),
    "check": StoreColumn("VARCHAR", "digest of the options and the version of the check"),
}
#: One row for each sample of a record, in parts; see ``store add --samples``.
SAMPLES: dict[str, StoreColumn] = {
    "record": StoreColumn("VARCHAR", "evaluation_id of the record"),
    "result": StoreColumn("VARCHAR", "evaluation_result_id of the result, where the row has one"),
    "subset": StoreColumn("VARCHAR", "evaluation_name of the result"),
    "model": StoreColumn("VARCHAR", "id of the model, as the row writes it"),
    "sample": StoreColumn("VARCHAR", "sample_id"),
    "sample_hash": StoreColumn("VARCHAR", "hash of the input and the references"),
    "interaction": StoreColumn("VARCHAR", "single_turn, multi_turn or agentic"),
    "score": StoreColumn("DOUBLE", "score of the sample"),
    "correct": StoreColumn("BOOLEAN", "whether it counts as correct"),
    "turns": StoreColumn("BIGINT", "number of turns"),
    "tool_calls": StoreColumn("BIGINT", "number of tool calls"),
    "input_tokens": StoreColumn("BIGINT", "tokens of the input"),
    "output_tokens": StoreColumn("BIGINT", "tokens of the output"),
    "reasoning_tokens": StoreColumn("BIGINT", "tokens of the reasoning"),
    "total_tokens": StoreColumn("BIGINT", "all tokens, as the row says"),
    "latency_ms": StoreColumn("DOUBLE", "milliseconds until the answer"),
    "error": StoreColumn("VARCHAR", "what went wrong, where something did"),
    "file": StoreColumn("VARCHAR", "path of the record, as in `results`"),
    "digest": StoreColumn("VARCHAR", "SHA-256 of the bytes of the sample file"),
    "line": StoreColumn("BIGINT", "line of the row in the sample file, from 1"),
}


def arrow_schema(columns: dict[str, StoreColumn] = RESULTS) -> Any:
    """The columns of a table as a ``pyarrow.Schema``."""
    import pyarrow as pa

    types = {
        "VARCHAR": pa.string(),
        "VARCHAR[]": pa.list_(pa.string()),
        "DOUBLE": pa.float64(),
        "BIGINT": pa.int64(),
        "INTEGER": pa.int32(),
        "BOOLEAN": pa.bool_(),
    }
    return pa.schema([(name, types[column.type]) for name, column in columns.items()])
