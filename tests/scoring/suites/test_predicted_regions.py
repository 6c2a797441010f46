"""``--regions predicted``: what predictions refer to, equal to a full run, and nothing else."""

import json
import math

import pytest
from conftest import FIXTURES
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.language_models import CausalModel
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.models.output_head import OutputHead
from evalmark.scoring.runs.finished_run import read_run
from evalmark.scoring.runs.run_files import record_in
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.suites.recorded_scores import score_recorded
from evalmark.scoring.suites.regions import assign_tokens, conditions_not_run, needed_regions
from evalmark.scoring.suites.suite_loading import load_suite, prepare
from evalmark.scoring.suites.suite_run import score_suites
from evalmark.scoring.surprisals.surprisal_computation import PARTIAL
from evalmark.validator.check import check_file
from hypothesis import given
from hypothesis import strategies as st
from killing import killed_at_pack
from run_data import score, table
from small_models import bert
from strategies import examples
from suites import suite_of

pytest.importorskip("torch")

SUITE = FIXTURES / "suites/garden_path.json"
#: A suite with a region after those that its prediction reads.
LONGER = FIXTURES / "suites/negative_polarity.json"
WORDS = ("The", "the pilot", "author", "near the guards", "laughs", "has slept", "that", ".", "")
CONDITIONS = ("a", "b", "c")
ALL, PREDICTED = Settings(), Settings(regions="predicted")
#: Relative differences of values that are equal but for rounding.
EQUAL = {"float64": 1e-9, "float32": 1e-5}


@st.composite
def suites(draw):
    """A suite of up to three conditions, with a prediction about some of its regions."""
    regions = draw(st.integers(2, 5))
    sentence = st.lists(st.sampled_from(WORDS), min_size=regions, max_size=regions)
    sentence = sentence.filter(lambda words: any(words))
    names = CONDITIONS[: draw(st.integers(2, 3))]
    items = draw(
        st.lists(st.fixed_dictionaries(dict.fromkeys(names, sentence)), min_size=1, max_size=3)
    )
    place = st.sampled_from([*range(1, regions + 1), "*"])
    reference = st.builds("({};%{}%)".format, place, st.sampled_from(names))
    formula = st.builds("{} < {} + {}".format, reference, reference, reference)
    return prepare(
        suite_of(items, draw(st.lists(formula, min_size=1, max_size=2)), "sum"), "x", "core"
    )


_LOADED = {}


def model_of(kind, dtype="float64"):
    if (kind, dtype) not in _LOADED:
        _LOADED[kind, dtype] = (
            bert(dtype) if kind == "masked" else load_model("demo", device="cpu", dtype=dtype)
        )
    return _LOADED[kind, dtype]


def require_close(ours, values, tolerance):
    assert [value is None for value in ours] == [value is None for value in values]
    for one, other in zip(ours, values, strict=True):
        assert one is None or math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance / 10)


def require_equal(full, part, tolerance):
    """The regions that are needed are those of a full run, and there are no others."""
    for one, other in zip(full.suites, part.suites, strict=True):
        needs = needed_regions(one.source, PREDICTED)
        for row, rest, needed in zip(one.surprisals, other.surprisals, needs, strict=True):
            for regions, found, own in zip(row, rest, needed, strict=True):
                for index, (values, ours) in enumerate(zip(regions, found, strict=True)):
                    if index in own:
                        require_close(ours, values, tolerance)
                    else:
                        assert ours is None
        assert one.result == other.result
        assert one.chances == other.chances


@examples(40)
@given(st.lists(suites(), min_size=1, max_size=2), st.sampled_from(["packed", "padded"]),
       st.sampled_from(["none", "corrected"]), st.sampled_from([8, 256]))  # fmt: skip
def test_needed_regions_are_those_of_a_full_run(found, strategy, boundary, pack_tokens):
    model, computing = model_of("causal"), Computing(strategy, pack_tokens)
    runs = [
        score_suites(
            found, model, Settings(boundary=boundary, regions=regions), computing=computing
        )
        for regions in ("all", "predicted")
    ]
    assert {run.computed.way for run in runs} == {strategy}
    require_equal(*runs, EQUAL["float64"])


@examples(20)
@given(suites())
def test_needed_regions_of_a_masked_model_are_those_of_a_full_run(suite):
    runs = [score_suites([suite], model_of("masked"), chosen) for chosen in (ALL, PREDICTED)]
    require_equal(*runs, EQUAL["float64"])


@pytest.mark.parametrize("first_token", ["undefined", "zero"])
def test_the_first_token_without_bos_is_what_it_is_in_a_full_run(first_token):
    model = load_model("demo", device="cpu", dtype="float64", bos="none")
    suite = prepare(
        suite_of([{"a": ["The", "pilot"], "b": ["A", "guard"]}], ["(1;%a%) < (*;%b%)"]), "x", "core"
    )
    runs = [
        score_suites(
            [suite], model, Settings(first_token=first_token, undefined="false", regions=regions)
        )
        for regions in ("all", "predicted")
    ]
    require_equal(*runs, EQUAL["float64"])
    (first,), *_ = runs[1].suites[0].surprisals[0][0]
    assert first == {"undefined": None, "zero": 0.0}[first_token]


