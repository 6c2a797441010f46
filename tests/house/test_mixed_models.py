"""The Python on mixed models prints what the page shows."""

import contextlib
import io
import os
import re
import subprocess
import sysconfig
import warnings

import pytest
from conftest import FIXTURES, ROOT, needs_sh

pytest.importorskip("statsmodels")
pytest.importorskip("torch")
pytest.importorskip("pandas")
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?")
BLOCK = re.compile(
    r"^```(sh|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE
)


@pytest.mark.slow
@needs_sh
def test_the_page_shows_what_its_code_prints(here, monkeypatch):
    """Words are the same. Numbers depend a little on the machine."""
    monkeypatch.setenv("PATH", sysconfig.get_path("scripts"), prepend=os.pathsep)
    (here / "fixtures").symlink_to(FIXTURES)
    names = {}
    page = (ROOT / "docs/scoring.md").read_text(encoding="utf-8")
    page = page.partition("### Mixed models")[2].partition("\n### ")[0]
    for language, code, shown in BLOCK.findall(page):
        stream = io.StringIO()
        if language == "sh":
            subprocess.run(["bash", "-e", "-c", code], check=True)
        else:
            # Recorded: statsmodels has its own filter, which shows warnings that are ignored.
            with warnings.catch_warnings(record=True), contextlib.redirect_stdout(stream):
                warnings.simplefilter("always")
                exec(code, names)
        printed = stream.getvalue()
        assert NUMBER.sub("", printed).split() == NUMBER.sub("", shown).split()
        for one, other in zip(NUMBER.findall(printed), NUMBER.findall(shown), strict=True):
            assert float(one) == pytest.approx(float(other), rel=0.02, abs=0.003)
