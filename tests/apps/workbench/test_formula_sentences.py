"""Names of regions and sentences, typed where a formula belongs."""

import pytest
from evalmark.workbench.formula_hints import look_at

CONDITIONS = ["match", "mismatch"]
NAMES = {"1": "Subject", "2": "Verb", "3": "Noun phrase"}


def correction(text):
    return look_at(text, CONDITIONS, 3, NAMES)["error"]["correction"]


@pytest.mark.parametrize("text", [
    "(Verb;%match%) < (Verb;%mismatch%)",
    "(verb ;%match%)<( 2 ;%mismatch%)",
    "verb in match is less surprising than verb in mismatch",
    "The verb of match is less surprising than the verb of mismatch.",
    "region 2 of match is less surprising than Region 2 (Verb) of mismatch",
])  # fmt: skip
def test_a_name_is_understood_where_a_number_is_meant(text):
    assert correction(text).replace(" ", "") == "(2;%match%)<(2;%mismatch%)"


def test_the_words_under_a_formula_can_be_typed_back():
    formula = "((3;%match%) < (3;%mismatch%)) & ((*;%match%) > (1;%mismatch%))"
    words = look_at(formula, CONDITIONS, 3, NAMES)["words"]
    assert correction(words) == formula


@pytest.mark.parametrize("text", [
    "adverb in match is less surprising than verb in mismatch",
    "verb in match is less surprising than verb in other",
    "(Adverb;%match%) < (2;%mismatch%)",
    "verb in match is less surprising",
])  # fmt: skip
def test_what_is_not_understood_is_not_guessed(text):
    assert "write" not in look_at(text, CONDITIONS, 3, NAMES)["error"]["suggestion"]
