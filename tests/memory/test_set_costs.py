"""Costs of runs over memory sets."""

import json

import pytest
from evalmark.memory.agents.agent import Completion, ScriptedAgent
from evalmark.memory.agents.memory_system import OwnAgent
from evalmark.memory.commands.score_tables import print_costs
from evalmark.memory.evaluation.texts import dollars
from evalmark.memory.pages.conversation_folder import read_conversations
from evalmark.memory.pages.conversation_page import figures
from evalmark.memory.running.memory_record import (
    run_of_sets,
    write_answers,
    write_conversation_record,
)
from evalmark.memory.sets.set_costs import costs_of, percentile
from evalmark.scoring.comparison.run_comparison import compare
from hypothesis import given
from hypothesis import strategies as st
from test_set_runs import LOCOMO, US, Notes, ran
from test_set_workers import Searcher


class Priced(Searcher):
    """States what its model takes; two calls for each answer."""

    async def answer(self, text, memories):
        return Completion(memories[0], 50, 5, 0.25, calls=2, context_tokens=40)


@pytest.fixture
def priced(tmp_path):
    return ran([LOCOMO], OwnAgent(Priced), tmp_path / "priced")


def test_ingest_search_and_answer_are_measured_apart(priced):
    steps, questions = priced.costs.steps, len(priced.answered)
    assert [*steps] == ["ingest", "search", "answer"]
    ingest, search, answer = steps.values()
    assert (ingest.count, ingest.calls, ingest.read, ingest.written, ingest.dollars) == (
        3, 6, 300, 30, 1.5,
    )  # fmt: skip
    assert (search.count, search.seconds_p50) == (questions, 1)
    assert (answer.calls, answer.read, answer.dollars) == (2 * questions, 50 * questions, 1.25)
    assert priced.costs.context_tokens == 40
    assert priced.totals.agent_cost == 1.5 + 1.25


def test_costs_are_in_run_json_record_report_and_comparison(tmp_path, priced):
    run = json.loads((priced.folder / "run.json").read_text())
    assert run["costs"] == priced.costs.data()
    assert json.loads(run_of_sets(priced, US, None).settings["costs"]) == run["costs"]
    plain = ran([LOCOMO], ScriptedAgent({}, "Porto"), tmp_path / "plain")
    for finished in (priced, plain):
        write_conversation_record(finished, US)
    costs = {cost.name: cost[1:] for cost in compare(plain.home, priced.home).costs}
    assert costs["answer calls"] == ("5", "10")
    assert "ingest calls" in costs
    assert not any(cost.name == "costs" for cost in compare(plain.home, priced.home).differences)
    views = [view for home in (plain, priced) for view in read_conversations(home.home)]
    cells = {figure.name: figure.cells for figure in figures(views)}
    assert cells["search: seconds p50"] == ("", "1 s")
    assert cells["context of a question"] == ("", "40 tokens")


def test_what_nobody_saw_is_not_zero(tmp_path, priced, capsys):
    unseen = ran([LOCOMO], OwnAgent(Notes), tmp_path / "unseen")
    seen = ran([LOCOMO], ScriptedAgent({}, "Porto"), tmp_path / "seen")
    for finished in (priced, unseen, seen):
        write_conversation_record(finished, US)
        write_answers(finished)
    run = json.loads((unseen.folder / "run.json").read_text())
    assert [run["costs"]["ingest"][name] for name in ("calls", "read", "dollars")] == [None] * 3
    assert run["totals"]["agent_cost"] is None
    assert run["costs"] == json.loads(run_of_sets(unseen, US, None).settings["costs"])
    print_costs(unseen.costs)
    assert "cost not measured" in capsys.readouterr().out.splitlines()[0]
    costs = {cost.name: cost[1:] for cost in compare(priced.home, unseen.home).costs}
    assert costs["ingest dollars"] == ("1.5", "not measured")
    views = [view for each in (priced, unseen) for view in read_conversations(each.home)]
    cells = {figure.name: figure.cells for figure in figures(views)}
    assert cells["ingest: dollars"] == ("1.50 USD", "not measured")
    assert cells["cost of the agent"] == ("2.75 USD", "not measured")
    assert cells["search: calls"] == ("not measured", "")
    assert seen.costs.steps["ingest"].calls == 0, "a context costs nothing until it is read"


def test_a_small_cost_is_not_zero():
    assert [dollars(cost) for cost in (0, 0.0007, 0.01, 1234.5, None)] == [
        "0.00 USD", "0.0007 USD", "0.01 USD", "1,234.50 USD", "cost not measured",
    ]  # fmt: skip


@given(st.lists(st.floats(0, 1e6), min_size=1), st.sampled_from([0.5, 0.95, 1.0]))
def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed(values, share):
    value = percentile(values, share)
    assert value in values
    assert sum(each <= value for each in values) >= share * len(values)
    below = [each for each in values if each < value]
    assert not below or sum(each <= max(below) for each in values) < share * len(values)


def test_a_log_of_an_earlier_version_has_the_costs_that_it_states():
    old = {"event": "asked", "reply": "x", "read": 3, "written": 1, "seconds": 2.0}
    answer = costs_of([{"event": "told", "seconds": 9.0}], [old]).steps["answer"]
    assert (answer.seconds, answer.read, answer.calls) == (2.0, 3, 1)
