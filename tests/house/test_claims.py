"""Each ratio that a page claims has a line in ``python -m benchmarks.peers``."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT
from evalmark.validator.check import check_data

from benchmarks.peers import CLAIMS, LARGE, SMALL, record_of

#: "2.1 times as fast", "1.01 times that", "half the time", "20 % faster".
NUMBER = r"(?:[\d.,]+|two|three|four|five|ten|hundred)"
RATIO = re.compile(
    rf"{NUMBER} times (?:as|that|theirs|faster|slower)\b"
    r"|\b(?:half|thirds|quarters) (?:of )?the time\b|\S+ %? ?(?:faster|slower)\b|\btwice as\b"
)
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def words_of(path):
    """The text of a page, without its lines and the brackets of links."""
    return re.sub(r"[\s\[]+", " ", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_ratio_of_a_page_is_measured(path):
    page = path.relative_to(ROOT).as_posix()
    measured = [claim.words for claim in CLAIMS if claim.page == page]
    for ratio in RATIO.findall(words_of(path)):
        assert any(ratio in words for words in measured), f"benchmarks/peers.py has no {ratio!r}"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.measure.__name__)
def test_every_line_measures_what_a_page_says(claim):
    assert claim.words in words_of(ROOT / claim.page)


def test_generated_records_are_valid_and_of_their_size():
    for size in (SMALL, LARGE):
        record = record_of(size)
        assert not check_data(record, kind="record").findings
        assert 0.5 < len(str(record)) / size < 1.2
