"""The statements of the page of conformance have tests, and the scan reads what pytest sees."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT
from evalmark.validator.findings.finding import Severity
from evalmark.validator.rule_registry import RULES

from scripts.conformance import Document, Holder, Statement, documents, holders, markers, problems

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


SOURCE = """
import pytest
from pytest import param
conforms = pytest.mark.conforms
ROWS = [param(1, marks=conforms("X-3")), param(2, marks=[conforms("X-4")])]
MORE = [*ROWS, param(3, marks=pytest.mark.conforms("X-5"))]
UNUSED = [param(1, marks=conforms("X-9"))]

@pytest.mark.conforms("X-1", "X-2")
def test_one(): ...

@pytest.mark.parametrize("row", MORE)
def test_rows(row): ...

@conforms("X-6")
@pytest.mark.parametrize("row", [param(1, marks=conforms("X-7"))])
def test_of_files_from_elsewhere(row, shared): ...

@conforms("X-8")
def no_test(): ...
"""


def test_markers_of_functions_and_of_parameters_are_found():
    found = sorted(markers(SOURCE))
    assert found == [
        ("X-1", "test_one", False),
        ("X-2", "test_one", False),
        ("X-3", "test_rows", False),
        ("X-4", "test_rows", False),
        ("X-5", "test_rows", False),
        ("X-6", "test_of_files_from_elsewhere", True),
        ("X-7", "test_of_files_from_elsewhere", True),
    ]


HELD = {"X-1": [Holder("test_x.py", "test_one")]}


@pytest.mark.parametrize(
    ("statement", "held", "problem"),
    [
        (Statement("X-1", "s", "A."), HELD, None),
        (Statement("X-1", "s", "A.", "B.", "c."), HELD, None),
        (Statement("X-1", "s", "A."), {}, "X-1 has no test"),
        (Statement("X-1", "s", "A.", "B."), HELD, "X-1 has a difference without a reason"),
        (Statement("X-1", "s", "A."), {**HELD, "X-7": HELD["X-1"]}, "marked with X-7"),
        (Statement("X-1", "s", "A."), {"X-1": [Holder("t.py", "t", True)]}, "files from elsewhere"),
        (Statement("Y-1", "s", "A."), {"Y-1": HELD["X-1"]}, "Y-1 is not an id of"),
    ],
)
def test_what_is_wrong_is_named(statement, held, problem):
    found = problems([Document("x", "X", "About x.", (statement,))], held)
    assert [problem in line for line in found] == ([True] if problem else [])


def test_an_id_appears_once():
    twice = tuple(Statement("X-1", section, "A.") for section in "st")
    assert problems([Document("x", "X", "", twice)], HELD) == ["X-1 appears twice"]


@pytest.mark.parametrize("path", sorted((TESTS / "conformance").glob("*.toml")), ids=str)
def test_files_of_statements_are_read_whole(path):
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    entries = sum(len(section) for section in data.values() if isinstance(section, dict))
    assert entries in {len(page.statements) for page in documents()}
