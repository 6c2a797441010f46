"""Scripts without spaces, and joiners: what is written with them is not odd."""

import json
import unicodedata

import pytest
from evalmark.validator.check import check_data, check_text
from evalmark.validator.formats.shared.writing_systems import (
    UNSPACED,
    is_joiner,
    is_unspaced,
    unspaced_script,
)
from found import codes_of
from run_data import settings_of
from suites import suite_of

WRITTEN = {
    "Han": ["我有一", "本", "书。"],
    "Hiragana": ["わたしは", "ねこを", "みる"],
    "Katakana": ["テレビ", "ニュース"],
    "Thai": ["ฉัน", "รัก", "คุณ"],
    "Lao": ["ຂ້ອຍ", "ຮັກ", "ເຈົ້າ"],
    "Khmer": ["ខ្ញុំ", "ស្រឡាញ់", "អ្នក"],
    "Myanmar": ["ငါ", "မင်းကို", "ချစ်တယ်"],
    "Tibetan": ["ང་", "ཁྱོད་ལ་", "དགའ"],
}
SPACED = {
    "English": ["The woman", "plays"],
    "Korean": ["나는", "너를", "사랑해"],
    "Arabic": ["أنا", "أحبك"],
    "Hindi": ["मैं", "जाता", "हूँ"],
    "Vietnamese": ["Tôi", "yêu", "bạn"],
}


def codes(contents, **arguments):
    items = [{"a": [*contents], "b": [*contents[:-1], "x"]}]
    data = suite_of(items, [f"({len(contents)};%a%) < ({len(contents)};%b%)"])
    return [f.code for f in check_data(data, **arguments).findings if f.code in ("SG305", "SG307")]


@pytest.mark.conforms("S-63")
@pytest.mark.parametrize("script", WRITTEN)
def test_regions_of_a_script_without_spaces_are_joined_by_nothing(script):
    contents = WRITTEN[script]
    assert unspaced_script(contents) == script
    for join in ("core", "hf", "brainscore"):
        assert codes(contents, join=join) == ["SG307"]
    assert codes(contents, join="none") == []


@pytest.mark.parametrize("language", SPACED)
def test_other_scripts_are_joined_with_spaces(language):
    assert unspaced_script(SPACED[language]) is None
    assert codes(SPACED[language]) == []


def test_the_script_is_that_of_most_letters():
    assert codes(["The word", "我", "你", "is Chinese"]) == []
    assert codes(["我喜欢", "看", "BBC", "的节目"]) == ["SG307"]


@pytest.mark.parametrize("contents", [["我喜欢你。"], ["我喜欢你", ""], ["我喜欢看节目", "BBC"]])
def test_where_no_space_is_put_between_two_such_regions_nothing_is_said(contents):
    assert codes(contents) == []


@pytest.mark.conforms("S-65")
def test_spaces_in_regions_are_those_of_the_sentence_where_nothing_joins_them():
    data = suite_of([{"a": ["The ", "dog"], "b": ["The ", "cat"]}], ["(2;%a%) < (2;%b%)"])
    assert "SG301" in codes_of(data)
    assert check_data(data, join="none").findings == ()


def test_letters_of_the_table_are_those_of_their_scripts():
    names = {"Han": "CJK ", "Hiragana": "HIRAGANA", "Katakana": "KATAKANA"}
    for script, letters in WRITTEN.items():
        for letter in "".join(letters):
            if unicodedata.category(letter) == "Lo":
                name = unicodedata.name(letter)
                assert is_unspaced(letter)
                assert name.startswith(names.get(script, script.upper())), (script, name)
    assert UNSPACED.keys() == WRITTEN.keys()


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",  # Persian
        "क्\u200dष",
        "ന്\u200dറ",  # Malayalam
        "ශ්\u200dරී",
        "ه\u200d",  # the form of a letter inside words, shown alone
        "👩\u200d🔬",
        "👩🏽\u200d🚀",
        "❤️\u200d🔥",
        "🏴\u200d☠️",
    ],
)
def test_joiners_where_they_are_used_are_not_odd(text):
    assert any(is_joiner(text, at) for at in range(len(text)))
    assert codes([f"{text}", "b"]) == []


@pytest.mark.parametrize(
    "text",
    ["wo\u200drd", "wo\u200crd", "\u200cword", "word\u200d", "می\u200c خواهم", "👩\u200cb",
     "\u200d🔬", "a\u200d🔬", "wo\u200brd"],
)  # fmt: skip
def test_joiners_elsewhere_are_odd(text):
    assert set(codes([text, "b"])) == {"SG305"}


def test_letters_of_hangul_that_are_not_joined_are_odd():
    assert set(codes(["\u1112\u1161\u11ab", "b"])) == {"SG305"}
    assert codes(["\ud55c", "b"]) == []


def test_a_suite_is_scored_as_it_is_written(run, here, torch):
    items = [{"a": ["我有一", "本", "书。"], "b": ["我有一", "只", "书。"]}]
    (here / "s.json").write_text(json.dumps(suite_of(items, ["(3;%a%) < (3;%b%)"])))
    (here / "evalmark.toml").write_text('join = "none"\n')
    assert run("evalmark", "check", "s.json").out == ""
    done = run("evalmark", "score", "s.json", "--model", "demo", "--device", "cpu", "--out", "r")
    assert done.code == 0, done.err
    (samples,) = (here / "r").glob("*_samples.jsonl")
    assert "我有一本书。" in json.loads(samples.read_text().splitlines()[0])["input"]["raw"]
    assert settings_of(here / "r")["join"] == "none"
    run("evalmark", "score", "s.json", "--join", "core", "--model", "demo", "--device",
        "cpu", "--out", "core", code=0)  # fmt: skip
    (samples,) = (here / "core").glob("*_samples.jsonl")
    assert "我有一 本 书。" in json.loads(samples.read_text().splitlines()[0])["input"]["raw"]


def test_a_letter_outside_normal_form_is_found_where_it_is():
    data = suite_of([{"a": ["the 5 \u212b", "x"], "b": ["the 5 a", "y"]}], ["(2;%a%) < (2;%b%)"])
    text = json.dumps(data, ensure_ascii=False)
    (finding,) = (f for f in check_text(text).findings if f.code == "SG305")
    assert finding.span.column == text.index("\u212b") + 1
