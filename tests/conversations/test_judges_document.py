"""The section about judges of docs/testing-a-memory-system.md, run literally."""

from __future__ import annotations

import re
import shlex

from conftest import ROOT

PAGE = ROOT / "docs/testing-a-memory-system.md"


def test_the_section_about_judges_runs_and_prints_what_it_shows(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    section = PAGE.read_text(encoding="utf-8").partition("## Judges\n")[2].partition("\n## ")[0]
    names = iter(("questions.json", "my_judges.py", "agent.json"))
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
    assert len(printed) == len(shown) == 3
    for out, end in zip(printed, shown, strict=True):
        assert ("\n".join(map(str.rstrip, out.splitlines())) + "\n").endswith(end)
