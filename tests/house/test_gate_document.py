"""docs/checking-a-submission.md is followed to the letter, in a temporary folder."""

from __future__ import annotations

import re
import shutil

import pytest
from conftest import ROOT, needs_sh
from document import blocks, follow
from evalmark.schemas.package import CLONE, address
from ruamel.yaml import YAML

PAGE = ROOT / "docs/checking-a-submission.md"
TEXT = PAGE.read_text(encoding="utf-8")
#: Names that the commands after the story take for granted.
NAMES = "git update-ref refs/remotes/origin/main main; git tag v1 main; git tag v2"
#: The edit that the page asks for before it repairs what lacks facts.
BY_HAND = """sed -i.old '/deployment_type/d; /model_availability/d' data/gsm8k/*/*/*.json
rm data/gsm8k/*/*/*.old"""
pytestmark = [
    needs_sh,
    pytest.mark.skipif(not shutil.which("git"), reason="needs git"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no clone"),
]


@pytest.mark.slow
def test_the_page_leads_from_an_empty_repository_to_a_gate(tmp_path):
    # git clones no submodule from a folder, and nothing of another user, unless it is told to.
    (tmp_path / ".gitconfig").write_text("[protocol.file]\nallow = always\n[safe]\ndirectory = *\n")

    def change(script):
        script = script.replace(address() or CLONE, f"'{ROOT}'")
        before = NAMES if "origin/main" in script else BY_HAND if "facts.yml" in script else ""
        return f"{before}\n{script}"

    # All but the hook, which is a file.
    assert follow(TEXT, tmp_path, change) == TEXT.count("```sh") - 1
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
