"""Minimal pairs as suites, suites as pairs, one set with the keys of another."""

import json
from typing import Any

import pytest
from conftest import file_at
from evalmark.converters.convert_document import Conversion, convert_data, convert_text
from evalmark.converters.convert_files import convert_file, convert_files
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_data
from evalmark.validator.formats.pairs.pair_items import item_of
from evalmark.validator.formats.suites.suite import join_regions, suite_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, items_of

BLIMP = {
    "sentence_good": "Who might Ann hug after meeting Bob?",
    "sentence_bad": "Who might Ann hug Bob after meeting?",
    "field": "syntax_semantics",
    "linguistics_term": "island_effects",
    "UID": "adjunct_island",
    "simple_LM_method": True,
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


def suite_from(rows: list[dict[str, Any]], name: str = "file") -> Conversion:
    return convert_data(rows, to="suite", supplied=Supplied(name=name))


def pairs_from(suite: dict[str, Any]) -> list[dict[str, Any]]:
    return convert_data(suite, to="pairs").data


def regions(suite: dict[str, Any], item: int = 0) -> dict[str, list[str]]:
    conditions = suite["items"][item]["conditions"]
    return {c["condition_name"]: [r["content"] for r in c["regions"]] for c in conditions}


def formulas(suite: dict[str, Any]) -> list[str]:
    return [prediction["formula"] for prediction in suite["predictions"]]


def sentences(suite: dict[str, Any], item: int) -> dict[str, str]:
    """What a model reads in each condition of an item."""
    conditions = suite_of(suite).items[item].conditions
    return {condition.name: join_regions(condition.contents).text for condition in conditions}


def test_a_pair_is_split_into_the_beginning_what_differs_and_the_rest():
    question = {**BLIMP, "sentence_good": "Who did Ann say Bob likes?", "pairID": "1"}
    question["sentence_bad"] = "Who did Ann ask who likes?"
    suite = suite_from([BLIMP, question]).data
    assert suite["region_meta"] == {"1": "beginning", "2": "difference", "3": "rest"}
    assert regions(suite) == {
        "good": ["Who might Ann hug", "after meeting Bob?", ""],
        "bad": ["Who might Ann hug", "Bob after meeting?", ""],
    }
    assert regions(suite, 1) == {
        "good": ["Who did Ann", "say Bob", "likes?"],
        "bad": ["Who did Ann", "ask who", "likes?"],
    }
    assert formulas(suite) == ["(*;%good%) < (*;%bad%)"]


def test_labels_are_kept_where_scores_are_averaged():
    meta = suite_from([BLIMP, {**BLIMP, "pairID": "1"}]).data["meta"]
    assert (meta["name"], meta["metric"]) == ("adjunct_island", "sum")
    assert meta["tags"] == ["syntax/semantics", "island_effects"]
    assert meta["pairs"]["same"]["simple_LM_method"] is True


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ("Ann saw it all.", "Ann saw all.", [["Ann saw", "it", "all."], ["Ann saw", "", "all."]]),
        ("a b", "a b", [["a b"], ["a b"]]),
        # One region where words cannot be joined to the same text again.
        ("太郎が読んだ。", "太郎を読んだ。", [["太郎が読んだ。"], ["太郎を読んだ。"]]),
        ("a  b c", "a  b d", [["a  b", "c"], ["a  b", "d"]]),
        ("a  b", "a  c", [["a ", "b"], ["a ", "c"]]),
        ("a b  c", "a x  c", [["a b  c"], ["a x  c"]]),
    ],
)
def test_regions_join_to_the_same_text(good, bad, expected):
    suite = suite_from([{"sen": good, "wrong_sen": bad}]).data
    assert list(regions(suite).values()) == expected
    assert sentences(suite, 0) == {"good": good, "bad": bad}


def test_a_text_that_a_suite_cannot_give_back_is_refused():
    rows = [{"sen": "a b", "wrong_sen": "a c"}, {"sen": " a b", "wrong_sen": "a c"}]
    with pytest.raises(ConversionError, match=r'row 2: .* exact text of sen, " a b"'):
        suite_from(rows)


