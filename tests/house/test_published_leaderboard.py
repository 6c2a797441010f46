"""docs/published-leaderboard.md is followed to the letter, where the results are at hand."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from itertools import pairwise

import pytest
from conftest import ROOT, needs_sh
from document import Block, blocks, is_shown

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
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONUTF8": "1"}
    for block, after in pairwise([*blocks(PAGE), Block("", "", "")]):
        if block.language == "json":
            (tmp_path / "mapping.json").write_text(block.content, encoding="utf-8")
        if block.language != "sh":
            continue
        done = subprocess.run(
            ["bash", "-e", "-c", block.content],
            cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            check=False,
        )  # fmt: skip
        output = done.stdout.decode()
        assert done.returncode == 0, output
        is_shown(re.sub(" +", " ", after.content), re.sub(" +", " ", output))


def test_the_page_shows_the_published_averages():
    for model, average in PUBLISHED.items():
        assert re.search(rf"^{model} +0{re.escape(average)}$", PAGE, re.MULTILINE), model


def test_the_page_has_no_rows():
    assert not re.search(r",(True|False)\b", PAGE)
