"""The GitHub action: a pull request is checked by what it changes."""

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import branch
import pytest
from conftest import FIXTURES, ROOT, needs_links, needs_sh
from ruamel.yaml import YAML

pytestmark = [needs_sh, pytest.mark.skipif(not shutil.which("git"), reason="needs git")]


def git(folder, *arguments):
    return branch.git(*arguments, folder=folder)


def commit(folder):
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "change")


class Acted(NamedTuple):
    """What the action did: exit code, log, and what it added to the summary of the job."""

    returncode: int
    stdout: str
    stderr: str
    summary: str


def act(folder, **settings):
    scripts = sysconfig.get_path("scripts")
    with TemporaryDirectory() as outside:
        summary = Path(outside, "summary.md")
        summary.write_text("From a step before.\n", encoding="utf-8")
        environment = {
            **os.environ, **settings, "GITHUB_ACTIONS": "true", "TMPDIR": outside,
            "GITHUB_STEP_SUMMARY": str(summary),
            "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        }  # fmt: skip
        done = subprocess.run(
            ["bash", ROOT / "scripts/action.sh"],
            cwd=folder, env=environment, capture_output=True, check=False,
        )  # fmt: skip
        before, _, text = summary.read_text(encoding="utf-8").partition("\n")
        assert before == "From a step before."
        assert text.startswith("### evalmark: "), "a summary is never empty"
        assert [path.name for path in Path(outside).iterdir()] == ["summary.md"]
    out, err = (each.decode("utf-8", "backslashreplace") for each in (done.stdout, done.stderr))
    return Acted(done.returncode, out, err, text)


@pytest.fixture
def repository(tmp_path):
    git(tmp_path, "init", "-q")
    shutil.copy(FIXTURES / "bad/SG204_unknown_condition.json", tmp_path / "old.json")
    (tmp_path / "package.json").write_text("{}")
    commit(tmp_path)
    return tmp_path


def test_a_pull_request_is_checked_by_what_it_changes(repository):
    base = git(repository, "rev-parse", "HEAD")
    (repository / "package.json").write_text('{"name": "x"}')
    shutil.copy(FIXTURES / "bad/SG301_trailing_space.json", repository / "new one.json")
    commit(repository)
    done = act(repository, EVALMARK_BASE=base)
    assert done.returncode == 0
    assert "::warning file=new one.json" in done.stdout
    assert "file=old.json" not in done.stdout
    assert "### evalmark: 0 errors, 2 warnings" in done.summary
    assert "[`new one.json:37`](new%20one.json#L37) SG301" in done.summary
    assert f"also in {base}:old.json" in done.summary
    assert act(repository, EVALMARK_BASE=base, EVALMARK_FAIL_ON="warning").returncode == 1
    everything = act(repository, EVALMARK_BASE=base, EVALMARK_ALL="true")
    assert everything.returncode == 1
    assert "::error file=./old.json" in everything.stdout


def test_nothing_of_ours_is_changed(repository):
    base = git(repository, "rev-parse", "HEAD")
    done = act(repository, EVALMARK_BASE=base)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "No evaluation files have changed.\n"
    assert "### evalmark: nothing to check" in done.summary


@needs_links
def test_a_link_out_of_the_repository_is_refused_and_not_shown(repository, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("TOKEN=hunter2\n")
    base = git(repository, "rev-parse", "HEAD")
    (repository / "x.json").symlink_to(secret)
    commit(repository)
    done = act(repository, EVALMARK_BASE=base)
    assert done.returncode == 2
    assert "F011" in done.stdout
    assert "::error file=x.json" in done.stdout
    everything = act(repository, EVALMARK_BASE=base, EVALMARK_ALL="true")
    assert "file=./old.json" in everything.stdout
    assert "x.json" not in everything.stdout


def shallow_clone(repository, tmp_path_factory, *options):
    folder = tmp_path_factory.mktemp("shallow")
    git(folder, "clone", "-q", "--depth=1", *options, repository.as_uri(), ".")
    return folder


def test_a_shallow_checkout_fetches_the_base(repository, tmp_path_factory):
    base = git(repository, "rev-parse", "HEAD")
    shutil.copy(FIXTURES / "bad/SG301_trailing_space.json", repository / "new.json")
    commit(repository)
    done = act(shallow_clone(repository, tmp_path_factory), EVALMARK_BASE=base)
    assert "::warning file=new.json" in done.stdout
    assert "file=old.json" not in done.stdout


def test_a_base_is_never_an_option_of_git(repository, tmp_path_factory):
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", str(repository), ".")
    done = act(clone, EVALMARK_BASE="--upload-pack=touch owned;:")
    assert done.returncode != 0
    assert not list(clone.rglob("owned"))
    assert not list(repository.rglob("owned"))


def test_a_shallow_checkout_of_a_branch_fetches_its_history(repository, tmp_path_factory):
    """Where the branch has left the base is not among the parents of its last commit."""
    base = git(repository, "rev-parse", "HEAD")
    for number in range(3):
        shutil.copy(FIXTURES / "bad/SG301_trailing_space.json", repository / f"{number}.json")
        commit(repository)
    done = act(shallow_clone(repository, tmp_path_factory), EVALMARK_BASE=base)
    assert [f"file={number}.json" in done.stdout for number in range(3)] == [True] * 3
    assert "file=old.json" not in done.stdout


def test_the_merge_that_github_makes_is_compared_with_its_own_base(repository, tmp_path_factory):
    """The base may have moved between the event and the merge; the checkout has depth 1."""
    stale = git(repository, "rev-parse", "HEAD")
    git(repository, "branch", "theirs")
    shutil.copy(FIXTURES / "bad/SG301_trailing_space.json", repository / "of base.json")
    commit(repository)
    git(repository, "checkout", "-q", "-b", "merge")
    git(repository, "checkout", "-q", "theirs")
    shutil.copy(FIXTURES / "bad/SG302_leading_space.json", repository / "of branch.json")
    commit(repository)
    git(repository, "checkout", "-q", "merge")
    git(repository, "merge", "-q", "--no-ff", "theirs", "-m", "merge")
    shallow = shallow_clone(repository, tmp_path_factory, "--branch=merge")
    head = git(shallow, "rev-parse", "HEAD")
    done = act(shallow, EVALMARK_BASE=stale, GITHUB_REF="refs/pull/7/merge", GITHUB_SHA=head)
    assert done.returncode == 0, done.stderr
    assert "file=of branch.json" in done.stdout
    assert "file=of base.json" not in done.stdout


def test_a_push_is_checked_whole(repository):
    done = act(repository)
    assert done.returncode == 1
    assert "::error file=./old.json" in done.stdout
    assert "1 error" in done.summary


def test_the_first_commit_of_a_repository(tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / "README.md").write_text("# Data")
    commit(tmp_path)
    done = act(tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "No evaluation files were checked." in done.summary
    shutil.copy(FIXTURES / "good/suite.json", tmp_path / "suite.json")
    done = act(tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "Checked 1 file: no findings." in done.summary


def test_a_change_without_findings(repository):
    base = git(repository, "rev-parse", "HEAD")
    shutil.copy(FIXTURES / "good/suite.json", repository / "good.json")
    commit(repository)
    done = act(repository, EVALMARK_BASE=base)
    assert (done.returncode, done.stdout) == (0, "")
    assert "### evalmark: no findings\n\nChecked 1 file: no findings.\n" in done.summary


def test_a_deletion_alone(repository):
    base = git(repository, "rev-parse", "HEAD")
    git(repository, "rm", "-q", "old.json")
    git(repository, "commit", "-qm", "gone")
    done = act(repository, EVALMARK_BASE=base, EVALMARK_SARIF="out.sarif")
    assert done.returncode == 0
    assert "### evalmark: nothing to check" in done.summary
    log = json.loads((repository / "out.sarif").read_text(encoding="utf-8"))
    assert log["runs"][0]["results"] == []


HOSTILE = b"a`<img src=x>`](b)@org|::error::x\n##[add-mask]y\xff$(touch owned);'.json"


def test_a_hostile_name_does_nothing(repository):
    base = git(repository, "rev-parse", "HEAD")
    try:
        Path(repository, os.fsdecode(HOSTILE)).write_text("{")
    except (OSError, ValueError):
        pytest.skip("files cannot be called that here")
    commit(repository)
    for settings in ({"EVALMARK_BASE": base}, {}):
        done = act(repository, **settings, EVALMARK_SARIF="out.sarif")
        assert done.returncode == 1
        assert "F001" in done.stdout
        lines = [line for line in done.stdout.splitlines() if not line.startswith("::error ")]
        assert not [line for line in lines if line.lstrip().startswith("::") or "##[" in line]
        item = next(line for line in done.summary.splitlines() if "F001" in line)
        assert item.startswith(
            ("- **error** [``a`<img src=x>`](b)@org|", "- **error** [``./a`<img")
        )
        assert json.loads((repository / "out.sarif").read_text(encoding="utf-8"))["runs"]
    assert not list(repository.rglob("owned"))


def test_more_names_than_fit_a_command_line(repository):
    """Linux allows 2 MiB of arguments; 22,300 changed files were too many for names of 90 bytes."""
    base = git(repository, "rev-parse", "HEAD")
    folder = repository.joinpath(*["d" * 200] * 10)
    try:
        folder.mkdir(parents=True)
        for number in range(1200):
            (folder / f"{number}.json").write_text("{}")
    except OSError:
        pytest.skip("paths cannot be that long here")
    shutil.copy(FIXTURES / "bad/SG301_trailing_space.json", folder / "suite.json")
    commit(repository)
    done = act(repository, EVALMARK_BASE=base)
    assert done.returncode == 0, done.stderr
    assert "SG301" in done.stdout
    assert "Checked 1 file, skipped 1200: 0 errors, " in done.summary


def test_a_check_that_cannot_run_says_so_in_the_summary(repository):
    (repository / "evalmark.toml").write_text("ignore = 1\n")
    done = act(repository)
    assert done.returncode == 2
    assert "`ignore` must be a list of strings" in done.stderr
    assert done.summary == "### evalmark: could not run\n\nThe log of this step says why.\n"


def test_settings_decide_what_fails_unless_the_workflow_does(repository):
    shutil.copy(FIXTURES / "bad/SG302_leading_space.json", repository / "old.json")
    (repository / "evalmark.toml").write_text('fail-on = "warning"\n')
    assert act(repository).returncode == 1
    assert act(repository, EVALMARK_FAIL_ON="error").returncode == 0


def test_the_log_says_how_many_findings_have_no_annotation(repository):
    for number in range(13):
        (repository / f"{number}.json").write_text("{")
    done = act(repository)
    annotations = [line for line in done.stdout.splitlines() if line.startswith("::error")]
    assert len(annotations) == 10
    assert annotations[-1] == "::error title=evalmark::and 5 more, see the log"
    assert "14 errors" in done.summary


#: Stands for GitHub's program: notes each call, finds the comment that was written before.
GH = """#!/bin/sh
echo "$GH_TOKEN $*" >>"$GH_LOG"
case "$*" in
*--paginate*) [ -e "$GH_LOG.written" ] && echo 17 ;;
*"no/right"*) exit 1 ;;
*) touch "$GH_LOG.written"; cp "${*##*@}" "$GH_LOG.body" ;;
esac
"""


def test_the_summary_becomes_one_comment_of_the_pull_request(
    repository, tmp_path_factory, monkeypatch
):
    there = tmp_path_factory.mktemp("gh")
    (there / "gh").write_text(GH, encoding="utf-8")
    (there / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{there}{os.pathsep}{os.environ['PATH']}")
    settings = {
        "GH_LOG": str(there / "log"), "GH_TOKEN": "t0",
        "EVALMARK_COMMENT": "true", "EVALMARK_PULL": "7",
    }  # fmt: skip

    def last_call():
        return (there / "log").read_text().splitlines()[-1]

    done = act(repository, GITHUB_REPOSITORY="lab/board", **settings)
    assert last_call().startswith("t0 api --silent --method POST repos/lab/board/issues/7/comments")
    body = (there / "log.body").read_text(encoding="utf-8")
    assert body == f"<!-- evalmark -->\n{done.summary}"
    act(repository, GITHUB_REPOSITORY="lab/board", **settings)
    assert "--method PATCH repos/lab/board/issues/comments/17" in last_call()
    refused = act(repository, GITHUB_REPOSITORY="no/right", **settings)
    assert refused.returncode == done.returncode
    assert "::notice::evalmark may not comment here" in refused.stdout


def test_a_folder_of_the_checkout_is_checked(repository):
    shutil.copytree(repository, repository / ".submission")
    (repository / "old.json").unlink()
    done = act(repository, EVALMARK_FOLDER=".submission")
    assert "file=./old.json" in done.stdout


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
