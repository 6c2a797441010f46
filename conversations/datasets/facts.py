"""Facts that change: colours, names, values of keys."""

from __future__ import annotations

from dataclasses import dataclass

from evalmark.conversations.datasets.scripted import Scripted
from evalmark.conversations.interface.dataset_interface import TestExample

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

    def made(self) -> TestExample:
        """Make one test."""
        colours = self.random.sample(COLOURS, self.colour_changes)
        told = self.told(_COLOUR_TOLD, colours)
        return self.example(told, [self.question], [colours[-1]])


@dataclass
class Names(Scripted):
    """A name that changes; the last one counts."""

    name: str = "Names"
    description: str = "A name is told several times; the last one is asked for."
    question: str = "What is my name?"
    name_changes: int = 3

    def made(self) -> TestExample:
        """Make one test."""
        names = self.random.sample(NAMES, self.name_changes)
        told = self.told(_NAME_TOLD, names)
        return self.example(told, [self.question], [names[-1]])


@dataclass
class NameList(Scripted):
    """Several names; all of them are asked for."""

    name: str = "NameList"
    description: str = "Several names are told, one after another; all of them are asked for."
    question: str = "Which names have I told you, all of them? Answer with a JSON list of texts."
    name_changes: int = 5

    def made(self) -> TestExample:
        """Make one test."""
        names = self.random.sample(NAMES, self.name_changes)
        told = self.told(_NAME_TOLD, names)
        return self.example(told, [self.question], names)


@dataclass
class KeyValue(Scripted):
    """Values of keys; one of them is asked for."""

    name: str = "KV"
    description: str = "Keys and their values are told; the value of one key is asked for."
    kv_pairs: int = 10

    def made(self) -> TestExample:
        """Make one test."""
        pairs = [
            (f"{self.random.getrandbits(32):08x}", f"{self.random.getrandbits(64):016x}")
            for _ in range(self.kv_pairs)
        ]
        told = [f"The key {key} has the value {value}." for key, value in pairs]
        key, value = self.random.choice(pairs)
        return self.example(told, [f"Which value has the key {key}?"], [value])
