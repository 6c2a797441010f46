"""What a careful reader of a suite would not call worth a look is not reported."""

import pytest
from evalmark.validator.check import check_data
from found import codes_of
from suites import contrast

NOUNS = [
    "man", "woman", "boy", "girl", "king", "queen", "dog", "nurse", "cook", "poet", "judge",
    "thief", "clerk", "actor", "guard",
]  # fmt: skip


def suite(*rows, first=1):
    return contrast(rows, ("Subject", "Verb", "Rest"), first=first)


def usual(subject="The {}", rest="it."):
    return [
        (f"{subject.format(noun)}|sees|{rest}", f"{subject.format(noun)}|see|{rest}")
        for noun in NOUNS
    ]


def codes(*rows, first=1):
    return codes_of(suite(*rows, first=first))


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
    "what a transcript notes": both("The man [laughs]", "it."),
    "a hashtag": both("#MeToo", "it."),
    "a set of one": both("The set {x}", "it."),
    "a set of several": both("The set {a, b}", "it."),
    "an intensifier": both("The very very old man", "it."),
    "a unit": both("µg", "it."),
}


@pytest.mark.parametrize("name", LEGITIMATE)
def test_one_legitimate_sentence_among_others_is_not_reported(name):
    assert codes(*usual(), LEGITIMATE[name]) == []


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (("The nun|sees|nan", "The nun|see|it."), "SG312"),  # one condition only
        (("The nun|sees|NaN", "The nun|see|NaN"), "SG312"),  # not a word
        (both("The [old] nun", "it."), "SG311"),
        (both("#The nun", "it."), "SG309"),
        (both("# the nun", "it."), "SG309"),
        (both("The {noun}", "it."), "SG313"),
        (both("The {0}", "it."), "SG313"),
        (both("The old old nun", "it."), "SG315"),
    ],
)
def test_what_only_looks_similar_is_reported(row, code):
    assert set(codes(*usual(), row)) == {code}


@pytest.mark.parametrize("word", ["nan", "null"])
def test_a_word_of_one_item_in_all_its_conditions_is_no_empty_cell(word):
    assert codes(*usual(rest="it"), both("The nun", word)) == []


def test_a_word_of_other_texts_is_no_empty_cell():
    rows = [both("The man", "nan"), both("The boy", "nan"), both("The cook", "fresh nan")]
    assert "SG312" not in codes(*usual(rest="it"), *rows)
    assert "SG312" in codes(*usual(rest="it"), *rows[:2])


TURKISH = [both(f"{noun} eve", "geldi.") for noun in ("Ali", "Ayşe", "Can", "Işıl", "Ece", "Nur")]
TURKISH += [both(f"{noun} okula", "gitti.") for noun in ("İpek", "Oya", "Suna", "Tan", "Umut")]
HINDI = [
    both(f"{noun} घर", "गया।")
    for noun in ("राम", "मोहन", "सोहन", "गीता", "सीता", "राधा", "मीरा", "रवि", "अमित")
]


@pytest.mark.parametrize(
    "rows",
    [
        (*TURKISH, both("Efe yavaş yavaş", "geldi.")),
        (*HINDI, both("अनु धीरे धीरे", "गया।")),
        (*TURKISH, both("Orang orang", "pergi.")),
    ],
)
def test_a_language_without_articles_may_double_words(rows):
    assert "SG315" not in codes(*rows)


def test_a_word_that_another_condition_has_once_is_doubled_in_any_language():
    assert "SG315" in codes(*TURKISH, ("Efe yavaş yavaş|sees|geldi.", "Efe yavaş|see|geldi."))
    assert "SG315" in codes(*TURKISH, both("Efe eve eve", "geldi."))  # many items have it


def test_the_small_letter_of_a_turkish_name_is_that_of_the_language():
    rows = [(a.lower().replace("i̇", "i"), b.lower().replace("i̇", "i")) for a, b in TURKISH]
    rows += [both("bugün iki", "ışık")]
    for word in ("İki", "Işık"):
        findings = check_data(suite(*rows, both(word, "geldi."))).findings
        assert "SG316" in {f.code for f in findings}, "the suite has the word in small letters"


def test_a_question_is_no_mistake_in_a_suite_without_stops():
    assert codes(*usual(rest="it"), both("The nun", "it?")) == []


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


@pytest.mark.parametrize("cut", [("The man ", "man sees "), ("The man", " man sees ")])
def test_a_word_is_doubled_where_the_space_between_regions_is_written(cut):
    rows = [[sentence.replace("|", " |") for sentence in row] for row in usual()]
    data = suite(["|".join((*cut, "it.")), "|".join((*cut, "him."))], *rows[1:])
    data["meta"]["no_space_before"] = "all"
    assert "SG315" in codes_of(data)


def test_texts_that_are_rotated_over_the_items_are_a_design():
    """The bad sentence has the subject of the item before; the first has that of the last."""
    rows = [
        (f"The {a}|sees|it.", f"The {b}|see|it.")
        for a, b in zip(NOUNS, NOUNS[-1:] + NOUNS[:-1], strict=True)
    ]
    assert "SG433" not in codes(*rows)


def test_words_that_are_forms_of_others_are_no_slips():
    """A name that is also a verb, and a compound."""
    for odd, others in (("Will", "will"), ("himself", "him")):
        rows = usual(rest=f"{others} it.")
        rows[3] = tuple(sentence.replace(others, odd) for sentence in rows[3])
        assert not {"SG318", "SG319"} & set(codes(*rows)), odd
