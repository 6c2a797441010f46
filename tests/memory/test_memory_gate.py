"""The gate: a generated set that needs no download, and exit 1 below a stated floor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from evalmark.memory.sets.gate import ABILITIES, gate_set
from evalmark.validator.check import check_data

from benchmarks.workers import differences

#: Knows the set: what a perfect memory would say.
PERFECT = '''
from evalmark.memory.sets.gate import gate_set

ANSWERS = [
    (q["date"], q["question"], q.get("answer", "You asked me to forget it."), history)
    for history in gate_set()["histories"]
    for q in history["questions"]
]


class Perfect:
    heard = ""

    def reply(self, text, date):
        for day, question, answer, history in ANSWERS:
            if question == text and date.startswith(day) and self.knows(history):
                return answer

    def knows(self, history):
        turns = (turn for session in history["sessions"] for turn in session["turns"])
        return all(turn["content"] in self.heard for turn in turns)

    def ingest(self, turns):
        self.heard = self.heard + " ".join(turn["content"] for turn in turns)

    def reset(self):
        self.heard = ""


class Echo(Perfect):
    """Says everything that it has heard: right and wrong answers."""

    def reply(self, text, date):
        return self.heard
'''


@pytest.fixture
def agents(tmp_path: Path, monkeypatch) -> str:
    (tmp_path / "agents.py").write_text(PERFECT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "agents.py"


def test_the_set_is_valid_small_and_the_same_for_a_seed():
    data = gate_set(3)
    assert check_data(data).findings == ()
    assert data == gate_set(3) != gate_set(4)
    assert {q["type"] for h in data["histories"] for q in h["questions"]} == set(ABILITIES)
    assert len(json.dumps(data)) < 200_000


def test_a_perfect_memory_passes(agents, run):
    outcome = run(
        "evalmark", "memory", "run", "gate", "--agent", f"{agents}:Perfect", "--floor", "1"
    )
    assert outcome.code == 0, outcome.out
    assert "passed: 1.000 on average over 6 abilities" in outcome.out
    one = ("--type", "forgetting")
    outcome = run("evalmark", "memory", "run", "gate", "--agent", f"{agents}:Perfect", *one)
    assert "passed: 1.000 in forgetting" in outcome.out


def test_a_memory_that_says_everything_fails(agents, run):
    outcome = run("evalmark", "memory", "run", "gate", "--agent", f"{agents}:Echo")
    assert outcome.code == 1
    assert "below the floor: mean over abilities" in outcome.err
    assert "at least 0.7 is required" in outcome.err


def test_silence_passes_no_floor_but_half_of_forgetting(tmp_path, run):
    script = tmp_path / "silent.json"
    script.write_text('{"default": "I do not know."}', encoding="utf-8")
    command = ("evalmark", "memory", "run", "gate", "--agent", str(script), "--format", "json")
    outcome = run(*command, "--floor", "0", "--floor", "forgetting=0.6")
    assert outcome.code == 1
    data = json.loads(outcome.out)
    assert data["below"] == [{"ability": "forgetting", "floor": 0.6}]
    assert data["scores"]["forgetting"] == 0.5
    assert sum(score for name, score in data["scores"].items() if name != "mean") == 0.5


def test_one_ability_can_be_tested_and_a_run_kept(agents, tmp_path, run):
    command = ("evalmark", "memory", "run", "gate", "--agent", f"{agents}:Perfect")
    outcome = run(*command, "--type", "updates", "--out", "kept")
    assert outcome.code == 0
    assert check_data(json.loads((tmp_path / "kept/gate.json").read_text("utf-8"))).findings == ()
    assert (tmp_path / "kept/results").is_dir()


def test_workers_are_used_and_change_nothing_but_what_is_measured(agents, tmp_path, run):
    own = PERFECT.replace("class Perfect:", "class Perfect:\n    concurrent = True")
    (tmp_path / "own.py").write_text(own, encoding="utf-8")
    for workers in ("1", "8"):
        command = ("evalmark", "memory", "run", "gate", "--agent", "own.py:Perfect", "--floor", "1")
        done = run(*command, "--workers", workers, "--out", f"{workers}/run")
        assert done.code == 0, done.err
        assert "one thing at a time" not in done.err
        assert "ingest: " in done.out
    assert differences(tmp_path / "1/run", tmp_path / "8/run") == []
    command = (
        "evalmark",
        "memory",
        "run",
        "gate",
        "--agent",
        f"{agents}:Perfect",
        "--workers",
        "8",
    )
    assert "note: the agent does one thing at a time" in run(*command, "--type", "updates").err


def test_a_kept_run_says_what_it_does_not_ask_again(agents, tmp_path, run):
    command = ("evalmark", "memory", "run", "gate", "--agent", f"{agents}:Perfect", "--out", "kept")
    assert "earlier run" not in run(*command, "--type", "updates").err
    assert "note: 9 answers are those of the earlier run" in run(*command).err
    raw = (tmp_path / "kept/gate.json").read_bytes()
    other = run(*command, "--seed", "5")
    assert other.code == 2
    assert "is the set of another seed or version; name another folder with --out" in other.err
    assert (tmp_path / "kept/gate.json").read_bytes() == raw


def test_a_few_questions_of_each_ability_are_asked(agents, run):
    command = (
        "evalmark",
        "memory",
        "run",
        "gate",
        "--agent",
        f"{agents}:Perfect",
        "--format",
        "json",
    )
    data = json.loads(run(*command, "--examples", "2").out)
    assert len(data["sets"][0]["questions"]) == 2 * len(ABILITIES)
    assert data["costs"]["answer"]["count"] == 2 * len(ABILITIES)


def test_what_the_gate_does_not_use_is_refused(run):
    outcome = run("evalmark", "memory", "run", "gate", "--agent", "x.json", "--judge", "yes.json")
    assert outcome.code == 2
    assert "--judge and --judge-prompt are not for the gate" in outcome.err


@pytest.mark.parametrize("floor", ["2", "x", "colours=0.5"])
def test_a_floor_that_is_none_is_refused(floor, run):
    outcome = run("evalmark", "memory", "run", "gate", "--agent", "x.json", "--floor", floor)
    assert outcome.code == 2
    assert "write a number from 0 to 1, or ABILITY=NUMBER" in outcome.err


def test_a_floor_is_for_the_gate_only(run):
    outcome = run(
        "evalmark", "memory", "run", "kv", "--agent", "x.json", "--floor", "1", "--out", "x"
    )
    assert outcome.code == 2
    assert "--floor is for the gate" in outcome.err
