"""Runs of memory tests by a clock of the test, and what talks in them."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime

from evalmark.memory.agents.agent import Completion, ScriptedAgent
from evalmark.memory.interface.dataset_interface import (
    DatasetInterface,
    DynamicDataset,
    TestExample,
)
from evalmark.memory.running.conversation import Conversation
from evalmark.memory.running.dialogue import Clock, Dialogue
from evalmark.memory.running.run_log import RunLog
from evalmark.memory.running.runner import Runner
from loaded_tests import converse_by
from written_definitions import jokes

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def clock(took=1.0):
    """So many seconds pass with every look at the time: an exchange takes as many."""
    seconds = iter(range(10**9))
    return Clock(START, measure=lambda: took * next(seconds))


def conversation(targets, folder, agent=None, *, took=1.0, judge=None, failed=None, **settings):
    """The finished run of an agent, which says yes by default, over one or several targets."""
    targets = [targets] if isinstance(targets, str) else targets
    agent = agent or ScriptedAgent({}, "yes")
    how = {"judge": judge} | ({"failed": failed} if failed else {})
    return converse_by(clock(took), targets, agent, folder, Conversation(**settings), **how)


def ours(home, agent, **changes):
    """The finished run over a test of each of our datasets, and a temporal one."""
    return conversation(
        targets(home), home, agent, **{"examples": 1, "memory_span": 700, **changes}
    )


def targets(home):
    return ["all", jokes(home.parent / f"written for {home.name}", 1)]


@dataclass
class Plain(DatasetInterface):
    """A dataset as the seed document describes one."""

    name: str = "Plain"
    description: str = "One fact."
    question: str = "Which fruit?"

    def generate_examples(self, num_examples):
        return [self.one(f"The fruit is number {i}.", str(i)) for i in range(num_examples)]

    def one(self, told, expected, **rest):
        rest.setdefault("waits", [{"percentage_finished": 50}, {}])
        return TestExample(self, [told, self.question], [expected], is_question=[False, True],
                           **rest)  # fmt: skip

    def evaluate_correct(self, questions, responses, expected_answers):
        right = [e in r for e, r in zip(expected_answers, responses, strict=True)]
        return sum(right), len(right), [f"{e!r} looked for" for e in expected_answers]


class Echo(ScriptedAgent):
    """Remembers what it was told since it was reset, and says it all."""

    def __init__(self):
        super().__init__({})
        self.heard = []
        self.resets = 0

    def reply(self, message):
        self.heard.append(message)
        return Completion(" | ".join(self.heard))

    def observe(self, message, reply):
        self.heard.append(message)

    def reset(self):
        self.heard = []
        self.resets += 1


class Parrot(Echo):
    """What it says depends on all that it heard: an amnesic agent would be noticed."""

    def reply(self, message):
        self.heard.append(message)
        return Completion(f"{len(self.heard)} {random.Random(' '.join(self.heard)).random()}")

    def observe(self, message, reply):
        self.heard.append(message)


def examples_of(kind, count=1):
    """Tests of a class of dynamic examples."""
    dataset = type("Talks", (DynamicDataset,), {"name": "Talks", "example_cls": kind})
    return dataset().generate_examples(count)


def run_tests(tests, tmp_path, agent=None, judge=None, **options):
    for number, test in enumerate(tests):
        test.example_id = test.example_id or str(number)
    log = RunLog(tmp_path / "log.jsonl", {})
    session = Dialogue(agent or Echo(), judge, log, clock())
    for test in tests:
        test.dataset_generator.ask = session.ask_judge
    runner = Runner(tests, session, **options)
    try:
        return runner.run(), session
    finally:
        log.close()
