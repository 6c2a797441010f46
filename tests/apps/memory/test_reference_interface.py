"""The members of the LTM benchmark's interface, as datasets written for it use them."""

import json
import random
import sys
from collections import OrderedDict
from datetime import timedelta
from types import ModuleType, SimpleNamespace

import pytest
from conftest import file_at
from evalmark.memory import (
    CallBackTestExample,
    DatasetInterface,
    DynamicExample,
    GPTGenerated,
    SendAndRegisterAction,
    SendMessageAction,
    TestExample,
    WaitAction,
    WaitCreator,
)
from evalmark.memory.agents.agent import Completion, ScriptedAgent
from evalmark.memory.evaluation.replies import lenient_json
from evalmark.memory.running.outcome import SCORED
from evalmark.memory.running.runner import MODES
from evalmark.schemas.errors import ScoringError
from memory_runs import conversation


class Plain(DatasetInterface):
    name = "Plain"
    description = "Two things are told."
    reset_message = "Forget it."

    def generate_examples(self, num_examples):
        return [self.create_example(script=["a", "b"], is_question=[False, True])]

    def evaluate_correct(self, questions, responses, expected_answers):
        return 2, 4, ["half"]


def example(**rest):
    return TestExample(Plain(), ["a", "b"], ["x"], is_question=[False, True], **rest)


# waits


def test_a_wait_survives_its_file():
    wait = WaitCreator.create_wait(tokens=3, time=timedelta(days=2, seconds=5))
    stored = WaitCreator.serialise(wait)
    # Here the benchmark drops the days.
    assert stored == {"tokens": 3, "time": 2 * 86400 + 5}
    assert WaitCreator.unserialise(stored) == wait
    assert WaitCreator.unserialise({}) == {}
    assert stored["time"] == 2 * 86400 + 5, "what was given is not changed"


def test_waits_are_made_without_an_argument():
    made = example()
    made.default_waits()
    assert made.waits == [{"percentage_finished": 90.0}, {}]
    made.waits = [{"tokens": 1}, {}]
    made.default_waits()
    assert made.waits == [{"tokens": 1}, {}]


def test_a_test_has_its_waits_from_the_beginning_where_the_span_is_known():
    made = TestExample(Plain(memory_span=100), ["a", "b"], is_question=[False, True])
    assert made.waits == [{"percentage_finished": 90.0}, {}]
    made.script.append("c")
    made.is_question.append(True)
    made.default_waits()
    assert made.waits == [{"percentage_finished": 45.0}, {"percentage_finished": 90.0}, {}]


# tests


def test_a_test_says_what_its_dataset_says():
    assert example().description == "Two things are told."
    assert example().reset_message == "Forget it."
    assert example().start_token == 0


def test_steps():
    made = example(waits=[{"tokens": 5}, {}])
    assert made.step() == SendMessageAction("a")
    assert made.step() == WaitAction(tokens=5)
    assert made.step() == SendMessageAction("b", is_question=True)
    assert not made.finished
    assert made.step() is None
    assert made.finished
    with pytest.raises(ScoringError, match="has ended"):
        made.step()


def test_steps_of_a_callback_wait_until_it_has_finished():
    made = CallBackTestExample(Plain(), ["a"], is_question=[True], waits=[{}])
    assert isinstance(made.step(), SendAndRegisterAction)
    assert [made.step(), made.step()] == [WaitAction(tokens=1)] * 2
    assert not made.finished


def test_a_test_is_saved_and_loaded(tmp_path):
    made = example(example_id="7", waits=[WaitCreator.create_wait(time=timedelta(hours=30)), {}])
    made.save(tmp_path)
    path = made.get_path(tmp_path)
    assert path == tmp_path / "definitions" / "Plain" / "7.def.json"
    assert json.loads(path.read_text()) == made.to_dict() == made.definition()
    loaded = TestExample.load(made.dataset_generator, path)
    assert (loaded.example_id, loaded.waits) == ("7", made.waits)
    assert loaded.to_dict() == made.to_dict()
    with pytest.raises(ScoringError, match="exist_ok=True"):
        made.save(tmp_path)
    made.save(tmp_path, exist_ok=True)


