"""A bug in evalmark is a finding of the file it concerns; the other files are checked."""

import codecs
import itertools
import math
import os
import re
import shutil
from pathlib import Path

import pytest
from conftest import FIXTURES, data_at
from evalmark.converters import convert_files as convert_file
from evalmark.validator import check
from evalmark.validator.check import check_file, check_text
from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule, found_by, grouped
from evalmark.validator.formats.builtin import KINDS
from evalmark.validator.formats.pairs import pair_rows
from evalmark.validator.formats.records.samples import check_samples
from evalmark.validator.formats.shared import json_checks
from evalmark.validator.io.opening import open_regular
from found import codes_of
from records import sampled

pytestmark = pytest.mark.usefixtures("internal_errors_are_findings")

SUITE = FIXTURES / "good/suite.json"
BROKEN = Rule("SG999", "broken", Severity.ERROR, "A rule with a bug.", lambda _: 1 / 0)


@pytest.fixture
def break_rules(monkeypatch):
    """``break_rules(error)``: a rule of suites that raises it."""

    def broken_by(error):
        def check(view):
            raise error

        rule = Rule("SG999", "broken", Severity.ERROR, "A rule with a bug.", check)
        monkeypatch.setattr(KINDS["suite"].checks, "groups", lambda view: grouped((rule,)))

    return broken_by


@pytest.mark.parametrize(
    "error", [KeyError("x"), AssertionError(), MemoryError(), RecursionError()]
)
def test_a_bug_is_a_finding_with_its_place(break_rules, error):
    break_rules(error)
    (finding,) = check_file(SUITE).findings
    assert (finding.code, finding.name) == ("F099", "internal-error")
    place = r"evalmark\.validator\.[a-z_.]+:[0-9]+"
    assert re.fullmatch(f"internal error: {type(error).__name__} in {place}", finding.message)
    assert "please report" in finding.helps[0]
    assert codes_of(SUITE.read_text()) == ["F099"]


def test_what_other_rules_and_the_schema_find_stands(monkeypatch):
    for path in sorted((FIXTURES / "bad").glob("*.json*")):
        before = check_file(path, select=("ALL",)).findings
        codes = {finding.code for finding in before}
        with monkeypatch.context() as patch:
            for module in (json_checks, check_samples, pair_rows):
                patch.setattr(
                    module,
                    "found_by",
                    lambda groups, *rest, known=codes: found_by(
                        grouped(
                            rule if rule.code in known else BROKEN
                            for group in groups
                            for _, rule in group.rules
                        ),
                        *rest,
                    ),
                )
            after = check_file(path, select=("ALL",)).findings
        assert [*before] == [finding for finding in after if finding.code != "F099"], path


def test_a_broken_check_of_samples_leaves_what_was_found_in_the_record(monkeypatch, tmp_path):
    record = sampled(tmp_path)
    record.write_text(record.read_text().replace('"score": ', '"score": 1e99, "x": ', 1))
    before = set(codes_of(record.read_text()))
    monkeypatch.setattr(check_samples, "ROW_GROUPS", grouped((BROKEN,)))
    monkeypatch.setattr(check_samples, "SINGLE_TURN_GROUPS", grouped((BROKEN,)))
    found = {(f.code, Path(f.path).name) for f in check_file(record).findings}
    assert before
    assert {("F099", "with_samples_samples.jsonl")} < found
    assert before < {code for code, _ in found}


@pytest.mark.parametrize("name", ["good/suite.json", "good/pairs/agreement.jsonl"])
def test_only_a_file_that_cannot_be_read_is_to_blame(monkeypatch, name):
    path = FIXTURES / name

    def unreadable(where):
        def fail(*_, **__):
            raise OSError(5, "Input/output error", where)

        return fail

    for where, code in ((str(path), "F011"), ("/tmp/ours", "F099"), (None, "F099")):
        monkeypatch.setattr(check, "as_document", unreadable(where))
        monkeypatch.setattr(check, "merge_conflict", unreadable(where))
        (finding,) = check_file(path).findings
        assert (finding.code, finding.path) == (code, str(path))


