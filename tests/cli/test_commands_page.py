"""The page of commands has what the help has, and the details for which a screen has no room."""

from __future__ import annotations

from parameters import EVERYTHING, PARAMETERS, flags_of

from scripts import commands_page


def test_the_page_has_each_command_and_each_option():
    page = commands_page.commands_page()
    sections = dict(part.split("`\n", 1) for part in page.split("\n## `evalmark ")[1:])
    assert sections.keys() == EVERYTHING.keys()
    for command, parameter in PARAMETERS:
        assert all(flag in sections[command] for flag in flags_of(parameter))
