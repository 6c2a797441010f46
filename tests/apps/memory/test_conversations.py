"""The interface of datasets, by its names, and what a runner does with their tests."""

import json
import random
from datetime import timedelta

import pytest
from evalmark.memory.agents.agent import ScriptedAgent
from evalmark.memory.datasets.defined_datasets import spoken
from evalmark.memory.interface.dataset_interface import (
    DynamicExample,
    SendMessageAction,
    TestExample,
    TestFinishedAction,
    WaitAction,
    WaitCreator,
)
from evalmark.memory.running.conversation import Conversation
from evalmark.memory.running.outcome import FAILED, SCORED, UNJUDGED
from evalmark.memory.running.run_log import read_log
from evalmark.memory.running.runner import MODES
from evalmark.schemas.errors import AgentError, OtherRun, ScoringError
from hypothesis import given
from hypothesis import strategies as st
from killing import files_in
from loaded_tests import converse_by
from memory_runs import START, Echo, Parrot, Plain, clock, examples_of, ours, run_tests, targets
from scripted import Judge

# the interface


@pytest.mark.conforms("D-25", "D-31", "D-33", "D-34")
def test_the_reply_is_written_back_into_the_yielded_action(tmp_path):
    seen = []

    class Talk(DynamicExample):
        max_score = 2

        def action_iter(self):
            yield self.say("hello", question=True)
            seen.append((self.action.reply, self.action.sent_ts, self.action.reply_ts))
            yield self.wait(tokens=5, time=timedelta(hours=25))
            action = self.say("later")
            yield action
            seen.append((action.reply, action.sent_ts, action.reply_ts))
            self.score += 1
            self.reasoning.append("half of it")

    (outcome,), _ = run_tests(examples_of(Talk), tmp_path)
    assert seen[0] == ("hello", START, START + timedelta(seconds=1))
    assert seen[1][1] - seen[0][2] >= timedelta(hours=25)
    assert (outcome.score, outcome.reasons) == (0.5, ["half of it"])
    assert outcome.example.script == ["hello"], "a question joins the script"
    assert outcome.responses == ["hello"]
    assert len(outcome.expected) == 1


@pytest.mark.conforms("D-41")
@pytest.mark.parametrize(
    ("said", "score"),
    [
        ('{"contains": "yes", "contradicts": "no", "beside_the_point": "no"}', 1),
        ('{"contains": "no", "contradicts": "no", "beside_the_point": "no"}', 0),
        ('{"contains": "yes", "contradicts": "yes", "beside_the_point": "no"}', 0),
        ('```json\n{"contains": true, "contradicts": "Yes", "beside_the_point": "yes",}\n```', 1),
        ("I would say so.", None),
        ('{"contains": "perhaps"}', None),
    ],
)
def test_what_a_judge_says(tmp_path, said, score):
    class Judged(Plain):
        def evaluate_correct(self, questions, responses, expected_answers):
            return self.evaluate_correct_gpt(questions, responses, expected_answers)

    (outcome,), _ = run_tests(
        Judged(name="J").generate_examples(1), tmp_path, judge=Judge(always=said)
    )
    assert outcome.score == score
    assert outcome.state == (UNJUDGED if score is None else SCORED)


def test_random_numbers_of_a_test_are_its_own():
    tests = [Plain().one("x", "x", example_id=str(i)) for i in (1, 1, 2)]
    drawn = [test.random.random() for test in tests]
    assert drawn[0] == drawn[1] == random.Random("Plain - 1").random()
    assert drawn[0] != drawn[2]
    with pytest.raises(ScoringError, match="only after it has an id"):
        _ = Plain().one("x", "x").random


@given(st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=400)))
def test_times_keep_their_days_and_fractions(time):
    written = WaitCreator.serialise(WaitCreator.create_wait(time=time))
    assert WaitCreator.action(json.loads(json.dumps(written))).time == pytest.approx(
        time, abs=timedelta(microseconds=1)
    )
    assert spoken(time) not in ("", " ago")


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (timedelta(hours=26), "1 day and 2 hours"),
        (timedelta(days=1), "1 day"),
        (timedelta(days=2, hours=3, minutes=1), "2 days, 3 hours and 1 minute"),
        (timedelta(seconds=5), "1 minute"),
    ],
)
def test_times_are_spoken_with_their_days(time, text):
    assert spoken(time) == text


