"""``evalmark.score``: files and a model to a run, in one call."""

import json

import evalmark
import pytest
from conftest import FIXTURES, ROOT
from evalmark.schemas.errors import EvalmarkError, UsageError
from evalmark.scoring import load_model, load_suite, model_jobs
from evalmark.scoring.runs import finished_run

DEMO = ROOT / "scoring/demo_model"
SUITE = FIXTURES / "suites/agreement_attractor.json"
PAIR = {"sentence_good": "The banker laughs.", "sentence_bad": "The banker laugh.", "UID": "a"}


def test_three_lines_score_a_suite_and_write_nothing(here):
    run = evalmark.score(SUITE, model="demo", limit=3, progress=False)
    assert list(run.to_frame()["correct"]) == [3]
    assert min(map(len, (run.regions, run.tokens, run.effects))) >= 3
    assert set(run.regions["condition"]) > {"match_sing", "mismatch_sing"}
    (row,) = evalmark.compare(run, run).predictions
    assert row.difference == 0
    assert list(here.iterdir()) == []


def test_the_demo_suite_is_there_anywhere_unless_a_file_has_its_name(here):
    run = evalmark.score("demo", model="demo", progress=False)
    assert set(run.to_frame()["items"]) == {24}
    (here / "demo").mkdir()
    (here / "demo/own.json").write_bytes(SUITE.read_bytes())
    run = evalmark.score("demo", model="demo", limit=2, progress=False)
    assert set(run.to_frame()["suite"]) == {"agreement_attractor"}


def test_a_list_of_models_gives_a_run_each_in_a_folder(tmp_path):
    runs = evalmark.score([SUITE], ["demo", str(DEMO)], limit=1, out=tmp_path / "o", progress=False)
    assert [run.run.path.parent.name for run in runs] == ["demo", DEMO.name]
    assert evalmark.compare(*runs).predictions
    with pytest.raises(EvalmarkError, match="is not empty"):
        evalmark.score(SUITE, "demo", out=tmp_path / "o/demo", progress=False)


def test_pairs_have_the_same_tables(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(PAIR) + "\n")
    run = evalmark.score(str(file), "demo", progress=False)
    assert list(run.to_frame()["uid"]) == ["a"]
    assert len(run.pairs) == 2
    assert len(run.effects) == 1
    assert len(run.tokens) > 2


def test_a_first_token_is_excluded_from_minimal_pairs_only():
    with pytest.raises(EvalmarkError, match="first_token excluded does not apply to suites"):
        evalmark.score(SUITE, "demo", first_token="excluded", limit=1, progress=False)


def test_what_cannot_be_scored_is_an_error(tmp_path):
    file = tmp_path / "s.json"
    file.write_text('{"meta": {"name": "a", "metric": "sum"}, "region_meta": {}}')
    for files, model, words in (
        (file, "demo", "s.json"),
        (SUITE, tmp_path / "nothing", "no such folder"),
    ):
        with pytest.raises((EvalmarkError, OSError), match=words):
            evalmark.score(files, model, progress=False)
    with pytest.raises(EvalmarkError, match="method does not apply to suites"):
        evalmark.score(SUITE, "demo", method="sum")


def test_without_libraries_of_frames_a_run_says_what_to_install(monkeypatch):
    monkeypatch.setattr(finished_run, "find_spec", lambda name: None)
    run = evalmark.score(SUITE, "demo", limit=1, progress=False)
    with pytest.raises(EvalmarkError, match=r"^pandas is not installed: pip install pandas$"):
        run.to_frame()


def test_slips_have_one_line():
    with pytest.raises(UsageError, match="check_data takes parsed JSON"):
        evalmark.check_text({"meta": {}})
    suite = load_suite(str(SUITE))
    assert repr(suite) == f"<suite 'agreement_attractor' in {str(SUITE)!r}: 48 items>"
    model = load_model("demo")
    for rows in "The banker", ["The banker"]:
        with pytest.raises(EvalmarkError, match=r"rows of token ids: \[model.tokenize\(text\).ids"):
            model.surprisals(rows)
    assert len(model.surprisals([model.tokenize("The banker laughs").ids])[0]) >= 2


def test_a_report_prints_its_findings_and_is_a_sequence_of_them():
    report = evalmark.check_text("{", path="a.json")
    assert list(report) == list(report.findings)
    assert str(report).startswith("a.json:1:2: error[F001] ")
    assert str(evalmark.check_file(SUITE)) == f"{SUITE}: no findings"


def test_a_wrong_argument_is_a_type_error_that_names_the_right_ones():
    with pytest.raises(TypeError, match=r"'dtyp'; did you mean 'dtype'\? It has: files, model, "):
        evalmark.score(SUITE, "demo", dtyp="float32")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"like": "babylm"}, "like does not apply to suites"),
        ({"surprisals": "recorded"}, "give only one of model and surprisals"),
        ({"also": "effects"}, "also effects writes tables into a folder: give out"),
        ({"dtype": "float23"}, "did you mean 'float32'"),
        ({"tokenizer": object()}, "tokenizer is of a loaded model"),
        ({"limit": -1}, "limit is -1; expected a whole number from 1 on"),
        ({"limit": 2.5}, "limit is 2.5; expected a whole number"),
        ({"limit": "3"}, "limit is '3'; expected a whole number"),
    ],
)
def test_arguments_that_do_not_apply_are_refused(options, words):
    with pytest.raises(EvalmarkError, match=words):
        evalmark.score(SUITE, "demo", **options)


