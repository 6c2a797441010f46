"""Advice on suites that is right, or absent."""

import copy
import json

import pytest
from evalmark.validator.check import check_data
from evalmark.validator.findings.finding import apply_fixes
from found import codes_of, findings_of
from suites import suite_of

NOUNS = ["guard", "cook", "nurse", "pilot", "clerk", "judge", "chef", "boy", "girl", "poet"]
REST = ["lamp", "tree", "boat", "horse", "song", "river", "wall", "door", "book", "bell"]
VERBS = ["act", "bake", "cut", "draw", "eat", "fly", "give", "hate", "jump", "kick"]
LABELS = ("sing_match", "sing_mismatch", "plur_match", "plur_mismatch")
FORMULAS = ("(2;%sing_match%) < (2;%sing_mismatch%)", "(2;%plur_match%) < (2;%plur_mismatch%)")


def agreement(labels=LABELS, formulas=FORMULAS):
    """Ten items: subject, verb, object."""
    items = [
        {
            name: [
                f"The {noun}{'s' if name.startswith('plur') else ''}",
                "see" if name in ("sing_mismatch", "plur_match") else "sees",
                f"the {rest}",
            ]
            for name in labels
        }
        for noun, rest in zip(NOUNS, REST, strict=True)
    ]
    return suite_of(items, formulas)


def regions(suite, item, condition):
    return suite["items"][item]["conditions"][condition]["regions"]


def test_the_suite_has_no_finding():
    assert findings_of(agreement()) == ()


def test_of_two_items_that_are_nearly_the_same_the_one_whose_conditions_do_not_fit_is_wrong():
    suite = agreement()
    for condition in (0, 1, 2):  # the texts of item 7 in item 3, but for one condition
        regions(suite, 2, condition)[:] = copy.deepcopy(regions(suite, 6, condition))
    (finding,) = (f for f in findings_of(suite) if f.code in ("SG435", "SG432"))
    assert (finding.code, finding.pointer) == ("SG435", "/items/2/item_number")


def test_a_name_that_is_cut_is_completed_only_if_one_name_begins_so():
    for cut, advice in (("sing_", ()), ("plur_mis", ("did you mean `plur_mismatch`?",))):
        suite = agreement(formulas=(f"(2;%{cut}%) < (2;%plur_match%)",))
        (finding,) = (f for f in findings_of(json.dumps(suite)) if f.code == "SG204")
        assert (finding.helps, bool(finding.fix)) == (advice, bool(advice))


def test_a_region_that_is_empty_by_design_is_not_to_be_filled():
    suite = agreement(formulas=("(3;%sing_match%) > (3;%sing_mismatch%)",))
    for item in range(len(NOUNS)):
        regions(suite, item, 0)[2]["content"] = ""
    (finding,) = (f for f in findings_of(suite) if f.code == "SG206")
    assert finding.helps == ("compare a region that has a text",)


def test_a_cell_that_is_lost_is_no_habit_of_the_others():
    """Two columns are in alphabetical order, and one text is lost from one of them."""
    items = [
        {"a": [f"The {noun}", verb, f"the {rest}"], "b": [f"The {noun}", f"{verb}s", f"the {rest}"]}
        for noun, verb, rest in zip(sorted(NOUNS), VERBS, sorted(REST), strict=True)
    ]
    suite = suite_of(items, ["(2;%a%) < (2;%b%)"])
    assert findings_of(suite) == ()
    for condition in (0, 1):
        regions(suite, 5, condition)[2]["content"] = ""
    assert codes_of(suite) == ["SG318"]


@pytest.mark.parametrize("character", ["\x07", "\x0b", "\x1c"])
def test_a_control_character_in_a_word_is_no_space(character):
    suite = agreement()
    region = regions(suite, 4, 0)[2]
    region["content"] = region["content"][:6] + character + region["content"][6:]
    (finding,) = findings_of(suite)
    assert finding.code == "SG305"
    assert finding.helps in ((), ('write "the song"',))


def test_a_label_that_was_copied_is_one_finding_with_the_missing_label():
    suite = agreement()
    suite["items"][3]["conditions"][2]["condition_name"] = "sing_mismatch"
    (finding,) = findings_of(json.dumps(suite))
    assert (finding.code, finding.helps) == ("SG405", ('write "plur_match"',))
    fixed = apply_fixes(json.dumps(suite), [finding], unsafe=True).text
    assert json.loads(fixed) == agreement()


def test_a_word_that_ends_a_region_and_begins_the_next_may_be_wrong_in_either():
    suite = agreement()
    for condition in range(4):
        regions(suite, 4, condition)[1]["content"] += " the"
    assert all(not f.fix for f in findings_of(suite) if f.code == "SG315")


def test_one_slip_does_not_make_the_marks_of_other_items_odd():
    """A question mark without a space, in a suite that has one before all others."""
    suite = agreement()
    for item in range(len(NOUNS)):
        for condition in range(4):
            regions(suite, item, condition)[2]["content"] += " !"
    assert findings_of(suite) == ()
    bad = copy.deepcopy(suite)
    for condition in range(4):
        regions(bad, 4, condition)[2]["content"] = "the song!"
    assert "SG314" not in codes_of(bad)


def test_two_rows_that_were_exchanged_are_one_finding():
    suite = agreement()
    one, other = (suite["items"][k]["conditions"][1] for k in (2, 6))
    one["regions"], other["regions"] = other["regions"], one["regions"]
    findings = findings_of(suite)
    assert [f.code for f in findings] == ["SG433"]
    assert "items 3 and 7 have each other's texts in condition" in findings[0].message


@pytest.mark.parametrize("rows", [range(3), range(7, 10), range(4, 5)])
def test_columns_that_were_exchanged_in_some_rows_are_one_finding(rows):
    suite = agreement(formulas=())
    for item in rows:
        for condition in range(4):
            first, second, _ = regions(suite, item, condition)
            first["content"], second["content"] = second["content"], first["content"]
    (finding,) = check_data(suite).findings
    assert (finding.code, finding.pointer.split("/")[2]) == ("SG437", str(rows[0]))
