"""Records by version, and records together with their sample files."""

from __future__ import annotations

import hashlib
import json
import shutil

import pytest
from conftest import FIXTURES
from evalmark.validator.check import check_data, check_file

VERSIONS = FIXTURES / "versions"


def record(version="0.2.0"):
    return json.loads((VERSIONS / f"record-{version}.json").read_text(encoding="utf-8"))


def codes(report):
    return sorted(finding.code for finding in report.findings)


# versions


@pytest.mark.parametrize("version", ["0.0.1", "0.1.0", "0.2.0", "0.2.1", "0.2.2", "0.3.0"])
def test_a_record_is_checked_against_its_own_version(version):
    report = check_data(record(version))
    assert (report.version, report.findings) == (version, ())


def test_0_2_3_has_the_constraints_of_0_3_0():
    assert check_data(record("0.2.3")).version == "0.3.0"


def test_a_wrong_label_is_one_finding():
    data = {**record("0.1.0"), "schema_version": "0.0.1"}
    (finding,) = check_data(data).findings
    assert finding.code == "EE102"
    assert "of the form of 0.1.0" in finding.message


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        (None, ["EE101"]),  # missing: the version that fits is taken
        (0.2, ["EE112"]),  # no string
        ("9.9", ["F013"]),
        ("", ["F013"]),
        ("instance_level_eval_0.2.0", ["F013"]),  # that is the label of a sample
    ],
)
def test_labels_that_are_none(label, expected):
    data = record()
    if label is None:
        del data["schema_version"]
    else:
        data["schema_version"] = label
    assert codes(check_data(data)) == expected


def test_the_user_may_choose_the_version():
    report = check_data(record("0.2.2"), schema_version="0.2.0")
    assert report.version == "0.2.0"
    assert codes(report) == ["EE114"]
    assert check_data(record("7")).findings[0].code == "F013"


def test_an_old_record_that_fits_nothing_is_one_finding():
    data = record("0.0.1")
    data.update({f"key_{number}": number for number in range(300)})
    (finding,) = check_data(data).findings
    assert finding.code == "EE103"
    assert "300 mistakes" in finding.message


def test_a_sample_without_interaction_type_is_one_finding():
    (line, *_) = (VERSIONS / "sample-0.3.0.jsonl").read_text().splitlines()
    row = json.loads(line)
    del row["interaction_type"]
    assert codes(check_data(row, kind="sample")) == ["EE101"]


# samples beside their record


def pair(folder, change=lambda record, rows: None, *, sums=True):
    """The good record and its samples, changed; checksum and count are made to fit again."""
    source = FIXTURES / "good/with_samples.json"
    data = json.loads(source.read_text(encoding="utf-8"))
    rows = source.with_name("with_samples_samples.jsonl").read_bytes().splitlines(keepends=True)
    change(data, rows)
    raw = b"".join(rows)
    if sums:
        data["detailed_evaluation_results"]["checksum"] = hashlib.sha256(raw).hexdigest()
        data["detailed_evaluation_results"]["total_rows"] = len(rows)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "with_samples_samples.jsonl").write_bytes(raw)
    path = folder / "with_samples.json"
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    return path


def test_a_good_pair(tmp_path):
    report = check_file(pair(tmp_path))
    assert report.findings == ()
    assert report.companions == (str(tmp_path / "with_samples_samples.jsonl"),)


def test_samples_are_found_from_the_data_root(tmp_path):
    path = pair(tmp_path / "data/demo/model-1")  # not as deep as a datastore
    data = json.loads(path.read_text())
    data["detailed_evaluation_results"]["file_path"] = "data/samples/rows.jsonl"
    path.write_text(json.dumps(data))
    assert codes(check_file(path)) == ["EE319"]
    (tmp_path / "data/samples").mkdir()
    shutil.move(path.with_name("with_samples_samples.jsonl"), tmp_path / "data/samples/rows.jsonl")
    assert codes(check_file(path)) == []


def test_a_separator_inside_a_string_ends_no_line(tmp_path):
    def change(_, rows):
        row = json.loads(rows[0])
        row["output"]["raw"] = ["a\u2028b\u2029c\x85d"]
        rows[0] = json.dumps(row, ensure_ascii=False).encode() + b"\n"

    assert codes(check_file(pair(tmp_path, change))) == []


def test_a_checksum_by_md5(tmp_path):
    path = pair(tmp_path)
    data = json.loads(path.read_text())
    link = data["detailed_evaluation_results"]
    raw = path.with_name("with_samples_samples.jsonl").read_bytes()
    link.update(hash_algorithm="md5", checksum=hashlib.md5(raw).hexdigest().upper())
    path.write_text(json.dumps(data))
    # sample_hash follows the same algorithm: the rows have sha256.
    assert set(codes(check_file(path))) == {"EE305"}


def test_a_score_in_per_cent_is_recognised(tmp_path):
    def change(record, _):
        result = record["evaluation_results"][0]
        result["score_details"]["score"] = 75.0
        result["metric_config"]["max_score"] = 100

    assert codes(check_file(pair(tmp_path, change))) == []


