"""Regions before which a suite says that there is no space: clitics, scripts without spaces."""

import copy
import math

import pytest
from evalmark.converters.convert_document import convert_data
from evalmark.schemas.errors import ConversionError
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.regions import condition_values
from evalmark.scoring.suites.suite_loading import prepare
from evalmark.scoring.suites.suite_run import score_suites
from evalmark.validator.formats.suites.suite import JOINS, join_regions, suite_of
from found import codes_of
from hypothesis import given
from hypothesis import strategies as st
from small_models import demo_model
from suites import suite_of as suite_data
from test_regions import WORDS

ITALIAN = [
    {
        "agrees": ["Maria", "non", "l'", "ha vista", "."],
        "differs": ["Maria", "non", "l'", seen, "."],
    }
    for seen in ("ha visti", "ha visto")
]
CHINESE = [
    {"right": ["他买了一", "本", "书", "。"], "wrong": ["他买了一", "条", "书", "。"]},
    {"right": ["他买了一", "张", "桌子", "。"], "wrong": ["他买了一", "本", "桌子", "。"]},
]


def clitics(unspaced=(4, 5)):
    data = suite_data(ITALIAN, ["(4;%differs%) > (4;%agrees%)"])
    data["meta"]["no_space_before"] = list(unspaced)
    return data


def chinese(unspaced=None):
    data = suite_data(CHINESE, ["(3;%wrong%) > (3;%right%)"])
    return data if unspaced is None else with_meta(data, unspaced)


def with_meta(data, unspaced):
    new = copy.deepcopy(data)
    new["meta"]["no_space_before"] = unspaced
    return new


def sentences(data, join="core"):
    return [c.sentence(join).text for item in suite_of(data).items for c in item.conditions]


@pytest.mark.conforms("S-63")
@pytest.mark.parametrize(
    ("contents", "unspaced", "sentence"),
    [
        (["Maria", "non", "l'", "ha vista", "."], [4, 5], "Maria non l'ha vista."),
        (["the king", "'s", "hat"], [2], "the king's hat"),
        (["the king", "", "hat"], [2], "the king hat"),  # the boundary after it has its space
        (["Je", "l'", "aime"], [3], "Je l'aime"),
        (["Je", "", "aime"], [3], "Je aime"),
        (["Il voit", "l'", "homme"], [3], "Il voit l'homme"),
        (["Il voit", "le", " garçon"], [3], "Il voit le garçon"),  # a space that is written
        (["我", "", "你"], "all", "我你"),
        (["我", "喜欢", "你"], "all", "我喜欢你"),
        (["", "one", "two"], [2], "one two"),
    ],
)
def test_a_space_is_put_unless_every_region_in_between_is_without(contents, unspaced, sentence):
    data = with_meta(suite_data([{"a": contents}], []), unspaced)
    assert sentences(data) == [sentence]


@given(WORDS, st.sampled_from(sorted(JOINS)))
def test_without_any_space_a_sentence_is_that_of_the_rule_none(contents, join):
    none = join_regions(contents, "none")
    unspaced = [False] * len(contents)
    if not JOINS[join].tight:  # which removes written spaces as well
        assert join_regions(contents, join, unspaced) == none
    assert join_regions(contents, "none", unspaced) == none
    assert join_regions(contents, join, [True] * len(contents)) == join_regions(contents, join)


def values_of(scores):
    """The values of the regions of each sentence (bits)."""
    (scored,) = scores.suites
    for item, of_item in zip(scored.source.suite.items, scored.surprisals, strict=True):
        for condition, surprisals in zip(item.conditions, of_item, strict=True):
            yield condition_values(condition, surprisals, "sum")


def scores_of(data, join="core"):
    settings = Settings(join=join, regions="all")
    return score_suites([prepare(data, "x.json", join)], demo_model(), settings)


@pytest.mark.parametrize("data", [clitics(), chinese("all")], ids=["clitics", "chinese"])
def test_the_surprisals_of_regions_are_those_of_the_sentence(data):
    regions = list(values_of(scores_of(data)))
    for values, text in zip(regions, sentences(data), strict=True):
        (whole,) = values_of(scores_of(suite_data([{"a": [text]}], [])))
        assert math.isclose(values[None], whole[None], abs_tol=1e-4)
        parts = [value for number, value in values.items() if number is not None]
        assert math.isclose(sum(parts), whole[None], abs_tol=1e-4)


@pytest.mark.parametrize("unspaced", ["all", [2, 3, 4]])
def test_a_suite_without_spaces_has_the_scores_of_the_rule_none(unspaced):
    declared = scores_of(chinese(unspaced))
    assert list(values_of(declared)) == list(values_of(scores_of(chinese(), "none")))
    assert list(values_of(declared)) == list(values_of(scores_of(chinese(unspaced), "none")))
    assert list(values_of(declared)) != list(values_of(scores_of(chinese())))


def test_a_script_without_spaces_is_silent_once_the_suite_says_so():
    assert codes_of(chinese()) == ["SG307"]
    assert codes_of(chinese("all")) == []
    assert codes_of(chinese([2])) == ["SG307"]
    assert codes_of(chinese([2, 3, 4])) == []


@pytest.mark.parametrize(
    ("unspaced", "code"),
    [([1], "SG419"), ([9], "SG419"), (["4"], "SG112"), ("none", "SG113"), ([2, 2], "SG119")],
)
def test_a_declaration_that_cannot_be_meant_is_one_finding(unspaced, code):
    assert codes_of(with_meta(clitics(), unspaced)) == [code]


def test_spaces_of_a_region_are_its_own_where_none_is_put():
    data = suite_data([{"a": ["voit", "le", " garçon"], "b": ["voient ", "l'", "homme"]}], [])
    assert codes_of(data) == ["SG301", "SG302"]
    assert codes_of(with_meta(data, [3])) == ["SG301"]


def test_a_word_that_continues_is_not_doubled():
    items = [{"a": ["voilà l", "l", "est"], "b": ["voilà l'", "l", "est"]}]
    assert codes_of(suite_data(items, [])) == ["SG315"]
    assert codes_of(with_meta(suite_data(items, []), [2])) == []


def test_legacy_suites_keep_the_declaration_and_sentences_follow_it():
    data = clitics()
    old = convert_data(data, to="suite-legacy").data
    assert old["meta"]["no_space_before"] == [4, 5]
    assert convert_data(old).data == data
    assert convert_data(data, to="sentences").data == sentences(data)
    assert sentences(data)[:2] == ["Maria non l'ha vista.", "Maria non l'ha visti."]


@pytest.mark.parametrize("target", ["table", "rows"])
def test_formats_without_a_place_for_the_declaration_are_refused(target):
    with pytest.raises(ConversionError, match=r"cannot hold `no_space_before`"):
        convert_data(clitics(), to=target)
    assert convert_data(clitics(unspaced=()), to=target).data
