"""What is suggested for mistakes in runs of memory tests; each suggestion is applied."""

import pytest
from curing import of_runs, tried
from looping import loops_over
from run_mistakes import MISTAKES


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    return list(of_runs(tmp_path_factory.mktemp("runs")))


@loops_over("number,mistake", enumerate(MISTAKES))
def test_a_mistake_in_a_run_has_its_suggestion(cases, number, mistake):
    case = cases[number]
    found = {finding.code: finding for finding in case.findings}
    assert mistake.code in found, [f.message for f in case.findings]
    assert found[mistake.code].helps[0] == mistake.help
    only = case._replace(findings=(found[mistake.code],))
    count = tried([only])[mistake.code]
    assert not count.failures, count.failures[0]
    assert (count.cured, count.advice) == ((1, 0) if mistake.cures else (0, 1))
