"""Old suites become current ones, exactly, or are refused with a reason."""

import json
import random

import pytest
from conftest import FIXTURES, data_at, python, record_at
from evalmark.converters.convert_document import convert_data, convert_text
from evalmark.converters.importers.registry import importer_of
from evalmark.converters.suites.edits import split_conjunctions, strip_results
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_file, check_text
from evalmark.validator.checker import Checker
from hypothesis import example, given
from hypothesis import strategies as st
from imported_runs import read_results
from mutation import mutants

OLD = sorted((FIXTURES / "legacy").glob("*.old.json"))


@pytest.mark.conforms("L-1")
@pytest.mark.parametrize("path", OLD, ids=lambda path: path.name)
def test_old_file_becomes_the_one_beside_it(path, run):
    new = path.with_name(path.name.replace(".old.", ".new."))
    assert run("evalmark", "convert", path, code=0).out == new.read_text(encoding="utf-8")
    assert check_file(new).ok
    assert not any(finding.code == "SG208" for finding in check_file(new).findings)


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.name)
def test_converting_twice_changes_nothing(path):
    once = convert_text(path.read_text(encoding="utf-8"))
    twice = convert_text(once.text)
    assert (twice.text, twice.steps) == (once.text, ())


SIGNS = {"lessthan": "<", "equals": "=", "greaterthan": ">"}


@pytest.mark.conforms("L-30", "L-33", "L-37", "L-38", "L-39", "L-40", "L-43")
@given(st.lists(st.tuples(st.integers(2, 3), st.sampled_from([*SIGNS]))))
@example([(2, relation) for relation in SIGNS])
def test_one_prediction_each_in_their_order(triples):
    data = data_at("legacy/triples.old.json")
    data["predictions"] = [
        {"region_number": n, "l_operand": "match", "relation": r, "r_operand": "mismatch"}
        for n, r in triples
    ]
    formulas = [f"({n};%match%) {SIGNS[r]} ({n};%mismatch%)" for n, r in triples]
    made = [{"type": "formula", "formula": formula} for formula in formulas]
    assert convert_data(data).data["predictions"] == made


@pytest.mark.conforms("L-18")
@pytest.mark.parametrize("metric", ["all", ["sum", "mean"]])
def test_several_metrics_ask_for_a_choice(metric, run, tmp_path):
    data = data_at("legacy/triples.old.json")
    data["meta"]["metric"] = metric
    path = tmp_path / "old.json"
    path.write_text(json.dumps(data))
    refused = run("evalmark", "convert", path, code=1)
    assert refused.out == ""
    assert "choose with --metric" in refused.err
    chosen = run("evalmark", "convert", "--metric", "mean", path)
    assert json.loads(chosen.out)["meta"]["metric"] == "mean"
    assert "`mean` is kept" in chosen.err
    assert run("evalmark", "convert", "--metric", "mode", path).code == 2


@pytest.mark.conforms("S-33")
@pytest.mark.parametrize("name", ["no gap", "gap.1", "gap½", "a%b"])
def test_names_outside_the_alphabet_ask_for_another(name, run, tmp_path):
    text = json.dumps(data_at("legacy/triples.old.json")).replace('"match"', json.dumps(name))
    path = tmp_path / "old.json"
    path.write_text(text)
    assert f'--rename "{name}=NEW"' in run("evalmark", "convert", path, code=1).err
    data = json.loads(run("evalmark", "convert", "--rename", f"{name}=gap", path, code=0).out)
    assert data["items"][0]["conditions"][0]["condition_name"] == "gap"
    assert data["predictions"][0]["formula"] == "(2;%mismatch%) > (2;%gap%)"


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.name)
def test_names_can_be_swapped_in_every_dialect(path):
    swapped = Supplied(renames={"match": "mismatch", "mismatch": "match"})
    done = convert_data(json.loads(path.read_text(encoding="utf-8")), supplied=swapped)
    names = [c["condition_name"] for c in done.data["items"][0]["conditions"]]
    assert names == ["mismatch", "match"]
    assert done.proof.counts["predictions"] == len(done.data["predictions"])


