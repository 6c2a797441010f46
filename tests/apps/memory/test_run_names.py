"""Names and times of a run are looked at before a model is loaded."""

import shutil

import pytest
from conftest import FIXTURES
from evalmark.memory.agents import completers
from evalmark.memory.running.run_folder import ConversationFolder
from evalmark.validator.io.portable_names import why_not_portable


def test_the_names_of_tests_are_looked_at_before_a_model_is_loaded(run, tmp_path, monkeypatch):
    def load(*_, **__):
        raise AssertionError

    monkeypatch.setattr(completers, "load_chat_model", load)
    done = run("evalmark", "memory", "colors", "--model", "m", "--out", tmp_path / "run")
    assert done.code == 2
    assert "did you mean 'colours'" in done.err


def test_a_time_that_is_none_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    (tmp_path / "agent.json").write_text("{}")
    done = run(
        "evalmark", "memory", "colours", "--agent", tmp_path / "agent.json",
        "--out", tmp_path / "run",
    )  # fmt: skip
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "SOURCE_DATE_EPOCH is 'yesterday'" in done.err


@pytest.mark.parametrize("name", ["con", "NUL", "com1.5", "a:b", "gpt-4.", "gpt ", "..", 'a"b|c?'])
def test_folders_named_after_agents_are_allowed_everywhere(tmp_path, name):
    folder = ConversationFolder(tmp_path, {"kind": "chat", "model": name})
    assert why_not_portable(folder.agent.name) == ""


@pytest.mark.parametrize("place", ["", "results", "results/Example agent"])
def test_the_report_of_a_run_has_its_questions(run, tmp_path, place):
    path = shutil.copytree(FIXTURES / "trees/run", tmp_path / "run") / place
    run("evalmark", "report", path, code=0)
    (page,) = tmp_path.rglob("*.html")
    assert "What is my favourite colour?" in page.read_text("utf-8")
