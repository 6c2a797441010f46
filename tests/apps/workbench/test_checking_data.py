"""Findings on the data of a page: those of the command, with pointers and UTF-16 offsets."""

import json
import pickle
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import FIXTURES, data_at
from evalmark.converters.notes import ConversionNotes
from evalmark.schemas.errors import RequestRefused
from evalmark.validator.check import check_text
from evalmark.validator.findings.finding import Action, apply_fixes
from evalmark.validator.reading.strict_json import parse
from evalmark.workbench import page_check
from evalmark.workbench.formula_hints import look_at
from evalmark.workbench.page_check import PlacedText, check, fix
from hypothesis import given
from looping import loops_over
from pointers import value_at, values
from strategies import JSON
from suites import suite_of

BAD = sorted(
    path
    for path in (FIXTURES / "bad").glob("SG*.json")
    if check_text(path.read_text(encoding="utf-8")).kind in ("suite", "suite-legacy")
)
assert len(BAD) > 40


def in_javascript(text, start, end):
    """``text.slice(start, end)``."""
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


@loops_over("path", BAD)
def test_findings_are_those_of_the_command(path):
    text = path.read_text(encoding="utf-8")
    data = parse(text)
    report = check_text(text, path=path.name)
    found = check(data, path.name)
    assert sorted((f["code"], f["severity"], f["message"]) for f in found["findings"]) == sorted(
        (finding.code, finding.severity.value, finding.message) for finding in report.findings
    )


@loops_over("path", BAD)
def test_places_are_those_of_the_text(path):
    """What the command underlines in the file is what the page underlines."""
    text = path.read_text(encoding="utf-8")
    data = parse(text)
    lines = text.split("\n")
    underlined = {}
    for finding in check_text(text, path=path.name).findings:
        span = finding.span
        if span and span.line == span.end_line:
            piece = lines[span.line - 1][span.column - 1 : span.end_column - 1]
            underlined.setdefault((finding.code, finding.message), set()).add(piece)
    for finding in check(data, path.name)["findings"]:
        if finding["start"] is not None:
            value = value_at(data, finding["pointer"])
            shown = in_javascript(value, finding["start"], finding["end"])
            pieces = underlined[finding["code"], finding["message"]]
            assert json.dumps(shown, ensure_ascii=False)[1:-1] in pieces | {
                json.loads(f'"{p}"') for p in pieces if '"' not in p
            }
        elif finding["pointer"]:
            value_at(data, finding["pointer"])
        for label in finding["labels"]:
            value_at(data, label["pointer"])


LEGACY = sorted((FIXTURES / "legacy").glob("*.old.json"))


@loops_over("path", [*BAD, *LEGACY])
def test_nothing_that_is_shown_names_a_command_or_an_option(path):
    for finding in check(parse(path.read_text(encoding="utf-8")), path.name)["findings"]:
        labels = [label["text"] for label in finding["labels"]]
        shown = [finding["message"], finding["suggestion"], *finding["notes"], *labels]
        for text in shown:
            assert not re.search(r"(?<![\w-])--[a-z]|`evalmark ", text), text


def test_nothing_that_is_shown_of_a_text_names_an_option():
    seen = set()
    for path in sorted((FIXTURES / "bad").iterdir()):
        if path.suffix in (".json", ".yaml", ".jsonl"):
            text = path.read_bytes().decode("utf-8", "replace")
            found = check_text(text, path=path.name).findings
            helps = {(each.code, each.pointer, each.message): each.helps for each in found}
            for finding in page_check.check_text(text, path.name)["findings"]:
                seen.add(finding["code"])
                ways = helps[finding["code"], finding["pointer"], finding["message"]]
                is_empty = all(getattr(way, "name", "") is Action.TERMINAL for way in ways)
                assert (finding["suggestion"] == "") is is_empty, ways
                for said in (finding["suggestion"], *finding["notes"]):
                    assert not re.search(r"(?<![\w-])--[a-z]|`evalmark ", said), said
    assert len(seen) > 100


