"""Clues that have to be combined."""

from __future__ import annotations

from dataclasses import dataclass

from evalmark.conversations.datasets.facts import NAMES
from evalmark.conversations.datasets.scripted import Scripted
from evalmark.conversations.interface.dataset_interface import TestExample

#: What to bring, when, where: a clue, and the words that show that it was understood.
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

    def made(self) -> TestExample:
        """Make one test."""
        chosen = [self.random.choice(clues) for clues in (_BRING, _WHEN, _WHERE)]
        order = self.random.sample(chosen, len(chosen))
        people = self.random.sample(NAMES, len(order))
        told = [f"Three people will leave a message for you: {', '.join(people)}."]
        told += [f"{person}: {clue}" for person, (clue, _) in zip(people, order, strict=True)]
        expected = [list(words) for _, words in chosen]
        return self.example(told, [self.question], expected)
