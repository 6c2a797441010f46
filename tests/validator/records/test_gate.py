"""What passes here passes EEE's own validator, as measured with its version 0.3.0.

``benchmarks.gate`` compares the two on thousands of mutants; these are the cases by which it was
understood. Where it reads values leniently, they may be refused here.
"""

import copy
import hashlib
import json
import sys

import pytest
from conftest import FIXTURES, data_at
from evalmark.schemas.backend import accepts
from evalmark.validator.check import check_data, check_file, check_text
from found import codes_of
from pointers import changed

#: Changes of a record, and of a record with its samples, and the verdicts on them.
CORPUS = data_at("corpus/gate.json")
UUID, PLACE = CORPUS["base"]["name"], CORPUS["base"]["folder"]


@pytest.fixture
def record():
    path = FIXTURES / CORPUS["base"]["record"]
    return changed(json.loads(path.read_text(encoding="utf-8")), CORPUS["base"]["set"])


@pytest.fixture
def rows(record):
    text = (FIXTURES / CORPUS["base"]["rows"]).read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.splitlines()]
    for row in found:
        row["evaluation_id"] = record["evaluation_id"]
    return found


@pytest.fixture
def verdicts(tmp_path):
    """A function that lays out a record, and rows where given: its findings and the verdicts."""

    def judge(record, rows=None, place=PLACE, name=UUID):
        folder = tmp_path / place
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.json"
        if rows is not None:
            if isinstance(rows, list):
                rows = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (folder / f"{name}_samples.jsonl").write_bytes(rows.encode())
        path.write_text(record if isinstance(record, str) else json.dumps(record))
        report = check_file(path, profile="eee")
        return report, [verdict for _, verdict in report.verdicts]

    return judge


def linked(record, count, **changes):
    """The record with the link to its sample file."""
    link = {"format": "jsonl", "file_path": f"{PLACE}/{UUID}_samples.jsonl", "total_rows": count}
    return {**record, "detailed_evaluation_results": {**link, **changes}}


def changes(case):
    """The values that a case of the corpus sets, and ``...`` for what it removes."""
    return {**case.get("set", {}), **dict.fromkeys(case.get("remove", ()), ...)}


def named(case):
    return case["name"]


@pytest.mark.parametrize("case", CORPUS["records"], ids=named)
def test_the_verdict_on_a_record(verdicts, record, case):
    report, found = verdicts(changed(record, changes(case)))
    assert found == [case["verdict"]]
    errors = [f for f in report.findings if f.severity == "error"]
    assert bool(errors) is (case["verdict"] == "refuse"), "findings say what the verdict says"


@pytest.mark.parametrize("case", CORPUS["pairs"], ids=named)
def test_the_verdicts_on_a_record_and_its_samples(verdicts, record, rows, case):
    wanted = case["verdicts"]
    data = changed({"record": linked(record, len(rows)), "rows": rows}, changes(case))
    report, found = verdicts(data["record"], data["rows"])
    assert found == (wanted if len(found) == 2 else wanted[:1])
    samples = report.path.replace(".json", "_samples.jsonl")
    alone = check_file(samples, profile="eee")
    assert [verdict for _, verdict in alone.verdicts] == wanted[1:]
    errors = [f for f in report.findings if f.severity == "error"]
    assert bool(errors) is ("refuse" in found)


@pytest.mark.parametrize("case", [*CORPUS["records"], *CORPUS["pairs"]], ids=named)
def test_only_what_the_package_reads_is_refused_here(case):
    """As ``benchmarks.corpus`` measures it."""
    ours = case.get("verdicts") or [case["verdict"]]
    theirs = case.get("references") or [case.get("reference")]
    differences = {
        pair for pair in zip(ours, theirs, strict=False) if pair[1] and len(set(pair)) > 1
    }
    assert differences == ({("refuse", "pass")} if "why" in case else set())


@pytest.mark.parametrize(
    ("end", "wanted"),
    [
        ("\n\n", ["pass", "pass"]), ("\u00a0\n", ["pass", "refuse"]), ("\r\r\n", ["pass", "pass"]),
        ("x\n", ["refuse", "refuse"]), ("\x00\n", ["refuse", "refuse"]),
    ],
)  # fmt: skip
def test_lines_are_those_of_a_text_file(verdicts, record, rows, end, wanted):
    text = end.join(json.dumps(row) for row in rows) + end
    assert verdicts(linked(record, len(rows)), text)[1] == wanted


