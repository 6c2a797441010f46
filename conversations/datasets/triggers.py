"""A phrase to say whenever something else is said."""

from __future__ import annotations

from dataclasses import dataclass

from evalmark.conversations.datasets.scripted import Scripted
from evalmark.conversations.interface.dataset_interface import TestExample

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
    description: str = "Whenever the user says a certain thing, a phrase is to be said."
    trigger_activations: int = 3

    def made(self) -> TestExample:
        """Make one test."""
        about, said, phrase = self.random.choice(_TRIGGERS)
        told = f"Whenever I tell you {about}, answer with exactly this: '{phrase}'"
        count = self.trigger_activations
        return self.example([told], [said] * count, [phrase] * count)
