"""``check --paths-from``, and hidden files that are checked nevertheless."""

import shutil

import pytest
from branch import write
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
