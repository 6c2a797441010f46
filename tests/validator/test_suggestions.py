"""Every suggestion is applied to the letter: its finding is then gone, and no other has come."""

import json
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
CASES = {
    "fixtures": of_bad_fixtures,
    "mutants": lambda _: of_mutants(0, TIMES),
    "runs": of_runs,
}
SOURCES = ("fixtures", pytest.param("mutants", marks=pytest.mark.slow), "runs")
#: Rules on memory tests: each of their findings has a suggestion.
OF_MEMORY = {rule.code for rule in (*DEFINITION_RULES, *RESULT_RULES, *LOG_RULES.values())}


@pytest.mark.parametrize("source", SOURCES)
def test_every_suggestion_cures_and_no_code_has_fewer_than_before(source, tmp_path):
    counts = tried(CASES[source](tmp_path))
    failures = {code: count.failures for code, count in counts.items()}
    listed = [line for lines in failures.values() for line in lines[:3]]
    assert not listed, "\n".join([f"{sum(map(len, failures.values()))} do not cure", *listed])
    # As many, or as large a share where one finding has replaced several.
    for code, (findings, suggested) in BEFORE.get(source, {}).items():
        count = counts.get(code, Count())
        few = count.suggested < suggested and code not in REPLACED
        smaller = count.suggested * findings < suggested * count.findings
        assert not (few and smaller), f"{code}: {count}, before: {suggested} of {findings}"
    silent = {
        c for c, count in counts.items() if c in OF_MEMORY and count.suggested < count.findings
    }
    assert not silent
    if source == "runs":
        assert not OF_MEMORY - counts.keys() - {"LT301"}, "no run has a mistake of these rules"
