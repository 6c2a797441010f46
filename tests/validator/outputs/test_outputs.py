"""Output formats: every suggestion is in each, in the order and with the marks of its kind."""

import json
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree as ET

import pytest
from conftest import FIXTURES
from evalmark.validator.check import check_file
from evalmark.validator.findings.finding import Edit, apply_edits, apply_fixes
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.formats.rule_registry import RULES
from evalmark.validator.io.escaping import shown
from evalmark.validator.outputs.rendering import REPORTS
from evalmark.validator.outputs.report_texts import Look, summarize, summary_text
from evalmark.validator.reading.source import Source
from looping import loops_over

BAD = sorted(path for path in (FIXTURES / "bad").iterdir() if path.suffix != ".out")
OPTIONAL = tuple(code for code, rule in RULES.items() if rule.optional)


@cache
def findings_of(path):
    return check_file(path, select=OPTIONAL).findings


def text_at(path):
    return (FIXTURES / path).read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")


def look_at(findings, **how):
    return Look(summarize(1, findings), lambda path: Source(path, text_at(path)), **how)


def suggestions_in(text, form):
    """The suggestions of a report, as a reader of its format finds them."""
    match form:
        case "json":
            return [text for finding in json.loads(text)["findings"] for text in finding["helps"]]
        case "jsonl":
            return [text for line in text.splitlines() for text in json.loads(line)["helps"]]
        case "sarif":
            results = json.loads(text)["runs"][0]["results"]
            return "\n".join(result["message"]["text"] for result in results)
        case "junit":
            return "\n".join(ET.fromstring(text).itertext())
        case "github":
            return "\n".join(line for line in text.splitlines() if not line.startswith("::"))
    return text


@pytest.mark.parametrize("form", REPORTS)
@loops_over("path", BAD)
def test_every_suggestion_is_in_every_format(path, form):
    findings = findings_of(path)
    written = suggestions_in(REPORTS[form](findings, look_at(findings)), form)
    for finding in findings:
        for text in finding.helps:
            expected = text if form in ("json", "jsonl", "sarif") else shown(text)
            assert expected in written


@loops_over("path", BAD)
def test_an_annotation_has_the_suggestions_of_its_finding(path):
    for finding in findings_of(path):
        annotation = REPORTS["github"]([finding], look_at([finding])).splitlines()[0]
        for text in finding.helps:
            assert f"%0Ahelp: {shown(text).replace('%', '%25')}" in annotation


@loops_over("path", BAD)
def test_fixes_in_sarif_give_what_fix_gives(path):
    """The edits of a log, applied by lines and columns as its readers do."""
    findings = findings_of(path)
    results = json.loads(REPORTS["sarif"](findings, look_at(findings)))["runs"][0]["results"]
    assert [bool(f.fix) for f in findings] == ["fixes" in result for result in results]
    text = text_at(path)
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]
    edits = []
    for result in results:
        for fix in result.get("fixes", ()):
            assert fix["description"]["text"]
            for replacement in fix["artifactChanges"][0]["replacements"]:
                region = replacement["deletedRegion"]
                if "byteOffset" in region:  # a byte order mark, which is not part of the text
                    assert path.read_bytes()[: region["byteLength"]] == b"\xef\xbb\xbf"
                    continue
                start = starts[region["startLine"] - 1] + region["startColumn"] - 1
                end = starts[region["endLine"] - 1] + region["endColumn"] - 1
                edits.append(Edit(start, end, replacement["insertedContent"]["text"]))
    in_text = [finding for finding in findings if finding.code != "F003"]
    assert apply_edits(text, edits) == apply_fixes(text, in_text, unsafe=True).text


def test_one_line_form_has_errors_first_over_all_files():
    findings = [
        finding
        for name in ("SG211_one_sided.json", "SG301_trailing_space.json", "SG112_wrong_type.json")
        for finding in findings_of(FIXTURES / "bad" / name)
    ]
    lines = REPORTS["concise"](findings, look_at(findings)).splitlines()
    levels = [line.partition(": ")[2].partition("[")[0] for line in lines]
    assert levels == ["error"] * 3 + ["warning"] * (len(lines) - 3)
    assert lines[2].endswith(
        "SG112_wrong_type.json:16:22: error[SG112] `item_number` must be a whole number, "
        "got a string [wrong-type]; help: write 1"
    )
    assert "SG301_trailing_space.json:37:32: warning[SG301] [*] region 3 ends" in lines[-1]


def test_colours_of_the_one_line_form_are_those_of_its_severity():
    findings = findings_of(FIXTURES / "bad" / "SG112_wrong_type.json")
    plain = REPORTS["concise"](findings, look_at(findings))
    painted = REPORTS["concise"](findings, look_at(findings, colour=True))
    assert "\x1b[1;31merror[SG112]\x1b[0m" in painted
    assert "\x1b[1;34mhelp\x1b[0m: write 1" in painted
    for code in ("\x1b[1;31m", "\x1b[1;34m", "\x1b[0m"):
        painted = painted.replace(code, "")
    assert painted == plain


def test_the_closing_hint_names_the_first_error():
    warnings = findings_of(FIXTURES / "bad" / "SG211_one_sided.json")
    errors = findings_of(FIXTURES / "bad" / "SG204_unknown_condition.json")
    both = (*warnings, *errors)
    assert summary_text(summarize(2, both), both).endswith("`evalmark explain SG204` says more.\n")
    assert summary_text(summarize(1, warnings), warnings).endswith(
        "`evalmark explain SG211` says more.\n"
    )


def test_repeats_with_another_suggestion_are_shown():
    finding = findings_of(FIXTURES / "bad" / "SG112_wrong_type.json")[2]
    assert finding.helps == ("write 1",)
    other = replace(finding, helps=("write 2",))
    look = look_at([finding])
    assert look.folded([finding, other, finding]) == [(finding, 1), (other, 0)]


def test_a_long_list_is_cut_and_its_rest_counted():
    assert [listed(range(n)) for n in (0, 1, 3)] == ["", "0", "0, 1 and 2"]
    assert listed(range(9)) == "0, 1, 2, 3, 4 and 4 more"