def test_scores_are_from_0_to_1():
    assert example().evaluation_fn([], [], []) == (0.5, 1, ["half"])
    assert Plain().evaluation_fn()([], [], []) == (0.5, 1, ["half"])


# datasets


def test_examples_are_made_for_callbacks_too():
    made = Plain().create_example(script=["a"], is_question=[True], uses_callback=True)
    assert isinstance(made, CallBackTestExample)
    assert type(Plain().create_example(script=["a"], is_question=[True])) is TestExample


def test_questions_are_counted():
    assert Plain().count_questions([True, False, 1]) == 2


def test_random_numbers_can_be_assigned():
    dataset, made = Plain(), example()
    dataset.random = made.random = random.Random(5)
    assert (dataset.random, made.random) == (made.random, dataset.random)
    assert dataset.random.random() == random.Random(5).random()


def test_distance_of_the_first_message():
    told = [{"role": "user", "content": text, "timestamp": at} for at, text in enumerate("xabab")]
    own = [entry for entry in told if entry["content"] != "x"]
    assert Plain().tokens_to_answer(own, told, example()) == (4, 1)
    with pytest.raises(ScoringError, match="does not have the message"):
        Plain().tokens_to_answer(own, told[4:], example())


def test_files_are_next_to_the_module_or_in_data(tmp_path, monkeypatch):
    module = ModuleType("of_a_user_with_files")
    module.__file__ = str(tmp_path / "tests.py")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    kind = type("Own", (Plain,), {"__module__": module.__name__, "name": "Own"})
    (tmp_path / "beside.json").write_text('{"b": 1, "a": 2}', encoding="utf-8")
    dataset = kind()
    assert dataset.data_path == tmp_path
    assert dataset.load_file("beside.json") == '{"b": 1, "a": 2}'
    found = dataset.load_json("beside.json", object_pairs_hook=OrderedDict)
    assert isinstance(found, OrderedDict)
    file_at(tmp_path / "data" / "Own" / "menu.txt", "Suppe ä")
    assert dataset.data_path == tmp_path / "data" / "Own"
    assert dataset.load_file("menu.txt") == "Suppe ä"
    assert dataset.load_file(tmp_path / "beside.json")
    with pytest.raises(ScoringError, match=r"gone.txt of Own does not exist: .*data.Own.gone.txt"):
        dataset.load_file("gone.txt")


def test_files_are_in_data_of_the_current_folder_as_in_the_benchmark(tmp_path, monkeypatch):
    module = ModuleType("of_the_benchmark")
    module.__file__ = str(tmp_path / "datasets/own.py")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    dataset = type("Own", (Plain,), {"__module__": module.__name__, "name": "Own"})()
    monkeypatch.chdir(tmp_path)
    file_at(tmp_path / "datasets/own.py", "")
    file_at("data/Own/menu.txt", "own")
    file_at("data/menu.txt", "of all")
    assert dataset.load_file("menu.txt") == "own"
    assert dataset.data_path.resolve() == tmp_path / "data/Own"
    (tmp_path / "data/Own/menu.txt").unlink()
    assert dataset.load_file("menu.txt") == "of all"


def test_the_model_is_the_second_argument():
    asked = []
    dataset = Plain(ask=lambda *rest: asked.append(rest) or "yes")
    assert dataset.ask_llm("?", "gpt-4o") == "yes"
    assert dataset.ask_llm([{"role": "user", "content": "?"}], model="gpt-4o", timeout=9) == "yes"
    made = DynamicExample(dataset)
    assert made.ask_llm("?", "gpt-4o", temperature=0) == "yes"
    assert asked == [([{"role": "user", "content": "?"}], 0, 256, "gpt-4o")] * 3


