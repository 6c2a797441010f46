"""The stand-in models of the page on minimal pairs have the ties that are planted."""

from __future__ import annotations

import pytest

from scripts import ties


def test_the_right_text_is_better_exactly_where_it_is_shorter():
    rows = list(ties.shorter_or_longer())
    shorter = sum(
        len(row["sentence_good"].split()) < len(row["sentence_bad"].split()) for row in rows
    )
    found = ties.outcome(ties.Case("", ties.no_preference, ties.shorter_or_longer))
    assert found == ties.Outcome(0.0, shorter / len(rows), shorter / len(rows))


@pytest.mark.parametrize("case", [case for case in ties.CASES if case.logit is ties.no_preference])
def test_a_model_without_preference_is_never_right_among_ties(case):
    found = ties.outcome(case)
    if found.ties:
        assert found == ties.Outcome(1.0, 1.0, 0.0)


@pytest.mark.parametrize("case", ties.CASES)
def test_the_first_index_gains_exactly_the_ties(case):
    found = ties.outcome(case)
    assert found.first_index == pytest.approx(found.evalmark + found.ties)


@pytest.mark.parametrize(
    ("value", "rounded"),
    [(1.0, 1.0), (40.1, 40.0), (40.2, 40.25), (-40.125, -40.0), (1 + 2**-8, 1.0), (0.0, 0.0)],
)
def test_bfloat16_has_eight_bits(value, rounded):
    assert ties.bfloat16(value) == rounded
