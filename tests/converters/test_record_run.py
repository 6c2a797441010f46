"""Records read as runs: what a run is written as is what is read, in every version."""

import json
import shutil
from dataclasses import replace
from hashlib import sha256

import pytest
from conftest import FIXTURES
from evalmark.converters.importers.registry import Importer, import_results, importer_of
from evalmark.converters.records.record_run import run_of_record
from evalmark.converters.records.writer import WRITTEN_VERSIONS, write_record
from evalmark.converters.supplied import NOTHING
from evalmark.schemas.errors import ScoringError

LOG = FIXTURES / "results/inspect/log.json"
VERSIONS = sorted((FIXTURES / "versions").glob("record-*.json"))


def read(path):
    return run_of_record(path, json.loads(path.read_text(encoding="utf-8")))


@pytest.fixture
def imported():
    data = json.loads(LOG.read_text(encoding="utf-8"))
    importer = importer_of(data, str(LOG))
    assert isinstance(importer, Importer)
    (run,) = import_results(importer, LOG, data, NOTHING)
    results = [replace(r, metric=replace(r.metric, bounds=(0, 1))) for r in run.results]
    return replace(run, results=tuple(results))  # 0.2.0 has no open bounds


@pytest.mark.parametrize("version", WRITTEN_VERSIONS)
def test_what_is_written_is_read(imported, tmp_path, version):
    run = read(write_record(imported, tmp_path, version=version).record)
    assert (run.collection, run.time, run.model.id) == (
        imported.collection, imported.time, imported.model.id,
    )  # fmt: skip
    for old, new in zip(imported.results, run.results, strict=True):
        assert (old.score, old.dataset.name, old.details) == (
            new.score, new.dataset.name, new.details,
        )  # fmt: skip
        assert imported.settings_of(old).items() <= run.settings_of(new).items()
    for old, new in zip(imported.samples, run.samples, strict=True):
        assert (old.id, old.raw, old.reference, old.metadata) == (
            new.id, new.raw, new.reference, new.metadata,
        )  # fmt: skip
        assert imported.score_of(old) == run.score_of(new)
        assert [turn.content for turn in old.turns] == [turn.content for turn in new.turns]


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_a_record_of_every_version_is_a_run(path):
    run = read(path)
    assert run.results
    assert all(isinstance(result.score, float) for result in run.results)


def test_samples_with_another_checksum_are_parsed_strictly(tmp_path):
    record, samples = "with_samples.json", "with_samples_samples.jsonl"
    for name in (record, samples):
        shutil.copy(FIXTURES / "good" / name, tmp_path)
    text = (tmp_path / samples).read_text()
    assert len(list(read(tmp_path / record).samples)) == len(text.splitlines())
    twice = text.replace('"evaluation_name"', '"evaluation_name": "x", "evaluation_name"', 1)
    (tmp_path / samples).write_text(twice)
    with pytest.raises(ScoringError, match="line 1: not a sample"):
        list(read(tmp_path / record).samples)


def test_a_line_that_is_not_json_is_none_even_with_the_right_checksum(tmp_path):
    record, samples = "with_samples.json", "with_samples_samples.jsonl"
    for name in (record, samples):
        shutil.copy(FIXTURES / "good" / name, tmp_path)
    before = sha256((tmp_path / samples).read_bytes()).hexdigest()
    (tmp_path / samples).write_text("{\n")
    text = (tmp_path / record).read_text()
    assert before in text
    after = sha256((tmp_path / samples).read_bytes()).hexdigest()
    (tmp_path / record).write_text(text.replace(before, after))
    with pytest.raises(ScoringError, match="line 1: not a sample"):
        list(read(tmp_path / record).samples)


def test_a_record_without_samples_says_what_it_lacks(tmp_path):
    assert "names no sample file" in read(FIXTURES / "good/record.json").lacks
    shutil.copy(FIXTURES / "good/with_samples.json", tmp_path)
    run = read(tmp_path / "with_samples.json")
    assert (run.lacks, list(run.samples)) == ("the sample file does not exist", [])