@pytest.mark.parametrize(("score", "expected"), [(0.75, []), (0.753, ["EE318"]), (0.76, ["EE318"])])
def test_the_aggregate_is_recomputed_to_the_printed_precision(tmp_path, score, expected):
    def change(record, _):
        record["evaluation_results"][0]["score_details"]["score"] = score

    assert codes(check_file(pair(tmp_path, change))) == expected


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (b"{\n", "F001"),
        (b'{"a": "\xff"}\n', "F002"),
        (b'{"a": 1, "a": 2}\n', "F005"),
        (b"[" * 100_000 + b"\n", "F009"),
        (b"[1]\n", "EE112"),
        (b'{"a": 1}\n', "EE101"),
        (b"\n", "EE320"),
    ],
)
def test_a_bad_row_is_found_at_its_line_and_the_others_go_on(tmp_path, row, code):
    def change(_, rows):
        rows.insert(2, row)
        rows[4] = rows[4].replace(b'"model_id": "', b'"model_id": "x')

    report = check_file(pair(tmp_path, change))
    bad = next(finding for finding in report.findings if finding.code == code)
    assert bad.span.line == 3
    assert bad.path.endswith("_samples.jsonl")
    assert any(f.code == "EE315" and f.span.line == 5 for f in report.findings)


def test_a_record_and_its_samples_are_checked_once(run, tmp_path, monkeypatch):
    pair(tmp_path, lambda _, rows: rows.append(rows[0]))
    monkeypatch.chdir(tmp_path)
    for arguments in (["."], ["with_samples.json", "with_samples_samples.jsonl"]):
        outcome = run("evalmark", "check", "--format", "concise", *arguments)
        assert outcome.out.count("EE317") == 1
        assert "Checked 2 files" in outcome.err
    alone = run("evalmark", "check", "with_samples_samples.jsonl")
    assert "with_samples_samples.jsonl:5:1: EE317" in alone.out


def test_rows_of_others_are_passed_over_in_folders(run, tmp_path):
    path = tmp_path / "other.jsonl"
    path.write_text('{"doc_id": 0}\n')
    assert run("evalmark-hook", path) == (0, "", "")
    assert "F012" in run("evalmark", "check", path).out


def test_many_findings_of_one_rule_do_not_hide_those_of_others(tmp_path):
    def change(record, rows):
        row = json.loads(rows[0])
        rows[:] = [
            json.dumps({**row, "sample_id": str(number), "model_id": "other"}).encode() + b"\n"
            for number in range(1500)
        ]
        rows.append(b"{}\n")

    report = check_file(pair(tmp_path, change))
    found = [finding for finding in report.findings if finding.code == "EE315"]
    assert len(found) == 1000
    assert "1500 of these in all; the first 1000 are kept" in found[0].notes
    assert any(f.code == "EE101" and f.span.line == 1501 for f in report.findings)


def test_rows_from_stdin(run):
    rows = (FIXTURES / "bad/EE301_correct_against_score_samples.jsonl").read_bytes()
    outcome = run("evalmark", "check", "-", "--stdin-filename", "rows.jsonl", stdin=rows)
    assert outcome.out.startswith("rows.jsonl:4:444: EE301")


def test_a_fixed_record_is_checked_with_its_samples_again(run, tmp_path):
    path = pair(tmp_path, lambda _, rows: rows.append(rows[0]))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    outcome = run("evalmark", "check", "--fix", path)
    assert "Fixed 1 finding in 1 file." in outcome.err
    assert "F003" not in outcome.out
    assert "EE317" in outcome.out


def test_frames_show_the_row(run):
    path = FIXTURES / "bad/EE301_correct_against_score.json"
    out = run("evalmark", "check", "--format", "full", path).out
    assert "4 | …" in out
    assert "the score" in out


def test_an_example_of_a_datastore(shared):
    folder = shared / "data/results/skill_reference_conversion"
    (path,) = folder.rglob("*40.json")
    report = check_file(path)
    assert report.ok
    assert report.companions


def test_schema_only_looks_at_shape_and_nothing_else(run):
    for name in ("EE201_score_out_of_bounds.json", "EE313_checksum.json"):
        assert run("evalmark", "check", FIXTURES / "bad" / name).code == 1
        alone = run("evalmark", "check", FIXTURES / "bad" / name, "--schema-only")
        assert alone.code == 0
        assert "Checked 1 file" in alone.out + alone.err
    for name in ("EE112_wrong_type.json", "F005_duplicate_key.json"):
        assert run("evalmark", "check", FIXTURES / "bad" / name, "--schema-only").code == 1
    rows = FIXTURES / "bad/EE305_sample_hash_samples.jsonl"
    assert run("evalmark", "check", rows, "--fail-on", "warning").code == 1
    assert run("evalmark", "check", rows, "--fail-on", "warning", "--schema-only").code == 0


def test_a_byte_order_mark_is_a_mistake_of_its_row(tmp_path):
    rows = FIXTURES / "good/with_samples_samples.jsonl"
    marked = tmp_path / "x_samples.jsonl"
    marked.write_bytes(b"\xef\xbb\xbf" + rows.read_bytes())
    assert [(f.code, f.span.line) for f in check_file(marked).findings] == [("F003", 1)]