@pytest.mark.conforms("D-21")
def test_the_model_that_writes_tests_is_named():
    asked = []

    class Written(GPTGenerated):
        name = "Written"
        generation_file = "prompts.json"
        generation_model = "gpt-4o"

        def _prompts(self):
            return {"content": "c", "question": "q", "answer": "a"}

    said = '{"content": ["c"], "question": ["q?"], "answer": ["a"]}'
    dataset = Written(ask=lambda *rest: asked.append(rest[1:]) or said)
    (made,) = dataset.generate_examples(1)
    assert (made.script, made.expected_responses) == (["c", "q?"], ["a"])
    assert asked == [(1.0, 4096, "gpt-4o")]
    assert GPTGenerated.generation_model == "gpt-3.5-turbo"


def test_a_judge_is_asked_with_the_names_of_the_benchmark():
    said = '{"contains": "yes", "contradicts": "no", "beside_the_point": "no", "why": "so"}'
    dataset = Plain(ask=lambda *_: said)
    found = dataset.evaluate_correct_gpt(
        questions=["?"], provided_answer=["a"], expected_answer="a"
    )
    assert found == (1, 1, ["so"])
    assert dataset.evaluate_correct_gpt(["?", "?"], ["a", "b"], ["a", "b"]) == (2, 2, ["so", "so"])


def test_a_dynamic_test_evaluates_itself():
    class Five(DynamicExample):
        max_score = 5

    made = Five(Plain())
    made.score, made.reasoning = 2, ["two"]
    assert made.evaluate() == made.evaluation_fn([], [], []) == (0.4, 1, ["two"])


def test_what_a_dataset_spends_by_itself_is_a_cost_of_the_run(tmp_path, monkeypatch):
    module = ModuleType("of_a_user_that_spends")
    monkeypatch.setitem(sys.modules, module.__name__, module)

    class Spending(Plain):
        name = "Spending"

        def evaluate_correct(self, questions, responses, expected_answers):
            self.cost_callback(0.25)
            return 1, 1, []

    module.Spending = Spending
    done = conversation(f"{module.__name__}:Spending", tmp_path / "run", mode="isolated")
    assert done.totals.judge_cost == 0.25
    stats = json.loads((done.folder / "runstats.json").read_text())
    assert stats["managing_costs_usd"] == 0.25


def test_time_of_a_question_is_given_by_its_name(tmp_path, monkeypatch):
    module = ModuleType("of_a_user_with_times")
    monkeypatch.setitem(sys.modules, module.__name__, module)

    class Timed(Plain):
        name = "Timed"

        def generate_examples(self, num_examples):
            return [
                TestExample(
                    dataset_generator=self, script=["a"], expected_responses=["x"],
                    is_question=[False, True], is_temporal=True,
                )
            ]  # fmt: skip

        def create_question(self, example, statement_times, time_now):
            assert self.memory_span
            return f"{len(statement_times)} {time_now >= statement_times[0]}"

        def evaluate_correct(self, questions, responses, expected_answers):
            return questions == ["1 True"], 1, [""]

    module.Timed = Timed
    done = conversation(f"{module.__name__}:Timed", tmp_path / "run", mode="isolated")
    assert [outcome.score for outcome in done.outcomes] == [1]


# datasets that others have written

IMPORT = "from dataset_interfaces.interface import"


class Renderer:
    """What is used of pystache."""

    def render(self, template, values):
        for key, value in values.items():
            template = template.replace("{{" + key + "}}", value)
        return template


class Faker:
    """What is used of Faker."""

    def __init__(self, _locales):
        self.unique = SimpleNamespace(clear=self._clear, first_name=self._first_name)

    def _clear(self):
        self._names = iter(["Ada", "Bruno", "Carmen", "Dara"])

    def _first_name(self):
        return next(self._names)


def message(role):
    return lambda content: {"role": role, "content": content}


