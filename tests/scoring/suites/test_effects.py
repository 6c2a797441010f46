"""The tables of tokens and effects that a run over suites leaves behind."""

import ast
import csv
import json
import math
import os
import random
import re
from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark.converters.convert_files import convert_file
from evalmark.schemas.errors import ScoringError, UnknownNameError
from evalmark.scoring.runs.finished_run import read_run
from evalmark.scoring.runs.run_tables import EFFECT_COLUMNS, TOKEN_COLUMNS
from evalmark.scoring.runs.suite_views import labels_of
from evalmark.scoring.suites.effects import Sides, kind_of, margin, tree_of
from evalmark.scoring.suites.regions import METRICS
from evalmark.stats.effect_sizes import effect_size
from recorded_suites import rows_of, suite_data, surprisals_of
from run_data import suites_of, table
from suites import regions_in
from test_seed_suites import legacy

SUITE = FIXTURES / "suites/garden_path.json"
REFERENCE = re.compile(r"\((\d+|\*);%([^%]+)%\)")


@pytest.fixture
def score(run, here, epoch):
    """Scores a suite, written to a file, into a folder."""

    def scored(suite, *arguments, out="out", code=0):
        (here / "suite.json").write_text(json.dumps(suite))
        run("evalmark", "score", "suite.json", "--model-id", "lab/model", "--out", out,
            *arguments, code=code)  # fmt: skip
        return here / out

    return scored


@pytest.fixture
def with_model(run, here, torch, epoch):
    """Scores a file with the demo model into a folder."""

    def scored(suite, *arguments, out="out"):
        run("evalmark", "score", suite, "--model", "demo", "--device", "cpu", "-q",
            "--out", out, *arguments, code=0)  # fmt: skip
        return here / out

    return scored


def region_values(folder):
    """Suite, item, condition, region -> the recorded value; the sum of all under ``*``."""
    values, whole = {}, {}
    for row in table(folder, "regions"):
        sentence = row["suite"], row["item"], row["condition"]
        values[*sentence, row["region"]] = float(row["value"])
        whole.setdefault(sentence, []).append(float(row["value"]))
    return values | {(*sentence, "*"): math.fsum(parts) for sentence, parts in whole.items()}


def by_hand(folder):
    """The rows of the table of effects, by a loop over recorded values.

    It shares no code with the product: Python reads the formulas.
    """
    values = region_values(folder)
    for suite in suites_of(folder):
        for label, prediction in zip(
            labels_of(len(suite["predictions"])), suite["predictions"], strict=False
        ):
            text = REFERENCE.sub(r"value('\2', '\1')", prediction["formula"])
            for sign, word in {"&": " and ", "|": " or ", "=": "=="}.items():
                text = text.replace(sign, word)
            tree = ast.parse(text, mode="eval")
            found = [node for node in ast.walk(tree) if isinstance(node, ast.Compare)]
            found.sort(key=lambda node: node.left.col_offset)
            for place, comparison in enumerate(found, 1):
                (right,) = comparison.comparators
                (sign,) = comparison.ops
                codes = [
                    compile(ast.Expression(side), "", "eval") for side in (comparison.left, right)
                ]
                for item in map(str, suite["item_numbers"]):

                    def value(condition, region, label=suite["label"], item=item):
                        return values[label, item, condition, region]

                    a, b = (eval(code, {"value": value}) for code in codes)
                    bits = {
                        ast.Lt: b - a,
                        ast.Gt: a - b,
                        ast.Eq: 0.001 + 1e-5 * abs(b) - abs(a - b),
                    }[type(sign)]
                    yield (suite["label"], str(label), str(place), item, a, b, bits)


def effects_of(folder):
    return [
        (*list(row.values())[:4], *(float(row[name]) for name in ("left", "right", "margin")))
        for row in table(folder, "effects")
    ]


FORMULAS = (
    "(2;%a%) < (2;%b%)",
    "((1;%a%) - (1;%b%) > (2;%a%) - 7.5) & ((*;%a%) < (*;%b%)) | (1;%a%) > (1;%b%) + (2;%b%)",
)


