"""The first pages of docs/start/ are followed to the letter: outputs are those on the page."""

from __future__ import annotations

import shutil

import pytest
from conftest import needs_sh

from scripts.start_pages import PAGES, follow

#: What a page needs beside the base: modules that can be imported.
NEEDS = {
    "suite": ("torch", "jinja2"),
    "leaderboard": ("duckdb", "jinja2"),
    "analysis": ("torch", "pandas", "duckdb"),
}
pytestmark = [
    pytest.mark.slow,
    needs_sh,
    pytest.mark.skipif(not shutil.which("git"), reason="needs git"),
]


@pytest.mark.parametrize("name", PAGES)
def test_the_page_shows_what_its_commands_print(name, tmp_path):
    for module in NEEDS.get(name, ()):
        pytest.importorskip(module)
    text = PAGES[name].read_text(encoding="utf-8")
    assert follow(text, tmp_path) == text
