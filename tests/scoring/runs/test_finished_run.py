"""Runs and reports in notebooks: frames of the installed libraries, small escaped tables."""

import importlib.util
import json
import re

import pytest
from conftest import FIXTURES
from evalmark.schemas.errors import NotInstalledError, ScoringError, UnknownNameError
from evalmark.scoring.runs import finished_run
from evalmark.scoring.runs.finished_run import FRAMES, read_run
from evalmark.validator.check import check_file, check_text
from evalmark.validator.io.escaping import ROWS, html_table
from recorded_suites import rows_of, suite_data
from run_data import edited_record, suites_of

HOSTILE = "<script>alert(1)</script> & \u202e\x1b[31m"


@pytest.fixture
def folder(run, here):
    """The folder of a run of two suites; one has two predictions, the other none."""
    two = suite_data("two", formulas=("(2;%a%) < (2;%b%)", "(1;%a%) = (1;%b%)"))
    (here / "two.json").write_text(json.dumps(two))
    (here / "none.json").write_text(json.dumps(suite_data("none", formulas=())))
    run("evalmark", "score", "two.json", "none.json", "--surprisals=recorded", "--model-id",
        "lab/model", "--out", "out", code=0)  # fmt: skip
    return here / "out"


@pytest.mark.parametrize("name", FRAMES)
def test_the_frames_of_a_run(folder, name):
    pytest.importorskip(name)
    found = read_run(folder, frame=name)
    assert type(found.items).__module__.partition(".")[0] == name
    predictions = rows_of(found.predictions)
    (suite, none) = suites_of(folder)
    assert none["predictions"] == []
    first, _, whole = predictions
    stated = suite["predictions"][0]
    assert [row["prediction"] for row in predictions] == ["1", "2", "all"]
    assert first["formula"] == stated["formula"]
    assert (first["correct"], first["items"]) == (stated["correct"], stated["items"])
    assert first["accuracy"] == first["correct"] / first["items"]
    assert first["lower"] <= first["accuracy"] <= first["upper"]
    assert whole["correct"] == suite["all"]["correct"]
    items = rows_of(found.items)
    assert [row["item"] for row in items] == [1, 2] * 3
    assert [row["holds"] for row in items[:2]] == stated["outcomes"]
    regions = rows_of(found.regions)
    assert len(regions) == 16
    assert {row["suite"] for row in regions} == {"two", "none"}
    assert found.items is found.items


@pytest.mark.parametrize("name", FRAMES)
def test_columns_keep_their_types_without_rows_and_values(folder, name):
    pytest.importorskip(name)
    with edited_record(folder) as record:
        (result,) = record["evaluation_results"][-1:]
        record["evaluation_results"] = [result]  # of the suite without predictions
    found = read_run(folder, frame=name)
    types = {
        "pandas": lambda frame: {c: str(t) for c, t in frame.dtypes.items()},
        "pyarrow": lambda frame: {f.name: str(f.type) for f in frame.schema},
    }[name]
    assert types(found.items)["item"].lower() == "int64"
    assert types(found.items)["holds"] == "bool"
    assert types(found.predictions)["chance"].lower() in ("float64", "double")
    assert types(found.regions)["value"].lower() in ("float64", "double")
    assert len(rows_of(found.items)) == 0


def test_the_first_library_that_is_installed_is_used(folder, monkeypatch, pyarrow):
    first = next(name for name in FRAMES if importlib.util.find_spec(name))
    assert read_run(str(folder)).frame == first
    monkeypatch.setattr(finished_run, "find_spec", lambda name: name == "pyarrow" or None)
    assert read_run(folder).frame == "pyarrow"
    with pytest.raises(ScoringError, match="pandas is not installed: pip install pandas"):
        read_run(folder, frame="pandas")
    with pytest.raises(UnknownNameError, match="unknown frame 'panda'"):
        read_run(folder, frame="panda")


