"""Edits, undo, clipboard and sentences of the page, against plain Python of the same meaning."""

import copy
import json
import re
from unicodedata import normalize

import pytest
from conftest import FIXTURES, ROOT, data_at
from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.formula.formula_syntax import read_formula, references
from evalmark.validator.formats.suites.suite import JOINS, join_regions
from evalmark.workbench.page_check import check
from hypothesis import given
from hypothesis import strategies as st
from node import page_functions
from strategies import examples
from suites import suite_of


@pytest.fixture(scope="module")
def ask():
    with page_functions() as found:
        yield found


# the clipboard

CELLS = st.text(st.sampled_from('ab "\t\n,;é'), max_size=5)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=4)
)


@given(TABLES)
def test_what_is_copied_reads_back(ask, rows):
    # A last row of one empty cell is a final line break.
    assert ask("fromTSV", ask("toTSV", rows)) == (
        rows if rows[-1] != [""] or len(rows) == 1 else rows[:-1]
    )


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a\tb\r\nc\td\r\n", [["a", "b"], ["c", "d"]]),
        ('"a\tb"\t"c ""d"""', [["a\tb", 'c "d"']]),
        ('"two\nlines"\tb\n', [["two\nlines", "b"]]),
        ('5" disk\t"open', [['5" disk', '"open']]),
        ('"quoted" and more\tb', [['"quoted" and more', "b"]]),
        ("\t\n\t", [["", ""], ["", ""]]),
        ("", [[""]]),
    ],
)
def test_rows_of_spreadsheets_are_read(ask, text, rows):
    assert ask("fromTSV", text) == rows


# sentences


@given(
    st.lists(
        st.text(st.sampled_from("ab .,!?;:\t\n\N{NO-BREAK SPACE}\x1f\x85\ufeffé𝒜"), max_size=5),
        max_size=5,
    ),
    st.sampled_from(sorted(JOINS)),
    st.lists(st.booleans(), min_size=5, max_size=5),
)
def test_sentences_are_joined_as_python_joins_them(ask, contents, join, spaced):
    expected = join_regions(contents, join, spaced)
    found = ask("join", contents, join, spaced)
    assert found["text"] == expected.text
    assert [
        found["text"].encode("utf-16-le")[2 * a : 2 * b].decode("utf-16-le")
        for a, b in found["spans"]
    ] == [expected.text[start:end] for start, end in expected.spans]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (["insertRegion", 1], [3, 4]), (["insertRegion", 2], [2, 3, 4]),
        (["insertRegion", 3], [2, 3, 4]), (["insertRegion", 4], [2, 3]),
        (["deleteRegion", 1], [1, 2]), (["deleteRegion", 2], [2]), (["deleteRegion", 3], [2]),
    ],
)  # fmt: skip
def test_regions_without_a_space_keep_their_numbers(ask, step, expected):
    suite = suite_of([{"a": ["I", "'m", ".", "x"]}], [])
    suite["meta"]["no_space_before"] = [2, 3]
    assert ask("session", suite, [step])["data"]["meta"]["no_space_before"] == expected


@pytest.mark.parametrize(
    ("wanted", "by", "expected"),
    [
        ("the", "a", ["a cat", "A$1", "X.(", "oa"]),
        (".(", "$&", ["the cat", "The$1", "X$&", "othe"]),
        ("", "a", ["the cat", "The$1", "X.(", "othe"]),
    ],
)
def test_a_text_is_replaced_in_all_cells_in_one_step(ask, wanted, by, expected):
    texts = ["the cat", "The$1", "X.(", "othe"]
    suite = suite_of([{"a": texts[:2], "b": texts[2:]}], [])
    once = ask("session", suite, [["replaceText", wanted, by]])
    found = [
        region["content"] for c in once["data"]["items"][0]["conditions"] for region in c["regions"]
    ]
    assert found == expected
    assert ask("session", suite, [["replaceText", wanted, by], ["undo"]])["data"] == suite
    cell = {"row": {"item": 0, "condition": 0}, "region": 2}
    one = ask("session", suite, [["replaceText", wanted, by, cell]])["data"]
    regions = [c["regions"] for c in one["items"][0]["conditions"]]
    assert [r["content"] for r in regions[0]] == [texts[0], expected[1]]
    assert [r["content"] for r in regions[1]] == texts[2:]


# findings


