"""``evalmark verify``: numbers follow from samples, and samples from the model."""

import hashlib
import json
import math
import random
import shutil
from copy import copy
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import FIXTURES, edited

pytest.importorskip("torch")
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.runs.run_files import record_in
from evalmark.scoring.verification import claims_at, verify
from evalmark.validator.formats.records.samples.sample_rules import sample_view

SUITES = sorted(map(str, (FIXTURES / "suites").glob("*.json")))[:2]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Records of the demo model, over suites and over minimal pairs, in two dtypes."""
    from evalmark.cli.main import main

    folder = tmp_path_factory.mktemp("runs")
    rows = [
        {
            "sentence_good": f"The {noun} sees the {other}.",
            "sentence_bad": f"The {noun} see {other}.",
        }
        for noun in ("man", "woman", "author", "dog")
        for other in ("guitar", "house", "river", "friend", "book")
    ]
    pairs = [folder / "men.jsonl", folder / "dogs.jsonl"]
    for path, some in zip(pairs, (rows[:12], rows[12:]), strict=True):
        path.write_text("".join(f"{json.dumps(row)}\n" for row in some), encoding="utf-8")
    for name, files in (("suites", SUITES), ("pairs", map(str, pairs))):
        done = main(["score", *files, "--model", "demo", "--out", str(folder / name), "-q"])
        assert done == 0
    half = ["--dtype", "bfloat16", "--out", str(folder / "bfloat16"), "-q"]
    assert main(["score", *SUITES, "--model", "demo", *half]) == 0
    return folder


@pytest.fixture(scope="module")
def load():
    model = load_model("demo", device="cpu")
    return lambda *_: model


def changed(claim, change, share=1.0, seed=0):
    """The claim with some of its items changed, each in all of its rows."""
    names = sorted({row.get("sample_id") for row in claim.rows})
    chosen = set(random.Random(seed).sample(names, round(share * len(names))))
    rows = []
    for row in claim.rows:
        if row.get("sample_id") in chosen:
            data = json.loads(json.dumps(row.data))
            change(data)
            row = sample_view(data, data["schema_version"])
        rows.append(row)
    return replace(claim, rows=rows)


def flip(data):
    data["evaluation"]["score"] = 1 - data["evaluation"]["score"]


def excuse(data):
    flip(data)
    data["metadata"]["decided_by_rounding"] = "true"


def forge(data):
    flip(data)
    data["metadata"]["scores"] = json.dumps(json.loads(data["metadata"].get("scores", "[]"))[::-1])


def lower(data):
    metadata = data["metadata"]
    if "surprisals" in metadata:
        first, *others = json.loads(metadata["surprisals"])
        metadata["surprisals"] = json.dumps([first - 1, *others])
    else:
        regions = json.loads(metadata["regions"])
        next(iter(regions.values()))["surprisals"][0][0] -= 1
        metadata["regions"] = json.dumps(regions)


def other_text(data):
    data["input"]["raw"] = "Now " + data["input"]["raw"]
    if choices := data["input"].get("choices"):
        data["input"]["choices"] = ["Now " + choice for choice in choices]


@pytest.mark.parametrize("kind", ["suites", "pairs"])
def test_a_true_record_agrees_and_a_changed_item_does_not(runs, load, kind):
    (claim,) = claims_at(runs / kind)
    found = verify(claim, load, items=20, seed=1)
    assert (found.agrees, found.why, found.differs, found.drawn) == (True, "", (), 20)
    assert found.tolerance <= 2e-4
    for change in (lower, other_text):
        assert len(verify(changed(claim, change), load, items=20, seed=1).items) == 20
    # Rounding decides few outcomes; neither its mark nor the scores of texts excuse the others.
    for change in (flip, excuse, forge):
        wrong = verify(changed(claim, change), load, items=20, seed=1).items
        assert len(wrong) >= 15
        assert {each.what for each in wrong} == {"score"}


@pytest.mark.parametrize("kind", ["suites", "pairs"])
def test_damaged_samples_are_disagreements(runs, load, kind):
    (claim,) = claims_at(runs / kind)
    for text in (
        "7",
        "[7, null]",
        "[1e308, 1e308, 1e308]",
        '["Infinity", "-Infinity"]',
        '["x", "y"]',
        '{"match": {"numbers": [1], "surprisals": 7}}',
        '{"match": [[1]]}',
        "{",
    ):

        def damage(data, text=text):
            keys = ("surprisals", "scores", "regions")
            data["metadata"] |= dict.fromkeys(data["metadata"].keys() & set(keys), text)

        assert len(verify(changed(claim, damage), load, items=3, seed=1).items) == 3


@pytest.mark.parametrize("kind", ["suites", "pairs"])
def test_false_items_are_found_as_often_as_the_draw_allows(runs, load, kind):
    """One false item in five: five draws in six of eight of them find one."""
    (claim,) = claims_at(runs / kind)
    false = changed(claim, lower, share=0.2)
    found = sum(bool(verify(false, load, items=8, seed=seed).items) for seed in range(30))
    chance = 1 - 0.8**8
    assert abs(found - 30 * chance) <= 3 * math.sqrt(30 * chance * (1 - chance)) + 1


@pytest.mark.parametrize("kind", ["suites", "pairs"])
def test_numbers_that_do_not_follow_from_the_samples(runs, kind):
    (claim,) = claims_at(runs / kind)
    result = next(r for r in claim.results.values() if r.number("standard_error") is not None)
    for keys, value, what in (
        (("score",), 0.123, "score"),
        (("uncertainty", "num_samples"), 7, "number of items"),
        (("uncertainty", "standard_error", "value"), 0.5, "standard error"),
        (("uncertainty", "confidence_interval", "upper"), 0.123, "upper end of the interval"),
    ):
        record = json.loads(json.dumps(claim.data))
        holder = record["evaluation_results"][result.index]["score_details"]
        for key in keys[:-1]:
            holder = holder[key]
        holder[keys[-1]] = value
        path = runs / kind / "changed.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        (false,) = claims_at(path)
        path.unlink()
        assert what in [each.what for each in verify(false, None, items=1, seed=0).numbers]


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        *(("suites", key) for key in ("correct", "items", "ties")),
        *(("pairs", key) for key in ("right", "items", "ties", "exact_ties", "impossible")),
        *(("average", key) for key in ("uids", "items", "ties")),
    ],
)
def test_counts_of_a_run_of_ours_are_those_of_its_samples(runs, run, kind, key):
    """As `report` reads them: no other number of the record depends on these details."""
    path = record_in(runs / ("suites" if kind == "suites" else "pairs"))
    with edited(path, path.with_name("other.json")) as record:
        results = record["evaluation_results"]
        result = next(
            r for r in results if r["evaluation_name"].endswith("average") == (kind == "average")
        )
        details = result["score_details"]["details"]
        details[key] = str(int(details[key]) + 1)
    done = run("evalmark", "verify", path.with_name("other.json"))
    path.with_name("other.json").unlink()
    assert (done.code, result["evaluation_name"] in done.out) == (1, True), done.out


def test_the_average_of_minimal_pairs_follows_from_their_samples(runs):
    (claim,) = claims_at(runs / "pairs")
    average = next(r for name, r in claim.results.items() if name.endswith("/average"))
    found = verify(claim, None, items=1, seed=0)
    assert (found.recomputed, found.results, found.why, found.numbers) == (3, 3, "", ())
    details = average.data["score_details"]
    for changes, what in (
        ({"score": 0.123}, ["score"]),
        ({"uncertainty": {**details["uncertainty"], "num_samples": 7}}, ["number of items"]),
        ({"details": {**details["details"], "averaged": "mean over 3 UIDs"}}, []),
    ):
        false = copy(average)
        false.data = {**average.data, "score_details": {**details, **changes}}
        false.score = changes.get("score", average.score)
        results = {**claim.results, str(average.name): false}
        found = verify(replace(claim, results=results), None, items=1, seed=0)
        assert ([each.what for each in found.numbers], bool(found.why)) == (what, not what)


def _unloadable(*_):
    raise AssertionError("a model is loaded for a record that contradicts itself")


@pytest.mark.parametrize("kind", ["suites", "pairs"])
def test_samples_that_contradict_the_record_or_themselves_are_refuted_first(runs, tmp_path, kind):
    path = record_in(runs / kind)
    rows = path.with_name(f"{path.stem}_samples.jsonl").read_text().splitlines()
    record = json.loads(path.read_text())

    def errors(change, checksum=None):
        data = [json.loads(row) for row in rows]
        change(data)
        text = "".join(f"{json.dumps(row)}\n" for row in data)
        digest = checksum or hashlib.sha256(text.encode()).hexdigest()
        record["detailed_evaluation_results"]["checksum"] = digest
        (tmp_path / path.name).write_text(json.dumps(record))
        (tmp_path / f"{path.stem}_samples.jsonl").write_text(text)
        (claim,) = claims_at(tmp_path)
        found = verify(claim, _unloadable, items=5, seed=1)
        assert not found.agrees
        return {error.code for error in found.errors}

    def turn(data):
        output = data[0]["output"]["raw"]
        choices = data[0]["input"].get("choices", ["true", "false"])
        data[0]["output"]["raw"] = [next(c for c in choices if [c] != output)]

    assert errors(lambda _: None, checksum="0" * 64) == {"EE313"}
    assert errors(turn) == {"EE309"}


def test_a_refuted_record_names_the_errors_of_check(run, tmp_path):
    for name in ("EE313_checksum", "EE309_output_against_score"):
        done = run("evalmark", "verify", FIXTURES / f"bad/{name}.json")
        assert done.code == 1
        assert name[:5] in done.out


def test_other_weights_are_said_first(runs, run):
    done = run("evalmark", "verify", runs / "suites", "--model", "demo", "--seed", "1")
    assert (done.code, "20 of 20 items agree within 0.0001 bits" in done.out) == (0, True)
    path = record_in(runs / "suites")
    with edited(path, path.with_name("other.json")) as record:
        record["model_info"]["additional_details"]["weights_sha256"] = "0" * 64
    done = run("evalmark", "verify", path.with_name("other.json"), "--model", "demo")
    path.with_name("other.json").unlink()
    assert done.out.splitlines()[1].startswith("  not the model of the record: its weights")


def test_bfloat16_agrees_with_float32_within_its_tolerance(runs, load):
    (claim,) = claims_at(runs / "bfloat16")
    found = verify(claim, load, items=40, seed=1)
    assert (found.agrees, found.differs) == (True, ())
    assert 0.1 < found.tolerance < 1
    assert verify(changed(claim, lower), load, items=10, seed=1).items


def test_a_record_without_samples_is_unverifiable(run):
    done = run("evalmark", "verify", FIXTURES / "good/record.json", "--format", "json")
    (record,) = json.loads(done.out)["records"]
    assert (done.code, record["why"]) == (2, "unverifiable: the record names no samples")


def test_samples_without_surprisals_verify_the_numbers_alone(run):
    path = FIXTURES / "good/with_samples.json"
    assert run("evalmark", "verify", path).code == 0
    done = run("evalmark", "verify", path, "--model", "demo")
    assert (done.code, "no item can be scored again" in done.out) == (2, True)
    assert run("evalmark", "verify", FIXTURES / "good/suite.json").code == 2


def test_nothing_agrees_where_nothing_could_be_compared(runs, run, tmp_path):
    """Results without scores in samples, two of one name, and a damaged record beside others."""
    path = record_in(runs / "suites")
    rows = path.with_name(f"{path.stem}_samples.jsonl")
    data, text = json.loads(path.read_text()), rows.read_text()
    twice = {**data, "evaluation_results": data["evaluation_results"][:1] * 2}
    without = text.replace('"score":', '"points":')
    for changed_data, changed_text, why in ((data, without, "no samples"), (twice, text, "name")):
        (tmp_path / path.name).write_text(json.dumps(changed_data))
        (tmp_path / rows.name).write_text(changed_text)
        done = run("evalmark", "verify", tmp_path / path.name, code=1)  # `check` finds errors
        assert "unverifiable: " in done.out
        assert why in done.out
    (tmp_path / path.name).write_text(json.dumps(data))
    (tmp_path / rows.name).write_text(text)
    (tmp_path / "cut.json").write_text(json.dumps(data)[:-20])
    done = run("evalmark", "verify", tmp_path, code=2)
    assert "cut.json:\n  unverifiable: it cannot be read" in done.out


# the file that was scored


def _without(rows):
    return [row for row in rows if not row["sample_id"].endswith(("/2", "dogs/13"))]


def _exchanged(rows):
    """The texts of the first two items, with all that follows from them."""
    first = rows[0]["sample_id"]
    second = next(row["sample_id"] for row in rows if row["sample_id"] != first)
    by = {(row["evaluation_name"], row["sample_id"]): row for row in rows}
    for (name, item), row in by.items():
        if item == first and (other := by.get((name, second))):
            for key in ("input", "metadata", "output", "evaluation", "sample_hash"):
                row[key], other[key] = other[key], row[key]
    return rows


def _copied(rows):
    """The second item of the first result is the first once more."""
    first = rows[0]
    others = [row for row in rows[1:] if row["evaluation_name"] == first["evaluation_name"]]
    kept = [row for row in rows if row is not others[0]]
    return [*kept, {**first, "sample_id": others[0]["sample_id"]}]


def _turned(rows):
    for row in rows:
        if "choices" in row["input"]:
            row["input"]["reference"] = row["input"]["choices"][1:]
        else:
            turn = str.maketrans("<>", "><")
            row["input"]["reference"] = [text.translate(turn) for text in row["input"]["reference"]]
    return rows


def _more(rows):
    return [*rows, {**rows[0], "sample_id": "another"}]


def _renamed(rows):
    """The names of two conditions exchanged, in the surprisals alone."""
    for row in rows:
        if "regions" in row["metadata"]:
            regions = json.loads(row["metadata"]["regions"])
            names = list(regions)
            turned = dict(zip(names, [regions[name] for name in reversed(names)], strict=True))
            row["metadata"]["regions"] = json.dumps(turned)
        elif "choices" in row["input"]:
            row["input"]["raw"] = "\n".join(reversed(row["input"]["raw"].split("\n")))
    return rows


@pytest.mark.parametrize("kind", ["suites", "pairs"])
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (_without, "missing"), (_exchanged, "other"), (_copied, "other"), (_turned, "other"),
        (_more, "more"), (_renamed, "other"),
    ],
)  # fmt: skip
def test_the_source_says_what_no_sample_can(runs, kind, change, what):
    (claim,) = claims_at(runs / kind)
    files = SUITES if kind == "suites" else [str(runs / "men.jsonl"), str(runs / "dogs.jsonl")]
    honest = verify(claim, None, items=1, seed=0, source=files)
    assert (honest.agrees, honest.source.items) == (True, 96 if kind == "suites" else 20)
    rows = change([json.loads(json.dumps(row.data)) for row in claim.rows])
    false = replace(claim, rows=[sample_view(row, row["schema_version"]) for row in rows])
    source = verify(false, None, items=1, seed=0, source=files).source
    assert getattr(source, what)
    assert not source.agrees


def test_a_suite_of_other_regions_is_not_the_one_that_was_scored(runs, tmp_path):
    """Moving a word from one region to the next leaves every text as it is."""
    (claim,) = claims_at(runs / "suites")
    moved = tmp_path / "moved.json"
    with edited(Path(SUITES[0]), moved) as data:
        name = data["meta"]["name"]
        regions = data["items"][0]["conditions"][0]["regions"]
        word, _, rest = regions[1]["content"].partition(" ")
        regions[0]["content"] += f" {word}"
        regions[1]["content"] = rest
    source = verify(claim, None, items=1, seed=0, source=[str(moved), SUITES[1]]).source
    assert (source.digests, source.other, source.missing) == ((), (f"{name}/1",), ())


def test_a_run_of_the_first_items_is_that_of_the_file(runs, run, tmp_path):
    run(
        "evalmark", "score", SUITES[0], "--model", "demo", "--limit", "3", "--out", tmp_path, code=0
    )
    done = run("evalmark", "verify", tmp_path, "--source", SUITES[0])
    assert (done.code, "3 items of the source" in done.out) == (0, True)


@pytest.mark.parametrize("join", ["none", "core"])
def test_a_sentence_with_a_line_feed_is_one_text(here, run, load, join):
    """A warning at most for `check`; samples have a sentence on each line."""
    with edited(Path(SUITES[0]), here / "suite.json") as data:
        first, second, *_ = data["items"][0]["conditions"]
        first["regions"][1]["content"] += "\nindeed "
        second["regions"][-1]["content"] += "\n"
    made = ("--model", "demo", "--device", "cpu", "--join", join, "--out", "r", "-q")
    run("evalmark", "score", "suite.json", *made, code=0)
    (claim,) = claims_at(here / "r")
    found = verify(claim, load, items=100, seed=0, source=["suite.json"])
    assert (found.items, found.source.other, found.agrees) == ((), (), True)


def test_the_source_of_a_suite_without_a_metric_is_read_with_the_one_of_the_record(here, run):
    shutil.copy(FIXTURES / "legacy/bare_strings.old.json", here / "bare.json")
    made = ("--model", "demo", "--device", "cpu", "--metric", "mean", "--out", "r", "-q")
    run("evalmark", "score", "bare.json", *made, code=0)
    (claim,) = claims_at(here / "r")
    source = verify(claim, None, items=1, seed=0, source=["bare.json"]).source
    assert source.agrees, source
    assert source.items


def test_without_the_source_it_is_said_that_nobody_looked(runs, run):
    done = run("evalmark", "verify", runs / "pairs")
    assert done.code == 0
    assert (
        "not looked at: whether the items are those of the scored file (--source FILE)" in done.out
    )


def test_a_hash_that_is_not_of_its_text_is_a_disagreement(runs):
    (claim,) = claims_at(runs / "suites")
    assert verify(claim, None, items=1, seed=0).hashes == ()
    false = changed(claim, lambda data: data.update(sample_hash="0" * 64), share=1 / 96)
    assert len(set(verify(false, None, items=1, seed=0).hashes)) == 1


@pytest.mark.parametrize("name", ["inspect", "inspect_eval", "lm_eval", "helm"])
def test_two_metrics_of_one_task_are_joined_by_their_ids(name):
    """Both have its name; HELM and lm-eval have metrics without samples besides."""
    found = [
        verify(claim, None, items=1, seed=0)
        for claim in claims_at(FIXTURES / f"results/{name}.out")
    ]
    assert max(each.recomputed for each in found) >= 2
    assert not any("name" in each.why and "no samples" not in each.why for each in found)


def test_json_has_keys(runs, run, tmp_path):
    (claim,) = claims_at(runs / "suites")
    record = json.loads(json.dumps(claim.data))
    record["evaluation_results"][0]["score_details"]["score"] = 0.123
    path = runs / "suites" / "changed.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    done = run("evalmark", "verify", path, "--source", *SUITES[:1], "--format", "json", code=1)
    path.unlink()
    (found,) = json.loads(done.out)["records"]
    assert found["numbers"][0].keys() == {"where", "what", "recorded", "computed"}
    assert found["source"]["more"], "the second suite is in no file"


@pytest.mark.parametrize("kind", ["masked", "mntp"])
def test_a_masked_model_is_read_as_the_record_says(tmp_path, torch, run, kind):
    """Its configuration does not show that it predicts a token at the one before it."""
    from small_models import bert

    model = bert("float32")
    model.model.save_pretrained(tmp_path / "bert")
    model.tokenizer.save_pretrained(tmp_path / "bert")
    chosen = ("--model", tmp_path / "bert")
    limit = ("--limit", "3", "--out", tmp_path / "r", "-q")
    run("evalmark", "score", SUITES[0], *chosen, "--kind", kind, *limit, code=0)
    done = run("evalmark", "verify", tmp_path / "r", *chosen, code=0)
    assert "3 of 3 items agree" in done.out


def test_pickled_weights_name_the_option_and_verify_with_it(tmp_path, torch, run):
    from conftest import ROOT
    from safetensors.torch import load_file

    shutil.copytree(ROOT / "scoring/demo_model", tmp_path / "m")
    weights = tmp_path / "m/model.safetensors"
    torch.save(load_file(weights), tmp_path / "m/pytorch_model.bin")
    weights.unlink()
    chosen = ("--model", tmp_path / "m", "--allow-pickle")
    limit = ("--limit", "2", "--out", tmp_path / "r", "-q")
    run("evalmark", "score", SUITES[0], *chosen, *limit, code=0)
    refused = run("evalmark", "verify", tmp_path / "r", *chosen[:2], code=2)
    assert refused.err.endswith("; --allow-pickle loads it\n")
    assert "2 of 2 items agree" in run("evalmark", "verify", tmp_path / "r", *chosen, code=0).out


def test_a_sharp_model_agrees_with_itself_in_other_dtypes(tmp_path, torch, run):
    """Errors grow with surprisals: of up to 66 bits, a token was off by .84 in bfloat16."""
    import shutil

    from conftest import ROOT
    from transformers import AutoModelForCausalLM

    demo, sharp = ROOT / "scoring/demo_model", tmp_path / "sharp"
    model = AutoModelForCausalLM.from_pretrained(demo)
    model.transformer.ln_f.weight.data *= 3
    model.save_pretrained(sharp)
    for file in demo.glob("tokenizer*"):
        shutil.copy(file, sharp)
    out = tmp_path / "run"
    run("evalmark", "score", SUITES[0], "--model", sharp, "--out", out, code=0)
    (claim,) = claims_at(out)
    for dtype in ("bfloat16", "float16"):
        coarse = load_model(str(sharp), device="cpu", dtype=dtype)
        assert verify(claim, lambda *_, model=coarse: model, items=48, seed=1).items == ()
        assert verify(changed(claim, lower), lambda *_, model=coarse: model, items=9, seed=1).items
