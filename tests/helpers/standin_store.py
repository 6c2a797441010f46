"""A store with given results, for tests of pages and questions."""

from __future__ import annotations

import hashlib

import stores

WORDS = {"collection": "c", "split": "test", "metric": "accuracy", "lower_is_better": False}


def result(model="lab/a", dataset="Facts", score=0.5, **given):
    """A row of the table ``results``."""
    file = given.get("file", f"data/{model}-{dataset}-{score}.json")
    row = {
        **WORDS, "record": file, "version": "0.2.2", "model": model, "developer": "lab",
        "dataset": dataset, "subset": "all", "min_score": 0.0, "max_score": 1.0, "score": score,
        "samples": 100, "evaluated_at": 1.75e9, "retrieved_at": 1.75e9, "source": "us",
        "relationship": "third_party", "file": file, "settings": "{}",
        "digest": hashlib.sha256(file.encode()).hexdigest(), "pointer": "/evaluation_results/0",
        "line": 1, "verdict": "clean", "codes": [],
    }  # fmt: skip
    return row | given


def store_of(folder, rows):
    """A store with these rows."""
    return stores.store_of(folder, *rows)
