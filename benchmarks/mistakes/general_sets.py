"""Mistakes in memory sets in the general form."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.mistakes.operators import (
    Operator,
    camel,
    holders,
    key_missing,
    misspelt,
    one,
    put,
    rename,
)

#: Keys whose loss or misspelling loses something that the set needs.
_KEYS = (
    "memory_set", "name", "histories", "sessions", "questions", "turns", "role", "content",
    "question", "type",
)  # fmt: skip
_OPTIONAL = (
    "date", "speaker", "speakers", "answer", "abstention", "wrong_answers", "options", "rubric",
    "evidence", "after", "explanation", "ordered", "types",
)  # fmt: skip


def histories(data: Any) -> list[dict[str, Any]]:
    return list(holders(data, "sessions", "questions"))


def questions(data: Any, *keys: str) -> Iterator[dict[str, Any]]:
    for history in histories(data):
        yield from holders(history["questions"], "question", *keys)


def with_history(data: Any, r: random.Random, *keys: str) -> tuple[Any, Any] | None:
    """A question with these keys, and its history."""
    found = [(h, q) for h in histories(data) for q in holders(h["questions"], "question", *keys)]
    return r.choice(found) if found else None


def a_value(
    name: str, what: str, key: str, change: Callable[[Any, random.Random], Any], beside: str = "id"
) -> Operator:
    """An operator on the value of a key of an object that also has another key."""

    def operator(data: Any, r: random.Random) -> bool:
        holder = one(holders(data, key, beside), r)
        return holder is not None and put(holder, key, change(holder[key], r))

    operator.__name__, operator.__doc__ = name, what
    return operator


def key_misspelt(data: Any, r: random.Random) -> bool:
    """A key is misspelt, or written in camel case."""
    found = [(node, key) for key in (*_KEYS, *_OPTIONAL) for node in holders(data, key)]
    holder, key = r.choice(found)
    new = camel(key) if "_" in key and r.random() < 0.3 else misspelt(key, r)
    return new not in holder and rename(holder, key, new)


def key_of_another(data: Any, r: random.Random) -> bool:
    """A key of another set."""
    old, new = r.choice([
        ("content", "text"), ("answer", "adversarial_answer"), ("turns", "dialogue"),
        ("evidence", "answer_session_ids"), ("date", "timestamp"), ("questions", "qa"),
    ])  # fmt: skip
    holder = one(holders(data, old), r)
    return holder is not None and rename(holder, old, new)


def evidence_misspelt(data: Any, r: random.Random) -> bool:
    """Evidence that nothing has as its id."""
    found = with_history(data, r, "evidence")
    if found is None or not found[1]["evidence"]:
        return False
    names = {node["id"] for node in holders(found[0]["sessions"], "id")}
    new = misspelt(found[1]["evidence"][0], r)
    return new not in names and put(found[1]["evidence"], 0, new)


def evidence_of_another(data: Any, r: random.Random) -> bool:
    """Evidence of a session that the history does not have."""
    question = one(questions(data, "evidence"), r)
    return question is not None and (question["evidence"].append("s99:1") or True)


def evidence_twice(data: Any, r: random.Random) -> bool:
    """Evidence that is listed twice."""
    question = one((q for q in questions(data, "evidence") if q["evidence"]), r)
    return question is not None and (question["evidence"].append(question["evidence"][0]) or True)


def evidence_later(data: Any, r: random.Random) -> bool:
    """A question that is asked before its evidence."""
    found = with_history(data, r, "evidence")
    if found is None or len(found[0]["sessions"]) < 2:
        return False
    history, question = found
    question["after"] = history["sessions"][0]["turns"][0]["id"]
    return put(question, "evidence", [history["sessions"][-1]["id"]])


def id_twice(data: Any, r: random.Random) -> bool:
    """Two histories, sessions, turns or questions with the same id."""
    lists = [data["histories"], [q for h in histories(data) for q in h["questions"]]]
    for history in histories(data):
        lists += [history["sessions"], [t for s in history["sessions"] for t in s["turns"]]]
    found = r.choice([nodes for nodes in lists if len(nodes) > 1])
    first, second = r.sample(found, 2)
    return put(second, "id", first["id"])


def entry_twice(data: Any, r: random.Random) -> bool:
    """An option, a wrong answer or a point of a rubric twice."""
    key = r.choice(["options", "wrong_answers", "rubric"])
    question = one(questions(data, key), r)
    return question is not None and (question[key].append(question[key][0]) or True)


def question_twice(data: Any, r: random.Random) -> bool:
    """A question twice, under another id."""
    found = with_history(data, r)
    assert found
    found[0]["questions"].append({**copy.deepcopy(found[1]), "id": "again"})
    return True


def answer_beside_options(data: Any, r: random.Random) -> bool:
    """An answer that is not one of the options, or the letter of one."""
    question = one(questions(data, "options", "answer"), r)
    return question is not None and put(
        question, "answer", r.choice(["(a)", "b", misspelt(question["answer"], r)])
    )


def answer_lost(data: Any, r: random.Random) -> bool:
    """A question that nothing answers."""
    question = one(questions(data, "answer"), r)
    return question is not None and question.pop("answer") is not None


def abstention_with_answer(data: Any, r: random.Random) -> bool:
    """An abstention question with an answer."""
    question = one(questions(data, "abstention"), r)
    return question is not None and question.setdefault("answer", "a lighthouse") != ""


def abstention_lost(data: Any, r: random.Random) -> bool:
    """An abstention question that no longer says so."""
    question = one(questions(data, "abstention"), r)
    return question is not None and question.pop("abstention")


def answer_wrong_too(data: Any, r: random.Random) -> bool:
    """An answer that is among the wrong ones."""
    question = one((q for q in questions(data, "answer") if isinstance(q["answer"], str)), r)
    if question is None:
        return False
    question.setdefault("wrong_answers", []).append(question["answer"].upper())
    return True


def date_swapped(data: Any, r: random.Random) -> bool:
    """Two sessions with each other's dates."""
    history = one((h for h in histories(data) if len(h["sessions"]) > 1), r)
    if history is None:
        return False
    first, second = r.sample(history["sessions"], 2)
    first["date"], second["date"] = second["date"], first["date"]
    return True


