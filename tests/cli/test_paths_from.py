"""``check --paths-from``, and hidden files that are checked nevertheless."""

import os
import shutil
from pathlib import Path

import pytest
from branch import commit, git, write
from conftest import FIXTURES

WARNING = FIXTURES / "bad/SG302_leading_space.json"


pytest_plugins = ["branch"]
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="needs git")


@pytest.mark.parametrize("separator", ["\0", "\n", "\r\n"])
@pytest.mark.parametrize("ended", [True, False])
def test_a_list_of_paths(repository, run, separator, ended):
    names = ["records/1.json", "suites", "records/2.json"]
    text = separator.join(names) + (separator if ended else "")
    write("list", text)
    for listed, stdin in (("list", b""), ("-", text.encode())):
        done = run("evalmark", "check", "--paths-from", listed, stdin=stdin)
        assert (done.code, done.err) == (0, "Checked 3 files: no findings.\n")


def test_names_in_a_list_are_only_names(repository, run):
    names = ["-", "--fix", "-rf.json"]
    shutil.copy(WARNING, "-rf.json")
    done = run("evalmark", "check", "--paths-from", "-", stdin="\n".join(names).encode(), code=2)
    assert [line.split(":")[0] for line in done.out.splitlines()] == ["./-", "--fix", "-rf.json"]


def test_an_empty_list(repository, run):
    assert run("evalmark", "check", "--paths-from", "-", stdin=b"") == (
        0,
        "",
        "The list is empty.\n",
    )
    done = run("evalmark", "check", "--paths-from", "nowhere")
    assert (done.code, done.err) == (2, "evalmark: nowhere: No such file or directory\n")
    for more in (["records"], ["--changed", "main"]):
        done = run("evalmark", "check", "--paths-from", "list", *more)
        assert done == (2, "", "evalmark: --paths-from excludes arguments and --changed\n")


def test_results_in_the_repository_of_a_model_are_checked_although_they_are_hidden(
    here, monkeypatch, run
):
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    git("init", "-q", "-b", "main")
    entry = "- dataset: {{id: cais/hle, task_id: hle}}\n  value: {}\n"
    write(".eval_results/hle.yaml", entry.format(3))
    write(".cache/hle.yaml", entry.format(3))
    commit()
    git("checkout", "-qb", "change")
    for folder in (".eval_results", ".cache"):
        write(f"{folder}/hle.yaml", entry.format(300))
    commit()
    for what in (["--changed", "main"], ["."]):
        (line,) = run("evalmark", "check", "--format", "concise", *what).out.splitlines()
        assert os.path.normpath(line.partition(":")[0]) == str(Path(".eval_results/hle.yaml"))