def test_further_places_of_a_finding_are_underlined_too(ask):
    data = data_at(FIXTURES / "bad/SG404_duplicate_item_number.json")
    found = check(data)["findings"]
    (finding,) = [one for one in found if one["labels"]]
    (label,) = finding["labels"]
    places = ask("underlined", [finding])
    first, second = label["pointer"].split("/")[2], finding["pointer"].split("/")[2]
    assert places[f"item {second}"] == [["error", finding["message"], None, None]]
    message = f"{label['text']} ({finding['message']})"
    assert places[f"item {first}"] == [["related", message, None, None]]


# unsaved work


def test_each_new_suite_is_kept_under_a_name_of_its_own(ask):
    suites = [{"meta": {"name": name}} for name in ("one", "two")]
    assert ask("newSuites", *suites) == {"paths": [], "suites": suites}


def test_steps_stay_while_the_file_is_the_same(ask):
    suite = {"meta": {"name": "a"}, "items": []}
    work = {"work": "renamed"}
    assert ask("comeBack", suite, "old", {}) == {"undone": suite, **work}
    assert ask("comeBack", suite, "new", {}) == work
    assert ask("comeBack", suite, "old", {"metric": "mean"}) == work


# edits: each as one would write it in Python, on a copy that is changed in place


class RefusedError(Exception):
    """The edit cannot be made."""


def conditions_of(data):
    return [condition for item in data["items"] for condition in item["conditions"]]


def names(data):
    return list(dict.fromkeys(condition["condition_name"] for condition in conditions_of(data)))


def numbers(data):
    return sorted(map(int, data["region_meta"]))


def empty(data):
    return [{"region_number": number, "content": ""} for number in numbers(data)]


def next_number(data):
    return max([item["item_number"] for item in data["items"]], default=0) + 1


def set_cell(data, item, condition, region, text):
    data["items"][item]["conditions"][condition]["regions"][region - 1]["content"] = text


def insert_item(data, at):
    fresh = [{"condition_name": name, "regions": empty(data)} for name in names(data)]
    data["items"].insert(at, {"item_number": next_number(data), "conditions": fresh})


def duplicate_item(data, at):
    twin = copy.deepcopy(data["items"][at]) | {"item_number": next_number(data)}
    data["items"].insert(at + 1, twin)


def delete_item(data, at):
    if len(data["items"]) == 1:
        raise RefusedError
    del data["items"][at]


def trees(data):
    try:
        return [read_formula(prediction["formula"]).tree for prediction in data["predictions"]]
    except FormulaSyntaxError:
        raise RefusedError from None


def renumber(data, start, by):
    if not any(number >= start for number in numbers(data)):
        return
    trees(data)
    for region in (region for condition in conditions_of(data) for region in condition["regions"]):
        region["region_number"] += by * (region["region_number"] >= start)
    data["region_meta"] = {
        str(int(number) + by * (int(number) >= start)): name
        for number, name in data["region_meta"].items()
    }
    for prediction in data["predictions"]:
        prediction["formula"] = re.sub(
            r"\((\d+);",
            lambda match: f"({int(match[1]) + by * (int(match[1]) >= start)};",
            prediction["formula"],
        )


def insert_region(data, number):
    renumber(data, number, 1)
    for condition in conditions_of(data):
        condition["regions"].insert(number - 1, {"region_number": number, "content": ""})
    data["region_meta"][str(number)] = f"Region {number}"


def refuse_if_used(data, key, value):
    if any(getattr(one, key) == value for tree in trees(data) for one in references(tree)):
        raise RefusedError


def delete_region(data, number):
    if len(numbers(data)) == 1:
        raise RefusedError
    refuse_if_used(data, "region", number)
    for condition in conditions_of(data):
        del condition["regions"][number - 1]
    del data["region_meta"][str(number)]
    renumber(data, number + 1, -1)


def rename_condition(data, old, new):
    if old != new and new in names(data):
        raise RefusedError
    if any(f"%{old}%" in prediction["formula"] for prediction in data["predictions"]):
        trees({"predictions": [p for p in data["predictions"] if old in p["formula"]]})
    for condition in conditions_of(data):
        if condition["condition_name"] == old:
            condition["condition_name"] = new
    for prediction in data["predictions"]:
        prediction["formula"] = prediction["formula"].replace(f"%{old}%", f"%{new}%")


def add_condition(data, name):
    if name in names(data):
        raise RefusedError
    for item in data["items"]:
        item["conditions"].append({"condition_name": name, "regions": empty(data)})


def delete_condition(data, name):
    if len(names(data)) == 1:
        raise RefusedError
    refuse_if_used(data, "condition", name)
    for item in data["items"]:
        item["conditions"] = [c for c in item["conditions"] if c["condition_name"] != name]


