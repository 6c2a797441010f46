"""What the document of the LTM benchmark's interface promises, by classes as users write them."""

import json
from itertools import count

import pytest
from conftest import file_at
from evalmark.memory.agents import completers
from evalmark.memory.agents.agent import Completion
from evalmark.memory.datasets import dataset_registry
from evalmark.memory.datasets.dataset_registry import DATASETS, GENERATED, Choice
from evalmark.memory.running.outcome import FAILED, SCORED, UNJUDGED
from evalmark.memory.running.runner import MODES
from evalmark.schemas.errors import OtherRun, ScoringError
from killing import files_in
from loaded_tests import load_tests
from memory_runs import conversation
from scripted import ACCEPTED, Judge, Listener

NAMES = count()
HEAD = """
from dataclasses import dataclass
from pathlib import Path
from evalmark.memory import *
"""
CALLBACK = """
class Second(DatasetInterface):
    name = "Second"

    def generate_examples(self):
        return [TestExample(self, ["Hear.", "Speak."], ["x"], is_question=[False, True])]

    def continual_evaluation_callback(self, scheduler, example, task_log):
        said = [line for line in task_log if line.startswith("Agent (")]
        {decides}
        return 1, 1, [f"{{len(said)}} replies"], {done}
"""
DECIDES = "example.finished = len(said) > 3"


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module of a user and returns its name."""
    monkeypatch.syspath_prepend(tmp_path)

    def written(code):
        name = f"of_a_user_{next(NAMES)}"
        (tmp_path / f"{name}.py").write_text(HEAD + code, encoding="utf-8")
        return name

    return written


# a callback instead of evaluate_correct


@pytest.mark.conforms("D-45")
@pytest.mark.parametrize("mode", MODES)
def test_a_callback_alone_scores_its_tests(module, tmp_path, mode):
    code = CALLBACK.format(decides=DECIDES, done="example.finished")
    (outcome,) = conversation(f"{module(code)}:Second", tmp_path / "run", mode=mode).outcomes
    assert (outcome.state, outcome.score, outcome.reasons) == (SCORED, 1.0, ["4 replies"])


@pytest.mark.conforms("D-46")
def test_a_callback_is_run_in_lieu_of_evaluate_correct(module, tmp_path):
    code = CALLBACK.format(decides=DECIDES, done="example.finished") + (
        "    def evaluate_correct(self, questions, responses, expected_answers):\n"
        "        return 0, 1, ['not the callback']\n"
    )
    (outcome,) = conversation(f"{module(code)}:Second", tmp_path / "run", mode="isolated").outcomes
    assert outcome.reasons == ["4 replies"]
    told = code.replace("[False, True]", "[False, True], uses_callback=False")
    (outcome,) = conversation(
        f"{module(told)}:Second", tmp_path / "other", mode="isolated"
    ).outcomes
    assert outcome.reasons == ["not the callback"], "a test can say that the callback is not its"


@pytest.mark.conforms("D-47")
@pytest.mark.parametrize(
    ("decides", "done", "said"),
    [
        ("pass", "False", "did not set `example.finished` in 1000 messages"),
        ("pass", "len(said) > 3", "is done, but did not set `example.finished`"),
        ("example.finished = True; return 7", "True", "not 7"),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_a_callback_that_never_finishes_is_an_error(module, tmp_path, decides, done, said, mode):
    code = CALLBACK.format(decides=decides, done=done)
    (outcome,) = conversation(f"{module(code)}:Second", tmp_path / "run", mode=mode).outcomes
    assert (outcome.state, outcome.score) == (FAILED, None)
    assert said in outcome.reasons[0]


def test_a_callback_without_a_question_is_an_error_and_no_endless_run(module, tmp_path):
    code = CALLBACK.format(decides=DECIDES, done="True").replace("False, True", "False, False")
    with pytest.raises(ScoringError, match="returned a test without a question: 0"):
        conversation(f"{module(code)}:Second", tmp_path / "run", mode="isolated")


# generate_examples


@pytest.mark.conforms("D-9", "D-10")
@pytest.mark.parametrize(
    ("arguments", "made"),
    [("self", 2), ("self, n", 5), ("self, n=1", 5), ("self, *rest", 2), ("self, **rest", 2)],
)
def test_generate_examples_may_have_an_argument(module, arguments, made):
    """The document's signature has none; then the class decides how many tests there are."""
    code = f"""
class X(DatasetInterface):
    def generate_examples({arguments}):
        n = locals().get("n", 2)
        return [TestExample(self, ["a", "b"], ["c"], is_question=[False, True]) for _ in range(n)]

    def evaluate_correct(self, questions, responses, expected_answers):
        return 1, 1, []
"""
    tests, _ = load_tests([f"{module(code)}:X"], Choice(examples=5))
    assert len(tests) == made


