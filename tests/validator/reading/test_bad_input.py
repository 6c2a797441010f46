"""Bad input gets a finding with a place, never a traceback, and the other files are checked."""

import json
import sys
from collections import OrderedDict
from datetime import date

import pytest
from conftest import FIXTURES
from evalmark.schemas.errors import ParseRejected
from evalmark.validator.check import check_bytes, check_data, check_file, check_text
from evalmark.validator.findings.finding import Span
from evalmark.validator.reading.strict_json import MAX_DEPTH, decode, is_deep, parse
from found import codes_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import JSON, examples

GOOD = (FIXTURES / "good/suite.json").read_text(encoding="utf-8")
BAD_NEIGHBOUR = FIXTURES / "bad/SG204_unknown_condition.json"


def with_formula(formula):
    data = json.loads(GOOD)
    data["predictions"][0]["formula"] = formula
    return json.dumps(data)


INPUTS = {
    "not JSON": (b"hello\n", "F001"),
    "empty": (b"", "F010"),
    "only space": (b" \n\t", "F010"),
    "a list at the root": (b"[1, 2]", "F012"),
    "a number at the root": (b"3", "F012"),
    "invalid UTF-8": (b'{"a": "\xff"}', "F002"),
    "UTF-16 with BOM": (GOOD.encode("utf-16"), "F004"),
    "UTF-16 without BOM": (GOOD.encode("utf-16-le"), "F004"),
    "UTF-32": (GOOD.encode("utf-32"), "F004"),
    "UTF-8 with BOM": (b"\xef\xbb\xbf" + GOOD.encode(), "F003"),
    "duplicate keys": (b'{"a": 1, "\\u0061": 2}', "F005"),
    "NaN": (b'{"a": NaN}', "F006"),
    "minus infinity": (b"[-Infinity]", "F006"),
    "1e400": (b'{"a": 1e400}', "F007"),
    "an integer beyond double": (b'{"a": ' + b"9" * 400 + b"}", "F007"),
    "an integer of 10,000 digits": (b'{"a": ' + b"9" * 10_000 + b"}", "F007"),
    "a lone surrogate": (b'{"a": "\\ud800"}', "F008"),
    "a reversed surrogate pair": (b'{"a": "\\ude00\\ud83d"}', "F008"),
    "100,000 nested brackets": (b"[" * 100_000 + b"]" * 100_000, "F009"),
    "100,000 open brackets": (b"[" * 100_000, "F009"),
    "nested objects": (b'{"a":' * 5000 + b"1" + b"}" * 5000, "F009"),
    "201 levels": (b"[" * 201 + b"]" * 201, "F009"),
    "trailing data": (b"{} {}", "F001"),
    "a NUL": (b'{"a": "\0"}', "F004"),
    "a region number 10**400": (
        GOOD.replace('"region_number": 1', f'"region_number": {10**400}', 1).encode(),
        "F007",
    ),
    "a formula of 100 kB": (with_formula("(2;%match%) > 0 & " * 6000).encode(), "SG201"),
    "a formula of 100 kB of brackets": (with_formula("(" * 100_000).encode(), "SG201"),
    "a formula with a region number 10**400": (
        with_formula(f"({10**400};%match%) > 0").encode(),
        "SG201",
    ),
    "a record that has a number for an array": (b'{"evaluation_results": 1}', "EE101"),
    "a suite of nulls": (b'{"items": null, "predictions": null}', "SG101"),
}


@pytest.mark.parametrize("name", INPUTS)
def test_one_finding_with_a_place_and_the_others_go_on(name, run, tmp_path):
    content, code = INPUTS[name]
    path = tmp_path / "file.json"
    path.write_bytes(content)
    outcome = run("evalmark", "check", "--format", "json", path, BAD_NEIGHBOUR, code=1)
    findings = json.loads(outcome.out)["findings"]
    assert "SG204" in [f["code"] for f in findings if f["path"] == str(BAD_NEIGHBOUR)]
    own = [f for f in findings if f["path"] == str(path)]
    assert code in [f["code"] for f in own]
    assert "F099" not in [f["code"] for f in own]
    assert all(f["line"] >= 1 and f["column"] >= 1 for f in own)
    for form in ("full", "concise", "github"):
        assert run("evalmark", "check", "--format", form, path).code == 1


