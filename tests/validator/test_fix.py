"""``--fix`` mends what it may, and touches nothing else."""

from __future__ import annotations

import shutil

import pytest
from conftest import FIXTURES, needs_links, needs_modes
from evalmark.validator.batch.fix_files import fix_files
from evalmark.validator.check import check_file

GOOD = FIXTURES / "good/suite.json"
WARNING = FIXTURES / "bad/SG302_leading_space.json"
UNSAFE = FIXTURES / "bad/SG301_trailing_space.json"
ERROR = FIXTURES / "bad/SG204_unknown_condition.json"
BOM = FIXTURES / "bad/F003_byte_order_mark.json"


@needs_modes
@pytest.mark.parametrize("program", [("evalmark", "check"), ("evalmark-hook",)])
def test_safe_fixes_change_only_what_they_mend(run, tmp_path, program):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    path.chmod(0o640)
    outcome = run(*program, "--fix", path)
    assert outcome.code == 0
    assert outcome.out == ""
    assert "Fixed 4 findings in 1 file." in outcome.err or program == ("evalmark-hook",)
    assert path.read_text() == WARNING.read_text().replace('": " ', '": "')
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_unsafe_fixes_must_be_asked_for(run, tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(UNSAFE, path)
    run("evalmark", "check", "--fix", path)
    assert path.read_bytes() == UNSAFE.read_bytes()
    run("evalmark", "check", "--fix", "--unsafe-fixes", path)
    assert path.read_text() == UNSAFE.read_text().replace("liked ", "liked", 1)
    assert check_file(path).findings == ()


def test_a_leading_space_is_an_unsafe_fix_where_the_join_keeps_it(run, tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    outcome = run("evalmark", "check", "--fix", "--join", "brainscore", path)
    assert path.read_bytes() == WARNING.read_bytes()
    assert "4 with `--fix --unsafe-fixes`" in outcome.err


def test_diff_shows_and_changes_nothing(run, tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    outcome = run("evalmark", "check", "--fix", "--diff", path)
    assert outcome.code == 1
    assert '-              "content": " plays"' in outcome.out
    assert '+              "content": "plays"' in outcome.out
    assert path.read_bytes() == WARNING.read_bytes()


def test_the_diff_of_an_absolute_path_can_be_applied(run, tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    name = str(path).lstrip("/")
    lines = run("evalmark", "check", "--diff", path).out.splitlines()
    assert lines[:2] == [f"--- a/{name}", f"+++ b/{name}"]


def test_fixing_stdin_prints_the_text(run):
    outcome = run("evalmark", "check", "--fix", "-", stdin=WARNING.read_bytes())
    assert outcome.out == WARNING.read_text().replace('": " ', '": "')


def test_a_byte_order_mark_is_fixed_together_with_the_rest(run, tmp_path):
    path = tmp_path / "suite.json"
    path.write_bytes(b"\xef\xbb\xbf" + WARNING.read_bytes())
    assert run("evalmark", "check", "--fix", path).code == 0
    assert path.read_text() == WARNING.read_text().replace('": " ', '": "')


@needs_links
def test_a_symbolic_link_stays_one(run, tmp_path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    shutil.copy(WARNING, target)
    link.symlink_to(target)
    run("evalmark", "check", "--fix", link)
    assert link.is_symlink()
    assert check_file(target).findings == ()


def test_a_library_user_fixes_files(tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    seen = []
    planned = fix_files([tmp_path], write=False, changed=seen.append)
    assert path.read_bytes() == WARNING.read_bytes()
    done = fix_files([tmp_path])
    assert path.read_text() == WARNING.read_text().replace('": " ', '": "')
    for fixed in (planned, done):
        assert (fixed.fixes, fixed.changed, fixed.not_written) == (4, (str(path),), ())
        assert fixed.checked.findings == ()
    assert [(file.path, file.new) for file in seen] == [(str(path), path.read_text())]


def test_ignored_findings_are_not_fixed(tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    assert fix_files([path], ignore=["SG302"]).changed == ()
    assert path.read_bytes() == WARNING.read_bytes()


def test_a_file_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    monkeypatch.setattr("evalmark.validator.edge.writing.write_atomically", full)
    fixed = fix_files([path])
    assert fixed.not_written == ((str(path), "cannot be written: No space left on device"),)
    assert len(fixed.checked.findings) == 4
