"""What people get wrong in definitions of LTM tests."""

from __future__ import annotations

import random
from typing import Any

from benchmarks.mistakes.operators import Operator, key_missing, key_misspelt, one, put, rename


def script_as_text(test: Any, r: random.Random) -> bool:
    """The script is one text."""
    return bool(test["script"]) and put(test, "script", "\n".join(test["script"]))


def flags_as_numbers(test: Any, r: random.Random) -> bool:
    """is_question has 0 and 1, or texts."""
    if not test["is_question"]:
        return False
    kind = r.choice([int, str])
    return put(test, "is_question", [kind(flag) for flag in test["is_question"]])


def flags_short(test: Any, r: random.Random) -> bool:
    """is_question is one too short."""
    if len(test["is_question"]) < 2:
        return False
    del test["is_question"][0]
    return True


def flags_long(test: Any, r: random.Random) -> bool:
    """is_question is one too long."""
    if not test["script"] or test["is_temporal"]:
        return False
    test["is_question"].insert(0, False)
    return True


def no_question(test: Any, r: random.Random) -> bool:
    """Nothing is a question."""
    return bool(test["is_question"]) and put(
        test, "is_question", [False] * len(test["is_question"])
    )


def question_first(test: Any, r: random.Random) -> bool:
    """The flags are in reverse order: the question comes first, the last message is none."""
    return put(test, "is_question", test["is_question"][::-1])


def line_missing(test: Any, r: random.Random) -> bool:
    """A message is missing from the script."""
    if len(test["script"]) < 3:
        return False
    del test["script"][0]
    return True


def line_empty(test: Any, r: random.Random) -> bool:
    """A message is empty."""
    return bool(test["script"]) and put(test["script"], r.randrange(len(test["script"])), "")


def line_null(test: Any, r: random.Random) -> bool:
    """A message is null or a number."""
    if not test["script"]:
        return False
    return put(test["script"], r.randrange(len(test["script"])), r.choice([None, 5]))


def waits_missing(test: Any, r: random.Random) -> bool:
    """There are no waits."""
    return test.pop("waits", None) is not None


def waits_short(test: Any, r: random.Random) -> bool:
    """A wait is missing."""
    if len(test.get("waits", ())) < 2:
        return False
    del test["waits"][r.randrange(len(test["waits"]))]
    return True


def _wait(test: Any, r: random.Random, key: str = "percentage_finished") -> Any:
    return one((wait for wait in test.get("waits", ()) if key in wait), r)


def share_over_hundred(test: Any, r: random.Random) -> bool:
    """A percentage is over 100 or negative."""
    return put(_wait(test, r), "percentage_finished", r.choice([250, 900, -1]))


def share_as_fraction(test: Any, r: random.Random) -> bool:
    """The percentages are shares: 0.45 for 45."""
    waits = [w for w in test.get("waits", ()) if w.get("percentage_finished")]
    for wait in waits:
        wait["percentage_finished"] /= 100
    return bool(waits)


def share_as_text(test: Any, r: random.Random) -> bool:
    """A percentage is text or null."""
    return put(_wait(test, r), "percentage_finished", r.choice(["45", "45%", None]))


def shares_descend(test: Any, r: random.Random) -> bool:
    """Two percentages are swapped: the later is lower."""
    waits = [w for w in test.get("waits", ()) if w.get("percentage_finished")]
    if len(waits) < 2 or waits[0] == waits[-1]:
        return False
    first, last = waits[0]["percentage_finished"], waits[-1]["percentage_finished"]
    waits[0]["percentage_finished"], waits[-1]["percentage_finished"] = last, first
    return first != last


def tokens_wrong(test: Any, r: random.Random) -> bool:
    """A number of tokens is negative, a fraction or text."""
    if not test.get("waits"):
        return False
    one(test["waits"][:-1] or test["waits"], r)["tokens"] = r.choice([-5, 1.5, "100"])
    return True


def wait_key(test: Any, r: random.Random) -> bool:
    """A wait has a key that does not exist."""
    wait = _wait(test, r)
    return wait is not None and rename(
        wait, "percentage_finished", r.choice(["percentage", "percent_finished", "minutes"])
    )


def wait_number(test: Any, r: random.Random) -> bool:
    """A wait is a number, not an object."""
    if not test.get("waits"):
        return False
    return put(test["waits"], r.randrange(len(test["waits"])), r.choice([90, None]))


def answers_as_text(test: Any, r: random.Random) -> bool:
    """The only expected response is not in a list."""
    answers = test["expected_responses"]
    return len(answers) == 1 and put(test, "expected_responses", answers[0])


def answers_empty(test: Any, r: random.Random) -> bool:
    """Nothing is expected."""
    return put(test, "expected_responses", [])


def answer_null(test: Any, r: random.Random) -> bool:
    """An expected response is null."""
    answers = test["expected_responses"]
    return bool(answers) and put(answers, r.randrange(len(answers)), None)


def answer_not_said(test: Any, r: random.Random) -> bool:
    """The expected word or joke appears in no message: it was misspelt or is of another test."""
    answers = test["expected_responses"]
    if len(answers) != 1 or not isinstance(answers[0], str) or len(answers[0]) < 3:
        return False
    if not any(answers[0].lower() in line.lower() for line in test["script"]):
        return False
    return put(answers, 0, answers[0][:-1] + "zq")


def flag_as_text(test: Any, r: random.Random) -> bool:
    """A flag is text, a number or null."""
    key = r.choice(["can_be_interleaved", "is_temporal", "uses_callback"])
    return put(test, key, r.choice(["yes", "false", 1, None]))


def temporal_without_time(test: Any, r: random.Random) -> bool:
    """is_temporal is set on a test in which no time passes."""
    if not test["script"] or any(w.get("time") for w in test.get("waits", ())):
        return False
    return not any(test.get("time_jumps", ())) and put(test, "is_temporal", True)


def callback_of_another(test: Any, r: random.Random) -> bool:
    """uses_callback is set on a test of a dataset without a callback, or missing on one with it."""
    return put(test, "uses_callback", not test["uses_callback"])


def generations_mixed(test: Any, r: random.Random) -> bool:
    """Keys of two generations are in one file."""
    if "waits" in test:
        test["token_spacings"] = [0] * len(test["is_question"])
    else:
        test["waits"] = [{} for _ in test["is_question"]]
    return True


def unknown_key(test: Any, r: random.Random) -> bool:
    """A key that the format does not know."""
    test[r.choice(["finished", "name", "id", "comment"])] = "x"
    return True


DEFINITIONS: tuple[Operator, ...] = (
    script_as_text, flags_as_numbers, flags_short, flags_long, no_question, question_first,
    line_missing, line_empty, line_null, waits_missing, waits_short, share_over_hundred,
    share_as_fraction, share_as_text, shares_descend, tokens_wrong, wait_key, wait_number,
    answers_as_text, answers_empty, answer_null, answer_not_said, flag_as_text,
    temporal_without_time, callback_of_another, generations_mixed, unknown_key,
    key_missing("script", "is_question", "expected_responses", "is_temporal", "uses_callback"),
    key_misspelt("script", "is_question", "expected_responses", "can_be_interleaved", "waits"),
)  # fmt: skip
