"""The format of the results of one task, and what must hold of its scores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from evalmark import Rule, Severity
from evalmark.extending import At, Document, Format, JsonChecks, Mistake

SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Results of MTEB on one task",
    "type": "object",
    "required": ["task_name", "dataset_revision", "scores"],
    "properties": {
        "task_name": {"type": "string", "description": "The task."},
        "dataset_revision": {"type": "string", "description": "The revision of its data."},
        "mteb_version": {"type": ["string", "null"], "description": "The version that ran it."},
        "date": {"type": "number", "description": "When it ended: a Unix timestamp."},
        "evaluation_time": {"type": ["number", "null"], "description": "Seconds that it took."},
        "scores": {
            "type": "object",
            "description": "Split -> the scores of each of its subsets.",
            "additionalProperties": {"type": "array", "items": {"$ref": "#/definitions/scores"}},
        },
    },
    "definitions": {
        "scores": {
            "type": "object",
            "required": ["hf_subset", "languages", "main_score"],
            "properties": {
                "hf_subset": {"type": "string", "description": "The subset of the data."},
                "languages": {"type": "array", "items": {"type": "string"}},
                "main_score": {"type": "number", "description": "The score of the leaderboard."},
            },
        }
    },
}


def entries(task: Document) -> Iterator[tuple[str, dict[str, Any]]]:
    """The scores of each split and subset, with their pointers."""
    for split, scores in task.data["scores"].items():
        name = split.replace("~", "~0").replace("/", "~1")
        for number, entry in enumerate(scores):
            yield f"/scores/{name}/{number}", entry


def main_score(task: Document) -> Iterator[Mistake]:
    """The main score is one of the other scores of its entry.

    MTEB takes it from one of them, which says what it measures.

    Bad: `"main_score": 0.5` beside `"accuracy": 0.7`
    Good: `"main_score": 0.7` beside `"accuracy": 0.7`
    """
    for at, entry in entries(task):
        score = entry["main_score"]
        if not any(key != "main_score" and value == score for key, value in entry.items()):
            yield Mistake(
                f"no other score of this entry is {score}, the main score",
                At(f"{at}/main_score"),
                helps=("write the score of the task's main metric",),
            )


def one_subset(task: Document) -> Iterator[Mistake]:
    """A split has each subset once.

    Bad: two entries with `"hf_subset": "eng"` in `test`
    Good: `"hf_subset": "eng"` and `"hf_subset": "fra"`
    """
    first: dict[tuple[str, str], str] = {}
    for at, entry in entries(task):
        key = at.rpartition("/")[0], entry["hf_subset"]
        if first.setdefault(key, at) != at:
            yield Mistake(
                f"the subset {json.dumps(key[1])} is there already, at {first[key]}",
                At(f"{at}/hf_subset"),
                helps=("remove one of the two entries",),
            )


class TaskChecks(JsonChecks):
    """The results of MTEB on one task."""

    def rules(self) -> tuple[Rule, ...]:
        """What a schema cannot say."""
        return (
            Rule.of("MB201", "unknown-main-score", Severity.WARNING, main_score),
            Rule.of("MB202", "repeated-subset", Severity.ERROR, one_subset),
        )


TASK = Format(
    "mteb-task",
    "an object with `task_name`, `scores` and `mteb_version`",
    "MB",
    (frozenset(("task_name", "scores", "mteb_version")),),
    TaskChecks,
    schema=lambda: SCHEMA,
)
