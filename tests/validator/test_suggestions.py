"""Every suggestion is applied to the letter: its finding is then gone, and no other has come."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from curing import Count, of_bad_fixtures, of_mutants, of_runs, tried
from evalmark.validator.formats.ltm.ltm_rule_table import DEFINITION_RULES, LOG_RULES, RESULT_RULES

#: How many findings had a suggestion before suggestions were tested, by code, of the cases below.
BEFORE = json.loads(Path(__file__).with_name("suggestions_before.json").read_text("utf-8"))
#: EE228 wrote a placeholder, which EE255 now finds.
#: SG402 now reports, once, what SG401 did, and what SG203 did where every sentence has the region.
REPLACED = frozenset(("EE228", "SG401", "SG203"))
TIMES = 20
SOURCES = ("fixtures", "mutants", "runs")


MUTANTS = pytest.param("mutants", marks=pytest.mark.slow)


@pytest.fixture(scope="module")
def counts(tmp_path_factory) -> Callable[[str], dict[str, Count]]:
    cases = {
        "fixtures": lambda: of_bad_fixtures(tmp_path_factory.mktemp("bad")),
        "mutants": lambda: of_mutants(0, TIMES),
        "runs": lambda: of_runs(tmp_path_factory.mktemp("runs")),
    }
    return cache(lambda source: tried(cases[source]()))


@pytest.mark.parametrize("source", ["fixtures", "runs", MUTANTS])
def test_every_suggestion_cures(counts, source):
    failures = {code: c.failures for code, c in counts(source).items()}
    listed = [line for lines in failures.values() for line in lines[:3]]
    assert not listed, "\n".join([f"{sum(map(len, failures.values()))} do not cure", *listed])


@pytest.mark.parametrize("source", ["fixtures", MUTANTS])
def test_no_code_has_fewer_suggestions_than_before(counts, source):
    """As many, or as large a share where one finding has replaced several."""
    for code, (findings, suggested) in BEFORE[source].items():
        count = counts(source).get(code, Count())
        few = count.suggested < suggested and code not in REPLACED
        smaller = count.suggested * findings < suggested * count.findings
        assert not (few and smaller), f"{code}: {count}, before: {suggested} of {findings}"


@pytest.mark.slow
def test_every_rule_on_memory_tests_suggests_something(counts):
    """Each finding of each rule, in fixtures, in mutants and in runs with a mistake."""
    rules = {rule.code for rule in (*DEFINITION_RULES, *RESULT_RULES, *LOG_RULES.values())}
    missing = rules - counts("runs").keys() - {"LT301"}
    assert not missing, f"no run has a mistake of {missing}"
    silent = {
        (source, code)
        for source in SOURCES
        for code, count in counts(source).items()
        if code in rules and count.suggested < count.findings
    }
    assert not silent
