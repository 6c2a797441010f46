"""Datasets of ours, classes of users, and published definitions, run to the end."""

import json
from pathlib import Path

import pytest
from evalmark.memory.agents.agent import Completion, ScriptedAgent
from evalmark.memory.datasets.builtin_datasets import DelayedRecall
from evalmark.memory.datasets.dataset_registry import DATASETS, GENERATED, Choice
from evalmark.memory.datasets.defined_datasets import Defined
from evalmark.memory.running.outcome import SCORED, UNJUDGED
from evalmark.schemas.errors import EvalmarkError, NotJudged, ScoringError
from loaded_tests import load_tests
from memory_runs import conversation

# datasets of ours


def answer_of(test, number):
    """What a perfect agent says."""
    expected = test.expected_responses
    name = test.dataset_name
    if name in ("NameList", "Shopping"):
        if name == "Shopping":
            expected = [{"item": item, "quantity": count} for item, count in expected]
        return f"Here it is:\n```json\n{json.dumps(expected)}\n```"
    if name == "SallyAnne":
        return json.dumps({"answer": expected[0]})
    if name == "Spy Meeting":
        return " ".join(words[0] for words in expected)
    if name == "Prospective Memory":
        return "All right."
    if name == "Trigger Response":
        return expected[number]
    return f"It is {expected[0]}"


class Perfect(ScriptedAgent):
    """Knows the tests; for the restaurant it listens."""

    def __init__(self, tests):
        super().__init__({})
        self.tests = {}
        for test in tests:
            for number, asked in enumerate(test.is_question[: len(test.script)]):
                if asked:
                    count = sum(test.is_question[:number])
                    self.tests[tuple(test.script[: number + 1])] = (test, count)
        self.by_joke = {tuple(test.script): test for test in tests if test.is_temporal}
        self.reset()

    def reset(self):
        self.heard, self.quote = [], None

    def reply(self, message):
        self.heard.append(message)
        return Completion(self._say(message))

    def _say(self, message):
        if self.quote:
            self.quote[1] -= 1
            return self.quote[0] if self.quote[1] == 0 else "[]"
        if message.startswith("Which joke did I tell you"):
            return self.by_joke[tuple(self.heard[:-1])].expected_responses[0]
        found = self.tests.get(tuple(self.heard))
        if found:
            test, number = found
            expected = test.expected_responses[0]
            if test.dataset_name == "Prospective Memory" and isinstance(expected, list):
                self.quote = [expected[0], expected[2] - 1]
            return answer_of(test, number)
        return self._dine(message)

    def _dine(self, message):
        if "Here is the menu" in message:
            return "Mint tea, olive bread and the lentil stew, please."
        if "run out of" in message:
            return "Then the baked trout."
        if "Is that the drink" in message:
            return "No, it was the mint tea."
        if "which starter" in message:
            return "The olive bread."
        return "The lentil stew." if "at first" in message else "Noted."


def test_a_perfect_agent_has_everything_right_and_a_mute_one_nothing(tmp_path):
    tests, _ = load_tests(["all"], Choice(examples=5, seed=3))
    for name, agent, score in (("one", Perfect(tests), 1.0), ("two", ScriptedAgent({}), 0.0)):
        finished = conversation("all", tmp_path / name, agent, examples=5, seed=3)
        found = {o.example.dataset_name: set() for o in finished.outcomes}
        for outcome in finished.outcomes:
            found[outcome.example.dataset_name].add(outcome.score)
        assert found == {DATASETS[key]().name: {score} for key in GENERATED}


@pytest.mark.parametrize("key", GENERATED)
def test_the_same_seed_makes_the_same_tests_and_they_pass_our_check(key, tmp_path):
    from evalmark.validator.check import check_file

    def made(seed):
        tests, _ = load_tests([key], Choice(examples=20, seed=seed))
        return [test.definition() for test in tests]

    assert made(1) == made(1)
    if key != "restaurant":
        assert made(1) != made(2)
    folder = tmp_path / "definitions" / DATASETS[key]().name
    folder.mkdir(parents=True)
    for number, definition in enumerate(made(1)):
        path = folder / f"{number}.def.json"
        path.write_text(json.dumps(definition))
        assert not check_file(str(path)).findings


def test_ten_facts_are_written_and_asked_for_as_in_the_document():
    """The document's prompts for delayed recall ask for ten facts, questions and answers."""
    prompts = json.loads(Path(DelayedRecall().generation_file).read_text(encoding="utf-8"))
    assert all("ten" in prompts[key] for key in ("content", "question", "answer"))


def test_what_cannot_be_generated_says_so():
    with pytest.raises(ScoringError, match="scored, not generated"):
        Defined(name="ChapterBreak").generate_examples()
    with pytest.raises(NotJudged, match="needs a judge to write its tests"):
        load_tests(["delayed_recall"], Choice())
    for target, said in (
        ("colors", "mean 'colours'"),
        ("x:X", "no module x in"),
        ("json:loads", "not a class that inherits"),
        ("json:JSONDecoder", "not a class that inherits"),
        ("evalmark.memory:DatasetInterface", "scores nothing"),
    ):
        with pytest.raises(EvalmarkError, match=said):
            load_tests([target], Choice())


# real definitions

BENCHMARKS = ("Benchmark 1 - 1k Filler", "Benchmark 2 - 1k Filler", "Benchmark 3 - 1k")


@pytest.mark.parametrize("benchmark", [*BENCHMARKS, "Benchmark 3 - 32k (isolated)"])
def test_published_definitions_run_to_the_end(shared, tmp_path, benchmark):
    target = str(shared / "data/ltm" / benchmark / "definitions")
    tests, _ = load_tests([target], Choice())
    scripted = list((shared / "data/ltm" / benchmark / "definitions").rglob("*.def.json"))
    dynamic = [p for p in scripted if not json.loads(p.read_text())["script"]]
    assert len(tests) == len(scripted) - len(dynamic)
    # Percentages of the second generation are no tokens.
    settings = {"mode": "isolated"} if "2 - 1k" in benchmark else {}
    for agent, score in ((Perfect(tests), 1.0), (ScriptedAgent({}), 0.0)):
        finished = conversation(target, tmp_path / str(score), agent, **settings)
        assert len(finished.outcomes) == len(tests)
        for outcome in finished.outcomes:
            assert outcome.state in (SCORED, UNJUDGED), outcome.reasons
            if outcome.state == SCORED:
                assert outcome.score == score, outcome.example.unique_id
    decided = {o.example.dataset_name for o in finished.outcomes if o.state == SCORED}
    assert {"Colours", "NameList", "SallyAnne", "Shopping"} - decided <= (
        {"SallyAnne"} if "1 - 1k" in benchmark else set()
    )