@pytest.mark.conforms("D-10")
@pytest.mark.parametrize("key", GENERATED)
def test_every_dataset_of_ours_generates_without_an_argument(key):
    assert len(DATASETS[key](memory_span=1000).generate_examples()) == 3


# GPTGenerated

PROMPTS = {"content": "facts", "question": "one each", "answer": "the key"}
WRITTEN = json.dumps({"content": ["A is B."], "questions": ["What is A?"], "answers": ["B"]})


@pytest.mark.conforms("D-16")
@pytest.mark.parametrize(
    ("declared", "place"),
    [
        ('generation_file = "facts.json"', "facts.json"),
        ('generation_file = "facts.json"', "data/facts.json"),
        ('generation_file = "prompts/facts.json"', "prompts/facts.json"),
        ('generation_file: Path = Path(__file__).parent / "f.json"', "f.json"),
        ('@property\n    def generation_file(self): return "facts.json"', "facts.json"),
        ('generation_file = "facts.json"', "elsewhere/facts.json"),
    ],
)
@pytest.mark.parametrize("decorated", ["", "@dataclass\n"])
def test_a_generation_file_is_found(module, tmp_path, monkeypatch, declared, place, decorated):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    file_at(tmp_path / place, PROMPTS)
    name = module(f"{decorated}class Recall(GPTGenerated):\n    {declared}\n")
    judge = Judge(WRITTEN)
    tests, _ = load_tests(
        [f"{name}:Recall"],
        Choice(examples=1, ask=lambda m, t, n, model: judge.complete(
            m, temperature=t, max_tokens=n).text),
    )  # fmt: skip
    assert [test.script for test in tests] == [["A is B.", "What is A?"]]
    ((messages, temperature, _),) = judge.calls
    assert all(prompt in messages[0]["content"] for prompt in PROMPTS.values())
    assert temperature == 1.0


def test_other_fields_of_a_generated_dataset_can_be_class_attributes(module):
    name = module("class Recall(GPTGenerated):\n    temperature = 0.5\n    max_attempts = 2\n")
    dataset = dataset_registry._named_class(f"{name}:Recall")()
    assert (dataset.name, dataset.temperature, dataset.max_attempts) == ("Recall", 0.5, 2)


def test_a_property_that_can_be_set_is_set(module):
    name = module(
        "class Recall(GPTGenerated):\n"
        "    @property\n    def question(self): return f'{self.__dict__[\"q\"]}?'\n"
        "    @question.setter\n    def question(self, value): self.__dict__['q'] = value\n"
    )
    dataset = dataset_registry._named_class(f"{name}:Recall")(question="Who")
    assert dataset.question == "Who?"


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("pass", "Recall has no `generation_file`"),
        ('generation_file = "gone.json"', "the file gone.json of Recall does not exist: /"),
        ('generation_file = "."', "does not exist"),
    ],
)
def test_a_generation_file_that_is_missing_is_named(module, declared, said):
    name = module(f"class Recall(GPTGenerated):\n    {declared}\n")
    with pytest.raises(ScoringError, match=said):
        load_tests([f"{name}:Recall"], Choice(ask=lambda *_: WRITTEN))


# a judge that comes later

JUDGED = """
class Plain(DatasetInterface):
    def generate_examples(self, n):
        return [
            TestExample(self, [f"It is {i}.", "What is it?"], [str(i)], is_question=[False, True])
            for i in range(n)
        ]

    def evaluate_correct(self, questions, responses, expected_answers):
        if expected_answers == ["0"]:
            return 1, 1, ["by a rule"]
        return self.evaluate_correct_gpt(questions, responses, expected_answers)


class Talk(DynamicExample):
    def action_iter(self):
        yield self.say("Well?", question=True)
        self.reasoning.append(self.ask_llm("How was " + self.action.reply))
        yield self.wait(tokens=60)
        yield self.say("And now?", question=True)
        self.reasoning.append(self.ask_llm("How was " + self.action.reply))
        self.score = 1


class Talks(DynamicDataset):
    example_cls = Talk


class Calls(DatasetInterface):
    def generate_examples(self):
        return [TestExample(self, ["Hear.", "Speak."], ["x"], is_question=[False, True])]

    def continual_evaluation_callback(self, scheduler, example, task_log):
        if len(task_log) < 6:
            return 0, 1, [], False
        example.finished = True
        return 1, 1, [self.ask_llm(task_log[-1].partition("): ")[2])], True
"""


def with_judge(name, folder, judge=None, agent=None, mode="isolated", **changes):
    targets = [f"{name}:{kind}" for kind in ("Plain", "Talks", "Calls")]
    agent = agent or Listener(choose="said {}".format)
    done = conversation(targets, folder, agent, judge=judge, mode=mode, examples=2, **changes)
    return {outcome.example.unique_id: (outcome.state, outcome.score) for outcome in done.outcomes}