@pytest.mark.parametrize("strategy", ["packed", "padded"])
def test_first_tokens_without_bos_alone_are_nothing_to_compute(strategy):
    model = load_model("demo", device="cpu", bos="none")
    words = [{"a": ["A", "pilot"], "b": ["A", "guard"]}]
    suite = prepare(suite_of(words, ["(1;%a%) = (1;%b%)"]), "x", "core")
    chosen = Settings(first_token="zero", regions="predicted")
    scores = score_suites([suite], model, chosen, computing=Computing(strategy))
    assert scores.suites[0].surprisals[0] == [[[0.0], None]] * 2


@pytest.mark.parametrize("dtype", EQUAL)
@pytest.mark.parametrize("boundary", ["none", "corrected"])
def test_the_suites_of_the_demo_are_scored_as_in_a_full_run(dtype, boundary):
    found = [load_suite(str(path)) for path in sorted((FIXTURES / "suites").glob("*.json"))]
    model = model_of("causal", dtype)
    full = score_suites(found, model, Settings(boundary=boundary))
    part = score_suites(found, model, Settings(boundary=boundary, regions="predicted"))
    require_equal(full, part, EQUAL[dtype])


# less work, by count


class Counted:
    """Counts tokens and rows of logits that packs have, and all rows of logits."""

    def __init__(self, monkeypatch):
        self.tokens = self.rows = self.all_rows = 0
        read, logits = CausalModel.read_pack, OutputHead.logits

        def counted(model, pack):
            self.tokens += len(pack.tokens)
            self.rows += pack.logits
            return read(model, pack)

        def logits_counted(head, inputs, places):
            self.all_rows += len(places[0])
            return logits(head, inputs, places)

        monkeypatch.setattr(CausalModel, "read_pack", counted)
        monkeypatch.setattr(OutputHead, "logits", logits_counted)


def by_hand(suite, model, chosen):
    """The prefixes whose logits are needed, and the prefixes that have to be read for them."""
    logits, read = set(), set()
    for row, needs in zip(suite.sentences, needed_regions(suite, chosen), strict=True):
        for sentence, regions in zip(row, needs, strict=True):
            tokens = model.tokenize(sentence.text)
            ids = model.bos + tokens.ids
            for place, region in enumerate(assign_tokens(tokens.spans, sentence)):
                if region in regions:
                    before = ids[: len(model.bos) + place]
                    logits.add(before)
                    read |= {before[:count] for count in range(1, len(before) + 1)}
    return len(read), len(logits)


@pytest.mark.parametrize("chosen", [ALL, PREDICTED], ids=["all", "predicted"])
def test_packs_have_what_is_needed_and_nothing_else(chosen, monkeypatch):
    suite, model = load_suite(str(SUITE)), model_of("causal")
    counted = Counted(monkeypatch)
    monkeypatch.setattr(model.model.config, "n_positions", 10_000)  # so that there is one pack
    score_suites([suite], model, chosen, computing=Computing(pack_tokens=10_000))
    assert (counted.tokens, counted.rows) == by_hand(suite, model, chosen)


@pytest.mark.parametrize("strategy", ["packed", "padded"])
def test_fewer_rows_of_logits_are_computed(strategy, monkeypatch):
    found = []
    for chosen in (ALL, PREDICTED):
        with monkeypatch.context() as patch:
            counted = Counted(patch)
            score_suites([load_suite(str(LONGER))], model_of("causal"), chosen,
                         computing=Computing(strategy))  # fmt: skip
            found.append(counted)
    full, part = found
    assert part.all_rows < full.all_rows / 2
    assert part.tokens < full.tokens or strategy == "padded"


def test_a_masked_model_computes_the_needed_tokens_only(monkeypatch):
    model, asked = model_of("masked"), []
    real = type(model).fill_in

    def counted(self, rows, places, tokens):
        asked.extend(rows)
        return real(self, rows, places, tokens)

    monkeypatch.setattr(type(model), "fill_in", counted)
    data = suite_of(
        [{"a": ["The pilot", "laughs", "."], "b": ["The pilot", "laughs", "here ."]}],
        ["(2;%a%) > 0"],
    )
    score_suites([prepare(data, "x", "core")], model, PREDICTED)
    tokens = model.tokenize("The pilot laughs .")
    assert len(asked) == sum("The pilot laughs"[a:b] in "laughs" for a, b in tokens.spans[:-1])


def test_an_unneeded_end_may_be_too_long(monkeypatch):
    model = model_of("causal")
    data = suite_of(
        [{"a": ["The pilot", "laughs", "and laughs " * 500], "b": ["The guard", "laughs", "."]}],
        ["(2;%a%) < (2;%b%)"],
    )
    suite = prepare(data, "x", "core")
    with pytest.raises(ScoringError, match=r"x: item 1, a: a sentence has \d+ tokens"):
        score_suites([suite], model, ALL)
    (scored,) = score_suites([suite], model, PREDICTED).suites
    assert [region is None for region in scored.surprisals[0][0]] == [True, False, True]


