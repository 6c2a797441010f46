"""The comparison with published accuracies, with stand-ins for the weights of GPT-2."""

from __future__ import annotations

import json

import pytest
from conftest import FIXTURES
from evalmark.schemas.errors import EvalmarkError
from test_recorded import suite_data

from benchmarks.published_accuracies import (
    TABLE,
    Compared,
    Published,
    Row,
    lines,
    main,
    read_table,
)

#: Of two items, the first formula holds for one and the second for none.
FORMULAS = ("(2;%b%) > 3", "(2;%b%) < 3")


@pytest.fixture
def table(tmp_path):
    """A function that writes a table of suites with their items and share."""

    def write(*rows, columns="suite,items,gpt2"):
        path = tmp_path / "table.csv"
        path.write_text("# Source: this test.\n" + "".join(f"{row}\n" for row in (columns, *rows)))
        return path

    return write


@pytest.fixture
def suites(tmp_path):
    """A folder of evaluated suites called one and two."""
    folder = tmp_path / "suites"
    folder.mkdir()
    for name in ("one", "two"):
        data = suite_data(name, formulas=FORMULAS)
        (folder / f"{name}.json").write_text(json.dumps(data))
    return folder


def test_the_table_has_every_published_suite_with_counts_of_its_items():
    for model, mean in (("gpt2", 0.7808), ("gpt2-xl", 0.8311)):
        table = read_table(TABLE, model)
        assert len(table) == 34
        assert sum(entry.items for entry in table.values()) == 842
        shares = [entry.correct / entry.items for entry in table.values()]
        assert sum(shares) / len(shares) == pytest.approx(mean, abs=5e-5)
    assert read_table(TABLE, "gpt2")["fgd_hierarchy"] == Published(24, 15)


def test_suites_of_the_table_are_those_of_the_files(shared):
    table = read_table(TABLE, "gpt2")
    for path in sorted((shared / "data/suites/published-json").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        assert table[data["meta"]["name"]].items == len(data["items"]), path


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        (["one,2,0.5"], "suite,items,grnn", "table.csv has no column gpt2; it has grnn"),
        (["one,2,0.5"], "name,items,gpt2", "table.csv is not a table of accuracies"),
        (["one,two,0.5"], "suite,items,gpt2", "table.csv is not a table of accuracies"),
        (["one,3,0.5"], "suite,items,gpt2", "one: 0.5 is not a share of 3 items"),
        (["one,2,1.5"], "suite,items,gpt2", "one: 1.5 is not a share of 2 items"),
        (["one,2,0.5", "one,2,1.0"], "suite,items,gpt2", "table.csv has one twice"),
    ],
)
def test_a_wrong_table_is_refused(table, rows, columns, message):
    with pytest.raises(EvalmarkError, match=message):
        read_table(table(*rows, columns=columns), "gpt2")


def test_suites_are_matched_by_name_and_counted_by_their_first_prediction(suites, table, capsys):
    path = table("two,2,0.5000", "one,2,0.5000", "three,8,0.1250")
    assert main([str(suites), "--recorded", "--table", str(path)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out == [
        "suite  items  published  accuracy  all predictions  difference",
        "one        2     0.5000    0.5000           0.0000           0",
        "two        2     0.5000    0.5000           0.0000           0",
        "in the table, not scored: three",
        "recorded values: 2 of 2 suites as published for gpt2; mean accuracy 0.5000, "
        "published 0.5000",
    ]


def test_a_difference_is_the_exit_code_unless_it_is_allowed(suites, table, capsys):
    path = table("one,2,1.0000", "four,1,1.0000")
    arguments = [str(suites), "--recorded", "--table", str(path)]
    assert main(arguments) == 1
    out = capsys.readouterr().out
    assert "one        2     1.0000    0.5000           0.0000          -1 item\n" in out
    assert "not in the table: two\n" in out
    assert "0 of 1 suites as published" in out
    assert main([*arguments, "--within", "1"]) == 0


def test_a_suite_with_other_items_is_never_as_published():
    found = Compared((Row("one", 2, 1, 1, 2, 4),), (), ())
    assert found.rows[0].difference is None
    assert found.status(within=10) == 1
    assert any("the published suite has 4 items" in line for line in lines(found, "x", "gpt2"))


def test_nothing_to_compare_is_2(suites, table, capsys):
    arguments = [str(suites), "--recorded", "--table", str(table("three,1,1.0000"))]
    assert main(arguments) == 2
    assert "no suite has a published accuracy" in capsys.readouterr().out
    assert main([str(suites), "--model", str(suites / "nowhere")]) == 2
    assert "nothing to compare: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "broken",
    [
        suite_data("broken", formulas=("(9;%a%) < (2;%b%)",)),  # cannot be loaded
        suite_data("broken", values=False),  # has no values
    ],
)
def test_a_suite_that_cannot_be_scored_is_named_and_the_others_are_compared(
    broken, suites, table, capsys
):
    (suites / "broken.json").write_text(json.dumps(broken))
    arguments = [str(suites), "--recorded", "--table", str(table("one,2,0.5", "two,2,0.5"))]
    assert main(arguments) == 1
    said = capsys.readouterr()
    assert said.err.startswith("not scored: ")
    assert "broken.json" in said.err
    assert "2 of 2 suites as published" in said.out


def test_a_model_is_scored_by_the_same_way(table, capsys):
    pytest.importorskip("transformers")
    folder = FIXTURES / "suites"
    (items,) = {
        len(json.loads((folder / f"{name}.json").read_text())["items"])
        for name in ("garden_path", "relative_clause")
    }
    path = table(f"garden_path,{items},1.0000", f"relative_clause,{items},1.0000")
    files = [str(folder / f"{name}.json") for name in ("garden_path", "relative_clause")]
    code = main([*files, "--model", "demo", "--table", str(path), "--within", str(items)])
    said = capsys.readouterr()
    assert code == 0, said
    assert "of 2 suites as published for gpt2" in said.out
