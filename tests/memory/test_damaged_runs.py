"""One bad result does not stop `memory rescore` and `report`; names are looked at first."""

import json
import shutil

import pytest
from conftest import FIXTURES
from evalmark.memory.agents import completers
from evalmark.memory.running.run_folder import ConversationFolder
from evalmark.validator.io.writing import why_not_portable

RUN = FIXTURES / "trees/run"


@pytest.fixture
def damaged_run(tmp_path):
    shutil.copytree(RUN, tmp_path / "run")
    agent = tmp_path / "run/results/Example agent"
    paths = sorted(agent.rglob("*_0.json"))
    paths[0].write_text('{"score": true, "max_score": [], "task_log": 3}')
    return tmp_path / "run", paths[0]


def test_one_bad_result_does_not_stop_rescoring(run, damaged_run):
    folder, bad = damaged_run
    done = run("evalmark", "memory", "rescore", folder, "--format", "json", code=2)
    assert done.err.startswith(f"evalmark: {bad} is not a result of a conversation")
    tests = json.loads(done.out)["tests"]
    assert "Restaurant/0" in {test["test"] for test in tests}


def test_one_bad_result_does_not_stop_a_report(run, damaged_run, jinja2):
    folder, bad = damaged_run
    done = run("evalmark", "report", folder, code=2)
    assert f"evalmark: {bad} is not a result of a conversation" in done.err
    assert "Restaurant" in (folder / "report.html").read_text(encoding="utf-8")


def test_the_names_of_tests_are_looked_at_before_a_model_is_loaded(run, tmp_path, monkeypatch):
    def load(*_, **__):
        raise AssertionError

    monkeypatch.setattr(completers, "load_chat_model", load)
    done = run("evalmark", "memory", "run", "colors", "--model", "m", "--out", tmp_path / "run")
    assert done.code == 2
    assert "did you mean 'colours'" in done.err


def test_a_time_that_is_none_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    (tmp_path / "agent.json").write_text("{}")
    done = run(
        "evalmark", "memory", "run", "colours", "--agent", tmp_path / "agent.json",
        "--out", tmp_path / "run",
    )  # fmt: skip
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "SOURCE_DATE_EPOCH is 'yesterday'" in done.err


@pytest.mark.parametrize("name", ["con", "NUL", "com1.5", "a:b", "gpt-4.", "gpt ", "..", 'a"b|c?'])
def test_folders_named_after_agents_are_allowed_everywhere(tmp_path, name):
    folder = ConversationFolder(tmp_path, {"kind": "chat", "model": name})
    assert why_not_portable(folder.agent.name) == ""
