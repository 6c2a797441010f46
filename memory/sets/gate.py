"""The gate for memory systems: a small generated set, and the floors that its scores must reach.

Each history tests one ability, and half of its questions are controls that no agent answers by
forgetting everything. Replies are scored by rule: a right answer, and no wrong one.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from evalmark.memory.sets.set_scores import SetScores
from evalmark.schemas.errors import UsageError

#: The name of the set, and of what `evalmark memory run` is asked for.
GATE = "gate"
#: The mean over abilities that is required if nothing else is said.
FLOOR = 0.7
#: Histories of each ability.
_VARIANTS = 3

UPDATES, CORRECTIONS, FORGETTING = "updates", "contradiction", "forgetting"
STALE, USERS, GAPS = "stale facts", "several users", "long gaps"
#: Ability -> what is tested.
ABILITIES = {
    UPDATES: "“I moved to …”: the last state, not an earlier one",
    CORRECTIONS: "a correction of an earlier statement",
    FORGETTING: "what the user asked to forget is not repeated; the rest is kept",
    STALE: "what was true until a date, asked before and after it",
    USERS: "three users in one store: each gets their own facts",
    GAPS: "a fact from a year ago, and a similar one about somebody else",
}

_CITIES = (
    "Porto", "Leiden", "Gera", "Turku", "Harlech", "Olomouc", "Tartu", "Girona", "Viborg",
    "Lucca", "Szeged", "Galway",
)  # fmt: skip
_PETS = ("Biscuit", "Nimbus", "Pepper", "Waffle", "Juniper", "Clover", "Mochi", "Pickle", "Ziggy")
_FIRMS = ("Halberd", "Tanglewood", "Corvid", "Lumenex", "Pinnacle", "Quillon", "Saltbox")
_HOTELS = ("Astoria", "Meridian", "Bellevue", "Continental", "Savoy", "Regent")
_PEOPLE = ("Ines", "Tomas", "Priya", "Olek", "Wanda", "Jun")
_TALK = (
    ("What is a good way to peel garlic?", "Crush the clove first."),
    ("It rained all day here.", "A good day for tea, then."),
    ("How long do I boil an egg?", "Eight minutes for a hard one."),
    ("I finished a long novel.", "How did you like the end?"),
    ("The train was late again.", "I am sorry to hear that."),
    ("My back hurts from gardening.", "Stretching in the evening may help."),
    ("Which bread keeps longest?", "Rye bread does."),
    ("I cleaned all windows.", "That must look bright."),
)
_BRIEF = "Answer with the name or number only."
_BEGIN = date(2024, 1, 8)
#: Sessions of talk in a long gap, and the days between them.
_GAP, _DAYS = 12, 25


@dataclass(slots=True)
class _Story:
    """A history in the making."""

    name: str
    ability: str
    rng: Random
    sessions: list[dict[str, Any]]
    questions: list[dict[str, Any]]
    day: date = _BEGIN

    def say(self, text: str, speaker: str = "", reply: str = "I see.", days: int = 9) -> str:
        """A session with some talk and this message; its id."""
        number = len(self.sessions) + 1
        turns: list[dict[str, Any]] = []
        for role, content in (
            *zip(("user", "assistant"), self.rng.choice(_TALK), strict=True),
            ("user", text),
            ("assistant", reply),
        ):
            turn = {"id": f"s{number}:{len(turns) + 1}", "role": role}
            own = {"speaker": speaker} if speaker and role == "user" else {}
            turns.append({**turn, **own, "content": content})
        self.sessions.append({"id": f"s{number}", "date": self.day.isoformat(), "turns": turns})
        self.day += timedelta(days=days)
        return f"s{number}:3"

    def ask(self, text: str, evidence: Sequence[str], when: date | None = None, **key: Any) -> None:
        """A question about it."""
        self.questions.append(
            {
                "id": f"{self.name}/{len(self.questions) + 1}",
                "question": f"{text} {_BRIEF}",
                "type": self.ability,
                **key,
                "evidence": list(evidence),
                "date": (when or self.day).isoformat(),
            }
        )


def gate_set(seed: int = 0) -> dict[str, Any]:
    """The set in the general form; equal for equal seeds."""
    histories = []
    for ability in ABILITIES:
        for number in range(1, _VARIANTS + 1):
            rng = Random(f"{seed} {ability} {number}")
            story = _Story(f"{ability} {number}", ability, rng, [], [])
            _STORIES[ability](story)
            histories.append(
                {"id": story.name, "sessions": story.sessions, "questions": story.questions}
            )
    return {
        "memory_set": "1",
        "name": GATE,
        "types": {ability: ability for ability in ABILITIES},
        "histories": histories,
    }


def _updates(story: _Story) -> None:
    old, new = story.rng.sample(_CITIES, 2)
    firm, other = story.rng.sample(_FIRMS, 2)
    first = story.say(f"I live in {old}, and work at {firm}.")
    pet = story.rng.choice(_PETS)
    kept = story.say(f"My dog is called {pet}.")
    moved = story.say(f"I moved to {new} last week.")
    changed = story.say(f"I changed jobs: since Monday I work at {other}.")
    story.ask("Where do I live now?", [first, moved], answer=new, wrong_answers=[old])
    story.ask("Where do I work now?", [first, changed], answer=other, wrong_answers=[firm])
    story.ask("What is my dog called?", [kept], answer=pet)


def _corrections(story: _Story) -> None:
    wrong, right = (str(n) for n in story.rng.sample(range(1000, 9999), 2))
    pet, other = story.rng.sample(_PETS, 2)
    first = story.say(f"The code of my door is {wrong}.")
    named = story.say(f"My cat is called {pet}.")
    second = story.say(f"What I told you about my door was a mistake: the code is {right}.")
    story.say(f"The cat of my neighbour is called {other}.")
    story.ask("What is the code of my door?", [first, second], answer=right, wrong_answers=[wrong])
    story.ask("What is my cat called?", [named], answer=pet, wrong_answers=[other])


def _forgetting(story: _Story) -> None:
    pin, number = (str(n) for n in story.rng.sample(range(1000, 9999), 2))
    told = story.say(f"The PIN of my card is {pin}.")
    kept = story.say(f"The number of my locker is {number}.")
    asked = story.say("Please forget the PIN of my card.", reply="I have forgotten it.")
    story.say("I bought a new bicycle.")
    story.ask(
        "What is the PIN of my card?",
        [told, asked],
        abstention=True,
        explanation="The user asked that the PIN be forgotten.",
        wrong_answers=[pin],
    )
    story.ask("What is the number of my locker?", [kept], answer=number, wrong_answers=[pin])


def _stale(story: _Story) -> None:
    hotel, city = story.rng.choice(_HOTELS), story.rng.choice(_CITIES)
    until = story.day + timedelta(days=40)
    told = story.say(
        f"Until {until:%d %B %Y} I stay at the hotel {hotel}. After that I am at home in {city}."
    )
    story.say("I bought a new bicycle.")
    about = "Am I at my hotel or at home, and what is the name of this hotel or town?"
    before, after = until - timedelta(days=5), until + timedelta(days=20)
    for when, right, wrong in ((before, hotel, city), (after, city, hotel)):
        text = f"Today is {when:%d %B %Y}. {about}"
        story.ask(text, [told], when, answer=right, wrong_answers=[wrong])


def _users(story: _Story) -> None:
    people = story.rng.sample(_PEOPLE, 3)
    homes, pets = story.rng.sample(_CITIES, 3), story.rng.sample(_PETS, 3)
    told = [
        story.say(f"I live in {home}, and my dog is called {pet}.", person)
        for person, home, pet in zip(people, homes, pets, strict=True)
    ]
    for index, person in enumerate(people[:2]):
        for text, answers in (("Where do I live?", homes), ("What is my dog called?", pets)):
            others = [answer for answer in answers if answer != answers[index]]
            story.ask(
                f"{person} asks: {text}",
                [told[index]],
                answer=answers[index],
                wrong_answers=others,
            )


def _gaps(story: _Story) -> None:
    pet, other = story.rng.sample(_PETS, 2)
    city, visited = story.rng.sample(_CITIES, 2)
    first = story.say(f"My cat is called {pet}, and I was born in {city}.", days=_DAYS)
    for _ in range(_GAP):
        story.say(story.rng.choice(_TALK)[0], days=_DAYS)
    story.say(f"I spent a weekend in {visited}; the cat of the hotel is called {other}.")
    story.ask("What is my cat called?", [first], answer=pet, wrong_answers=[other])
    story.ask("Where was I born?", [first], answer=city, wrong_answers=[visited])


_STORIES = {
    UPDATES: _updates,
    CORRECTIONS: _corrections,
    FORGETTING: _forgetting,
    STALE: _stale,
    USERS: _users,
    GAPS: _gaps,
}


def read_floors(texts: Sequence[str]) -> dict[str, float]:
    """Ability -> the least score; that of "" is for the mean over abilities.

    Raises:
        UsageError: A text is neither a number from 0 to 1, nor an ability and such a number.
    """
    floors = {"": FLOOR} if not any("=" not in text for text in texts) else {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1 or (name and name not in ABILITIES):
            raise UsageError(
                f"floor {text}: write a number from 0 to 1, or ABILITY=NUMBER with one of "
                f"{', '.join(ABILITIES)}"
            )
        floors[name] = value
    return floors


def ability_scores(scores: SetScores) -> dict[str, float]:
    """The score of each ability; that of "" is their mean. A question without a reply has 0."""
    by_ability = {
        ability: statistics.fmean(
            answer.exact or 0.0 for answer in scores.answers if answer.question.type == ability
        )
        for ability in dict.fromkeys(answer.question.type for answer in scores.answers)
    }
    return {**by_ability, "": statistics.fmean(by_ability.values())}


def below(scores: Mapping[str, float], floors: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """The abilities, or "" for their mean, whose scores are below their floors, and the floors."""
    for name, floor in floors.items():
        if name in scores and scores[name] < floor:
            yield name, floor
