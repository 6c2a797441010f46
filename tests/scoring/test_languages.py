"""Suites in other scripts: condition names and texts from the check to the scores."""

from __future__ import annotations

import json
from unicodedata import normalize

import pytest
from evalmark.converters.convert_document import convert_data
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_data, check_file
from strategies import suite_of

CHINESE = [
    {"正确": [f"他买了一{right}", noun, "。"], "错误": [f"他买了一{wrong}", noun, "。"]}
    for right, wrong, noun in (("本", "条", "书"), ("张", "本", "桌子"), ("辆", "张", "汽车"))
]
JAPANESE = [
    {"正しい": [place, f"{noun}が", right], "誤り": [place, f"{noun}が", wrong]}
    for place, noun, right, wrong in (
        ("庭に", "猫", "いる。", "ある。"),
        ("部屋に", "机", "ある。", "いる。"),
        ("駅に", "先生", "いる。", "ある。"),
    )
]
ARABIC = [
    {"مُطابِق": [right, noun, "الكتاب."], "غير_مطابق": [wrong, noun, "الكتاب."]}
    for right, wrong, noun in (
        ("قرأت", "قرأ", "الطالبة"),
        ("كتبت", "كتب", "المعلمة"),
        ("أخذت", "أخذ", "البنت"),
    )
]
TURKISH = [
    {"uyumlu_özne": [who, where, right], "çelişkili": [who, where, wrong]}
    for who, where, right, wrong in (
        ("Ben", "dün eve", "geldim.", "geldin."),
        ("Sen", "bugün okula", "gittin.", "gittim."),
        ("Ben", "akşam şarkı", "söyledim.", "söyledin."),
    )
]
#: Language → items, a prediction, and how regions are joined.
LANGUAGES = {
    "chinese": (CHINESE, "(2;%错误%) > (2;%正确%)", "none"),
    "japanese": (JAPANESE, "(3;%誤り%) > (3;%正しい%)", "none"),
    "arabic": (ARABIC, "(2;%غير_مطابق%) > (2;%مُطابِق%)", "core"),
    "turkish": (TURKISH, "(3;%çelişkili%) > (3;%uyumlu_özne%)", "core"),
}


def data_of(language, form="NFC"):
    items, formula, _ = LANGUAGES[language]
    return with_names_in(suite_of(items, [formula]), form)


def with_names_in(data, form):
    """The suite with the names of conditions in a normal form; formulas stay as they are."""
    for item in data["items"]:
        for condition in item["conditions"]:
            condition["condition_name"] = normalize(form, condition["condition_name"])
    return data


def file_of(language, folder, form="NFC"):
    path = folder / f"{language}.json"
    path.write_text(json.dumps(data_of(language, form), ensure_ascii=False), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_suite_checks_clean_and_v_says_what_the_reference_cannot_read(
    language, form, run, tmp_path
):
    path = file_of(language, tmp_path, form)
    checked = run("evalmark", "check", "-v", "--join", LANGUAGES[language][2], path)
    assert checked.code == 0, checked.out
    assert "the reference implementation cannot read condition names such as" in checked.err


def test_names_of_ascii_have_no_remark(run, tmp_path):
    path = tmp_path / "english.json"
    path.write_text(
        json.dumps(suite_of([{"a": ["He", "ran."], "b": ["He", "run."]}], ["(2;%b%) > (2;%a%)"]))
    )
    assert "reference implementation" not in run("evalmark", "check", "-v", path).err


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_suite_survives_the_legacy_dialect(language, form):
    data = data_of(language, form)
    old = convert_data(data, to="suite-legacy").data
    names = {c["condition_name"] for item in old["items"] for c in item["conditions"]}
    assert {old["predictions"][0][key] for key in ("l_operand", "r_operand")} == names
    back = convert_data(old).data
    assert back["items"] == data["items"]
    formula = back["predictions"][0]["formula"]
    assert normalize("NFC", formula) == normalize("NFC", data["predictions"][0]["formula"])


def test_the_legacy_dialect_cannot_hold_a_name_in_two_normal_forms():
    data = data_of("turkish")
    data["items"][1] = with_names_in({"items": [data["items"][1]]}, "NFD")["items"][0]
    assert not check_data(data).findings
    with pytest.raises(ConversionError, match="several normal forms"):
        convert_data(data, to="suite-legacy")
    renamed = Supplied(renames={"çelişkili": "b", "uyumlu_özne": "a"})
    old = convert_data(data, to="suite-legacy", supplied=renamed).data
    assert old["predictions"][0]["l_operand"] == "b"


def test_rows_of_a_table_name_one_condition_in_any_normal_form():
    rows = [
        {
            "item_number": "1", "condition_name": normalize(form, "çift"),
            "region_number": str(number), "region_name": "", "content": text,
        }
        for number, form, text in ((1, "NFC", "Ben"), (2, "NFD", "geldim."))
    ]  # fmt: skip
    supplied = Supplied(predictions=("(2;%çift%) > 0",))
    ((condition,),) = [
        item["conditions"] for item in convert_data(rows, supplied=supplied).data["items"]
    ]
    assert [region["content"] for region in condition["regions"]] == ["Ben", "geldim."]
    wide = [{"item": "1", "condition": row["condition_name"], "A": "b"} for row in rows]
    with pytest.raises(ConversionError, match="twice"):
        convert_data(wide, supplied=supplied)


def test_one_name_in_two_normal_forms_is_a_duplicate():
    texts = {"çift": ["Ben", "geldim."], normalize("NFD", "çift"): ["Ben", "geldin."]}
    codes = {f.code for f in check_data(suite_of([texts], ["(2;%çift%) > 0"])).findings}
    assert "SG405" in codes


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_suite_is_scored(language, run, tmp_path):
    pytest.importorskip("torch")
    results = {}
    for form in ("NFC", "NFD"):
        folder = tmp_path / form
        folder.mkdir()
        path = file_of(language, folder, form)
        scored = run(
            "evalmark", "score", path, "--model", "demo", "--join", LANGUAGES[language][2],
            "--out", folder / "out", "--device", "cpu",
        )  # fmt: skip
        assert scored.code == 0, scored.err
        assert not [f for f in check_file(path).findings if f.severity == "error"]
        results[form] = (folder / "out/regions.csv").read_text(encoding="utf-8")
    assert results["NFC"] == results["NFD"]
    assert all(name in results["NFC"] for name in LANGUAGES[language][0][0])