# the runner


@pytest.mark.conforms("D-7")
def test_isolated_tests_have_a_fresh_agent_and_waits_let_only_time_pass(tmp_path):
    agent = Echo()
    tests = Plain().generate_examples(2)
    tests[0].waits = [{"time": 90_000}, {}]
    outcomes, session = run_tests(tests, tmp_path, agent)
    states = [(outcome.example.unique_id, outcome.state, outcome.score) for outcome in outcomes]
    assert states == [("Plain - 0", SCORED, 1.0), ("Plain - 1", SCORED, 1.0)]
    assert agent.resets == 2
    assert [e.message for e in session.exchanges] == [
        "The fruit is number 0.", "Which fruit?", "The fruit is number 1.", "Which fruit?",
    ]  # fmt: skip
    assert session.exchanges[1].sent - session.exchanges[0].replied >= timedelta(seconds=90_000)
    assert "number 0" not in outcomes[1].responses[0]


@pytest.mark.conforms("D-7")
def test_by_default_the_gap_that_a_test_asks_for_is_made(run, here):
    """The document: a test says what the information gap between statements should be."""
    (here / "agent.json").write_text("{}")
    command = (
        "evalmark", "memory", "colours", "--memory-span", "400", "--agent", "agent.json",
    )  # fmt: skip
    for mode, gap in (((), True), (("--mode", "isolated"), False)):
        found = json.loads(run(*command, *mode, "--out", f"run{gap}", "--format", "json").out)
        assert found["mode"] == ("filled" if gap else "isolated")
        assert all((test["tokens"] >= 0.9 * 400 - 10) is gap for test in found["tests"])
        said = run(*command, *mode, "--out", f"again{gap}").out
        assert (
            "\nmode filled: each test had a fresh agent; filler talk was sent between the messages "
            in said
        ) is gap
        assert ("\nmode isolated: " in said and "nothing was sent between" in said) is not gap


@pytest.mark.conforms("D-7")
@pytest.mark.parametrize(
    ("wait", "least"),
    [({"tokens": 300}, 300), ({"percentage_finished": 40}, 400), ({"tokens": 1}, 1)],
)
def test_filled_waits_are_filled_up_to_the_token(tmp_path, wait, least):
    test = Plain(memory_span=1000).one("The fruit is 7.", "7", waits=[wait, {}])
    agent = ScriptedAgent({}, "yes 7")
    (outcome,), session = run_tests([test], tmp_path, agent, mode="filled")
    sizes = [size for size, _ in session.sizes]
    first, before_question = sizes[0], sizes[-2]
    talked = before_question - (0 if "percentage_finished" in wait else first)
    assert talked >= least - agent.count("yes 7")
    assert talked < least + 1100, "not much more than was asked for"
    assert outcome.tokens == before_question + agent.count("Which fruit?")
    fillers = [e for e in session.exchanges if not e.test]
    assert all(json.loads(e.reply) for e in fillers), "the right reply is put into its mouth"


def test_incompatible_datasets_do_not_meet(tmp_path):
    tests = [Plain(name=n, memory_span=600).one("x 1", "1", example_id="0") for n in "AB"]
    run_tests(tests, tmp_path, mode="interleaved", incompatible=[frozenset("AB")])
    kinds = [e["event"] for e in read_log(tmp_path / "log.jsonl") if e["event"] in ("begin", "end")]
    assert kinds == ["begin", "end", "begin", "end"]


@pytest.mark.parametrize(
    "changes",
    [
        {"waits": [{"percentage_finished": 250}, {}]},
        {"waits": [{"tokens": -5}, {}]},
        {"waits": [{}]},
        {"is_question": [True]},
    ],
)
def test_a_test_that_does_not_fit_together_says_so(tmp_path, changes):
    test = Plain().one("x 1", "1")
    for key, value in changes.items():
        setattr(test, key, value)
    (outcome,), _ = run_tests([test], tmp_path)
    assert outcome.state == FAILED
    with pytest.raises(ScoringError, match="a list of messages"):
        TestExample(Plain(), "abc", ["c"])