@pytest.mark.parametrize(
    ("renames", "reason"),
    [
        ({"match": "mismatch"}, "the name `mismatch` is taken"),
        ({"match": "x", "mismatch": "x"}, "the name `x` is taken"),
        ({"match": "a b"}, "letters, digits"),
        ({"nosuch": "x"}, "no condition is called `nosuch`"),
    ],
)
def test_renaming_never_merges_conditions(renames, reason):
    with pytest.raises(ConversionError, match=reason):
        convert_data(data_at("legacy/triples.old.json"), supplied=Supplied(renames=renames))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "F001"),
        ("[]", "F012"),
        ('{"items": 1, "predictions": []}', "SG101 `meta` and `region_meta` are missing at 1:1"),
        ('{"items": [], "predictions": [1], "meta": {}}', "SG101 `region_meta` is missing at 1:1"),
        ('{"evaluation_results": []}', "EE101 `evaluation_id`, .* are missing at 1:1"),
    ],
)
def test_what_is_no_suite_is_refused(text, reason):
    with pytest.raises(ConversionError, match=reason):
        convert_text(text)


@pytest.mark.parametrize("formula", [{}, {"type": "formula", "formula": "(2;%a%) < (2;%b%)"}])
def test_a_triple_beside_a_formula_is_never_dropped(formula):
    triple = {"region_number": 2, "l_operand": "a", "relation": "greaterthan", "r_operand": "b"}
    sentences = [{"condition_name": name, "regions": []} for name in "ab"]
    suite = {
        "meta": {"name": "x", "metric": "sum"},
        "region_meta": {"1": "", "2": ""},
        "predictions": [triple, {**triple, **formula}, {"type": "formula", "formula": "1 < 2"}],
        "items": [{"item_number": 1, "conditions": sentences}],
    }
    with pytest.raises(ConversionError, match="prediction is a legacy triple"):
        convert_data(suite)


GOOD_ROW = '{"sentence_good": "He is.", "sentence_bad": "He are."}'


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('{"sentence_good": "He is."', "F001 .* at 4:27"),
        ('{"sentence_good": "He is.", "sentence_bad": 3}', "MP112 .* at 4:45"),
        ('{"sentence_good": "He is.", "other": "He are."}', "MP101 .* at 4:1"),
    ],
)
def test_a_row_that_is_refused_has_the_line_of_the_file(row, reason):
    with pytest.raises(ConversionError, match=reason):
        convert_text(f"{GOOD_ROW}\n\n \n{row}\n", path="rows.jsonl")


def test_rows_of_a_declared_table_are_pairs_or_refused_with_their_line():
    declared = Supplied(checker=Checker(pairs=["good=is", "bad=was"]))
    with pytest.raises(ConversionError, match="line 3 is not a row of minimal pairs"):
        convert_text("is,was\nHe is.,He are.\nShe is.,\n", path="x.csv", supplied=declared)


def test_nothing_else_changes(tmp_path):
    text = (FIXTURES / "legacy/brackets.old.json").read_text(encoding="utf-8")
    odd = text.replace('"metric": "sum",', '"metric":"sum" ,\r\n\t "big": 10000000000000000000001,')
    new = convert_text(odd).text
    old_lines, new_lines = odd.split("\n"), new.split("\n")
    assert len(old_lines) == len(new_lines)
    changed = [old for old, new in zip(old_lines, new_lines, strict=True) if old != new]
    assert len(changed) == 2
    assert all("formula" in line for line in changed)


DOCUMENTS = sorted(
    path
    for folder in ("good", "legacy", "versions", "results")
    for path in (FIXTURES / folder).rglob("*.json")
    if ".out" not in str(path)
)


