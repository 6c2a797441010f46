"""A test that does not end, or takes too long, has failed; the others are run."""

import json

import pytest
from evalmark.memory.interface.dataset_interface import DynamicExample
from evalmark.memory.running.outcome import FAILED, SCORED
from evalmark.memory.running.run_log import read_log
from evalmark.memory.running.runner import MODES
from killing import files_in
from memory_runs import Plain, conversation, examples_of, run_tests
from test_users_classes import GOOD, GOOD_ONE, HEAD

ENDLESS = """
class Speaks(DynamicExample):
    def action_iter(self):
        while True:
            self.score = 1
            yield self.say("And then?", question=True)

class Waits(DynamicExample):
    def action_iter(self):
        yield self.say("And then?", question=True)
        self.score = 1
        while True:
            yield self.wait(percentage_finished=1)

class SpeaksOn(DynamicDataset):
    name, example_cls = "Endless", Speaks

class WaitsOn(DynamicDataset):
    name, example_cls = "Endless", Waits

class ScriptOn(Good):
    name = "Endless"

    def generate_examples(self):
        class Repeats(TestExample):
            def action_iter(self):
                yield from super().action_iter()
                while True:
                    yield SendMessageAction("And then?")
        return [Repeats(self, ["Hear.", "Speak."], ["yes"], is_question=[False, True])]

class ListensOn(Good):
    name = "Endless"

    def continual_evaluation_callback(self, scheduler, example, task_log):
        return 1, 1, ["not yet"], False
"""
CALLBACK = "the callback did not set `example.finished` in {} messages after the script"
ENDLESS_KINDS = [  # class, reason, messages of its script
    ("SpeaksOn", "the test did not end in {} messages", 0),
    ("WaitsOn", "the test did not end in {} waits", 0),
    ("ScriptOn", "the test did not end in {} messages", 2),
    ("ListensOn", CALLBACK, 2),
]


def conversed(here, *names, agent=None, **settings):
    (here / "mine.py").write_text(HEAD + GOOD + ENDLESS, encoding="utf-8")
    targets = [f"mine.py:{name}" for name in names]
    settings = {"mode": "isolated", "examples": 1, **settings}
    return conversation(targets, here / "run", agent, **settings)


def states(finished):
    return {o.example.unique_id: (o.state, o.reasons) for o in finished.outcomes}


@pytest.mark.parametrize(("name", "reason", "scripted"), ENDLESS_KINDS)
@pytest.mark.parametrize("mode", MODES)
def test_a_test_that_never_ends_fails_after_so_many_messages(here, name, reason, scripted, mode):
    finished = conversed(here, name, "Good", mode=mode, max_messages=12, memory_span=200)
    failed = (FAILED, [reason.format(12)])
    assert states(finished) == {"Endless - 0": failed, **GOOD_ONE}
    (endless,) = (o for o in finished.outcomes if o.state == FAILED)
    assert endless.score is None
    log = read_log(finished.folder / "conversation.jsonl")
    sent = [event for event in log if event.get("test") == "Endless - 0"]
    assert len([event for event in sent if event["event"] == "message"]) <= 12 + scripted
    assert not (finished.folder / "Endless").exists(), "nothing is scored"


@pytest.mark.parametrize(("name", "reason", "scripted"), ENDLESS_KINDS)
def test_a_thousand_messages_are_the_bound_if_none_is_named(here, name, reason, scripted):
    assert states(conversed(here, name)) == {"Endless - 0": (FAILED, [reason.format(1000)])}


class AsksTen(DynamicExample):
    def action_iter(self):
        for number in range(10):
            yield self.say(str(number), question=True)
        self.score = 1


@pytest.mark.parametrize(("most", "state"), [(10, SCORED), (9, FAILED)])
def test_a_test_that_ends_in_time_is_scored(tmp_path, most, state):
    (outcome,), _ = run_tests(examples_of(AsksTen), tmp_path, max_messages=most)
    assert outcome.state == state


def test_messages_of_a_script_do_not_count(tmp_path):
    (outcome,), _ = run_tests(Plain().generate_examples(1), tmp_path, max_messages=1)
    assert outcome.state == SCORED


@pytest.mark.parametrize("name", ["SpeaksOn", "ListensOn"])
def test_a_test_whose_replies_take_too_long_fails(here, name):
    """A reply takes a second by the clock of these tests."""
    finished = conversed(here, name, "Good", max_seconds=3.5)
    failed = (FAILED, ["the replies took more than 3.5 seconds"])
    assert states(finished) == {"Endless - 0": failed, **GOOD_ONE}
    (endless,) = (o for o in finished.outcomes if o.state == FAILED)
    assert len(endless.task_log) == 2 * 4


def test_the_last_reply_counts_too(here):
    assert states(conversed(here, "Good", max_seconds=1.5))["Good - 0"][0] == FAILED


@pytest.mark.parametrize("settings", [{"max_messages": 5}, {"max_seconds": 3.5}])
def test_a_run_with_a_bound_resumes_anywhere(here, settings):
    finished = conversed(here, "SpeaksOn", "Good", **settings)
    whole = files_in(here / "run")
    log = finished.folder / "conversation.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    for count in range(2, len(lines), 3):
        log.write_bytes(b"".join(lines[:count]))
        conversed(here, "SpeaksOn", "Good", **settings)
        assert files_in(here / "run") == whole


def test_the_command_has_both_bounds(run, here):
    (here / "mine.py").write_text(HEAD + GOOD + ENDLESS, encoding="utf-8")
    (here / "agent.json").write_text('{"default": "yes"}')
    command = (
        "evalmark", "memory", "mine.py:SpeaksOn", "mine.py:Good", "--agent", "agent.json",
        "--examples", "1",
    )  # fmt: skip
    done = run(*command, "--max-messages", "7", "--out", "out", code=1)
    assert "error: Endless - 0: the test did not end in 7 messages\n" in done.out
    (described,) = (here / "out").rglob("run.json")
    assert json.loads(described.read_text())["max_messages"] == 7
    again = run(*command, "--max-messages", "8", "--out", "out", code=2)
    assert "is from another run: max_messages differ" in again.err
    done = run(*command, "--max-seconds", "1e-9", "--max-messages", "2", "--out", "other", code=1)
    assert "Endless - 0 and Good - 0: the replies took more than 1e-09 seconds\n" in done.out
