"""Runs of the LTM benchmark and of ours become records: nothing is lost, bad files are refused."""

import json
import shutil
import statistics

import pytest
from conftest import FIXTURES
from counting_leaves import VALUES, changed, written
from evalmark.converters.convert_files import convert_files
from evalmark.converters.records.builders import sample_hash
from evalmark.converters.supplied import Supplied
from evalmark.memory.converters.memory_run import CLASS
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_file
from imported_runs import only_run
from pointers import values

SOURCE = FIXTURES / "good/ltm/results/Example agent"
ID = {"/model_info/id": "example/agent"}
RUN = {
    "agent": {"model": "lab/tiny", "kind": "Notes", "temperature": 0.5, "max_tokens": 9},
    "judge": {"model": "lab/judge", "url": "http://127.0.0.1"},
    "judge_models": ["lab/judge"],
    "judging": {
        "Colours": {
            "temperature": [0, 1],
            "max_tokens": [8],
            "prompts": [{"text": "Is it right?", "sha256": "aa"}],
            "prompts_of_the_dataset": {"number": 1, "sha256": "bb"},
        }
    },
    "judged": ["Colours"],
    "mode": "isolated",
    "errors": ["a"],
}


@pytest.fixture
def ltm(tmp_path):
    """The folder of a run of `evalmark memory`."""
    shutil.copytree(SOURCE.parents[1], tmp_path / "ltm")
    folder = tmp_path / "ltm/results" / SOURCE.name
    (folder / "run.json").write_text(json.dumps(RUN))
    (folder.parents[1] / "definitions/config.yml").unlink()
    (folder.parents[1] / "definitions/config.json").write_text(
        json.dumps({"config": {"run_name": "a"}, "datasets": {"args": {"memory_span": 5}}})
    )
    return folder


@pytest.mark.parametrize(
    "file", ["run.json", "../../runstats.json", "../../definitions/config.json", "Colours/0_0.json"]
)
def test_values_of_other_types_in_a_run_of_conversations_are_read_or_refused(ltm, file):
    path = ltm / file
    data = json.loads(path.read_text("utf-8"))
    for pointer, _ in values(data):
        for new in VALUES if pointer else VALUES[:7]:
            path.write_text(json.dumps(changed(data, pointer, lambda _, new=new: new)))
            written(ltm, Supplied(values=ID))


def test_a_run_of_conversations_is_refused_with_the_place_of_a_wrong_type(ltm, tmp_path):
    text = json.dumps(RUN).replace('"prompts": [{', '"prompts": {"a": 1}, "b": [{', 1)
    (ltm / "run.json").write_text(text)
    (outcome,) = convert_files([ltm], output=tmp_path / "out", supplied=Supplied(values=ID))
    reason = "run.json /judging/Colours/prompts: expected a list, found {"
    assert outcome.refused.reason.startswith(reason)
    assert not (tmp_path / "out").exists()


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
    done = run("evalmark", "convert", agent, "-o", tmp_path / "store", "--set", model, code=2)
    assert f"{bad}: left out: Colours/1_0.json {why}" in done.err
    (record,) = (tmp_path / "store").rglob("*[0-9a-f].json")
    assert not check_file(record).findings
    assert "Colours/1_0.json" in record.read_text(encoding="utf-8")


def test_scores_of_ltm_runs_are_those_of_their_files(shared, tmp_path):
    for agent in (p for p in (shared / "data/ltm").glob("*/results/*") if p.is_dir()):
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
    folders = [p for p in (shared / "data/ltm").glob("Benchmark 3*/results/*") if p.is_dir()]
    hashes = [
        {s.id: sample_hash(s.raw, s.reference) for s in only_run(p).samples
         if s.metadata["is_temporal"] == "false" and s.metadata["dynamic"] == "false"}
        for p in folders
    ]  # fmt: skip
    both = hashes[0].keys() & hashes[1].keys()
    assert len(both) > 20
    assert all(hashes[0][name] == hashes[1][name] for name in both)
