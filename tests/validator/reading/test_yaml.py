"""YAML files: the findings of JSON, at the right lines; and nothing that readers dispute."""

import io
import json

import pytest
from conftest import FIXTURES
from evalmark.validator.check import check_bytes, check_text
from evalmark.validator.reading.reading import read
from found import codes_of
from hypothesis import given
from hypothesis import strategies as st
from looping import loops_over
from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import DoubleQuotedScalarString
from strategies import examples

GOOD = (FIXTURES / "good/suite.yaml").read_text(encoding="utf-8")
JSON_TWINS = sorted((FIXTURES / "bad").glob("[SEL][GET]*.json"))

#: Scalars without quotes → whether they are taken as they are, and the value or the code.
SCALARS = {
    "dog": "dog",
    "a dog's life": "a dog's life",
    "5": 5,
    "-17": -17,
    "1.50": 1.5,
    "-1.5e-3": -0.0015,
    "true": True,
    "False": False,
    "null": None,
    "~": None,
    "": None,
    "v1.2.3": "v1.2.3",
    "!!str 5": "5",
    "!!str no": "no",
    "'no'": "no",
    '"2024-01-01"': "2024-01-01",
    "|\n    two\n    lines": "two\nlines\n",
}
DISPUTED = {
    "no": "F015", "Yes": "F015", "on": "F015", "OFF": "F015", "y": "F015",
    "2024-01-01": "F015", "2024-01-01 12:00:00": "F015", "1:30": "F015", "190:20:30": "F015",
    "012": "F015", "0x1F": "F015", "0o17": "F015", "0b11": "F015", "1_000": "F015",
    "1e5": "F015", "+5": "F015", ".5": "F015", "5.": "F015", "=": "F015",
    ".nan": "F006", "-.Inf": "F006", "9" * 400: "F007",
    "!!binary aGk=": "F016", "!color red": "F016", "!!set {a}": "F016", "{1: a}": "F016",
    "{[1]: a}": "F016", "{~: a}": "F016", '"\\ud83d"': "F008",
}  # fmt: skip


def content(scalar):
    """A generation file whose answer is a scalar."""
    return f"content: A dog barks.\nquestion: Who?\nanswer: {scalar}\n"


@pytest.mark.parametrize("scalar", SCALARS)
def test_a_scalar_that_all_readers_take_alike(scalar):
    report = check_text(content(scalar), path="x.yaml")
    wanted = {"content": "A dog barks.", "question": "Who?", "answer": SCALARS[scalar]}
    same = check_text(json.dumps(wanted))
    assert [(f.code, f.message) for f in report.findings] == [
        (f.code, f.message) for f in same.findings
    ]


@pytest.mark.parametrize("scalar", DISPUTED)
def test_a_scalar_that_readers_dispute_is_a_finding_where_it_stands(scalar):
    (finding,) = check_text(content(scalar), path="x.yaml").findings
    assert finding.code == DISPUTED[scalar]
    assert finding.span.line == 3


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("content: a\nquestion: [b\nanswer: c\n", "F014", 2),
        ("content:\n\t- a\nquestion: b\nanswer: c\n", "F014", 2),
        ("content: a\nquestion: b\nanswer: *nobody\n", "F014", 3),
        ("content: a\nquestion: b\nanswer: c\n---\ncontent: d\n", "F014", 4),
        ("content: a\nquestion: b\nanswer: c\nanswer: d\n", "F005", 4),
        ("content: &a [*a]\nquestion: b\nanswer: c\n", "F016", 1),
        ("content: a\nquestion: b\nanswer: " + "[" * 300 + "]" * 300, "F009", 3),
        ("content: question answer " + "[" * 5000, "F012", 1),
        ("[content, question, answer, " + "[" * 5000, "F009", 1),
        ("content: question answer \x00", "F004", 1),
        ("%YAML 9.9\n---\ncontent: a\nquestion: b\nanswer: c\n", "F014", 1),
    ],
)
def test_bad_yaml_is_a_finding(text, code, line):
    report = check_text(text, path="x.yml")
    assert [(f.code, f.span.line) for f in report.findings[:1]] == [(code, line)]


def test_merges_and_anchors_mean_what_readers_make_of_them():
    text = """
base: &base {question: Who?, answer: no one}
more: &more {answer: someone, content: x}
both: {<<: [*base, *more], content: own}
again: &again {<<: *again, a: 1}
"""
    reading = read(text.encode(), "x.yaml")
    assert not reading.findings
    assert reading.data["both"] == {"question": "Who?", "answer": "no one", "content": "own"}
    assert reading.data["again"] == {"a": 1}
    place = reading.source.place("/both/answer")
    assert text[place.start : place.end] == "no one"


def quoted(value):
    """Every string in double quotes, so that no reader disputes it."""
    if isinstance(value, dict):
        return {DoubleQuotedScalarString(key): quoted(child) for key, child in value.items()}
    if isinstance(value, list):
        return [quoted(child) for child in value]
    return DoubleQuotedScalarString(value) if isinstance(value, str) else value


def as_yaml(value):
    stream = io.StringIO()
    yaml = YAML()
    yaml.width = 10_000
    yaml.dump(quoted(value), stream)
    return stream.getvalue()


