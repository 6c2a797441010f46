"""The statements of the page of conformance have tests, and the scan reads what pytest sees."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT
from evalmark.validator.findings.finding import Severity
from evalmark.validator.rule_registry import RULES

from scripts.conformance import documents, holders, problems

TESTS = ROOT / "tests"


def test_every_statement_has_a_test_and_every_marker_a_statement():
    assert problems(documents(), holders()) == []


def test_there_are_four_documents_with_all_their_statements():
    counts = {page.letter: len(page.statements) for page in documents()}
    assert set(counts) == {"S", "L", "D", "R"}
    assert sum(counts.values()) >= 150
    assert min(counts.values()) >= 40


#: Errors of files that no schema finds, by the page of their format. Those of schemas (1…), of the
#: settings of a repository (5…) and of other programs (EE41…) are not the format's.
@pytest.mark.parametrize(("letter", "codes"), [("S", r"SG[234]"), ("R", r"EE[23]|F013")])
def test_every_error_that_a_schema_does_not_find_is_on_the_page(letter, codes):
    (page,) = (page for page in documents() if page.letter == letter)
    named = set(re.findall(r"[A-Z]+\d{3}", " ".join(s.says + s.differs for s in page.statements)))
    errors = {code for code, rule in RULES.items() if rule.severity is Severity.ERROR}
    assert {code for code in errors if re.match(codes, code)} <= named
    assert named <= RULES.keys()


def test_ids_are_consecutive_and_statements_are_short_sentences():
    for page in documents():
        numbers = [int(entry.id.partition("-")[2]) for entry in page.statements]
        assert numbers == sorted(numbers), page.title
        for entry in page.statements:
            for text in filter(None, (entry.says, entry.differs, entry.because)):
                assert text.endswith("."), entry.id
                assert len(text) <= 250, entry.id


def test_the_scan_finds_the_markers_that_pytest_sees(request):
    scanned: dict[tuple[str, str], set[str]] = {}
    for statement, tests in holders().items():
        for test in tests:
            scanned.setdefault((test.path, test.name), set()).add(statement)
    for item in request.session.items:
        place = (Path(item.path).relative_to(TESTS).as_posix(), item.originalname)
        seen = {word for marker in item.iter_markers("conforms") for word in marker.args}
        assert seen <= scanned.get(place, set()), item.nodeid


@pytest.mark.parametrize("path", sorted((TESTS / "conformance").glob("*.toml")), ids=str)
def test_files_of_statements_are_read_whole(path):
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    entries = sum(len(section) for section in data.values() if isinstance(section, dict))
    assert entries in {len(page.statements) for page in documents()}
