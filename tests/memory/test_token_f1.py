"""F1 of LoCoMo: the numbers of its program, and what must hold of all texts."""

import pytest
from evalmark.memory.sets.token_f1 import (
    exact_match,
    first_f1,
    list_f1,
    plain_words,
    refuses,
    stem_of,
    word_f1,
)
from hypothesis import given
from hypothesis import strategies as st
from looping import loops_over

#: What NLTK's PorterStemmer (3.9) makes of words.
STEMS = """
caresses:caress ponies:poni ties:tie cats:cat feed:feed agreed:agre plastered:plaster bled:bled
motoring:motor sing:sing conflated:conflat troubled:troubl sized:size hopping:hop tanned:tan
falling:fall hissing:hiss fizzed:fizz failing:fail filing:file happy:happi sky:sky say:say
enjoy:enjoy relational:relat conditional:condit rational:ration valenci:valenc digitizer:digit
conformabli:conform radically:radic differentli:differ vileli:vile analogousli:analog
vietnamization:vietnam predication:predic operator:oper feudalism:feudal decisiveness:decis
hopefulness:hope callousness:callous formaliti:formal sensitiviti:sensit sensibiliti:sensibl
hopefulli:hope apologi:apolog triplicate:triplic formative:form formalize:formal
electriciti:electr electrical:electr hopeful:hope goodness:good revival:reviv allowance:allow
inference:infer airliner:airlin adjustable:adjust defensible:defens irritant:irrit
replacement:replac adjustment:adjust dependent:depend adoption:adopt communism:commun
activate:activ angulariti:angular homologous:homolog effective:effect bowdlerize:bowdler
probate:probat rate:rate cease:ceas controll:control roll:roll dying:die news:news skies:sky
ied:i tied:tie spied:spi as:as at:at y:y by:by
"""
#: Category, reply, answer, and what LoCoMo's program gives.
SCORES = [
    (1, "tractors, a boat", "a tractor, a boat", 1),
    (1, "the boat", "a tractor, a boat", 0.5),
    (1, "sold the tractor and bought boats", "a tractor, a boat", 0.4),
    (1, "", "a, b", 0),
    (2, "On 11 March, 2024!", "11 March 2024", 6 / 7),
    (2, "March", "11 March 2024", 0.5),
    (2, "1,000 loaves", "1000 loaf", 0.5),
    (3, "Likely no", "Likely no; she does not like early mornings", 1),
    (3, "because mornings", "Likely no; because mornings", 0),
    (4, "He is swimming happily", "swims happy", 1 / 3),
    (4, "the and a", "an", 0),
    (4, "Skies are dying", "sky die", 0.8),
    (4, "C. S. Lewis's books", "C.S. Lewis book", 2 / 7),
    (4, "well-being", "well being", 0),
    (5, "That was Not Mentioned in the conversation.", "", 1),
    (5, "No information available", "", 1),
    (5, "I do not know", "", 0),
]
RULES = {1: list_f1, 2: word_f1, 3: first_f1, 4: word_f1, 5: lambda reply, _: refuses(reply)}
TEXTS = st.text(alphabet="abin gsed,.;-'19\n", max_size=40)


@loops_over("pair", STEMS.split())
def test_stems_are_those_of_nltk(pair):
    word, stem = pair.split(":")
    assert stem_of(word) == stem_of(word.upper()) == stem


@pytest.mark.parametrize(("category", "reply", "answer", "score"), SCORES)
def test_scores_are_those_of_the_program(category, reply, answer, score):
    assert RULES[category](reply, answer) == pytest.approx(score, abs=1e-12)


@given(TEXTS, TEXTS)
def test_f1_is_a_share_and_symmetric(one, other):
    assert 0 <= word_f1(one, other) <= 1
    assert word_f1(one, other) == pytest.approx(word_f1(other, one))
    assert word_f1(one, one) == float(bool(plain_words(one)))
    assert 0 <= list_f1(one, other) <= 1
    assert exact_match(one, other) <= word_f1(one, other) or not plain_words(one)