def test_a_file_of_many_mistakes_says_where_it_stops(run):
    data = json.loads(GOOD)
    data["items"] = [None] * 5000
    report = check_data(data)
    assert len(report.findings) == 2000
    assert any("only the first 2000" in note for f in report.findings for note in f.notes)


def test_a_diff_does_not_break_lines_inside_strings(run, tmp_path):
    path = tmp_path / "suite.json"
    text = GOOD.replace('"plays"', '" plays"', 1).replace("The boys", "The\u2028boys")
    path.write_text(text, encoding="utf-8")
    outcome = run("evalmark", "check", "--diff", path)
    changed = [line for line in outcome.out.split("\n") if line[:1] in ("+", "-")]
    assert len(changed) == 4  # two headers, one line out, one line in


def test_a_missing_path_and_the_others_go_on(run, tmp_path):
    outcome = run("evalmark", "check", "--format", "concise", tmp_path / "none.json", BAD_NEIGHBOUR)
    assert outcome.code == 2
    assert "none.json:1:1: error[F011] cannot be read: no such file" in outcome.out
    assert "SG204" in outcome.out


def test_an_unreadable_file(run, tmp_path):
    outcome = run("evalmark-hook", tmp_path)  # a folder without files of ours
    assert outcome == (0, "", "")
    assert run("evalmark", "check", tmp_path).code == 2


@pytest.mark.slow
def test_a_file_of_50_megabytes(run, tmp_path):
    data = json.loads(GOOD)
    data["items"] = [
        {**data["items"][0], "item_number": number, "comment": "x" * 4500}
        for number in range(12_000)
    ]
    data["items"][-1]["conditions"][0]["regions"][0]["content"] = "The end "
    path = tmp_path / "large.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert path.stat().st_size > 50_000_000
    outcome = run("evalmark-hook", path, code=0)
    assert outcome.out.count("\n") == 2  # the space, and that all items are one
    assert "SG301" in outcome.out


@given(st.binary(max_size=200))
@examples(300)
def test_any_bytes_get_a_report(raw):
    report = check_bytes(raw, "x")
    for finding in report.findings:
        assert finding.span is not None
        assert finding.code != "F099"


@given(st.integers(0, len(GOOD) - 1), st.binary(min_size=0, max_size=3), st.integers(0, 4))
@examples(500)
def test_any_damage_gets_a_report(at, insert, cut):
    raw = GOOD.encode()
    report = check_bytes(raw[:at] + insert + raw[at + cut :], "x")
    assert "F099" not in codes_of(report)


@given(JSON)
@examples(200)
def test_any_json_gets_a_report(value):
    for kind in (None, "suite", "suite-legacy", "record"):
        assert "F099" not in codes_of(check_data(value, kind=kind))
        assert "F099" not in codes_of(check_text(json.dumps(value), kind=kind))


@given(JSON)
def test_strict_parsing_reads_what_the_standard_library_reads(value):
    text = json.dumps(value)
    assert json.dumps(parse(decode(text.encode()))) == text


def test_the_limit_of_levels_does_not_depend_on_python():
    parse("[" * 200 + "]" * 200)
    with pytest.raises(ParseRejected):
        parse("[" * 201 + "]" * 201)


@pytest.mark.parametrize("kind", [lambda inner: [inner], lambda inner: OrderedDict(a=inner)])
def test_data_have_as_many_levels_as_a_text(kind):
    value: list | dict = kind(1)
    for _ in range(MAX_DEPTH - 1):
        value = kind(value)
    assert "F009" not in codes_of(check_data(value))
    assert codes_of(check_data(kind(value))) == ["F009"]


