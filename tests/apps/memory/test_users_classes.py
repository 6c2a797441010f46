"""What is wrong with a class of a user is one line with a place, before anything is paid for."""

import json
import re

import pytest
from evalmark.memory.running.outcome import FAILED, SCORED, UNJUDGED
from evalmark.memory.running.runner import MODES
from killing import files_in
from memory_runs import conversation
from scripted import ACCEPTED, Judge, Listener

HEAD = "from evalmark.memory import *\n"
GOOD = """
class Good(DatasetInterface):
    name = "Good"

    def generate_examples(self):
        return [TestExample(self, ["Hear.", "Speak."], ["yes"], is_question=[False, True])]

    def evaluate_correct(self, questions, responses, expected_answers):
        return int(responses == ["yes"]), 1, ["compared"]
"""
WRITTEN = '{"content": ["A is B."], "questions": ["What is A?"], "answers": ["B"]}'
#: Writes tests and accepts every reply.
BOTH = f"{WRITTEN[:-1]},{ACCEPTED[1:]}"


@pytest.fixture
def conversed(here):
    """Run classes of a file ``mine.py`` with an agent that says yes."""

    def conversed(code, *names, judge=None, agent=None, mode="isolated"):
        (here / "mine.py").write_text(HEAD + GOOD + code, encoding="utf-8")
        unused = {}
        done = conversation(
            [f"mine.py:{name}" for name in names], here / "run", agent or Listener(),
            mode=mode, examples=2, judge=judge,
            failed=lambda name, error: unused.update({name: str(error)}),
        )  # fmt: skip
        return {o.example.unique_id: (o.state, o.reasons) for o in done.outcomes}, unused

    return conversed


def line_of(code, text):
    """The line of ``mine.py`` that has a text."""
    return (HEAD + GOOD + code)[: (HEAD + GOOD + code).index(text, len(HEAD + GOOD))].count(
        "\n"
    ) + 1


GOOD_ONE = {"Good - 0": (SCORED, ["compared"])}

# a class that needs a judge

WRITES = GOOD.replace("Good", "Writes").replace(
    "        return [TestExample(",
    """        said = self.ask_llm("Write something.")
        return [TestExample(""",
)


@pytest.mark.parametrize("mode", MODES)
def test_tests_that_a_judge_writes_are_run_once_there_is_one(conversed, tmp_path, mode):
    outcomes, unused = conversed(WRITES, "Writes", "Good", mode=mode)
    assert outcomes == GOOD_ONE, "the others run"
    assert unused == {"mine.py:Writes": "Writes needs a judge to write its tests"}
    agent, judge = Listener(), Judge(always=BOTH)
    outcomes, unused = conversed(WRITES, "Writes", "Good", judge=judge, agent=agent, mode=mode)
    assert unused == {}
    assert outcomes == {**GOOD_ONE, "Writes - 0": (SCORED, ["compared"])}
    assert agent.asked.count("Speak.") == 1, "the replies of the others are in the log"
    assert len(judge.asked) == 1
    kept = files_in(tmp_path / "run")
    nobody, silent = Listener(), Judge(always=BOTH)
    again, _ = conversed(WRITES, "Writes", "Good", judge=silent, agent=nobody, mode=mode)
    assert (again, nobody.asked, silent.asked, files_in(tmp_path / "run")) == (
        outcomes,
        [],
        [],
        kept,
    )


def test_a_run_that_a_judge_completes_can_be_cut_anywhere(conversed, tmp_path):
    conversed(WRITES, "Writes", "Good")
    (log,) = tmp_path.rglob("conversation.jsonl")
    start = log.stat().st_size
    conversed(WRITES, "Writes", "Good", judge=Judge(always=BOTH))
    raw, whole = log.read_bytes(), files_in(tmp_path / "run")
    ends = [at + 1 for at in range(start, len(raw)) if raw[at : at + 1] == b"\n"]
    assert len(ends) >= 7
    for cut in (start, start + 5, *ends):
        log.write_bytes(raw[:cut])
        conversed(WRITES, "Writes", "Good", judge=Judge(always=BOTH))
        assert files_in(tmp_path / "run") == whole


def test_the_command_names_the_option_and_runs_the_others(run, here):
    (here / "mine.py").write_text(HEAD + GOOD + WRITES, encoding="utf-8")
    (here / "agent.json").write_text('{"default": "yes"}')
    done = run("evalmark", "memory", "mine.py:Writes", "mine.py:Good", "--agent",
               "agent.json", "--out", "out", code=2)  # fmt: skip
    assert "Good         1  1.000" in done.out
    assert (
        "evalmark: not run: mine.py:Writes: Writes needs a judge to write its tests; "
        "name a judge with --judge\n"
    ) in done.err


