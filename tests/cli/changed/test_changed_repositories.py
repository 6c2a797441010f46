"""``check --changed BASE`` in repositories that lack something, or that somebody else made."""

import json
import os
import shutil
from pathlib import Path

import pytest
from branch import commit, git, on_main, record, rescored, suite, write
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.git import Repository

#: The empty tree, which every repository has.
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


pytest_plugins = ["branch"]
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="needs git")

# What git cannot answer


def test_a_git_that_fails_is_no_answer_without_files(repository):
    with pytest.raises(UsageError, match="`git ls-tree` failed with exit code 128"):
        list(Repository(str(repository)).tree("0" * 40))


def test_outside_a_repository(run, here, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(here.parent))
    done = run("evalmark", "check", "--changed", "main")
    assert done == (2, "", "evalmark: the current folder is not in a git repository\n")


def test_without_git(repository, refused, monkeypatch):
    monkeypatch.setenv("PATH", "")
    said = refused("evalmark", "check", "--changed", "main")
    assert said == (
        "evalmark: git is not installed, or not on the PATH; changes are found with it\n"
    )


def test_a_repository_of_somebody_else(repository, run, monkeypatch):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    done = run("evalmark", "check", "--changed", "main")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "dubious ownership" in done.err
    assert "git config --global --add safe.directory" in done.err


def test_outside_a_working_tree(repository, run, monkeypatch):
    monkeypatch.chdir(".git")
    done = run("evalmark", "check", "--changed", "main")
    assert done == (
        2, "",
        "evalmark: the current folder is a git repository without a working tree, whose settings "
        "could run commands: change to a working tree\n",
    )  # fmt: skip


def test_git_in_the_repository_is_not_run(repository, run, monkeypatch):
    write("git", "#!/bin/sh\ntouch owned\n")
    Path("git").chmod(0o755)
    monkeypatch.setenv("PATH", str(repository))
    assert run("evalmark", "check", "--changed", "main").code == 2
    assert not Path("owned").exists()


@pytest.mark.parametrize(
    "base", ["nowhere", "--output=owned", "--upload-pack=touch owned", "", "a\nb", "main..branch"]
)
def test_a_base_that_does_not_exist(repository, refused, base):
    said = refused("evalmark", "check", f"--changed={base}")
    assert said.startswith("evalmark: git finds no commit ")
    assert said.count("\n") == 1
    assert not Path("owned").exists()


def test_the_empty_tree_is_a_base(repository, check, run):
    write("records/new.json", record(3))
    assert check(EMPTY_TREE) == (1, [("records/new.json", "EE243")])
    first = git("rev-list", "--max-parents=0", "HEAD")
    assert check(first) == (1, [("records/new.json", "EE243")])


def test_a_branch_without_a_commit(repository, check, run):
    git("checkout", "-q", "--orphan", "unborn")
    done = run("evalmark", "check", "--changed", "main")
    assert done == (2, "", "evalmark: the current branch has no commit yet: commit first\n")
    write("records/new.json", record(3))
    assert check(EMPTY_TREE) == (1, [("records/new.json", "EE243")])


def test_unrelated_histories(repository, refused):
    git("checkout", "-q", "--orphan", "other")
    commit()
    said = refused("evalmark", "check", "--changed", "main")
    assert "'main' and HEAD have no commit in common: their histories are unrelated" in said


def test_a_shallow_clone(repository, run, refused, tmp_path, monkeypatch):
    write("records/new.json", record(3))
    commit()
    write("records/newer.json", record(4))
    commit()
    clone = tmp_path / "clone"
    git("clone", "-q", "--depth=1", "-b", "branch", repository.as_uri(), str(clone))
    monkeypatch.chdir(clone)
    unknown = run("evalmark", "check", "--changed", "origin/main")
    assert (unknown.code, unknown.err.count("fetch it first")) == (2, 1)
    git("fetch", "-q", "--depth=1", "origin", "main")
    said = refused("evalmark", "check", "--changed", "FETCH_HEAD")
    assert "this clone is shallow; fetch the whole history with `git fetch --unshallow`" in said


def test_a_shallow_clone_of_a_merge_knows_the_parents_of_the_merge(
    repository, check, tmp_path, monkeypatch
):
    """What GitHub checks out: a merge of the base and the branch, without any history."""
    write("records/new.json", record(50))
    commit()
    on_main(lambda: write("records/theirs.json", record(50)))
    git("merge", "-q", "--no-edit", "main")
    clone = tmp_path / "clone"
    git("clone", "-q", "--depth=1", "-b", "branch", repository.as_uri(), str(clone))
    monkeypatch.chdir(clone)
    git("fetch", "-q", "--depth=1", "origin", "main")
    assert check("FETCH_HEAD") == (1, [("records/new.json", "EE243")])


