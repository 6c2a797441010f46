"""Logs of Inspect, as zip files and as JSON: the same record, or where they are damaged."""

import json
import re
import shutil
import tracemalloc
import zipfile

import pytest
from counting_leaves import ZipMember
from evalmark.converters.importers.registry import importer_of_path
from evalmark.converters.records.writer import build_record
from evalmark.converters.sources.archive import open_archive
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.opening import MAX_UNPACKED, why_too_compressed
from imported_runs import read_results
from test_importing import EVAL, refusal
from test_results import ID, RESULTS, SOURCES

# Inspect, .eval


def texts_of(path):
    runs = read_results(path, Supplied(values=ID))
    return [
        (b.text, b"".join(b.rows)) for b in (build_record(r, path, version="0.3.0") for r in runs)
    ]


def test_a_log_is_the_same_as_a_zip_file_and_as_json():
    assert texts_of(EVAL) == texts_of(RESULTS / "inspect_eval/quiz.json")


def test_a_large_log_written_as_json_is_read_piece_by_piece(monkeypatch, tmp_path):
    log = RESULTS / "inspect_eval/quiz.json"
    small = texts_of(log)
    monkeypatch.setattr("evalmark.converters.importers.registry.LARGE", 0)
    assert importer_of_path(log).name == "inspect"
    assert importer_of_path(SOURCES["lm_eval"]) is None
    assert texts_of(log) == small
    (run,) = read_results(log, Supplied(values=ID))
    assert len(list(run.samples)) == 6
    assert sum(run.left_out.values()) == 50 + 1105 + 3
    path = tmp_path / "log.json"
    path.write_text(log.read_text("utf-8")[:50_000], "utf-8")
    assert re.match(r"log.json:\d+:\d+: F001 ", refusal(path, "inspect_eval", tmp_path))


def repacked(path, tmp_path, method, skip=()):
    copy = tmp_path / path.name
    with open_archive(path) as archive, zipfile.ZipFile(copy, "w", method) as file:
        for name in archive.names:
            if name not in skip:
                file.writestr(name, archive.read(name))
    return copy


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_members_may_be_compressed_otherwise(method, tmp_path):
    assert texts_of(repacked(EVAL, tmp_path, method)) == texts_of(EVAL)


def test_without_pyarrow_a_member_with_zstd_is_refused_with_two_ways_out(monkeypatch, tmp_path):
    monkeypatch.setattr("evalmark.converters.sources.archive.find_spec", lambda _: None)
    with pytest.raises(ValueError, match=r"header.json is compressed with zstd") as refusal:
        list(read_results(EVAL))
    assert "[parquet]" in str(refusal.value)
    assert "inspect log convert LOG --to json" in str(refusal.value)


def test_a_damaged_zip_file_is_refused(tmp_path):
    raw = EVAL.read_bytes()
    path = tmp_path / "quiz.eval"
    for content, reason in (
        (raw[:2000], "damaged zip file"),
        (b"", "damaged zip file"),
        (raw[:300] + b"\0" * 40 + raw[340:], "is damaged"),
    ):
        path.write_bytes(content)
        assert f"quiz.eval: {reason}" in refusal(path, "inspect_eval", tmp_path).replace(
            "_journal/start.json ", ""
        )
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raw = repacked(EVAL, tmp_path, method).read_bytes()
        path.write_bytes(raw[:300] + b"\0" * 40 + raw[340:])
        assert "damaged" in refusal(path, "inspect_eval", tmp_path)


def test_a_damaged_member_is_refused_with_its_place(tmp_path):
    member = ZipMember(EVAL, "samples/sum_epoch_1.json")
    path = tmp_path / "quiz.eval"
    member.write(path, "/epoch")
    content = member.members[member.name]
    with zipfile.ZipFile(path, "w") as file:
        for name, raw in {**member.members, member.name: content[:400]}.items():
            file.writestr(name, raw)
    assert "samples/sum_epoch_1.json:" in refusal(path, "inspect_eval", tmp_path)


BOMB = r"quiz.eval: it holds 64 MiB, 10\d\d times its size; at most 50 times, or 32 MiB, are read"


def bomb(path, method, size):
    """A log whose header is blanks."""
    with zipfile.ZipFile(path, "w", method) as file, file.open("header.json", "w") as member:
        for _ in range(size >> 20):
            member.write(b" " * (1 << 20))


def test_a_log_that_holds_far_more_than_its_size_is_refused_in_one_line(run, tmp_path):
    path = tmp_path / "quiz.eval"
    bomb(path, zipfile.ZIP_DEFLATED, 1 << 26)
    done = run("evalmark", "convert", path, "--to", "record-0.3.0", "-o", tmp_path / "out", code=1)
    assert re.search(BOMB, done.err)
    assert "if you trust it: inspect log convert LOG --to json" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_member_that_understates_its_size_takes_no_more_memory(method, tmp_path):
    path = tmp_path / "quiz.eval"
    bomb(path, method, 1 << 27)
    size = (1 << 27).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(size, (1000).to_bytes(4, "little")))
    tracemalloc.start()
    try:
        with (
            open_archive(path) as archive,
            pytest.raises(ConversionError, match=r"is damaged|in a way that is not known"),
        ):
            archive.read("header.json")
        assert tracemalloc.get_traced_memory()[1] < 1 << 27
    finally:
        tracemalloc.stop()


def test_logs_that_compress_well_are_read(tmp_path):
    """A short log may be anything; a long one of a conversation that repeats itself, 50 times."""
    assert why_too_compressed(100, MAX_UNPACKED) == ""
    assert why_too_compressed(10**8, 50 * 10**8) == ""
    assert why_too_compressed(10**6, 51 * 10**6) != ""


def test_a_log_without_a_header_has_not_ended(tmp_path):
    path = repacked(EVAL, tmp_path, zipfile.ZIP_STORED, skip=("header.json",))
    assert "no header.json: the evaluation has not ended" in refusal(path, "inspect_eval", tmp_path)


def test_a_judge_keeps_its_name_where_that_of_the_model_is_supplied():
    (run,) = read_results(EVAL, Supplied(values=ID))
    judging = next(r.metric.judging for r in run.results if r.metric.judging)
    assert run.model.id == "example/agent"
    assert [judge["model_info"]["id"] for judge in judging["judges"]] == ["judge"]


def test_a_mean_has_the_direction_of_what_it_averages(tmp_path):
    """Which the score is named for, or its scorer, as packages name it too."""
    log = json.loads((RESULTS / "inspect_eval/quiz.json").read_text("utf-8"))
    for name, scorer, is_lower in (
        ("wer", "mine", True), ("quality", "evals/wer", True), ("evals/f1", "x", False),
    ):  # fmt: skip
        (first, *_) = log["results"]["scores"]
        metrics = {"mean": {"name": "mean", "value": 0.5, "params": {}}}
        score = {**first, "name": name, "scorer": scorer, "metrics": metrics}
        changed = {**log, "results": {**log["results"], "scores": [score]}}
        (tmp_path / "quiz.json").write_text(json.dumps(changed), "utf-8")
        (run,) = read_results(tmp_path / "quiz.json", Supplied(values=ID))
        assert [one.metric.lower_is_better for one in run.results] == [is_lower]


def test_logs_can_be_compared(run, tmp_path):
    shutil.copy(EVAL, tmp_path / "a.eval")
    done = run("evalmark", "compare", tmp_path / "a.eval", RESULTS / "inspect_eval/quiz.json")
    assert done.code == 0, done.err
