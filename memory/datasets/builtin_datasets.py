"""The datasets of evalmark: scripts, a callback, a test that reacts, and what judges score."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from evalmark.memory.evaluation.llm_judge import Evaluation
from evalmark.memory.evaluation.replies import Replies, after_question
from evalmark.memory.evaluation.reply_json import lenient_json
from evalmark.memory.evaluation.scorers import score_replies, walked
from evalmark.memory.interface.actions import TestAction, WaitCreator
from evalmark.memory.interface.dataset_interface import (
    EXAMPLES,
    CallBackTestExample,
    DatasetInterface,
    DynamicDataset,
    DynamicExample,
    TestExample,
)
from evalmark.memory.interface.gpt_generated import GPTGenerated
from evalmark.schemas.errors import NotJudged, ScoringError


@dataclass
class Scripted(DatasetInterface):
    """A dataset of statements and one question, scored by the rules for its name."""

    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Make ``num_examples`` tests."""
        return [self._made() for _ in range(num_examples)]

    def _made(self) -> TestExample:
        raise NotImplementedError(f"{self.name} has no method `_made`")

    def _told(self, ways: Sequence[str], values: list[str], expected: list[Any]) -> TestExample:
        """A test: each value in one of the ways to tell it, then the question."""
        return self._example([self.random.choice(ways).format(v) for v in values], expected)

    def _example(
        self,
        statements: list[str],
        expected: list[Any],
        questions: Sequence[str] = (),
        kind: type[TestExample] = TestExample,
    ) -> TestExample:
        """A test: statements spread over the memory span, then the questions."""
        script = [*statements, *(questions or (self.question,))]
        flags = [place >= len(statements) for place in range(len(script))]
        example = kind(self, script, expected, is_question=flags)
        example.default_waits(self.memory_span)
        return example

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Score by rules; ask the judge where they cannot decide."""
        verdict = score_replies(self.name, Replies(questions, responses, expected_answers))
        if verdict is None:
            return self.evaluate_correct_gpt(questions, responses, expected_answers)
        score, reasons = verdict
        return score, 1, reasons


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
_NAME_TOLD = (
    "My name is {}.",
    "Please call me {} from now on.",
    "I go by {}.",
    "You may address me as {}.",
    "People know me as {}, so use that name.",
)


@dataclass
class Colours(Scripted):
    """A colour that changes; the last one counts."""

    name: str = "Colours"
    description: str = "A favourite colour is told several times; the last one is asked for."
    question: str = "What is my favourite colour?"
    colour_changes: int = 3

    def _made(self) -> TestExample:
        colours = self.random.sample(COLOURS, self.colour_changes)
        return self._told(_COLOUR_TOLD, colours, colours[-1:])


@dataclass
class Names(Scripted):
    """A name that changes; the last one counts."""

    name: str = "Names"
    description: str = "A name is told several times; the last one is asked for."
    question: str = "What is my name?"
    name_changes: int = 3

    def _made(self) -> TestExample:
        names = self.random.sample(NAMES, self.name_changes)
        return self._told(_NAME_TOLD, names, names[-1:])


@dataclass
class NameList(Scripted):
    """Several names; all of them are asked for."""

    name: str = "NameList"
    description: str = "Several names are told, one after another; all of them are asked for."
    question: str = "Which names have I told you, all of them? Answer with a JSON list of texts."
    name_changes: int = 5

    def _made(self) -> TestExample:
        names = self.random.sample(NAMES, self.name_changes)
        return self._told(_NAME_TOLD, names, names)


@dataclass
class KeyValue(Scripted):
    """Values of keys; one of them is asked for."""

    name: str = "KV"
    description: str = "Keys and their values are told; the value of one key is asked for."
    kv_pairs: int = 10

    def _made(self) -> TestExample:
        pairs = [
            (f"{self.random.getrandbits(32):08x}", f"{self.random.getrandbits(64):016x}")
            for _ in range(self.kv_pairs)
        ]
        statements = [f"The key {key} has the value {value}." for key, value in pairs]
        key, value = self.random.choice(pairs)
        return self._example(statements, [value], [f"Which value has the key {key}?"])


#: No name of an item contains another one.
ITEMS = (
    "apple", "bread", "butter", "candle", "carrot", "cheese", "cucumber", "flour", "honey",
    "lemon", "lentil can", "milk", "mushroom", "noodle", "onion", "pear", "pepper", "rice",
    "salt", "soap", "spinach", "sugar", "tea", "tomato", "toothbrush", "yoghurt",
)  # fmt: skip
_ADDED = (
    "Please put {} of {} on my shopping list.",
    "Add to my shopping list: {} times {}.",
    "I need {} of {}; note it on the shopping list.",
)
_REMOVED = (
    "Take {} of {} off my shopping list again.",
    "I need {} less of {}; change the shopping list.",
)


@dataclass
class Shopping(Scripted):
    """Items are added to a list and removed; the rest is asked for."""

    name: str = "Shopping"
    description: str = "A shopping list is changed several times; what is on it is asked for."
    question: str = (
        "What is on my shopping list now? Answer with a JSON list of objects that have `item` and "
        "`quantity`, each item once."
    )
    item_changes: int = 6

    def _made(self) -> TestExample:
        """A test whose list is never empty at the end."""
        basket: dict[str, int] = {}
        statements = []
        for _ in range(self.item_changes):
            shrinkable = [item for item, count in basket.items() if count > 1]
            if shrinkable and self.random.random() < 0.3:
                item = self.random.choice(shrinkable)
                count = self.random.randrange(1, basket[item])
                basket[item] -= count
                statements.append(self.random.choice(_REMOVED).format(count, item))
            else:
                item = self.random.choice(ITEMS)
                count = self.random.randrange(1, 5)
                basket[item] = basket.get(item, 0) + count
                statements.append(self.random.choice(_ADDED).format(count, item))
        return self._example(statements, [list(entry) for entry in basket.items()])


#: Clues (the thing to bring, the time, the place), and the words that show they were understood.
_BRING = (
    ("Bring something that keeps the rain off.", ("umbrella", "raincoat")),
    ("Bring what one reads the stars with.", ("telescope", "binoculars", "spyglass")),
    ("Bring what a climber ties around the waist.", ("rope", "harness")),
    ("Bring something that gives light without a flame.", ("torch", "flashlight", "lamp")),
)
_WHEN = (
    ("We meet when both hands of the clock point up.", ("noon", "midnight", "twelve", "12")),
    ("We meet when the cock crows.", ("dawn", "sunrise", "daybreak", "morning")),
    ("We meet when the day folds its light away.", ("dusk", "sunset", "evening")),
)
_WHERE = (
    ("Come to where books may not be spoken over.", ("library",)),
    ("Come to where ships sleep.", ("harbour", "harbor", "port", "marina", "dock", "docks")),
    ("Come to where bread is born.", ("bakery", "baker", "mill")),
    ("Come to where trains take a breath.", ("station", "railway", "depot")),
)


@dataclass
class SpyMeeting(Scripted):
    """Three clues from three people; what, when and where is asked for."""

    name: str = "Spy Meeting"
    description: str = "Three clues are told by three people; when, where and what is asked for."
    question: str = (
        "From the messages that were left for you: when and where is the meeting, and what are you "
        "to bring? Name each of them plainly."
    )

    def _made(self) -> TestExample:
        chosen = [self.random.choice(clues) for clues in (_BRING, _WHEN, _WHERE)]
        order = self.random.sample(chosen, len(chosen))
        people = self.random.sample(NAMES, len(order))
        statements = [f"Three people will leave a message for you: {', '.join(people)}."]
        statements += [f"{person}: {clue}" for person, (clue, _) in zip(people, order, strict=True)]
        return self._example(statements, [list(words) for _, words in chosen])


_ROOMS = ("kitchen", "garage", "garden", "attic", "cellar", "workshop")
_THINGS = ("scarf", "hammer", "marble", "letter", "lantern", "orange", "key")
_PLACES = ("basket", "drawer", "box", "cupboard", "bucket", "suitcase", "crate", "jar")
_DULL = ("{} likes the smell of rain.", "{} hums a song.", "{} yawns.", "{} looks at the clock.")


@dataclass
class SallyAnne(Scripted):
    """A thing was moved, and somebody who may not have seen it looks for it."""

    name: str = "SallyAnne"
    description: str = "A thing is moved; where somebody looks for it depends on what they saw."

    def _made(self) -> TestExample:
        r = self.random
        seeker, mover = r.sample(NAMES, 2)
        room, thing = r.choice(_ROOMS), r.choice(_THINGS)
        before, after = r.sample(_PLACES, 2)
        away = r.random() < 0.7
        story = [
            f"{seeker} comes into the {room}.",
            f"{mover} comes into the {room}.",
            f"The {thing} is in the {before}.",
        ]
        moves = f"{mover} moves the {thing} to the {after}."
        left, back = f"{seeker} leaves the {room}.", f"{seeker} comes back into the {room}."
        story += [left, moves, back] if away else [moves]
        story.insert(r.randrange(3, len(story) + 1), r.choice(_DULL).format(mover))
        statements = ["I will tell you what I see on a stage, line by line. A question follows."]
        statements += [f"(On stage) {line}" for line in story]
        question = (
            f"The stage is dark now. Where will {seeker} look for the {thing} first? Answer in "
            'JSON, with one word: {"answer": "word"}'
        )
        return self._example(statements, [before if away else after], [question])


_JOKES = (
    "I asked the librarian for a book on silence. She said nothing, and pointed at me.",
    "My clock joined a choir. It always comes in on the hour.",
    "The baker's dog is called Crumb, because he is all that is left at the end of the day.",
    "A photon checks into a hotel. No luggage, it says, I am travelling light.",
    "I bought a map of nowhere. I was there in no time.",
    "My umbrella left me. It said I only called when it rained.",
    "The stairs and I have our ups and downs, and the lift takes neither side.",
    "I told my plants a secret, and now the whole garden is in the nose of the bees.",
    "A comma and a full stop went for a walk. It was a long sentence before they could stop.",
    "The moon owes me money. It says it is only a phase.",
)


@dataclass
class Jokes(Scripted):
    """The joke of a certain time; the question is written when it is asked."""

    name: str = "Jokes"
    description: str = "Jokes are told hours apart; the one of a certain time is asked for."
    jokes_told: int = 4

    def _made(self) -> TestExample:
        jokes = self.random.sample(_JOKES, self.jokes_told)
        example = TestExample(
            self,
            jokes,
            [self.random.choice(jokes)],
            is_question=[*(False for _ in jokes), True],
            is_temporal=True,
        )
        example.default_waits(self.memory_span)
        for wait in example.waits[:-1]:
            hours = timedelta(minutes=self.random.randrange(20, 30 * 60))
            wait.update(WaitCreator.create_wait(time=hours))
        return example

    def create_question(
        self, example: TestExample, statement_times: list[datetime], time_now: datetime
    ) -> str:
        """The question, with the time since the joke in days, hours and minutes."""
        told_at = statement_times[example.script.index(example.expected_responses[0])]
        return f"Which joke did I tell you {spoken(time_now - told_at)} ago? Say it word for word."


def spoken(time: timedelta) -> str:
    """A duration in words, such as ``1 day, 2 hours and 5 minutes``; at least a minute."""
    minutes = max(int(time.total_seconds() // 60), 1)
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    parts = [
        f"{count} {unit}{'' if count == 1 else 's'}"
        for count, unit in ((days, "day"), (hours, "hour"), (minutes, "minute"))
        if count
    ]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


#: The trigger in general, a message that triggers, and the phrase to answer with.
_TRIGGERS = (
    ("that I am tired", "I could fall asleep on the spot.", "rest is work too"),
    ("that I want to buy something", "That new coat would suit me.", "sleep on it for a night"),
    ("that I miss the sea", "If only I could hear the waves.", "the sea is waiting for you"),
    ("that I have lost something", "My glasses are gone again.", "look where you looked last"),
    ("that it is too loud", "What a racket in this street!", "silence is a window you can shut"),
)


@dataclass
class TriggerResponse(Scripted):
    """A phrase to say whenever the user says a certain thing."""

    name: str = "Trigger Response"
    description: str = "Whenever the user says a certain thing, the agent must say a phrase."
    trigger_activations: int = 3

    def _made(self) -> TestExample:
        about, trigger, phrase = self.random.choice(_TRIGGERS)
        instruction = f"Whenever I tell you {about}, answer with exactly this: '{phrase}'"
        count = self.trigger_activations
        return self._example([instruction], [phrase] * count, [trigger] * count)


_SAYINGS = (
    "A door that is never opened might as well be a wall.",
    "Whoever counts the waves forgets to swim.",
    "The map grows old while the mountain waits.",
    "Small lamps make long nights short.",
    "A good question sharpens two knives at once.",
)


@dataclass
class ProspectiveMemory(Scripted):
    """A saying that belongs in one reply and no other."""

    name: str = "Prospective Memory"
    description: str = "A saying must be appended to the n-th reply from now, and to no other."
    uses_callback: bool = True

    def _made(self) -> TestExample:
        saying, author = self.random.choice(_SAYINGS), self.random.choice(NAMES)
        number = self.random.randrange(3, 8)
        question = (
            f"Append the saying of {author} to your reply number {number}, whatever I write then, "
            "and to no other. Your reply to this message is number 1."
        )
        expected = [[saying, author, number]]
        return self._example(
            [f"'{saying}' - {author}"], expected, [question], kind=CallBackTestExample
        )

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Not used: the callback scores the test."""
        raise NotImplementedError("Prospective Memory is scored by its callback")

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