# the files of a run


@pytest.fixture
def one_condition(tmp_path):
    """A suite with a condition that its prediction does not refer to."""
    words = {"a": ["The pilot", "laughs", "."], "b": ["The guard", "laughs", "."]}
    words["other"] = ["The author", "laughs", "."]
    data = suite_of([words, words], ["(2;%a%) < (2;%b%) + 9"])
    path = tmp_path / "suite.json"
    path.write_text(json.dumps(data))
    return path


def test_a_run_has_the_needed_regions_only_and_says_so(run, tmp_path, one_condition, epoch):
    done = score(run, one_condition, "--regions", "predicted", "--out", tmp_path / "part")
    assert done.code == 0, done.err
    name = json.loads(one_condition.read_text())["meta"]["name"]
    note = f"note: conditions without a prediction are not computed: {name} (other)\n"
    assert note in done.err
    rows = table(tmp_path / "part", "regions")
    assert {(row["condition"], row["region"]) for row in rows} == {("a", "2"), ("b", "2")}
    assert all(row["value"] for row in rows)
    record = record_in(tmp_path / "part")
    report = check_file(record)
    assert report.findings == ()
    result = json.loads(record.read_text())["evaluation_results"][0]
    assert result["score_details"]["details"]["conditions_not_computed"] == '["other"]'
    assert result["generation_config"]["additional_details"]["regions"] == "predicted"
    (samples,) = (tmp_path / "part").glob("*_samples.jsonl")
    metadata = json.loads(samples.read_text().splitlines()[0])["metadata"]
    computed = {
        name: [n for n, bits in zip(of["numbers"], of["surprisals"], strict=True) if bits]
        for name, of in json.loads(metadata["regions"]).items()
    }
    assert computed == {"a": [2], "b": [2], "other": []}
    frame = read_run(tmp_path / "part", frame="pyarrow").regions
    assert frame.num_rows == len(rows)
    assert not any(math.isnan(value) for value in frame["value"].to_pylist())


def test_a_page_and_a_comparison_take_such_a_run(run, tmp_path):
    for regions in ("all", "predicted"):
        done = score(run, SUITE, "--limit", "6", "--regions", regions, "--out", tmp_path / regions)
        assert done.code == 0, done.err
    full, part = tmp_path / "all", tmp_path / "predicted"
    found = run("evalmark", "compare", full, part, code=0)
    assert "The runs state the same settings." in found.out
    assert "both score the same on every item" in found.out
    for folders in ([part], [full, part]):
        page = tmp_path / "page.html"
        assert run("evalmark", "report", *folders, "--out", page).code == 0
        text = page.read_text()
        assert "<dd>predicted</dd>" in text
        assert "\nundefined" not in text  # a cell
        assert "were not computed" in text
    assert "by condition:" in text  # both in one chart


def test_an_unfinished_run_with_other_regions_is_not_resumed(run, here, epoch):
    (here / "evalmark.toml").write_text("[score]\npack-tokens = 32\n", encoding="utf-8")
    arguments = (SUITE, "--out")
    assert score(run, *arguments, here / "whole").code == 0
    with killed_at_pack(3):
        score(run, *arguments, here / "cut", "--regions", "predicted")
    plan = json.loads((here / "cut" / PARTIAL).read_text().splitlines()[0])["plan"]
    assert plan
    assert score(run, *arguments, here / "cut").code == 0
    assert table(here / "whole", "regions") == table(here / "cut", "regions")


def test_a_suite_without_predictions_has_nothing_to_compute(run, tmp_path):
    data = json.loads(SUITE.read_text())
    path = tmp_path / "bare.json"
    path.write_text(json.dumps({**data, "predictions": []}))
    done = score(run, SUITE, path, "--limit", "2", "--regions", "predicted")
    assert done.code == 2
    assert done.err.endswith(
        f"{path}: there are no predictions: nothing to compute; --regions all computes every "
        "region, --predictions supplies predictions\n"
    )
    assert "garden_path" in done.out


def test_recorded_values_are_there_already():
    suite = load_suite(str(FIXTURES / "legacy/evaluated.new.json"))
    with pytest.raises(ScoringError, match="regions 'predicted' needs a model"):
        score_recorded([suite], PREDICTED)


def test_conditions_of_a_full_run_are_all_computed(one_condition):
    suite = load_suite(str(one_condition))
    assert conditions_not_run(suite, ALL) == []
    assert conditions_not_run(suite, PREDICTED) == ["other"]


def test_the_plan_of_a_run_counts_rows_of_logits(run):
    found = []
    for regions in ("all", "predicted"):
        shown = score(run, LONGER, "--dry-run", "--regions", regions, "--format", "json")
        (plan,) = json.loads(shown.out)["plans"]
        found.append(plan["packs"])
    full, part = found
    assert part["logits"] < full["logits"] / 2
    assert part["read"] < full["read"]
    assert "rows of logits" in score(run, SUITE, "--dry-run").out