def test_an_identical_pair_is_kept_and_said_to_be_impossible():
    rows = [BLIMP, {**BLIMP, "sentence_bad": BLIMP["sentence_good"], "pairID": "1"}]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    done = convert_text(text, path="x.jsonl", to="suite")
    assert [note for note in done.notes if "can never hold for item 2" in note]
    assert pairs_from(done.data) == rows


def test_a_target_is_compared_after_its_context():
    suite = suite_from([COMPS]).data
    assert suite["region_meta"] == {"1": "context", "2": "target"}
    assert regions(suite) == {"good": ["A dog", "can bark."], "bad": ["A cat", "can bark."]}
    assert formulas(suite) == ["(2;%good%) < (2;%bad%)"]


def test_each_comparison_of_a_row_is_a_prediction():
    suite = suite_from([EWOK]).data
    assert suite["meta"]["name"] == "weather"
    assert sentences(suite, 0) == {
        "good_Target1": "It rains. Ann is wet.",
        "bad_Target1": "It shines. Ann is wet.",
        "good_Target2": "It shines. Ann is dry.",
        "bad_Target2": "It rains. Ann is dry.",
    }
    assert formulas(suite) == [
        "(2;%good_Target1%) < (2;%bad_Target1%)",
        "(2;%good_Target2%) < (2;%bad_Target2%)",
    ]


def test_the_right_option_is_compared_with_every_other():
    suite = suite_from([ENTITY]).data
    assert suite["meta"]["name"] == "file_2_ops"
    assert sentences(suite, 0)["option_3"] == "The box holds a pen"
    assert formulas(suite) == ["(2;%option_1%) < (2;%option_2%)", "(2;%option_1%) < (2;%option_3%)"]


@pytest.mark.parametrize(
    "row", [BLIMP, EWOK, COMPS, ENTITY, {**ENTITY, "input_prefix": "It is ", "options": ["a", "b"]}]
)
def test_suites_of_pairs_pass_the_check_and_become_the_same_rows(row):
    suite = suite_from([row, {**row, "number": 1}]).data
    # The second row repeats the first; there is nothing else to say.
    assert [finding.code for finding in check_data(suite).findings] == ["SG407"]
    back = pairs_from(suite)
    assert back == [row, {**row, "number": 1}]
    assert [list(row_again) for row_again in back] == [list(row), [*row, "number"]]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([{"sentences": "wugness\twugity", "ratio": 0.4}], "correlated with the ratios of people"),
        ([BLIMP, BLIMP, {**BLIMP, "UID": "other"}], "the rows have 2 UIDs"),
        ([BLIMP, COMPS], "rows are of several sets: blimp, comps"),
        ([BLIMP, {**BLIMP, "sentence_bad": 3}], "MP112 `sentence_bad` must be a string"),
        ([ENTITY, {**ENTITY, "options": [" a", " b"]}], "rows have 2 and 3 options"),
        ([{**ENTITY, "options": ["a", "b"]}], "row 1 has no space between"),
        ([{**ENTITY, "input_prefix": "It "}], "row 1 has two spaces between"),
        (
            [ENTITY, {**ENTITY, "input_prefix": "It ", "options": ["a", "b", "c"]}],
            "some rows have a space at the end of input_prefix, others",
        ),
        ([{**COMPS, "property_phrase": " barks"}], "cannot give back the exact text"),
    ],
)
def test_rows_that_a_suite_cannot_hold_are_refused(rows, reason):
    with pytest.raises(ConversionError, match=reason):
        suite_from(rows)


def suite(*items: dict[str, list[str]], formula: str = "(*;%a%) < (*;%b%)") -> dict[str, Any]:
    return {
        "meta": {"name": "s", "metric": "sum", "author": "A"},
        "region_meta": {"1": "start", "2": "end"},
        "predictions": [{"type": "formula", "formula": formula}],
        "items": items_of(items),
    }


ITEM = {"a": ["The cat", "sleeps."], "b": ["The cat", "sleep."]}