def test_a_sample_file_needs_a_record_that_names_it(verdicts, record, rows, tmp_path):
    report, found = verdicts(record, rows)
    assert (found, report.findings[0].code) == (["refuse"], "EE402")
    path = tmp_path / PLACE / f"{UUID}.json"
    file_path = f'in the record, write "file_path": "{PLACE}/{UUID}_samples.jsonl"'
    link = f'"detailed_evaluation_results" with {file_path.removeprefix("in the record, write ")}'
    for text, why, helps in (
        (None, "no record next to this sample file",
         (f'put its record next to it, as "{UUID}.json"',)),
        ("[]", "is not a JSON object", ()),
        ("{", "is not JSON", ()),
        (json.dumps(record), "does not name it", (f"in the record, write {link}",)),
        (json.dumps(linked(record, 2, file_path="x.jsonl")), "a different sample file",
         (file_path,)),
        (json.dumps(linked(record, 2, format="json")), "a different `format`",
         ('in the record, write "format": "jsonl"',)),
        (json.dumps(linked(record, 9)), "`total_rows` is 9, but the sample file has 2",
         ('in the record, write "total_rows": 2, if this file is complete',)),
    ):  # fmt: skip
        path.write_text(text or "") if text is not None else path.unlink()
        samples = check_file(path.with_name(f"{UUID}_samples.jsonl"), profile="eee")
        assert [verdict for _, verdict in samples.verdicts] == ["refuse"]
        (finding,) = (f for f in samples.findings if f.severity == "error")
        assert (finding.code, finding.helps) == ("EE413", helps)
        assert why in finding.message


def test_a_line_separator_is_to_be_escaped(verdicts, record, rows):
    rows[0]["evaluation"]["note"] = "a\u2028b"
    report, found = verdicts(linked(record, len(rows)), rows)
    assert found == ["refuse", "pass"]
    (finding,) = (f for f in report.findings if f.code == "EE413")
    assert finding.helps == (
        "in strings, write U+2028, U+2029 and U+0085 as escapes, such as \\u2028",
    )


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda text: "\ufeff" + text, "refuse"),
        (lambda text: text.replace("{", '{"evaluation_id": "x", ', 1), "refuse"),
        (lambda text: text.replace('"metric_id": "accuracy"', '"extra": "\\ud83d"'), "refuse"),
        (lambda text: text.replace('"metric_id": "accuracy"', '"extra": ' + "[" * 250 + "]" * 250),
         "refuse"),
        (lambda text: text.replace('"metric_id": "accuracy"', '"min_score": 1' + "0" * 400),
         "refuse"),
        (lambda text: "[]", "refuse"),
        (lambda text: "", "refuse"),
    ],
)  # fmt: skip
def test_the_verdict_on_a_text(verdicts, record, change, wanted):
    report, found = verdicts(change(json.dumps(record)))
    assert found == [wanted]
    assert any(finding.severity == "error" for finding in report.findings) is (wanted != "pass")


def test_a_text_without_a_file_has_no_place(record):
    report = check_text(json.dumps(record), profile="eee")
    assert (report.findings, report.verdicts) == ((), (("<text>", "pass"),))


def test_what_passes_here_the_models_accept(shared):
    """From the probes whose verdicts were measured."""
    different = []
    for name in ("record", "sample"):
        probes = (shared / f"data/probes/{name}-probes.jsonl").read_text("utf-8").splitlines()
        for probe in map(json.loads, probes):
            case = probe["0.3.0"]
            if name == "record":
                passes = check_data(case["doc"], kind=name, profile="eee").verdicts[0][1] == "pass"
            else:
                passes = accepts("sample-0.3.0", case["doc"])
            if passes and not case["eee_pydantic_valid"]:
                different.append(probe["probe"])
    assert different == []


def test_the_report_and_the_summary_have_the_verdicts(run, record, rows, tmp_path):
    text = "".join(json.dumps(row) + "\n" for row in rows)
    digest = hashlib.sha256(text.encode()).hexdigest()
    folder = tmp_path / PLACE
    folder.mkdir(parents=True)
    path, samples = folder / f"{UUID}.json", folder / f"{UUID}_samples.jsonl"
    path.write_text(json.dumps(linked(record, len(rows), checksum=digest)))
    samples.write_text(text)
    other = copy.deepcopy(record)
    other["model_info"]["id"], other["evaluation_id"] = (
        "unknown/x",
        "agreement/unknown/x/1760000000",
    )
    (folder / f"{UUID[:-1]}0.json").write_text(json.dumps(other))
    outcome = run("evalmark", "check", "--profile", "eee", str(tmp_path))
    assert "3 of 3 pass Every Eval Ever's checks.\n" in outcome.err
    outcome = run("evalmark", "check", "--profile", "eee", "--format", "json", str(tmp_path))
    found = json.loads(outcome.out)["verdicts"]
    assert sorted(found.values()) == ["pass", "pass", "pass"]
    plain = run("evalmark", "check", "--format", "json", str(tmp_path))
    assert "verdicts" not in json.loads(plain.out)


def test_a_file_with_values_over_several_lines_is_refused(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{\n "a": 1\n}\n{\n "a": 2\n}\n', encoding="utf-8")
    report = check_file(path, profile="eee")
    assert codes_of(report) == ["F001"]
    assert report.verdicts == ((str(path), "refuse"),)


def test_many_mistakes_and_many_refusals_are_not_compared_pair_by_pair(record):
    """In the number of calls rather than in seconds, which vary."""

    def calls(keys):
        count = 0

        def counting(frame, event, _):
            nonlocal count
            count += event == "call"

        text = json.dumps({**record, **dict.fromkeys(map("key{}".format, range(keys)), 1)})
        check_text(text, profile="eee")  # loads what is loaded when it is first needed
        sys.setprofile(counting)
        try:
            check_text(text, profile="eee")
        finally:
            sys.setprofile(None)
        return count

    assert calls(400) < 3 * calls(200)
