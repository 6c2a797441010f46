"""Mistakes in LongMemEval questions and in answers to them."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

from evalmark.validator.formats.memory_sets.longmemeval import ABSTENTION, LISTS, QUESTION_TYPES
from evalmark.validator.formats.memory_sets.memory_dates import read_longmemeval, write_longmemeval

from benchmarks.mistakes.operators import (
    Operator,
    camel,
    holders,
    key_missing,
    key_misspelt,
    misspelt,
    one,
    put,
    rename,
)

_KEYS = (
    "question_id", "question_type", "question", "answer", "question_date", "answer_session_ids",
    *LISTS,
)  # fmt: skip


def questions(data: Any) -> list[dict[str, Any]]:
    return list(holders(data, "question_id", "haystack_sessions"))


def dates(data: Any) -> list[tuple[Any, Any]]:
    """What holds a date, and its key."""
    found: list[tuple[Any, Any]] = []
    for question in questions(data):
        found.append((question, "question_date"))
        found += [(question["haystack_dates"], i) for i in range(len(question["haystack_dates"]))]
    return found


def turns(data: Any) -> list[dict[str, Any]]:
    return list(holders(data, "role", "content"))


def a_date(change: Any, name: str, what: str) -> Operator:
    """An operator on one of the dates."""

    def operator(data: Any, r: random.Random) -> bool:
        found = dates(data)
        if not found:
            return False
        holder, key = r.choice(found)
        return put(holder, key, change(holder[key], r))

    operator.__name__, operator.__doc__ = name, what
    return operator


DATES: tuple[Operator, ...] = (
    a_date(lambda old, r: old.replace("/", "-"), "date_dashes", "A date with dashes."),
    a_date(lambda old, r: old.partition(" ")[0], "date_alone", "A date without a time."),
    a_date(lambda old, r: old.replace(" ", "T", 1), "date_iso", "A date with T."),
    a_date(lambda old, r: old[:5] + "13" + old[7:], "date_month", "A month 13."),
    a_date(lambda old, r: old[:8] + "32" + old[10:], "date_day", "A day 32."),
    a_date(lambda old, r: old[:-5] + "25:00", "date_hour", "An hour 25."),
    a_date(lambda old, r: "", "date_empty", "No date."),
    a_date(lambda old, r: 20230508, "date_number", "A date as a number."),
    a_date(lambda old, r: None, "date_null", "A date that is null."),
    a_date(
        lambda old, r: old.replace(old[12:15], {"Mon": "Tue"}.get(old[12:15], "Mon")),
        "date_weekday", "The wrong day of the week.",
    ),
    a_date(
        lambda old, r: old[:12] + old[12:15].upper() + old[15:], "date_capitals", "A day as MON."
    ),
)  # fmt: skip


def question_before_sessions(data: Any, r: random.Random) -> bool:
    """A question that is asked before its sessions."""
    question = one(questions(data), r)
    time = read_longmemeval(question["question_date"]) if question else None
    return bool(time) and put(
        question, "question_date", write_longmemeval(time - timedelta(days=4000))
    )


def type_misspelt(data: Any, r: random.Random) -> bool:
    """A type of question is misspelt."""
    question = one(questions(data), r)
    return question is not None and put(
        question, "question_type", misspelt(question["question_type"], r)
    )


def type_underscored(data: Any, r: random.Random) -> bool:
    """A type of question with underscores, or in capitals."""
    question = one(questions(data), r)
    if question is None:
        return False
    old = question["question_type"]
    return put(question, "question_type", r.choice([old.replace("-", "_"), old.title()]))


def evidence_of_another(data: Any, r: random.Random) -> bool:
    """Evidence in a session that the question does not have."""
    question = one((q for q in questions(data) if q["answer_session_ids"]), r)
    if question is None:
        return False
    ids = question["answer_session_ids"]
    return put(ids, r.randrange(len(ids)), misspelt(ids[0], r))


def evidence_missing(data: Any, r: random.Random) -> bool:
    """A question without evidence whose turns are marked."""
    found = [
        q for q in questions(data)
        if q["answer_session_ids"] and not q["question_id"].endswith(ABSTENTION)
    ]  # fmt: skip
    question = one(found, r)
    return question is not None and put(question, "answer_session_ids", [])


def mark_missing(data: Any, r: random.Random) -> bool:
    """No turn of the evidence is marked."""
    marked = [
        q for q in questions(data)
        if not q["question_id"].endswith(ABSTENTION) and list(holders(q, "has_answer"))
    ]  # fmt: skip
    question = one(marked, r)
    if question is None:
        return False
    for turn in holders(question, "has_answer"):
        turn["has_answer"] = False
    return True


def mark_elsewhere(data: Any, r: random.Random) -> bool:
    """A turn outside of the evidence is marked."""
    found = [
        (q, place) for q in questions(data) for place, name in enumerate(q["haystack_session_ids"])
        if name not in q["answer_session_ids"] and not q["question_id"].endswith(ABSTENTION)
    ]  # fmt: skip
    if not found:
        return False
    question, place = r.choice(found)
    question["haystack_sessions"][place][0]["has_answer"] = True
    return True


def mark_as_text(data: Any, r: random.Random) -> bool:
    """A mark that is a text or a number."""
    turn = one(holders(data, "has_answer"), r)
    return turn is not None and put(turn, "has_answer", r.choice(["true", "yes", 1]))


def entry_missing(data: Any, r: random.Random) -> bool:
    """One of the lists of sessions has an entry less."""
    question = one(questions(data), r)
    if question is None:
        return False
    entries = question[r.choice(LISTS)]
    if not entries:
        return False
    del entries[r.randrange(len(entries))]
    return True


def entry_twice(data: Any, r: random.Random) -> bool:
    """One of the lists of sessions has an entry twice."""
    question = one(questions(data), r)
    if question is None:
        return False
    entries = question[r.choice(LISTS)]
    if not entries:
        return False
    entries.append(entries[-1])
    return True


def session_id_twice(data: Any, r: random.Random) -> bool:
    """Two sessions of a question have the same id, and not the same turns."""
    question = one((q for q in questions(data) if len(q["haystack_session_ids"]) > 1), r)
    if question is None:
        return False
    ids = question["haystack_session_ids"]
    return put(ids, 1, ids[0])


def question_id_twice(data: Any, r: random.Random) -> bool:
    """Two questions have the same id."""
    found = questions(data)
    if len(found) < 2:
        return False
    first, second = r.sample(found, 2)
    return put(second, "question_id", first["question_id"])


def role_other(data: Any, r: random.Random) -> bool:
    """A role of another program, or misspelt."""
    turn = one(turns(data), r)
    if turn is None:
        return False
    role = turn["role"]
    return put(turn, "role", r.choice(["human", "bot", "User", misspelt(role, r)]))


def content_odd(data: Any, r: random.Random) -> bool:
    """What is said is not a text."""
    turn = one(turns(data), r)
    return turn is not None and put(turn, "content", r.choice([None, 3, ["a"], {"text": "a"}]))


def text_empty(data: Any, r: random.Random) -> bool:
    """A question or an answer is empty."""
    question = one(questions(data), r)
    return question is not None and put(question, r.choice(["question", "answer"]), "")


def value_odd(data: Any, r: random.Random) -> bool:
    """A value of another type."""
    question = one(questions(data), r)
    if question is None:
        return False
    key = r.choice(["question", "question_id", "question_type", *LISTS, "answer_session_ids"])
    return put(question, key, r.choice([None, 3, {"a": 1}, True]))


def turn_key_misspelt(data: Any, r: random.Random) -> bool:
    """A key of a turn is misspelt, or of another program."""
    turn = one(turns(data), r)
    if turn is None:
        return False
    key = r.choice(["role", "content"])
    new = {"role": "from", "content": "value"}[key] if r.random() < 0.3 else misspelt(key, r)
    return rename(turn, key, new)


def mark_misspelt(data: Any, r: random.Random) -> bool:
    """The key of a mark is misspelt."""
    turn = one(holders(data, "has_answer"), r)
    if turn is None:
        return False
    new = r.choice([camel("has_answer"), misspelt("has_answer", r)])
    return rename(turn, "has_answer", new)


def abstention_suffix(data: Any, r: random.Random) -> bool:
    """The mark of an abstention question is lost although it has marked evidence, or added."""
    found = [
        q for q in questions(data)
        if not q["question_id"].endswith(ABSTENTION) and list(holders(q, "has_answer"))
    ]  # fmt: skip
    question = one(found, r)
    return question is not None and put(
        question, "question_id", question["question_id"] + ABSTENTION
    )


QUESTIONS: tuple[Operator, ...] = (
    key_missing(*_KEYS, "role", "content"),
    key_misspelt(*_KEYS),
    *DATES,
    question_before_sessions, type_misspelt, type_underscored, evidence_of_another,
    evidence_missing, mark_missing, mark_elsewhere, mark_as_text, entry_missing, entry_twice,
    session_id_twice, question_id_twice, role_other, content_odd, text_empty, value_odd,
    turn_key_misspelt, mark_misspelt, abstention_suffix,
)  # fmt: skip
assert len(QUESTION_TYPES) == 6


def answer_id(data: Any, r: random.Random) -> bool:
    """An answer to a question that the set does not have."""
    row = one(holders(data, "hypothesis"), r)
    return row is not None and put(row, "question_id", misspelt(row["question_id"], r) + "z")


def answer_twice(data: Any, r: random.Random) -> bool:
    """A question is answered twice."""
    data.append({**r.choice(data), "hypothesis": "something else"})
    return True


def answer_lost(data: Any, r: random.Random) -> bool:
    """A question is not answered."""
    del data[r.randrange(len(data))]
    return bool(data)


def answer_odd(data: Any, r: random.Random) -> bool:
    """An answer that is empty, or not a text."""
    return put(r.choice(data), "hypothesis", r.choice(["", " ", None, 3, ["a"]]))


def label_lost(data: Any, r: random.Random) -> bool:
    """An answer without the label that the others have."""
    row = one(holders(data, "autoeval_label"), r)
    if row is None or len(data) < 2:
        return False
    del row["autoeval_label"]
    return True


def label_odd(data: Any, r: random.Random) -> bool:
    """A label that is not true or false."""
    row = one(holders(data, "autoeval_label"), r)
    return row is not None and put(row["autoeval_label"], "label", r.choice(["yes", 1, None]))


def label_of_another(data: Any, r: random.Random) -> bool:
    """A label by another judge."""
    row = one(holders(data, "autoeval_label"), r)
    return (
        row is not None and len(data) > 2 and put(row["autoeval_label"], "model", "another-judge")
    )


ANSWERS: tuple[Operator, ...] = (
    key_missing("question_id", "hypothesis", "label"),
    key_misspelt("question_id", "hypothesis"),
    answer_id, answer_twice, answer_lost, answer_odd, label_lost, label_odd, label_of_another,
)  # fmt: skip
