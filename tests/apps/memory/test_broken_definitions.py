"""A definition that cannot be used does not stop the others; once it is fixed, the run resumes."""

import json

import pytest
from evalmark.memory.datasets import dataset_registry
from evalmark.memory.running.outcome import SCORED, UNJUDGED
from evalmark.memory.running.run_log import read_log
from evalmark.memory.running.runner import MODES
from evalmark.schemas.errors import OtherRun, ScoringError
from killing import files_in
from memory_runs import Parrot, conversation
from scripted import Judge
from test_ltm_bugs import defined

BROKEN = '{"script": 3}'


class Counting(Parrot):
    """Counts what it is asked: replies from the log are not asked for."""

    asked = 0

    def reply(self, message):
        Counting.asked += 1
        return super().reply(message)


@pytest.fixture
def talk(run, here, epoch):
    """Run the definitions of three tests with a scripted agent."""
    (here / "agent.json").write_text('{"default": "Red"}')
    for name in ("0", "1", "2"):
        defined(here, name=name)

    def talked(*arguments, targets=("definitions",)):
        how = ("--agent", "agent.json", "--out", "run")
        return run("evalmark", "memory", *targets, *how, *arguments)

    return talked


def break_one(tmp_path, name="1"):
    path = tmp_path / f"definitions/Colours/{name}.def.json"
    path.write_text(BROKEN)
    return path


def test_the_others_run_and_the_broken_one_is_named_at_the_end(talk, run, tmp_path):
    path = break_one(tmp_path).relative_to(tmp_path)
    done = talk(targets=("definitions", "no_such_module:X"))
    assert done.code == 2
    assert done.out.split()[8:11] == ["Colours", "2", "1.000"]
    checked = run("evalmark", "check", path, "-q").out
    assert done.err.startswith(checked)
    *_, broken, missing, note = done.err.splitlines()
    assert broken.startswith(f"evalmark: not run: {path}: LT101 ")
    assert broken.endswith(" (and 2 more)")
    assert missing.startswith("evalmark: not run: no_such_module:X: no module no_such_module in ")
    assert note.startswith("note: after fixing them, repeat the command: run is resumed")
    results = [p.name for p in (tmp_path / "run/results").rglob("*_0.json")]
    assert sorted(results) == ["0_0.json", "2_0.json"]
    assert sorted(p.name for p in (tmp_path / "run/definitions/Colours").iterdir()) == [
        "0.def.json", "2.def.json",
    ]  # fmt: skip
    (samples,) = (tmp_path / "run/records").rglob("*.jsonl")
    rows = [json.loads(line) for line in samples.read_text().splitlines()]
    assert {row["sample_id"] for row in rows} == {"Colours/0", "Colours/2"}
    assert run("evalmark", "check", tmp_path / "run").code == 0


def test_broken_definitions_alone_write_nothing(talk, tmp_path):
    path = break_one(tmp_path)
    before = files_in(tmp_path)
    done = talk(targets=(str(path), "no_such_module:X"))
    assert (done.code, done.out) == (2, "")
    assert done.err.count("evalmark: not run: ") == 2
    assert "resumed" not in done.err
    assert files_in(tmp_path) == before
    assert not (tmp_path / "run").exists()


def test_json_names_what_was_not_run(talk, tmp_path):
    break_one(tmp_path)
    data = json.loads(talk("--format", "json").out)
    assert [test["test"] for test in data["tests"]] == ["Colours/0", "Colours/2"]
    (entry,) = data["not_run"]
    assert entry["name"] == "definitions/Colours/1.def.json"
    assert entry["reason"].startswith("LT101 ")


def test_a_bug_is_a_finding_of_one_definition(talk, tmp_path, monkeypatch):
    real = dataset_registry.convert_data

    def broken(data, **how):
        if data["script"][0] == "bug":
            return real(data, to=None, supplied=3, **how)
        return real(data, **how)

    monkeypatch.setattr(dataset_registry, "convert_data", broken)
    defined(tmp_path, name="1", script=["bug", "What is my favourite colour?"])
    done = talk()
    assert done.code == 2
    lines = done.err.splitlines()
    assert "1.def.json:1:1: error[F099] internal error: TypeError in evalmark." in lines[0]
    assert "not run: definitions/Colours/1.def.json: F099 internal error: " in done.err
    assert len(list((tmp_path / "run/results").rglob("*_0.json"))) == 2


@pytest.mark.parametrize("mode", MODES)
def test_once_it_is_fixed_the_same_run_adds_its_tests(tmp_path, mode, monkeypatch):
    monkeypatch.setattr(Counting, "asked", 0)
    for name in ("0", "1", "2"):
        defined(tmp_path, name=name)
    path = break_one(tmp_path)
    home, target, found = tmp_path / "run", str(tmp_path / "definitions"), []

    def conversed():
        note = lambda name, _: found.append(name)  # noqa: E731
        return conversation(target, home, Counting(), mode=mode, memory_span=700, failed=note)

    first = conversed()
    assert found == [str(path)]
    assert [outcome.example.example_id for outcome in first.outcomes] == ["0", "2"]
    kept, asked = files_in(home), Counting.asked
    conversed()
    assert (files_in(home), Counting.asked) == (kept, asked), "still broken: nothing changes"
    defined(tmp_path, name="1")
    second = conversed()
    assert [outcome.example.example_id for outcome in second.outcomes] == ["0", "2", "1"]
    assert Counting.asked < 2 * asked, "what was asked is not asked again"
    log = read_log(second.folder / "conversation.jsonl")
    assert [e.get("without") for e in log if e["event"] == "tests"] == [
        ["Colours/1.def.json"], None,
    ]  # fmt: skip
    kept, asked = files_in(home), Counting.asked
    conversed()
    assert (files_in(home), Counting.asked) == (kept, asked)


def test_what_ran_and_is_broken_now_is_another_run(tmp_path):
    for name in ("0", "1"):
        defined(tmp_path, name=name)
    how = (str(tmp_path / "definitions"), tmp_path / "run", Parrot())
    conversation(*how)
    break_one(tmp_path)
    with pytest.raises(OtherRun, match=r"changed; cannot be used any more: Colours/1\.def\.json"):
        conversation(*how, failed=lambda *_: None)
    with pytest.raises(ScoringError, match="LT101"):
        conversation(*how)


@pytest.mark.parametrize("fixed", ["before the judge", "with the judge", "after the judge"])
def test_a_judge_can_come_before_and_after_a_definition_is_fixed(tmp_path, fixed):
    for name in ("0", "1", "2"):
        defined(tmp_path, dataset="Facts", name=name)
    (tmp_path / "definitions/Facts/1.def.json").write_text(BROKEN)
    target = str(tmp_path / "definitions")

    def states(judge=None):
        how = {"judge": judge, "failed": lambda *_: None}
        done = conversation(target, tmp_path / "run", Parrot(), **how)
        return sorted((o.example.example_id, o.state) for o in done.outcomes)

    def fix():
        defined(tmp_path, dataset="Facts", name="1")

    assert states() == [("0", UNJUDGED), ("2", UNJUDGED)]
    if fixed == "before the judge":
        fix()
        assert states() == [("0", UNJUDGED), ("1", UNJUDGED), ("2", UNJUDGED)]
    if fixed == "after the judge":
        assert states(Judge()) == [("0", SCORED), ("2", SCORED)]
    fix()
    whole = [("0", SCORED), ("1", SCORED), ("2", SCORED)]
    assert states(Judge()) == whole
    kept = files_in(tmp_path / "run")
    assert states(Judge()) == whole
    assert files_in(tmp_path / "run") == kept
