"""Runs as gates: scores below a floor, and runs that are worse than their base."""

import json
import random
import shutil

import pytest
from conftest import ROOT
from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.scoring.comparison.gates import (
    Measured,
    below,
    read_floors,
    require_known_floors,
    worse,
)
from evalmark.scoring.comparison.run_comparison import compare_all
from recorded_suites import suite_data
from run_data import write_outcomes
from small_models import our_sentences


def run_of(path, suites):
    """A run of suites with one prediction each, whose outcomes are given."""
    write_outcomes(path, {name: [row] for name, row in suites.items()}, model={"id": path.name})
    return path


def drawn(numbers, shares, items):
    """Outcomes of suites whose items are right with these probabilities."""
    return {
        f"s{n}": [numbers.random() < share for _ in range(items)] for n, share in enumerate(shares)
    }


# floors


@pytest.mark.parametrize("text", ["0.5", "=0.5", "a=", "a=x", "a=1.1", "a=-1", "a=nan"])
def test_a_floor_is_a_name_and_a_share(text):
    with pytest.raises(UsageError, match="a floor is NAME=X, with a number from 0 to 1"):
        read_floors([text])


def test_a_score_is_held_to_its_floor_and_said_with_its_interval():
    scores = [Measured(("x", "a=b"), "a", 0.5, (0.4, 0.6)), Measured(("x",), "b", None)]
    assert [*below(scores, read_floors(["a=b=0.5"]))] == []
    assert [*below(scores, read_floors(["x=0.51"]))] == [
        "below the floor: a 0.500 (95 % interval 0.400 to 0.600), at least 0.51 is required",
        "below the floor: b no score, at least 0.51 is required",
    ]
    with pytest.raises(UnknownNameError, match="'y'; expected one of: a=b, x"):
        [*below(scores, {"y": 0.5})]


def test_a_floor_of_nothing_that_will_have_a_score_is_refused_before_a_run():
    require_known_floors(
        ["all", "good", "good (mean)", "good/1", "good (mean)/1", "eng/good"], ["good"]
    )
    for name in ("goods", "goo", "agood", "good2 (mean)", "other"):
        with pytest.raises(UnknownNameError):
            require_known_floors([name], ["good"])


def test_suites_are_held_to_floors(run, here):
    never = ("(1;%b%) < (1;%a%)",)
    for name, formulas in (("good", ("(1;%a%) < (1;%b%) + 1",)), ("bad", never)):
        (here / f"{name}.json").write_text(json.dumps(suite_data(name, formulas=formulas)))
    command = (
        "evalmark", "score", "good.json", "bad.json", "--surprisals=recorded", "--model-id",
        "a/b",
    )  # fmt: skip
    met = run(*command, "--at-least", "good=1", "--at-least", "all=0.5", "--at-least", "good/all=1")
    assert (met.code, "floor" in met.err) == (0, False), met.err
    missed = run(*command, "--at-least", "all=0.6", "--at-least", "bad=0.1", "--format", "json")
    assert missed.code == 1
    assert [line for line in missed.err.splitlines() if "floor" in line] == [
        "below the floor: mean over 2 suites 0.500 (95 % interval 0.000 to 1.000), "
        "at least 0.6 is required",
        "below the floor: bad 0.000 (95 % interval 0.000 to 0.658), at least 0.1 is required",
    ]
    for call in (command, (*command[:4], "--model", "nowhere")):  # before it is loaded
        unknown = run(*call, "--at-least", "god=0.1", code=2)
        assert unknown.err.splitlines()[-1] == (
            "evalmark: unknown score 'god'; did you mean 'good'? expected one of: all, good, bad"
        )
    assert run(*command, "--at-least", "good").code == 2
    idle = run(*command, "--at-least", "good=1", "--dry-run", code=2)
    assert "--at-least and --dry-run exclude each other: nothing is scored" in idle.err


