"""The figures of runs of conversations: what the benchmark's report has, and intervals."""

import json
import re
import shutil
from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark.memory.pages.conversation_folder import (
    ConversationView,
    DatasetView,
    TestView,
    read_conversations,
    told_apart,
)
from evalmark.memory.pages.conversation_page import (
    FIGURES,
    average_score,
    figures,
    ltm_score,
    score_chart,
)
from evalmark.stats.proportions import wilson_interval
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("jinja2")


def a_test(score, tokens=100, *, state="", automatic=None, generation=3):
    return TestView("0", score, state, automatic, tokens, (), (), generation)


def a_run(*datasets, **rest):
    """A run of datasets, each a list of tests."""
    named = (DatasetView(f"D{n}", tuple(tests)) for n, tests in enumerate(datasets))
    return ConversationView(rest.pop("agent", "Agent"), {}, tuple(named), **rest)


def cells(*views):
    return {figure.name: figure.cells for figure in figures(views)}


def test_every_figure_of_the_benchmarks_report_is_there():
    stats = {
        "total_tokens": 9215, "agent_tokens": 1987, "agent_costs_usd": 4.548,
        "managing_costs_usd": 0.15, "duration": 4098.7,
    }  # fmt: skip
    view = a_run(
        [a_test(1.0, 900), a_test(0.5, 2100, automatic=0.2)],
        [a_test(0.0, 1500), a_test(None, 10, state="not judged"), a_test(None, 0, state="error")],
        run="Benchmark 3 - 1k", span=2000, stats=stats,
    )  # fmt: skip
    assert {name: cell for name, (cell,) in cells(view).items()} == {
        "run": "Benchmark 3 - 1k",
        "tests or questions": "5 tests",
        "without a score": "1 not judged, 1 failed",
        "score": "0.750 of 2",
        "average score": "37.5 %",
        "95 % interval": "9.9 to 78.7 %",
        "LTM score": "900 (generation 3)",
        "memory span": "2,000 tokens",
        "memory span used": "900 / 1,500 / 2,100 tokens",
        "overruns": "1 of 5 tests",
        "changed by hand": "1 of 5 tests",
        "conversation": "9,215 tokens",
        "verbosity": "1,987 tokens",
        "speed": "0.5 tokens/s",
        "duration": "1 h 8 min 19 s",
        "cost of the agent": "4.55 USD",
        "cost of judging": "0.15 USD",
    }
    assert {figure.name for figure in figures([view])} == set(FIGURES)


def test_what_no_run_states_is_left_out_and_what_one_states_is_empty_for_the_other():
    bare, timed = a_run([a_test(1.0)]), a_run([a_test(1.0)], stats={"duration": 7.5}, span=50)
    assert "duration" not in cells(bare)
    assert cells(bare, timed)["duration"] == ("", "7.5 s")
    assert cells(bare, timed)["overruns"] == ("", "1 of 1 test")
    assert "speed" not in cells(bare, timed)


def test_the_ltm_score_is_that_of_the_generation():
    both = [(1.0, 100), (0.5, 300), (1.0, 200)]
    runs = [a_run([a_test(*one, generation=n) for one in both]) for n in (1, 2, 3)]
    assert list(map(ltm_score, runs)) == [450, 450, 150]
    assert ltm_score(a_run([a_test(0.0)])) is None


def test_a_run_without_scores_has_no_average():
    view = a_run([a_test(None, state="not judged")])
    assert average_score(view) is None
    assert "average score" not in cells(view)


# intervals


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_the_interval_of_a_dataset_is_wilsons_and_holds_its_mean(found):
    dataset = DatasetView("D", tuple(map(a_test, found)))
    low, high = dataset.interval
    assert (low, high) == wilson_interval(dataset.mean, len(found))
    assert 0 <= low <= dataset.mean + 1e-12
    assert dataset.mean - 1e-12 <= high <= 1
    assert high - low > 0.1, "a few equal scores are no certainty"


def test_bars_have_these_intervals_and_say_which():
    chart = score_chart(told_apart([a_run([a_test(1.0)] * 3)]))
    (bar,) = chart.groups[0].rows[0][1]
    assert (bar.low, bar.high) == wilson_interval(1, 3)
    assert chart.interval == "95 % interval (Wilson)"


def test_scores_above_the_maximum_are_drawn(run, tmp_path):
    """A shopping list that names an item twice could score more in older generations."""
    home = shutil.copytree(FIXTURES / "good/ltm", tmp_path / "run")
    for path in home.glob("results/*/*/*.json"):
        path.write_text(json.dumps({**json.loads(path.read_text()), "score": 1.5}))
    assert run("evalmark", "report", home).code == 0
    (view,) = read_conversations(home)
    (dataset,) = view.scored
    assert dataset.interval == wilson_interval(1, len(dataset.tests))
    assert cells(view)["95 % interval"] == ("20.7 to 100.0 %",)


# runs told apart


@pytest.mark.parametrize(
    ("runs", "labels"),
    [
        ([{}], ["Agent"]),
        ([{}, {"agent": "Other"}], ["Agent", "Other"]),
        ([{"span": 32000}, {"span": 120000}],
         ["Agent, memory span 32000", "Agent, memory span 120000"]),
        ([{"span": 9, "run": "a"}, {"span": 9, "run": "b"}], ["Agent (a)", "Agent (b)"]),
        ([{"span": 9}, {"span": 9, "agent": "Other"}], ["Agent", "Other"]),
        ([{}, {}], ["Agent (1)", "Agent (2)"]),
    ],
)  # fmt: skip
def test_labels_differ(runs, labels):
    views = told_apart([a_run([a_test(1.0)], **run) for run in runs])
    assert [view.model for view in views] == labels