def set_formula(data, at, formula):
    data["predictions"][at]["formula"] = formula


FORMULAS = [
    "(1;%a%) < (1;%b%)", "(2;%a%)  >  (2;%b%) & (3;%a%) = 0", "(*;%a%) > (*;%b%)", "(3;%b%) > 1",
    "[(1;%a%) < (2;%b%)]", "(1;%a%",
]  # fmt: skip
#: What the page has been told of them.
UNREADABLE = ["(1;%a%"]
WORDS = st.sampled_from(["", "x", "the cat", " y "])


@st.composite
def steps(draw, data):
    """Some edits of a suite: what the page is asked, and the same in Python."""
    pages, applied, undone = [], [data], []
    refused = []
    for at in range(draw(st.integers(1, 12))):
        now = applied[-1]
        kind = draw(st.sampled_from([*EDITS, "undo", "undo", "redo"]))
        if kind == "undo":
            pages.append(["undo"])
            if len(applied) > 1:
                undone.append(applied.pop())
            continue
        if kind == "redo":
            pages.append(["redo"])
            if undone:
                applied.append(undone.pop())
            continue
        given, ask_page, change = EDITS[kind](draw, now)
        pages.append([kind, *ask_page])
        after = copy.deepcopy(now)
        try:
            change(after, *given)
        except RefusedError:
            refused.append(at)
            continue
        if after != now:
            applied.append(after)
            undone = []
    return pages, applied[-1], refused, len(applied) > 1


def _cell(draw, data):
    item = draw(st.integers(0, len(data["items"]) - 1))
    condition = draw(st.integers(0, len(names(data)) - 1))
    region, text = draw(st.sampled_from(numbers(data))), draw(WORDS)
    cell = {"item": item, "condition": condition, "region": region, "text": text}
    return (item, condition, region, text), [[cell]], set_cell


def _at_item(change, beyond=0):
    def made(draw, data):
        at = draw(st.integers(0, len(data["items"]) - 1 + beyond))
        return (at,), [at], change

    return made


def _at_region(change, beyond=0):
    def made(draw, data):
        at = draw(st.integers(1, len(numbers(data)) + beyond))
        return (at,), [at], change

    return made


def _renaming(draw, data):
    old = draw(st.sampled_from(names(data)))
    new = draw(st.sampled_from([name for name in "abcd" if name != old]))
    return (old, new), [old, new], rename_condition


def _adding(draw, _):
    name = draw(st.sampled_from("abcd"))
    return (name,), [name], add_condition


def _dropping(draw, data):
    name = draw(st.sampled_from(names(data)))
    return (name,), [name], delete_condition


def _formula(draw, data):
    at = draw(st.integers(0, len(data["predictions"]) - 1))
    formula = draw(st.sampled_from(FORMULAS))
    return (at, formula), [at, {"formula": formula}], set_formula


EDITS = {
    "setCells": _cell,
    "insertItems": _at_item(insert_item, 1),
    "duplicateItem": _at_item(duplicate_item),
    "deleteItems": _at_item(delete_item),
    "insertRegion": _at_region(insert_region, 1),
    "deleteRegion": _at_region(delete_region),
    "renameCondition": _renaming,
    "addCondition": _adding,
    "deleteCondition": _dropping,
    "setPrediction": _formula,
}
START = suite_of(
    [
        {"a": ["The", "cat", "sleeps"], "b": ["The", "cats", "sleeps"]},
        {"a": ["A", "", "c"], "b": ["A", "b", ""]},
    ],
    FORMULAS[:2],
)


@examples(300)
@given(steps(START))
def test_edits_undo_and_redo_give_what_the_edits_give(ask, made):
    pages, expected, refused, is_changed = made
    found = ask("session", START, pages, UNREADABLE)
    assert [at for at, _ in found["refused"]] == refused
    assert found["data"] == expected
    assert found["isChanged"] == is_changed


# two versions


@examples(100)
@given(steps(START), steps(START))
def test_choices_between_two_versions_make_either_of_them(ask, one, other):
    theirs, mine = one[1], other[1]
    found = ask("merge", START, theirs, mine)
    if found is not None:  # members in another order are not compared by places
        assert (found["theirs"], found["mine"]) == (theirs, mine)
        assert bool(found["places"]) == (theirs != mine)


