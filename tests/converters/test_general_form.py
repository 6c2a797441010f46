"""Published memory sets in the general form: what is told, asked and scored stays the same."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import FIXTURES
from evalmark.conversations.sets.answer_files import rescore_answers
from evalmark.conversations.sets.set_files import load_sets
from evalmark.converters.memory_sets.registry import read_memory_set
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_data

#: Options of PersonaMem: the text of a list of Python.
OPTIONS = "['(a) tea', \"(b) Sam's coffee\"]"
MEMORY = FIXTURES / "good" / "memory"


def written(path: Path, data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = data if path.suffix == ".jsonl" else None
    text = "".join(json.dumps(r) + "\n" for r in rows) if rows else json.dumps(data)
    path.write_text(text, encoding="utf-8")
    return path


def general(*paths: Path) -> dict[str, Any]:
    """The set of files; the check finds nothing in it."""
    _, data = read_memory_set(paths)
    assert [f.message for f in check_data(data).findings] == []
    return data


def questions(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [question for history in data["histories"] for question in history["questions"]]


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
    before, after = (told(path) for path in both(MEMORY / f"{name}.json", tmp_path))
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


def beam_folder(tmp_path: Path) -> Path:
    """A conversation of BEAM as its repository has it."""
    chat = [
        {
            "batch_number": 1,
            "turns": [
                [
                    {
                        "role": "user",
                        "id": 0,
                        "time_anchor": "March-15-2024",
                        "content": "I use Flask.",
                    },
                    {"role": "assistant", "id": 1, "content": "Good."},
                ],
                [{"role": "user", "id": 2, "content": "The sprint ends on March 29."}],
            ],
        },
        {
            "batch_number": 2,
            "turns": [
                [
                    {
                        "role": "user",
                        "id": 3,
                        "time_anchor": "April-01-2024",
                        "content": "It has 165 commits.",
                    }
                ]
            ],
        },
    ]
    probes = {
        "abstention": [
            {
                "question": "Who am I?",
                "ideal_response": "The chat does not say.",
                "rubric": ["It does not say"],
            }
        ],
        "event_ordering": [
            {
                "question": "In which order?",
                "answer": "Flask, then commits.",
                "rubric": ["Flask", "commits"],
                "source_chat_ids": [0, 3],
            }
        ],
        "knowledge_update": [
            {
                "question": "How many commits?",
                "answer": "165",
                "rubric": ["LLM response should state: 165"],
                "source_chat_ids": {"original_info": [2], "updated_info": [3]},
            }
        ],
    }
    written(tmp_path / "100K/1/chat.json", chat)
    written(tmp_path / "100K/1/probing_questions/probing_questions.json", probes)
    return tmp_path / "100K"


def test_beam_has_batches_abilities_and_rubrics(tmp_path):
    data = general(beam_folder(tmp_path))
    (history,) = data["histories"]
    assert [session.get("date") for session in history["sessions"]] == [
        "2024-03-15T00:00",
        "2024-04-01T00:00",
    ]
    none, order, update = history["questions"]
    assert (none["abstention"], none["explanation"]) == (True, "The chat does not say.")
    assert order["ordered"]
    assert update["rubric"] == ["LLM response should state: 165"]
    assert update["evidence"] == ["2", "3"]


def test_beam_is_read_from_rows_of_the_hub_too(tmp_path):
    folder = beam_folder(tmp_path / "beam")
    chat = json.loads((folder / "1/chat.json").read_text("utf-8"))
    probes = json.loads((folder / "1/probing_questions/probing_questions.json").read_text("utf-8"))
    row = {
        "conversation_id": "1",
        "chat": [[turn for turns in batch["turns"] for turn in turns] for batch in chat],
        "probing_questions": repr(probes),
    }
    (of_hub,) = general(written(tmp_path / "rows.jsonl", [row]))["histories"]
    (of_folder,) = general(folder)["histories"]
    assert of_hub["sessions"] == of_folder["sessions"]
    assert [q["type"] for q in of_hub["questions"]] == [q["type"] for q in of_folder["questions"]]


def persona_files(tmp_path: Path) -> list[Path]:
    rows = [
        {
            "question_id": "q1",
            "question_type": "recall",
            "topic": "films",
            "correct_answer": "(b)",
            "user_question_or_message": "What do I like?",
            "all_options": OPTIONS,
            "shared_context_id": "c",
            "end_index_in_shared_context": "3",
        },
        {
            "question_id": "q2",
            "question_type": "recall",
            "topic": "films",
            "correct_answer": "(a)",
            "user_question_or_message": "What do I like?",
            "all_options": OPTIONS,
            "shared_context_id": "c",
            "end_index_in_shared_context": "5",
        },
    ]
    table = tmp_path / "questions_32k.csv"
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    messages = [
        {"role": "system", "content": "Persona: Kanoa."},
        {"role": "user", "content": "I like Sam's coffee."},
        {"role": "assistant", "content": "Noted."},
        {"role": "system", "content": "Persona: Kanoa."},
        {"role": "user", "content": "Now I prefer tea."},
    ]
    return [table, written(tmp_path / "shared_contexts_32k.jsonl", [{"c": messages}])]


def test_personamem_asks_in_the_middle_of_a_context(tmp_path):
    data = general(*persona_files(tmp_path))
    first, second = questions(data)
    assert (first["answer"], first["after"]) == ("Sam's coffee", "2")
    assert (second["answer"], second.get("after")) == ("tea", None)
    histories = load_sets([str(written(tmp_path / "set.json", data))])[0].histories
    assert [sum(len(s.turns) for s in each.sessions()) for each in histories] == [3, 5]
    assert histories[0].questions[0].text == "What do I like?\n(a) tea\n(b) Sam's coffee"


def test_a_missing_context_is_named(tmp_path):
    table, contexts = persona_files(tmp_path)
    contexts.write_text('{"d": []}\n', encoding="utf-8")
    with pytest.raises(ConversionError, match=r"questions_32k.csv:2: no context 'c'"):
        general(table, contexts)


def test_the_second_version_of_personamem_names_its_histories(tmp_path):
    row = {
        "persona_id": "7", "chat_history_32k_link": "data/chats/chat_7.json",
        "pref_type": "therapy",
        "user_query": "{'role': 'user', 'content': \"What's new?\"}", "correct_answer": "Tea.",
        "incorrect_answers": '["Coffee.", "Milk."]',
    }  # fmt: skip
    home = tmp_path / "personamem"
    table = home / "benchmark/text/benchmark.csv"
    table.parent.mkdir(parents=True)
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)
    with pytest.raises(ConversionError, match=r"benchmark.csv:2: no file data/chats/chat_7.json"):
        read_memory_set([table])
    written(tmp_path / "data/chats/chat_7.json", [{"role": "user", "content": "secret"}])
    with pytest.raises(ConversionError, match="no file data/chats"):  # not of the set
        read_memory_set([table])
    chat = {"metadata": {}, "chat_history": [{"role": "user", "content": "I like tea."}]}
    written(home / "data/chats/chat_7.json", chat)
    (asked,) = questions(general(table))
    assert (asked["question"], asked["answer"]) == ("What's new?", "Tea.")
    assert sorted(asked["options"]) == ["Coffee.", "Milk.", "Tea."]


@pytest.mark.parametrize(
    "row",
    [
        {"chat": "[" * 100_000, "probing_questions": "{}"},
        {"chat": json.loads("[" * 900 + "]" * 900), "probing_questions": {}},
        {"chat": "no list", "probing_questions": "{}"},
    ],
)
def test_a_nested_chat_is_refused_in_a_sentence(row, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(ConversionError):
        read_memory_set([path])


def test_memory_agent_bench_tells_its_context_in_pieces(tmp_path):
    row = {
        "context": "A fact.\n" * 1000,
        "questions": ["Which?", "What?"],
        "answers": [["one", "1"], ["two"]],
        "metadata": {"source": "factconsolidation_sh_6k", "qa_pair_ids": ["no0", "no1"]},
    }
    data = general(written(tmp_path / "Conflict_Resolution.jsonl", [row]))
    turns = data["histories"][0]["sessions"][0]["turns"]
    assert "".join(turn["content"] for turn in turns) == row["context"]
    assert max(len(turn["content"]) for turn in turns) <= 4000
    assert [(q["id"], q["answer"]) for q in questions(data)] == [
        ("no0", ["one", "1"]),
        ("no1", "two"),
    ]


def test_memory_agent_bench_is_read_from_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    row = {"context": "A fact.", "questions": ["Which?"], "answers": [["one"]]}
    about = {"metadata": {"source": "eventqa", "qa_pair_ids": ["no0"]}}
    path = tmp_path / "rows.parquet"
    parquet.write_table(pyarrow.Table.from_pylist([row | about]), path)
    assert [(q["id"], q["type"], q["answer"]) for q in questions(general(path))] == [
        ("no0", "eventqa", "one")
    ]


def test_locomo_plus_puts_its_cue_into_a_conversation(tmp_path):
    item = {
        "relation_type": "causal",
        "cue_dialogue": "A: I learned to say no.\\nB: A great skill.",
        "trigger_query": "A: I volunteered, and am overwhelmed.",
        "time_gap": "about two weeks later",
    }
    plus = written(tmp_path / "locomo_plus.json", [item])
    data = general(plus, MEMORY / "locomo.json")
    (history,) = data["histories"]
    dates = [session["date"] for session in history["sessions"]]
    assert dates == sorted(dates)
    (asked,) = history["questions"]
    assert asked["question"] == "I volunteered, and am overwhelmed."
    assert "I learned to say no." in asked["rubric"][0]
    with pytest.raises(ConversionError, match="needs the conversations of LoCoMo"):
        read_memory_set([plus])


def test_halumem_asks_after_each_session_and_keeps_points_of_memory(tmp_path):
    point = {"index": 1, "memory_content": "Martin lives in Columbus", "is_update": "False"}
    user = {
        "uuid": "u1",
        "persona_info": "Name: Martin Mark; Gender: M",
        "sessions": [
            {
                "start_time": "Sep 04, 2025, 18:42:18",
                "dialogue": [{"role": "user", "content": "I live in Columbus.", "timestamp": "…"}],
                "memory_points": [point],
                "questions": [
                    {
                        "question": "Where does Martin live?",
                        "answer": "Columbus",
                        "question_type": "Basic Fact Recall",
                        "evidence": [point],
                    }
                ],
            },
            {
                "start_time": "Sep 06, 2025, 10:00:00",
                "dialogue": [{"role": "user", "content": "Bye."}],
                "is_generated_qa_session": True,
            },
        ],
    }
    data = general(written(tmp_path / "HaluMem-Medium.jsonl", [user]))
    first, _ = data["histories"][0]["sessions"]
    assert first["metadata"] == {"memory_points": [point]}
    (asked,) = questions(data)
    assert (asked["after"], asked["evidence"]) == ("session 1", ["session 1"])


@pytest.mark.parametrize("form", ["questions", "lists"])
def test_an_entry_of_longmemeval_can_have_several_questions(form, tmp_path):
    entry = json.loads((MEMORY / "longmemeval.json").read_text("utf-8"))[0]
    asked = ["What is my cat called?", "Where does my cat sleep?"]
    if form == "questions":
        variant = entry | {"questions": [{"question": text} for text in asked]}
    else:
        ids = [f"q1-{n}" for n in (1, 2)]
        variant = entry | {"question": asked, "answer": ["Nimbus", "balcony"], "question_id": ids}
    data = general(written(tmp_path / "variant.json", [variant]))
    assert len(data["histories"]) == 1
    assert [(q["id"], q["question"]) for q in questions(data)] == [
        ("q1-1", asked[0]),
        ("q1-2", asked[1]),
    ]


def test_what_is_not_a_set_is_refused_in_a_sentence(tmp_path, run):
    path = written(tmp_path / "other.json", {"a": 1})
    outcome = run("evalmark", "convert", str(path), "--to", "memory-set")
    assert outcome.code == 2
    assert "other.json is not a memory set that can be read" in outcome.err
    assert "is published" not in outcome.err
    damaged = written(tmp_path / "users.jsonl", [{"uuid": "u", "sessions": [3]}])
    outcome = run("evalmark", "convert", str(damaged), "--to", "memory-set")
    assert outcome.code == 2
    assert "not as HaluMem is published" in outcome.err