def test_the_page_words_all_that_a_terminal_says():
    for name in (*Action, *ConversionNotes):
        said = pickle.loads(pickle.dumps(name(*range(name.count("{}")))))
        hidden = (Action.TERMINAL, ConversionNotes.NO_PREDICTIONS, ConversionNotes.NO_SUITE)
        assert (page_check.in_page(said) == "") is (name in hidden)
        is_plain = name in {
            Action.WRITE, Action.CHOOSE, Action.ADD, Action.RENAME, Action.REMOVE
        }  # fmt: skip
        assert (page_check.in_page(said) == said) is is_plain
    assert page_check.in_page(ConversionNotes.LINE(3, ConversionNotes.CELLS(3, "4 cells", 5))) == (
        "row 3: row 3 has 4 cells, and the first row 5"
    )


def test_suggestions_say_what_to_do_in_the_page():
    said = {
        name: {f["suggestion"] for f in check(data_at(FIXTURES / f"bad/{name}.json"))["findings"]}
        for name in ("SG421_condition_name", "SG208_bracket_dialect")
    }
    named = "name the condition `mis_match` in its cell in the table, and in the formulas"
    assert named in said["SG421_condition_name"]
    again = "save the file and open it again: the page converts it"
    assert again in said["SG208_bracket_dialect"]


@loops_over("path", BAD)
def test_fixes_are_those_of_the_command(path):
    text = path.read_text(encoding="utf-8")
    data = parse(text)
    for finding in check(data, path.name)["findings"]:
        if finding["fix"]:
            told = fix(data, finding["fix"]["id"], path.name)
            assert told["applied"] == 1
            assert told["data"] != data
    expected, rounds = text, 0
    while rounds < 10:
        fixed = apply_fixes(expected, check_text(expected).findings)
        if not fixed.findings:
            break
        expected, rounds = fixed.text, rounds + 1
    told = fix(data, "safe", path.name)
    assert told["data"] == parse(expected)
    left = check(told["data"], path.name)["findings"]
    assert not any(f["fix"] and f["fix"]["safe"] for f in left)


def test_offsets_count_utf_16_code_units():
    suite = suite_of([{"a": ["😀😀 x ", "y"], "b": ["z", "y"]}], ["(1;%a%) > (1;%😀%)"])
    found = {f["code"]: f for f in check(suite)["findings"]}
    space = found["SG301"]
    assert space["pointer"] == "/items/0/conditions/0/regions/0/content"
    assert (space["start"], space["end"]) == (6, 7)
    formula = found["SG201"]
    assert in_javascript("(1;%a%) > (1;%😀%)", formula["start"], formula["end"]) == "😀"


def test_escapes_do_not_move_offsets():
    suite = suite_of([{"a": ['"\\\n\t\u2028 x ', "y"], "b": ["z", "y"]}], ["(1;%a%) > (1;%b%)"])
    space = next(f for f in check(suite)["findings"] if f["code"] == "SG301")
    assert (space["start"], space["end"]) == (7, 8)


def test_keys_are_pointed_at():
    suite = suite_of([{"a": ["x"], "b": ["y"]}], ["(1;%a%) > (1;%b%)"])
    suite["items"][0]["conditions"][0]["regions"][0]["metric_value"] = {"sum": 1.5}
    found = next(f for f in check(suite)["findings"] if f["code"] == "SG410")
    assert found["pointer"] == "/items/0/conditions/0/regions/0/metric_value"


def test_a_fix_of_another_text_is_refused():
    suite = suite_of([{"a": ["x ", "y"], "b": ["z", "y"]}], ["(1;%a%) > (1;%b%)"])
    finding = next(f for f in check(suite)["findings"] if f["fix"])
    suite["items"][0]["conditions"][0]["regions"][0]["content"] = "x"
    with pytest.raises(RequestRefused, match="has changed since") as refused:
        fix(suite, finding["fix"]["id"])
    assert refused.value.status == 409


def test_settings_of_the_folder_count(tmp_path):
    suite = suite_of([{"a": ["x ", "y"], "b": ["z", "y"]}], ["(1;%a%) > (1;%b%)"])
    assert "SG301" in {f["code"] for f in check(suite, "suites/s.json", tmp_path)["findings"]}
    settings = '[[per-file-ignores]]\nfiles = "suites/*"\nrules = ["SG301"]\nreason = "x"\n'
    (tmp_path / "evalmark.toml").write_text(settings)
    assert "SG301" not in {f["code"] for f in check(suite, "suites/s.json", tmp_path)["findings"]}
    assert "SG301" in {f["code"] for f in check(suite, "other/s.json", tmp_path)["findings"]}


