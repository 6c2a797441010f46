"""The reader who sees the whole suite: an item against the others, a column against its habit."""

import copy
import json
import random
from itertools import product

import pytest
from conftest import data_at
from evalmark.validator.check import check_data, check_text
from found import codes_of, with_fixes
from suites import contrast, regions_in

from benchmarks.mistakes.items import COLUMNS, ITEMS
from benchmarks.mistakes.texts import DESIGN, TEXTS

LANGUAGES = data_at("languages.json")


def suite(regions, rows, **meta):
    """A suite about the region in which the first two sentences differ."""
    at = 1 + [a == b for a, b in zip(*(s.split("|") for s in rows[0]), strict=True)].index(False)
    return contrast(rows, regions, at=at, **meta)


def language(name):
    data = LANGUAGES[name]
    rows = [(row, row.replace(*forms)) for row, forms in data["rows"]]
    meta = {"no_space_before": "all"} if data["unspaced"] else {}
    return suite(data["regions"], rows, **meta)


@pytest.mark.parametrize("name", LANGUAGES)
def test_what_a_language_and_a_suite_use_is_no_finding(name):
    assert [(f.code, f.message) for f in check_data(language(name)).findings] == []


def english():
    nouns = "man,woman,boy,girl,king,queen,dog,nurse,cook,poet,judge,thief"
    rests = "old horse,red car,small bird,best friend,tall tree,blue boat,new clerk,young sister"
    rests += ",loud crowd,open door,cold river,high wall"
    return [
        (f"The {noun}|sees|the {rest}", f"The {noun}|see|the {rest}")
        for noun, rest in zip(nouns.split(","), rests.split(","), strict=True)
    ]


def found(rows):
    findings = check_text(json.dumps(suite("SVO", rows)), select=("ALL",)).findings
    return [(f.code, f.helps[0].partition(" here")[0] if f.fix else "") for f in findings]


#: The rest of one item in both sentences.
SLIPS = (
    "the 0ld horse", "the old,horse", "the old horse;", "theold horse", "the old hor se",
    "The old horse", "the old horse (check)", "the old/young horse", "the old horse → dog",
    "the öld† horse", "the old horse)", 'the "old horse', "", "17",
)  # fmt: skip


@pytest.mark.parametrize("text", SLIPS)
def test_what_all_others_do_without_is_one_finding_of_an_item_and_nothing_is_proposed(text):
    rows = english()
    rows.insert(5, ("The cat|sees|the old horse", "The cat|see|the old horse"))
    rows[5] = tuple(f"{row.rpartition('|')[0]}|{text}" for row in rows[5])
    assert found(rows) == [("SG318", "")]


def test_a_word_after_one_with_a_capital_is_not_taken_away_because_it_is_doubled():
    rows = english()
    rows[3] = tuple(row.replace("|the", ". The|the") for row in rows[3])
    assert [fix for code, fix in found(rows) if code == "SG315"] == ["", ""]


def test_what_two_items_have_is_a_convention():
    rows = english()
    for i in (2, 7):
        rows[i] = tuple(f"{row} (sic)" for row in rows[i])
    assert found(rows) == []


def test_a_suite_may_be_written_in_blocks_of_one_verb_but_one_verb_is_not_filled_down():
    for sizes, codes in (
        ([5] * 8, []),
        ([3, 5, 4, 6, 3, 4, 5, 2], []),
        ([1] * 12 + [6], ["SG437"]),
    ):
        verbs = [f"{'kdambhfgcljei'[k]}ind" for k, size in enumerate(sizes) for _ in range(size)]
        nouns = random.Random(1).sample([f"{a}a{b}" for a, b in product("bdflmpr", "dgkmnt")], 40)
        rows = [(f"The {n}|{v}s|it", f"The {n}|{v}|it") for n, v in zip(nouns, verbs, strict=False)]
        assert [code for code, _ in found(rows)] == codes


