"""``evalmark convert`` of a file that does not say all: assumptions are named, or it is refused."""

import json

import pytest
from conftest import FIXTURES

SENTENCES = "The dog runs.\nThe dog run.\nA cat sleeps.\nA cat sleep.\n"
UNLIKE = "One sentence here.\nAnother thing entirely.\nYes.\n"


YEARS = (FIXTURES / "tables/years.csv").read_text(encoding="utf-8")
TABLE = "item,condition,1,2\n1,a,The dog,runs\n1,b,The dog,run\n"
LEGACY = json.loads((FIXTURES / "legacy/triples.old.json").read_text(encoding="utf-8"))
METRICS = json.dumps({**LEGACY, "meta": {**LEGACY["meta"], "metric": ["sum", "mean"]}})
NONE = "--no-predictions"


@pytest.mark.parametrize(
    ("name", "text", "given", "refusal", "answer"),
    [
        ("y.csv", YEARS, [NONE],
         'the column "year" has no words but "1999"; --column "year=ROLE" says what it is: item, '
         "condition, region, sentence, version, label or ignored", ["--column", "year=ignored"]),
        ("m.json", METRICS, [],
         "the suite has several metrics (sum, mean); a current suite has one; choose with "
         "--metric: sum, mean, ", ["--metric", "mean"]),
        *(("t.csv", TABLE, [],
           "a table has no predictions; --predictions FILE takes them from a file; "
           "--no-predictions writes an empty list", answer)
          for answer in ([NONE], ["--predictions", "formulas.txt", "--metric", "sum"])),
    ],
)  # fmt: skip
def test_a_refusal_names_the_option_that_says_it(
    name, text, given, refusal, answer, tmp_path, monkeypatch, run
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "formulas.txt").write_text("(*;%a%) < (*;%b%)\n", encoding="utf-8")
    done = run("evalmark", "convert", "--to", "suite", name, *given)
    assert (done.code, done.out) == (1, "")
    assert f"{name}: refused: {refusal}" in done.err
    done = run("evalmark", "convert", "--to", "suite", name, *given, *answer, code=0)
    assert json.loads(done.out)["items"]


def test_every_assumption_is_named(tmp_path, run):
    (tmp_path / "s.txt").write_text(SENTENCES, encoding="utf-8")
    done = run("evalmark", "convert", "--no-predictions", tmp_path / "s.txt", code=0)
    for fact in (
        "each 2 lines are an item",
        "sentences are split where the sentences of an item begin to differ",
        "the list of predictions is empty, as supplied",
        "this format names no metric: `sum` is written",
    ):
        assert f"note: {fact}" in done.err
    done = run("evalmark", "convert", "--no-predictions", tmp_path / "s.txt", "--to", "rows")
    assert done.code == 0, done.err


def test_two_readings_are_refused_until_one_is_chosen(tmp_path, run):
    path = tmp_path / "s.txt"
    path.write_text(UNLIKE, encoding="utf-8")
    done = run("evalmark", "convert", "--no-predictions", path)
    assert (done.code, done.out) == (1, "")
    assert "refused: an item may be 1 or 3 lines; --column item=1 says how many" in done.err
    for lines, items in (("1", 3), ("3", 1)):
        done = run("evalmark", "convert", "--no-predictions", path, "--column", f"item={lines}")
        assert len(json.loads(done.out)["items"]) == items
    done = run("evalmark", "convert", "--no-predictions", path, "--column", "item=2")
    assert "refused: 3 lines are not items of 2 lines each" in done.err
    for name in ("s.txt", "s.csv"):
        (tmp_path / name).write_text(UNLIKE, encoding="utf-16")
        words = ("--no-predictions", tmp_path / name, "--column", "item=3")
        done = run("evalmark", "convert", *words, code=0)
        assert len(json.loads(done.out)["items"]) == 1
    path.write_text(UNLIKE.replace("\n", "\n\n"), encoding="utf-8")  # paragraphs, one a sentence
    assert "may be 1 or 3 lines" in run("evalmark", "convert", "--no-predictions", path).err


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_a_suite_is_written_as_yaml_on_stdout(tmp_path, run, suffix):
    (tmp_path / "s.txt").write_text(SENTENCES, encoding="utf-8")
    suite = tmp_path / f"s{suffix}"
    assert run("evalmark", "convert", "--no-predictions", tmp_path / "s.txt", "-o", suite).code == 0
    done = run("evalmark", "convert", suite, "--to", "yaml", "-o", "-", code=0)
    assert done.out.startswith("meta:\n  name: s\n  metric: sum\n")
