"""A judge against people: `memory judge`."""

import csv
import json

import pytest
from evalmark.memory.evaluation.llm_judge import CHECKLIST
from evalmark.memory.judges.labelled_answers import read_labels
from evalmark.schemas.errors import ScoringError

ROWS = [
    ("Where?", "facts", "Porto", "Porto", "yes"),
    ("Where?", "facts", "Leiden", "Porto", "no"),
    ("When?", "dates", "5 June 2024", "5 June 2024", "yes"),
    ("When?", "dates", "4 June 2024", "5 June 2024", "no"),
    ("When?", "dates", "June", "5 June 2024", "no"),
]
#: Accepts a reply that is the expected answer; the other, one with a word of it.
JUDGES = """
import json, re

class Exact:
    def complete(self, messages, *, temperature, max_tokens):
        text = messages[-1]["content"]
        answer = re.search("^Expected answer: (.*)$", text, re.MULTILINE)[1]
        reply = re.search("^Reply: (.*)$", text, re.MULTILINE)[1]
        right = "yes" if self.accepts(answer, reply) else "no"
        return json.dumps({"contains": right, "contradicts": "no", "beside_the_point": "no"})

    def accepts(self, answer, reply):
        return answer == reply

class Lenient(Exact):
    def accepts(self, answer, reply):
        return bool(set(answer.split()) & set(reply.split()))
"""


@pytest.fixture
def people(here) -> str:
    (here / "label_judges.py").write_text(JUDGES, encoding="utf-8")
    with (here / "people.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("question", "type", "answer", "expected", "verdict"))
        writer.writerows(ROWS)
    return "people.csv"


def judged(run, *arguments: str) -> dict:
    outcome = run("evalmark", "memory", "judge", *arguments, "--format", "json", code=0)
    return json.loads(outcome.out)


def test_a_judge_is_measured_against_people(people, run):
    exact = judged(run, people, "--judge", "label_judges:Exact")["agreement"]
    assert [row["type"] for row in exact] == ["dates", "facts", "all"]
    assert exact[-1]["agreement"] == exact[-1]["kappa"] == 1
    shown = run("evalmark", "memory", "judge", people, "--judge", "label_judges:Exact", code=0).out
    assert "1.000   0.09 to 1.00" in shown
    lenient = judged(run, people, "--judge", "label_judges:Lenient")
    total = lenient["agreement"][-1]
    assert (total["agreement"], total["wrongly_accepted"], total["wrongly_rejected"]) == (0.6, 2, 0)
    assert total["kappa"] == pytest.approx(2 / 7)
    assert [row["accepted"] for row in lenient["answers"]] == [True, False, True, True, True]
    assert lenient["prompt"]["text"] == CHECKLIST


def test_a_judge_is_measured_with_a_prompt_of_its_user(people, tmp_path, run):
    (tmp_path / "odd.json").write_text('{"default": "Never, I would say"}')
    (tmp_path / "p.json").write_text(json.dumps({
        "prompts": {"default": "{question}: {answer}? {response}", "dates": "{} {} {}"},
        "accepts": "perhaps", "rejects": "never",
    }))  # fmt: skip
    data = judged(run, people, "--judge", "odd.json", "--judge-prompt", "p.json")
    assert (data["prompt"]["name"], data["prompt"]["accepts"]) == ("p.json", "perhaps")
    assert data["prompt"]["prompts"]["dates"] == "{question} {answer} {response}"
    assert len(data["prompt"]["sha256"]) == 64
    assert data["agreement"][-1]["wrongly_rejected"] == 2


def test_types_without_a_prompt_have_no_verdict(people, tmp_path, run):
    (tmp_path / "yes.json").write_text('{"default": "yes"}')
    (tmp_path / "p.json").write_text(json.dumps({"facts": "{question} {response}"}))
    words = ("--judge", "yes.json", "--judge-prompt", "p.json", "--format", "json")
    outcome = run("evalmark", "memory", "judge", people, *words, code=1)
    assert "p.json has no prompt for dates, and no 'default'" in outcome.out


def test_rows_can_have_the_names_of_other_programs(tmp_path):
    rows = [
        {"response": "a", "ground_truth": "b", "label": "CORRECT", "category": 4},
        {"hypothesis": "a", "gold": "b", "human": 0},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert [(a.type, a.person) for a in read_labels(path)] == [("4", True), ("question", False)]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"answer": "a", "expected": "b", "verdict": "maybe"}, "no verdict of a person"),
        ({"answer": "a", "verdict": "yes"}, "no `expected`"),
        (3, "not an object"),
    ],
)
def test_a_row_that_cannot_be_used_is_named(row, why, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(f"\n{json.dumps(row)}\n", encoding="utf-8")
    with pytest.raises(ScoringError, match=f"rows.jsonl:2: {why}"):
        read_labels(path)
