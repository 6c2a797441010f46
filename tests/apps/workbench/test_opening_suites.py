"""Opening and pasting: whatever format a suite has, the page gets the current one, or a reason."""

import json

import pytest
from conftest import FIXTURES, data_at
from evalmark.schemas.errors import RequestRefused
from evalmark.validator.check import check_data
from evalmark.validator.formats.suites.suite import METRICS
from evalmark.workbench.file_opening import open_file
from evalmark.workbench.pasted_text import convert, table_answer
from evalmark.workbench.served_folder import ServedFolder

LONG = (
    "item_number,condition_name,region_number,region_name,content\n"
    "1,a,1,s,The dog\n1,a,2,v,barks\n1,b,1,s,The dogs\n1,b,2,v,bark\n"
)
WIDE = "item\tcondition\tsubject\tverb\n1\ta\tThe dog\tbarks\n1\tb\tThe dogs\tbark\n"
PAIRS = [
    {"sentence_good": "She runs.", "sentence_bad": "She run.", "UID": "one", "pairID": "0"},
    {"sentence_good": "We run.", "sentence_bad": "We runs.", "UID": "two", "pairID": "0"},
]


@pytest.fixture
def place(tmp_path):
    return ServedFolder(tmp_path)


def put(place, name, text):
    (place.root / name).write_text(text, encoding="utf-8")
    return open_file(place, name).answer()


OLD = sorted((FIXTURES / "legacy").glob("*.old.json"))


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_old_suites_become_current_ones(place, path):
    found = put(place, path.name, path.read_text(encoding="utf-8"))
    if "needs" in found:
        found = open_file(place, path.name, {found["needs"]: found["choices"][0]}).answer()
    if "refused" in found:
        assert found["format"] != "suite"
        return
    assert found["converted"]
    assert found["difference"].startswith(f"--- a/{path.name}\n+++ b/{path.name}\n@@ ")
    assert check_data(found["data"]).kind == "suite"


def test_an_old_suite_without_a_metric_asks_for_it(place):
    data = data_at("legacy/triples.old.json")
    del data["meta"]["metric"]
    found = put(place, "old.json", json.dumps(data))
    assert found["refused"] == "the file names no metric: choose one"
    assert (found["needs"], found["choices"]) == ("metric", list(METRICS))
    chosen = open_file(place, "old.json", {"metric": "mean"}).answer()
    assert chosen["data"]["meta"]["metric"] == "mean"


def test_a_damaged_old_suite_says_where_and_what_to_write(place):
    data = data_at("legacy/triples.old.json")
    data["items"][0]["conditions"][0]["regions"][0]["content"] = None
    found = put(place, "old.json", json.dumps(data, indent=2))
    reason = 'SG112 `content` must be a string, got null at 47:26; write "" if the region is empty'
    assert found["refused"] == f"cannot be converted to a suite: {reason}"
    for odd in ("x", None, []):
        assert (
            "SG112 `meta`" in put(place, "old.json", json.dumps({**data, "meta": odd}))["refused"]
        )


def test_a_current_suite_is_as_it_is(place):
    text = (FIXTURES / "good/suite.json").read_text(encoding="utf-8")
    found = put(place, "suite.json", text)
    assert not found["converted"]
    assert found["text"] == text
    assert found["data"] == json.loads(text)


def test_tables_become_suites(place):
    for name, text in (("long.csv", LONG), ("wide.tsv", WIDE)):
        found = put(place, name, text)
        assert found["converted"], found
        assert found["data"]["meta"]["name"] == name.partition(".")[0]
        assert found["data"]["predictions"] == []
        assert len(found["data"]["items"][0]["conditions"]) == 2


def test_pairs_of_several_uids_are_several_suites(place):
    rows = "".join(json.dumps(row) + "\n" for row in (*PAIRS, {**PAIRS[1], "pairID": "1"}))
    found = put(place, "pairs.jsonl", rows)
    assert found["refused"] == "this is 2 suites, one for each UID: choose one"
    assert found["choices"] == ["one", "two"]
    found = open_file(place, "pairs.jsonl", {"uid": "two"}).answer()
    assert found["data"]["meta"]["name"] == "two"
    assert "We" in json.dumps(found["data"])
    assert "She" not in json.dumps(found["data"])


