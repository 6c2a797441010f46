"""Rows of every known set of minimal pairs have one view."""

import io
import json
from typing import Any

import pytest
from evalmark.schemas.errors import ParseRejected
from evalmark.validator.formats.pairs.pair_files import pair_rows
from evalmark.validator.formats.pairs.pair_items import PairItem, item_of
from found import codes_of

#: Set -> a row of it, and the (context, text) of each side of each choice.
ROWS: dict[str, tuple[dict[str, Any], list[list[tuple[str, str]]]]] = {
    "blimp": (
        {"sentence_good": "Cats sleep.", "sentence_bad": "Cats sleeps."},
        [[("", "Cats sleep."), ("", "Cats sleeps.")]],
    ),
    "multiblimp": ({"sen": "a b", "wrong_sen": "a c"}, [[("", "a b"), ("", "a c")]]),
    "jblimp": (
        {"good_sentence": "a b", "bad_sentence": "a c", "ID": 3},
        [[("", "a b"), ("", "a c")]],
    ),
    "ewok": (
        {"Context1": "It rains.", "Context2": "It shines.", "Target1": "Wet.", "Target2": "Dry."},
        [
            [("It rains.", "Wet."), ("It shines.", "Wet.")],
            [("It shines.", "Dry."), ("It rains.", "Dry.")],
        ],
    ),
    "comps": (
        {"prefix_acceptable": "A dog", "prefix_unacceptable": "A cat", "property_phrase": "barks."},
        [[("A dog", "barks."), ("A cat", "barks.")]],
    ),
    "entity-tracking": (
        {"input_prefix": "The box holds", "options": [" a hat", " a cup", " a pen"], "numops": 2},
        [[("The box holds", f" a {thing}") for thing in ("hat", "cup", "pen")]],
    ),
    "wug": ({"sentences": "wugness\twugity", "ratio": 0.3}, [[("", "wugness"), ("", "wugity")]]),
}


def _item(row: dict[str, Any], file: str = "folder/name.of.jsonl") -> PairItem:
    item = item_of(row, 7, file)
    assert item is not None
    return item


@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_each_set_compares_what_its_set_compares(name: str) -> None:
    row, expected = ROWS[name]
    item = _item(row)
    assert item.set.name == name
    found = [[(side.context, side.text) for side in c.sides] for c in item.contests()]
    assert found == expected


def test_a_whole_text_holds_its_context() -> None:
    item = _item(ROWS["comps"][0])
    (contest,) = item.contests("sum")
    assert [side.text for side in contest.sides] == ["A dog barks.", "A cat barks."]
    assert [side.context for side in contest.sides] == ["", ""]


def test_prefixes_are_compared_where_a_row_has_them() -> None:
    row = {
        **ROWS["blimp"][0],
        "one_prefix_prefix": "Cats",
        "one_prefix_word_good": "sleep",
        "one_prefix_word_bad": "sleeps",
    }
    item = _item(row)
    assert item.methods == ("one-prefix",)
    (contest,) = item.contests("one-prefix")
    assert [side.whole for side in contest.sides] == ["Cats sleep", "Cats sleeps"]
    assert item.contests("two-prefix") == ()


@pytest.mark.parametrize(
    ("prefix", "word", "sentence"),
    [
        ("The cats", "sleep", "The cats sleep"),
        ("The cats", " sleep", "The cats sleep"),  # as in two of BLiMP's paradigms
        ("The cats ", "sleep", "The cats sleep"),
        ("猫", "睡", "猫睡"),  # as in ZhoBLiMP
        ("", "The", "The"),
        ("Elsewhere", "sleep", "Elsewhere sleep"),  # in no sentence: one space
        ("Elsewhere", " sleep", "Elsewhere sleep"),
    ],
)
def test_a_prefix_and_its_word_are_read_as_their_sentence_has_them(
    prefix: str, word: str, sentence: str
) -> None:
    row = {
        "sentence_good": "猫睡了。" if prefix == "猫" else "The cats sleep.",
        "sentence_bad": "猫睡着。" if prefix == "猫" else "The cats sleep at.",
        "two_prefix_prefix_good": prefix,
        "two_prefix_prefix_bad": prefix,
        "two_prefix_word": word,
    }
    item = _item(row)
    (contest,) = item.contests("two-prefix")
    assert [side.whole for side in contest.sides] == [sentence, sentence]
    codes = codes_of(row)
    assert ("MP203" in codes) == (prefix == "Elsewhere")


def test_a_row_is_called_after_itself_or_its_place() -> None:
    assert _item(ROWS["jblimp"][0]).identity == "3"
    assert _item(ROWS["blimp"][0]).identity == "7"
    assert _item(ROWS["blimp"][0]).uid == "name"
    assert _item(ROWS["entity-tracking"][0]).uid == "name_2_ops"
    assert _item({"input_prefix": "a", "options": ["b", "c"]}).uid == "name"
    labels = _item({**ROWS["blimp"][0], "UID": "u", "field": "syntax_semantics"}).labels
    assert labels == {"uid": "u", "field": "syntax/semantics"}


def test_equal_sides_are_impossible() -> None:
    pair = {"sentence_good": "Cats sleep.", "sentence_bad": "Cats sleep."}
    (contest,) = _item(pair).contests()
    assert contest.is_impossible
    contexts = {**ROWS["comps"][0], "prefix_unacceptable": "A dog"}
    assert _item(contexts).contests()[0].is_impossible
    assert not _item(ROWS["comps"][0]).contests()[0].is_impossible


def test_lines_a_list_and_a_table_have_the_same_rows() -> None:
    rows = [{"sen": "a b", "wrong_sen": "a c"}, {"sen": "x, y", "wrong_sen": "x z"}]
    lines = "\n\n".join(map(json.dumps, rows)).encode()
    table = b'\xef\xbb\xbfsen,wrong_sen\r\na b,a c\r\n"x, y",x z\r\n'
    for name, raw in (("a.jsonl", lines), ("a.json", json.dumps(rows).encode()), ("a.csv", table)):
        found = [row.item.data for row in pair_rows(io.BytesIO(raw), name) if row.item]
        assert found == rows, name


def test_a_row_that_is_not_a_pair_has_a_line_but_no_view() -> None:
    raw = b'{"sen": "a", "wrong_sen": 1}\nnonsense\n{"sen": "a", "wrong_sen": "b"}\n'
    rows = list(pair_rows(io.BytesIO(raw), "a.jsonl"))
    assert [(row.line, row.item is None) for row in rows] == [(1, True), (2, True), (3, False)]
    with pytest.raises(ParseRejected):
        list(pair_rows(io.BytesIO(b'sen,wrong_sen\n"a,b\n'), "a.csv"))
