"""Mistakes by fixed operators at every place of a set: nearly all are found, each once."""

import copy
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import reduce
from operator import getitem
from typing import Any

import pytest
from conftest import FIXTURES
from evalmark.validator.check import check_data

GOOD = FIXTURES / "good" / "memory"
#: Of the mistakes so many are found, and of the found ones so many as one finding.
FOUND = ONE = 0.97
#: Mistakes that are tried in a set, and in a real one; those of a large one are drawn from a seed.
MOST, MOST_REAL = 400, 100


#: An operator: the old value, its holder and a random generator -> the new value; None removes it.
Operator = Callable[[Any, Any, random.Random], Any]
GONE = None


def swapped(text: str, _: Any, r: random.Random) -> str:
    """Two neighbouring characters, swapped where they differ."""
    places = [i for i in range(len(text) - 1) if text[i] != text[i + 1]]
    at = r.choice(places)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def doubled(text: str, _: Any, r: random.Random) -> str:
    at = r.randrange(len(text))
    return text[: at + 1] + text[at:]


#: Key or position -> operators on its value. A number in the key stands for any.
LOCOMO: dict[str, dict[str, Operator]] = {
    "evidence/0": {
        "no such turn": lambda old, *_: f"{old}99",
        "no such session": lambda old, *_: f"D77{old[1:]}",
        "two in one": lambda old, *_: f"{old}; D1:2",
        "no colon": lambda old, *_: old.replace(":", ""),
        "a colon more": lambda old, *_: old.replace("D", "D:"),
        "a zero": lambda old, *_: old.replace(":", ":0"),
        "only D": lambda *_: "D",
        "empty": lambda *_: "",
        "a number": lambda old, *_: int(old.rpartition(":")[2]),
    },
    "evidence": {
        "one text": lambda old, *_: ", ".join(old) or "none",
        "null": lambda *_: {},
        "twice": lambda old, *_: [*old, *old] or ["D"],
        "missing": lambda *_: GONE,
    },
    "dia_id": {
        "other session": lambda old, *_: f"D88:{old.rpartition(':')[2]}",
        "no D": lambda old, *_: old[1:],
        "twice": lambda old, *_: "D1:1" if old != "D1:1" else "D1:2",
        "a dash": lambda old, *_: old.replace(":", "-"),
        "missing": lambda *_: GONE,
    },
    "speaker": {"swapped": swapped, "doubled": doubled, "missing": lambda *_: GONE},
    "text": {"null": lambda *_: [], "missing": lambda *_: GONE},
    "category": {
        "zero": lambda *_: 0,
        "too large": lambda *_: 6,
        "text": lambda old, *_: str(old),
        "adversarial or not": lambda old, *_: 4 if old == 5 else 5,
        "missing": lambda *_: GONE,
    },
    "answer": {"missing": lambda *_: GONE, "empty": lambda *_: "", "null": lambda *_: []},
    "question": {"missing": lambda *_: GONE, "empty": lambda *_: ""},
    "session_0_date_time": {
        "no such day": lambda old, *_: old.replace(" on ", " on 3"),
        "no half": lambda old, *_: old.replace(" am", "").replace(" pm", ""),
        "ISO": lambda *_: "2023-13-01T00:00",
        "missing": lambda *_: GONE,
        "a doubled month": lambda old, *_: old.replace(" M", " MM").replace(" J", " JJ"),
    },
}
LONGMEMEVAL: dict[str, dict[str, Operator]] = {
    "question_date": {
        "slashes": lambda old, *_: old.replace("/", "-"),
        "other day": lambda old, *_: old.replace("S", "W").replace("Mon", "Tue"),
        "too early": lambda *_: "2020/01/01 (Wed) 10:00",
        "no time": lambda old, *_: old.partition(" ")[0],
        "missing": lambda *_: GONE,
    },
    "question_type": {"swapped": swapped, "doubled": doubled, "missing": lambda *_: GONE},
    "haystack_dates/0": {"empty": lambda *_: "", "missing": lambda *_: GONE},
    "haystack_session_ids/0": {"missing": lambda *_: GONE},
    "haystack_sessions/0": {"missing": lambda *_: GONE},
    "answer_session_ids/0": {"other": lambda old, *_: f"{old}{old}", "null": lambda *_: []},
    "role": {"swapped": swapped, "human": lambda *_: "human", "missing": lambda *_: GONE},
    "content": {"missing": lambda *_: GONE, "null": lambda *_: {}},
    "question_id": {"missing": lambda *_: GONE, "twice": lambda *_: "q3", "null": lambda *_: []},
    "answer": {"missing": lambda *_: GONE, "empty": lambda *_: ""},
}


