"""docs/checking-a-submission.md is followed to the letter, in a temporary folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from itertools import pairwise

import pytest
from conftest import ROOT, needs_sh
from document import Block, blocks, is_shown
from evalmark.schemas.package import CLONE, address
from ruamel.yaml import YAML

PAGE = ROOT / "docs/checking-a-submission.md"
TEXT = PAGE.read_text(encoding="utf-8")
#: Names that the commands after the story take for granted.
NAMES = "git update-ref refs/remotes/origin/main main; git tag v1 main; git tag v2"
pytestmark = [
    needs_sh,
    pytest.mark.skipif(not shutil.which("git"), reason="needs git"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no clone"),
]


@pytest.mark.slow
def test_the_page_leads_from_an_empty_repository_to_a_gate(tmp_path):
    here, follow = tmp_path, [*blocks(TEXT), Block("", "", "")]
    environment = {
        **os.environ, "HOME": str(tmp_path), "EVALMARK_FAIL_ON": "", "GITHUB_STEP_SUMMARY": "",
        "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
    }  # fmt: skip
    # git clones no submodule from a folder, and nothing of another user, unless it is told to.
    (tmp_path / ".gitconfig").write_text("[protocol.file]\nallow = always\n[safe]\ndirectory = *\n")
    environment.pop("GITHUB_ACTIONS", None)
    ran = 0
    for block, after in pairwise(follow):
        if block.file:
            path = here / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.content, encoding="utf-8")
        elif block.language == "sh":
            script = block.content.replace(address() or CLONE, f"'{ROOT}'")
            if "origin/main" in script:
                script = f"{NAMES}\n{script}"
            done = subprocess.run(
                ["bash", "-e", "-c", f'trap \'pwd >"$HOME/where"\' EXIT\n{script}'],
                cwd=here, env=environment, capture_output=True, check=False,
            )  # fmt: skip
            output = (done.stdout + done.stderr).decode()
            shown = after.content if after.language in ("text", "markdown") else ""
            assert done.returncode == ("error[" in shown), f"{script}\n{output}"
            is_shown(shown, output)
            here = type(here)((tmp_path / "where").read_text().strip())
            ran += 1
    assert ran == TEXT.count("```sh") - 1  # all but the hook, which is a file
    assert (tmp_path / "junit.xml").exists()


def test_the_workflow_asks_for_what_the_action_has():
    action = YAML(typ="safe", pure=True).load((ROOT / "action.yml").read_text(encoding="utf-8"))
    workflow, step = (YAML(typ="safe", pure=True).load(b.content) for b in blocks(TEXT)
                      if b.language == "yaml")  # fmt: skip
    steps = [*workflow["jobs"]["evalmark"]["steps"], *step]
    asked = [each for each in steps if each["uses"] == "./.evalmark"]
    assert len(asked) == 2
    for each in asked:
        assert set(each["with"]) <= set(action["inputs"])
    listed = set(re.findall(r"^\| `([a-z-]+)` \|", TEXT, re.MULTILINE))
    assert listed == set(action["inputs"])
