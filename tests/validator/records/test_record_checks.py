"""Records by version, and records together with their sample files."""

import contextlib
import gc
import hashlib
import json
import os
import shutil
import socket
from pathlib import Path

import pytest
from conftest import FIXTURES, data_at, edited, needs_fifos, needs_links, record_at
from evalmark.schemas.versions import names
from evalmark.validator.check import check_data, check_file
from evalmark.validator.formats.records.record_view import RecordView
from evalmark.validator.formats.records.samples.companions import companion
from found import codes_of
from looping import loops_over
from records import SAMPLES, sampled

VERSIONS = FIXTURES / "versions"


# versions


@pytest.mark.conforms("R-2")
@loops_over("version", names("record"))
def test_a_record_is_checked_against_its_own_version(version):
    report = check_data(record_at(version))
    assert (report.version, report.findings) == (version, ())


def test_a_wrong_label_is_one_finding():
    data = {**record_at("0.1.0"), "schema_version": "0.0.1"}
    (finding,) = check_data(data).findings
    assert finding.code == "EE102"
    assert "matches 0.1.0" in finding.message


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
    data = record_at()
    if label is None:
        del data["schema_version"]
    else:
        data["schema_version"] = label
    assert codes_of(data) == expected


def test_the_user_may_choose_the_version():
    report = check_data(record_at("0.2.2"), schema_version="0.2.0")
    assert report.version == "0.2.0"
    assert codes_of(report) == ["EE114"]
    assert check_data({**record_at(), "schema_version": "7"}).findings[0].code == "F013"


def test_an_old_record_that_fits_nothing_is_one_finding():
    data = record_at("0.0.1")
    data.update({f"key_{number}": number for number in range(300)})
    (finding,) = check_data(data).findings
    assert finding.code == "EE103"
    assert "unknown key `key_0`, at /key_0, and 299 more" in finding.message


@loops_over("version", names("record"))
def test_an_id_of_a_result_that_is_no_text_does_not_stop_the_check(version):
    data = record_at(version)
    data["evaluation_results"][0]["evaluation_result_id"] = ["a"]
    assert "F099" not in codes_of(data)


def test_a_sample_without_interaction_type_is_one_finding():
    (line, *_) = (VERSIONS / "sample-0.3.0.jsonl").read_text().splitlines()
    row = json.loads(line)
    del row["interaction_type"]
    assert codes_of(row, kind="sample") == ["EE101"]


# samples beside their record


def test_a_good_pair(tmp_path):
    report = check_file(sampled(tmp_path))
    assert report.findings == ()
    assert report.companions == (str(tmp_path / "with_samples_samples.jsonl"),)


def test_samples_are_found_from_the_data_root(tmp_path):
    path = sampled(tmp_path / "data/demo/model-1")  # not as deep as a datastore
    with edited(path) as data:
        data["detailed_evaluation_results"]["file_path"] = "data/samples/rows.jsonl"
    assert codes_of(path) == ["EE319"]
    (tmp_path / "data/samples").mkdir()
    shutil.move(path.with_name(SAMPLES), tmp_path / "data/samples/rows.jsonl")
    assert codes_of(path) == []


def naming(folder, file_path):
    """The good record, with another path to its samples."""

    changes = {"file_path": str(file_path)}
    return sampled(folder, lambda data, _: data["detailed_evaluation_results"].update(changes))


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret.txt"
    path.write_text("TOKEN=abc\n", encoding="utf-8")
    return path


def test_an_absolute_path_is_refused_in_the_own_folder_too(tmp_path):
    path = naming(tmp_path, tmp_path / "with_samples_samples.jsonl")
    assert codes_of(path) == ["EE321"]


def linked(folder, secret):
    path = sampled(folder)
    samples = path.with_name(SAMPLES)
    samples.unlink()
    samples.symlink_to(secret)
    return path


def below_a_link(folder, secret):
    path = naming(folder, "sub/secret.txt")
    (folder / "sub").symlink_to(secret.parent)
    return path


def hidden(folder, secret):
    path = naming(folder, ".git/config")
    (folder / ".git").mkdir()
    shutil.copy(secret, folder / ".git/config")
    return path


#: How a record leads to a file that is none of its samples.
LEADING_OUT = {
    "absolute": naming,
    "climbing": lambda folder, _: naming(folder, "../secret.txt"),
    "down and up": lambda folder, _: naming(folder, "sub/../../secret.txt"),
    "from here": lambda folder, _: naming(folder, "./../secret.txt"),
    "a link": linked,
    "below a link": below_a_link,
    "hidden": hidden,
}


