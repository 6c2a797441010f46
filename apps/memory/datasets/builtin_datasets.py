"""The datasets of evalmark: a script, a callback, a test that reacts, and one a model writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.memory.datasets.defined_datasets import ScoredByRules
from evalmark.memory.evaluation.llm_judge import GENERATION, Evaluation, generated
from evalmark.memory.evaluation.replies import Replies, after_question
from evalmark.memory.evaluation.scorers import score_replies
from evalmark.memory.interface.dataset_interface import (
    EXAMPLES,
    CallBackTestExample,
    DatasetInterface,
    DynamicDataset,
    DynamicExample,
    TestAction,
    TestExample,
)
from evalmark.schemas.errors import NotJudged, ScoringError
from evalmark.validator.reading.reading import read_file


@dataclass
class GPTGenerated(DatasetInterface):
    """Tests written by a language model from the three prompts of a generation file.

    Attributes:
        generation_file: JSON with ``content``, ``question`` and ``answer``. A relative path is that
            of a file next to the module of the class, in a folder ``data`` there, or in the
            current folder.
        temperature: Sampling temperature of that model.
        generation_model: The model that writes the tests, at an endpoint for which the run names no
            judge.
        max_attempts: Maximum number of attempts to get a test that can be parsed.
    """

    generation_file: str | Path = ""
    temperature: float = 1.0
    generation_model: str = "gpt-3.5-turbo"
    max_attempts: int = 10

    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Let the run's judge write ``num_examples`` tests.

        Raises:
            NotJudged: The run has no judge.
            ScoringError: The file cannot be read, or no attempt was usable.
        """
        prompts = self._prompts()
        return [self._written(prompts) for _ in range(num_examples)]

    def _prompts(self) -> dict[str, str]:
        if not str(self.generation_file):
            raise ScoringError(f"{self.name} has no `generation_file`")
        path = self._file(Path(self.generation_file))
        reading = read_file(path)
        prompts = reading.data if reading.readable else None
        if not isinstance(prompts, dict) or set(prompts) != {"content", "question", "answer"}:
            raise ScoringError(f"{path} is not a generation file")
        return prompts

    def _written(self, prompts: dict[str, str]) -> TestExample:
        for _ in range(self.max_attempts):
            prompt = GENERATION.format(**prompts)
            text = self.ask_llm(prompt, self.generation_model, self.temperature, 4096)
            try:
                content, pairs = generated(text)
            except (ValueError, KeyError, TypeError):
                continue
            example = TestExample(
                self,
                ["\n".join(content), *(question for question, _ in pairs)],
                [answer for _, answer in pairs],
                is_question=[False, *(True for _ in pairs)],
            )
            example.default_waits(self.memory_span)
            return example
        raise ScoringError(f"{self.name}: none of {self.max_attempts} attempts wrote a usable test")

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Let the judge decide about each reply."""
        return self.evaluate_correct_gpt(questions, responses, expected_answers)


COLOURS = (
    "Amber", "Beige", "Black", "Blue", "Bronze", "Brown", "Crimson", "Cyan", "Gold", "Green",
    "Grey", "Indigo", "Ivory", "Khaki", "Lilac", "Magenta", "Maroon", "Mustard", "Navy", "Olive",
    "Orange", "Pink", "Purple", "Red", "Scarlet", "Silver", "Teal", "Turquoise", "Violet",
    "White", "Yellow",
)  # fmt: skip
NAMES = (
    "Ada", "Alba", "Amir", "Anouk", "Bela", "Bruno", "Carmen", "Chidi", "Dara", "Edith", "Emeka",
    "Farid", "Greta", "Hana", "Hugo", "Ines", "Ivan", "Jonas", "Keiko", "Lena", "Luca", "Maeve",
    "Marta", "Nadia", "Noor", "Oskar", "Petra", "Quinn", "Rosa", "Samir", "Tilda", "Tomas",
    "Uma", "Viktor", "Wanda", "Yusuf", "Zora",
)  # fmt: skip
_COLOUR_TOLD = (
    "My favourite colour is {}.",
    "I have decided that {} is my favourite colour.",
    "If you ask me for my favourite colour today, it is {}.",
    "{} has become my favourite colour.",
)


@dataclass
class Colours(ScoredByRules):
    """A colour that changes; the last one counts."""

    name: str = "Colours"
    description: str = "A favourite colour is told several times; the last one is asked for."
    question: str = "What is my favourite colour?"
    colour_changes: int = 3

    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Make ``num_examples`` tests."""
        return [self._made() for _ in range(num_examples)]

    def _made(self) -> TestExample:
        colours = self.random.sample(COLOURS, self.colour_changes)
        script = [self.random.choice(_COLOUR_TOLD).format(colour) for colour in colours]
        flags = [*(False for _ in script), True]
        return TestExample(self, [*script, self.question], colours[-1:], is_question=flags)


_SAYINGS = (
    "A door that is never opened might as well be a wall.",
    "Whoever counts the waves forgets to swim.",
    "The map grows old while the mountain waits.",
    "Small lamps make long nights short.",
    "A good question sharpens two knives at once.",
)


