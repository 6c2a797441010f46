"""What people get wrong in sample files; the data is the list of rows."""

from __future__ import annotations

import copy
import random
from typing import Any

from benchmarks.mistakes.operators import (
    Operator,
    holders,
    key_missing,
    key_misspelt,
    misspelt,
    one,
    put,
)


def row_twice(rows: Any, r: random.Random) -> bool:
    """A row was written twice."""
    rows.insert(r.randrange(len(rows)), copy.deepcopy(one(rows, r)))
    return True


def row_missing(rows: Any, r: random.Random) -> bool:
    """A row is missing: the record counts one more."""
    if len(rows) < 2:
        return False
    del rows[r.randrange(len(rows))]
    return True


def _other(key: str, *values: Any) -> Operator:
    """An operator that gives one row another value of a key."""

    def other(rows: Any, r: random.Random) -> bool:
        holder = one(holders(rows, key), r)
        if holder is None:
            return False
        value = r.choice(values)
        return put(holder, key, value(holder[key], r) if callable(value) else value)

    other.__name__ = f"{key}_other"
    other.__doc__ = f"{key} of one row is wrong."
    return other


def _of_another_run(text: str, r: random.Random) -> str:
    return misspelt(text, r)


def hash_stale(rows: Any, r: random.Random) -> bool:
    """The input was changed after its hash was computed."""
    row = one(rows, r)
    raw = row["input"]["raw"]
    return isinstance(raw, str) and put(row["input"], "raw", raw + " Answer briefly.")


def hash_cut(rows: Any, r: random.Random) -> bool:
    """A hash was cut, or is of another kind."""
    row = one(rows, r)
    if "sample_hash" not in row:
        return False
    return put(row, "sample_hash", r.choice([row["sample_hash"][:32], "", "0x1f"]))


def correct_against_score(rows: Any, r: random.Random) -> bool:
    """is_correct says the opposite of the score."""
    holder = one((h for h in holders(rows, "score", "is_correct") if h["score"] in (0, 1)), r)
    return holder is not None and put(holder, "is_correct", not holder["is_correct"])


def score_percent(rows: Any, r: random.Random) -> bool:
    """The score of a right answer is 100."""
    holder = one((h for h in holders(rows, "score", "is_correct") if h["score"] == 1), r)
    return put(holder, "score", 100)


def score_flipped(rows: Any, r: random.Random) -> bool:
    """The score of one row is another: the record's mean does not follow from the rows."""
    holder = one((h for h in holders(rows, "score", "is_correct") if h["score"] in (0, 1)), r)
    if holder is None:
        return False
    holder["score"] = 1.0 - holder["score"]
    holder["is_correct"] = not holder["is_correct"]
    return True


def output_beside_messages(rows: Any, r: random.Random) -> bool:
    """A row of one turn has messages, or a row of several turns has an output."""
    row = one(rows, r)
    if row["interaction_type"] == "single_turn":
        if row.get("messages"):
            return False
        row["messages"] = [{"turn_idx": 0, "role": "user", "content": "Hello."}]
    else:
        row["output"] = {"raw": ["x"]}
    return True


def turn_of_answer(rows: Any, r: random.Random) -> bool:
    """An answer comes from a message that does not exist."""
    found = (a for row in rows if row.get("messages") for a in row.get("answer_attribution") or ())
    return put(one(found, r), "turn_idx", 99)


def turns_from_one(rows: Any, r: random.Random) -> bool:
    """The messages are counted from 1."""
    messages = one((row["messages"] for row in rows if row.get("messages")), r)
    for message in messages or ():
        message["turn_idx"] += 1
    return bool(messages)


def turn_twice(rows: Any, r: random.Random) -> bool:
    """Two messages have one index."""
    messages = one((row["messages"] for row in rows if len(row.get("messages") or ()) > 1), r)
    return messages is not None and put(messages[1], "turn_idx", messages[0]["turn_idx"])


def turns_counted(rows: Any, r: random.Random) -> bool:
    """num_turns is beyond the number of messages."""
    return put(one(holders(rows, "num_turns"), r), "num_turns", 40)


def tool_call_unknown(rows: Any, r: random.Random) -> bool:
    """A tool's answer refers to a call that was not made."""
    message = one((m for m in holders(rows, "tool_call_id") if m["tool_call_id"]), r)
    return put(message, "tool_call_id", ["call_99"])


def tokens_total(rows: Any, r: random.Random) -> bool:
    """The total of tokens is not the sum of its parts."""
    usage = one(holders(rows, "input_tokens", "output_tokens", "total_tokens"), r)
    return usage is not None and put(usage, "total_tokens", usage["total_tokens"] + 100)


def tokens_negative(rows: Any, r: random.Random) -> bool:
    """A number of tokens is negative or a fraction."""
    return put(one(holders(rows, "input_tokens"), r), "input_tokens", r.choice([-5, 2.5, "5"]))


def reference_as_text(rows: Any, r: random.Random) -> bool:
    """The only reference is not in a list, or a number."""
    holder = one((row["input"] for row in rows if row["input"].get("reference")), r)
    if holder is None:
        return False
    return put(holder, "reference", r.choice([holder["reference"][0], 2]))


def raw_null(rows: Any, r: random.Random) -> bool:
    """The input is null, or a list of messages."""
    return put(one(rows, r)["input"], "raw", r.choice([None, [{"role": "user"}], 3]))


def input_as_text(rows: Any, r: random.Random) -> bool:
    """The input is a text, not an object."""
    row = one(rows, r)
    return put(row, "input", row["input"]["raw"])


def correct_as_text(rows: Any, r: random.Random) -> bool:
    """is_correct is text, a number or null."""
    return put(one(holders(rows, "is_correct"), r), "is_correct", r.choice(["true", 1, None]))


def score_as_text(rows: Any, r: random.Random) -> bool:
    """The score is text, a truth value or null."""
    return put(one(holders(rows, "is_correct"), r), "score", r.choice(["1.0", True, None]))


SAMPLES: tuple[Operator, ...] = (
    row_twice, row_missing, hash_stale, hash_cut, correct_against_score, score_percent,
    score_flipped, output_beside_messages, turn_of_answer, turns_from_one, turn_twice,
    turns_counted, tool_call_unknown, tokens_total, tokens_negative, reference_as_text, raw_null,
    input_as_text, correct_as_text, score_as_text,
    _other("evaluation_id", _of_another_run), _other("model_id", _of_another_run, "another/model"),
    _other("evaluation_name", _of_another_run), _other("schema_version", "0.1", "1.0", "0.2.9"),
    _other("interaction_type", "single", "multi-turn", "chat"),
    _other("role", "human", "bot", "Assistant"),
    key_missing(
        "evaluation_id", "model_id", "sample_id", "interaction_type", "input", "evaluation",
        "score", "is_correct",
    ),
    key_misspelt(
        "evaluation_id", "model_id", "evaluation_name", "sample_id", "interaction_type", "input",
        "evaluation", "score", "is_correct", "answer_attribution",
    ),
)  # fmt: skip
