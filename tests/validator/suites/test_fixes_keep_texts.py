"""No fix empties a text, and no suggestion does."""

import json

import pytest
from conftest import FIXTURES
from evalmark.validator.check import check_data, check_text
from evalmark.validator.findings.finding import apply_fixes
from suites import regions_in, suite_of

CONDITIONS = ("sing_match", "sing_mismatch", "plur_match", "plur_mismatch")
NOUNS = ("key", "author", "pilot", "farmer", "guard", "senator", "nurse", "banker", "clerk", "cook")


def texts_of(suite):
    return [region["content"] for region in regions_in(suite)]


def suite_with_merged_cells(conditions):
    """The first region of item 5 is filled in its first condition only."""
    items = [
        {name: [f"The {noun}", "by the door", f"{name} {noun}"] for name in conditions}
        for noun in NOUNS
    ]
    for name in conditions[1:]:
        items[4][name][0] = ""
    return suite_of(items, [f"(3;%{conditions[0]}%) < (3;%{conditions[1]}%)"])


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_only_cell_with_a_text_keeps_it(count):
    suite = suite_with_merged_cells(CONDITIONS[:count])
    text = json.dumps(suite, indent=1)
    findings = check_text(text).findings
    assert "SG432" in {f.code for f in findings}
    assert not [f for f in findings if 'write ""' in f.helps]
    fixed = json.loads(apply_fixes(text, findings, unsafe=True).text)
    assert "The guard" in texts_of(fixed)
    assert texts_of(fixed).count("") <= texts_of(suite).count("")


def test_of_two_conditions_the_empty_one_gets_the_text_of_the_other():
    (finding,) = check_data(suite_with_merged_cells(CONDITIONS[:2])).findings
    assert finding.helps == ('write "The guard"',)


@pytest.mark.parametrize("path", sorted((FIXTURES / "bad").glob("SG*.json")), ids=lambda p: p.stem)
def test_no_fix_of_a_suite_empties_a_text(path):
    text = path.read_text("utf-8")
    try:
        before = texts_of(json.loads(text))
    except (KeyError, TypeError):
        pytest.skip("its shape is not that of a suite")
    after = texts_of(json.loads(apply_fixes(text, check_text(text).findings, unsafe=True).text))
    assert [(a, b) for a, b in zip(before, after, strict=True) if a and a.strip() and not b] == []


@pytest.mark.parametrize("code", ["SG316", "SG317", "SG318", "SG319", "SG431", "SG433"])
def test_no_text_is_proposed_because_other_items_look_otherwise(code):
    for path in (FIXTURES / "bad").glob(f"{code}_*.json"):
        findings = check_text(path.read_text("utf-8"), select=("ALL",)).findings
        found = [f for f in findings if f.code == code]
        assert found
        assert not [f for f in found if f.fix or f.actions]


def test_the_text_that_all_other_conditions_of_the_item_have_is_proposed():
    suite = suite_with_merged_cells(CONDITIONS[:3])
    for condition, text in zip(
        suite["items"][4]["conditions"], ("guard", "guards", "guard"), strict=True
    ):
        condition["regions"][0]["content"] = f"The {text}"
    (found,) = [f for f in check_data(suite).findings if f.code == "SG432"]
    assert found.helps == ('write "The guard"',)
    two = suite_with_merged_cells(CONDITIONS[:2])
    two["items"][4]["conditions"][1]["regions"][0]["content"] = "The guards"
    (found,) = check_data(two).findings
    assert (found.code, found.helps) == ("SG432", ()), "either may be wrong"


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([1, 2, 3, 3, 5], "no item has the number 4"),
        ([2, 2, 3, 4, 5], "no item has the number 1"),
        ([1, 2, 2, 4, 4, 6], "no item has the numbers 3 and 5"),
        ([1, 2, 3, 3, 4], "write 5, which is unused"),
        ([1, 1, 10**15], f"write {10**15 + 1}, which is unused"),
        ([101, 102, 102, 104], "no item has the number 103"),
    ],
)
def test_a_number_that_is_missing_is_named_before_a_new_one(numbers, said):
    suite = suite_with_merged_cells(CONDITIONS[:2])
    suite["items"] = [
        {**item, "item_number": number}
        for item, number in zip(suite["items"], numbers, strict=False)
    ]
    found = [f for f in check_data(suite).findings if f.code == "SG404"]
    assert {f.helps for f in found} == {(said,)}
