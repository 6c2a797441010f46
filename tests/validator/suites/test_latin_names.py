"""Conditions in any script: evalmark reads them, and can spell them for programs that do not."""

from unicodedata import normalize

import pytest
from evalmark.converters.convert_document import convert_data
from evalmark.validator.formats.suites.condition_names import is_condition_name
from evalmark.validator.formats.suites.latin_names import latin_names
from found import with_fixes
from suites import suite_of


@pytest.mark.parametrize(
    ("name", "latin"),
    [
        ("صحيح", "shyh"),
        ("خطأ", "khta"),
        ("نمی‌شود", "nmyshwd"),  # with the joiner that Persian is spelled with
        ("תקין", "tqyn"),
        ("doğru", "dogru"),
        ("Groß_é", "Gross_e"),
        ("İyi-ı", "Iyi-i"),
        ("Объект", "Obekt"),
        ("σωστό", "sosto"),
        ("ただしい", "tadasii"),
        ("정답", "jeongdab"),
        ("حالة_١", "hala_1"),
        ("正しい", "condition_1"),  # how Han characters sound depends on the language
        ("ถูก", "condition_1"),
    ],
)
def test_a_name_is_spelled_in_ascii_where_its_letters_have_a_spelling(name, latin):
    assert is_condition_name(name)
    assert latin_names([name]) == {name: latin}


def test_spelled_names_differ_from_each_other_and_from_those_that_stay():
    assert latin_names(["e", "é", "è", "正", "condition_5", "誤"]) == {
        "é": "e_2",
        "è": "e_3",
        "正": "condition_4",
        "誤": "condition_6",
    }


def names(data):
    return [one["condition_name"] for item in data["items"] for one in item["conditions"]]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_such_names_check_clean_and_are_spelled_in_items_and_formulas_if_asked(form):
    good = normalize(form, "doğru")
    item = {good: ["a", "b"], "yanlış": ["a", "c"]}
    data = suite_of([item, item | {good: ["d", "b"]}], [f"(2;%{good}%) < (2;% yanlış %)"])
    assert with_fixes(data) == (data, [])
    latin, codes = with_fixes(data, select=["non-ascii-condition"])
    assert codes == ["SG422"]
    assert names(latin) == ["dogru", "yanlis"] * 2
    assert latin["predictions"][0]["formula"] == "(2;%dogru%) < (2;% yanlis %)"


def test_a_name_that_no_formula_can_hold_is_renamed_everywhere():
    item = {"مطابقة صحيحة": ["a", "b"], "no gap": ["a", "c"]}
    data = suite_of([item], ["(2;%مطابقة صحيحة%) < (2;%no gap%)"])
    new, codes = with_fixes(data)
    assert codes == ["SG421"] * 2
    assert names(new) == ["مطابقة_صحيحة", "no_gap"]
    assert new["predictions"][0]["formula"] == "(2;%مطابقة_صحيحة%) < (2;%no_gap%)"
    assert with_fixes(new)[1] == []


def test_operands_of_the_legacy_dialect_are_renamed_too():
    data = suite_of([{"é": ["a", "b"], "b": ["a", "c"]}], ["(2;%é%) < (2;%b%)"])
    old = convert_data(data, to="suite-legacy").data
    new, _ = with_fixes(old, select=["SG422"])
    assert names(new) == ["e", "b"]
    assert new["predictions"][0]["l_operand"] == "e"
