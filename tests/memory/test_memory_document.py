"""docs/testing-a-memory-system.md is followed to the letter, in a temporary folder."""

import json
import os
import subprocess
import sysconfig
from itertools import pairwise

import pytest
from conftest import ROOT, needs_sh
from document import Block, blocks, is_shown
from evalmark.validator.check import check_data

pytest.importorskip("jinja2")  # the last command draws a page

PAGE = (ROOT / "docs/testing-a-memory-system.md").read_text(encoding="utf-8")


@pytest.mark.slow
@needs_sh
def test_the_page_does_what_it_shows(tmp_path):
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "EVALMARK_FAIL_ON": ""}
    environment.pop("GITHUB_ACTIONS", None)
    ran = 0
    for block, after in pairwise([*blocks(PAGE), Block("", "", "")]):
        if block.file:
            (tmp_path / block.file).write_text(block.content, encoding="utf-8")
        elif block.language == "sh":
            done = subprocess.run(
                ["bash", "-e", "-c", block.content],
                cwd=tmp_path, env=environment, capture_output=True, check=False,
            )  # fmt: skip
            output = (done.stdout + done.stderr).decode()
            shown = after.content if after.language == "text" else ""
            failures = ("error[", "extra: ")
            assert done.returncode == any(text in shown for text in failures), output
            is_shown(shown, output)
            assert output.count("\n") == shown.count("\n") + ("explain" in output), output
            ran += 1
    assert ran == PAGE.count("```sh")


def test_the_set_of_the_section_about_the_general_form_is_valid_and_can_be_run(run, tmp_path):
    (text,) = (block.content for block in blocks(PAGE) if block.file == "set.json")
    assert check_data(json.loads(text)).findings == ()
    (tmp_path / "set.json").write_text(text, encoding="utf-8")
    (tmp_path / "agent.json").write_text('{"default": "in Porto"}', encoding="utf-8")
    agent = ("--agent", str(tmp_path / "agent.json"))
    command = (
        "evalmark", "memory", "run", str(tmp_path / "set.json"), *agent, "--out", str(tmp_path),
    )  # fmt: skip
    (scores,) = json.loads(run(*command, "--format", "json", code=0).out)["sets"]
    matches = {question["id"]: question["exact_match"] for question in scores["questions"]}
    assert matches == {"q1": 1.0, "q2": 0.0, "q3": None}
