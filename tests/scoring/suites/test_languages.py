"""Suites in other scripts: condition names and texts from the check to the scores."""

import json
from unicodedata import normalize

import pytest
from evalmark.converters.convert_document import convert_data
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_data, check_file
from found import codes_of
from run_data import table
from suites import suite_of

#: Classifiers and nouns; the other classifier is that of another noun.
CHINESE = [
    {"正确": ["他买了一", right, noun, "。"], "错误": ["他买了一", wrong, noun, "。"]}
    for right, wrong, noun in (
        ("本", "条", "书"), ("张", "本", "桌子"), ("辆", "张", "汽车"), ("条", "辆", "裤子"),
        ("只", "条", "小猫"), ("把", "件", "雨伞"), ("件", "把", "衣服"), ("支", "台", "铅笔"),
    )
]  # fmt: skip
#: Animals and people are いる, things are ある.
JAPANESE = [
    {"正しい": [place, noun, "が", right], "誤り": [place, noun, "が", wrong]}
    for place, noun, right, wrong in (
        ("庭に", "猫", "いる。", "ある。"), ("部屋に", "机", "ある。", "いる。"),
        ("駅に", "先生", "いる。", "ある。"), ("公園に", "子供", "いる。", "ある。"),
        ("棚に", "本", "ある。", "いる。"), ("店に", "客", "いる。", "ある。"),
        ("川に", "魚", "いる。", "ある。"), ("机の上に", "鍵", "ある。", "いる。"),
    )
]  # fmt: skip
#: A verb before a feminine subject is feminine.
ARABIC = [
    {"مُطابِق": [f"{verb}ت", noun, f"{rest}."], "غير_مطابق": [verb, noun, f"{rest}."]}
    for verb, noun, rest in (
        ("كتب", "المعلمة", "الرسالة"), ("أخذ", "البنت", "التفاحة"), ("فتح", "المديرة", "الباب"),
        ("رسم", "الطفلة", "الشجرة"), ("سمع", "الجارة", "الخبر"), ("غسل", "الجدة", "الثوب"),
        ("شرب", "المرأة", "الماء"), ("وجد", "الطالبة", "الكتاب"),
    )
]  # fmt: skip
#: A verb agrees with its subject.
TURKISH = [
    {"uyumlu_özne": [who, where, right], "çelişkili": [who, where, wrong]}
    for who, where, right, wrong in (
        ("Ben", "dün eve", "geldim.", "geldin."), ("Sen", "bugün okula", "gittin.", "gittim."),
        ("Ben", "akşam şarkı", "söyledim.", "söyledin."), ("Sen", "bir elma", "yedin.", "yedim."),
        ("Ben", "İzmir'de", "kaldım.", "kaldın."), ("Sen", "ışığı", "açtın.", "açtım."),
        ("Ben", "kapıyı", "kapattım.", "kapattın."), ("Sen", "iki kitap", "okudun.", "okudum."),
    )
]  # fmt: skip
#: Language → items, a prediction, and whether spaces join regions.
LANGUAGES = {
    "chinese": (CHINESE, "(3;%错误%) > (3;%正确%)", False),
    "japanese": (JAPANESE, "(4;%誤り%) > (4;%正しい%)", False),
    "arabic": (ARABIC, "(2;%غير_مطابق%) > (2;%مُطابِق%)", True),
    "turkish": (TURKISH, "(3;%çelişkili%) > (3;%uyumlu_özne%)", True),
}


def data_of(language, form="NFC"):
    items, formula, is_spaced = LANGUAGES[language]
    how = {} if is_spaced else {"no_space_before": "all"}
    return with_names_in(suite_of(items, [formula], **how), form)


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
    checked = run("evalmark", "check", "-v", path, code=0)
    assert "the reference implementation cannot read condition names such as" in checked.err
    is_spaced = LANGUAGES[language][2]
    assert ("reference implementation ignores `no_space_before`" in checked.err) is not is_spaced


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
    codes = set(codes_of(suite_of([texts], ["(2;%çift%) > 0"])))
    assert "SG405" in codes


#: Language → the place of a region, what is written there by mistake, and the finding.
MISTAKES = {
    "chinese": (0, "", "SG432"),
    "japanese": (2, "", "SG432"),
    "arabic": (2, " الشجرة.", "SG302"),
    "turkish": (1, " bir elma", "SG302"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_suite_from_the_check_to_the_report(language, run, here, torch):
    """Checked, corrected, scored, reported and converted; values of a small model are silly."""
    data = data_of(language, "NFD")
    items, formula, is_spaced = LANGUAGES[language]
    right, wrong = items[0]
    broken = json.loads(json.dumps(data))
    place, text, code = MISTAKES[language]
    broken["items"][3]["conditions"][1]["regions"][place]["content"] = text
    path = here / "suite.json"
    path.write_text(json.dumps(broken, ensure_ascii=False, indent=1), encoding="utf-8")
    (finding,) = check_file(path).findings
    assert finding.code == code
    assert run("evalmark", "check", "--fix", "--unsafe-fixes", path).code == 0
    assert json.loads(path.read_text(encoding="utf-8")) == data

    run("evalmark", "score", path, "--model", "demo", "--device", "cpu",
        "--regions", "all", "--out", "out", code=0)  # fmt: skip
    regions = table(here / "out", "regions")
    sentences = [text for item in items for text in item.values()]
    assert [row["content"] for row in regions] == [text for s in sentences for text in s]
    assert {row["condition"] for row in regions} == {right, wrong}
    assert all(row["tokens"] != "0" for row in regions)
    tokens = table(here / "out", "tokens")
    for number, row in enumerate(regions):
        its = [t for t in tokens if all(t[k] == row[k] for k in ("item", "condition", "region"))]
        assert float(row["value"]) == pytest.approx(sum(float(t["surprisal"]) for t in its))
        assert len(its) == int(row["tokens"]), number
    values = {(r["item"], r["condition"], r["region"]): float(r["value"]) for r in regions}
    region = formula[1]
    for effect in table(here / "out", "effects"):
        sides = [values[effect["item"], name, region] for name in (wrong, right)]
        assert float(effect["margin"]) == pytest.approx(sides[0] - sides[1])
    assert run("evalmark", "check", "out").code == 0
    assert run("evalmark", "report", "out", "--out", "report.html").code == 0
    page = (here / "report.html").read_text(encoding="utf-8")
    assert right in page
    assert wrong in page

    texts = convert_data(data, to="sentences").data
    assert texts == [(" " if is_spaced else "").join(sentence) for sentence in sentences]
    assert convert_data(data, to="suite-legacy").data["meta"] == data["meta"]
    both = {**data, "predictions": [{"type": "formula", "formula": f"{formula} & {formula}"}]}
    with pytest.raises(ConversionError, match="single comparison"):
        convert_data(both, to="suite-legacy")