def test_a_deep_value_given_to_the_library():
    value: list = []
    for _ in range(sys.getrecursionlimit() * 2):
        value = [value]
    assert check_data(value).findings[0].code == "F009"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({1: "first"}, ("F016", "/model_info/name", "key 1 is not a string")),
        (("a", "b"), ("F016", "/model_info/name", "tuple is not a type of JSON")),
        (
            {"at": [date(2026, 1, 2)]},
            ("F016", "/model_info/name/at/0", "date is not a type of JSON"),
        ),
        (OrderedDict(a=float("nan")), ("F006", "/model_info/name/a", "NaN is not JSON")),
        (10**400, ("F007", "/model_info/name", "number is larger than a double can hold")),
    ],
    ids=["key", "tuple", "date", "NaN", "too large"],
)
def test_values_of_python_that_json_lacks(value, said):
    data = json.loads((FIXTURES / "good/record.json").read_text())
    assert not check_data(data).findings
    data["model_info"]["name"] = value
    assert [(f.code, f.pointer, f.message) for f in check_data(data).findings] == [said]


@pytest.mark.parametrize("kind", ["suite", "record"])
@pytest.mark.parametrize("change", [lambda raw: b"\xef\xbb\xbf" + raw, lambda raw: b"{" + raw])
def test_rows_that_cannot_be_read_as_another_kind_are_one_finding(tmp_path, kind, change):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(change((FIXTURES / "good/with_samples_samples.jsonl").read_bytes()))
    (finding,) = check_file(path, kind=kind).findings
    assert finding.code in ("F012", "F019")


@given(data=JSON, layout=st.sampled_from([None, 1]))
def test_what_is_not_too_deep_is_never_taken_for_it(data, layout):
    text = json.dumps([data, '[{\\"' * 300], indent=layout)
    assert not is_deep(text)
    outer = MAX_DEPTH - 60
    assert not is_deep("[" * outer + text + "]" * outer)


@pytest.mark.parametrize(
    "text",
    ["[" * 401 + "]" * 401, '{"[": ' * 401 + "1" + "}" * 401, '[{"a":' * 100_000,
     "{}," * 300 + "[" * 201],
)  # fmt: skip
def test_what_would_end_python_in_a_browser_is_seen_before_it_is_parsed(text):
    assert is_deep(text)


def test_levels_up_to_the_limit_are_parsed():
    for opening, closing in ("[]", ('{"a":', "}")):
        assert not is_deep(opening * MAX_DEPTH + "1" + closing * MAX_DEPTH)


def test_rows_that_are_nested_too_deeply_are_a_finding(tmp_path):
    path = tmp_path / "deep.jsonl"
    path.write_bytes(b"[" * 100_000 + b"\n{}\n")
    assert set(codes_of(path)) == {"F012"}


@pytest.mark.parametrize("name", ["README.md", "passwd", "notes.txt"])
def test_a_text_that_is_not_meant_as_json_is_unrecognized(name):
    (finding,) = check_text("root:x:0:0 // the first user\n", path=name).findings
    assert finding.code == "F012"
    assert finding.helps == (
        "if it is one of these, name it .json, .jsonl, .yaml, .csv or .tsv",
    )  # not: write `"root"`


def test_json_by_its_beginning_is_json_whatever_its_name():
    assert codes_of('{"meta": }', path="suite.txt") == ["F001"]


def test_what_is_wrong_with_a_text_comes_before_that_no_format_has_it():
    findings = check_bytes(b"\xef\xbb\xbf[1, 2]", "list.json").findings
    assert [finding.code for finding in findings] == ["F003", "F012"]


def test_an_unrecognized_text_is_shown_by_its_first_line() -> None:
    (finding,) = check_bytes(b"The cats sleep.\nThe cats sleeps.\n", "pairs.txt").findings
    assert finding.code == "F012"
    assert finding.span == Span(1, 1, 1, len("The cats sleep.") + 1)
