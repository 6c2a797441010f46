"""The records of runs of sets: what each number is over, and that they pass the checks."""

import copy
import json
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import edited
from evalmark.memory.agents.agent import Completion, ScriptedAgent
from evalmark.memory.agents.completers import ScriptedJudge
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.memory.judges.judge_prompt import SET_PROMPT, JudgePrompt, same_text
from evalmark.memory.running.memory_record import run_of_sets, write_conversation_record
from evalmark.memory.sets.set_kinds import SET_KINDS
from evalmark.memory.sets.set_run import SetJudge
from evalmark.validator.check import check_file
from test_set_runs import JUDGE, LOCOMO, LONGMEMEVAL, US, Saving, ran, scored

# records


def named(finished):
    return {result.name: result for result in run_of_sets(finished, US, None).results}


def test_a_record_says_what_each_mean_is_over(tmp_path):
    results = named(ran([LOCOMO], ScriptedAgent({}, "not mentioned"), tmp_path))
    total = results["LoCoMo F1/answerable (categories 1, 2, 3, 4)"]
    assert (total.score, total.details["counted"]) == (pytest.approx(0.5 / 4), "4")
    beside = results["LoCoMo F1/category 5 (adversarial)"]
    assert beside.score == 1
    assert (total.details["part"], beside.details["part"]) == ("total", "beside")
    assert not [name for name in results if "5" in name and name != beside.name], "never summed"


def test_the_details_of_a_model_do_not_repeat_its_name(tmp_path):
    run = run_of_sets(ran([LOCOMO], ScriptedAgent({}, "x"), tmp_path), US, None)
    assert run.model.id
    assert "model" not in run.model.details
    assert "agent_class" in run.model.details


def test_abstention_is_apart_and_types_are_averaged(tmp_path):
    with edited(LONGMEMEVAL, tmp_path / "set.json") as data:
        data.append(copy.deepcopy(data[0]) | {"question_id": "q4"})

    class Picky:
        about = {"model": "picky"}  # noqa: RUF012

        def complete(self, messages, **rest):
            return Completion("yes" if "dogs" in messages[0]["content"] else "no")

    found = ran([tmp_path / "set.json"], ScriptedAgent({}, "x"), tmp_path / "run",
                judge=SetJudge(Picky(), SET_PROMPT))  # fmt: skip
    results = {n: r.score for n, r in named(found).items() if "accuracy" in n}
    name = "LongMemEval: accuracy by evalmark-sets-1"
    assert results == {
        f"{name}/single-session-user": 0, f"{name}/temporal-reasoning": 0,
        f"{name}/multi-session": 1, f"{name}/all": 0.25, f"{name}/answerable": 0,
        f"{name}/abstention": 1, f"{name}/average of types": pytest.approx(1 / 3),
    }  # fmt: skip


def test_the_name_of_a_set_is_only_for_its_own_prompts(tmp_path, monkeypatch):
    kind = SET_KINDS["longmemeval"]
    own = JudgePrompt("own.json", {"default": "{question} {answer} {response}"})
    assert own.as_of(kind.prompts, 10) is None
    digests = dict.fromkeys(kind.prompts, same_text("{}  {}\n{}"))
    monkeypatch.setitem(SET_KINDS, "longmemeval", replace(kind, prompts=digests))
    judge = SetJudge(ScriptedJudge(ScriptedAgent({}, "No? Yes!")), own)
    results = named(ran([LONGMEMEVAL], ScriptedAgent({}, "x"), tmp_path, judge=judge))
    assert results["LongMemEval accuracy/all"].score == 1  # "yes" anywhere accepts
    judging = results["LongMemEval accuracy/all"].metric.judging
    assert judging["judges"][0]["additional_details"] == {"max_tokens": "10"}


@pytest.mark.parametrize(("version", "profile"), [("0.2.0", None), ("0.3.0", "eee")])
def test_records_pass_the_check_and_the_gate(tmp_path, version, profile):
    class Finds(Saving):
        retrieved = ("D1:3", "session_2")

    finished = ran([LOCOMO, LONGMEMEVAL], OwnAgent(Finds), tmp_path, judge=JUDGE)
    written = write_conversation_record(finished, US, version=version)
    for path in (written.record, written.samples):
        assert check_file(str(path), profile=profile).findings == ()
    record = json.loads(written.record.read_text("utf-8"))
    scorings = [r["metric_config"]["llm_scoring"] for r in record["evaluation_results"]
                if "llm_scoring" in r["metric_config"]]  # fmt: skip
    details = scorings[0]["additional_details"]
    assert details["prompt_sha256"] == SET_PROMPT.data()["sha256"]
    assert all(text in scorings[0]["input_prompt"] for text in SET_PROMPT.prompts.values())
    assert scorings[0]["judges"][0]["model_info"]["id"] == "evalmark/scripted"
    rows = [json.loads(line) for line in written.samples.read_text("utf-8").splitlines()]
    answers = [row for row in rows if "recall@" not in row["evaluation_name"]]
    assert len(answers) == 7 + 6 + 8  # F1, exact match, accuracy; abstentions have no words
    recalls = [result["score_details"]["details"] for result in record["evaluation_results"]
               if "recall@" in result["evaluation_name"]]  # fmt: skip
    assert len(rows) - len(answers) == sum(int(details["questions"]) for details in recalls)
    assert len({(row["evaluation_name"], row["sample_id"]) for row in rows}) == len(rows)


def test_a_real_conversation_runs(tmp_path, shared):
    path = shared / "data/memory/locomo/26.json"
    finished = ran([path], ScriptedAgent({}, "not mentioned"), tmp_path)
    (scores,) = scored(finished)
    assert [len(row.answers) for row in scores.rows] == [32, 37, 13, 70, 152, 47]
    assert scores.totals[1].f1s == [1.0] * 47
    assert Path(write_conversation_record(finished, US).record).is_file()


@pytest.mark.parametrize("name", ["5", "adversarial", "category 5 (adversarial)"])
def test_a_type_is_called_as_tables_call_it(tmp_path, name):
    finished = ran([LOCOMO], ScriptedAgent({}), tmp_path / "run", types=[name])
    assert {answer.question.type for answer in finished.answered} == {"5"}
