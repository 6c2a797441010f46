"""Schedules of runs, followed event by event by the rules of the LTM benchmark's scheduler.

The rules are written down once more here, as plainly as possible. Only the lengths of filler talk
and the times of exchanges are taken from the log.
"""

import json
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from math import floor

import pytest
from evalmark.memory.agents.agent import ScriptedAgent
from evalmark.memory.evaluation.texts import about_tokens
from evalmark.memory.running.conversation import Conversation
from evalmark.memory.running.dialogue import Clock
from evalmark.memory.running.run_log import read_log
from evalmark.memory.running.runner import MODES
from loaded_tests import converse_by

START = datetime(2026, 1, 1, tzinfo=UTC)
SPAN = 900

#: Dataset → a definition: percentages of the span; tokens and times; messages without a wait.
DEFINITIONS = {
    "Colours": {
        "script": ["My favorite is red.", "No, it is blue.", "What is my favorite?"],
        "waits": [{"percentage_finished": 30}, {"percentage_finished": 80}, {}],
        "expected_responses": ["blue"],
    },
    "Jokes": {
        "script": ["A clock joined a choir.", "A map of nowhere.", "A comma took a walk."],
        "waits": [{"tokens": 150, "time": 4000}, {"time": 90000}, {"tokens": 60}, {}],
        "expected_responses": ["A map of nowhere."],
        "is_temporal": True,
    },
    "SallyAnne": {
        "script": ["A story follows.", "Ada leaves.", "The key is in the box.", "Where is it?"],
        "waits": [{}, {"tokens": 1}, {"percentage_finished": 60, "tokens": 20}, {}],
        "expected_responses": ["box"],
    },
}


@dataclass
class Waiting:
    """A test as the scheduler sees it."""

    dataset: str
    script: list[str]
    waits: list[dict]
    start: int  # tokens when it began
    told: int = 0  # messages
    tokens: int = 0  # until how many tokens it waits
    time: datetime = START  # until when it waits


@dataclass
class Schedule:
    """The benchmark's scheduler, which follows a log."""

    definitions: dict[str, dict]
    mode: str
    events: deque
    total: int = 0
    now: datetime = START
    open: dict[str, Waiting] = field(default_factory=dict)
    fillers: int = 0
    jumps: int = 0

    def follow(self):
        left = sorted(self.definitions)
        if self.mode == "interleaved":
            self.exchange("", "intro")
        while left or self.open:
            # Waiting tests whose conditions are met, in order of their token target.
            ready = [
                name
                for name, test in self.open.items()
                if test.tokens <= self.total and test.time <= self.now
            ]
            ready.sort(key=lambda name: self.open[name].tokens)
            # Else the first test that is compatible with every waiting one.
            new = [name for name in left if self.fits(name)]
            late = [test.time for test in self.open.values() if test.time > self.now]
            if ready:
                self.run(ready[0])
            elif new:
                left.remove(new[0])
                self.begin(new[0])
            elif late:  # Else jump to the earliest time target, and a second.
                self.jumps += 1
                self.now = min(late) + timedelta(seconds=1)
                assert self.events.popleft() == ("jump", self.now)
            else:  # Else filler talk, no more than up to the lowest token target.
                self.fillers += 1
                needed = min(test.tokens for test in self.open.values()) - self.total
                before = self.total
                self.exchange("", "filler")
                # It is made of whole questions.
                assert self.total - before < needed + 60
        assert not self.events

    def fits(self, name):
        datasets = {test.dataset for test in self.open.values()}
        if self.mode == "interleaved":
            return self.definitions[name]["dataset"] not in datasets
        return not datasets

    def begin(self, name):
        found = self.definitions[name]
        assert self.events.popleft() == ("begin", name, self.total)
        self.open[name] = Waiting(found["dataset"], found["script"], found["waits"], self.total)
        self.run(name)

    def run(self, name):
        test = self.open[name]
        while test.told < len(test.waits):
            temporal = test.told == len(test.script)
            reply = self.exchange(name, "test", None if temporal else test.script[test.told])
            wait = test.waits[test.told]
            test.told += 1
            if wait:
                self.wait(test, wait, reply)
                return
        del self.open[name]

    def wait(self, test, wait, reply):
        offset = wait.get("tokens", 0)
        if percentage := wait.get("percentage_finished", 0):
            passed = self.total - test.start
            offset = max(0, floor(SPAN / 100 * percentage) - passed, offset)
        if offset > 1:  # the last reply is part of the wait
            offset = max(offset - about_tokens(reply), 0)
        test.tokens = self.total + (0 if self.mode == "isolated" else offset)
        test.time = self.now + timedelta(seconds=wait.get("time", 0))

    def exchange(self, name, kind, message=None):
        what, test, said_kind, said, reply, sent, self.now = self.events.popleft()
        assert (what, test, said_kind) == ("message", name, kind)
        assert message in (None, said)
        assert sent <= self.now
        self.total += about_tokens(said) + about_tokens(reply)
        return reply


def followed(folder):
    """What the scheduler decides on, from the log of a run."""
    for event in read_log(folder / "conversation.jsonl"):
        match event["event"]:
            case "message":
                at = [datetime.fromisoformat(event[key]) for key in ("sent", "replied")]
                yield ("message", event["test"], event["kind"], event["message"], event["reply"],
                       *at)  # fmt: skip
            case "jump":
                yield "jump", datetime.fromisoformat(event["to"])
            case "begin":
                yield "begin", event["test"], event["tokens"]


def scheduled(targets, folder, definitions, mode):
    seconds = count()
    clock = Clock(START, measure=lambda: float(next(seconds)))
    settings = Conversation(mode, memory_span=SPAN)
    agent = ScriptedAgent({}, "I keep that in mind, and a little more.")
    done = converse_by(clock, [str(path) for path in targets], agent, folder, settings)
    assert len(done.outcomes) == len(definitions)
    schedule = Schedule(definitions, mode, deque(followed(done.folder)))
    schedule.follow()
    return schedule


def read(paths):
    """Definition files as the scheduler sees them."""
    found = {}
    for path in paths:
        data = json.loads(path.read_text(encoding="utf-8"))
        name = f"{path.parent.name} - {path.name.removesuffix('.def.json')}"
        found[name] = {"dataset": path.parent.name, **data}
    return found


@pytest.mark.parametrize("mode", MODES)
def test_schedules_are_those_of_the_benchmark(tmp_path, mode):
    paths = []
    for dataset, given in DEFINITIONS.items():
        for number in range(2):  # two of a dataset never meet
            path = tmp_path / "tests" / dataset / f"{number}.def.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            questions = [False] * (len(given["waits"]) - 1) + [True]
            rest = {"can_be_interleaved": True, "is_temporal": False, "uses_callback": False}
            path.write_text(json.dumps({"is_question": questions, **rest, **given}))
            paths.append(path)
    schedule = scheduled([tmp_path / "tests"], tmp_path / "run", read(paths), mode)
    assert bool(schedule.fillers) == (mode != "isolated")
    assert schedule.jumps >= 2


@pytest.mark.parametrize("mode", MODES)
def test_schedules_of_published_definitions(shared, tmp_path, mode):
    home = shared / "data/ltm/Benchmark 3 - 1k/definitions"
    names = ("Colours", "Jokes", "Spy Meeting")
    paths = [home / name / "0.def.json" for name in names]
    schedule = scheduled(paths, tmp_path / "run", read(paths), mode)
    assert schedule.jumps >= 1
