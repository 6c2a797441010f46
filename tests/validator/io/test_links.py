"""Symbolic links and files of the system: a repository may come from anyone.

A link in it must not show what is outside of it, not even in the frame of a finding.
"""

import os
import shutil
import sys
from pathlib import Path

import pytest
from conftest import FIXTURES, file_at, needs_fifos, needs_links
from evalmark import check_files
from evalmark.converters.convert_files import convert_files
from evalmark.validator.batch.check_files import check_batch
from evalmark.validator.batch.walking import IRREGULAR, OUT, TWICE, UNSEARCHED
from evalmark.validator.checker import Checker
from evalmark.validator.io.opening import open_regular, read_whole
from found import codes_of

pytestmark = needs_links

SECRET = "TOKEN=hunter2\n"
BAD = FIXTURES / "bad/SG204_unknown_condition.json"
ENVIRONMENT = Path("/proc/self/environ")
HOOK = Checker().context._replace(picked=True, hook=True)
needs_proc = pytest.mark.skipif(
    sys.platform != "linux" or not ENVIRONMENT.exists(), reason="no /proc here"
)


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret"
    path.write_text(SECRET)
    return path


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository that is the current folder."""
    folder = tmp_path / "repository"
    file_at(folder / ".git/config", SECRET)
    monkeypatch.chdir(folder)
    return folder


def shown_by(run, program, *arguments):
    done = run(program, *arguments)
    assert "hunter2" not in done.out + done.err
    return done


# folders


@pytest.mark.parametrize("name", ["x.json", "x.yaml", "x.jsonl"])
def test_a_link_out_of_a_folder_is_skipped_and_said(run, repository, secret, name):
    (repository / name).symlink_to(secret)
    shutil.copy(BAD, repository / "bad.json")
    checked = check_files([repository])
    assert [(Path(path).name, why) for path, why in checked.skipped] == [(name, OUT)]
    assert {Path(finding.path).name for finding in checked.findings} == {"bad.json"}
    assert f"{name}: skipped" not in shown_by(run, "evalmark", "check", "--format", "full", ".").err
    assert f"{name}: skipped" in shown_by(run, "evalmark", "check", "-v", ".").err


def test_a_link_to_a_hidden_file_is_skipped(repository):
    (repository / "x.json").symlink_to(".git/config")
    assert [why for _, why in check_files(["."]).skipped] == [OUT]


def test_a_file_and_links_to_it_are_checked_and_converted_once(tmp_path):
    shutil.copy(FIXTURES / "legacy/brackets.old.json", tmp_path / "old.json")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/link.json").symlink_to("../old.json")
    (tmp_path / "again.json").symlink_to("sub/link.json")
    checked = check_files([tmp_path])
    assert checked.files == 1
    assert sorted((Path(path).name, why) for path, why in checked.skipped) == [
        ("again.json", TWICE), ("link.json", TWICE),
    ]  # fmt: skip
    done = list(convert_files([tmp_path], in_place=True))
    assert [Path(outcome.path).name for outcome in done] == ["old.json"]
    assert (tmp_path / "again.json").is_symlink()


@pytest.mark.parametrize("target", ["bad.txt", "build/bad.json"])
def test_a_link_to_what_a_search_would_not_find_is_followed(tmp_path, target):
    (tmp_path / "build").mkdir()
    shutil.copy(BAD, tmp_path / target)
    (tmp_path / "link.json").symlink_to(target)
    checked = check_files([tmp_path])
    assert [Path(report.path).name for report in checked.reports] == ["link.json"]
    assert [why for _, why in checked.skipped] == [UNSEARCHED]


@needs_fifos
def test_what_is_not_a_file_is_skipped_in_a_folder_and_a_finding_by_name(run, tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    shutil.copy(BAD, tmp_path / "bad.json")
    done = shown_by(run, "evalmark", "check", "-v", tmp_path)
    assert done.code == 1
    assert f"{tmp_path / 'pipe.json'}: skipped: {IRREGULAR}\n" in done.err
    named = shown_by(run, "evalmark", "check", tmp_path / "pipe.json", tmp_path / "bad.json")
    assert named.code == 2
    assert "pipe.json:1:1: error[F011] cannot be read: not a regular file" in named.out
    assert "SG204" in named.out


def test_a_folder_of_links_out_of_it_has_no_files_and_says_why(run, repository, secret):
    (repository / "x.json").symlink_to(secret)
    done = shown_by(run, "evalmark", "check", ".")
    assert done.code == 2
    assert done.err == f"evalmark: no files to check\nSkipped ./x.json ({OUT}).\n"
    done = shown_by(run, "evalmark", "convert", "--in-place", ".")
    assert done.code == 2
    assert f"no files to convert (skipped in folders: 1; the first is ./x.json, {OUT})" in done.err


def test_a_broken_link_out_of_a_folder_tells_nothing_about_its_target(repository):
    (repository / "x.json").symlink_to("/nowhere/at/all.json")
    checked = check_files(["."])
    assert checked.findings == ()
    assert len(checked.skipped) == 1


def test_a_link_out_of_a_folder_is_not_converted(repository, tmp_path):
    outside = tmp_path / "old.json"
    shutil.copy(FIXTURES / "legacy/brackets.old.json", outside)
    (repository / "x.json").symlink_to(outside)
    assert list(convert_files([repository], in_place=True)) == []
    assert outside.read_bytes() == (FIXTURES / "legacy/brackets.old.json").read_bytes()


# the hook


@pytest.mark.parametrize("target", ["../secret", ".git/config", "d/secret"])
@pytest.mark.parametrize("above", ["", "sub"])
def test_the_hook_does_not_open_a_link_out_of_the_repository(
    run, repository, secret, monkeypatch, target, above
):
    (repository / "d").symlink_to("..")
    (repository / "x.json").symlink_to(target)
    path = "x.json"
    if above:
        (repository / above).mkdir()
        monkeypatch.chdir(repository / above)
        path = "../x.json"
    done = shown_by(run, "evalmark-hook", path)
    assert done.code == 2
    assert "F011" in done.out
    assert "a symbolic link out of the repository" in done.out
    (finding,) = check_batch([path], HOOK).findings
    assert finding.code == "F011"


def test_the_frame_of_a_refused_link_shows_nothing(repository, secret, capsys):
    from evalmark.cli.check import run as check
    from evalmark.validator.settings.check_options import CheckOptions

    (repository / "x.json").symlink_to(secret)
    assert check(CheckOptions(paths=["x.json"], output_format="full", hook=True)) == 2
    out = capsys.readouterr().out
    assert "error[F011]" in out
    assert "hunter2" not in out


def test_the_hook_does_not_go_through_a_linked_folder(run, repository, tmp_path):
    (tmp_path / "secret.json").write_text(SECRET)
    (repository / "d").symlink_to("..")
    assert "symbolic link" in shown_by(run, "evalmark-hook", "d/secret.json").out


def test_the_hook_follows_links_in_the_repository(repository, monkeypatch):
    shutil.copy(BAD, repository / "bad.json")
    (repository / "sub").mkdir()
    (repository / "sub/link.json").symlink_to("../bad.json")
    monkeypatch.chdir(repository / "sub")
    (finding,) = check_batch(["link.json"], HOOK).findings
    assert finding.code == "SG204"


def test_without_a_repository_the_hook_stays_below_the_current_folder(tmp_path, monkeypatch):
    shutil.copy(BAD, tmp_path / "bad.json")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    Path("x.json").symlink_to("../bad.json")
    (finding,) = check_batch(["x.json"], HOOK).findings
    assert finding.code == "F011"


# files that the user names


def test_a_link_that_the_user_names_may_lead_anywhere(tmp_path, repository):
    shutil.copy(BAD, tmp_path / "bad.json")
    (repository / "x.json").symlink_to("../bad.json")
    assert codes_of(Path("x.json")) == ["SG204"]


@needs_proc
@pytest.mark.parametrize("read", [read_whole, open_regular])
@pytest.mark.parametrize("target", [ENVIRONMENT, Path("/proc/self", "root", "proc/self/environ")])
def test_files_of_the_system_are_never_opened(tmp_path, read, target):
    (tmp_path / "x.json").symlink_to(target)
    for path in (target, tmp_path / "x.json"):
        with pytest.raises(OSError, match="a file of the system"):
            read(path)


@needs_proc
@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_the_environment_is_not_shown(run, here, name):
    Path(name).symlink_to(ENVIRONMENT)
    done = run("evalmark", "check", "--format", "full", name, code=2)
    assert "cannot be read: a file of the system" in done.out
    assert "PATH=" not in done.out
    converted = run("evalmark", "convert", name)
    assert "PATH=" not in converted.out
    assert "cannot be read: a file of the system" in converted.err
