"""Knowledge of a format that an editor shows while a file of it is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from evalmark.validator.findings.finding import At


class Mention(NamedTuple):
    """A place that has the name of something."""

    kind: str  # the kind of thing, in words: two things of one kind have two names
    name: str  # the name
    at: At  # the place
    is_definition: bool = False  # whether the thing is defined there


class Insertion(NamedTuple):
    """A text that may be written inside of a string, or a whole value."""

    text: str  # the text
    detail: str = ""  # a few words about it
    #: How many characters before the cursor it replaces; None for the whole value.
    typed: int | None = 0


@dataclass(frozen=True)
class Editing:
    """Help with a file of a format, whose data may be incomplete; by itself, none."""

    def mentions(self) -> Iterator[Mention]:
        """All places that have the name of something."""
        return iter(())

    def can_be_called(self, kind: str, name: str) -> str:
        """The reason that nothing of this kind can be called so; empty if it can."""
        del kind, name
        return ""

    def hover(self, pointer: str, offset: int) -> str:
        """Markdown about a character of the string at a pointer; empty if there is none."""
        del pointer, offset
        return ""

    def choices(self, pointer: str, before: str) -> Iterator[Insertion]:
        """Texts for a value; ``before`` is the part of the string before the cursor."""
        del pointer, before
        return iter(())

    def sentences(self) -> Iterator[tuple[str, str]]:
        """Pointers of values, and a line that an editor shows above each."""
        return iter(())

    def commands(self) -> Iterator[tuple[str, str]]:
        """Subcommands of ``evalmark`` that use such a file, and what they do in words."""
        return iter(())