def test_an_error_of_reading_names_the_file(tmp_path):
    with open_regular(SUITE) as file, (tmp_path / "x").open("wb") as unreadable:
        os.dup2(unreadable.fileno(), file.fileno())
        with pytest.raises(OSError, match="Bad file descriptor") as caught:
            next(file)
    assert caught.value.filename == SUITE


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interruption_is_no_finding(break_rules, stop):
    break_rules(stop())
    with pytest.raises(stop):
        check_file(SUITE)


@pytest.mark.parametrize("program", ["evalmark check", "evalmark-hook"])
def test_other_files_are_checked(break_rules, run, program):
    other = FIXTURES / "bad/F001_comment.json"
    break_rules(ValueError("x"))
    outcome = run(*program.split(), SUITE, other, code=2)
    assert f"{SUITE}:1:1: error[F099] internal error: ValueError in evalmark." in outcome.out
    assert f"{other}:" in outcome.out


def test_other_files_are_converted(monkeypatch, run, tmp_path):
    for name in ("a.json", "b.json"):
        shutil.copy(FIXTURES / "legacy/brackets.old.json", tmp_path / name)
    real = convert_file.convert_parsed

    def broken(parsed, **how):
        if parsed.path.endswith("a.json"):
            raise KeyError(parsed.path)
        return real(parsed, **how)

    monkeypatch.setattr(convert_file, "convert_parsed", broken)
    outcome = run("evalmark", "convert", "--in-place", tmp_path, code=2)
    assert (
        "a.json: F099 internal error: KeyError in evalmark.converters.convert_files:" in outcome.err
    )
    assert "please report" in outcome.err
    assert "b.json: suite-brackets" in outcome.err


#: What is in no file of ours, or in one that was saved by an old program.
ODD = (b"", b"\n", codecs.BOM_UTF8, b"[]", b"[[]]", b"[null]", b"{}", b"1", b'"a', b"a,b\r1,2\r")
ENDINGS = (".json", ".jsonl", ".yaml", ".csv", ".tsv", ".txt")


def test_no_odd_content_of_any_kind_is_a_bug():
    for kind, raw, ending in itertools.product(KINDS, ODD, ENDINGS):
        codes = set(codes_of(raw, f"x{ending}", kind=kind))
        assert "F099" not in codes, (kind, raw, ending)
        assert codes or raw != b"[]" or ending in (".csv", ".tsv", ".txt"), (kind, ending)


@pytest.mark.parametrize(
    "name", ["pairs/jblimp.csv", "pairs/agreement.jsonl", "with_samples_samples.jsonl"]
)
def test_rows_saved_by_old_programs_are_recognized(name):
    text = (FIXTURES / "good" / name).read_text("utf-8")
    kind = check_text(text, path=name).kind
    for odd in ("\ufeff" + text, "\ufeff" + "\n".join(text.split("\n")[:2])):
        assert check_text(odd, path=name).kind == kind
    codes = codes_of(text.replace("\n", "\r"), path=name)
    assert codes == ["F001"]


def test_a_bound_is_a_number_or_infinite_for_every_rule():
    data = data_at("bad/EE101_deployment_type.json")
    data["model_info"]["additional_details"]["deployment_type"] = "unknown"
    metric = data["evaluation_results"][0]["metric_config"]
    bounds = {"-Infinity": -math.inf, 0: 0, 1: 1, None: None, "Infinity": math.inf}
    for low, high, profile in itertools.product(bounds, bounds, (None, "eee")):
        metric |= {"min_score": low, "max_score": high}
        codes = set(codes_of(data, profile=profile))
        assert "F099" not in codes, (low, high)
        wrong = None not in (low, high) and bounds[low] >= bounds[high]
        assert ("EE202" in codes) == wrong, (low, high)
