"""The section about judges of docs/testing-a-memory-system.md, run literally."""

from __future__ import annotations

import json
import re
import shlex

from conftest import ROOT
from evalmark.validator.check import check_data

PAGE = ROOT / "docs/testing-a-memory-system.md"


def test_the_section_about_judges_runs_and_prints_what_it_shows(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    section = PAGE.read_text(encoding="utf-8").partition("## Judges\n")[2].partition("\n## ")[0]
    names = iter(("my_judge.py", "people.csv"))
    printed, shown = [], []
    for language, text in re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL):
        if language == "sh":
            for line in text.splitlines():
                done = run(*shlex.split(line))
                assert done.code == 0, done.err
            printed.append(done.out)
        elif language == "text":
            shown.append(text)
        else:
            (tmp_path / next(names)).write_text(text, encoding="utf-8")
    assert len(printed) == len(shown) == 1
    for out, end in zip(printed, shown, strict=True):
        assert ("\n".join(map(str.rstrip, out.splitlines())) + "\n").endswith(end)


def test_the_set_of_the_section_about_the_general_form_is_valid_and_can_be_run(run, tmp_path):
    section = PAGE.read_text(encoding="utf-8").partition("## The general form\n")[2]
    (text, *_) = re.findall(r"```json\n(.*?)```", section, re.DOTALL)
    assert check_data(json.loads(text)).findings == ()
    (tmp_path / "set.json").write_text(text, encoding="utf-8")
    (tmp_path / "agent.json").write_text('{"default": "in Porto"}', encoding="utf-8")
    agent = ("--agent", str(tmp_path / "agent.json"))
    command = (
        "evalmark", "memory", "run", str(tmp_path / "set.json"), *agent, "--out", str(tmp_path),
    )  # fmt: skip
    outcome = run(*command, "--format", "json")
    assert outcome.code == 0, outcome.err
    (scores,) = json.loads(outcome.out)["sets"]
    matches = {question["id"]: question["exact_match"] for question in scores["questions"]}
    assert matches == {"q1": 1.0, "q2": 0.0, "q3": None}
