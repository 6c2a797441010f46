"""docs/minimal-pairs.md is followed to the letter, in a temporary folder for each section."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from itertools import pairwise

import pytest
from conftest import ROOT, needs_sh
from document import Block, blocks, is_shown

PAGE = (ROOT / "docs/minimal-pairs.md").read_text(encoding="utf-8")
#: Heading -> the text below it.
SECTIONS = {
    heading: text
    for section in PAGE.split("\n## ")[1:]
    for heading, _, text in [section.partition("\n")]
}


@needs_sh
@pytest.mark.parametrize("heading", ["Other columns", "Check"])
def test_a_section_does_what_it_shows(heading, tmp_path):
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "EVALMARK_FAIL_ON": ""}
    environment.pop("GITHUB_ACTIONS", None)
    ran = 0
    for block, after in pairwise([*blocks(SECTIONS[heading]), Block("", "", "")]):
        if block.file:
            (tmp_path / block.file).write_text(block.content, encoding="utf-8")
            continue
        command = {
            "sh": ["bash", "-e", "-c", block.content],
            "python": [sys.executable, "-c", block.content],
        }.get(block.language)
        if command is None:
            continue
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, check=False
        )
        output = (done.stdout + done.stderr).decode()
        shown = after.content if after.language == "text" else ""
        assert done.returncode == ("error[" in shown), output
        is_shown(shown, output)
        ran += 1
    assert ran == SECTIONS[heading].count("```sh") + SECTIONS[heading].count("```python")
