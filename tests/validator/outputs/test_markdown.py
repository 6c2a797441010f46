"""The Markdown summary: never empty, never too large, and nothing in a file can act in it."""

from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark.validator.check import check_file
from evalmark.validator.findings.finding import Finding, Fix, Safety, Severity, Span
from evalmark.validator.outputs.markdown import code, markdown
from evalmark.validator.outputs.report_texts import Look, summarize
from hypothesis import given
from hypothesis import strategies as st

#: What GitHub accepts as the summary of a step.
LIMIT = 1 << 20
HOSTILE = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "![x](https://lab.example/x.png)",
    "[click](https://lab.example)", "@maintainers", "#1", "www.lab.example", "https://lab.example",
    "` </code> <b>", "``` x ```", "`@org/team`", "\\`<b>\\`", "a|b|c", "\\|", "&lt;b&gt;", "**b**",
    "\n# heading", "\r\n- item", "a\u2028b", "<!-- x", "-->", "]]>", "`", "``", " ", "", "~~~",
]  # fmt: skip


def finding(message="wrong", path="a.json", severity=Severity.ERROR, **details):
    return Finding(
        "SG101", "missing-key", severity, message, path, span=Span(3, 1, 3, 2),
        fold=message, **details,
    )  # fmt: skip


def written(findings, files=1, **how):
    return markdown(findings, Look(summarize(files, findings), lambda _: None, **how))


def parts_of(text):
    """What a renderer makes of a text: the kinds of its parts, its raw HTML, links and images."""
    parser = pytest.importorskip("markdown_it").MarkdownIt("gfm-like", {"linkify": False})
    tokens = parser.parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    return [token.type for token in tokens], inline


@given(
    message=st.sampled_from(HOSTILE) | st.text(max_size=40),
    path=st.sampled_from(HOSTILE) | st.text(max_size=20),
    help_text=st.sampled_from(HOSTILE) | st.text(max_size=40),
)
def test_what_comes_from_a_file_is_code(message, path, help_text):
    text = written([finding(message, path, helps=(help_text,))])
    kinds, inline = parts_of(text)
    assert kinds.count("list_item_open") == 3  # the finding, and two commands
    assert "html_block" not in kinds
    assert {child.content for child in inline if child.type == "html_inline"} <= {"<br>"}
    assert not [child for child in inline if child.type == "image"]
    links = [child.attrs["href"] for child in inline if child.type == "link_open"]
    assert len(links) <= 1
    # Text outside of code is ours: nothing that GitHub would link or notify.
    plain = "".join(child.content for child in inline if child.type == "text")
    assert not {"@", "://", "www."} & set(plain.split())
    assert "#1" not in plain


@pytest.mark.parametrize("text", [text for text in HOSTILE if text.strip()])
def test_code_shows_the_text_as_it_is(text):
    from evalmark.validator.io.escaping import shown

    _, inline = parts_of(code(text))
    assert [child.type for child in inline] == ["code_inline"]
    assert inline[0].content == shown(text)


def test_links_lead_to_file_and_line():
    one = finding(path="./a dir/b(1).json")
    assert "](a%20dir/b%281%29.json#L3)" in written([one])
    web = "https://github.com/org/repo/blob/0123/"
    assert f"]({web}a%20dir/b%281%29.json#L3)" in written([one], web=web)
    for outside in ("/etc/x.json", "../x.json"):
        assert "](" not in written([finding(path=outside)])


def test_no_findings_are_said_with_the_number_of_files():
    assert written([], files=12) == (
        "### evalmark: no findings\n\nChecked 12 files: no findings.\n"
    )
    assert "No evaluation files were checked." in written([], files=0)
    verdicts = (("a.json", "pass"), ("b.json", "refuse"))
    assert "1 of 2 pass Every Eval Ever's checks; 1 has findings." in written([], verdicts=verdicts)


def test_errors_come_first_and_what_is_left_is_counted():
    warnings = [finding(f"w{number}", severity=Severity.WARNING) for number in range(30)]
    text = written([*warnings, finding("the error")], files=3)
    items = [line for line in text.splitlines() if line.startswith("- **")]
    assert len(items) == 20
    assert items[0].startswith("- **error** ")
    assert "the error" in items[0]
    assert "Checked 3 files: 1 error, 30 warnings." in text
    assert "11 more are in the log of the check." in text


def test_what_to_do_next():
    fix = Fix((), Safety.SAFE)
    text = written([finding(path="it's.json", fix=fix), finding("b")])
    assert """- `evalmark check --fix 'it'"'"'s.json'` fixes 1;""" in text
    assert "- `evalmark explain SG101` explains a rule." in text
    many = [finding(path=f"{number}.json", fix=fix) for number in range(9)]
    assert "- `evalmark check --fix .` fixes 9;" in written(many)
    for odd in ("-x.json", "a\nb.json"):
        assert "- `evalmark check --fix .` fixes 1;" in written([finding(path=odd, fix=fix)])


@pytest.mark.parametrize("text", ["x" * 10_000, "世" * 10_000, "`" * 9_999, "\x1b" * 10_000])
def test_it_stays_below_the_limit(text):
    findings = [
        finding(f"{text}{number}", path=f"{text}{number}", helps=(text,) * 12)
        for number in range(40)
    ]
    size = len(written(findings, files=40).encode())
    assert 0 < size < LIMIT


def test_a_hundred_thousand_findings_fit():
    findings = [finding(f"m{number}", path=f"{number}.json") for number in range(100_000)]
    text = written(findings, files=100_000)
    assert "99980 more are in the log" in text
    assert len(text.encode()) < LIMIT


def test_a_fixture_as_markdown(monkeypatch):
    monkeypatch.chdir(FIXTURES / "bad")
    path = Path("SG204_unknown_condition.json")
    assert written(list(check_file(path).findings)).splitlines()[:5] == [
        "### evalmark: 1 error, 0 warnings",
        "",
        "Checked 1 file: 1 error, 0 warnings.",
        "",
        "- **error** [`SG204_unknown_condition.json:17`](SG204_unknown_condition.json#L17) SG204 "
        "(unknown-condition)<br>``prediction refers to condition `pos_ps`, which no item has``"
        "<br>help: ``did you mean `pos_pos`?``",
    ]