def test_pairs_are_held_to_floors_by_set_field_and_uid(run, here, torch):
    rows = [
        {"sentence_good": good, "sentence_bad": bad, "UID": uid, "field": field}
        for text in our_sentences()[:12]
        for uid, field, good, bad in (
            ("u", "syntax", text, f"{text} {text}"), ("v", "semantics", f"{text} {text}", text),
        )
    ]  # fmt: skip
    (here / "blimp.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    model = ("--model", ROOT / "scoring/demo_model", "--device", "cpu", "--quiet")
    command = ("evalmark", "score", "blimp.jsonl", *model)
    names = ["u", "syntax", "pairs", "all", "v", "semantics"]
    missed = run(*command, *(part for name in names for part in ("--at-least", f"{name}=0.6")))
    assert missed.code == 1
    said = [line for line in missed.err.splitlines() if line.startswith("below the floor")]
    assert len(said) == 4, missed.err
    assert run(*command, "--at-least", "u=0.9", "--at-least", "pairs=0.4").code == 0


# runs


def test_a_worse_run_stops_and_an_equal_or_better_one_does_not(run, tmp_path):
    half, more = [True] * 20 + [False] * 20, [True] * 40
    base, equal = (run_of(tmp_path / name, {"s": half}) for name in "ab")
    better = run_of(tmp_path / "c", {"s": more})
    for runs in ((base, equal), (base, better), (base, equal, better)):
        assert run("evalmark", "compare", *runs, "--fail-if-worse").code == 0
    assert run("evalmark", "compare", better, base).code == 0
    stopped = run("evalmark", "compare", better, base, "--fail-if-worse", "--format", "json")
    assert stopped.code == 1
    assert json.loads(stopped.out)["comparisons"][0]["better"] == "first"
    assert stopped.err.splitlines() == [
        f"{base} is worse: s, 0.500 against 1.000 "
        "(p = 1.9e-06); difference -0.500 (95 % interval -0.648 to -0.328)"
    ]
    several = run("evalmark", "compare", better, base, better, equal, "--fail-if-worse", code=1)
    assert [line.partition(" is worse")[0] for line in several.err.splitlines()] == [
        str(base), str(equal),
    ]  # fmt: skip
    for alpha, code in (("1e-7", 0), ("1e-5", 1)):
        command = ("evalmark", "compare", better, base, "--fail-if-worse", "--alpha", alpha)
        assert run(*command).code == code
    for wrong in ("2", "nan"):
        assert run("evalmark", "compare", base, equal, "--alpha", wrong).code == 2


@pytest.mark.slow
def test_of_two_models_the_worse_one_is_stopped_by_a_floor_and_by_its_base(run, tmp_path, torch):
    from safetensors.torch import load_file, save_file

    good, bad = ROOT / "scoring/demo_model", tmp_path / "bad"
    shutil.copytree(good, bad)
    torch.manual_seed(51)
    weights = load_file(good / "model.safetensors")
    noisy = {name: of + 0.3 * torch.randn_like(of) for name, of in weights.items()}
    save_file(noisy, bad / "model.safetensors", {"format": "pt"})
    suites = ROOT / "fixtures/suites"
    runs = {name: tmp_path / "runs" / name for name in ("base", "again", "worse")}
    for (name, out), model in zip(runs.items(), (good, good, bad), strict=True):
        words = ("--model", model, "--device", "cpu", "--out", out, "--quiet")
        floor = ("--at-least", "all=0.8", "--at-least", "garden_path=0.9")
        done = run("evalmark", "score", suites, *words, *floor)
        assert (done.code, "below the floor" in done.err) == (name == "worse",) * 2, done.err
    compare = ("evalmark", "compare", runs["base"])
    assert run(*compare, runs["again"], "--fail-if-worse").code == 0
    stopped = run(*compare, runs["worse"], "--fail-if-worse", code=1)
    assert "is worse: " in stopped.err
    # Five suites cannot show a difference of their mean: the claim is about one of them.
    assert "with 5 suites, p is always at least" in stopped.out


@pytest.mark.slow
def test_of_equal_runs_at_most_five_in_a_hundred_are_stopped_and_worse_ones_are(tmp_path):
    """Suites of other difficulty, as many means and predictions as a gate looks at."""
    numbers = random.Random(51)
    stopped = {0.0: 0, 0.2: 0}
    for lost, draws in ((0.0, 200), (0.2, 20)):
        for _ in range(draws):
            shares = [numbers.uniform(0.5, 0.9) for _ in range(8)]
            base = run_of(tmp_path / "base", drawn(numbers, shares, 30))
            other = drawn(numbers, [share - lost for share in shares], 30)
            others = [run_of(tmp_path / "other", other)]
            stopped[lost] += any(worse(compare_all(base, others), others))
    assert 0 < stopped[0.0] <= 0.05 * 200
    assert stopped[0.2] >= 0.8 * 20