def test_a_finished_action_finishes(tmp_path):
    class Short(DynamicExample):
        def action_iter(self):
            yield SendMessageAction("one", is_question=True)
            self.score = 1
            yield TestFinishedAction()
            yield SendMessageAction("never")

    (outcome,), session = run_tests(examples_of(Short), tmp_path)
    assert outcome.score == 1
    assert len(session.exchanges) == 1


@pytest.mark.conforms("D-34")
def test_a_dynamic_test_may_begin_with_a_wait(tmp_path):
    class Waits(DynamicExample):
        def action_iter(self):
            yield WaitAction(tokens=50)
            yield self.say("now", question=True)
            self.score = 1

    (outcome,), _ = run_tests(examples_of(Waits), tmp_path, mode="filled")
    assert outcome.score == 1


# going on


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_a_run_that_was_cut_anywhere_goes_on_to_the_same_bytes(tmp_path, mode):
    """The log is cut at random bytes: after a token wait, in a day-long one, in a callback."""
    whole = tmp_path / "run"
    finished = ours(whole, Parrot(), mode=mode)
    expected = files_in(whole)
    log = finished.folder / "conversation.jsonl"
    raw = log.read_bytes()
    kinds = {json.loads(line)["event"] for line in raw.splitlines()}
    assert {"wait", "jump", "register", "deregister", "message", "begin", "end"} <= kinds
    r = random.Random(mode)
    for cut in [*(r.randrange(1, len(raw)) for _ in range(17)), len(raw) - 1]:
        for path in sorted(finished.folder.rglob("*.json")):
            path.unlink()
        log.write_bytes(raw[:cut])
        ours(whole, Parrot(), mode=mode)
        assert files_in(whole) == expected


def test_a_log_of_another_run_is_refused(tmp_path):
    ours(tmp_path / "run", Parrot())
    with pytest.raises(OtherRun, match="seed differ"):
        ours(tmp_path / "run", Parrot(), seed=1)
    log = next(tmp_path.rglob("conversation.jsonl"))
    lines = log.read_text().splitlines()
    lines[5], lines[6] = lines[6], lines[5]
    log.write_text("\n".join(lines) + "\n")
    with pytest.raises(OtherRun):
        ours(tmp_path / "run", Parrot())
    log.write_text("no log\n")
    with pytest.raises(OtherRun, match="cannot resume"):
        ours(tmp_path / "run", Parrot())


def test_replies_that_failed_are_asked_for_again_when_that_is_wished(tmp_path):
    class Down(Parrot):
        left = 12

        def reply(self, message):
            self.left -= 1
            if self.left < 0:
                raise AgentError("no line")
            return super().reply(message)

    def outcomes(agent, **rest):
        settings = Conversation(examples=1, memory_span=700)
        home = tmp_path / "a/run"
        finished = converse_by(clock(), targets(home), agent, home, settings, **rest)
        return [outcome.state for outcome in finished.outcomes]

    assert FAILED in outcomes(Down())
    assert FAILED in outcomes(Parrot()), "what failed stays failed"
    assert FAILED not in outcomes(Parrot(), retry=True)
    ours(tmp_path / "b/run", Parrot())
    assert files_in(tmp_path / "a/run") == files_in(tmp_path / "b/run")


def test_a_result_that_was_changed_by_hand_is_not_written_over(tmp_path):
    finished = ours(tmp_path / "run", Parrot())
    result = next(finished.folder.glob("Colours/*.json"))
    data = json.loads(result.read_text())
    result.write_text(json.dumps({**data, "score": 1, "auto_score": data["score"]}))
    with pytest.raises(ScoringError, match="edited by hand"):
        ours(tmp_path / "run", Parrot())
    assert json.loads(result.read_text())["score"] == 1
