"""Published memory sets in the general form: what is told, asked and scored stays the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import FIXTURES
from evalmark.conversations.sets.answer_files import rescore_answers
from evalmark.conversations.sets.set_files import load_sets
from evalmark.converters.memory_sets.published import read_memory_set
from evalmark.validator.check import check_data

MEMORY = FIXTURES / "good" / "memory"


def written(path: Path, data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = data if path.suffix == ".jsonl" else None
    text = "".join(json.dumps(r) + "\n" for r in rows) if rows else json.dumps(data)
    path.write_text(text, encoding="utf-8")
    return path


def told(path: Path) -> list[Any]:
    """What agents are told of a set, dates as they are passed on, and what they are asked."""
    (loaded,) = load_sets([str(path)])
    return [
        (
            [(s.id, s.date, s.turns) for s in history.sessions()],
            [
                (q.id, q.text, q.type, q.expected, q.has_none, q.date, q.turns, q.sessions)
                for q in history.questions
            ],
        )
        for history in loaded.histories
    ]


def both(path: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A published set, and the same in the general form."""
    return path, written(tmp_path / f"{path.stem}.general.json", read_memory_set([path])[1])


@pytest.mark.parametrize("name", ["locomo", "longmemeval"])
def test_the_general_form_tells_and_asks_the_same(name, tmp_path):
    paths = both(MEMORY / f"{name}.json", tmp_path)
    assert check_data(json.loads(paths[1].read_text("utf-8"))).findings == ()
    before, after = (told(path) for path in paths)
    assert [sessions for sessions, _ in after] == [sessions for sessions, _ in before]
    for (_, asked), (_, asked_before) in zip(after, before, strict=True):
        for question, question_before in zip(asked, asked_before, strict=True):
            *rest, turns, sessions = question
            *rest_before, turns_before, sessions_before = question_before
            assert rest == rest_before
            assert (set(turns), set(sessions)) == (set(turns_before), set(sessions_before))


@pytest.mark.parametrize("name", ["26", "30", "43"])
def test_real_conversations_have_the_same_scores_in_the_general_form(name, shared, tmp_path):
    path, converted = both(shared / f"data/memory/locomo/{name}.json", tmp_path)
    (before,) = load_sets([str(path)])
    answers = [
        {"question_id": q.id, "hypothesis": (q.expected or "not mentioned")[: 5 + n % 20]}
        for n, q in enumerate(before.questions)
    ]
    given = written(tmp_path / "answers.jsonl", answers)
    scores = [
        [
            (row.name, row.f1s, row.exacts)
            for scores in rescore_answers(given, load_sets([str(each)])).scores
            for row in scores.rows
        ]
        for each in (path, converted)
    ]
    assert scores[0] == scores[1]


def test_what_is_not_a_set_is_refused_in_a_sentence(tmp_path, run):
    path = written(tmp_path / "other.json", {"a": 1})
    outcome = run("evalmark", "convert", str(path), "--to", "memory-set")
    assert outcome.code == 2
    assert "other.json is not a memory set that can be read" in outcome.err
    entries = json.loads((MEMORY / "longmemeval.json").read_text("utf-8"))
    damaged = written(tmp_path / "damaged.json", [*entries, {**entries[0], "question": 3}])
    outcome = run("evalmark", "convert", str(damaged), "--to", "memory-set")
    assert outcome.code == 2
    assert "1 of 4 entries of " in outcome.err