def date_lost(data: Any, r: random.Random) -> bool:
    """A session without the date that the others have."""
    session = one(holders(data, "turns", "date"), r)
    return session is not None and bool(session.pop("date"))


def question_too_early(data: Any, r: random.Random) -> bool:
    """A question that is dated before its history."""
    question = one(questions(data), r)
    return question is not None and question.update(date="2009-01-01") is None


def turns_lost(data: Any, r: random.Random) -> bool:
    """A session without turns."""
    session = one(holders(data, "turns"), r)
    return put(session, "turns", [])


def speaker_misspelt(data: Any, r: random.Random) -> bool:
    """A speaker who is none of those of the history."""
    turn = one(holders(data, "speaker"), r)
    return turn is not None and put(turn, "speaker", misspelt(turn["speaker"], r))


def type_misspelt(data: Any, r: random.Random) -> bool:
    """A type that the set does not list."""
    question = one(questions(data), r)
    return question is not None and put(question, "type", misspelt(question["type"], r))


def place_unknown(data: Any, r: random.Random) -> bool:
    """A question after a turn that does not exist."""
    question = one(questions(data), r)
    return question is not None and question.update(after="s99") is None


def version_other(data: Any, r: random.Random) -> bool:
    """Another version of the format, or a number."""
    return put(data, "memory_set", r.choice([1, 1.0, "2", "1.0", None]))


def text_for_list(data: Any, r: random.Random) -> bool:
    """A text where a list is expected."""
    key = r.choice(["options", "wrong_answers", "rubric", "evidence", "speakers"])
    holder = one(holders(data, key), r)
    return holder is not None and put(holder, key, ", ".join(holder[key]))


def value_null(data: Any, r: random.Random) -> bool:
    """A value that is null."""
    key = r.choice([*_KEYS, *_OPTIONAL])
    return put(one(holders(data, key), r), key, None)


GENERAL: tuple[Operator, ...] = (
    key_missing(*_KEYS, "id"),
    key_misspelt, key_of_another, evidence_misspelt, evidence_of_another, evidence_twice,
    evidence_later, id_twice, entry_twice, question_twice, answer_beside_options, answer_lost,
    abstention_with_answer, abstention_lost, answer_wrong_too, date_swapped, date_lost,
    question_too_early, turns_lost, speaker_misspelt, type_misspelt, place_unknown, version_other,
    text_for_list, value_null,
    a_value("date_form", "A date in the form of another set.", "date",
            lambda old, r: r.choice([old.replace("-", "/"), "1:56 pm on 8 May, 2023", "today"])),
    a_value("date_impossible", "A day that does not exist.", "date",
            lambda old, r: f"{old[:5]}02-30{old[10:]}"),
    a_value("role_other", "A role of another program.", "role",
            lambda old, r: r.choice(["human", "ai", "system", "User", misspelt(old, r)])),
    a_value("abstention_text", "A yes or no that is a text or a number.", "abstention",
            lambda old, r: r.choice(["true", "yes", 1])),
    a_value("text_empty", "An empty text.", "content", lambda old, r: r.choice(["", "  "])),
    a_value("question_empty", "An empty question.", "question", lambda old, r: ""),
)  # fmt: skip