@pytest.mark.parametrize("mode", MODES)
def test_a_run_without_a_judge_is_completed_by_the_same_command_with_one(module, tmp_path, mode):
    name = module(JUDGED)
    without = with_judge(name, tmp_path / "run", mode=mode)
    assert without["Plain - 0"] == (SCORED, 1.0)
    lacking = {key for key, (state, _) in without.items() if state == UNJUDGED}
    assert lacking == {"Plain - 1", "Talks - 0", "Talks - 1", "Calls - 0"}
    (log,) = tmp_path.rglob("conversation.jsonl")
    before = log.read_bytes()
    judge, agent = Judge(), Listener(choose="said {}".format)
    found = with_judge(name, tmp_path / "run", judge, agent, mode)
    assert set(found) == set(without)
    assert set(found.values()) == {(SCORED, 1.0)}
    assert log.read_bytes().startswith(before), "nothing of the log is lost"
    assert not [m for m in agent.asked if "What is it?" in m], "a script is not asked again"
    assert agent.asked.count("And now?") == 2
    assert sum("What is it?" in text for text in judge.asked) == 1, "where no rule decides"
    (stats,) = tmp_path.rglob("runstats.json")
    assert json.loads(stats.read_text())["managing_costs_usd"] == 0.25 * len(judge.asked) == 1.5
    assert not [p for p in (tmp_path / "run").rglob("*.json") if p.parent.parent.name == "unscored"]
    # Once more: nothing is asked, and nothing changes.
    again, nobody, kept = Judge(), Listener(choose="said {}".format), files_in(tmp_path / "run")
    assert with_judge(name, tmp_path / "run", again, nobody, mode) == found
    assert (again.asked, nobody.asked, files_in(tmp_path / "run")) == ([], [], kept)


@pytest.mark.parametrize("mode", MODES)
def test_a_completion_that_is_cut_anywhere_resumes_to_the_same_bytes(module, tmp_path, mode):
    name, folder = module(JUDGED), tmp_path / "run"
    with_judge(name, folder, mode=mode)
    (log,) = tmp_path.rglob("conversation.jsonl")
    start = log.stat().st_size
    with_judge(name, folder, Judge(), mode=mode)
    raw, whole = log.read_bytes(), files_in(folder)
    lines = [start, *(i + 1 for i in range(start, len(raw)) if raw[i : i + 1] == b"\n")]
    assert len(lines) > 10
    for cut in [*lines[::3], start // 2, start + 5, len(raw) - 1]:
        log.write_bytes(raw[:cut])
        with_judge(name, folder, Judge(), mode=mode)
        if cut >= start:
            assert files_in(folder) == whole
    assert {json.loads(line)["event"] for line in raw[start:].splitlines()} >= {"judge", "llm"}


def test_a_log_is_completed_by_one_judge_and_in_nothing_else(module, tmp_path):
    class Other(Judge):
        def __init__(self):
            super().__init__()
            self.name = "other"

    name = module(JUDGED)
    with_judge(name, tmp_path / "run")
    with pytest.raises(OtherRun, match="seed, judge differ"):
        with_judge(name, tmp_path / "run", Judge(), seed=4)
    with_judge(name, tmp_path / "run", Judge())
    for judge in (None, Other()):
        with pytest.raises(OtherRun, match="judge differ"):
            with_judge(name, tmp_path / "run", judge)


def test_the_command_that_proposes_a_judge_can_be_repeated_with_one(run, module, here, monkeypatch):
    """A dataset that a judge has to write, and tests that were not judged."""
    monkeypatch.setattr(completers, "load_chat_model", lambda *_, **__: None)
    monkeypatch.setattr(
        completers.LocalCompleter,
        "complete",
        lambda *_, **__: Completion(WRITTEN[:-1] + "," + ACCEPTED[1:]),
    )
    monkeypatch.setattr(completers.LocalCompleter, "about", {"kind": "LocalChat", "model": "a/b"})
    (here / "agent.json").write_text('{"default": "B"}')
    name = module(JUDGED)
    for target, code, said in (
        ("delayed_recall", 2, "DelayedRecall needs a judge to write its tests; name a judge with"),
        (f"{name}:Plain", 1, "to judge these tests, run the same command with --judge"),
    ):
        command = (
            "evalmark", "memory", target, "--agent", "agent.json", "--out", target[-5:],
        )  # fmt: skip
        assert said in run(*command, code=code).err
        done = run(*command, "--judge", "x")
        assert (done.code, "not judged:" in done.out) == (0, False), done.err
        assert run("evalmark", "check", target[-5:]).code == 0


def test_a_run_removes_the_temporary_files_that_a_killed_one_left(tmp_path):
    left = file_at(tmp_path / "run/definitions/Colours/.evalmark-99999999-abcdefgh", b"half")
    conversation("colours", tmp_path / "run", mode="isolated")
    assert not left.exists()