def test_a_suite_of_two_sentences_becomes_pairs():
    expected = {
        "sentence_good": "The cat sleeps.",
        "sentence_bad": "The cat sleep.",
        "UID": "s",
        "pairID": "1",
    }
    done = convert_data(suite(ITEM), to="pairs")
    assert done.data == [expected]
    assert done.notes == ("left out: regions and their names, and of meta author",)
    (turned,) = convert_data(suite(ITEM, formula="(*;%a%) > (*;%b%)"), to="pairs").data
    assert turned["sentence_good"] == "The cat sleep."


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (suite(ITEM, formula="(2;%a%) < (2;%b%)"), "does not compare two whole sentences"),
        (suite(ITEM, formula="(*;%a%) < (*;%c%)"), "item 1 has the conditions a, b; expected a, c"),
        (suite({**ITEM, "c": ["x", "y"]}), "item 1 has the conditions a, b, c; expected a, b"),
        ({**suite(ITEM), "predictions": []}, "the suite has 0 predictions"),
        (
            {**suite(ITEM), "meta": {"name": "s", "metric": "mean"}},
            "the metric of the suite is mean",
        ),
        ({**suite(ITEM), "items": []}, "no items"),
    ],
)
def test_a_suite_that_pairs_cannot_hold_is_refused(given, reason):
    with pytest.raises(ConversionError, match=reason):
        pairs_from(given)


def test_an_edited_suite_gives_its_own_texts_or_is_refused():
    data = suite_from([COMPS]).data
    data["items"][0]["conditions"][0]["regions"][0]["content"] = "A wolf"
    assert pairs_from(data)[0]["prefix_acceptable"] == "A wolf"
    data["items"][0]["conditions"][0]["regions"][1]["content"] = "howls."
    with pytest.raises(ConversionError, match="item 1 has two texts that would be property_phrase"):
        pairs_from(data)
    data["predictions"][0]["formula"] = "(1;%good%) < (1;%bad%)"
    with pytest.raises(ConversionError, match="the predictions are not those of COMPS"):
        pairs_from(data)


def test_pairs_are_written_as_lines_a_list_or_a_table():
    rows = [{"sen": "a, b", "wrong_sen": "ä c"}, {"sen": "a", "wrong_sen": '"'}]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    assert convert_text(text, path="x.jsonl").text == text
    table = convert_text(text, path="x.jsonl", syntax="csv").text
    assert table == 'sen,wrong_sen\n"a, b",ä c\na,""""\n'
    assert convert_text(table, path="x.csv", to="json").data == rows
    with pytest.raises(ConversionError, match="a table cannot hold it"):
        convert_text(json.dumps([COMPS]), path="x.json", syntax="csv")
    with pytest.raises(ConversionError, match='two columns are called "sen"'):
        convert_text("sen,wrong_sen,sen\na,b,c\n", path="x.csv")


def test_a_file_of_several_uids_becomes_a_folder_of_suites(tmp_path):
    for name in ("de", "nl"):
        rows = [{**BLIMP, "UID": uid} for uid in ("SV-#", "SP/#", "SV-#")]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    single = tmp_path / "de.jsonl"
    outcomes = list(convert_files([single], to="suite", output=tmp_path / "one"))
    assert [outcome.target for outcome in outcomes] == [
        tmp_path / "one" / "SV-.json",
        tmp_path / "one" / "SP.json",
    ]
    first = json.loads((tmp_path / "one" / "SV-.json").read_text(encoding="utf-8"))
    assert (first["meta"]["name"], len(first["items"])) == ("SV-#", 2)
    # Other files may have the same UIDs.
    outcomes = list(
        convert_files([single, tmp_path / "nl.jsonl"], to="suite", output=tmp_path / "b")
    )
    names = [str(o.target.relative_to(tmp_path / "b")) for o in outcomes if o.target]
    assert names == ["de/SV-.json", "de/SP.json", "nl/SV-.json", "nl/SP.json"]
    with pytest.raises(ConversionError, match="the rows have 2 UIDs"):
        convert_file(single, to="suite")