def test_without_any_library_the_extra_is_named(folder, monkeypatch):
    def not_installed(name):
        raise NotInstalledError(name, "parquet")

    monkeypatch.setattr(finished_run, "find_spec", lambda _: None)
    monkeypatch.setattr(finished_run, "require", not_installed)
    with pytest.raises(NotInstalledError, match=r"pyarrow is not installed: .*\[parquet\]"):
        _ = read_run(folder).regions


@pytest.mark.parametrize("text", ["[]", "{}", "{", '{"files": {"../x.json": "", "a.json": ""}}'])
def test_what_is_not_the_folder_of_a_run_is_refused(tmp_path, text, pyarrow):
    with pytest.raises(ScoringError, match=r"there is no run\.json with a record"):
        read_run(tmp_path)
    (tmp_path / "run.json").write_text(text)
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(ScoringError, match="is not the folder of a run"):
        read_run(tmp_path)


def test_a_run_of_an_earlier_edition_is_refused_in_a_sentence(tmp_path, pyarrow):
    (tmp_path / "scores.json").write_text('{"suites": []}')
    with pytest.raises(ScoringError, match=r"was written by an earlier edition.*: score it again"):
        read_run(tmp_path)


@pytest.mark.parametrize(
    ("key", "value"), [("regions", "{"), ("regions", "{}"), ("regions", '{"a": {"texts": 3}}')]
)
def test_samples_that_are_not_as_they_were_written_are_a_sentence(folder, key, value, pyarrow):
    (path,) = folder.glob("*_samples.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[0]["metadata"][key] = value
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    if value == "{}":
        assert len(rows_of(read_run(folder).regions)) < 16
        return
    with pytest.raises(ScoringError, match="is not a run as evalmark writes it"):
        read_run(folder)


def test_a_run_without_its_samples_says_so(folder, pyarrow):
    for path in folder.glob("*_samples.jsonl"):
        path.unlink()
    with pytest.raises(ScoringError, match="has no samples: the sample file does not exist"):
        read_run(folder)


def test_a_notebook_shows_accuracies(folder, pyarrow):
    html = read_run(folder)._repr_html_()
    assert "<p>Scores of lab/model</p>" in html
    assert html.count("<tr>") == 1 + 3
    assert "<td>two</td><td>1</td><td>2</td>" in html


def test_a_notebook_shows_findings():
    report = check_file(FIXTURES / "bad/SG204_unknown_condition.json")
    html = report._repr_html_()
    finding = report.findings[0]
    place = f"{finding.span.line}:{finding.span.column}"
    red, amber = '<b style="color:#d32f2f">', '<b style="color:#b26a00">'
    assert f"<td>{place}</td><td>{red}error</b></td><td>{red}SG204</b></td>" in html
    warnings = check_file(FIXTURES / "bad/SG302_leading_space.json")
    assert f"<td>{amber}warning</b></td>" in warnings._repr_html_()
    assert "SG204_unknown_condition.json: " in html
    assert "no findings" in check_file(FIXTURES / "good/suite.json")._repr_html_()


def test_html_for_notebooks_is_small_and_escaped(folder, pyarrow):
    with edited_record(folder) as data:
        data["model_info"]["id"] = HOSTILE
    key = json.dumps({"meta": {}, "region_meta": {}, "items": [], HOSTILE: 1, "predictions": []})
    for html in (read_run(folder)._repr_html_(), check_text(key, path=HOSTILE)._repr_html_()):
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;" in html
        assert "<script" not in html
        assert not {"\u202e", "\x1b"} & set(html)
        plain = re.sub(r'<b style="color:#[0-9a-f]{6}">', "", html)
        assert not any(word in plain for word in ("style", "href", "src=", "onload"))
    long = html_table("t", ("n",), [(str(n) * 1000,) for n in range(10_000)])
    assert long.count("<tr>") == 1 + ROWS
    assert f"<p>and {10_000 - ROWS} more</p>" in long
    assert len(long) < 10_000
