"""The GitHub action: a pull request is checked by what it changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig

import pytest
from conftest import FIXTURES, ROOT, needs_links, needs_sh
from ruamel.yaml import YAML

pytestmark = [needs_sh, pytest.mark.skipif(not shutil.which("git"), reason="needs git")]


def git(folder, *arguments):
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def act(folder, **settings):
    scripts = sysconfig.get_path("scripts")
    environment = {
        **os.environ, **settings, "GITHUB_ACTIONS": "true",
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
    }  # fmt: skip
    return subprocess.run(
        ["bash", ROOT / "scripts/action.sh"],
        cwd=folder, env=environment, capture_output=True, text=True,
    )  # fmt: skip


@pytest.fixture
def repository(tmp_path):
    git(tmp_path, "init", "-q")
    shutil.copy(FIXTURES / "bad/SG204_unknown_condition.json", tmp_path / "old.json")
    (tmp_path / "package.json").write_text("{}")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "base")
    return tmp_path


def test_a_pull_request_is_checked_by_what_it_changes(repository):
    base = git(repository, "rev-parse", "HEAD")
    (repository / "package.json").write_text('{"name": "x"}')
    shutil.copy(FIXTURES / "bad/SG301_trailing_space.json", repository / "new one.json")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "change")
    done = act(repository, EVALMARK_BASE=base)
    assert done.returncode == 0
    assert "::warning file=new one.json" in done.stdout
    assert "old.json" not in done.stdout
    assert act(repository, EVALMARK_BASE=base, EVALMARK_FAIL_ON="warning").returncode == 1
    everything = act(repository, EVALMARK_BASE=base, EVALMARK_ALL="true")
    assert everything.returncode == 1
    assert "::error file=./old.json" in everything.stdout


def test_changed_samples_bring_their_record(repository):
    for name in ("with_samples.json", "with_samples_samples.jsonl"):
        shutil.copy(FIXTURES / "good" / name, repository / name)
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "record")
    base = git(repository, "rev-parse", "HEAD")
    samples = repository / "with_samples_samples.jsonl"
    samples.write_bytes(samples.read_bytes() + b"\n")
    git(repository, "commit", "-qam", "one line more")
    done = act(repository, EVALMARK_BASE=base)
    assert done.returncode == 1
    assert "EE313" in done.stdout


def test_nothing_of_ours_is_changed(repository):
    base = git(repository, "rev-parse", "HEAD")
    done = act(repository, EVALMARK_BASE=base)
    assert (done.returncode, done.stdout) == (0, "No evaluation files are changed.\n")


@needs_links
def test_a_link_out_of_the_repository_is_refused_and_not_shown(repository, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("TOKEN=hunter2\n")
    base = git(repository, "rev-parse", "HEAD")
    (repository / "x.json").symlink_to(secret)
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "a link")
    done = act(repository, EVALMARK_BASE=base)
    assert done.returncode == 2
    assert "F011" in done.stdout
    assert "::error file=x.json" in done.stdout
    everything = act(repository, EVALMARK_BASE=base, EVALMARK_ALL="true")
    assert "file=./old.json" in everything.stdout
    assert "x.json" not in everything.stdout


def test_a_shallow_checkout_fetches_the_base(repository, tmp_path_factory):
    base = git(repository, "rev-parse", "HEAD")
    shutil.copy(FIXTURES / "bad/SG301_trailing_space.json", repository / "new.json")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "change")
    shallow = tmp_path_factory.mktemp("shallow")
    git(shallow, "clone", "-q", "--depth=1", repository.as_uri(), ".")
    done = act(shallow, EVALMARK_BASE=base)
    assert "::warning file=new.json" in done.stdout
    assert "old.json" not in done.stdout


def test_a_base_is_never_an_option_of_git(repository, tmp_path_factory):
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", str(repository), ".")
    done = act(clone, EVALMARK_BASE="--upload-pack=touch owned;:")
    assert done.returncode != 0
    assert not list(clone.rglob("owned"))
    assert not list(repository.rglob("owned"))


def test_the_action_hands_its_inputs_on_as_variables():
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    action = YAML(typ="safe", pure=True).load(text)
    steps = action["runs"]["steps"]
    script = (ROOT / "scripts/action.sh").read_text(encoding="utf-8")
    for name in steps[-1]["env"]:
        assert name in script
    assert all("${{" not in step.get("run", "") for step in steps)
    used = {name for name in action["inputs"] if f"inputs.{name}" in text}
    assert used == set(action["inputs"])
