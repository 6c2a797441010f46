"""What judges replied in a finished run, from its log: ours, or one of the LTM benchmark."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evalmark.conversations.running.run_folder import Failed
from evalmark.conversations.running.run_log import LOG, read_log
from evalmark.schemas.errors import ScoringError
from evalmark.validator.edge.opening import read_whole

#: The log of a run of the benchmark, and the type of its events that hold a model's reply.
MASTER_LOG = "master_log.jsonl"
_LLM_CALL = 8


@dataclass(frozen=True, slots=True)
class JudgeReplies:
    """Test → the replies of models to it, in order."""

    own: Mapping[str, list[str]]  # of the judge of a run of evalmark
    published: Mapping[str, list[str]]  # of the models of a run of the benchmark


def judge_replies(folder: Path, failed: Failed | None) -> JudgeReplies:
    """The replies of judges in the logs of an agent's folder; none for a log that cannot be read.

    Raises:
        EvalmarkError: A log cannot be read, and nobody asked to be called about it.
    """
    found: list[dict[str, list[str]]] = []
    for name, read in ((LOG, _own), (MASTER_LOG, _published)):
        try:
            found.append(read(folder / name))
        except Exception as error:
            if failed is None:
                raise
            failed(folder / name, error)
            found.append({})
    return JudgeReplies(*found)


def _own(log: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for event in read_log(log):
        if event.get("event") == "llm" and "reply" in event:
            found[event["test"]].append(event["reply"])
    return dict(found)


def _published(log: Path) -> dict[str, list[str]]:
    """As the benchmark takes them from its log: all calls of a test, in order."""
    found: dict[str, list[str]] = defaultdict(list)
    try:
        lines = read_whole(log).splitlines()
    except FileNotFoundError:
        return {}
    for number, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
            if event["type"] == _LLM_CALL:
                found[event["test_id"]].append(event["data"]["response"])
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise ScoringError(
                f"{log}: line {number} is not an event of a log; `evalmark check` says more"
            ) from error
    return dict(found)