@pytest.fixture
def reference(shared, monkeypatch, tmp_path_factory):
    """Loads a dataset with only its interface imported from elsewhere, and its helpers stubbed."""
    helpers = {
        "pystache": {"Renderer": Renderer},
        "faker": {"Faker": Faker},
        "goodai": {},
        "goodai.helpers": {},
        "goodai.helpers.json_helper": {"sanitize_and_parse_json": lenient_json},
        "utils": {},
        "utils.llm": {
            "make_system_message": message("system"), "make_user_message": message("user"),
            "LLMContext": list, "GPT_4_TURBO_BEST": "gpt-4-turbo", "GPT_CHEAPEST": "gpt-3.5-turbo",
        },
    }  # fmt: skip
    for name, members in helpers.items():
        module = ModuleType(name)
        module.__dict__.update(members)
        monkeypatch.setitem(sys.modules, name, module)

    home = tmp_path_factory.mktemp("benchmark")  # with the benchmark's folders
    monkeypatch.chdir(home)
    source = shared / "data/ltm/reference-datasets"
    file_at("data/Restaurant/menu.json", (source / "menu.json").read_bytes())

    def loaded(name):
        path = home / "datasets" / f"{name}.py"
        code = (source / path.name).read_text(encoding="utf-8")
        assert IMPORT in code
        module = ModuleType(f"reference_{name}")
        module.__file__ = str(path)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        code = code.replace(IMPORT, "from evalmark.memory import")
        exec(compile(code, path, "exec"), module.__dict__)
        return module.__name__

    return loaded


@pytest.mark.parametrize("mode", MODES)
def test_the_name_list_of_the_benchmark_runs(reference, tmp_path, mode):
    agent = ScriptedAgent({}, 'You said: ["Ada", "bruno", "Zora"]')
    target = f"{reference('name_list')}:NameListDataset"
    outcomes = conversation(target, tmp_path / "run", agent, mode=mode, examples=2).outcomes
    assert [(o.state, o.score) for o in outcomes] == [(SCORED, pytest.approx(2 / 3))] * 2
    assert outcomes[0].expected == ["Ada", "Bruno", "Carmen"]


class Waiter(ScriptedAgent):
    """A judge that answers as each prompt asks; it does not see what the guest forgets."""

    def __init__(self, recalls):
        super().__init__({})
        self.asked = []
        self.recalls = recalls

    window = None

    def complete(self, messages, *, temperature, max_tokens):
        text = " ".join(entry["content"] for entry in messages)
        self.asked.append(text)
        for key, value in (("follows_role", True), ("noticed", True), ("recalls", self.recalls)):
            if f'"{key}"' in text:
                return Completion(json.dumps({key: value}))
        last = text.partition("menu looks like")[0].rpartition("Diner: ")[2]
        number = {"Beer": None, "Salmon": 8}.get(last.split()[0], 3)
        entry = {
            "is_drink": number is None, "item": last.split()[0], "menu_nr": number,
            "off_menu": False,
        }  # fmt: skip
        return Completion(json.dumps({"has_ordered_something": True, "order": [entry]}))


def guest(message):
    if "like to drink" in message:
        return "Beer please"
    return "Salmon please" if "like to eat" in message else "Bruschetta then"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("recalls", "score"), [(True, 1), (False, 4 / 5)])
def test_the_restaurant_of_the_benchmark_runs(reference, tmp_path, mode, recalls, score):
    target = f"{reference('restaurant')}:RestaurantDataset"
    agent = ScriptedAgent({}, choose=guest)
    judge = Waiter(recalls)
    how = {"judge": judge, "mode": mode, "examples": 2}
    outcomes = conversation(target, tmp_path / "run", agent, **how).outcomes
    assert [(o.state, o.score) for o in outcomes] == [(SCORED, pytest.approx(score))] * 2, [
        o.reasons for o in outcomes
    ]
    assert len(judge.asked) == 2 * 6
    assert len(outcomes[0].expected) == 5