def test_effects_equal_a_loop_over_recorded_values(score):
    folder = score(suite_data("one", formulas=FORMULAS), "--surprisals=recorded")
    effects = effects_of(folder)
    assert effects == list(by_hand(folder))
    assert [row[:4] for row in effects[:4]] == [
        ("one", "1", "1", "1"), ("one", "1", "1", "2"), ("one", "2", "1", "1"),
        ("one", "2", "1", "2"),
    ]  # fmt: skip
    assert len(effects) == (1 + 3) * 2


def recorded(path, values):
    """A suite, converted if need be, with a drawn value in every region."""
    data = json.loads(convert_file(path, to="suite").text)
    metric = data["meta"]["metric"]
    for region in regions_in(data):
        region["metric_value"] = {metric: round(values.expovariate(0.2), 3)}
    return data


def published():
    """The suites of the fixtures and, where they are, published ones."""
    paths = [*(FIXTURES / "suites").glob("*.json")]
    if shared := os.environ.get("EVALMARK_SHARED"):
        for folder in ("published-json", "string-predictions"):
            paths += (Path(shared) / "data/suites" / folder).glob("*.json")
    return sorted(paths)


@pytest.mark.parametrize("path", published(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_effects_of_suites_equal_a_loop_over_recorded_values(score, path):
    data = recorded(path, random.Random(path.stem))
    folder = score(data, "--surprisals=recorded")
    effects = effects_of(folder)
    assert effects == [pytest.approx(row, abs=1e-12) for row in by_hand(folder)]
    assert len(effects) % len(data["items"]) == 0
    assert effects


@pytest.mark.parametrize("name", ["garden_path", "negative_polarity"])
def test_effects_of_a_model_equal_a_loop_over_its_values(with_model, name):
    folder = with_model(FIXTURES / f"suites/{name}.json", "--limit", "6")
    effects = effects_of(folder)
    assert effects == list(by_hand(folder))
    (suite,) = suites_of(folder)
    held = {}
    for _, label, _, item, *_, bits in effects:
        held.setdefault((label, item), []).append(bits > 0)
    labels = labels_of(len(suite["predictions"]))
    for label, prediction in zip(labels, suite["predictions"], strict=False):  # joined with &
        numbers = map(str, suite["item_numbers"])
        assert prediction["outcomes"] == [all(held[label, number]) for number in numbers]


@pytest.mark.parametrize(
    ("sign", "left", "right", "bits"),
    [
        ("<", 1.0, 3.5, 2.5),
        ("<", 3.5, 1.0, -2.5),
        (">", 3.5, 1.0, 2.5),
        ("<", 2.0, 2.0, 0.0),  # fails: it must be above 0
        ("=", 2.0, 2.0, 1e-3 + 2e-5),  # all of the tolerance is left
        ("=", 2.0, 3.0, 1e-3 + 3e-5 - 1),
        (">", None, 1.0, None),
        ("=", 1.0, None, None),
    ],
)
def test_a_margin_is_the_bits_by_which_a_comparison_holds(sign, left, right, bits):
    assert margin(sign, Sides(left, right)) == (bits and pytest.approx(bits))


def with_undefined_values():
    """A suite whose only comparison has no left side."""
    suite = suite_data("gap", formulas=("(1;%a%) < (2;%b%)",))
    suite["meta"]["metric"] = "mean"
    for item in suite["items"]:
        for condition in item["conditions"]:
            condition["regions"][0].update(content="", metric_value={"mean": None})
            condition["regions"][1]["metric_value"] = {"mean": 2.5}
    return suite


def test_a_side_with_an_undefined_value_is_empty(score):
    folder = score(with_undefined_values(), "--surprisals=recorded", "--undefined", "false")
    rows = table(folder, "effects")
    assert [(row["left"], row["right"], row["margin"]) for row in rows] == [("", "2.5", "")] * 2


# kinds of comparisons


@pytest.mark.parametrize(
    ("formula", "kind"),
    [
        ("(5;%a%) < (5;%b%)", "difference"),
        ("(5;%a%) = (5;%b%)", "equality"),
        ("((5;%a%) - (5;%b%)) - ((5;%c%) - (5;%d%)) > 0", "interaction"),
        ("0 < ((5;%a%) - (5;%b%)) - ((5;%c%) - (5;%d%))", "interaction"),
        ("(5;%a%) - (5;%b%) < (5;%c%) - (5;%d%)", "interaction"),
        ("((5;%a%) - (5;%b%)) + ((5;%c%) - (5;%d%)) > 0", "difference"),  # a main effect
        ("(5;%a%) + (5;%b%) > (5;%c%) + (5;%d%)", "difference"),
        ("((5;%a%) - (5;%b%)) - ((5;%c%) - (5;%d%)) > 2", "difference"),  # above a number
        ("((5;%a%) - (5;%b%)) - ((5;%c%) - (6;%d%)) > 0", "difference"),  # of another region
        ("((5;%a%) + (6;%a%) - (5;%b%) - (6;%b%)) > ((5;%c%) + (6;%c%) - (5;%d%) - (6;%d%))",
         "interaction"),
        ("(*;%a%) - (*;%b%) > (*;%b%) - (*;%a%)", "difference"),
        # Names of two factors decide, however the formula is written.
        ("(5;%x_p%) - (5;%x_q%) > (5;%y_p%) - (5;%y_q%)", "interaction"),
        ("(5;%x_p%) + (5;%y_q%) > (5;%y_p%) + (5;%x_q%)", "interaction"),
        ("(5;%x_p%) - (5;%x_q%) > (5;%y_q%) - (5;%y_p%)", "difference"),  # p against q
        ("(5;%match_sing%) - (5;%mismatch_sing%) > (5;%match_plural%) - (5;%mismatch_plural%)",
         "interaction"),
        ("(5;%no-obj_no-comma%) - (5;%no-obj_comma%) > (5;%obj_no-comma%) - (5;%obj_comma%)",
         "interaction"),
        ("(5;%match_sing%) - (5;%mismatch_plural%) > (5;%mismatch_sing%) - (5;%match_plural%)",
         "difference"),
    ],
)  # fmt: skip
def test_an_interaction_is_a_difference_of_differences(formula, kind):
    assert kind_of(tree_of(formula)) == kind


def test_an_equality_has_a_size_and_no_p_value(score, pyarrow):
    formulas = ("(1;%a%) = (1;%b%)", "(2;%a%) < (2;%b%)")
    done = read_run(
        score(suite_data("one", formulas=formulas), "--surprisals=recorded"), frame="pyarrow"
    )
    equal, less = rows_of(done.effect_sizes)
    assert (equal["formula"], equal["kind"], equal["items"]) == (formulas[0], "equality", 2)
    assert (equal["t"], equal["p_t"], equal["p_sign_flip"]) == (None, None, None)
    assert less["kind"] == "difference"
    assert less["p_sign_flip"] is not None


# contrasts


CROSSED = ("a_p", "a_q", "b_p", "b_q")


@pytest.fixture
def crossed(score):
    """A run of a 2 × 2 design whose interaction in item n is n bits."""
    items = [
        {"item_number": n, "conditions": [
            {"condition_name": name, "regions": [
                {"region_number": 1, "content": f"{name} is", "metric_value": {"sum": 4.0}},
                {"region_number": 2, "content": "here", "metric_value": {
                    "sum": 2.0 + (n if name == "a_p" else 0)}},
            ]}
            for name in CROSSED
        ]}
        for n in (1, 2, 6)
    ]  # fmt: skip
    meta = {"name": "crossed", "metric": "sum", "author": "", "reference": "", "comment": ""}
    data = {"meta": meta, "region_meta": {"1": "start", "2": "end"}, "predictions": [],
            "items": items}  # fmt: skip
    return read_run(score(data, "--surprisals=recorded"))


def test_the_contrast_of_a_design_needs_no_prediction(crossed):
    shown = crossed.contrast("((2;%a_p%) - (2;%a_q%)) - ((2;%b_p%) - (2;%b_q%))")
    assert (shown.suite, shown.kind) == ("crossed", "interaction")
    assert shown.margins == {1: 1.0, 2: 2.0, 6: 6.0}
    assert shown.size == effect_size([1.0, 2.0, 6.0])
    assert str(shown) == (
        "interaction in crossed: mean 3.00 bits, 95 % interval -3.57 to 9.57, t(2) = 1.96, "
        "p = 0.188, p of sign flips = 0.25, 3 items"
    )
    reverse = crossed.contrast("(*;%a_p%) < (*;%a_q%)", suite="crossed")
    assert (reverse.kind, reverse.margins[6]) == ("difference", -6.0)


@pytest.mark.parametrize(
    ("formula", "suite", "message"),
    [
        ("(2;%a_p%) -", None, "is not a formula"),
        ("3", None, "is not a difference of regions"),
        (None, None, "a formula is a text, not None"),
        ("(2;%a_p%) = (2;%a_q%)", None, "is not a difference of regions"),
        ("(2;%a_p%) > 1 & (2;%a_q%) > 1", None, "is not a difference of regions"),
        (
            "(3;%a_p%) > 1",
            None,
            r"has no suite with the regions of \(3;%a_p%\) > 1: it has the "
            "conditions %a_p%, %a_q%, %b_p%, %b_q% and the regions 1, 2$",
        ),
        ("(2;%a_p%) > 1", "other", "unknown suite 'other'; expected one of: crossed"),
    ],
)
def test_what_is_no_contrast_of_a_run_is_said_in_a_sentence(crossed, formula, suite, message):
    with pytest.raises((ScoringError, UnknownNameError), match=message):
        crossed.contrast(formula, suite=suite)


# tokens


def sums(folder):
    """Suite, item, condition, region -> the surprisals of its tokens, and its text."""
    regions = {}
    for row in table(folder, "tokens"):
        key = row["suite"], row["item"], row["condition"], row["region"]
        values, text = regions.setdefault(key, ([], []))
        values += [float(row["surprisal"])] if row["surprisal"] else []
        text.append(row["token"])
    return regions


def test_tokens_add_up_to_the_values_of_regions(with_model):
    folder = with_model(SUITE, "--limit", "3")
    tokens = sums(folder)
    for row in table(folder, "regions"):
        key = row["suite"], row["item"], row["condition"], row["region"]
        values, text = tokens.pop(key, ([], []))
        assert len(values) == int(row["tokens"])
        assert math.fsum(values) == float(row["value"])
        assert "".join(text).strip() == row["content"].strip()
    assert tokens == {}
    rows = table(folder, "tokens")
    sentences = {}
    for row in rows:
        sentences.setdefault((row["item"], row["condition"]), []).append(int(row["position"]))
    assert all(places == [*range(1, len(places) + 1)] for places in sentences.values())
    assert all(row["id"].isdecimal() for row in rows)


def test_a_suite_of_several_metrics_has_its_tokens_for_each(with_model, tmp_path):
    (tmp_path / "several.json").write_text(json.dumps(legacy("all")))
    folder = with_model("several.json")
    tokens = sums(folder)
    for row in table(folder, "regions"):
        values, _ = tokens[row["suite"], row["item"], row["condition"], row["region"]]
        assert METRICS[row["metric"]](values) == float(row["value"])


def test_tokens_that_were_not_computed_have_no_surprisal(with_model):
    folder = with_model(SUITE, "--limit", "2", "--regions", "predicted")
    computed = {(r["item"], r["condition"], r["region"]) for r in table(folder, "regions")}
    for row in table(folder, "tokens"):
        is_computed = (row["item"], row["condition"], row["region"]) in computed
        assert bool(row["surprisal"]) == is_computed
    assert effects_of(folder) == list(by_hand(folder))


def test_the_first_token_without_bos_has_no_surprisal(with_model):
    folder = with_model(SUITE, "--limit", "2", "--bos", "none")
    assert {r["position"] for r in table(folder, "tokens") if not r["surprisal"]} == {"1"}


def test_corrections_of_word_boundaries_are_in_the_tokens(with_model):
    folder = with_model(SUITE, "--limit", "2", "--boundary", "corrected")
    tokens = sums(folder)
    for row in table(folder, "regions"):
        values, _ = tokens.get(
            (row["suite"], row["item"], row["condition"], row["region"]), ((), ())
        )
        assert math.fsum(values) == float(row["value"])


def test_files_of_surprisals_have_tokens_without_ids(score, tmp_path):
    suite = suite_data("one", values=False)
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    surprisals_of(tmp_path / "one.tsv", str(tmp_path / "suite.json"))
    folder = score(suite, "--surprisals", "one.tsv")
    rows = table(folder, "tokens")
    assert {row["id"] for row in rows} == {""}
    assert [(row["region"], row["position"], row["token"]) for row in rows[:4]] == [
        ("1", "1", "The"), ("1", "2", "cat"), ("2", "3", "sleeps"), ("2", "4", ""),
    ]  # fmt: skip
    tokens = sums(folder)
    for row in table(folder, "regions"):
        values, _ = tokens[row["suite"], row["item"], row["condition"], row["region"]]
        assert math.fsum(values) == float(row["value"])


def test_recorded_values_have_effects_and_no_tokens(score, run, tmp_path):
    """Also where a run before it had tokens."""
    data = suite_data("one")
    also = [f"--also={name}" for name in ("effects", "regions", "tokens")]
    folder = score(data, "--surprisals=recorded", *also[:2])
    assert {path.name for path in folder.glob("*.csv")} == {"effects.csv", "regions.csv"}
    surprisals_of(folder.parent / "one.tsv", str(folder.parent / "suite.json"))
    score(data, "--surprisals", "one.tsv", "--overwrite", *also)
    assert (folder / "tokens.csv").exists()
    score(data, "--surprisals=recorded", "--overwrite", "--also=parquet")
    assert {path.name for path in folder.glob("*.csv")} == {"effects.csv", "regions.csv"}
    assert len(table(folder, "effects")) == 2
    command = ("evalmark", "score", tmp_path / "suite.json", "--surprisals=recorded")
    refused = run(*command, "--also=tokens", "--out", tmp_path / "no", code=2)
    assert "the run has no tokens" in refused.err


def test_exports_are_the_tables_of_the_run(with_model):
    names = ("regions", "effects", "tokens")
    folder = with_model(SUITE, "--limit", "2", *(f"--also={name}" for name in names))
    for name in names:
        text = (folder / f"{name}.csv").read_text(encoding="utf-8")
        assert list(csv.DictReader(text.splitlines())) == table(folder, name)
    with_model(SUITE, "--limit", "2", "--overwrite")
    assert not [*folder.glob("*.csv")]


def test_a_carriage_return_in_a_text_stays_in_its_cell(score):
    data = suite_data("one", ("The\rcat", "sle,ep\ns"))
    folder = score(data, "--surprisals=recorded", "--also=regions")
    contents = [row["content"] for row in table(folder, "regions")]
    assert contents[:2] == ["The\rcat", "sle,ep\ns"]
    assert b"\r\n" not in (folder / "regions.csv").read_bytes()


# Parquet


def test_parquet_files_have_the_rows_of_the_tables(with_model, pyarrow):
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = with_model(SUITE, "--limit", "2", "--bos", "none", "--also=parquet")
    run = read_run(folder, frame="pyarrow")
    for name in ("regions", "tokens", "effects"):
        assert (folder / f"{name}.csv").exists()
        assert str(rows_of(parquet.read_table(folder / f"{name}.parquet"))) == str(
            rows_of(getattr(run, name))
        )
    with_model(SUITE, "--limit", "2", "--overwrite")
    assert not [*folder.glob("*.parquet")]


def test_columns_of_parquet_files_have_their_types(score):
    """Also where all values are missing, and without rows."""
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = score(
        with_undefined_values(), "--surprisals=recorded", "--undefined", "false", "--also=parquet"
    )
    schema = parquet.read_schema(folder / "effects.parquet")
    assert dict(zip(schema.names, map(str, schema.types), strict=True)) == {
        "suite": "string", "prediction": "string", "comparison": "int64", "item": "int64",
        "left": "double", "right": "double", "margin": "double",
    }  # fmt: skip
    folder = score(
        suite_data("one", formulas=()), "--surprisals=recorded", "--also=parquet", out="none"
    )
    assert parquet.read_schema(folder / "effects.parquet").equals(schema)


def test_parquet_files_need_a_folder(refused, tmp_path):
    (tmp_path / "suite.json").write_text(json.dumps(suite_data("one")))
    said = refused(
        "evalmark", "score", tmp_path / "suite.json", "--surprisals=recorded", "--also=parquet"
    )
    assert "--also parquet writes tables into a folder: give --out as well" in said


# frames


@pytest.mark.parametrize("name", ["pandas", "pyarrow"])
def test_sizes_of_effects_are_those_of_their_margins(score, name):
    pytest.importorskip(name)
    folder = score(suite_data("one", formulas=FORMULAS), "--surprisals=recorded")
    rows = rows_of(read_run(folder, frame=name).effect_sizes)
    assert [(row["prediction"], row["comparison"]) for row in rows] == [
        ("1", 1), ("2", 1), ("2", 2), ("2", 3),
    ]  # fmt: skip
    size = effect_size([1.0, 2.0])  # the margins of the first
    first = rows[0]
    assert (first["items"], first["mean"], first["t"]) == (2, size.mean, size.t)
    assert (first["lower"], first["upper"]) == size.interval
    assert (first["p_t"], first["p_sign_flip"]) == (size.t_test, size.sign_flip.value)


def test_an_effect_without_a_defined_margin_has_no_size(score, pyarrow):
    folder = score(with_undefined_values(), "--surprisals=recorded", "--undefined", "false")
    (row,) = rows_of(read_run(folder, frame="pyarrow").effect_sizes)
    assert (row["items"], row["mean"], row["p_t"]) == (0, None, None)


@pytest.mark.parametrize("name", ["pandas", "pyarrow"])
def test_frames_have_the_rows_of_the_tables(with_model, name):
    pytest.importorskip(name)
    folder = with_model(SUITE, "--limit", "2", "--bos", "none")
    done = read_run(folder, frame=name)
    effects, tokens = rows_of(done.effects), rows_of(done.tokens)
    assert list(effects[0]) == list(EFFECT_COLUMNS)
    assert list(tokens[0]) == list(TOKEN_COLUMNS)
    assert [str(row["margin"]) for row in effects] == [
        row["margin"] for row in table(folder, "effects")
    ]
    assert [(str(row["id"]), row["token"]) for row in tokens] == [
        (row["id"], row["token"]) for row in table(folder, "tokens")
    ]
    first = tokens[0]["surprisal"]
    assert first is None or math.isnan(first)
    assert {row["prediction"] for row in effects} == {"all"}  # text, as in the other frames
    assert done.effects is done.effects


@pytest.mark.parametrize("name", ["pandas", "pyarrow"])
def test_frames_of_recorded_values(score, name):
    pytest.importorskip(name)
    folder = score(suite_data("one"), "--surprisals=recorded")
    done = read_run(folder, frame=name)
    assert [row["margin"] for row in rows_of(done.effects)] == [1.0, 2.0]
    with pytest.raises(ScoringError, match="the run has no tokens"):
        _ = done.tokens


@pytest.mark.parametrize("name", ["pandas", "pyarrow"])
def test_ids_may_be_missing_in_frames(score, tmp_path, name):
    pytest.importorskip(name)
    suite = suite_data("one", values=False, formulas=())
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    surprisals_of(tmp_path / "one.tsv", str(tmp_path / "suite.json"))
    done = read_run(score(suite, "--surprisals", "one.tsv"), frame=name)
    assert len(rows_of(done.tokens)) == 16
    assert rows_of(done.effects) == []  # no predictions