def test_an_empty_list_is_not_given():
    run = evalmark.score(SUITE, "demo", limit=1, pairs=[], surprisals=[], progress=False)
    assert len(run.to_frame()) == 1


def test_options_of_the_command_line_are_those_of_python(tmp_path):
    """Each is declared once; ``--also effects`` and ``--record-version`` are as good as any."""
    evalmark.score(
        SUITE, "demo", limit=1, out=tmp_path / "o", record_version="0.3.0", also="effects",
        progress=False,
    )  # fmt: skip
    assert (tmp_path / "o/effects.csv").exists()
    assert list(tmp_path.glob("o/data/**/*.json"))


def test_recorded_numbers_are_scored_without_a_model():
    run = evalmark.score(
        FIXTURES / "legacy/evaluated.old.json", surprisals="recorded", model_id="a/b"
    )
    assert run.run.model.id == "a/b"
    with pytest.raises(EvalmarkError, match="nothing to score with: give model or surprisals"):
        evalmark.score(SUITE)


def test_what_does_not_exist_is_an_error_of_ours(tmp_path):
    missing = str(tmp_path / "missing.json")
    for call in (
        lambda: evalmark.score(missing, "demo"),
        lambda: evalmark.compare(missing, missing),
    ):
        with pytest.raises(EvalmarkError, match=r"missing\.json does not exist"):
            call()


def test_every_name_is_resolved_before_any_model_computes(monkeypatch):
    monkeypatch.setattr(model_jobs, "load_model", lambda *_, **__: pytest.fail("a model is loaded"))
    with pytest.raises(EvalmarkError, match=r"'./no' cannot be .*; model './neither' cannot be"):
        evalmark.score(SUITE, ["demo", "./no", "./neither"], progress=False)


def test_a_loaded_model_gives_the_values_of_its_folder():
    transformers = pytest.importorskip("transformers")
    model = transformers.AutoModelForCausalLM.from_pretrained(DEMO)
    tokenizer = transformers.AutoTokenizer.from_pretrained(DEMO)
    given = {"limit": 2, "progress": False}
    runs = [
        evalmark.score(SUITE, model, tokenizer=tokenizer, **given),
        evalmark.score(SUITE, load_model("demo"), **given),
        evalmark.score(SUITE, str(DEMO), **given),
    ]
    values = [list(run.regions["value"]) for run in runs]
    assert values[0] == values[1] == values[2]
    assert {run.regions["model"][0] for run in runs} == {"local/demo_model", "evalmark/demo"}
    with pytest.raises(EvalmarkError, match="needs its tokenizer"):
        evalmark.score(SUITE, model)
    with pytest.raises(EvalmarkError, match="dtype does not apply to a loaded model"):
        evalmark.score(SUITE, model, tokenizer=tokenizer, dtype="float32")


def test_pairs_may_be_a_frame_or_rows(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = [PAIR, {**PAIR, "sentence_good": "The dogs laugh.", "sentence_bad": "The dogs laughs."}]
    file = tmp_path / "a.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    frame = pandas.DataFrame(rows).assign(note=None, count=[1.0, float("nan")])
    runs = [evalmark.score(pairs, "demo", progress=False) for pairs in (str(file), frame, rows)]
    surprisals = [list(run.pairs["surprisal"]) for run in runs]
    assert surprisals[0] == surprisals[1] == surprisals[2]


def test_rows_that_are_no_pairs_are_an_error_that_names_their_columns():
    """And not the file that they are written to on the way."""
    pandas = pytest.importorskip("pandas")
    good, bad = PAIR["sentence_good"], PAIR["sentence_bad"]
    for rows, words in (
        (pandas.DataFrame({"right": [good], "no": [bad]}), "the columns right and no are not"),
        ([{"x": 1}], r"the columns x are not minimal pairs: .* pairs=\['good=COLUMN'"),
        (pandas.DataFrame({"sentence_good": [], "sentence_bad": []}), "the frame has no rows"),
        ([{**PAIR, "weight": float("inf")}], "a cell is infinite"),
    ):
        with pytest.raises(EvalmarkError, match=words):
            evalmark.score(rows, "demo", progress=False)
    named = evalmark.score([{"right": good, "no": bad}], "demo", pairs=["good=right", "bad=no"])
    assert len(named.pairs) == 2


def test_like_another_program_without_bos_still_has_its_tokens():
    """The first token does not count for minicons: it has no surprisal."""
    run = evalmark.score([PAIR], "demo", like="minicons", bos="none", progress=False)
    assert run.tokens["surprisal"].isna().sum() == 2
    assert list(run.uids["method"]) == ["mean"]


def test_a_run_and_a_comparison_print_their_tables():
    run, other = (evalmark.score(SUITE, "demo", limit=n, progress=False) for n in (8, 6))
    lines = str(run).splitlines()
    assert lines[0] == "Scores of evalmark/demo"
    assert lines[1].split()[:3] == ["suite", "prediction", "items"]
    assert lines[-1].split()[:3] == ["agreement_attractor", "all", "8"]
    compared = evalmark.compare(run, other)
    frame = compared.to_frame()
    assert len(frame) == len(compared.rows) == 1
    assert frame["items"][0] == 6
    assert frame["claim"][0] in str(compared)
    assert "<td>agreement_attractor</td>" in compared._repr_html_()