@needs_links
@pytest.mark.conforms("R-137")
@pytest.mark.parametrize("way", LEADING_OUT)
def test_a_file_that_is_none_of_the_samples_is_never_opened(way, tmp_path, secret, run):
    """The only finding is EE321, and nothing tells what the file holds."""
    path = LEADING_OUT[way](tmp_path / "run", secret)
    report = check_file(path)
    assert codes_of(report) == ["EE321"]
    assert report.companions == ()
    digest = hashlib.sha256(secret.read_bytes()).hexdigest()
    for form in ("full", "concise", "json", "github", "sarif"):
        out = run("evalmark", "check", "--format", form, path).out
        assert "samples-path" in out or "EE321" in out
        assert "TOKEN" not in out
        assert digest not in out


def test_whether_a_file_outside_exists_is_not_told(tmp_path, secret):
    there = check_file(naming(tmp_path / "run", "../secret.txt")).findings
    secret.unlink()
    assert check_file(naming(tmp_path / "run", "../secret.txt")).findings == there


@needs_links
def test_a_link_inside_the_folder_is_followed(tmp_path):
    path = sampled(tmp_path / "run")
    samples = path.with_name(SAMPLES)
    (tmp_path / "run/store").mkdir()
    shutil.move(samples, tmp_path / "run/store/rows.jsonl")
    samples.symlink_to("store/rows.jsonl")
    report = check_file(path)
    assert (report.findings, report.companions) == ((), (str(samples),))


def test_a_path_may_climb_inside_a_datastore(tmp_path):
    path = naming(tmp_path / "data/demo/model-1", "../samples/rows.jsonl")
    (tmp_path / "data/demo/samples").mkdir()
    shutil.move(path.with_name(SAMPLES), tmp_path / "data/demo/samples/rows.jsonl")
    report = check_file(path)
    assert report.findings == ()
    assert report.companions


def test_only_the_nearest_data_folder_makes_a_datastore(tmp_path):
    path = naming(tmp_path / "data/checkout/data/demo", "data/other/rows.jsonl")
    (tmp_path / "data/other").mkdir()
    shutil.move(path.with_name(SAMPLES), tmp_path / "data/other/rows.jsonl")
    assert codes_of(path) == ["EE319"]


def test_a_data_folder_at_the_root_of_all_files_makes_no_datastore():
    found = companion({"detailed_evaluation_results": {"file_path": "etc/passwd"}}, "/data/r.json")
    assert found is not None
    assert found.path == ""


def socket_at(name):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)


#: What is at the path of the samples.
NO_FILES = {
    "folder": lambda: Path("x").mkdir(),
    "pipe": lambda: os.mkfifo("x"),
    "socket": lambda: socket_at("x"),
    "link to itself": lambda: Path("x").symlink_to("x"),
    "link to a device": lambda: Path("x").symlink_to("/dev/zero"),
}


@needs_fifos
@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_not_a_regular_file_is_never_opened(kind, tmp_path):
    path = naming(tmp_path, "x")
    with contextlib.chdir(tmp_path):
        NO_FILES[kind]()
        report = check_file(path)
    assert codes_of(report) == ["EE321"]
    if "link" not in kind:
        assert report.findings[0].message == "the sample file is not a regular file"


@pytest.mark.parametrize("name", ["a\0b", "x" * 10_000, "with_samples.json/x"])
def test_a_name_that_no_file_has_is_missing(name, tmp_path):
    path = naming(tmp_path, name)
    assert "EE319" in codes_of(path)


@pytest.mark.parametrize("name", [chr(0xD800), chr(0)])
def test_a_name_that_cannot_be_looked_up_is_missing(name, tmp_path):
    link = {"detailed_evaluation_results": {"file_path": name}}
    found = companion(link, str(tmp_path / "record.json"))
    assert (found.path, found.is_refused) == ("", False)


@pytest.mark.parametrize(
    ("become", "reason"),
    [
        pytest.param(lambda path, _: os.mkfifo(path), "not a regular file", marks=needs_fifos),
        pytest.param(Path.symlink_to, "symbolic links", marks=needs_links),
    ],
    ids=["pipe", "link"],
)
def test_what_becomes_another_file_after_the_look_is_not_opened(tmp_path, secret, become, reason):
    path = sampled(tmp_path / "run")
    found = companion(json.loads(path.read_text("utf-8")), str(path))
    samples = tmp_path / "run/with_samples_samples.jsonl"
    samples.unlink()
    become(samples, secret)
    with pytest.raises(OSError, match=reason):
        found.opened()


