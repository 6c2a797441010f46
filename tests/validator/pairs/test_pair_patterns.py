"""Pairs that are unlike the others of their paradigm, and conventions of a whole set."""

import pytest
from evalmark.validator.check import check_data
from evalmark.validator.formats.pairs.rules import pair_patterns
from evalmark.validator.formats.pairs.rules.pair_patterns import ONE, ORDER, SEVERAL, difference
from found import places_of
from pairs import pair


@pytest.mark.parametrize(
    ("good", "bad", "way"),
    [
        ("The cats sleep.", "The cats sleeps.", ONE),
        ("The cats sleep.", "The sleeping cats rest.", SEVERAL),
        ("Who did you see them and?", "Who did you and see them?", ORDER),
        ("It rains right here..", "It rain right here.", SEVERAL),
        ("does her boat play ?", "her boat does play ?", ORDER),
        ("A b c d.", "A x y d.", ONE),
        ("A b c d.", "A d.", ONE),
        ("李波发现一个大学", "李波发现一种大学", ONE),
    ],
)
def test_texts_differ_in_a_way(good, bad, way):
    assert difference(good, bad)[0] == way


def rows(count, **labels):
    return [
        pair(f"The {n} cats sleep here.", f"The {n} cats sleeps here.", **labels)
        for n in range(count)
    ]  # fmt: skip


TWICE = pair("The cats sleep right here..", "The cats sleeps right here.")


@pytest.mark.parametrize(("count", "codes"), [(19, [("MP406", "/19")]), (18, [])])
def test_a_pair_unlike_the_others_is_reported_if_there_are_enough(count, codes):
    assert places_of([*rows(count), TWICE]) == codes


def test_a_paradigm_without_a_pattern_has_no_exceptions():
    assert (
        places_of([*rows(19), TWICE, {**TWICE, "sentence_good": "A cat sleeps right here.."}]) == []
    )
    other = {**TWICE, "UID": "other"}
    assert ("MP406", "/20") not in places_of([*rows(20), other]), "another paradigm"


def licensed(count, **labels):
    """A paradigm in which "ever" is wrong."""
    return [
        pair(f"The {n} cats have often slept.", f"The {n} cats have ever slept.", **labels)
        for n in range(count)
    ]  # fmt: skip


def swapped(row):
    return {**row, "sentence_good": row["sentence_bad"], "sentence_bad": row["sentence_good"]}


def test_swapped_texts_are_seen_by_a_word_that_is_always_wrong():
    (finding,) = check_data([*licensed(30), swapped(licensed(40)[35])]).findings
    assert (finding.code, finding.pointer) == ("MP407", "/30")
    assert finding.message == (
        '"often" is in the bad text, but in 30 pairs in the good one; '
        '"ever" is in the good text, but in 30 pairs in the bad one'
    )


def test_a_word_that_is_on_both_sides_says_nothing():
    agreement = [row if n % 2 else swapped(row) for n, row in enumerate(licensed(60))]
    assert places_of(agreement) == []
    other = pair("Cats have ever slept.", "Cats have never slept.")
    assert places_of([*licensed(30), *rows(30), other]) == [], (
        "half of the pairs, and one word only"
    )


def test_rare_words_are_forgotten_and_swapped_texts_still_seen(monkeypatch):
    monkeypatch.setattr(pair_patterns, "MAX_WORDS", 0)
    patterns = pair_patterns.Patterns(limit=4)
    for n in range(300):
        patterns.add("", f"The cat {n} often slept.", f"The cat x{n} ever slept.", n)
    patterns.add("", "It has ever slept.", "It has often slept.", 300)
    assert len(patterns.words.seen) < 110
    assert [(rule, n) for rule, n, _ in patterns.exceptions()] == [("swapped-texts", 300)]


def test_the_pairs_of_a_uid_have_one_field():
    labels = {"UID": "agreement", "field": "syntax_semantics", "linguistics_term": "s_v"}
    data = [*rows(30, **labels), *rows(33, **{**labels, "field": "syntax/semantics"})[30:32]]
    assert not check_data(data).findings, "two spellings of one field"
    (finding,) = check_data([*data, {**rows(40, **labels)[39], "field": "syntax"}]).findings
    assert (finding.code, finding.pointer) == ("MP408", "/32")
    assert finding.message == (
        'field "syntax" instead of "syntax/semantics", unlike 32 of 33 pairs of "agreement"'
    )
    few = [*rows(10, **labels), {**rows(11, **labels)[10], "field": "syntax"}]
    assert not check_data(few).findings


@pytest.mark.parametrize(
    ("good", "bad", "reported"),
    [
        ("the cats sleep.", "The cats sleeps.", True),
        ("Él duerme.", "él duermen.", True),
        ("The cats sleep.", "They sleeps.", False),
        ("iPods sleep.", "IPods sleeps.", True),
        ("Judy sleeps.", "her sleeps.", False),
    ],
)
def test_both_texts_begin_with_a_capital_or_neither(good, bad, reported):
    codes = [code for code, _ in places_of([pair(good, bad)])]
    assert codes == ["MP305"] * reported


def test_the_rows_of_another_uid_are_reported_in_a_file_of_one_paradigm():
    stray = pair("It rains.", "It rain.", UID="weather")
    assert places_of([*rows(30, UID="agreement"), stray]) == [("MP403", "/30")]
    assert places_of([*rows(10, UID="agreement"), stray]) == []
    (finding,) = check_data([*rows(30, UID="agreement"), stray]).findings
    assert finding.code == "MP403", "data without a file"


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
    codes = {code for code, _ in places_of([pair(good, bad)])}
    assert ("MP208" in codes) == same


def test_parts_of_a_file_are_judged_together():
    """A large file is checked in parts; lines are counted from the beginning of each."""
    whole, first, second = (pair_patterns.Patterns() for _ in range(3))
    data = [*licensed(30), swapped(licensed(40)[35]), TWICE]
    for number, row in enumerate(data, 1):
        part, line = (first, number) if number <= 12 else (second, number - 12)
        for patterns, place in ((whole, number), (part, line)):
            patterns.add("", row["sentence_good"], row["sentence_bad"], place)
            patterns.labels.add(("u", "syntax" if number < 32 else "morphology", "", ""), place)
    first.take(second, 12)
    places_of = [(rule, number) for rule, number, _ in first.exceptions()]
    assert places_of == [(rule, number) for rule, number, _ in whole.exceptions()]
    assert ("swapped-texts", 31) in places_of
    assert ("labels-of-uid", 32) in places_of
