"""Results say what happened: signals, costs, times; and what cannot be a test is refused."""

import json
import signal
import subprocess
import sys

import pytest
from evalmark.converters.records.run import Producer
from evalmark.memory.agents.agent import Completion, ScriptedAgent
from evalmark.memory.agents.endpoints import HttpCompleter
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.memory.running.memory_record import write_conversation_record
from evalmark.memory.running.run_log import read_log
from evalmark.validator.check import check_data
from imported_runs import read_results
from killing import files_in
from memory_runs import START, conversation
from scripted import Judge
from test_users_classes import GOOD, GOOD_ONE, HEAD, conversed, line_of

__all__ = ["conversed"]

# a signal during a write

ENDED = """
import os, signal
from evalmark.memory import *

real = os.replace
def replace(*arguments):
    real(*arguments)
    if "agent.state" in str(arguments[1]) and not os.path.exists("ended"):
        open("ended", "w").close()
        os.kill(os.getpid(), signal.SIGTERM)
os.replace = replace

class Agent:
    said = 0

    def reply(self, text):
        self.said += 1
        return "yes"

    def save(self):
        return self.said

    def load(self, state):
        self.said = state
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
def test_a_signal_during_a_write_ends_the_run_and_is_no_error_of_a_test(here):
    (here / "mine.py").write_text(HEAD + GOOD, encoding="utf-8")
    (here / "agent.py").write_text(ENDED, encoding="utf-8")
    command = [
        sys.executable, "-m", "evalmark", "memory", "mine.py:Good", "--agent",
        "agent.py:Agent", "--out", "out", "--mode", "isolated",
    ]  # fmt: skip
    assert subprocess.run(command, check=False, capture_output=True).returncode == -signal.SIGTERM
    (log,) = (here / "out").rglob("conversation.jsonl")
    assert [event for event in read_log(log) if event["event"] == "end"] == []
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "1.000" in done.stdout


# what cannot be a test


def test_a_test_without_a_question_is_refused(conversed):
    code = GOOD.replace("Good", "Silent").replace("[False, True]", "[False, False]")
    code = code.replace('int(responses == ["yes"])', "1")  # a score of 1 for nothing
    outcomes, unused = conversed(code, "Silent", "Good")
    assert outcomes == GOOD_ONE
    line = line_of(code, "def generate_examples")
    refused = f"Silent.generate_examples returned a test without a question: 0 (mine.py:{line})"
    assert unused == {"mine.py:Silent": refused}


def test_so_is_the_score_of_a_test_that_asked_none(conversed):
    code = """
class Talk(DynamicExample):
    def action_iter(self):
        yield self.say("Hear.")
        self.score = 1

class Talks(DynamicDataset):
    name, example_cls = "Talks", Talk
"""
    outcomes, _ = conversed(code, "Talks", "Good")
    line = line_of(code, "def action_iter")
    reason = f"the test asked no question: say(…, question=True) (mine.py:{line})"
    assert outcomes["Talks - 0"] == ("error", [reason])
    assert outcomes["Good - 0"] == GOOD_ONE["Good - 0"]


ENTRY = """
class Odd(Good):
    name = "Odd"

    def generate_examples(self):
        return [TestExample(self, {script}, ["yes"], is_question=[False, True])]
"""
LATER = """
class Odd(Good):
    name = "Odd"

    def generate_examples(self):
        test = TestExample(self, ["Hear.", "Speak."], ["yes"], is_question=[False, True])
        test.script[0] = 7
        return [test]
"""


@pytest.mark.parametrize("span", ["", "    memory_span = 300\n"])
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('["Hear.", 7]', "script[1] of a test is not a text: 7"),
        ('[None, "Speak."]', "script[0] of a test is not a text: None"),
        ('[b"Hear.", "Speak."]', "script[0] of a test is not a text: b'Hear.'"),
        ("7", "the script of a test is a list of messages, not 7"),
        ('"Hear."', "the script of a test is a list of messages, not 'Hear.'"),
    ],
)
def test_a_script_entry_that_is_no_text_has_file_and_line(conversed, script, said, span):
    code = ENTRY.format(script=script).replace('"Odd"\n', f'"Odd"\n{span}', 1)
    outcomes, unused = conversed(code, "Odd", "Good")
    assert outcomes == GOOD_ONE
    assert unused == {"mine.py:Odd": f"{said} (mine.py:{line_of(code, 'return [TestExample')})"}


def test_so_has_one_that_was_assigned_later(conversed):
    _, unused = conversed(LATER, "Odd")
    line = line_of(LATER, "def generate_examples")
    assert unused == {"mine.py:Odd": f"script[0] of a test is not a text: 7 (mine.py:{line})"}


# the time of a record


def recorded(finished):
    return json.loads(write_conversation_record(finished, Producer("us")).record.read_text())


def test_the_time_is_that_of_the_run_not_of_its_first_test_with_a_score(here):
    """The clock of the run jumps by days, and the test that ran before it has failed."""
    code = """
