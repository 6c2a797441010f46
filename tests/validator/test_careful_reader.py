"""What a careful reader of a suite would not call worth a look is not reported."""

from __future__ import annotations

import pytest
from evalmark.validator.check import check_data

NOUNS = [
    "man",
    "woman",
    "boy",
    "girl",
    "king",
    "queen",
    "dog",
    "nurse",
    "cook",
    "poet",
    "judge",
    "thief",
    "clerk",
    "actor",
    "guard",
]


def suite(*rows, conditions=("good", "bad"), first=1):
    """A suite: a row is the texts of the two sentences of an item, split at ``|``."""
    return {
        "meta": {"name": "agreement", "metric": "sum"},
        "region_meta": {"1": "Subject", "2": "Verb", "3": "Rest"},
        "predictions": [{"type": "formula", "formula": "(2;%bad%) > (2;%good%)"}],
        "items": [
            {
                "item_number": first + k,
                "conditions": [
                    {
                        "condition_name": name,
                        "regions": [
                            {"region_number": n, "content": text}
                            for n, text in enumerate(sentence.split("|"), 1)
                        ],
                    }
                    for name, sentence in zip(conditions, row, strict=True)
                ],
            }
            for k, row in enumerate(rows)
        ],
    }


def usual(subject="The {}", rest="it."):
    return [
        (f"{subject.format(noun)}|sees|{rest}", f"{subject.format(noun)}|see|{rest}")
        for noun in NOUNS
    ]


def codes(*rows, first=1):
    return [finding.code for finding in check_data(suite(*rows, first=first)).findings]


def both(subject, rest):
    """An item whose sentences differ in the verb only."""
    return (f"{subject}|sees|{rest}", f"{subject}|see|{rest}")


LEGITIMATE = {
    "a unit with a Greek letter": both("The kΩ meter", "it."),
    "a quantity with a Greek letter": both("The value Δx", "it."),
    "a number sign": both("#1 in the list", "it."),
    "a power": both("The value 2**3", "it."),
    "sic": both("The man [sic]", "it."),
    "the past perfect of have": both("The man who had had lunch", "it."),
    "a conjunction and a determiner": both("The claim that that man left", "it."),
    "a French reflexive": both("The song Nous nous levons", "it."),
    "a name that begins with a small letter": both("iPhone owner Ann", "it."),
    "an ellipsis": both("The man", "it…"),
    "an ellipsis of three stops": both("The man", "it..."),
    "guillemets around the stop": both("The man", "«it.»"),
    "German quotes around the stop": both("The man", "„it.“"),
    "Japanese quotes around the stop": both("The man", "「it。」"),
    "a danda": both("The man", "it।"),
    "an abbreviation": both("The man", "the U.S."),
    "French spacing": both("The man", "it ?"),
}


@pytest.mark.parametrize("name", LEGITIMATE)
def test_one_legitimate_sentence_among_others_is_not_reported(name):
    assert codes(*usual(), LEGITIMATE[name]) == []


def test_a_name_keeps_its_capital_in_a_suite_without_capitals():
    rows = usual(subject="the {}", rest="it")
    assert codes(*rows, both("Maria", "it")) == []
    assert codes(*rows, both("The nun", "it")) == ["SG316", "SG316"]


@pytest.mark.parametrize("ending", ["the U.S.", "Acme Inc.", "it..."])
def test_an_abbreviation_is_no_stop_in_a_suite_without_stops(ending):
    rows = usual(rest="it")
    assert codes(*rows, both("The nun", ending)) == []
    assert codes(*rows, both("The nun", "it.")) == ["SG317", "SG317"]


@pytest.mark.parametrize("first", [0, 101])
def test_items_may_be_numbered_from_another_number_without_a_gap(first):
    assert codes(*usual(), first=first) == []


def test_numbers_from_two_lack_the_first_item():
    assert codes(*usual(), first=2) == ["SG434"]


def test_a_space_before_one_question_mark_of_several_is_reported():
    rows = (*usual(), both("The nun", "it ?"), both("The monk", "it?"))
    assert codes(*rows) == ["SG314", "SG314"]


def test_all_quotes_of_a_parser_are_replaced_at_once():
    (first, _) = check_data(suite(*usual(), both("The ``big'' man", "it."))).findings
    assert first.helps == ('write "The \\"big\\" man"',)


@pytest.mark.parametrize("text", ["The kеys", "The σίγoυρα"])
def test_letters_that_look_like_those_of_another_script_are_reported(text):
    assert codes(*usual(), both(text, "it.")) == ["SG308", "SG308"]


def test_a_design_that_varies_on_purpose_is_silent():
    """Two women among the heads: "herself" is right there, and the fix would be wrong."""

    def rows(women):
        for noun in NOUNS:
            good, bad = ("herself", "himself") if noun in women else ("himself", "herself")
            yield f"The {noun}|{good}|it.", f"The {noun}|{bad}|it."

    assert codes(*rows({"queen", "girl"})) == []
    (finding,) = check_data(suite(*rows({"queen"}))).findings  # it may be an accident
    assert (finding.code, finding.fix, finding.helps) == ("SG431", None, ())
