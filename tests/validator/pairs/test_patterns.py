"""Pairs that are unlike the others of their paradigm, and conventions of a whole set."""

from __future__ import annotations

import pytest
from evalmark.validator.check import check_data
from evalmark.validator.formats.pairs.pair_patterns import ONE, ORDER, SEVERAL, difference


@pytest.mark.parametrize(
    ("good", "bad", "way"),
    [
        ("The cats sleep.", "The cats sleeps.", ONE),
        ("The cats sleep.", "The sleeping cats rest.", SEVERAL),
        ("Who did you see them and?", "Who did you and see them?", SEVERAL),
        ("does her boat play ?", "her boat does play ?", ORDER),
        ("A b c d.", "A x y d.", ONE),
        ("A b c d.", "A d.", ONE),
        ("李波发现一个大学", "李波发现一种大学", ONE),
    ],
)
def test_texts_differ_in_a_way(good, bad, way):
    assert difference(good, bad) == way


def rows(count, **labels):
    return [
        {"sentence_good": f"The {n} cats sleep here.", "sentence_bad": f"The {n} cats sleeps here.",
         **labels}
        for n in range(count)
    ]  # fmt: skip


TWICE = {
    "sentence_good": "The cats sleep right here..",
    "sentence_bad": "The cats sleeps right here.",
}


def found(data):
    return [(f.code, f.pointer) for f in check_data(data, path="p.json").findings]


@pytest.mark.parametrize(("count", "codes"), [(19, [("MP406", "/19")]), (18, [])])
def test_a_pair_unlike_the_others_is_reported_if_there_are_enough(count, codes):
    assert found([*rows(count), TWICE]) == codes


def test_a_paradigm_without_a_pattern_has_no_exceptions():
    assert found([*rows(19), TWICE, {**TWICE, "sentence_good": "A cat sleeps right here.."}]) == []
    other = {**TWICE, "UID": "other"}
    assert ("MP406", "/20") not in found([*rows(20), other]), "another paradigm"


def test_the_rows_of_another_uid_are_reported_in_a_file_of_one_paradigm():
    stray = {"sentence_good": "It rains.", "sentence_bad": "It rain.", "UID": "weather"}
    assert found([*rows(30, UID="agreement"), stray]) == [("MP403", "/30")]
    assert found([*rows(10, UID="agreement"), stray]) == []


def test_the_convention_of_a_set_is_one_finding():
    data = [{**row, "sentence_bad": row["sentence_bad"].rstrip(".")} for row in rows(40)]
    (finding,) = check_data(data).findings
    assert (finding.code, finding.pointer) == ("MP303", "/0/sentence_bad")
    assert finding.notes[-1] == "so it is in 40 of the 40 rows"
    few = check_data([*data[:10], *rows(30)[10:]]).findings
    assert len(few) == 10


@pytest.mark.parametrize(
    ("good", "bad", "same"),
    [
        ("Une \ufb01lle.", "Une fille.", True),
        ("\u30ab\u30ad.", "\uff76\uff77.", True),
        ("It rains.", "It  rains.", True),
        ("It rains.", "it rains.", False),
        ("\u00e9t\u00e9.", "ete.", False),
    ],
)
def test_texts_that_look_the_same(good, bad, same):
    codes = {code for code, _ in found([{"sentence_good": good, "sentence_bad": bad}])}
    assert ("MP208" in codes) == same
