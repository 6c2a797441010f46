"""Loops over calls take those of registered commands: the room of some may be missing."""

from evalmark.cli.main import commands


def registered(*calls):
    """The calls whose first word is a command."""
    return [words for words in calls if words[0] in commands()]
