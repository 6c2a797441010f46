"""Converting many files is library work: one outcome for each file."""

import json
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark.converters import import_file
from evalmark.converters.convert_document import convert_data, convert_text
from evalmark.converters.convert_files import convert_file, convert_files
from evalmark.converters.find_needs import find_needs
from evalmark.converters.importers import registry
from evalmark.converters.importers.registry import Importer
from evalmark.converters.proof.proof import sentence_of
from evalmark.converters.records.coerce import Notes
from evalmark.converters.records.migrations import MIGRATIONS, Migration, renamed
from evalmark.converters.records.writer import LAYOUTS, WRITTEN_VERSIONS, layout_of, write_record
from evalmark.converters.sources.placed_values import Pieces
from evalmark.converters.supplied import NOTHING, Supplied
from evalmark.schemas.errors import ConversionError, UnknownNameError, UsageError
from evalmark.schemas.versions import VERSIONS, current
from imported_runs import read_results

OLD = FIXTURES / "legacy/brackets.old.json"
NEW = (FIXTURES / "legacy/brackets.new.json").read_text(encoding="utf-8")
RESULTS = FIXTURES / "results/inspect/log.json"


@pytest.fixture
def folder(tmp_path):
    home = tmp_path / "suites"
    home.mkdir()
    shutil.copy(OLD, home / "a.json")
    (home / "b.json").write_text(NEW, encoding="utf-8")
    (home / "broken.json").write_text('{"items": [], "predictions": ["/"], "meta": {}}')
    (home / "package.json").write_text("{}")
    return home


def test_one_outcome_for_each_file_that_is_recognized(folder):
    outcomes = {Path(o.path).name: o for o in convert_files([folder], in_place=True, write=False)}
    assert set(outcomes) == {"a.json", "b.json", "broken.json"}
    assert outcomes["a.json"].steps == ("suite-brackets → suite",)
    assert (outcomes["a.json"].source, outcomes["a.json"].format) == ("suite-brackets", "suite")
    assert outcomes["a.json"].text == NEW
    assert outcomes["a.json"].changed
    assert not outcomes["b.json"].changed
    assert "SG101 `region_meta` is missing at 1:1" in str(outcomes["broken.json"].refused)
    assert (folder / "a.json").read_bytes() == OLD.read_bytes()


def test_files_are_replaced_in_place(folder):
    assert [o.failed for o in convert_files([folder], in_place=True)] == [None] * 3
    assert (folder / "a.json").read_text(encoding="utf-8") == NEW


def test_an_outcome_says_where_its_text_belongs(folder, tmp_path):
    outcomes = list(convert_files([folder], output=tmp_path / "new", to="table", write=False))
    targets = {outcome.target for outcome in outcomes if outcome.target}
    assert targets == {tmp_path / "new/a.csv", tmp_path / "new/b.csv"}
    assert not (tmp_path / "new").exists()


def test_without_a_place_texts_are_only_returned(folder):
    outcome = convert_file(folder / "a.json")
    assert (outcome.text, outcome.target) == (NEW, None)


def test_one_file_that_cannot_be_converted_is_an_error(folder, tmp_path):
    with pytest.raises(ConversionError, match="SG101 `region_meta` is missing at 1:1"):
        convert_file(folder / "broken.json")
    with pytest.raises(FileNotFoundError):
        convert_file(tmp_path / "nosuch.json")
    (tmp_path / "latin.json").write_bytes(b'"\xff"')
    with pytest.raises(ConversionError, match="not UTF-8"):
        convert_file(tmp_path / "latin.json")
    with pytest.raises(ConversionError, match="not recognized"):
        convert_file(tmp_path)


def test_a_file_that_cannot_be_written_does_not_stop_the_others(folder, tmp_path):
    (tmp_path / "new").mkdir()
    (tmp_path / "new/a.json").mkdir()
    outcomes = {Path(o.path).name: o for o in convert_files([folder], output=tmp_path / "new")}
    assert "cannot be written" in str(outcomes["a.json"].failed)
    assert (tmp_path / "new/b.json").read_text(encoding="utf-8") == NEW


def test_results_that_cannot_be_read_are_not_called_unwritable(monkeypatch, tmp_path):
    def broken(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(import_file, "import_results", broken)
    results = FIXTURES / "results/lm_eval"
    for outcome in convert_files([results], output=tmp_path):
        assert outcome.failed in (None, "cannot be read: Input/output error")
    (refused,) = find_needs([str(results)]).refused
    assert refused.failed == "cannot be read: Input/output error"


def test_results_that_are_too_large_to_compare_are_counted(monkeypatch, tmp_path):
    monkeypatch.setattr(import_file, "Pieces", lambda: Pieces(100))
    *_, last = convert_files([RESULTS], output=tmp_path)
    assert sentence_of(last.proof.counts) == "not verified: 1 file of more than 32 MiB"


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"to": "suit"}, UnknownNameError, "did you mean 'suite'"),
        ({"output": Path("x"), "in_place": True}, UsageError, "exclude each other"),
        ({"output": OLD}, UsageError, "which is a file"),
    ],
)
def test_arguments_are_checked_at_once(folder, arguments, error, words):
    with pytest.raises(error, match=words):
        convert_files([folder], **arguments)