@loops_over("path", JSON_TWINS)
def test_a_bad_file_has_the_same_findings_in_yaml(path, tmp_path):
    data = json.loads(path.read_text(encoding="utf-8"))
    twin = path.with_suffix(".yaml")  # beside its sample file, though it is never written
    text = as_yaml(data)
    report = check_text(text, path=str(twin))
    same = check_text(path.read_text(encoding="utf-8"), path=str(path))
    assert [(f.code, f.pointer, f.message) for f in sorted(report.findings, key=by_pointer)] == [
        (f.code, f.pointer, f.message) for f in sorted(same.findings, key=by_pointer)
    ]
    lines = text.split("\n")
    for finding in report.findings:
        span = finding.span
        marked = lines[span.line - 1][span.column - 1 :]
        assert marked.strip(), "a caret never points at nothing"


def by_pointer(finding):
    return (finding.pointer, finding.code, finding.message)


def test_a_fix_goes_into_double_quotes_only(run, tmp_path):
    for quote, fixed in (('"', True), ("'", False)):
        text = GOOD.replace("content: sings", f"content: {quote}sings {quote}", 1)
        path = tmp_path / "suite.yaml"
        path.write_text(text, encoding="utf-8")
        run("evalmark", "check", "--fix", "--unsafe-fixes", path)
        assert (path.read_text(encoding="utf-8") != text) is fixed


def test_yaml_of_others_is_passed_over_in_folders_and_under_the_hook(run, tmp_path):
    (tmp_path / "workflow.yml").write_text("on: push\njobs: {{ items }}\n")
    (tmp_path / "suite.yaml").write_text(GOOD)
    outcome = run("evalmark", "check", tmp_path)
    assert (outcome.code, outcome.out) == (0, "")
    assert "Checked 1 file" in outcome.err
    assert run("evalmark-hook", tmp_path / "workflow.yml").code == 0
    assert run("evalmark", "check", tmp_path / "workflow.yml").code == 1


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(categories=("L",)), max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES)
@examples(150)
def test_what_is_accepted_is_what_both_versions_of_yaml_read(value):
    stream = io.StringIO()
    YAML().dump({"value": value}, stream)
    reading = read(stream.getvalue().encode(), "x.yaml")
    if reading.findings:
        assert set(codes_of(reading)) <= {"F015", "F016"}
        return
    assert reading.data == {"value": value}
    for version in ((1, 1), (1, 2)):
        yaml = YAML(typ="safe", pure=True)
        yaml.version = version
        assert yaml.load(stream.getvalue()) == reading.data


@given(st.integers(0, len(GOOD) - 1), st.text(max_size=3), st.integers(0, 4))
@examples(150)
def test_any_damage_gets_a_report(at, insert, cut):
    text = GOOD[:at] + insert + GOOD[at + cut :]
    report = check_bytes(text.encode("utf-8", "surrogatepass"), "x.yaml")
    for finding in report.findings:
        assert finding.span is not None


@given(st.text(alphabet="abc:- \n[]{}&*!'\"|>#%,?<~0.\t", max_size=60))
@examples(400)
def test_any_text_gets_a_report(text):
    check_text(f"content question answer\n{text}", path="x.yaml", kind="suite")
    check_text(text, path="x.yaml", kind="record")


# Texts that YAML takes for something else

#: What an author writes as a text -> code; the suggestion is always the same in quotes.
SLIPS = {
    "the #author": "F015", "the #1 fan": "F015", "#author": "F015", "!from": "F016",
    "!from the start": "F016", "! x": "F016", "!": "F016", "&x": "F015", "&amp text": "F015",
    "*x": "F014", "*bold* y": "F014", "%d done": "F014", "@x": "F014", "`x` y": "F014",
    "- x": "F014", "? x": "F014", ": x": "F014", "{x}": "F015", "{x, y}": "F015",
    "{x} y": "F014", "[x] y": "F014", "{x": "F014", "[x": "F014", "{": "F014", "[": "F014",
    "{a: b}": "SG112", "[x]": "SG112", "[x, z]": "SG112", "| x": "F014", "> x": "F014",
}  # fmt: skip


@pytest.mark.parametrize("text", SLIPS)
def test_a_text_that_needs_quotes_is_found_where_it_is_and_suggested_in_quotes(text):
    written = GOOD.replace("content: The woman", f"content: {text}", 1)
    (finding,) = check_text(written, path="x.yaml").findings
    assert finding.code == SLIPS[text]
    place = GOOD.index("content: The woman") + len("content: ")
    assert finding.span.line == GOOD.count("\n", 0, place) + 1
    assert finding.span.column == place - GOOD.rindex("\n", 0, place)
    quoted = json.dumps(text)
    assert finding.helps[-1].removeprefix("or ") in (f"write `{quoted}`", f"write {quoted}")
    mended = GOOD.replace("content: The woman", f"content: {quoted}", 1)
    report = check_text(mended, path="x.yaml")
    assert all(each.code.startswith("SG") and each.code > "SG2" for each in report.findings)


@pytest.mark.parametrize(
    "text",
    ["the # author", "the#author", "the #", "the ## author", '"the" #author', "'the' #author",
     "the!from", "x & y", "5 * 4", "a - b", "the\n            # author", "the  # the author"],
)  # fmt: skip
def test_clear_comments_and_signs_within_a_text_are_not_findings(text):
    written = GOOD.replace("content: The woman", f"content: {text}", 1)
    codes = set(codes_of(written, path="x.yaml"))
    assert not {code for code in codes if code.startswith("F")}


def test_anchors_that_are_used_are_not_findings():
    text = "content: &a The dog\nquestion: *a\nanswer: b\n"
    assert check_text(text, path="x.yaml").findings == ()


def test_the_message_names_what_is_lost():
    (finding,) = check_text(content("the #author"), path="x.yaml").findings
    assert finding.message == "`#author` is a comment in YAML, and not part of the text"
    assert finding.pointer == "/answer"