def test_a_base_whose_files_are_missing(repository, run):
    write("records/new.json", record(50))
    commit()
    on_main(lambda: write("records/theirs.json", record(51)))
    blob = git("rev-parse", "main:records/theirs.json")
    path = Path(f".git/objects/{blob[:2]}/{blob[2:]}")
    path.chmod(0o644)
    path.unlink()
    done = run("evalmark", "check", "--changed", "main", code=2)
    assert done.out.startswith("records/theirs.json:1:1: error[F011] cannot be compared with")


# Partial clones


@pytest.fixture
def partial(repository, tmp_path, monkeypatch):
    """A clone without the blobs that its checkout does not need, and where its remote lies."""
    git("config", "uploadpack.allowFilter", "true")

    def meanwhile():
        write("records/3.json", rescored(3))
        write("records/30.json", record(30))

    git("checkout", "-q", "main")
    write("evalmark.toml", 'ignore = ["SG302"]\n')
    commit("settings")
    git("checkout", "-qB", "branch")
    write("records/1.json", rescored(1))
    write("records/31.json", record(31))
    write("pyproject.toml", "[project]\n")
    write("evalmark.toml", 'ignore = ["F022"]\n')
    commit("branch")
    on_main(meanwhile)
    url = f"file://{repository}"
    git("clone", "-q", "--filter=blob:none", "-b", "branch", url, "clone", folder=tmp_path)
    monkeypatch.chdir(tmp_path / "clone")
    return repository


LACKS = "cannot be compared with its content on origin/main, which this clone lacks"


def test_what_a_partial_clone_lacks_is_a_finding_of_its_file_and_nothing_is_fetched(partial, run):
    """git would ask the remote for each of them; a file of the base is one finding."""
    before = sorted(Path(".git/objects").rglob("*"))
    log = partial.parent / "log"
    git("config", "remote.origin.uploadpack", f"touch {log}; git-upload-pack")
    git("config", "protocol.file.allow", "always")
    done = run("evalmark", "check", "--changed", "origin/main", "--format", "json", code=2)
    found = json.loads(done.out)["findings"]
    assert sorted((one["path"], one["code"]) for one in found) == [
        ("evalmark.toml", "F011"), ("records/1.json", "F011"), ("records/3.json", "F011"),
        ("records/30.json", "F011"),
    ]  # fmt: skip
    assert {one["message"] for one in found} == {LACKS}
    assert all(one["helps"] == ["fetch it: `git fetch --refetch --no-filter`"] for one in found)
    assert not log.exists()
    assert sorted(Path(".git/objects").rglob("*")) == before


def test_what_the_finding_says_to_fetch_is_all_that_is_needed(partial, check):
    git("fetch", "-q", "--refetch", "--no-filter")
    assert check("origin/main") == (0, [("evalmark.toml", "F022")])


def test_a_partial_clone_of_a_remote_that_is_gone_is_checked(partial, check):
    partial.rename(partial.parent / "gone")
    code, found = check("origin/main")
    assert code == 2
    assert [rule for _, rule in found].count("F011") == 4


def test_a_clone_without_trees_is_one_line_with_what_to_do(partial, run, tmp_path, monkeypatch):
    url = f"file://{partial}"
    git("clone", "-q", "--filter=tree:0", "-b", "branch", url, "bare", folder=tmp_path)
    monkeypatch.chdir(tmp_path / "bare")
    done = run("evalmark", "check", "--changed", "origin/main", code=2)
    assert done.err.count("\n") == 1
    assert (
        "this is a partial clone: fetch what it lacks: `git fetch --refetch --no-filter`"
        in done.err
    )


# git runs nothing that files of the folder, or the settings of a repository, name


@pytest.fixture
def command(tmp_path):
    """A command for a setting of git, and where it leaves its mark."""
    return f"touch '{(tmp_path / 'ran').as_posix()}'; false", tmp_path / "ran"


def test_a_bare_repository_among_the_files_is_none(repository, run, monkeypatch, command):
    """Any commit can bring one, and its settings: git itself would use them in this folder."""
    for name in ("HEAD", "index", "objects", "refs"):
        source = repository / ".git" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, repository / "suites" / name)
    (repository / "suites/config").write_text(
        f'[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "{command[0]}"\n'
    )
    monkeypatch.chdir("suites")
    done = run("evalmark", "check", "--changed", "main")
    assert not command[1].exists()
    assert (done.code, done.out) == (2, "")
    assert "is a git repository without a working tree" in done.err


def test_the_file_system_monitor_of_a_repository_is_not_run(repository, check, command):
    git("config", "core.fsmonitor", command[0])
    write("suites/new.json", suite("new"))
    assert check() == (0, [])
    assert not command[1].exists()
