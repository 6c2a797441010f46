"""A bug in evalmark is a finding of the file it concerns; the other files are checked."""

from __future__ import annotations

import re
import shutil

import pytest
from conftest import FIXTURES
from evalmark.converters import convert_files as convert_file
from evalmark.validator.check import check_file, check_text
from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule
from evalmark.validator.formats.suites import suite_rule_table

SUITE = FIXTURES / "good/suite.json"


@pytest.fixture
def break_rules(monkeypatch):
    """``break_rules(error)``: a rule of suites that raises it."""

    def broken_by(error):
        def check(view):
            raise error

        rule = Rule("SG999", "broken", Severity.ERROR, "A rule with a bug.", check)
        monkeypatch.setattr(suite_rule_table, "SUITE_RULES", (rule,))

    return broken_by


@pytest.mark.parametrize(
    "error", [KeyError("x"), AssertionError(), MemoryError(), RecursionError()]
)
def test_a_bug_is_a_finding_with_its_place(break_rules, error):
    break_rules(error)
    (finding,) = check_file(SUITE).findings
    assert (finding.code, finding.name) == ("F099", "internal-error")
    place = r"evalmark\.validator\.[a-z_.]+:[0-9]+"
    assert re.fullmatch(f"internal error: {type(error).__name__} in {place}", finding.message)
    assert "please report" in finding.helps[0]
    assert [f.code for f in check_text(SUITE.read_text()).findings] == ["F099"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interruption_is_no_finding(break_rules, stop):
    break_rules(stop())
    with pytest.raises(stop):
        check_file(SUITE)


@pytest.mark.parametrize("program", ["evalmark check", "evalmark-hook"])
def test_other_files_are_checked(break_rules, run, program):
    other = FIXTURES / "bad/F001_comment.json"
    break_rules(ValueError("x"))
    outcome = run(*program.split(), SUITE, other)
    assert outcome.code == 2
    assert f"{SUITE}:1:1: error[F099] internal error: ValueError in evalmark." in outcome.out
    assert f"{other}:" in outcome.out


def test_other_files_are_converted(monkeypatch, run, tmp_path):
    for name in ("a.json", "b.json"):
        shutil.copy(FIXTURES / "legacy/brackets.old.json", tmp_path / name)
    real = convert_file.convert_parsed

    def broken(parsed, **how):
        if parsed.path.endswith("a.json"):
            raise KeyError(parsed.path)
        return real(parsed, **how)

    monkeypatch.setattr(convert_file, "convert_parsed", broken)
    outcome = run("evalmark", "convert", "--in-place", tmp_path)
    assert outcome.code == 2
    assert (
        "a.json: F099 internal error: KeyError in evalmark.converters.convert_files:" in outcome.err
    )
    assert "please report" in outcome.err
    assert "b.json: suite-brackets" in outcome.err
