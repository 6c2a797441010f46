"""Pages of docs/ are followed to the letter, each in a temporary folder."""

import json
import re
import shutil

import pytest
from conftest import FIXTURES, ROOT, needs_sh, record_at
from document import blocks, follow
from evalmark.schemas.package import address
from ruamel.yaml import YAML

needs_git = pytest.mark.skipif(
    not shutil.which("git") or not (ROOT / ".git").exists(), reason="needs git and a clone"
)
#: Names that the commands after the story of a gate take for granted.
NAMES = "git update-ref refs/remotes/origin/main main; git tag v1 main; git tag v2"
#: The edit that the page asks for before it repairs what lacks facts.
BY_HAND = """for record in data/gsm8k/*/*/*.json; do
sed -e /deployment_type/d -e /model_availability/d $record >../edited; mv ../edited $record
done"""


def page(name):
    return (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")


def followed(text, folder, *change):
    """How many blocks were run, and how many there are."""
    return follow(text, folder, *change), text.count("```sh") + text.count("```python")


@needs_sh
@pytest.mark.parametrize("heading", ["Other columns", "Check"])
def test_a_section_on_minimal_pairs_does_what_it_shows(heading, tmp_path):
    section = page("minimal-pairs").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    ran, there = followed(section, tmp_path)
    assert ran == there > 0


@pytest.mark.slow
@needs_sh
def test_the_page_on_leaderboards_does_what_it_shows(tmp_path, duckdb):
    data = tmp_path / "data"
    data.mkdir()
    for name in ("with_samples.json", "with_samples_samples.jsonl"):
        shutil.copy(FIXTURES / "good" / name, data / name)
    record = record_at("0.2.0")
    for name, model in (("one", "Example/Model_1"), ("two", "example/model-2")):
        record["evaluation_id"] = f"agreement/{model}/1760000000"
        record["model_info"]["id"] = model  # one of them is the same with another spelling
        (data / f"{name}.json").write_text(json.dumps(record, indent=2), encoding="utf-8")
    ran, there = followed(page("running-a-leaderboard"), tmp_path)
    assert ran == there


@pytest.mark.slow
@needs_sh
@needs_git
def test_the_page_on_submissions_leads_from_an_empty_repository_to_a_gate(tmp_path):
    # git clones no submodule from a folder, and nothing of another user, unless it is told to.
    (tmp_path / ".gitconfig").write_text("[protocol.file]\nallow = always\n[safe]\ndirectory = *\n")

    def change(script):
        script = script.replace(address() or "/path/to/evalmark", f"'{ROOT}'")
        before = NAMES if "origin/main" in script else BY_HAND if "facts.yml" in script else ""
        return f"{before}\n{script}"

    ran, there = followed(page("checking-a-submission"), tmp_path, change)
    assert ran == there - 1  # all but the hook, which is a file
    assert (tmp_path / "junit.xml").exists()


def test_the_workflow_asks_for_what_the_action_has():
    text = page("checking-a-submission")
    action = YAML(typ="safe", pure=True).load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (block,) = (block for block in blocks(text) if block.language == "yaml")
    workflow = YAML(typ="safe", pure=True).load(block.content)
    steps = workflow["jobs"]["evalmark"]["steps"]
    (asked,) = (step for step in steps if step["uses"] == "./.evalmark")
    assert set(asked["with"]) <= set(action["inputs"])
    listed = set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE))
    assert listed == set(action["inputs"])
