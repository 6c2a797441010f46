"""Samples of lighteval: the rows of its details, which are Parquet files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evalmark.converters.importers.supplied import finite, texts
from evalmark.converters.records.run import Result, Sample
from evalmark.converters.sources.node import Node
from evalmark.converters.sources.parquet import parquet_rows

_FILES = "details_*.parquet"


def read_details(
    files: Mapping[str, Path], main: Mapping[str, Result], left_out: Counter[str]
) -> Iterator[Sample]:
    """A sample for each row; its score is that of its task's first metric.

    The other scores, and everything else in the row, are its metadata.
    """
    for task, path in files.items():
        result = main[task]
        for number, row in enumerate(parquet_rows(path, path.name, left_out, _FILES)):
            metrics = row.at("metric", {})
            score = _score(metrics.plain(result.metric.name or ""))
            if score is None:
                row.skip_all(why="no number for the first metric of the task")
                continue
            yield _sample(row, number, result, score)


def _score(value: Any) -> float | None:
    return float(value) if isinstance(value, bool) else finite(value)


def _sample(row: Node, number: int, result: Result, score: float) -> Sample:
    doc, response = row.at("doc", {}), row.at("model_response", {})
    choices = [str(choice) for choice in doc.plain("choices") or ()]
    gold = doc.plain("gold_index")
    indices = gold if isinstance(gold, list) else [gold]
    right = [choices[i] for i in indices if type(i) is int and 0 <= i < len(choices)]
    output = response.plain("text") or []
    given = response.plain("input")
    bounds = result.metric.bounds or (0, 1)
    return Sample(
        result=result.name,
        id=str(doc.plain("id") or number),
        raw=given if isinstance(given, str) else doc.text("query", ""),
        reference=tuple(right),
        output=tuple(str(text) for text in (output if isinstance(output, list) else [output])),
        correct=score == bounds[0 if result.metric.lower_is_better else 1],
        score=score,
        choices=tuple(choices) if len(choices) > len(right) else (),
        metadata=texts(
            {f"doc.{key}": value for key, value in doc.left().items()},
            **{f"response.{key}": value for key, value in response.left().items()},
            **{f"metric.{key}": value for key, value in row.at("metric", {}).value.items()},
            query=doc.plain("query") if isinstance(given, str) else None,
            input=None if isinstance(given, str) else given,
            gold_index=gold,
            choices=None if len(choices) > len(right) else choices or None,
            **row.left(),
        ),
    )
