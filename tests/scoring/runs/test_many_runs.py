"""One frame of many runs, and runs and reports in a line."""

import shutil

import pytest
from evalmark.schemas.errors import ScoringError, UnknownNameError
from evalmark.scoring.comparison.run_comparison import compare
from evalmark.scoring.runs.finished_run import read_run, read_runs
from evalmark.scoring.runs.run_files import record_in
from evalmark.validator.check import check_text
from run_data import edited_record
from standin_runs import FIELDS, write_pairs_run, write_run

pandas = pytest.importorskip("pandas")


@pytest.fixture
def runs(tmp_path):
    for number, name in enumerate(("small", "large"), 1):
        write_run(tmp_path / f"runs/{name}", f"lab/{name}", seed=number, suites=2, items=3)
    return [tmp_path / "runs/small", tmp_path / "runs/large"]


def test_one_frame_has_the_rows_of_each_run(runs):
    frame = read_runs(runs, "effects")
    assert list(frame)[:3] == ["run", "model", "revision"]
    for folder in runs:
        rows = frame[frame.run == str(folder)].drop(columns=["run", "model", "revision"])
        single = read_run(folder, frame="pandas").effects
        assert rows.astype(object).values.tolist() == single.astype(object).values.tolist()
    assert list(frame.index) == list(range(len(frame)))


def test_checkpoints_have_their_steps(runs):
    for folder, step in zip(runs, (900_000, None), strict=True):
        with edited_record(folder) as record:
            details = record["model_info"].setdefault("additional_details", {})
            details["revision"] = "main" if step is None else f"step{step}"
    frame = read_runs(runs)
    assert list(frame)[:4] == ["run", "model", "revision", "step"]
    assert frame.step.dtype == "Int64"
    assert frame.groupby("run", sort=False).step.first().tolist() == [900_000, pandas.NA]


def test_rows_and_types_are_those_of_the_runs_in_their_order(runs):
    frame = read_runs(runs)
    assert list(frame.model.unique()) == ["lab/small", "lab/large"]
    assert read_runs(runs, "regions").dtypes["value"] == "float64"


def test_a_folder_stands_for_the_runs_below_it(runs, tmp_path):
    frame = read_runs(runs[0].parent)
    assert list(frame.run.unique()) == [str(runs[1]), str(runs[0])]  # by name
    assert len(frame) == len(read_runs(runs))
    shutil.copytree(runs[0], tmp_path / "runs/.old/small")
    assert len(read_runs([runs[0].parent, *runs])) == len(frame), "each once, and hidden ones not"


def test_runs_over_pairs_have_a_row_for_each_contest(tmp_path):
    folders = [write_pairs_run(tmp_path / name, name, uids=2, pairs=3) for name in "ab"]
    assert list(read_runs(folders).uid.unique()) == [f"paradigm_of_number_{n}" for n in (1, 2)]
    effects = read_runs(folders, "effects")
    assert len(effects) == 12
    assert (effects.difference == effects.wrong_surprisal - effects.right_surprisal).all()
    assert set(effects.field) <= set(FIELDS)


def test_runs_that_cannot_be_one_frame_are_refused_in_a_sentence(runs, tmp_path):
    pairs = write_pairs_run(tmp_path / "pairs", "lab/pairs", uids=1, pairs=2)
    (tmp_path / "nothing").mkdir()
    with pytest.raises(ScoringError, match="are runs over suites and over minimal pairs"):
        read_runs([runs[0], pairs])
    with pytest.raises(UnknownNameError, match="uids"):
        read_runs(runs, "uids")
    with pytest.raises(ScoringError, match="is not the folder of a run"):
        read_runs(tmp_path / "nothing")
    with pytest.raises(ScoringError, match="no folders of runs"):
        read_runs([])


def test_runs_and_reports_are_one_line(runs, tmp_path):
    folder = runs[0]
    assert repr(read_run(folder)) == f"<run of 'lab/small' in {str(record_in(folder))!r}: 2 suites>"
    pairs = write_pairs_run(tmp_path / "p", "lab/p\n", uids=1, pairs=2)
    assert repr(read_run(pairs)) == f"<run of 'lab/p\\n' in {str(record_in(pairs))!r}: 1 UID>"
    assert repr(check_text("{", path="a\nb.json")) == (
        "<report on 'a\\nb.json': unrecognized, 1 finding>"
    )
    assert repr(compare(*runs)) == "<comparison of 'lab/small' and 'lab/large': 7 results>"
