"""docs/published-leaderboard.md is followed to the letter, where the results are at hand."""

from __future__ import annotations

import re
import shutil

import pytest
from conftest import ROOT, needs_sh
from document import follow

PAGE = (ROOT / "docs/published-leaderboard.md").read_text(encoding="utf-8")
#: The averages that the paper's authors published, by the id of the model here.
PUBLISHED = {
    "openai-community/gpt2": ".7842",
    "openai-community/gpt2-xl": ".8424",
    "transfo-xl/transfo-xl-wt103": ".5957",
    "facebookresearch/grnn": ".5514",
    "google/jrnn": ".5627",
}


@pytest.mark.slow
@needs_sh
def test_the_published_leaderboard_is_made_as_the_page_says(shared, tmp_path):
    pytest.importorskip("duckdb")
    shutil.copytree(shared / "data/syntaxgym-results", tmp_path / "results")
    assert follow(PAGE, tmp_path) == PAGE.count("```sh")


def test_the_page_shows_the_published_averages():
    for model, average in PUBLISHED.items():
        assert re.search(rf"^{model} +0{re.escape(average)}$", PAGE, re.MULTILINE), model