def test_of_two_sentences_that_differ_neither_is_rewritten_and_no_item_becomes_a_copy():
    rows, other = english(), english()[2]
    rows[7] = (rows[7][0], other[1])
    copied = [*english()[:7], (other[0], other[1].replace("The girl", "The old")), *english()[8:]]
    moved = english()
    moved[7] = (moved[7][0], moved[7][1].replace("young sister", "old horse"))
    for each in (rows, copied, moved):
        findings = check_text(json.dumps(suite("SVO", each))).findings
        assert findings
        assert [f.code for f in findings if f.fix] == []


def test_a_sentence_gets_no_capital_and_no_stop_because_others_have_them():
    for end, changed, codes in (
        ("", str.lower, {"SG316"}),
        ("", turned, {"SG437"}),
        (".", lambda row: row.rstrip("."), {"SG317"}),
        (".", turned, {"SG437"}),
    ):
        rows = [
            (f"The {n}|sees|the {n} ox{end}", f"The {n}|see|the {n} ox{end}")
            for n in "abcdefghijklmnopqrst"
        ]
        rows[7] = tuple(map(changed, rows[7]))
        findings = check_text(json.dumps(suite("SVO", rows))).findings
        assert {f.code for f in findings} >= codes
        assert not [f for f in findings if f.fix or any(h.startswith("write") for h in f.helps)]


def turned(row):
    return "|".join(reversed(row.split("|")))


def test_a_suite_that_is_made_of_the_same_parts_has_no_copies():
    data = data_at("bad/SG435_similar_items.json")
    (good, bad), others = (
        [condition["regions"] for condition in data["items"][k]["conditions"]] for k in (8, 3)
    )
    good[::2], bad[:] = others[0][::2], others[1]
    assert codes_of(data) == ["SG407"]


def test_of_two_items_that_are_nearly_one_neither_gets_a_capital():
    for copied, other in ((3, 9), (9, 3)):
        rows = [tuple(f"{row}|near {row[-9:]}" for row in sentences) for sentences in english()]
        good, bad = rows[other]
        rows[copied] = (good, "something else" + bad[bad.index("|") :])
        findings = check_text(json.dumps(suite("SVOP", rows))).findings
        assert [f.code for f in findings] == ["SG435"]


def test_a_word_that_several_items_have_is_not_spelled_in_another_way(run, here):
    rows = english()
    for i in (1, 4, 8):
        rows[i] = tuple(row.replace("the ", "the clever ") for row in rows[i])
    rows[6] = tuple(row.replace("the ", "the clevre ") for row in rows[6])
    assert found(rows) == [("SG319", "")]
    (here / "evalmark.toml").write_text('words = ["clevre"]\n')
    (here / "x.json").write_text(json.dumps(suite("SVO", rows)))
    assert run("evalmark", "check", "--select", "SG319", "x.json").out == ""


#: All but those that leave nothing of an item.
OPERATORS = [
    operator
    for operator in (*ITEMS, *COLUMNS, *DESIGN, *TEXTS)
    if operator.__name__ not in ("item_nearly_copied", "sentence_of_another_item")
]
SUITE = data_at("suites/relative_clause.json")


@pytest.mark.slow
def test_a_fix_writes_the_original_or_leaves_the_text():
    wrong = []
    for operator, seed in product(OPERATORS, range(2)):
        data = copy.deepcopy(SUITE)
        if not operator(data, random.Random(f"{operator.__name__} {seed}")):
            continue
        fixed, _ = with_fixes(data, unsafe=True)
        triples = zip(contents(SUITE), contents(data), contents(fixed), strict=True)
        wrong += [(operator.__name__, *t) for t in triples if t[2] not in t[:2]]
    assert wrong == []


def contents(data):
    items = sorted(data["items"], key=lambda item: item["item_number"])
    return [region["content"].strip() for region in regions_in({"items": items})]