def test_a_path_that_the_schema_forbids_is_said_once(tmp_path, secret):
    data = record_at("0.3.0")
    data["detailed_evaluation_results"] = {"format": "jsonl", "file_path": str(secret)}
    path = tmp_path / "record.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert codes_of(path) == ["EE117"]


def test_a_separator_inside_a_string_ends_no_line(tmp_path):
    def change(_, rows):
        rows[0]["output"]["raw"] = ["a\u2028b\u2029c\x85d"]
        rows[0] = json.dumps(rows[0], ensure_ascii=False).encode() + b"\n"

    assert codes_of(sampled(tmp_path, change)) == []


@pytest.mark.conforms("R-138", "R-139", "R-141")
def test_a_checksum_by_md5(tmp_path):
    path = sampled(tmp_path)
    with edited(path) as data:
        link = data["detailed_evaluation_results"]
        raw = path.with_name(SAMPLES).read_bytes()
        link.update(hash_algorithm="md5", checksum=hashlib.md5(raw).hexdigest().upper())
    # sample_hash follows the same algorithm: the rows have sha256.
    assert set(codes_of(path)) == {"EE305"}


def test_a_score_in_per_cent_is_recognised(tmp_path):
    def change(record, _):
        result = record["evaluation_results"][0]
        result["score_details"]["score"] = 75.0
        result["metric_config"]["max_score"] = 100

    assert codes_of(sampled(tmp_path, change)) == []


@pytest.mark.parametrize(("score", "expected"), [(0.75, []), (0.753, ["EE318"]), (0.76, ["EE318"])])
def test_the_aggregate_is_recomputed_to_the_printed_precision(tmp_path, score, expected):
    def change(record, _):
        record["evaluation_results"][0]["score_details"]["score"] = score

    assert codes_of(sampled(tmp_path, change)) == expected


@pytest.mark.parametrize(
    ("source", "metric", "samples", "severity"),
    [
        ("evalmark", None, None, "error"),
        ("evalmark", "f1", 9, "error"),
        ("Example leaderboard", None, 4, "warning"),  # it may be no mean
        ("Example leaderboard", "f1", 4, "warning"),
        ("Example leaderboard", "accuracy", None, "warning"),  # the rows may be a part
        ("Example leaderboard", "accuracy", 4, "error"),
        ("Example leaderboard", "exact_match,strict-match", 4, "error"),
        ("Example leaderboard", "balanced_accuracy", 4, "warning"),
    ],
)
def test_a_score_that_must_be_the_mean_of_its_rows(tmp_path, source, metric, samples, severity):
    def change(record, _):
        record["source_metadata"]["source_name"] = source
        (result,) = record["evaluation_results"]
        result["score_details"]["score"] = 0.9
        if metric:
            result["metric_config"]["evaluation_description"] = metric
        if samples:
            result["score_details"]["uncertainty"] = {"num_samples": samples}

    (found,) = [f for f in check_file(sampled(tmp_path, change)) if f.code == "EE318"]
    assert found.severity.value == severity


def test_another_checksum_is_said_although_a_row_contradicts_itself(tmp_path):
    def change(_, rows):
        rows[0]["evaluation"]["is_correct"] = False

    assert sorted(codes_of(sampled(tmp_path, change, sums=False))) == ["EE301", "EE313"]


@pytest.mark.parametrize(("score", "expected"), [(0.87, []), (0.88, []), (0.86, ["EE318"])])
def test_a_mean_in_the_middle_is_rounded_either_way(tmp_path, score, expected):
    def change(record, rows):
        record["evaluation_results"][0]["score_details"]["score"] = score
        record["detailed_evaluation_results"]["total_rows"] = 8
        again = json.loads(json.dumps(rows))
        for number, row in enumerate(again):
            row["sample_id"] = f"again-{number}"
            row["evaluation"] = {"score": 1.0, "is_correct": True}
        rows += again

    assert [c for c in codes_of(sampled(tmp_path, change)) if c != "EE313"] == expected


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (b"{\n", "F001"), (b'{"a": "\xff"}\n', "F002"), (b'{"a": 1, "a": 2}\n', "F005"),
        (b"[" * 100_000 + b"\n", "F009"), (b"[1]\n", "EE112"), (b'{"a": 1}\n', "EE101"),
        (b"\n", "EE320"),
    ],
)  # fmt: skip
def test_a_bad_row_is_found_at_its_line_and_the_others_go_on(tmp_path, row, code):
    def change(_, rows):
        rows.insert(2, row)
        rows[4]["model_id"] = f"x{rows[4]['model_id']}"

    report = check_file(sampled(tmp_path, change))
    bad = next(finding for finding in report.findings if finding.code == code)
    assert bad.span.line == 3
    assert bad.path.endswith("_samples.jsonl")
    assert any(f.code == "EE315" and f.span.line == 5 for f in report.findings)


