"""Importers of other packages: found in the environment, named with their origin, never trusted."""

import json
import sys

import pytest
from conftest import FIXTURES
from evalmark.converters.convert_files import convert_files
from evalmark.converters.graph import map_data, map_text
from packages import add_plugin, packages

__all__ = ["packages"]  # a fixture

BOARD = """
from evalmark.converters.importers.imported import Header, ImportSource
from evalmark.converters.importers.registry import Importer
from evalmark.converters.records.run import Dataset, Metric, Model, Result


def read_board(source):
    board = source.document()
    metric = Metric.share("share of right answers", "accuracy")
    for entry in board.each("models"):
        model = entry.text("name")
        score = Result("accuracy", Dataset("weekly"), metric, entry.number("accuracy"))
        yield source.run(
            Header("weekly", board.whole("date"), Model(model, model), "weekly"),
            [score],
        )


IMPORTER = Importer(
    "board", "a leaderboard: board.json", lambda: read_board,
    lambda data: isinstance(data, dict) and "board" in data,
)
TABLE = Importer("leaders", "a table", lambda: read_board, suffix=".board")
FOLDER = Importer(
    "folder", "a folder", lambda: read_board, recognizes_folder=lambda place: 1 / 0
)
"""
UNKNOWN = (
    "F012 unrecognized file: not a suite, record, sample file, memory test or file of minimal pairs"
)
RESULTS = {"board": 1, "date": 1760000000, "models": [{"name": "a/b", "accuracy": 0.5}]}


@pytest.fixture
def install(packages):
    """Install a package that adds importers; the current folder is another one."""

    def add(code=BOARD, name="added_board", **entries):
        add_plugin(packages, name, "importers", entries, code, version="2.1")
        return packages

    return add


def converted(tmp_path, data=RESULTS, name="results.json"):
    path = tmp_path / name
    path.write_text(json.dumps(data))
    (outcome,) = convert_files([path], output=tmp_path / "out")
    return outcome


def test_a_package_adds_an_importer(install, tmp_path):
    install(board="IMPORTER")
    done = converted(tmp_path)
    assert done.steps[0].startswith("board → record-")
    record = json.loads(done.target.read_text())
    assert (record["model_info"]["id"], record["source_metadata"]["source_name"]) == (
        "a/b", "weekly",
    )  # fmt: skip


def test_the_list_names_its_package_version_and_origin(install):
    place = install(board="IMPORTER")
    assert (
        "Results that other packages read:\n"
        "  board              a leaderboard: board.json\n"
        f"      added_board 2.1 ({place})\n"
    ) in map_text()
    assert map_data()["results"][-1] == {
        "name": "board", "what": "a leaderboard: board.json", "package": "added_board",
        "version": "2.1", "origin": str(place),
    }  # fmt: skip
    assert "not_used" not in map_data()


def test_it_is_asked_only_if_none_of_evalmark_recognizes_a_file(install, tmp_path):
    install("raise SystemExit('imported')", board="IMPORTER")
    source = FIXTURES / "results/inspect/log.json"
    for path in (FIXTURES / "legacy/triples.old.json", source):
        (done,) = convert_files([path], output=tmp_path / "out", write=False)
        assert done.target
    assert "added_board" not in sys.modules


def test_a_value_of_a_wrong_type_is_refused_with_its_place_there_too(install, tmp_path):
    install(board="IMPORTER")
    done = converted(tmp_path, {**RESULTS, "models": 3})
    assert str(done.refused) == "results.json /models: expected a list, found 3"


@pytest.mark.parametrize(
    ("code", "entries", "reason"),
    [
        ("import nothing_of_this_name", {"board": "IMPORTER"},
         "cannot be loaded: ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("IMPORTER = 3", {"an importer": "IMPORTER"}, "is not used: it is of type int"),
        (BOARD.replace('"board", "a', '"inspect", "a'), {"inspect": "IMPORTER"},
         "is not used: evalmark has this name itself"),
        (BOARD.replace('"board", "a', '"suite", "a'), {"suite": "IMPORTER"},
         "is not used: evalmark has this name itself"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_one_line_of_the_refusal_and_of_the_list(
    install, tmp_path, run, code, entries, reason
):
    place = install(code, **entries)
    (name,) = entries
    line = f"{name} of added_board 2.1 ({place}) {reason}"
    path = tmp_path / "results.json"
    path.write_text(json.dumps(RESULTS))
    done = run("evalmark", "convert", path, "-o", tmp_path / "out")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert f"refused: {UNKNOWN}; {line}\n" in done.err
    listed = run("evalmark", "explain")
    assert (listed.code, listed.out.count(line)) == (0, 1)
    assert map_data()["not_used"] == [line]


def test_a_reader_or_recognizer_that_fails_is_one_line(install, tmp_path, run):
    place = install(BOARD.replace("board.each", "board.every"), board="IMPORTER", folder="FOLDER")
    done = converted(tmp_path)
    assert str(done.refused) == (
        f"board of added_board 2.1 ({place}) failed: AttributeError: 'Node' object has no "
        "attribute 'every'"
    )
    (tmp_path / "empty").mkdir()
    called = run("evalmark", "convert", tmp_path / "empty", "-o", tmp_path / "out")
    assert (called.code, called.err.count("\n")) == (2, 1)
    assert f"folder of added_board 2.1 ({place}) failed: ZeroDivisionError" in called.err


def test_a_file_that_is_neither_json_nor_yaml_is_known_by_its_ending(install, tmp_path):
    install(BOARD.replace("source.document()", "source.run"), leaders="TABLE")
    assert "failed: AttributeError" in str(converted(tmp_path, name="results.board").refused)


def test_a_package_beside_the_results_or_in_the_current_folder_is_data(
    install, tmp_path, monkeypatch
):
    place = install("raise SystemExit('imported')", board="IMPORTER")
    assert str(converted(place).refused) == UNKNOWN
    monkeypatch.chdir(place)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert str(converted(tmp_path).refused) == UNKNOWN
    assert "added_board" not in map_text()
