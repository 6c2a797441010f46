"""``evalmark convert`` of a list of sentences: asked on a terminal, elsewhere named or refused."""

import json
import os
import pty
import sys

import pytest

SENTENCES = "The dog runs.\nThe dog run.\nA cat sleeps.\nA cat sleep.\n"
UNLIKE = "One sentence here.\nAnother thing entirely.\nYes.\n"


def on_a_terminal(folder, answers, *arguments):
    """What a terminal shows while somebody answers each prompt, and the exit code."""
    pid, terminal = pty.fork()
    if not pid:
        os.chdir(folder)
        command = (sys.executable, "-m", "evalmark", "convert", *arguments)
        os.execve(command[0], command, {**os.environ, "TERM": "dumb"})
    shown, left = b"", [*answers]
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # Linux says so when the program has ended
            break
        shown += piece
        if not piece:
            break
        if left and shown.rstrip(b" ").endswith(b":"):
            os.write(terminal, f"{left.pop(0)}\n".encode())
    os.close(terminal)
    return shown.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.slow
def test_on_a_terminal_a_person_is_asked_for_what_the_file_does_not_say(tmp_path):
    (tmp_path / "s.txt").write_text(UNLIKE, encoding="utf-8")
    answers = ("3", "(*;%a%) < (*;%c%)", "", "average", "mean")
    shown, code = on_a_terminal(tmp_path, answers, "s.txt", "-o", "s.json")
    assert code == 0, shown
    for prompt in (
        "lines of an item [1]:",
        "prediction (Enter for none):",
        "metric [sum]:",
        "write sum, mean",
    ):
        assert prompt in shown
    suite = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    assert suite["meta"]["metric"] == "mean"
    assert [one["formula"] for one in suite["predictions"]] == ["(*;%a%) < (*;%c%)"]
    (item,) = suite["items"]
    assert len(item["conditions"]) == 3


def test_elsewhere_every_assumption_is_named(tmp_path, run):
    (tmp_path / "s.txt").write_text(SENTENCES, encoding="utf-8")
    done = run("evalmark", "convert", "--no-predictions", tmp_path / "s.txt", code=0)
    for fact in (
        "each 2 lines are an item",
        "sentences are split where the sentences of an item begin to differ",
        "the list of predictions is empty, as supplied",
        "this format names no metric: `sum` is written",
    ):
        assert f"note: {fact}" in done.err
    done = run("evalmark", "convert", "--no-predictions", tmp_path / "s.txt", "--to", "rows")
    assert done.code == 0, done.err


def test_elsewhere_two_readings_are_refused_until_one_is_chosen(tmp_path, run):
    path = tmp_path / "s.txt"
    path.write_text(UNLIKE, encoding="utf-8")
    done = run("evalmark", "convert", "--no-predictions", path)
    assert (done.code, done.out) == (1, "")
    assert "refused: an item may be 1 or 3 lines; --column item=1 says how many" in done.err
    for lines, items in (("1", 3), ("3", 1)):
        done = run("evalmark", "convert", "--no-predictions", path, "--column", f"item={lines}")
        assert len(json.loads(done.out)["items"]) == items
    done = run("evalmark", "convert", "--no-predictions", path, "--column", "item=2")
    assert "refused: 3 lines are not items of 2 lines each" in done.err
    path.write_text(UNLIKE.replace("\n", "\n\n"), encoding="utf-8")  # paragraphs, one a sentence
    assert "may be 1 or 3 lines" in run("evalmark", "convert", "--no-predictions", path).err


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_a_suite_is_written_as_yaml_on_stdout(tmp_path, run, suffix):
    (tmp_path / "s.txt").write_text(SENTENCES, encoding="utf-8")
    suite = tmp_path / f"s{suffix}"
    assert run("evalmark", "convert", "--no-predictions", tmp_path / "s.txt", "-o", suite).code == 0
    done = run("evalmark", "convert", suite, "--to", "yaml", "-o", "-", code=0)
    assert done.out.startswith("meta:\n  name: s\n  metric: sum\n")
