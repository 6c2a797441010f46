"""Results of other programs become records and samples that our own check accepts.

To accept new output, run ``EVALMARK_ACCEPT=1 pytest tests/converters/importers/test_results.py``
and read the diff.
"""

import json
import os
import shutil
from pathlib import Path

import pytest
from conftest import FIXTURES, file_at, needs_zstd
from evalmark.converters.convert_files import convert_file, parsed_file
from evalmark.converters.importers.lm_eval import outcome_of
from evalmark.converters.importers.registry import IMPORTERS, importer_named
from evalmark.converters.overrides.table_mapping import read_mapping
from evalmark.converters.records.writer import write_record
from evalmark.converters.step import as_text
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError, InvalidDocument
from evalmark.validator.check import check_file
from found import codes_of
from imported_runs import only_run, read_results
from killing import files_in
from pointers import put

RESULTS = FIXTURES / "results"
SOURCES = {
    "lm_eval": RESULTS / "lm_eval/results_2026-01-02T03-04-05.678901.json",
    "lm_eval_pairs": RESULTS / "lm_eval_pairs/one/results_2026-01-02T03-04-05.678901.json",
    "lm_eval_0_3": RESULTS / "lm_eval_0_3/colours.json",
    "inspect": RESULTS / "inspect/log.json",
    "inspect_eval": RESULTS / "inspect_eval/quiz.eval",
    "helm": RESULTS / "helm/colours-subject=sky,model=lab_tiny",
    "lighteval": RESULTS / "lighteval/results/example/tiny/results_2026-11-22T09-02-37.325536.json",
    "scores": RESULTS / "scores/scores.csv",
}
if importer_named("ltm-run"):
    SOURCES["ltm"] = FIXTURES / "good/ltm/results/Example agent"
ID = {"/model_info/id": "example/agent"}
#: What results do not state.
SAID = {
    # Nobody says whether less of ``lab_metric`` is better.
    "helm": {"/evaluation_results/*/metric_config/lower_is_better": False},
    # Versions before 0.4 wrote neither the time nor whether less is better.
    "lm_eval_0_3": {
        "/retrieved_timestamp": "1700000000",
        "/evaluation_results/*/metric_config/lower_is_better": False,
    },
    "ltm": ID,
    "inspect_eval": ID,
}
MAPPING = RESULTS / "scores/mapping.yaml"


#: The names of all results.
CASES = [pytest.param(name, marks=[needs_zstd] * (name == "inspect_eval")) for name in SOURCES]


def supplied_for(name):
    mapping = read_mapping(MAPPING) if name == "scores" else None
    return Supplied(values=SAID.get(name, {}), mapping=mapping)


@pytest.mark.parametrize("name", CASES)
def test_results_become_the_records_beside_them(name, run, tmp_path):
    expected = RESULTS / f"{name}.out"
    arguments = [
        f"--set={pointer}={as_text(value)}" for pointer, value in SAID.get(name, {}).items()
    ]
    arguments += [f"--mapping={MAPPING}"] if name == "scores" else []
    outcome = run(
        "evalmark", "convert", "--to", "record-0.3.0", SOURCES[name], "-o", tmp_path, *arguments
    )
    assert outcome.code == 0, outcome.err
    runs = list(read_results(SOURCES[name], supplied_for(name)))
    assert len(outcome.out.splitlines()) == len(runs)
    for line in outcome.out.splitlines():
        # HELM has one value less of a metric than it counts.
        expected_codes = {"EE324"} if name == "helm" else set()
        found = check_file(Path(line), profile="eee").findings
        assert {finding.code for finding in found} <= expected_codes
    if os.environ.get("EVALMARK_ACCEPT"):
        shutil.rmtree(expected, ignore_errors=True)
        shutil.copytree(tmp_path, expected)
    assert files_in(tmp_path) == files_in(expected)


def test_every_importer_has_results_beside_their_records():
    formats = {
        parsed_file(str(path), is_mapped=name == "scores").format for name, path in SOURCES.items()
    }
    assert formats == {importer.name for importer in IMPORTERS}


