"""Minimal pairs as the page shows them: exactly their texts, or not at all."""

import json
from itertools import chain

import pytest
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.pairs.pair_items import item_of
from evalmark.validator.formats.suites.suite import join_regions, suite_of
from evalmark.workbench.file_opening import opened
from evalmark.workbench.pair_view import items_by_uid, suite_of_pairs
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from suites import formulas_in

BLIMP = {
    "sentence_good": "Who might Ann hug after meeting Bob?",
    "sentence_bad": "Who might Ann hug Bob after meeting?",
    "UID": "adjunct_island",
    "pairID": "0",
}
EWOK = {
    "Domain": "weather",
    "ContextType": "direct",
    "ContextDiff": "antonym",
    "TargetDiff": "concept swap",
    "Context1": "It rains.",
    "Context2": "It shines.",
    "Target1": "Ann is wet.",
    "Target2": "Ann is dry.",
}
COMPS = {
    "id": 4,
    "prefix_acceptable": "A dog",
    "prefix_unacceptable": "A cat",
    "property_phrase": "can bark.",
}
ENTITY = {"input_prefix": "The box holds", "options": [" a hat", " a cup", " a pen"], "numops": 2}


def shown(*rows):
    """The suite of rows that have one UID."""
    ((uid, items),) = items_by_uid(rows, "file").items()
    return suite_of_pairs(items, uid)


def sentences(suite, item=0):
    """What a model reads in each condition of an item."""
    conditions = suite_of(suite).items[item].conditions
    return {condition.name: join_regions(condition.contents).text for condition in conditions}


def regions(suite):
    return [[r["content"] for r in c["regions"]] for c in suite["items"][0]["conditions"]]


def test_a_pair_is_split_into_the_beginning_what_differs_and_the_rest():
    suite = shown(
        BLIMP, {**BLIMP, "sentence_good": "Ann saw it all.", "sentence_bad": "Ann saw all."}
    )
    assert suite["meta"] == {"name": "adjunct_island", "metric": "sum"}
    assert suite["region_meta"] == {"1": "beginning", "2": "difference", "3": "rest"}
    assert regions(suite) == [
        ["Who might Ann hug", "after meeting Bob?", ""],
        ["Who might Ann hug", "Bob after meeting?", ""],
    ]
    assert formulas_in(suite) == ["(*;%good%) < (*;%bad%)"]
    assert sentences(suite, 1) == {"good": "Ann saw it all.", "bad": "Ann saw all."}


@pytest.mark.parametrize(
    ("row", "name", "texts", "predictions"),
    [
        (COMPS, "file", {"good": "A dog can bark.", "bad": "A cat can bark."},
         ["(2;%good%) < (2;%bad%)"]),
        (EWOK, "weather",
         {"good_Target1": "It rains. Ann is wet.", "bad_Target1": "It shines. Ann is wet.",
          "good_Target2": "It shines. Ann is dry.", "bad_Target2": "It rains. Ann is dry."},
         ["(2;%good_Target1%) < (2;%bad_Target1%)", "(2;%good_Target2%) < (2;%bad_Target2%)"]),
        (ENTITY, "file_2_ops",
         {f"option_{n}": f"The box holds{text}" for n, text in enumerate(ENTITY["options"], 1)},
         ["(2;%option_1%) < (2;%option_2%)", "(2;%option_1%) < (2;%option_3%)"]),
    ],
)  # fmt: skip
def test_a_text_after_a_context_is_the_second_region(row, name, texts, predictions):
    suite = shown(row)
    assert suite["meta"]["name"] == name
    assert suite["region_meta"] == {"1": "context", "2": "target"}
    assert sentences(suite) == texts
    assert formulas_in(suite) == predictions


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([{"sentences": "wugness\twugity", "ratio": 0.4}], "correlated with ratios of people"),
        ([BLIMP, COMPS], "columns of several data sets: blimp, comps"),
        ([BLIMP, {**BLIMP, "sentence_bad": 3}], "row 2 does not have the two texts"),
        ([ENTITY, {**ENTITY, "options": [" a", " b"]}], "different numbers of texts"),
        ([{**ENTITY, "input_prefix": "It "}], 'row 1: .*"It  a hat"'),
        ([{**COMPS, "property_phrase": " barks"}], 'row 1: .*"A dog  barks"'),
        ([BLIMP, {**BLIMP, "sentence_bad": " Who"}], 'row 2: .*" Who"'),
    ],
)  # fmt: skip
def test_what_a_suite_cannot_show_is_refused(rows, reason):
    with pytest.raises(ConversionError, match=reason):
        [suite_of_pairs(items, uid) for uid, items in items_by_uid(rows, "x").items()]


def test_rows_of_several_uids_are_suites_and_another_uid_a_row_numbers_the_rows():
    rows = [{**BLIMP, "UID": uid} for uid in "aab"]
    assert [len(items) for items in items_by_uid(rows, "x").values()] == [2, 1]
    assert [*items_by_uid(rows[1:], "x")] == ["x"]
    file = opened("".join(json.dumps(row) + "\n" for row in rows).encode(), "x.jsonl", {})
    assert (file.refused, file.needs) == ("this is 2 suites, one for each UID: choose one", "uid")


WORDS = st.lists(
    st.sampled_from(["Ann", "saw", "her", "it", "猫", "a b", "", "\u3000", ".", "x\n"])
)
TEXTS = WORDS.map(" ".join).filter(lambda text: bool(text.strip()))
WHOLE = st.fixed_dictionaries({"sen": TEXTS, "wrong_sen": TEXTS})
CONTEXTS = st.fixed_dictionaries(
    dict.fromkeys(("Context1", "Context2", "Target1", "Target2"), TEXTS)
)


@given(st.lists(WHOLE, min_size=1, max_size=4) | st.lists(CONTEXTS, min_size=1, max_size=3))
@examples(300)
def test_any_rows_are_shown_with_their_exact_texts_or_refused(rows):
    try:
        suite = shown(*rows)
    except ConversionError as error:
        assert "one space joins regions" in str(error)  # noqa: PT017
        return
    for number, row in enumerate(rows):
        sides = chain.from_iterable(contest.sides for contest in item_of(row).contests())
        assert list(sentences(suite, number).values()) == [side.whole for side in sides]