@dataclass
class Judged(Scripted):
    """A dataset known only by its definitions. Where it has no rules, a judge decides."""

    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Not available: the dataset has definitions only."""
        raise ScoringError(f"{self.name} is scored, not generated: name the folder of definitions")


@dataclass
class ChapterBreak(Judged):
    """Six passages; one continues a book. The books cannot be distributed."""

    name: str = "ChapterBreak"
    description: str = "Pages of a book are read out; which passage follows is asked for."


_ASKED = """Write the way that is described below as JSON only: a list of steps in order, each \
{{"kilometres": number, "direction": "north, south, east or west"}}.

{response}"""


@dataclass
class LocationsDirections(Judged):
    """The way to a place, from given distances; a judge writes the answer as steps."""

    name: str = "Locations Directions"
    description: str = "Places are told by distance and direction; the way to one is asked for."

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Follow the steps that a judge finds in the reply, and see where they lead."""
        steps = self.ask_llm(_ASKED.format(response=responses[-1]))
        right = _end(steps) == walked(str(expected_answers[0]))
        return float(right), 1, ["arrives" if right else f"does not arrive: {steps[:200]}"]


def _end(text: str) -> tuple[float, float] | None:
    """The place that the steps of a judge lead to."""
    try:
        steps = lenient_json(text)
        return walked(" ".join(f"{float(s['kilometres'])} km {s['direction']}" for s in steps))
    except (ValueError, KeyError, TypeError) as error:
        raise NotJudged(f"the judge wrote no steps: {text[:100]!r}") from error
