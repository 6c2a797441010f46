"""Which scores are better is never invented: it is stated, known of the metric, or supplied."""

import csv
import json
from pathlib import Path

import pytest
from conftest import FIXTURES, edited, needs_apps
from evalmark.converters.convert_files import convert_files
from found import codes_of
from imported_runs import read_results, undirected_results

LOWER = "/evaluation_results/*/metric_config/lower_is_better"


@pytest.fixture
def shades(tmp_path):
    """Writes results of the harness for a model, with metrics and their values."""

    def write(name, /, **metrics):
        path = tmp_path / name / "results_x.json"
        path.parent.mkdir(parents=True)
        config = {"model": "hf", "model_args": f"pretrained={name}"}
        values = {f"{metric},none": value for metric, value in metrics.items()}
        results = {"results": {"shades": values}, "config": config, "date": 1767225600.0}
        path.write_text(json.dumps({**results, "configs": {"shades": {}}, "versions": {}}))
        return path

    return write


def results_of(outcome):
    (path,) = outcome.out.split()
    return {
        result["metric_config"]["metric_name"]: result["metric_config"]["lower_is_better"]
        for result in json.loads(Path(path).read_text())["evaluation_results"]
    }


@needs_apps
@pytest.mark.parametrize("metric", ["mae", "rmse"])
def test_the_model_with_the_smallest_error_is_ranked_first(metric, shades, run, tmp_path):
    files = [shades("lab/good", **{metric: 0.1}), shades("lab/bad", **{metric: 3.5})]
    run("evalmark", "convert", *files, "-o", tmp_path / "records", code=0)
    table = tmp_path / "results.csv"
    run("evalmark", "table", tmp_path / "records", "-o", table, code=0)
    with table.open(encoding="utf-8", newline="") as file:
        lower = {row["model"]: row["lower_is_better"] for row in csv.DictReader(file)}
    assert lower == {"lab/good": "true", "lab/bad": "true"}


def test_results_of_an_unknown_metric_are_left_out_by_name_and_counted(shades, run, tmp_path):
    path = shades("lab/a", accuracy=0.5, helpfulness=3, charm=2)
    done = run("evalmark", "convert", path, "-o", tmp_path / "out", code=1)
    assert results_of(done) == {"accuracy": False}
    for name in ("helpfulness", "charm"):
        assert (
            f'1 result of the metric "{name}" left out (shades/{name}): neither the results nor '
            "the table of metrics say whether a lower score is better; say it with --set "
            f"{LOWER}=true or =false, or by metric in a file that --needs makes"
        ) in done.err


def test_what_is_left_out_of_several_files_is_counted_at_the_end(shades, run, tmp_path):
    files = [shades(f"lab/{name}", accuracy=0.5, charm=2) for name in "ab"]
    report = tmp_path / "report.json"
    done = run("evalmark", "convert", *files, "-o", tmp_path / "out", "--report", report, code=1)
    assert "2 files: 2 converted; 2 results left out" in done.err.splitlines()
    (reason,) = json.loads(report.read_text())["files"][0]["left_out"]
    assert reason.startswith('1 result of the metric "charm" left out')


def test_a_file_without_any_other_result_is_refused(shades, run, tmp_path):
    path = shades("lab/a", charm=2)
    done = run("evalmark", "convert", path, "-o", tmp_path / "out")
    assert (done.code, done.out) == (1, "")
    assert "refused: no result is left" in done.err
    assert not (tmp_path / "out").exists()


def test_a_direction_that_is_supplied_completes_it(shades, run, tmp_path):
    path = shades("lab/a", accuracy=0.5, charm=2)
    done = run("evalmark", "convert", path, "--set", f"{LOWER}=true", "-o", tmp_path / "out")
    assert done.code == 0
    # What is known is not replaced by a value for all results.
    assert results_of(done) == {"accuracy": False, "charm": True}


def test_needs_lists_unknown_metrics_and_reads_them_again(shades, run, tmp_path):
    path = shades("lab/a", accuracy=0.5, charm=2)
    needs = run("evalmark", "convert", "--needs", path, code=0)
    line = next(line for line in needs.out.splitlines() if "charm" in line)
    assert line == (
        "      charm: {lower_is_better: null} # 1 evaluation in 1 record; scores 2 to 2; "
        "not in the table of metrics"
    )
    assert "accuracy" not in needs.out
    facts = tmp_path / "facts.yaml"
    facts.write_text(needs.out.replace("null}", "false}"))
    done = run("evalmark", "convert", path, "--defaults", facts, "-o", tmp_path / "out", code=0)
    assert results_of(done) == {"accuracy": False, "charm": False}


def test_needs_says_which_scales_a_metric_has(run, tmp_path):
    path = tmp_path / "record.json"
    with edited(FIXTURES / "versions/record-0.2.2.json", path) as record:
        del record["evaluation_results"][1:]
        record["evaluation_results"][0]["metric_config"] = {
            "metric_name": "wer", "lower_is_better": True, "score_type": "continuous",
        }  # fmt: skip
    needs = run("evalmark", "convert", "--needs", path)
    assert "wer by the table of metrics: 0 to Infinity" in needs.out


# Programs


def harness(tmp_path, metric, **members):
    path = tmp_path / "results_x.json"
    with edited(FIXTURES / "results/lm_eval/results_2026-01-02T03-04-05.678901.json", path) as data:
        data["results"]["colours"] = {f"{metric},none": 0.5}
        data |= members
    return path


@pytest.mark.parametrize("higher", [True, False])
def test_what_the_harness_states_is_written_and_a_contradiction_is_noted(higher, tmp_path):
    # Its registry says that higher rates of translation errors are better.
    path = harness(tmp_path, "ter", higher_is_better={"colours": {"ter": higher}})
    metric = next(read_results(path)).results[0].metric
    assert metric.lower_is_better is not higher
    first, *_ = convert_files([path], output=tmp_path / "out", to="record-0.3.0")
    noted = [note for note in first.notes if "the table of metrics says lower" in note]
    assert noted == (
        ['for "ter", higher is better, as the results state or as supplied; the table of metrics '
         "says lower"] if higher else []
    )  # fmt: skip
    codes = codes_of(first.target)
    assert ("EE211" in codes) == higher


def test_an_own_metric_of_the_harness_has_the_direction_that_it_states(tmp_path):
    path = harness(tmp_path, "own", higher_is_better={"colours": {"own": False}})
    assert next(read_results(path)).results[0].metric.lower_is_better is True
    assert (
        next(undirected_results(harness(tmp_path, "own"))).results[0].metric.lower_is_better is None
    )


def test_a_table_needs_a_direction_for_unknown_metrics_only(run, tmp_path):
    table, mapping = tmp_path / "scores.csv", tmp_path / "mapping.json"
    table.write_text("Model,WER,Charm\nlab/a,0.2,3\n")
    facts = {
        "columns": {"model": "Model"},
        "constants": {"benchmark": "shades", "time": "2026-01-02"},
        "scores": {"WER": {"metric": "wer"}, "Charm": {"metric": "charm"}},
    }
    mapping.write_text(json.dumps(facts))
    done = run("evalmark", "convert", table, "--mapping", mapping, "-o", tmp_path / "out", code=1)
    assert results_of(done) == {"wer": True}
    facts["scores"]["Charm"]["lower_is_better"] = False
    mapping.write_text(json.dumps(facts))
    done = run("evalmark", "convert", table, "--mapping", mapping, "-o", tmp_path / "both", code=0)
    assert results_of(done) == {"wer": True, "charm": False}