def test_a_uid_of_every_pair_numbers_the_pairs_of_one_suite(place):
    rows = "".join(json.dumps({**PAIRS[0], "UID": f"pair{n}"}) + "\n" for n in range(300))
    found = put(place, "pairs.jsonl", rows)
    assert "refused" not in found
    assert (found["data"]["meta"]["name"], len(found["data"]["items"])) == ("pairs", 300)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.json", "{", "F001"), ("a.json", "", "F010"), ("a.json", "{}", "not a suite"),
        ("a.yaml", "a: [", "F014"), ("a.csv", "x,y\n1,2\n", "does not name these columns"),
        ("a.json", '{"items": [], "predictions": [{"formula": 1}]}', ""),
    ],
)  # fmt: skip
def test_what_cannot_be_opened_says_why(place, name, text, reason):
    found = put(place, name, text)
    if reason:
        assert reason in found["refused"]
        assert found["text"] == text


def test_bytes_that_are_no_text_say_so(place):
    (place.root / "a.json").write_bytes(b"\xff\xfe{}")
    assert "not UTF-8" in open_file(place, "a.json").refused


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        WIDE,
        WIDE.replace("\n", "\r\n"),
        json.dumps(PAIRS[:1]),
        json.dumps(PAIRS[0]) + "\n",
        (FIXTURES / "good/suite.json").read_text(encoding="utf-8"),
    ],
)
def test_what_is_pasted_says_itself_what_it_is(text):
    found = convert(text)
    assert "data" in found, found
    assert check_data(found["data"]).kind == "suite"


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        (WIDE.replace("item", "Item").replace("condition", "CONDITION"), None),
        (LONG.replace("item_number,condition_name", "Item_Number,Condition_Name"), None),
        ("Item\tCondition\tNP\tVerb\n1\ta\tI\tam\n", {"1": "NP", "2": "Verb"}),
        ("Sentence_Good,Sentence_Bad\nI am,I are\n", {"1": "sentence"}),
    ],
)
def test_columns_are_known_in_any_case(text, regions):
    found = convert(text)
    found = found.get("table", found)
    assert "data" in found, found
    assert regions in (None, found["data"]["region_meta"])


def test_notes_on_pasted_rows_are_for_those_who_write_suites():
    assert convert(WIDE)["notes"] == [
        "the value of a region is the sum of the surprisals of its words (metric, under Details)",
    ]
    assert "row 2 has 2 cells, and the first row 3" in convert("item,condition,S\n1,a\n")["refused"]


@pytest.mark.parametrize("text", ["", " ", "hello", "a\tb\n1\t2\n", "{", "[1, 2]", "<html>"])
def test_what_is_none_of_these_is_refused(text):
    found = convert(text)
    assert found["refused"]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        (" ", "there is no text: a table has a row of names"),
        ("[1, 2]", "not a suite, and not a format that becomes one: a table has"),
        (
            (FIXTURES / "good/record.json").read_text(encoding="utf-8"),
            "record-0.2.0, not a suite: save it in the folder",
        ),
    ],
)
def test_a_refusal_says_what_to_do_instead(text, start):
    assert convert(text)["refused"].startswith(start)


@pytest.mark.parametrize("name", ["../../x.json", "a/b.csv", "\0.csv", "x" * 400, "suite.exe"])
def test_names_of_dropped_files_lead_nowhere(name):
    assert "data" in convert(LONG, name) or "refused" in convert(LONG, name)


@pytest.mark.parametrize("text", ['"' + "a" * 200_000 + '",b\nc,d', "\ud800 a b\nc d"])
def test_a_text_that_no_table_can_have_is_refused(text):
    assert convert(text)["refused"]


def test_a_column_of_a_very_long_number_is_refused():
    with pytest.raises(RequestRefused, match="no column"):
        table_answer(b"a,b\n1,2\n", "", roles={"9" * 5000: "item"})