class Alate(Good):
    name = "Alate"

    def generate_examples(self):
        waits = [{"time": 5 * 86400}, {}]
        return [TestExample(self, ["Hear.", "Speak."], ["yes"], is_question=[False, True],
                            waits=waits)]

    def evaluate_correct(self, questions, responses, expected_answers):
        return 1 / 0

class Last(Good):
    name = "Last"
"""
    (here / "mine.py").write_text(HEAD + GOOD + code, encoding="utf-8")
    targets = ["mine.py:Alate", "mine.py:Last"]
    finished = conversation(targets, here / "run", took=0.0, mode="isolated", examples=1)
    assert [o.state for o in finished.outcomes] == ["error", "scored"]
    begun = str(int(START.timestamp()))
    assert recorded(finished)["retrieved_timestamp"] == begun
    (converted,) = read_results(finished.folder)
    assert str(converted.time) == begun, "as an importer reads it"


# costs


class Costs:
    """A system of a user whose replies cost what the test says."""

    def __init__(self, cost):
        self.cost = cost

    def __call__(self):
        return self

    def reply(self, text):
        return "yes" if self.cost == "unseen" else Completion("yes", 1, 1, self.cost)


@pytest.mark.parametrize(
    ("agent", "judge", "seen"),
    [
        (ScriptedAgent({}, "yes"), None, (0.0, 0.0)),
        (OwnAgent(Costs(0.25)), None, (0.5, 0.0)),
        (OwnAgent(Costs("unseen")), None, (None, 0.0)),
        (OwnAgent(Costs(None)), None, (None, 0.0)),
    ],
)
def test_a_cost_that_nobody_saw_is_null_in_run_json_and_not_in_the_record(here, agent, judge, seen):
    (here / "mine.py").write_text(HEAD + GOOD, encoding="utf-8")
    how = {"mode": "isolated", "examples": 1}
    finished = conversation("mine.py:Good", here / "run", agent, judge=judge, **how)
    assert (finished.totals.agent_cost, finished.totals.judge_cost) == seen
    described = json.loads((finished.folder / "run.json").read_text())
    assert (described["totals"]["agent_cost"], described["totals"]["judge_cost"]) == seen
    stats = json.loads((finished.folder / "runstats.json").read_text())
    assert check_data(stats).findings == ()
    assert stats["agent_costs_usd"] == (seen[0] or 0.0), "the benchmark's format wants a number"
    details = recorded(finished)["evaluation_results"][-1]["score_details"]["details"]
    assert details.get("agent_costs_usd") == (None if seen[0] is None else str(seen[0]))
    before = files_in(here / "run")
    conversation("mine.py:Good", here / "run", agent, **how)
    assert files_in(here / "run") == before, "the log knows what nobody saw"


def test_a_judge_whose_cost_nobody_saw_makes_the_cost_of_judging_unknown(here):
    class Unseen(Judge):
        def complete(self, messages, *, temperature, max_tokens):
            said = super().complete(messages, temperature=temperature, max_tokens=max_tokens)
            return Completion(said.text)

    judged = "self.evaluate_correct_gpt(questions, responses, expected_answers)"
    code = GOOD.replace('int(responses == ["yes"]), 1, ["compared"]', judged)
    (here / "mine.py").write_text(HEAD + code, encoding="utf-8")
    yes = '{"contains": "yes", "contradicts": "no", "beside_the_point": "no"}'
    how = {"mode": "isolated", "examples": 1, "judge": Unseen(always=yes)}
    finished = conversation("mine.py:Good", here / "run", **how)
    assert finished.totals.judge_cost is finished.totals.cost is None
    assert json.loads((finished.folder / "runstats.json").read_text())["managing_costs_usd"] == 0


def test_the_command_says_that_a_cost_is_not_measured(run, here):
    (here / "mine.py").write_text(HEAD + GOOD + "class A:\n    def reply(self, t): return 'yes'\n")
    command = ("evalmark", "memory", "mine.py:Good", "--agent", "mine.py:A", "--out", "out")
    assert "tokens of conversation, cost not measured" in run(*command, code=0).out
    done = json.loads(run(*command, "--format", "json", code=0).out)
    assert done["totals"]["agent_cost"] is None


@pytest.mark.parametrize(("prices", "cost"), [(None, None), ((1.0, 2.0), 0.25)])
def test_an_endpoint_without_prices_has_no_known_cost(prices, cost):
    endpoint = HttpCompleter("http://127.0.0.1:9/v1", "m", prices=prices)
    answer = {
        "choices": [{"message": {"content": "yes"}}],
        "usage": {"prompt_tokens": 150_000, "completion_tokens": 50_000},
    }
    endpoint._post = lambda *_: answer
    assert endpoint.complete([], temperature=0, max_tokens=5).cost == cost
