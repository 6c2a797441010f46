"""From an agent of one's own to a gate: a published benchmark by name, and a worse run stopped."""

import pytest

AGENT = """
import re


class Search:
    def __init__(self):
        self.told = []

    def ingest(self, turns):
        self.told += [turn["content"] for turn in turns]

    def reply(self, text):
        words = set(re.findall(r"\\w{4,}", text.lower()))
        def shared(turn):
            return -len(words & set(re.findall(r"\\w+", turn.lower())))
        found = sorted(reversed(self.told), key=shared)
        self.told.append(text)
        return found[0] if found else "not mentioned"

    def save(self):
        return self.told

    def load(self, state):
        self.told = state

    def reset(self):
        self.told = []
"""


@pytest.mark.slow
def test_an_agent_runs_benchmarks_by_name_and_a_worse_one_is_stopped(run, here, shared):
    (here / "mine.py").write_text(AGENT, encoding="utf-8")
    worse = AGENT.replace("reversed(self.told)", "self.told")
    (here / "worse.py").write_text(worse, encoding="utf-8")
    ltm = (shared / "data/ltm/Benchmark 3 - 32k (isolated)", "--agent", "mine.py:Search")
    done = run("evalmark", "memory", "ltm-32k", *ltm, "--out", "ltm")
    assert "memory span 32000, interleaved" in done.err
    assert "mode interleaved: one conversation: other tests and filler talk" in done.out
    for name in ("mine", "worse"):
        agent = ("--agent", f"{name}.py:Search", "--examples", "25", "--out", name)
        assert run("evalmark", "memory", "colours", *agent, "--at-least", "colours=0").code == 0
    assert run("evalmark", "compare", "mine", "mine", "--fail-if-worse").code == 0
    stopped = run("evalmark", "compare", "mine", "worse", "--fail-if-worse", code=1)
    (why,) = [line for line in stopped.err.splitlines() if line.startswith("worse is worse: ")]
    assert why.startswith("worse is worse: Colours, ")
