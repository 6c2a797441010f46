"""The LTM benchmark's page on datasets, by classes as users write them."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import GeneratorType
from typing import ClassVar

import pytest
from conftest import FIXTURES
from evalmark.memory import (
    Conversation,
    DatasetInterface,
    DynamicDataset,
    DynamicExample,
    GPTGenerated,
    NotJudged,
    SendMessageAction,
    TestAction,
    TestExample,
    WaitAction,
    converse,
)
from evalmark.memory.datasets.dataset_registry import DATASETS
from evalmark.memory.running.outcome import FAILED, SCORED, UNJUDGED
from evalmark.schemas.errors import ScoringError
from evalmark.validator.check import check_data
from scripted import ACCEPTED, Judge, Listener

case, conforms = pytest.param, pytest.mark.conforms


def conversed(kind, folder, agent=None, judge=None, **settings):
    """The finished run of a class of this module."""
    settings = Conversation(**{"examples": 1, **settings})
    return converse(
        [f"{__name__}:{kind.__name__}"], agent or Listener("Ayes"), folder, settings, judge=judge
    )


SEEN: list[tuple] = []


class Facts(DatasetInterface):
    """A dataset as the page describes one."""

    name = "Facts"
    result: ClassVar[tuple] = (1, 2, ["the first is right", "the second is not"])

    def generate_examples(self, num_examples):
        script = ["The answer is aye.", "It is also nay.", "Aye?", "Nay?"]
        return [
            TestExample(self, script, ["aye", "nay"], is_question=[False, False, True, True])
            for _ in range(num_examples)
        ]

    def evaluate_correct(self, questions, responses, expected_answers):
        SEEN.append((questions, responses, expected_answers))
        return self.result


@conforms("D-1", "D-2", "D-3", "D-8")
def test_the_classes_of_the_page():
    assert issubclass(DynamicDataset, DatasetInterface)
    assert issubclass(GPTGenerated, DatasetInterface)
    assert issubclass(DynamicExample, TestExample)
    assert not issubclass(TestExample, DynamicExample)


@conforms("D-4", "D-5", "D-6", "D-9", "D-11", "D-12", "D-40")
@conforms("D-13", "D-14", "D-15", "D-39", "D-42")
def test_a_dataset_makes_its_tests_and_evaluates_the_replies(tmp_path):
    SEEN.clear()
    agent = Listener("Ayes")
    finished = conversed(Facts, tmp_path / "run", agent, examples=2)
    assert agent.asked == ["The answer is aye.", "It is also nay.", "Aye?", "Nay?"] * 2
    assert SEEN == [(["Aye?", "Nay?"], ["Ayes", "Ayes"], ["aye", "nay"])] * 2
    assert all(isinstance(part, list) for part in SEEN[0])
    for outcome in finished.outcomes:
        assert (outcome.state, outcome.score) == (SCORED, 0.5), "1 of 2"
        assert outcome.reasons == ["the first is right", "the second is not"]
    (result, _) = sorted(finished.folder.glob("Facts/*.json"))
    written = json.loads(result.read_text(encoding="utf-8"))
    assert (written["score"], written["max_score"]) == (0.5, 1)
    assert written["expected_responses"] == ["aye", "nay"]
    assert written["reasoning"] == ["the first is right", "the second is not"]


SCALES = [
    case((0, 1, ["no"]), 0.0, marks=conforms("D-43")),
    case((1, 1, ["yes"]), 1.0, marks=conforms("D-43")),
    case((0.37, 1, []), 0.37, marks=conforms("D-43", "D-44")),
    case((3, 4, ["three of four"]), 0.75, marks=conforms("D-44", "D-42")),
    case((2, 1, []), None, marks=conforms("D-43")),
    case((-1, 1, []), None, marks=conforms("D-43")),
    case((float("nan"), 1, []), None, marks=conforms("D-43")),
    case((0, 0, []), None, marks=conforms("D-44")),
    case((1, 1), None, marks=conforms("D-40")),
    case(1, None, marks=conforms("D-40")),
]


@pytest.mark.parametrize(("result", "score"), SCALES)
def test_a_score_is_a_share_of_the_maximum(tmp_path, monkeypatch, result, score):
    monkeypatch.setattr(Facts, "result", result)
    (outcome,) = conversed(Facts, tmp_path / "run").outcomes
    assert outcome.score == score
    assert outcome.state == (FAILED if score is None else SCORED)


class Apart(Facts):
    """Says how far apart its messages are."""

    def generate_examples(self, num_examples):
        (test,) = super().generate_examples(1)
        test.waits = [self.create_wait(time=7200), {}, self.create_wait(tokens=5), {}]
        return [test]


@conforms("D-7")
def test_the_gap_between_messages_is_that_of_the_test(tmp_path):
    (outcome,) = conversed(Apart, tmp_path / "run").outcomes
    times = [line.partition("(")[2].partition(")")[0] for line in outcome.task_log]
    sent = [datetime.fromisoformat(time) for time in times[::2]]
    assert (sent[1] - sent[0]).total_seconds() > 7200
    assert (sent[2] - sent[1]).total_seconds() < 60


# tests that a model writes

PROMPTS = {"content": "Invent an island.", "question": "Ask.", "answer": "Answer."}
WRITTEN = json.dumps(
    {"content": ["Ilo is green."], "questions": ["What is Ilo?"], "answers": ["green"]}
)
REFUSED = ACCEPTED.replace("yes", "no")


class Island(GPTGenerated):
    """A dataset as the page describes one; the test says where the file is."""

    name = "Island"


def island(folder, *texts):
    """A dataset with its file, and its judge."""
    path = folder / "island.json"
    path.write_text(json.dumps(PROMPTS), encoding="utf-8")
    judge = Judge(*texts)

    def ask(messages, temperature, max_tokens, *_):
        return judge.complete(messages, temperature=temperature, max_tokens=max_tokens).text

    return Island(generation_file=path, memory_span=1000, ask=ask), judge


@conforms("D-16", "D-17", "D-18", "D-19", "D-21")
def test_the_three_prompts_are_those_of_the_file(tmp_path):
    dataset, judge = island(tmp_path, WRITTEN)
    (test,) = dataset.generate_examples(1)
    for prompt in PROMPTS.values():
        assert prompt in judge.asked[0]
    assert test.script == ["Ilo is green.", "What is Ilo?"]
    assert test.expected_responses == ["green"]
    assert test.is_question == [False, True]
    dataset.ask = None
    with pytest.raises(NotJudged):
        dataset.generate_examples(1)


@conforms("D-17", "D-18", "D-19")
@pytest.mark.parametrize("key", list(PROMPTS))
def test_a_generation_file_has_three_prompts(tmp_path, key):
    dataset, _ = island(tmp_path, WRITTEN)
    less = {name: text for name, text in PROMPTS.items() if name != key}
    Path(dataset.generation_file).write_text(json.dumps(less), encoding="utf-8")
    with pytest.raises(ScoringError, match="not a generation file"):
        dataset.generate_examples(1)
    assert check_data(less, kind="ltm-generation").findings
    for value in (1, None, ["text"]):
        assert check_data({**PROMPTS, key: value}, kind="ltm-generation").findings


@conforms("D-20", "D-23", "D-50")
def test_files_of_three_texts_are_generation_files():
    ours = Path(DATASETS["delayed_recall"]().generation_file)
    for path in (ours, FIXTURES / "good/ltm/generation.json"):
        data = json.loads(path.read_text(encoding="utf-8"))
        report = check_data(data)
        assert (report.kind, report.findings) == ("ltm-generation", ())
        assert any(word in data["content"] for word in ("imaginary", "made-up"))


@conforms("D-20")
def test_the_example_of_the_page_is_a_generation_file(shared):
    text = (shared / "seeds/2-ltm-dataset-interfaces.txt").read_text(encoding="utf-8")
    data, _ = json.JSONDecoder().raw_decode(text[text.index("{") :])
    report = check_data(data)
    assert (report.kind, report.findings) == ("ltm-generation", ())


@conforms("D-22")
def test_a_generated_test_is_a_definition_of_the_run(tmp_path, monkeypatch):
    (tmp_path / "island.json").write_text(json.dumps(PROMPTS), encoding="utf-8")
    monkeypatch.setattr(Island, "generation_file", tmp_path / "island.json")
    judge = Judge("Here you are!", WRITTEN, ACCEPTED)
    conversed(Island, tmp_path / "run", Listener("green"), judge)
    (path,) = (tmp_path / "run/definitions/Island").iterdir()
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["script"] == ["Ilo is green.", "What is Ilo?"]
    assert written["expected_responses"] == ["green"]


@conforms("D-22")
def test_a_reply_that_is_no_test_is_asked_for_again(tmp_path):
    dataset, judge = island(tmp_path, "Here you are!", "[]", WRITTEN)
    (test,) = dataset.generate_examples(1)
    assert len(judge.asked) == 3
    definition = test.definition()
    assert definition["script"] == ["Ilo is green.", "What is Ilo?"]
    assert definition["expected_responses"] == ["green"]
    assert check_data(definition, kind="ltm-definition").findings == ()


class Asked(Facts):
    """Lets a model evaluate."""

    def evaluate_correct(self, questions, responses, expected_answers):
        return self.evaluate_correct_gpt(questions, responses, expected_answers)


@conforms("D-41")
def test_a_model_evaluates_each_answer(tmp_path):
    judge = Judge(ACCEPTED, REFUSED)
    (outcome,) = conversed(Asked, tmp_path / "run", judge=judge).outcomes
    assert (outcome.state, outcome.score) == (SCORED, 0.5)
    for asked, *parts in zip(judge.asked, ("Aye?", "Nay?"), ("aye", "nay"), strict=True):
        assert all(part in asked for part in (*parts, "Ayes"))
    (outcome,) = conversed(Asked, tmp_path / "without").outcomes
    assert (outcome.state, outcome.score) == (UNJUDGED, None)


# dynamic tests

STEPS: list[str] = []


class TalkExample(DynamicExample):
    """Reacts to what it is told."""

    max_score = 2

    def action_iter(self):
        STEPS.append("first")
        yield self.say("Say aye.")
        heard = self.action.reply
        STEPS.append("second")
        yield self.wait(tokens=1)
        yield self.say(f"Why {heard}?", question=True)
        self.score += 1
        self.reasoning.append(self.ask_llm("Is that a reason?"))


class Talk(DynamicDataset):
    """Talks."""

    name = "Talk"
    example_cls = TalkExample


class PlainTalkExample(DynamicExample):
    """Does not say what the maximum is."""

    def action_iter(self):
        yield self.say("Aye?", question=True)
        self.score = 0.5


class PlainTalk(DynamicDataset):
    """Talks less."""

    example_cls = PlainTalkExample


@conforms("D-24", "D-25", "D-26", "D-27", "D-31")
@conforms("D-28", "D-35", "D-37", "D-29")
def test_a_dynamic_test_reacts_and_scores_itself(tmp_path):
    agent, judge = Listener("because"), Judge("It is.")
    finished = conversed(Talk, tmp_path / "run", agent, judge)
    (outcome,) = finished.outcomes
    assert agent.asked == ["Say aye.", "Why because?"]
    assert outcome.example.script == ["Why because?"]
    assert (outcome.state, outcome.score, outcome.reasons) == (SCORED, 0.5, ["It is."])
    assert judge.asked == ["Is that a reason?"]
    stats = json.loads((finished.folder / "runstats.json").read_text(encoding="utf-8"))
    assert stats["managing_costs_usd"] == 0.25
    assert stats["agent_costs_usd"] == 0


@conforms("D-28")
def test_the_maximum_is_one_where_a_test_sets_none(tmp_path):
    (outcome,) = conversed(PlainTalk, tmp_path / "run").outcomes
    assert (outcome.state, outcome.score) == (SCORED, 0.5)


@conforms("D-29", "D-30", "D-32", "D-34")
def test_actions_are_made_one_at_a_time():
    STEPS.clear()
    test = TalkExample(Talk())
    actions = test.action_iter()
    assert isinstance(actions, GeneratorType | Iterator)
    assert STEPS == []
    first = next(actions)
    assert (type(first), first.message, STEPS) == (SendMessageAction, "Say aye.", ["first"])
    first.reply = "aye"
    second = next(actions)
    assert (type(second), second.tokens, STEPS) == (WaitAction, 1, ["first", "second"])
    assert isinstance(second, TestAction)


@conforms("D-32", "D-33")
@pytest.mark.parametrize(("question", "script"), [(True, ["Aye?"]), (False, [])])
def test_a_question_joins_the_script(question, script):
    test = PlainTalkExample(PlainTalk())
    action = test.say("Aye?", question=question)
    assert (action.message, action.is_question) == ("Aye?", question)
    assert test.script == script


@conforms("D-38", "D-25")
def test_the_restaurant_is_dynamic(tmp_path):
    assert issubclass(DATASETS["restaurant"], DynamicDataset)
    (test,) = DATASETS["restaurant"](memory_span=1000).generate_examples(1)
    assert isinstance(test, DynamicExample)
    assert test.script == []


# the datasets that the page names


@conforms("D-48", "D-39")
def test_colours_are_evaluated_by_their_dataset():
    dataset = DATASETS["colours"](memory_span=1000)
    (test,) = dataset.generate_examples(1)
    (question,) = [text for text, asks in zip(test.script, test.is_question, strict=True) if asks]
    (expected,) = test.expected_responses
    for reply, score in ((f"It is {expected}.", 1), ("I forgot.", 0)):
        found, greatest, reasons = dataset.evaluate_correct([question], [reply], [expected])
        assert (found, greatest) == (score, 1)
        assert all(isinstance(reason, str) for reason in reasons)


@conforms("D-49", "D-45", "D-47")
def test_prospective_memory_has_a_callback():
    dataset = DATASETS["prospective_memory"](memory_span=1000)
    (test,) = dataset.generate_examples(1)
    assert test.uses_callback
    ((saying, _, number),) = test.expected_responses
    log = [f"Test (t): {test.script[-1]}"]
    for turn in range(1, number + 1):
        log += [f"Agent (t): {saying if turn == number else 'Well.'}", "Test (t): Go on."]
        score, _, _, done = dataset.continual_evaluation_callback(None, test, log)
        assert (done, test.finished) == (False, False)
    score, _, _, done = dataset.continual_evaluation_callback(None, test, [*log, "Agent (t): ."])
    assert (score, done, test.finished) == (1, True, True)


@conforms("D-50", "D-41")
def test_delayed_recall_is_written_and_judged_by_a_model():
    judge = Judge(WRITTEN, ACCEPTED)
    dataset = DATASETS["delayed_recall"](
        memory_span=1000,
        ask=lambda messages, temperature, max_tokens, *_: (
            judge.complete(messages, temperature=temperature, max_tokens=max_tokens).text
        ),
    )
    assert isinstance(dataset, GPTGenerated)
    (test,) = dataset.generate_examples(1)
    verdict = dataset.evaluate_correct(["What is Ilo?"], ["Green."], test.expected_responses)
    assert verdict[:2] == (1, 1)
