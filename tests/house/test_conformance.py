"""The statements of the page of conformance have tests, and the scan reads what pytest sees."""

import re

import pytest
from conftest import ROOT
from evalmark.validator.findings.finding import Severity
from evalmark.validator.formats.rule_registry import RULES

from scripts.pages.conformance import documents, holders, problems

TESTS = ROOT / "tests"


def test_every_statement_has_a_test_and_every_marker_a_statement():
    assert problems(documents(), holders()) == []


#: Errors of files that no schema finds, by the page of their format. Those of schemas (1…), of the
#: settings of a repository (5…) and of other programs (EE41…) are not the format's.
@pytest.mark.parametrize(("letter", "codes"), [("S", r"SG[234]"), ("R", r"EE[23]|F013")])
def test_every_error_that_a_schema_does_not_find_is_on_the_page(letter, codes):
    (page,) = (page for page in documents() if page.letter == letter)
    named = set(re.findall(r"[A-Z]+\d{3}", " ".join(s.says + s.differs for s in page.statements)))
    errors = {code for code, rule in RULES.items() if rule.severity is Severity.ERROR}
    assert {code for code in errors if re.match(codes, code)} <= named
    assert named <= RULES.keys()
