"""What people get wrong in results and logs of LTM tests."""

from __future__ import annotations

import copy
import random
import re
from typing import Any

from benchmarks.mistakes.definitions import unknown_key
from benchmarks.mistakes.operators import Operator, key_missing, key_misspelt, one, put


def _set(key: str, meaning: str, *values: Any) -> Operator:
    """An operator that gives a key of a result another value."""

    def changed(result: Any, r: random.Random) -> bool:
        value = r.choice(values)
        if key not in result:
            return False
        return put(result, key, value(result) if callable(value) else value)

    changed.__name__ = f"{key}: {meaning}"
    changed.__doc__ = meaning
    return changed


def response_not_in_log(result: Any, r: random.Random) -> bool:
    """A response is not what the agent says in the log."""
    answers = result["actual_responses"]
    return bool(answers) and put(answers, r.randrange(len(answers)), "A thing nobody said.")


def log_line_bare(result: Any, r: random.Random) -> bool:
    """A line of the log lacks who spoke, or when."""
    at = r.randrange(len(result["task_log"]))
    head, _, text = result["task_log"][at].partition("): ")
    return put(result["task_log"], at, r.choice([text, f"{head.split(' (')[0]}: {text}"]))


def log_time_iso(result: Any, r: random.Random) -> bool:
    """A time in the log has another form."""
    at = r.randrange(len(result["task_log"]))
    line = result["task_log"][at]
    return put(result["task_log"], at, re.sub(r"(?<=\d{4}-\d\d-\d\d) ", "T", line, count=1))


def log_line_missing(result: Any, r: random.Random) -> bool:
    """A line of the log is missing: two messages of one speaker follow each other."""
    if len(result["task_log"]) < 4:
        return False
    del result["task_log"][r.randrange(1, len(result["task_log"]) - 2)]
    return True


def log_time_backwards(result: Any, r: random.Random) -> bool:
    """A line of the log is a year earlier than the line before."""
    at = r.randrange(1, len(result["task_log"]))
    line = result["task_log"][at]
    return put(
        result["task_log"],
        at,
        re.sub(r"\((\d{4})", lambda m: f"({int(m[1]) - 1}", line, count=1),
    )


def half_override(result: Any, r: random.Random) -> bool:
    """The score was changed by hand, and only half of the automatic evaluation was kept."""
    if "auto_score" in result or "auto_reasoning" in result or "needles" not in result:
        return False
    key, value = r.choice([("auto_score", 0), ("auto_reasoning", ["x"]), ("auto reasoning", ["x"])])
    result[key] = value
    return True


def answers_of_another(result: Any, r: random.Random) -> bool:
    """The expected responses are not those of the definition."""
    answers = result["expected_responses"]
    return bool(answers) and put(result, "expected_responses", [*answers, "Another one."])


RESULTS: tuple[Operator, ...] = (
    _set("score", "The score is above its maximum.", lambda x: x["max_score"] + 1),
    _set("score", "The score is negative, text or null.", -1, "1", None),
    _set("max_score", "The maximum is 0, negative, text or null.", 0, -1, "1", None),
    _set("task_log", "The log is empty or one text.", [], "Test: Hello."),
    _set("actual_responses", "The responses are empty or one text.", [], "Blue."),
    _set("reasoning", "The reasoning is one text or null.", "It is right.", None),
    _set("tokens", "The number of tokens is negative, a fraction or text.", -1, 7.5, "120"),
    _set("characters", "The number of characters is negative or null.", -1, None),
    _set("needles", "The number of needles is negative or a fraction.", -1, 0.5),
    response_not_in_log, log_line_bare, log_time_iso, log_line_missing, log_time_backwards,
    half_override, answers_of_another, unknown_key,
    key_missing("task_log", "actual_responses", "score", "max_score", "expected_responses"),
    key_misspelt("task_log", "actual_responses", "max_score", "reasoning", "expected_responses"),
)  # fmt: skip


def _events(log: Any, *types: int) -> list[int]:
    return [at for at, event in enumerate(log) if event.get("type") in types]


def event_type(log: Any, r: random.Random) -> bool:
    """An event has a type that does not exist, or its name."""
    return put(one(log, r), "type", r.choice([11, 99, "BEGIN", None]))


def event_time_ms(log: Any, r: random.Random) -> bool:
    """The time of an event is in milliseconds, or the log's last time is far before its others."""
    event = one(log[:-1], r)
    return put(event, "timestamp", event["timestamp"] * 1000)


def event_time_iso(log: Any, r: random.Random) -> bool:
    """The time of an event is a date, or text."""
    event = one(log, r)
    return put(event, "timestamp", r.choice(["2024-05-01T12:00:00", str(event["timestamp"]), None]))


def events_swapped(log: Any, r: random.Random) -> bool:
    """Two events are in the wrong order."""
    found = [at for at in range(len(log) - 1) if log[at]["timestamp"] < log[at + 1]["timestamp"]]
    at = one(found, r)
    if at is None:
        return False
    log[at], log[at + 1] = log[at + 1], log[at]
    return True


def answer_missing(log: Any, r: random.Random) -> bool:
    """A message has no answer."""
    at = one(_events(log, 4, 5), r)
    return at is not None and bool(log.pop(at))


def end_missing(log: Any, r: random.Random) -> bool:
    """A test has no end."""
    at = one(_events(log, 2), r)
    return at is not None and bool(log.pop(at))


def begin_missing(log: Any, r: random.Random) -> bool:
    """A test has no begin."""
    at = one(_events(log, 1), r)
    return at is not None and bool(log.pop(at))


def test_misspelt(log: Any, r: random.Random) -> bool:
    """An event names a test that never began."""
    event = one((e for e in log if e["test_id"]), r)
    return event is not None and put(event, "test_id", event["test_id"] + "0")


def data_missing(log: Any, r: random.Random) -> bool:
    """A message event has no text."""
    at = one(_events(log, 0, 3, 4, 5), r)
    if at is None:
        return False
    del log[at]["data"]["message"]
    return True


def event_twice(log: Any, r: random.Random) -> bool:
    """An event was written twice."""
    at = one(_events(log, 0, 1, 2, 4), r)
    if at is None:
        return False
    log.insert(at, copy.deepcopy(log[at]))
    return True


LOGS: tuple[Operator, ...] = (
    event_type, event_time_ms, event_time_iso, events_swapped, answer_missing, end_missing,
    begin_missing, test_misspelt, data_missing, event_twice,
    key_missing("type", "timestamp", "test_id", "data"),
    key_misspelt("type", "timestamp", "test_id", "data"),
)  # fmt: skip