# LM evaluation harness


@pytest.mark.parametrize(
    ("likelihoods", "target", "expected"),
    [
        ([["-1.0", "False"], ["-2.0", "False"]], "0", {"decided_by_rounding": "false"}),
        (
            [[-1.0, False], [-1.0, False]],
            1,
            {"decided_by_rounding": "true", "outcome": "exact tie"},
        ),
        ([[-2.0, False], [-2.0, False], [-1.0, False]], 0, {"decided_by_rounding": "false"}),
        ([["nan", "False"], ["-1.0", "False"]], 0, {}),
        ([[-1.0, False], [-1.0, False]], "yes", {}),
        ([[-1.0, False]], 0, {}),
        ([], 0, {}),
    ],
)
def test_a_tie_is_one_only_if_the_right_answer_is_among_the_best(likelihoods, target, expected):
    row = {
        "target": target,
        "filtered_resps": likelihoods,
        "arguments": {
            f"gen_args_{n}": {"arg_0": "Q", "arg_1": f" {n}"}
            for n in range(max(2, len(likelihoods)))
        },
    }
    assert outcome_of(row, "acc") == expected
    assert outcome_of(row, "acc_norm") == {}


def test_results_without_samples_are_results_all_the_same(tmp_path):
    path = tmp_path / SOURCES["lm_eval"].name
    shutil.copy(SOURCES["lm_eval"], path)
    for run in read_results(path):
        assert list(run.samples) == []
        written = write_record(run, tmp_path, version="0.3.0")
        assert "detailed_evaluation_results" not in json.loads(written.record.read_text())
        assert not written.samples.exists()


@pytest.mark.parametrize(
    ("source", "pointer", "value", "reason"),
    [
        ("lm_eval", "/date", ..., "do not say when they were computed"),
        ("lm_eval", "/results", {}, "no result that is a number"),
        ("lm_eval", "/configs", [], "/configs: expected an object"),
        ("lm_eval", "/results", {"colours": 3}, "/results/colours: expected an object"),
        ("inspect", "/status", "cancelled", "ended as cancelled"),
    ],
)
def test_broken_results_are_refused(source, pointer, value, reason, tmp_path):
    data = put(json.loads(SOURCES[source].read_text("utf-8")), pointer, value)
    with pytest.raises(ConversionError, match=reason):
        only_run(file_at(tmp_path / "results_x.json", data))


def test_a_folder_that_is_no_agents(tmp_path):
    with pytest.raises(ConversionError, match="the folder is not recognized as results"):
        convert_file(tmp_path)


# real files


def real(shared):
    yield from sorted((shared / "data/results/inspect").glob("*.json"))
    yield from sorted((shared / "data/results/helm").iterdir())
    yield from sorted((shared / "data/results/lm_eval").glob("results_*.json"))
    if "ltm" in SOURCES:
        yield from (p for p in sorted((shared / "data/ltm").glob("*/results/*")) if p.is_dir())


@pytest.mark.parametrize("version", ["0.2.0", "0.3.0"])
def test_real_results_become_records_without_a_finding(version, shared, tmp_path):
    refused = []
    for path, run in ((place, run) for place in real(shared) for run in read_results(place)):
        if not run.results:  # nobody says whether less of its metric is better
            refused.append(set())
            continue
        try:
            written = write_record(run, tmp_path, version=version)
        except InvalidDocument as error:
            refused.append(set(codes_of(error.report)))
            continue
        report = check_file(written.record)
        # A datastore has no folder for a model without an owner; that is said, not made up.
        has_owner = "/" in run.model.id or run.model.developer
        expected = [] if version == "0.2.0" or has_owner else ["EE403"]
        # Ten of 5,000 samples of one run were kept.
        codes = [finding.code for finding in report.findings if finding.code != "EE324"]
        assert codes == expected, path
        assert bool(report.companions) == any(True for _ in run.samples)
    # 0.2.0 demands bounds of every continuous score: these results state none, or infinite ones.
    assert refused == [set(), *([{"EE112"}, {"EE112"}] if version == "0.2.0" else [])]
