"""Texts that each surface words in its own way: what a terminal says, by its name and values."""

from __future__ import annotations

from enum import StrEnum


class Phrase(str):
    """A text as a terminal says it, which a page says in other words."""

    # which text it is; its value is the wording of a terminal, with `{}` for the values
    name: Wordings
    values: tuple[object, ...]  # the values in it

    def __new__(cls, name: Wordings, *values: object) -> Phrase:
        """The text, and of what it is made."""
        phrase = super().__new__(cls, name.format(*values))
        phrase.name, phrase.values = name, values
        return phrase

    def __getnewargs__(self) -> tuple[object, ...]:  # type: ignore[override]
        """For copies, and for other processes."""
        return self.name, *self.values


class Wordings(StrEnum):
    """Names of texts, each with the wording of a terminal; a call makes the text of values."""

    def __call__(self, *values: object) -> Phrase:
        """The text with these values."""
        return Phrase(self, *values)