def test_a_record_of_an_unknown_version_that_fits_no_other_is_refused():
    data = {"schema_version": "9.9.9", "evaluation_results": []}
    with pytest.raises(ConversionError, match=r'F013 no schema for record version "9\.9\.9"'):
        convert_text(json.dumps(data), path="x.json")


@pytest.mark.slow
@pytest.mark.parametrize("to", [None, "suite", "suite-legacy", "table", "record-0.3.0", "yaml"])
def test_any_damage_is_converted_or_refused(to, tmp_path):
    r = random.Random(0)
    for seed, path in enumerate(DOCUMENTS):
        data = json.loads(path.read_text(encoding="utf-8"))
        for mutant in mutants(data, seed, 12):
            edits = r.choice([(), (split_conjunctions,), (strip_results,)])
            try:
                if importer_of(mutant):
                    file = tmp_path / path.name
                    file.write_text(json.dumps(mutant))
                    list(read_results(file))
                else:
                    convert_text(json.dumps(mutant), path="x.json", to=to, edits=edits)
            except ConversionError:
                continue  # refused; anything else would be a crash


def test_a_damaged_record_of_an_unknown_version_is_refused():
    record = record_at("0.3.0")
    text = json.dumps({**record, "schema_version": "x", "model_info": 3})
    with pytest.raises(ConversionError, match='no schema for record version "x"'):
        convert_text(text, path="x.json")


# files


def test_stdin_to_stdout(run):
    old = (FIXTURES / "legacy/triples.old.json").read_bytes()
    outcome = run("evalmark", "convert", "-", stdin=old)
    assert outcome.out == (FIXTURES / "legacy/triples.new.json").read_text()


def test_the_hook_passes_over_strangers(run, tmp_path):
    path = tmp_path / "package.json"
    path.write_text("{}")
    assert run("evalmark", "convert", "--in-place", "--skip-unknown", path) == (0, "", "")


# real files


def test_published_suites_convert_and_mean_the_same(shared):
    paths = sorted((shared / "data/suites/published-json").glob("*.json"))
    assert len(paths) == 16
    for path in paths:
        text = path.read_text(encoding="utf-8")
        converted = convert_text(text)
        report = check_text(converted.text)
        assert report.ok, path.name
        assert not any(finding.code == "SG208" for finding in report.findings)
        old, new = json.loads(text), json.loads(converted.text)
        assert {**new, "predictions": 0} == {**old, "predictions": 0}
        assert old == new or converted.proof.counts["predictions"] == len(old["predictions"])


def test_a_legacy_suite_is_converted_without_importers_records_or_yaml(tmp_path):
    """Each command starts Python: what a conversion does not need is not loaded."""
    source = FIXTURES / "legacy/triples.old.json"
    code = (
        "import sys\n"
        "from evalmark.cli.main import main\n"
        f"main(['convert', {str(source)!r}, '-o', {str(tmp_path / 'new.json')!r}])\n"
        "print(*sorted(sys.modules))"
    )
    done = python("-P", "-c", code, check=True)
    loaded = set(done.stdout.split())
    assert (tmp_path / "new.json").is_file()
    importers = {name for name in loaded if name.startswith("evalmark.converters.importers.")}
    assert importers == {"evalmark.converters.importers.registry"}
    others = {
        "records.writer", "records.run", "sources.placed_values", "yaml_text",
    }  # fmt: skip
    assert not loaded & {f"evalmark.converters.{name}" for name in others}
    assert not loaded & {"importlib.metadata", "ruamel.yaml", "pyarrow"}


@pytest.mark.parametrize("syntax", ["json", "yaml"])
def test_what_has_no_other_format_is_written_in_another_syntax(run, tmp_path, syntax):
    result = FIXTURES / "good/ltm/results/Example agent/Colours/0_0.json"
    done = run("evalmark", "convert", "--to", syntax, result, "-o", tmp_path / "out")
    assert (done.code, "internal error" in done.err) == (0, False), done.err
