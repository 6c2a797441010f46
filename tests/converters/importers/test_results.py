"""Results of other programs become records and samples that our own check accepts.

To accept new output, run ``EVALMARK_ACCEPT=1 pytest tests/converters/importers/test_results.py``
and read the diff.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
from pathlib import Path

import pytest
from conftest import FIXTURES, needs_zstd
from evalmark.converters.convert_files import convert_file, parsed_file
from evalmark.converters.importers.lm_eval_samples import outcome_of
from evalmark.converters.importers.registry import IMPORTERS
from evalmark.converters.overrides.table_mapping import read_mapping
from evalmark.converters.records.builders import sample_hash
from evalmark.converters.records.writer import write_record
from evalmark.converters.step import NOTHING, Supplied, as_text
from evalmark.memory.converters.memory_run import CLASS
from evalmark.schemas.errors import ConversionError, InvalidDocument
from evalmark.validator.check import check_file
from imported_runs import read_results


def only_run(path, supplied=NOTHING):
    (run,) = read_results(path, supplied)
    return run


RESULTS = FIXTURES / "results"
SOURCES = {
    "lm_eval": RESULTS / "lm_eval/results_2026-01-02T03-04-05.678901.json",
    "lm_eval_pairs": RESULTS / "lm_eval_pairs/one/results_2026-01-02T03-04-05.678901.json",
    "lm_eval_0_3": RESULTS / "lm_eval_0_3/colours.json",
    "inspect": RESULTS / "inspect/log.json",
    "inspect_eval": RESULTS / "inspect_eval/quiz.eval",
    "helm": RESULTS / "helm/colours-subject=sky,model=lab_tiny",
    "lighteval": RESULTS / "lighteval/results/example/tiny/results_2026-11-22T09-02-37.325536.json",
    "eval_results": RESULTS / "eval_results/lab/tiny/.eval_results",
    "scores": RESULTS / "scores/scores.csv",
    "ltm": FIXTURES / "good/ltm/results/Example agent",
}
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
    "eval_results": {"/model_info/id": "lab/tiny", "/evaluation_timestamp": "1768521600"},
}
MAPPING = RESULTS / "scores/mapping.yaml"


#: The names of all results.
CASES = [pytest.param(name, marks=[needs_zstd] * (name == "inspect_eval")) for name in SOURCES]


def supplied_for(name):
    mapping = read_mapping(MAPPING) if name == "scores" else None
    return Supplied(values=SAID.get(name, {}), mapping=mapping)


def runs_of(name):
    return list(read_results(SOURCES[name], supplied_for(name)))


def tree(folder):
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


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
    assert len(outcome.out.splitlines()) == len(runs_of(name))
    for line in outcome.out.splitlines():
        # HELM has one value less of a metric than it counts.
        expected_codes = {"EE324"} if name == "helm" else set()
        found = check_file(Path(line), profile="eee").findings
        assert {finding.code for finding in found} <= expected_codes
    if os.environ.get("EVALMARK_ACCEPT"):
        shutil.rmtree(expected, ignore_errors=True)
        shutil.copytree(tmp_path, expected)
    assert tree(tmp_path) == tree(expected)


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
    ("change", "reason"),
    [
        (lambda d: d.pop("date"), "do not say when they were computed"),
        (lambda d: d.update(results={}), "no result that is a number"),
        (lambda d: d.update(configs=[]), "/configs: expected an object"),
        (lambda d: d.update(results={"colours": 3}), "/results/colours: expected an object"),
    ],
)
def test_broken_results_are_refused(change, reason, tmp_path):
    data = json.loads(SOURCES["lm_eval"].read_text(encoding="utf-8"))
    change(data)
    path = tmp_path / "results_x.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ConversionError, match=reason):
        only_run(path)


# Inspect


def test_a_log_that_did_not_succeed_is_refused(tmp_path):
    data = json.loads(SOURCES["inspect"].read_text(encoding="utf-8"))
    data["status"] = "cancelled"
    path = tmp_path / "log.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ConversionError, match="ended as cancelled"):
        only_run(path)


# LTM


@pytest.fixture
def agent(tmp_path):
    shutil.copytree(FIXTURES / "good/ltm", tmp_path / "ltm")
    return tmp_path / "ltm/results/Example agent"


def change_result(agent, **values):
    path = agent / "Colours/0_0.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**data, **values}), encoding="utf-8")


def test_the_definition_is_the_truth(agent):
    change_result(agent, expected_responses=["of an older definition"])
    (sample,) = only_run(agent).samples
    assert sample.reference == ("blue",)


def test_a_score_set_by_hand_keeps_the_automatic_one_apart(agent):
    change_result(agent, score=0.5, auto_score=1, auto_reasoning=["found"])
    run = only_run(agent)
    (sample,) = run.samples
    assert (sample.score, sample.correct) == (0.5, False)
    assert sample.metadata["auto_score"] == "1"
    assert sample.metadata["overridden"] == "true"
    assert run.results[0].details["overridden"] == "1"


def test_a_result_without_a_definition_is_refused(agent):
    (agent.parents[1] / "definitions/Colours/0.def.json").unlink()
    with pytest.raises(ConversionError, match="has no definition"):
        only_run(agent)


@pytest.mark.parametrize(
    ("folder", "parts", "identity"),
    [
        ("LLMChatSession - gpt-4o - 128000", {"max_prompt_size": "128000"}, "openai/gpt-4o"),
        ("LTMAgent - 4096 - Query", {"max_prompt_size": "4096", "variant": "Query"}, "LTMAgent"),
        ("LTMAgent - 4096", {"max_prompt_size": "4096"}, "LTMAgent"),
        ("LTMAgent - 16384 - gpt-4-turbo", {"max_prompt_size": "16384"}, "openai/gpt-4-turbo"),
        ("MemGPTChatSession", {}, "MemGPTChatSession"),
        ("LTMAgentWrapper - claude-3-opus - 8192 - QG - 2",
         {"max_prompt_size": "8192", "variant": "QG - 2"}, "anthropic/claude-3-opus"),
        ("LLMChatSession - together_ai__meta-llama__Llama-3-8b - 8000",
         {"max_prompt_size": "8000"}, "meta-llama/Llama-3-8b"),
        ("LLMChatSession - gemini__gemini-1.5-pro - 8000",
         {"max_prompt_size": "8000"}, "google/gemini-1.5-pro"),
        ("LLMChatSession - some-model - 8000", {"max_prompt_size": "8000"}, "some-model"),
    ],
)  # fmt: skip
def test_a_span_is_no_model(agent, folder, parts, identity):
    home = agent.rename(agent.with_name(folder))
    run = only_run(home)
    assert run.model.id == identity
    assert run.model.developer == (identity.partition("/")[0] if "/" in identity else None)
    kind = folder.partition(" - ")[0]
    is_class = {"model_id": CLASS} if identity == kind else {}
    assert run.model.details == {"agent_class": kind, **parts, **is_class}


def test_a_class_that_stands_for_a_model_is_called_so(agent, tmp_path, run):
    home = agent.rename(agent.with_name("GeminiProInterface"))
    found = only_run(home)
    assert (found.model.id, found.model.developer) == ("GeminiProInterface", None)
    done = run("evalmark", "convert", home, "-o", tmp_path / "store")
    assert (
        "note: GeminiProInterface is the class of the agent: the run does not name its model; "
        "--set /model_info/id=ID names it"
    ) in done.err + done.out
    named = ("--set", "/model_info/id=google/gemini-pro")
    done = run("evalmark", "convert", home, "-o", tmp_path / "other", *named)
    assert "is the class of the agent" not in done.err + done.out
    assert CLASS not in "".join(p.read_text() for p in (tmp_path / "other").rglob("*.json"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "cannot be read"),
        ('{"task_log": [], "score": 1}', "is not a result of a conversation"),
        (None, "has no definition"),
    ],
)
def test_a_bad_result_costs_itself_only(agent, tmp_path, run, text, why):
    bad = agent / "Colours/1_0.json"
    bad.write_text(text or (agent / "Colours/0_0.json").read_text(encoding="utf-8"))
    if text:
        shutil.copy(agent.parents[1] / "definitions/Colours/0.def.json",
                    agent.parents[1] / "definitions/Colours/1.def.json")  # fmt: skip
    model = "/model_info/id=example/agent"
    done = run("evalmark", "convert", agent, "-o", tmp_path / "store", "--set", model)
    assert done.code == 2
    assert f"{bad}: left out: Colours/1_0.json {why}" in done.err
    (record,) = (tmp_path / "store").rglob("*[0-9a-f].json")
    assert not check_file(record).findings
    assert "Colours/1_0.json" in record.read_text(encoding="utf-8")


def test_a_folder_that_is_no_agents(tmp_path):
    with pytest.raises(ConversionError, match="the folder is not recognized as results"):
        convert_file(tmp_path)


# real files


def real(shared):
    yield from sorted((shared / "data/results/inspect").glob("*.json"))
    yield from sorted((shared / "data/results/helm").iterdir())
    yield from sorted((shared / "data/results/lm_eval").glob("results_*.json"))
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
            refused.append({finding.code for finding in error.report.findings})
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


def test_scores_of_ltm_runs_are_those_of_their_files(shared, tmp_path):
    for agent in (p for p in real(shared) if p.is_dir() and "ltm" in str(p)):
        run = only_run(agent)
        total = 0.0
        for result in run.results[:-1]:
            files = (agent / result.name).glob("*.json")
            data = [json.loads(path.read_text(encoding="utf-8")) for path in files]
            scores = [d["score"] / d["max_score"] for d in data]
            assert result.score == pytest.approx(statistics.fmean(scores))
            total += result.score
        assert run.results[-1].score == pytest.approx(total)


def test_hashes_of_samples_are_equal_across_runs_of_one_definition(shared):
    folders = [p for p in real(shared) if p.is_dir() and "Benchmark 3" in str(p)]
    hashes = [
        {s.id: sample_hash(s.raw, s.reference) for s in only_run(p).samples
         if s.metadata["is_temporal"] == "false" and s.metadata["dynamic"] == "false"}
        for p in folders
    ]  # fmt: skip
    both = hashes[0].keys() & hashes[1].keys()
    assert len(both) > 20
    assert all(hashes[0][name] == hashes[1][name] for name in both)
