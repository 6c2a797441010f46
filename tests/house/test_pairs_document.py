"""docs/minimal-pairs.md is followed to the letter, in a temporary folder for each section."""

from __future__ import annotations

import pytest
from conftest import ROOT, needs_sh
from document import follow

PAGE = (ROOT / "docs/minimal-pairs.md").read_text(encoding="utf-8")
#: Heading -> the text below it.
SECTIONS = {
    heading: text
    for section in PAGE.split("\n## ")[1:]
    for heading, _, text in [section.partition("\n")]
}


@needs_sh
@pytest.mark.parametrize("heading", ["Other columns", "Check"])
def test_a_section_does_what_it_shows(heading, tmp_path):
    section = SECTIONS[heading]
    assert follow(section, tmp_path) == section.count("```sh") + section.count("```python")
