"""``evalmark check --watch``: checks again whenever a file changes, until Ctrl-C."""

from __future__ import annotations

import shutil

import pytest
from conftest import FIXTURES
from evalmark.cli.checks import watching

GOOD = FIXTURES / "good/suite.json"
ERROR = FIXTURES / "bad/SG204_unknown_condition.json"


@pytest.fixture
def during_pauses(monkeypatch):
    """Makes one change in each pause; Ctrl-C is pressed in the pause after the last."""

    def changes(*actions):
        waiting = iter(actions)

        def pause(_):
            action = next(waiting, None)
            if action is None:
                raise KeyboardInterrupt
            action()

        monkeypatch.setattr(watching, "sleep", pause)

    return changes


def test_all_files_are_checked_again_when_one_changes(run, tmp_path, monkeypatch, during_pauses):
    monkeypatch.chdir(tmp_path)
    suite, other = tmp_path / "suite.json", tmp_path / "other.json"
    shutil.copy(ERROR, suite)
    during_pauses(
        lambda: shutil.copy(GOOD, suite),
        lambda: None,
        lambda: shutil.copy(GOOD, other),
        other.unlink,
        lambda: (tmp_path / "evalmark.toml").write_text("ignor = []"),
    )
    done = run("evalmark", "check", "--watch", ".")
    assert done.code == 130
    first, *checks = done.err.split("Changed: ")
    assert first.startswith("Checked 1 file: 1 error")
    assert first.endswith("Watching 1 file; Ctrl-C ends this.\n")
    assert [check.splitlines()[0] for check in checks] == [
        "./suite.json",
        "./other.json",
        "./other.json",
        "settings",
    ]
    assert "no findings" in checks[0]
    assert "Watching 2 files" in checks[1]
    assert "no findings" in checks[2]
    assert "evalmark: " in checks[3]  # and the watch continues
    assert checks[3].rstrip().endswith("Ctrl-C ends this.")
    codes = [line.partition("[")[2][:5] for line in done.out.splitlines()]
    assert codes == ["SG204", "SG418"]  # the second needs both files


def test_a_missing_file_is_waited_for(run, tmp_path, during_pauses):
    suite = tmp_path / "suite.json"
    during_pauses(lambda: shutil.copy(GOOD, suite))
    done = run("evalmark", "check", "--watch", suite)
    assert (done.code, "no findings" in done.err) == (130, True)


@pytest.mark.parametrize(
    "words", ["-", "--fix .", "--diff .", "--out json=a.json .", "--format json ."]
)
def test_what_is_for_one_check_is_refused(run, words):
    done = run("evalmark", "check", "--watch", *words.split())
    assert (done.code, done.out) == (2, "")
    assert "evalmark: --watch and " in done.err
