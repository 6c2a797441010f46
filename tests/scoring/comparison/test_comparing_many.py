"""`evalmark compare BASE RUN…`: one correction over all runs, and what is shown of them."""

import json
from dataclasses import replace

import pytest
from evalmark.scoring.comparison.run_comparison import compare, compare_all
from evalmark.scoring.reports.comparison.cross_table import (
    CrossCell,
    CrossLabel,
    CrossTable,
    text_lines,
)
from evalmark.stats.paired_tests import mcnemar
from evalmark.validator.io.plain_table import distinct, plain_table, print_table
from rich.cells import cell_len
from run_data import write_outcomes
from standin_runs import write_run


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A base and three runs over eight suites."""
    folder = tmp_path_factory.mktemp("many")
    names = ("base", "step-100", "step-200", "step-1000")
    return [
        write_run(folder / name, f"us/{name}", seed=seed, suites=8, items=12)
        for seed, name in enumerate(names, 1)
    ]


@pytest.mark.parametrize(("left", "right"), [(0, 0), (5, 5), (1, 7), (0, 6), (3, 14), (900, 1003)])
def test_the_exact_test_is_that_of_statsmodels(left, right):
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    theirs = tables.mcnemar([[7, left], [right, 3]], exact=True).pvalue if left + right else 1.0
    assert mcnemar(left, right) == pytest.approx(min(theirs, 1.0), rel=1e-9)


def test_holm_is_over_all_runs_together(runs, monkeypatch):
    """Each reading of ties, and each of the three families, is corrected as by statsmodels."""
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    monkeypatch.setattr("gc.collect", lambda: 0)  # of all that other tests have loaded
    together = compare_all(runs[0], runs[1:], pooled=True)
    for rows in (
        [row for one in together for row in one.predictions],
        [one.headline for one in together],
        [one.pooled for one in together],
    ):
        for place in range(3):
            readings = [row.readings[place] for row in rows]
            theirs = multitest.multipletests([r.p_value for r in readings], method="holm")[1]
            assert [r.p_holm for r in readings] == pytest.approx(list(theirs), rel=1e-12)
    alone = compare(runs[0], runs[2])
    assert alone.headline.recorded.p_value == together[1].headline.recorded.p_value
    assert (alone.headline.better, together[1].headline.better) == ("second", None)
    assert together[1].headline.recorded.p_holm > alone.headline.recorded.p_holm
    assert compare_all(runs[0], runs[1:2])[0] == compare(runs[0], runs[1])
    assert together[1].headline == compare_all(runs[0], runs[1:])[1].headline


def test_every_format_names_the_base_the_runs_and_the_correction(runs, run):
    shown = {
        name: run("evalmark", "compare", *runs, "--pooled", "--format", name)
        for name in ("table", "json", "markdown")
    }
    assert {done.code for done in shown.values()} == {0}
    together = compare_all(runs[0], runs[1:])
    data = json.loads(shown["json"].out)
    assert data["base"] == {"run": str(runs[0]), "model": "us/base"}
    assert data["correction"] == (
        "Holm's correction is over all 3 runs together: the 3 means over suites, the 3 "
        "accuracies over all items and "
        f"the {sum(len(one.predictions) for one in together)} predictions are one family each"
    )
    for one, row in zip(together, data["runs"], strict=True):
        assert row["headline"]["claim"] == one.headline.claim
        values = [r.recorded.p_value for r in one.predictions]
        assert [r["p_value"] for r in row["comparisons"]] == values
    for name in ("table", "markdown"):
        assert data["correction"] in shown[name].out
        for one in together:
            assert f"{one.headline.difference:+.3f}" in shown[name].out
            assert one.models[1] in shown[name].out


def test_one_run_twice_has_a_number(runs, run):
    done = run("evalmark", "compare", runs[1], runs[1], runs[2])
    assert f"us/step-100 (2): {runs[1]}. The runs state the same settings." in done.out


def test_a_run_with_nothing_in_common_is_named(runs, refused, tmp_path):
    write_outcomes(other := tmp_path / "other", {"z": [[True, False]]})
    assert f"{other} has z" in refused("evalmark", "compare", *runs[:2], other)


# tables of models


def table(models, parts):
    """Accuracies that differ in each cell; the last row is fixed, and the first column."""
    cells = tuple(
        tuple(CrossCell(f"0.{10 * row + at:03}", str(row + at), 0.5) for at in range(len(parts)))
        for row in range(len(models))
    )
    labels = [CrossLabel(name) for name in models[:-1]], [CrossLabel(name) for name in parts[1:]]
    return CrossTable(
        "model",
        (*labels[0], CrossLabel(models[-1], True)),
        (CrossLabel(parts[0], True), *labels[1]),
        cells,
    )


@pytest.mark.parametrize(
    ("models", "parts"), [(50, 16), (3, 16), (20, 67), (50, 3), (2, 1), (67, 67)]
)
def test_a_table_of_any_size_fits_a_terminal_and_no_two_rows_look_alike(models, parts):
    names = [f"EleutherAI/pythia-160m-deduped-step{1000 * n}-seed1" for n in range(models)]
    suites = [f"syntax_gym_suite_{n}_of_many" for n in range(parts)]
    lines = list(text_lines(table([*names, "chance"], ["mean", *suites]), 80))
    assert max(map(len, lines)) <= 80
    block = lines[1 : lines.index("")] if "" in lines else lines[1:]
    down = max(models + 1, parts + 1)
    assert len(block) == down, "the longer side goes down"
    assert len({line.split("  ")[0] for line in block}) == down
    if models == 50 and parts == 16:
        assert len(lines) == 52 + 2 + 8, "a screen or so, with the names of suites in two columns"


def test_names_are_cut_in_the_middle():
    assert distinct(["short", "a-long-name-of-a-model"], 12) == ["short", "a-lon…-model"]
    assert distinct(["x-step1-of-a-model", "x-step2-of-a-model"], 9) == ["x-step1…l", "x-step2…l"]
    alike = [f"{'a' * 30}{number}{'b' * 30}" for number in range(12)]
    assert len(set(distinct(alike, 12))) == 12
    wide = distinct(["句法评测的中心嵌套结构", "句法评测的主谓一致结构"], 9)
    assert len(set(wide)) == 2
    assert max(map(cell_len, wide)) <= 9


def test_equal_names_stay_equal():
    assert distinct(["model", "model"], 20) == ["model", "model"]
    assert replace(table(["a", "chance"], ["mean", "s"])).turned("suite").rows[0].name == "mean"


def test_a_table_for_a_terminal_is_the_widest_that_fits_and_no_two_names_look_alike(
    capsys, monkeypatch
):
    monkeypatch.setattr("evalmark.validator.io.plain_table.WITHOUT_TERMINAL", 40)
    names = ["subordination_pp-pp", "subordination_orc-orc", "subordination_src-src", ""]
    exact, narrow = (plain_table(("suite",), ("accuracy", head)) for head in ("chance" * 4, "c"))
    for table in (exact, narrow):
        for name in names:
            table.add_row(name, "0.500", "0.250")
    assert print_table(exact, narrow) is narrow
    lines = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, lines)) <= 40
    assert [line.split()[0] for line in lines[1:4]] == names[:3], "they fit"
    monkeypatch.setattr("evalmark.validator.io.plain_table.WITHOUT_TERMINAL", 34)
    print_table(exact, narrow)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, lines)) <= 34
    cut = [line.split()[0] for line in lines[1:4]]
    assert len({*cut}) == 3
    assert all("…" in name for name in cut)