def test_checks_at_the_same_time_do_not_meet():
    """The server answers several requests at once, each in a thread."""
    datas = [parse(path.read_text(encoding="utf-8")) for path in BAD]
    alone = [check(data)["findings"] for data in datas]
    with ThreadPoolExecutor(8) as threads:
        together = [found["findings"] for found in threads.map(check, datas * 3)]
    assert together == alone * 3


@given(JSON)
def test_anything_can_be_checked(data):
    found = check(data)
    json.dumps(found, allow_nan=False)


@given(JSON)
def test_every_value_has_its_place(data):
    text = PlacedText("x.json", json.dumps(data, ensure_ascii=False))
    assert parse(text.text) == data
    for pointer, value in values(data):
        place = text.place(pointer)
        assert json.loads(text.text[place.start : place.end]) == value
        span = text.value_span(pointer)
        pointed = text.pointed(span)
        # A list begins where its text does; the outermost value of a place is meant.
        assert text.place(pointed.pointer).start == place.start


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("(5;%a%) < (5;%b%)", "region 5 (verb) of a is less surprising than region 5 (verb) of b"),
        ("(1;%a%) = (*;%b%)", "region 1 of a is as surprising as the whole sentence of b"),
        (
            "(1;%a%) + (2;%a%) > (1;%b%) - 0.5",
            "region 1 of a plus region 2 of a is more than region 1 of b minus 0.5 bits",
        ),
        ("(1;%a%) > 3", "the surprisal of region 1 of a is more than 3 bits"),
        (
            "(1;%a%) < 1 & ((2;%a%) < 1 | (3;%a%) < 1)",
            "the surprisal of region 1 of a is less than 1 bits and (the surprisal of region 2 of "
            "a is less than 1 bits or the surprisal of region 3 of a is less than 1 bits)",
        ),
        (
            "(1;%a%) - ((2;%a%) - (3;%a%)) > 0",
            "region 1 of a minus (region 2 of a minus region 3 of a) is more than 0 bits",
        ),
    ],
)
def test_formulas_in_words(formula, words):
    found = look_at(formula, ["a", "b"], 6, {"5": "verb"})
    assert (found["error"], found["words"]) == (None, words)


@pytest.mark.parametrize(
    ("formula", "code", "marked"),
    [
        ("(5;%a%) >= (5;%b%)", "SG201", ">="), ("(9;%a%) < (5;%b%)", "SG203", "9"),
        ("(5;%x%) < (5;%b%)", "SG204", "x"), ("(1;%a%)", "SG202", "(1;%a%)"), ("", "SG201", ""),
        ("(1;%a%) < (", "SG201", None), ("1 < (1;%😀%)", "SG201", "😀"),
    ],
)  # fmt: skip
def test_wrong_formulas_say_where(formula, code, marked):
    error = look_at(formula, ["a", "b"], 6)["error"]
    assert error["code"] == code
    if marked is not None:
        assert in_javascript(formula, error["start"], error["end"]) == marked


@pytest.mark.parametrize(
    ("formula", "correction"),
    [
        ("(5;%a%) >= (5;%b%)", "(5;%a%) > (5;%b%)"),
        ("(5;%one%) < (5;%b%)", ""),
        ("(5;%a%) == (5;%😀%)", ""),
        ("(5;%a%) == (5;%b́%)", "(5;%a%) = (5;%b́%)"),
    ],
)
def test_a_suggestion_leads_to_a_whole_formula(formula, correction):
    """`Use it` writes this; it is not offered beside `Fix`, nor if the rest is wrong too."""
    error = look_at(formula, ["once", "b"], 6)["error"]
    assert error["correction"] == correction


def test_a_doubtful_formula_is_no_mistake():
    assert look_at("(1;%a%) < 1 & (2;%a%) < 1 | (3;%a%) < 1", ["a"], 3)["error"] is None