TALKS = """
class Talk(DynamicExample):
    def action_iter(self):
        yield self.say("A long and expensive conversation.", question=True)
        self.score = int(self.ask_llm("Was that right?") != "")

class Talks(DynamicDataset):
    name = "Talks"
    example_cls = Talk
    needs_judge = {needs}

class Calls(Good):
    name = "Calls"
    needs_judge = {needs}

    def continual_evaluation_callback(self, scheduler, example, task_log):
        self.ask_llm("Is it right?")
        example.finished = True
        return 1, 1, [], True
"""


@pytest.mark.parametrize("name", ["Talks", "Calls"])
def test_a_class_that_says_that_it_needs_a_judge_costs_nothing_without_one(conversed, name):
    code, agent = TALKS.format(needs=True), Listener()
    outcomes, _ = conversed(code, name, "Good", agent=agent)
    assert outcomes[f"{name} - 0"] == (UNJUDGED, [f"{name} needs a judge"])
    assert agent.asked == ["Hear.", "Speak."], "those of the other class"
    outcomes, _ = conversed(code, name, "Good", judge=Judge(always=BOTH))
    assert {state for state, _ in outcomes.values()} == {SCORED}


# tests that are not different tests

SAME = """
class Same(Good):
    name = "Same"

    def generate_examples(self):
        return super().generate_examples() * 2
"""
NAMED = """
class Same(Good):
    name = "Same"

    def generate_examples(self):
        one, two = [super(Same, self).generate_examples()[0] for _ in range(2)]
        one.example_id = two.example_id = "x"
        return [one, two]
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (SAME, "Same.generate_examples returned one object as tests 0 and 1; make one for each"),
        (NAMED, "two tests have the name 'Same - x'"),
    ],
)
def test_tests_that_are_the_same_are_an_error_of_their_class(conversed, code, said):
    outcomes, unused = conversed(code, "Same", "Good")
    line = line_of(code, "def generate_examples")
    assert unused == {"mine.py:Same": f"{said} (mine.py:{line})"}
    assert outcomes == GOOD_ONE


# methods that cannot be called


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("def evaluate_correct(self, questions, responses): pass",
         "def evaluate_correct(self, questions, responses, expected_answers)"),
        ("def evaluate_correct(self, a, b, c, d): pass",
         "def evaluate_correct(self, questions, responses, expected_answers)"),
        ("async def evaluate_correct(self, a, b, c): pass",
         "def evaluate_correct(self, questions, responses, expected_answers)"),
        ("evaluate_correct = 3",
         "def evaluate_correct(self, questions, responses, expected_answers)"),
        ("def continual_evaluation_callback(self, example, task_log): pass",
         "def continual_evaluation_callback(self, scheduler, example, task_log)"),
        ("def create_question(self, example): pass",
         "def create_question(self, example, statement_times, time_now)"),
        ("def generate_examples(self, one, two): pass",
         "def generate_examples(self, num_examples)"),
    ],
)  # fmt: skip
def test_a_wrong_signature_is_found_before_the_first_message(conversed, method, expected):
    code = f'\nclass Wrong(Good):\n    name = "Wrong"\n    {method}\n'
    agent = Listener()
    outcomes, unused = conversed(code, "Wrong", "Good", agent=agent)
    assert outcomes == GOOD_ONE
    assert agent.asked == ["Hear.", "Speak."]
    line = line_of(code, method if "def" in method else "class")
    assert f"; expected `{expected}` (mine.py:{line})" in unused["mine.py:Wrong"]


def test_so_is_that_of_a_test(conversed):
    code = TALKS.format(needs=False).replace("action_iter(self)", "action_iter(self, more)")
    _, unused = conversed(code, "Talks", "Good")
    assert "; expected `def action_iter(self)` (mine.py:" in unused["mine.py:Talks"]


@pytest.mark.parametrize(
    "method",
    ["def evaluate_correct(self, *a): return 1, 1, ['fine']",
     "@staticmethod\n    def evaluate_correct(q, r, e): return 1, 1, ['fine']",
     "def evaluate_correct(self, a, b, c, d=None): return 1, 1, ['fine']"],
)  # fmt: skip
def test_other_ways_to_write_a_method_are_fine(conversed, method):
    code = f'\nclass Fine(Good):\n    name = "Fine"\n    {method}\n'
    outcomes, unused = conversed(code, "Fine")
    assert (outcomes, unused) == ({"Fine - 0": (SCORED, ["fine"])}, {})


# errors have a line

RAISES = """
class Talk(DynamicExample):
    def action_iter(self):
        yield self.say("Speak.", question=True)
        in_the_talk = {}["talk"]

class Talks(DynamicDataset):
    name = "Raises"
    example_cls = Talk

class Yields(DynamicDataset):
    name = "Raises"
    class example_cls(DynamicExample):
        def action_iter(self):
            yield "Speak."