def test_two_versions_differ_in_cells_and_what_one_side_changed_is_kept(ask):
    theirs, mine = copy.deepcopy(START), copy.deepcopy(START)
    theirs["items"][0]["conditions"][0]["regions"][1]["content"] = "dog"
    theirs["items"][1]["conditions"][1]["regions"][2]["content"] = "c"
    mine["items"][0]["conditions"][0]["regions"][1]["content"] = ""
    mine["region_meta"]["3"] = "Verb"
    mine["meta"]["author"] = "me"
    del mine["predictions"][1]
    found = ask("merge", START, theirs, mine)
    assert [(p["place"], p["theirs"], p["mine"], p["changed"]) for p in found["places"]] == [
        ("author", "not there", "me", "mine"),
        ("name of region 3", "no text", "Verb", "mine"),
        ("prediction 2", FORMULAS[1], "not there", "mine"),
        ("item 1, a, region 2", "dog", "no text", None),
        ("item 2, b, Verb", "c", "no text", "theirs"),
    ]
    mine["items"][1]["conditions"][1]["regions"][2]["content"] = "c"
    assert found["both"] == mine
    mine["items"].reverse()
    assert ask("merge", START, theirs, mine) is None


def test_predictions_that_have_moved_are_one_place(ask):
    theirs, mine = copy.deepcopy(START), copy.deepcopy(START)
    new = {"type": "formula", "formula": "(1;%a%) < (2;%b%)"}
    theirs["predictions"].insert(0, new)
    mine["predictions"][1]["formula"] = "(1;%a%) > (2;%b%)"
    found = ask("merge", START, theirs, mine)
    assert [(p["place"], p["changed"]) for p in found["places"]] == [("predictions", None)]
    assert (found["theirs"], found["mine"]) == (theirs, mine)


def test_what_another_address_brings_replaces_no_later_edits(ask):
    here = {"a.json": {"text": "here", "when": 2}, "b.json": {"text": "here", "when": 1}}
    there = {name: {"text": "there", "when": 2 - at} for at, name in enumerate("bac")}
    brought = {f"{name}.json": kept for name, kept in there.items()}
    found = ask("brought", here, brought)
    assert {name: kept["text"] for name, kept in found.items()} == {
        "b.json": "there", "a.json": "here", "c.json": "there"
    }  # fmt: skip


# templates


@pytest.mark.parametrize(
    ("conditions", "regions", "formulas"),
    [
        ("match mismatch", "Subject Verb Rest", ["(2;%match%) < (2;%mismatch%)"]),
        ("mismatch match other", "Subject Attractor Verb", ["(3;%match%) < (3;%mismatch%)"]),
        ("match mismatch", "Subject Predicate", []),
        ("good bad", "Subject Verb Rest", []),
    ],
)
def test_a_formula_of_a_template_follows_the_name_of_its_region(ask, conditions, regions, formulas):
    template = "Agreement: two conditions"
    assert ask("formulasFor", template, conditions.split(), regions.split()) == formulas


def test_the_demo_model_knows_every_word_of_the_templates(ask):
    tokens = json.loads((ROOT / "scoring/demo_model/tokenizer.json").read_bytes())["model"]["vocab"]
    known = {token.removeprefix("Ġ") for token in tokens}
    for name, template in ask("templates").items():
        assert {*re.findall(r"\w+", " ".join(template["example"]))} <= known, name


def test_a_formula_that_is_not_written_yet_keeps_no_region(ask):
    data = {**suite_of([{"a": ["a", "a"]}], [""]), "region_meta": {"1": "One", "2": "Two"}}
    done = ask("session", data, [["deleteRegion", 2]])
    assert done["refused"] == []
    assert done["data"]["region_meta"] == {"1": "One"}


def test_conditions_are_renamed_and_deleted_in_any_normal_form(ask):
    composed, decomposed = normalize("NFC", "uyumlu_özne"), normalize("NFD", "uyumlu_özne")
    data = suite_of([{decomposed: ["Ben"], "b": ["Sen"]}], [f"(1;%b%) > (1;%{composed}%)"])
    renamed = ask("session", data, [["renameCondition", composed, "条件"]])["data"]
    assert renamed == suite_of([{"条件": ["Ben"], "b": ["Sen"]}], ["(1;%b%) > (1;%条件%)"])
    (refusal,) = ask("session", data, [["deleteCondition", decomposed]])["refused"]
    assert "prediction 1 uses condition" in refusal[1]
    (refusal,) = ask("session", data, [["addCondition", composed]])["refused"]
    assert "already" in refusal[1]