def test_names_of_suites_stay_in_their_folder_and_differ(tmp_path):
    uids = ("../../a", "A", "a", "..", "")
    text = "".join(json.dumps({**BLIMP, "UID": uid}) + "\n" for uid in (*uids, "a"))
    (tmp_path / "x.jsonl").write_text(text, encoding="utf-8")
    outcomes = convert_files([tmp_path / "x.jsonl"], to="suite", output=tmp_path / "out")
    names = [outcome.target.relative_to(tmp_path / "out") for outcome in outcomes]
    assert list(map(str, names)) == ["a.json", "A-2.json", "a-3.json", "suite.json", "x.json"]


def test_two_files_of_a_call_do_not_become_one(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps(BLIMP), encoding="utf-8")
    (tmp_path / "a.json").write_text(json.dumps([BLIMP]), encoding="utf-8")
    paths = [tmp_path / "a.jsonl", tmp_path / "a.json"]
    first, second = convert_files(paths, to="suite", output=tmp_path / "out")
    assert first.refused is None
    assert "has been written for another file of this call" in str(second.refused)


def test_folders_are_searched_for_pairs_only_if_they_are_wanted(tmp_path):
    file_at(tmp_path / "in" / "a.jsonl", BLIMP)
    (outcome,) = convert_files([tmp_path / "in"], to="suite", output=tmp_path / "out")
    assert outcome.target == tmp_path / "out" / "a.json"
    assert not list(convert_files([tmp_path / "in"], to="suite", in_place=True))
    assert not list(convert_files([tmp_path / "in"], to="record-0.3.0", output=tmp_path / "out"))


WORDS = st.lists(
    st.sampled_from(["Ann", "saw", "her", "it", "猫", "a b", "", "\u3000", ".", "x\n"])
)
TEXTS = WORDS.map(" ".join).filter(lambda text: bool(text.strip()))
LABELS = st.fixed_dictionaries(
    {}, optional={"pairID": st.integers(0, 3), "note": st.none() | st.booleans() | st.text()}
)
SETS = st.sampled_from(
    [("sentence_good", "sentence_bad"), ("sen", "wrong_sen"), ("good_sentence", "bad_sentence")]
)


@st.composite
def rows_of_pairs(draw: Any) -> list[dict[str, Any]]:
    good, bad = draw(SETS)
    return draw(
        st.lists(
            st.builds(lambda a, b, c: {good: a, **c, bad: b}, TEXTS, TEXTS, LABELS),
            min_size=1, max_size=4,
        )
    )  # fmt: skip


def with_contexts(texts):
    return dict(zip(("Context1", "Context2", "Target1", "Target2"), texts, strict=True))


CONTEXTS = st.lists(
    st.tuples(TEXTS, TEXTS, TEXTS, TEXTS).map(with_contexts), min_size=1, max_size=3
)


@given(rows_of_pairs() | CONTEXTS)
@examples(300)
def test_any_rows_become_a_suite_and_the_same_rows_or_are_refused(rows):
    try:
        made = suite_from(rows).data
    except ConversionError as error:
        assert "cannot give back the exact text" in str(error)  # noqa: PT017
        return
    for number, row in enumerate(rows):
        sides = [side for contest in item_of(row).contests() for side in contest.sides]
        assert list(sentences(made, number).values()) == [side.whole for side in sides]
    assert pairs_from(made) == rows


@pytest.mark.slow
def test_real_pairs_become_suites_and_the_same_bytes(tmp_path, shared):
    folder = shared / "data/pairs"
    for path in sorted((folder / "blimp").glob("*.jsonl")):
        text = path.read_text(encoding="utf-8")
        done = convert_text(text, path=str(path), to="suite")
        assert not [f for f in check_data(done.data).findings if f.code != "SG206"]
        assert convert_text(done.text, path="x.json", to="pairs").text == text
        items = suite_of(done.data).items
        for row, item in zip(map(json.loads, text.splitlines()), items, strict=True):
            joined = [join_regions(condition.contents).text for condition in item.conditions]
            assert joined == [row["sentence_good"], row["sentence_bad"]]
    outcomes = list(convert_files([folder / "jblimp/pairs.jsonl"], to="suite", output=tmp_path))
    rows = [row for o in outcomes for row in convert_text(o.text, path="x.json", to="pairs").data]
    real = (folder / "jblimp/pairs.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(rows, key=lambda row: row["ID"]) == [json.loads(line) for line in real]
