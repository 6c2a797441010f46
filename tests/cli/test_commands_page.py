"""The pages of commands have what the help has, and the details for which a screen has no room."""

import re

from parameters import EVERYTHING, PARAMETERS, flags_of

from scripts.pages import commands_page


def test_the_pages_have_each_command_and_each_option():
    pages = "\n".join(commands_page.commands_pages().values())
    sections = dict(part.split("`\n", 1) for part in re.split(r"\n##? `evalmark ", pages)[1:])
    assert sections.keys() == EVERYTHING.keys()
    for command, parameter in PARAMETERS:
        assert all(flag in sections[command] for flag in flags_of(parameter))