def run_at(folder, span):
    """A run of the fixture at a memory span."""
    home = shutil.copytree(FIXTURES / "good/ltm", folder / f"at {span}")
    about = {"memory_span": span, "agent": {"kind": "Chat", "model": "us/agent"}}
    (home / "results/Example agent/run.json").write_text(json.dumps(about))
    return home


def test_one_agent_at_two_spans_is_told_apart_everywhere(run, tmp_path):
    """Title, headings, legend, column heads."""
    out = tmp_path / "x.html"
    run("evalmark", "report", run_at(tmp_path, 32000), run_at(tmp_path, 120000),
        "--out", out, code=0)  # fmt: skip
    html = out.read_text()
    both = ["Example agent, memory span 32000", "Example agent, memory span 120000"]
    assert re.findall("<title>(.*?)</title>", html)[0].startswith(f"{both[0]}, {both[1]}: ")
    for pattern in (
        '<span class="who">(Ex.*?)</span>', r'<th scope="col" class="number">(Ex.*?)</th>',
        r"</svg>(Ex.*?)</li>", r"<td>(Ex.*?)</td>", r"<h3>(Ex.*?)</h3>",
    ):  # fmt: skip
        assert list(dict.fromkeys(re.findall(pattern, html))) == both, pattern
    assert "standard deviation" not in html
    assert "difference</span>" in html, "two runs are compared"


# memory sets


def of_a_set(folder):
    """A run over a memory set: no tests of the benchmark, but a record with samples."""
    records = folder / "records/Agent"
    agent = folder / "results/Agent"
    for path in (records, agent):
        path.mkdir(parents=True)
    for path in (FIXTURES / "good").glob("with_samples*"):
        shutil.copy(path, records)
    totals = {"seconds": 4.0, "output_tokens": 20, "agent_cost": 0.5, "judge_cost": 0.25}
    about = {"sets": [{"name": "x"}], "totals": totals,
             "files": {"records/Agent/with_samples.json": "0"}}  # fmt: skip
    (agent / "run.json").write_text(json.dumps(about))
    return folder


def test_a_run_over_a_memory_set_has_its_questions(run, tmp_path):
    home = of_a_set(tmp_path / "run")
    (view,) = read_conversations(home)
    (dataset,) = view.datasets
    assert (dataset.name, len(dataset.tests)) == ("agreement", 4)
    found = {name: cell for name, (cell,) in cells(view).items()}
    assert (found["speed"], found["cost of the agent"]) == ("5.0 tokens/s", "0.50 USD")
    assert "memory span used" not in found
    assert "LTM score" not in found
    done = run("evalmark", "report", home)
    assert (done.code, done.err) == (0, f"wrote {home / 'report.html'}\n")
    html = (home / "report.html").read_text()
    assert "Questions and answers of test " in html
    assert "distance None" not in html


@pytest.mark.parametrize("below", ["", "results/Agent"])
def test_a_run_over_a_memory_set_can_be_compared(run, tmp_path, below):
    done = run("evalmark", "compare", of_a_set(tmp_path / "a") / below, of_a_set(tmp_path / "b"))
    assert done.code == 0, done.err
    assert "both score the same on every sample" in done.out


# real runs


def test_datasets_are_described(run, tmp_path):
    out = tmp_path / "x.html"
    assert run("evalmark", "report", FIXTURES / "good/ltm", "--out", out).code == 0
    assert "A favourite colour is told several times; the last one is asked for." in (
        out.read_text()
    )


def test_the_description_of_a_dataset_of_ones_own_is_kept(run, here):
    Path("own.py").write_text(OWN)
    Path("s.json").write_text('{"default": "blue"}')
    done = run("evalmark", "memory", "run", "own.py:Sky", "--agent", "s.json", "--out", "run")
    assert done.code == 0, done.err
    assert run("evalmark", "report", "run").code == 0
    assert "<p>What the sky is &lt;like&gt;.</p>" in Path("run/report.html").read_text()


OWN = """
from evalmark.memory import DatasetInterface, TestExample

class Sky(DatasetInterface):
    name = "Sky"
    description = "What the sky is <like>."

    def generate_examples(self, n):
        return [TestExample(self, ["The sky is blue.", "Its colour?"], ["blue"],
                            is_question=[False, True])]

    def evaluate_correct(self, questions, responses, expected):
        return 1, 1, ["right"]
"""


def test_the_figures_of_published_runs(shared):
    found = {}
    for folder in sorted((shared / "data/ltm").glob("Benchmark*")):
        (view,) = read_conversations(folder)
        found[folder.name] = {name: cell for name, (cell,) in cells(view).items()}
    assert [one["LTM score"][-14:] for one in found.values()] == [
        "(generation 1)", "(generation 2)", "(generation 3)", "(generation 3)",
    ]  # fmt: skip
    isolated = found["Benchmark 3 - 32k (isolated)"]
    assert (isolated["score"], isolated["average score"]) == ("9.200 of 11", "83.6 %")
    assert isolated["changed by hand"] == "2 of 33 tests"
    assert found["Benchmark 3 - 1k"]["memory span used"] == "932 / 1,902 / 7,106 tokens"
    assert found["Benchmark 1 - 1k Filler"]["speed"] == "34.7 tokens/s"