@dataclass
class ProspectiveMemory(DatasetInterface):
    """A saying that belongs in one reply and no other."""

    name: str = "Prospective Memory"
    description: str = "A saying must be appended to the n-th reply from now, and to no other."
    uses_callback: bool = True

    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Make ``num_examples`` tests."""
        return [self._made() for _ in range(num_examples)]

    def _made(self) -> TestExample:
        saying, author = self.random.choice(_SAYINGS), self.random.choice(NAMES)
        number = self.random.randrange(3, 8)
        question = (
            f"Append the saying of {author} to your reply number {number}, whatever I write then, "
            "and to no other. Your reply to this message is number 1."
        )
        script, expected = [f"'{saying}' - {author}", question], [[saying, author, number]]
        return CallBackTestExample(self, script, expected, is_question=[False, True])

    def continual_evaluation_callback(
        self, scheduler: Any, example: TestExample, task_log: list[str]
    ) -> tuple[float, float, list[str], bool]:
        """Decide one reply later than asked for, so that a repetition is noticed."""
        expected = example.expected_responses[0]
        if not isinstance(expected, list):
            raise NotJudged("the expected response is a description for a judge")
        number = expected[2]
        replies = after_question(task_log, example.script[-1])
        verdict = score_replies(
            self.name,
            Replies([example.script[-1]], replies[:1], example.expected_responses, task_log),
        )
        if len(replies) <= number or verdict is None:
            return 0, 1, ["not yet seen"], False
        example.finished = True
        score, reasons = verdict
        return score, 1, reasons, True


_MENU = {
    "drink": ("elderflower lemonade", "tomato juice", "mint tea", "ginger beer"),
    "starter": ("pumpkin soup", "beetroot salad", "olive bread"),
    "main": ("mushroom risotto", "baked trout", "lentil stew", "potato gnocchi"),
}


@dataclass(eq=False)
class RestaurantExample(DynamicExample):
    """A guest orders, learns that a dish has run out, and has to remember the order.

    There are five points, each a fifth of the score; the evening ends at the first mistake. The
    names of dishes decide, so no judge is needed.
    """

    def action_iter(self) -> Iterator[TestAction]:
        """The evening, course by course."""
        menu = "\n".join(f"{kind}: {', '.join(dishes)}" for kind, dishes in _MENU.items())
        yield from self._ask(
            "You are a guest in my restaurant, and I am the waiter. Here is the menu:\n"
            f"{menu}\nWhat would you like? One drink, one starter and one main, please.",
            "one drink, one starter and one main of the menu",
        )
        order = {kind: self._named(dishes) for kind, dishes in _MENU.items()}
        if not self._passed(
            all(len(named) == 1 for named in order.values()), f"ordered {order}", share=1
        ):
            return
        drink, starter, first = (order[kind][0] for kind in ("drink", "starter", "main"))
        yield self.wait(percentage_finished=25)
        yield from self._ask(
            f"I am sorry, we have just run out of {first}. Which other main may I bring?",
            f"a main other than {first}",
        )
        mains = [dish for dish in self._named(_MENU["main"]) if dish != first]
        if not self._passed(len(mains) == 1, f"chose {mains} instead of {first}", share=2):
            return
        yield self.wait(percentage_finished=50)
        wrong_drink = next(dish for dish in _MENU["drink"] if dish != drink)
        yield from self._ask(
            f"Here is your {wrong_drink}. Is that the drink you ordered? If not, which one was it?",
            drink,
        )
        if not self._passed(drink in self._reply(), f"the drink was {drink}", share=3):
            return
        yield self.wait(percentage_finished=75)
        yield from self._ask(
            "The kitchen asks which starter goes to your table. Could you remind me?", starter
        )
        if not self._passed(self._named(_MENU["starter"]) == [starter], starter, share=4):
            return
        yield self.wait(percentage_finished=90)
        yield from self._ask(
            "Before you go, for our statistics: which main did you ask for at first?", first
        )
        self._passed(self._named(_MENU["main"]) == [first], f"the first main was {first}", share=5)

    def _ask(self, message: str, expected: str) -> Iterator[TestAction]:
        self.expected_responses.append(expected)
        yield self.say(message, question=True)

    def _reply(self) -> str:
        assert self.action is not None
        return (self.action.reply or "").lower()

    def _named(self, dishes: tuple[str, ...]) -> list[str]:
        reply = self._reply()
        return [dish for dish in dishes if re.search(rf"\b{re.escape(dish)}\b", reply)]

    def _passed(self, holds: bool, reason: str, *, share: int) -> bool:
        self.score = share / 5 if holds else self.score
        self.reasoning.append(f"{'right' if holds else 'wrong'}: {reason}")
        return holds


@dataclass
class Restaurant(DynamicDataset):
    """An evening in a restaurant."""

    name: str = "Restaurant"
    description: str = "A guest orders and has to remember the order while the evening goes on."

    example_cls = RestaurantExample


@dataclass
class DelayedRecall(GPTGenerated):
    """Facts of a fictional world, written by a model, and questions about them."""

    name: str = "Delayed Recall"
    description: str = "Facts of a made-up world are told, and asked for one by one."
    generation_file: str | Path = Path(__file__).parent / "delayed_recall.json"
