"""How far long work is: a bar on a terminal, lines elsewhere, and what an interruption says."""

import json
import sys

import pytest
from conftest import FIXTURES
from evalmark.validator.batch import check_files
from evalmark.validator.io import terminal as progress
from evalmark.validator.io.terminal import INTERRUPTED, counting


def test_off_a_terminal_a_line_is_written_now_and_then(capsys, monkeypatch):
    now = iter(range(0, 10_000, 10))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    with counting("checking", "files") as count:
        for done in range(1, 10):
            count(done * 100, 4000, "reading rows: 5 MB" if done == 9 else "")
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "checking: 300 of 4000 files (10/s)",
        "checking: 600 of 4000 files (10/s)",
        "checking: 900 of 4000 files, reading rows: 5 MB (10/s)",
    ]


def test_work_of_less_than_one_a_second_is_counted_by_the_minute(capsys, monkeypatch):
    now = iter((0, 40))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    with counting("converting", "files") as count:
        count(4, 4000)
    assert capsys.readouterr().err == "converting: 4 of 4000 files (6/min)\n"


def test_what_is_nearly_done_writes_no_line(capsys, monkeypatch):
    """As a run over two items, which takes as long as its model loads."""
    now = iter((0, 40))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    with counting("scoring", "tokens") as count:
        count(44, 45)
    assert capsys.readouterr().err == ""


def test_on_a_terminal_a_bar_is_drawn_and_removed(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with counting("scoring", "tokens", patience=0) as count:
        count(0, None, "loading \x1b[31mgpt2")
        assert count.bar is not None
        assert count.bar.tasks[0].description == r"scoring: 0 tokens, loading \x1b[31mgpt2"
    assert not count.bar.live.is_started


def test_short_work_draws_nothing(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with counting("checking", "files") as count:
        count(1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("resumes", "end"), [(True, "; the same command resumes"), (False, "")])
def test_an_interruption_says_what_was_done_and_whether_the_command_resumes(capsys, resumes, end):
    def work():
        with counting("converting", "files", resumes=resumes) as count:
            count(12)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert capsys.readouterr().err == f"evalmark: interrupted; converting: 12 files done{end}\n"


def test_an_interrupted_command_says_so(run, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(check_files, "check_one", stop)
    outcome = run("evalmark", "check", FIXTURES / "good/suite.json", code=INTERRUPTED)
    assert "evalmark: interrupted; checking: 0 files done" in outcome.err
    assert "Traceback" not in outcome.err


def test_json_lines_are_written_as_they_are_found(monkeypatch, run, tmp_path):
    """Findings of a file are there before the next file is read; none is written twice."""
    bad = (FIXTURES / "bad/SG204_unknown_condition.json").read_bytes()
    record = (FIXTURES / "good/record.json").read_bytes()
    for name, content in [("a.json", bad), ("b.json", record), ("c.json", record)]:
        (tmp_path / name).write_bytes(content)
    written = []
    check_one = check_files.check_one

    def spied(path, *rest, **how):
        written.append(sys.stdout.text())
        return check_one(path, *rest, **how)

    monkeypatch.setattr(check_files, "check_one", spied)
    outcome = run("evalmark", "check", "--format", "jsonl", "--jobs", "1", tmp_path)
    assert '"SG204"' in written[1]
    codes = [json.loads(line)["code"] for line in outcome.out.splitlines()]
    assert codes == ["SG204", "EE243"]
