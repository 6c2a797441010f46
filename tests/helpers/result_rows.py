"""Rows of results for tests, written with what matters only."""

import hashlib
from typing import Any

from evalmark.leaderboard.names import MergedNames, with_names
from evalmark.leaderboard.result_columns import RESULTS, ResultRow
from evalmark.leaderboard.results import Results

#: A result, as far as tests do not say otherwise.
USUAL: dict[str, Any] = {
    "version": "0.2.0",
    "model": "lab/one",
    "model_name": "One",
    "developer": "lab",
    "collection": "board",
    "dataset": "mmlu",
    "subset": "algebra",
    "split": "test",
    "metric": "accuracy",
    "lower_is_better": False,
    "score_type": "continuous",
    "min_score": 0.0,
    "max_score": 1.0,
    "score": 0.5,
    "source": "Lab",
    "relationship": "third_party",
    "settings": "{}",
    "verdict": "clean",
}


def result(model="lab/a", dataset="Facts", score=0.5, **given: Any) -> dict[str, Any]:
    """What tests of pages say of a result: the rest is usual."""
    file = given.get("file", f"data/{model}-{dataset}-{score}.json")
    return {
        "record": file, "version": "0.2.2", "model": model, "collection": "c", "dataset": dataset,
        "subset": "all", "score": score, "samples": 100, "evaluated_at": 1.75e9,
        "retrieved_at": 1.75e9, "source": "us", "file": file,
        "digest": hashlib.sha256(file.encode()).hexdigest(),
    } | given  # fmt: skip


def rows_of(*rows: dict[str, Any], names: MergedNames = MergedNames()) -> list[ResultRow]:  # noqa: B008
    """Complete rows: what is not given is usual, and each is a record of its own."""
    found = []
    for number, row in enumerate(rows):
        own = {
            **dict.fromkeys(RESULTS),
            "record": f"record-{number}",
            "file": f"{row.get('record', f'record-{number}')}.json",
            "pointer": "/evaluation_results/0",
            "line": 1,
            **USUAL,
            **row,
        }
        own["digest"] = own["digest"] or f"digest of {own['file']} with {sorted(row.items())}"
        done = with_names(ResultRow(**{name: own[name] for name in RESULTS}), names)
        is_level = '"has_unknown_level":true' not in (done.settings or "") or done.score != -1
        found.append(
            done._replace(
                represents=done.score is not None and done.model_key is not None,
                is_ranked=done.in_bounds and is_level and done.lower_is_better is not None,
            )
        )
    return found


def results_of(*rows: dict[str, Any], **options: Any) -> Results:
    """Results of some rows."""
    return Results(rows_of(*rows, **options))
