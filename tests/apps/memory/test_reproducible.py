"""With SOURCE_DATE_EPOCH a run depends on nothing but its tests and its agent, killed or not."""

import json
import os
import subprocess
import sys

import pytest
from evalmark.memory.running.run_log import read_log
from evalmark.memory.running.runner import MODES
from killing import files_in
from memory_runs import Echo, ours
from written_definitions import jokes, names

EPOCH = "1760000000"

#: Replies depend on all that was heard. LEFT is after how many calls the process dies.
MORTAL = """
import hashlib, os

left = int(os.environ.get("LEFT", -1))

def burn():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), 9)

class Chain:
    def __init__(self):
        self.told = ""

    def reply(self, text):
        self.ingest([{"content": text}])
        return self.told[:8]

    def ingest(self, turns):
        burn()
        for turn in turns:
            self.told = hashlib.sha256((self.told + turn["content"]).encode()).hexdigest()

    def reset(self):
        self.ingest([{"content": "reset"}])

    def save(self):
        burn()
        return self.told

    def load(self, state):
        burn()
        self.told = state
"""


@pytest.mark.parametrize("mode", MODES)
def test_two_runs_are_the_same_byte_for_byte(run, tmp_path, monkeypatch, mode):
    """Record and samples, log, results, ``run.json`` and ``runstats.json``, whatever the clock."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    script = tmp_path / "agent.json"
    script.write_text('{"default": "Ivory, and I called you Wanda."}')
    for name in ("one", "two"):
        run("evalmark", "memory", "all", "--agent", script, "--mode", mode,
            "--out", tmp_path / name / "run")  # fmt: skip
    one, two = files_in(tmp_path / "one"), files_in(tmp_path / "two")
    assert len(one) > 20
    assert one == two


def converse(out, left=-1):
    command = [sys.executable, "-m", "evalmark.cli.main", "memory", names(out.parents[1] / "of"),
               jokes(out.parents[1] / "of"), "--agent",
               str(out.parents[1] / "mortal.py:Chain"), "--mode", "interleaved",
               "--memory-span", "300", "--out", str(out)]  # fmt: skip
    environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH, "LEFT": str(left)}
    return subprocess.run(command, env=environment, capture_output=True, check=False)


@pytest.mark.slow
def test_a_run_that_was_killed_six_times_is_the_same_byte_for_byte(tmp_path):
    (tmp_path / "mortal.py").write_text(MORTAL)
    whole, cut = tmp_path / "whole/run", tmp_path / "cut/run"
    assert converse(whole).returncode == 1, "jokes need a judge"
    for left in (3, 9, 4, 16, 5, 8):
        assert converse(cut, left).returncode == -9
    assert converse(cut).returncode == 1
    assert files_in(cut) == files_in(whole)


def test_the_duration_of_a_run_is_that_of_its_replies(tmp_path):
    """The clock jumps hours where a joke waits; that is not time that the run took."""
    finished = ours(tmp_path / "run", Echo())
    events = read_log(finished.folder / "conversation.jsonl")
    replies = sum(event["event"] == "message" and "written" in event for event in events)
    assert any(event["event"] == "jump" for event in events)
    stats = json.loads((finished.folder / "runstats.json").read_text())
    assert stats["duration"] == finished.totals.seconds == replies
