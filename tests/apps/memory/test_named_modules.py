"""The current folder is data: only a class that the command line names is imported from it."""

import json
import sys

import pytest
from evalmark.memory.interface.user_code import look_in_current_folder, named_class
from hijacked import ran

pytest_plugins = ["hijacked"]


@pytest.fixture
def path(monkeypatch):
    """What is imported from, which a test may change."""
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])
    return sys.path


def test_a_named_module_may_be_in_it_and_comes_last(place, path):
    (place / "mine_only_here.py").write_text("class Agent: pass\n")
    look_in_current_folder("suite.json", None, "mine_only_here:Agent")
    assert path[-1] == str(place)
    assert named_class("mine_only_here:Agent").__name__ == "Agent"
    assert named_class("json:JSONDecoder") is json.JSONDecoder
    assert ran(place) == []


@pytest.mark.parametrize(
    "target",
    ["", "colours", "all", "suite.json", "llama3:8b", "hf.co/org/model:Q4", "C:\\definitions",
     "http://127.0.0.1:8000/v1", "memory.py:Notes", "agents/memory.py:Notes"],
)  # fmt: skip
def test_what_names_no_module_adds_nothing(place, path, target):
    before = list(path)
    look_in_current_folder(target)
    assert path == before


def test_modules_beside_a_named_file_do_not_replace_installed_ones(place, path):
    (place / "memory.py").write_text("import json, beside_memory\nclass Notes: json = json\n")
    (place / "beside_memory.py").write_text("")
    assert named_class("memory.py:Notes").json is json
    assert path[-1] == str(place)
    assert ran(place) == []


@pytest.mark.parametrize(
    "command",
    [
        ["memory", "colours", "--agent", "script.json", "--out", "out"],
        [
            "memory",
            "colours",
            "--agent",
            "script.json",
            "--out",
            "out",
            "--judge",
            "llama3:8b",
            "--judge-url",
            "http://127.0.0.1:9/v1",
        ],
        ["compare", "out", "out"],
    ],
)
def test_no_command_imports_what_its_line_does_not_name(place, run, path, command):
    (place / "script.json").write_text("{}")
    (place / "evalmark.toml").write_text('[memory]\njudge = "evil:J"\n')
    before = list(path)
    run("evalmark", *command)
    assert path == before
    assert "evil.ran" not in ran(place)
