"""Stories: who knows what, and which joke was told when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from evalmark.conversations.datasets.facts import NAMES
from evalmark.conversations.datasets.scripted import Scripted
from evalmark.conversations.interface.actions import WaitCreator
from evalmark.conversations.interface.dataset_interface import TestExample

_ROOMS = ("kitchen", "garage", "garden", "attic", "cellar", "workshop")
_THINGS = ("scarf", "hammer", "marble", "letter", "lantern", "orange", "key")
_PLACES = ("basket", "drawer", "box", "cupboard", "bucket", "suitcase", "crate", "jar")
_DULL = ("{} likes the smell of rain.", "{} hums a song.", "{} yawns.", "{} looks at the clock.")


@dataclass
class SallyAnne(Scripted):
    """Where somebody looks for a thing that was moved, whether or not they saw it."""

    name: str = "SallyAnne"
    description: str = "A thing is moved; where somebody looks for it depends on what they saw."

    def made(self) -> TestExample:
        """Make one test."""
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
        story += [f"{seeker} leaves the {room}."] if away else []
        story += [f"{mover} moves the {thing} to the {after}."]
        story += [f"{seeker} comes back into the {room}."] if away else []
        story.insert(r.randrange(3, len(story) + 1), r.choice(_DULL).format(mover))
        told = ["I will tell you what I see on a stage, line by line. A question follows."]
        told += [f"(On stage) {line}" for line in story]
        question = (
            f"The stage is dark now. Where will {seeker} look for the {thing} first? Answer in "
            'JSON, with one word: {"answer": "word"}'
        )
        return self.example(told, [question], [before if away else after])


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
    """Which joke was told at a certain time; the question is written when it is asked."""

    name: str = "Jokes"
    description: str = "Jokes are told hours apart; the one of a certain time is asked for."
    jokes_told: int = 4

    def made(self) -> TestExample:
        """Make one test."""
        told = self.random.sample(_JOKES, self.jokes_told)
        example = TestExample(
            self,
            told,
            [self.random.choice(told)],
            is_question=[*(False for _ in told), True],
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
        told = statement_times[example.script.index(example.expected_responses[0])]
        return f"Which joke did I tell you {spoken(time_now - told)} ago? Say it word for word."


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