class Evaluates(Good):
    name = "Raises"
    def evaluate_correct(self, questions, responses, expected_answers):
        import json
        return json.loads("no\\\\n JSON"), 1, []

class Quits(Good):
    name = "Raises"
    def evaluate_correct(self, questions, responses, expected_answers):
        exit("enough")

class Scores(Good):
    name = "Raises"
    def evaluate_correct(self, of, too, much):
        return 3, 1, []

class Asks(Good):
    name = "Raises"
    def evaluate_correct(self, questions, responses, expected_answers):
        return self.evaluate_correct_gpt(questions, [], expected_answers)

class Calls(Good):
    name = "Raises"
    def continual_evaluation_callback(self, scheduler, example, task_log):
        in_the_callback = 1 / 0

class Times(Good):
    name = "Raises"
    def generate_examples(self):
        script, asks = ["Hear."], [False, True]
        return [TestExample(self, script, ["Hear."], is_question=asks, is_temporal=True)]

    def create_question(self, example, statement_times, time_now):
        raise ValueError("several\\nlines")
"""


@pytest.mark.parametrize(
    ("name", "place", "said"),
    [
        ("Talks", "in_the_talk", "KeyError: 'talk'"),
        ("Yields", 'def action_iter(self):\n            yield "Speak."',
         "a test yields actions, not 'Speak.'"),
        ("Evaluates", "return json.loads",
         "JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
        ("Quits", "exit(", "SystemExit: enough"),
        ("Scores", "def evaluate_correct(self, of, too", "invalid score: 3 out of 1"),
        ("Asks", "return self.evaluate_correct_gpt",
         "Raises: 1 questions, 0 replies, 1 expected"),
        ("Calls", "in_the_callback", "ZeroDivisionError: division by zero"),
        ("Times", "raise ValueError", "ValueError: several lines"),
    ],
)  # fmt: skip
def test_what_a_class_raises_is_an_error_of_its_test_with_the_line(conversed, name, place, said):
    outcomes, unused = conversed(RAISES, name, "Good", judge=Judge(always=BOTH))
    assert unused == {}
    assert outcomes["Good - 0"] == (SCORED, ["compared"])
    assert outcomes["Raises - 0"] == (FAILED, [f"{said} (mine.py:{line_of(RAISES, place)})"])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("def generate_examples(self): return 1 / 0", "ZeroDivisionError: division by zero"),
        ("def __init__(self, more): pass", "required positional argument: 'more'"),
        ("def generate_examples(self): return [3]", "something other than tests: 3"),
        ("def generate_examples(self): return []", "generate_examples returned no examples"),
        ("def generate_examples(self): return [TestExample(self, ['a', 'b'], {1},"
         " is_question=[False, True])]", "Wrong - 0 cannot be written as JSON"),
        ("def generate_examples(self): return [TestExample(self, ['a', 'b'], 5,"
         " is_question=[False, True])]", "Wrong - 0 cannot be written as JSON"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_class_is_one_line_with_its_place(conversed, body, said):
    code = f'\nclass Wrong(Good):\n    name = "Wrong"\n    {body}\n'
    outcomes, unused = conversed(code, "Wrong", "Good")
    assert outcomes == GOOD_ONE
    assert said in unused["mine.py:Wrong"]
    assert re.search(r"\(mine\.py:\d+\)$", unused["mine.py:Wrong"])
    assert "\n" not in unused["mine.py:Wrong"]


def test_a_name_that_no_folder_can_have_is_an_error_of_its_class(conversed):
    code = '\nclass Wrong(Good):\n    name = "a/b"\n'
    outcomes, unused = conversed(code, "Wrong", "Good")
    assert outcomes == GOOD_ONE
    assert "'a/b'" in unused["mine.py:Wrong"]


def test_an_import_that_fails_has_its_line(conversed, tmp_path):
    (tmp_path / "divides_by_zero.py").write_text("\n\n1 / 0\n")
    _, unused = conversed("\nimport divides_by_zero\nclass X(Good): pass\n", "X")
    assert unused["mine.py:X"].endswith("division by zero (divides_by_zero.py:3)")


def test_once_the_class_is_fixed_its_replies_are_scored_without_being_asked_for(
    conversed, tmp_path
):
    broken = '\nclass Mine(Good):\n    name = "Mine"\n    def evaluate_correct(self, a, b, c):\n' \
             "        {}return 1, 1, ['fine']\n"  # fmt: skip
    outcomes, _ = conversed(broken.format("oops; "), "Mine")
    assert outcomes["Mine - 0"][0] == FAILED
    agent = Listener()
    outcomes, _ = conversed(broken.format(""), "Mine", agent=agent)
    assert (outcomes, agent.asked) == ({"Mine - 0": (SCORED, ["fine"])}, [])
    (result,) = tmp_path.rglob("0_0.json")
    assert json.loads(result.read_text())["score"] == 1