def test_refusals_name_arguments_and_not_options(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("item_number,condition_name,region_number,region_name,content\n1,a,1,x,The\n")
    with pytest.raises(ConversionError) as refused:
        convert_file(table)
    assert refused.value.needs == "predictions"
    assert "--" not in str(refused.value)
    supplied = Supplied(predictions=("(1;%a%) < 1",), metric="sum")
    suite = json.loads(convert_file(table, supplied=supplied).text or "")
    assert suite["meta"] == {"name": "t", "metric": "sum"}


def test_results_are_imported_into_the_output_folder(tmp_path):
    (planned,) = convert_files([RESULTS], output=tmp_path / "new", write=False)
    assert not (tmp_path / "new").exists()
    (done,) = convert_files([RESULTS], output=tmp_path / "new")
    assert done == planned
    assert done.target
    assert done.target.is_file()
    assert done.steps == (f"inspect → {current('record').schema}",)
    (refused,) = convert_files([RESULTS])
    assert refused.refused
    assert refused.refused.needs == "output"


def test_a_leaderboard_is_a_run_for_each_model(tmp_path, monkeypatch):
    (run,) = read_results(RESULTS)

    def read(source):
        yield from (run, run)

    importer = Importer("board", "two models", lambda: read, lambda data: "results" in data)
    monkeypatch.setattr(registry, "IMPORTERS", (importer,))
    assert len(list(read_results(RESULTS))) == 2
    assert len(list(convert_files([RESULTS], output=tmp_path))) == 2


# versions


@pytest.mark.parametrize("version", WRITTEN_VERSIONS)
def test_each_written_version_has_a_module_that_says_how_it_looks(version):
    name = f"evalmark.converters.records.v{version.replace('.', '_')}"
    assert layout_of(version).__name__ == name
    assert version == layout_of(version).VERSION
    assert len(LAYOUTS) == len(WRITTEN_VERSIONS)


def test_a_version_that_is_not_written_is_an_unknown_name(tmp_path):
    (run,) = read_results(RESULTS)
    with pytest.raises(UnknownNameError, match=r"record version '0\.2\.1'"):
        write_record(run, tmp_path, version="0.2.1")


def test_neighbouring_versions_have_a_step_each():
    steps = {(step.source, step.target) for step in MIGRATIONS}
    for versions in VERSIONS.values():
        names = [version.schema for version in versions]
        assert set(pairwise(names)) <= steps


def test_a_renamed_field_is_one_line_of_the_table():
    data = {"results": [{"score": 1, "name": "a"}, {"name": "b"}], "score": 2}
    migration = Migration(renamed("/results/*/score", "value"))
    new = migration.change(data, NOTHING, Notes())
    assert new == {"results": [{"value": 1, "name": "a"}, {"name": "b"}], "score": 2}
    assert list(new["results"][0]) == ["value", "name"]
    with pytest.raises(ConversionError, match="both score and value"):
        renamed("/score", "value")({"score": 1, "value": 2}, NOTHING, Notes())


@pytest.mark.parametrize(
    "convert",
    [
        lambda: convert_text(NEW, to="suit"), lambda: convert_text("not JSON", to="suit"),
        lambda: convert_data(json.loads(NEW), to="suit"), lambda: convert_data({}, to="suit"),
        lambda: convert_file(OLD, to="suit"), lambda: convert_files([OLD], to="suit"),
    ],
)  # fmt: skip
def test_a_wrong_format_is_one_error_everywhere(convert):
    with pytest.raises(UnknownNameError, match="unknown format 'suit'; did you mean 'suite'"):
        convert()


def test_a_wrong_syntax_lists_what_is_known():
    with pytest.raises(UnknownNameError, match="unknown syntax 'jsn'; did you mean 'json'"):
        convert_text(NEW, syntax="jsn")


def test_json_lines_that_cannot_become_json_do_not_stop_other_files(folder):
    (folder / "rows.jsonl").write_text('{"item_number": 1, "conditions": {}}\n')
    outcomes = {Path(o.path).name: o for o in convert_files([folder], to="yaml")}
    assert "JSON Lines cannot be written as yaml" in str(outcomes["rows.jsonl"].refused)
    assert outcomes["b.json"].text


def test_the_output_may_be_a_string(tmp_path):
    (outcome,) = convert_files([OLD], output=str(tmp_path / "new.yaml"))
    assert outcome.failed is None
    assert (tmp_path / "new.yaml").read_text().startswith("meta:")


def test_rows_that_are_almost_pairs_are_refused_with_the_rename(tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"sentence_god": "The cat sleeps.", "sentence_bad": "The cat sleep."}\n')
    with pytest.raises(ConversionError, match="rename `sentence_god` to `sentence_good`"):
        convert_file(rows, to="suite")


def test_numbers_in_notes_are_those_of_all_runs_of_a_file(run, tmp_path):
    done = run("evalmark", "convert", FIXTURES / "results/lm_eval", "-o", tmp_path / "out")
    assert "note: 5 results, 4 samples\n" in done.err
    assert "3 runs in 1 file: 3 converted" in done.err