def test_a_record_and_its_samples_are_checked_once(run, here):
    sampled(here, lambda _, rows: rows.append(rows[0]))
    for arguments in (["."], ["with_samples.json", "with_samples_samples.jsonl"]):
        outcome = run("evalmark", "check", "--format", "concise", *arguments)
        assert outcome.out.count("EE317") == 1
        assert "Checked 2 files" in outcome.err
    alone = run("evalmark", "check", "with_samples_samples.jsonl")
    assert "with_samples_samples.jsonl:5:1: warning[EE317]" in alone.out


def test_rows_of_others_are_passed_over_in_folders(run, tmp_path):
    path = tmp_path / "other.jsonl"
    path.write_text('{"doc_id": 0}\n')
    skipped = f"Skipped 1 unrecognized file: {path}.\n"
    assert run("evalmark-hook", path) == (0, "", skipped)
    assert "F012" in run("evalmark", "check", path).out


def test_many_findings_of_one_rule_do_not_hide_those_of_others(tmp_path):
    def change(record, rows):
        others = ({"sample_id": str(at), "model_id": f"other-{at}"} for at in range(1500))
        rows[:] = [*(rows[0] | other for other in others), {}]

    report = check_file(sampled(tmp_path, change))
    found = [finding for finding in report.findings if finding.code == "EE315"]
    assert len(found) == 1000
    assert "1500 of these in total; only the first 1000 are reported" in found[0].notes
    assert any(f.code == "EE101" and f.span.line == 1501 for f in report.findings)


def test_rows_of_another_model_are_one_finding(tmp_path):
    def change(record, rows):
        rows[:] = [rows[0] | {"sample_id": str(at), "model_id": "other"} for at in range(9)]

    report = check_file(sampled(tmp_path, change))
    (found,) = [finding for finding in report.findings if finding.code == "EE315"]
    assert found.notes == ("the same in 8 other rows",)


def test_rows_from_stdin(run):
    rows = (FIXTURES / "bad/EE301_correct_against_score_samples.jsonl").read_bytes()
    outcome = run("evalmark", "check", "-", "--stdin-filename", "rows.jsonl", stdin=rows)
    assert outcome.out.startswith("rows.jsonl:4:444: warning[EE301]")


def test_a_fixed_record_is_checked_with_its_samples_again(run, tmp_path):
    path = sampled(tmp_path, lambda _, rows: rows.append(rows[0]))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    outcome = run("evalmark", "check", "--fix", path)
    assert "Fixed 1 finding in 1 file." in outcome.err
    assert "F003" not in outcome.out
    assert "EE317" in outcome.out


def test_an_example_of_a_datastore(shared):
    folder = shared / "data/results/skill_reference_conversion"
    (path,) = folder.rglob("*40.json")
    report = check_file(path)
    assert report.ok
    assert report.companions


def test_schema_only_looks_at_shape_and_nothing_else(run):
    for name in ("EE201_score_out_of_bounds.json", "EE313_checksum.json"):
        assert run("evalmark", "check", FIXTURES / "bad" / name).code == 1
        alone = run("evalmark", "check", FIXTURES / "bad" / name, "--schema-only", code=0)
        assert "Checked 1 file" in alone.out + alone.err
    for name in ("EE112_wrong_type.json", "F005_duplicate_key.json"):
        assert run("evalmark", "check", FIXTURES / "bad" / name, "--schema-only").code == 1
    for name in ("EE305_sample_hash_samples.jsonl", "LT414_misspelt_test.jsonl"):
        check = "evalmark", "check", FIXTURES / "bad" / name, "--fail-on", "warning"
        assert run(*check).code == 1
        assert run(*check, "--schema-only").code == 0


def test_a_byte_order_mark_is_a_mistake_of_its_row(tmp_path):
    rows = FIXTURES / "good/with_samples_samples.jsonl"
    marked = tmp_path / "x_samples.jsonl"
    marked.write_bytes(b"\xef\xbb\xbf" + rows.read_bytes())
    assert [(f.code, f.span.line) for f in check_file(marked).findings] == [("F003", 1)]


def test_a_record_that_was_checked_is_freed_without_a_search_for_circles():
    # Searches are off while many files are checked: what is in a circle stays until the end.
    data = data_at("good/record.json")
    gc.collect()
    gc.disable()
    try:
        check_data({**data, "evaluation_timestamp": "1750000000"})
        assert not any(type(each) is RecordView for each in gc.get_objects())
    finally:
        gc.enable()