GENERAL: dict[str, dict[str, Operator]] = {
    "memory_set": {"a number": lambda *_: 1, "other": lambda *_: "2", "missing": lambda *_: GONE},
    "sessions": {"missing": lambda *_: GONE, "null": lambda *_: {}},
    "turns": {"missing": lambda *_: GONE, "empty": lambda *_: []},
    "id": {
        "twice": lambda old, *_: "s1:1" if ":" in old else f"{old[0]}1",
        "a number": lambda *_: 7,
    },
    "date": {
        "slashes": lambda old, *_: old.replace("-", "/"),
        "no such day": lambda old, *_: f"{old[:5]}02-30{old[10:]}",
        "in words": lambda *_: "1:56 pm on 8 May, 2023",
        "too early": lambda *_: "2009-01-01",
    },
    "role": {"swapped": swapped, "doubled": doubled, "human": lambda *_: "human"},
    "content": {"empty": lambda *_: " ", "missing": lambda *_: GONE, "null": lambda *_: {}},
    "question": {"empty": lambda *_: "", "missing": lambda *_: GONE},
    "type": {"swapped": swapped, "doubled": doubled, "missing": lambda *_: GONE},
    "answer": {"missing": lambda *_: GONE, "null": lambda *_: {}},
    "abstention": {
        "a text": lambda *_: "true",
        "a number": lambda *_: 1,
        "missing": lambda *_: GONE,
    },
    "evidence": {"one text": lambda old, *_: ", ".join(old), "twice": lambda old, *_: [*old, *old]},
    "evidence/0": {"no such turn": lambda old, *_: f"{old}99", "a number": lambda *_: 1},
    "options": {
        "one text": lambda old, *_: ", ".join(old),
        "twice": lambda old, *_: [*old, old[0]],
    },
    "wrong_answers": {"twice": lambda old, *_: [*old, old[0]], "null": lambda *_: {}},
    "rubric": {"one text": lambda old, *_: ", ".join(old), "twice": lambda old, *_: [*old, old[0]]},
    "after": {"no such session": lambda *_: "s99", "a number": lambda *_: 2},
    "speaker": {"swapped": swapped, "doubled": doubled},
}


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The path of every value, with its key in the tables."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        parts = key.split("_") if isinstance(key, str) else ()
        name = "_".join("0" if part.isdecimal() else part for part in parts)
        if isinstance(key, int) and path and isinstance(path[-1], str):
            name = f"{path[-1]}/0"
        yield name, (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


def mistakes(
    data: Any, table: dict[str, dict[str, Operator]], most: int
) -> Iterator[tuple[str, Any]]:
    """A name and a set for each mistake."""
    r = random.Random(7)
    every = [
        (path, f"{name}: {what} at {path}", operator)
        for name, path in places(data)
        for what, operator in table.get(name, {}).items()
    ]
    for (*above, key), name, operator in r.sample(every, min(most, len(every))):
        changed = copy.deepcopy(data)
        holder = reduce(getitem, above, changed)
        new = operator(holder[key], holder, r)
        if new == holder[key]:
            continue
        if new is GONE:
            del holder[key]
        else:
            holder[key] = new
        yield name, changed


def judge(data: Any, table: dict[str, dict[str, Operator]], most: int = MOST) -> None:
    """Mistakes that are not found, and those that are several findings, are few."""
    own = Counter((f.code, f.pointer) for f in check_data(data).findings)
    made = list(mistakes(data, table, most))
    lost, several = [], []
    for name, changed in made:
        new = Counter((f.code, f.pointer) for f in check_data(changed).findings) - own
        if not new:
            lost.append(name)
        elif new.total() > 1:
            several.append(f"{name}: {sorted(new)}")
    assert len(made) > 50
    assert len(lost) <= (1 - FOUND) * len(made), "\n".join(lost)
    assert len(several) <= (1 - ONE) * (len(made) - len(lost)), "\n".join(several)


@pytest.mark.parametrize(
    ("name", "table"),
    [("locomo", LOCOMO), ("locomo_list", LOCOMO), ("longmemeval", LONGMEMEVAL),
     ("memory_set", GENERAL)],
)  # fmt: skip
def test_mistakes_in_each_form_of_a_set_are_found(name, table):
    judge(json.loads((GOOD / f"{name}.json").read_text("utf-8")), table)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["26", "30", "43"])
def test_mistakes_in_real_conversations_are_found(name, shared):
    data = json.loads((shared / f"data/memory/locomo/{name}.json").read_text("utf-8"))
    judge(data, LOCOMO, MOST_REAL)
