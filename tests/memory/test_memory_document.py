"""docs/testing-a-memory-system.md is followed to the letter, in a temporary folder."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from itertools import pairwise

import pytest
from conftest import ROOT, needs_sh
from document import Block, blocks, is_shown

pytest.importorskip("jinja2")  # the last command draws a page

_TEXT = (ROOT / "docs/testing-a-memory-system.md").read_text(encoding="utf-8")
#: All but the judges, which have a test of their own.
PAGE = _TEXT.partition("\n## Judges")[0]


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
