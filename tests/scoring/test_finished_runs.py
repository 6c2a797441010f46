"""Several models into one folder: a finished run is kept only if its settings are the call's."""

import json
import shutil

import pytest
from conftest import FIXTURES, ROOT

pytest.importorskip("torch")

PAIR = {
    "sentence_good": "The pilot laughs .", "sentence_bad": "The pilot laugh .", "UID": "first",
    "field": "syntax", "linguistics_term": "agreement",
}  # fmt: skip


@pytest.fixture
def score(run, here, epoch):
    """Score files of the current folder, a suite and pairs, with copies of the demo model."""
    shutil.copy(FIXTURES / "good/suite.json", here / "suite.json")
    (here / "pairs.jsonl").write_text(json.dumps(PAIR))
    for name in ("one", "two"):
        shutil.copytree(ROOT / "scoring/demo_model", here / name)

    def scored(file, *options):
        models = ("--model", "one", "--model", "two", "--device", "cpu")
        return run("evalmark", "score", file, *models, "--out", "r", *options)

    return scored


#: Options of the second call -> what is said of the finished run.
OF_BOTH = {
    "--bos none": "bos auto (not none)",
    "--first-token zero": "first token undefined (not zero)",
    "--undefined false": "undefined refuse (not false)",
    "--masked-method original": "masked method within-word (not original)",
    "--dtype bfloat16": "dtype float32 (not bfloat16)",
    "--dtype auto --bos none": "bos auto (not none), dtype float32 (not auto)",
    "--kind masked": "kind causal (not masked)",
}
OF_SUITES = {
    "--join hf": "join core (not hf)",
    "--boundary corrected": "boundary none (not corrected)",
    "--regions predicted": "regions all (not predicted)",
}
OF_PAIRS = {
    "--method mean": "method sum (not mean)",
    "--leading-space yes": "leading space none (not all sets)",
    "--like lm-eval": "bos auto (not bos-or-eos), ties never right (not the first is right), "
    "like evalmark (not lm-eval), leading space none (not blimp)",
}


@pytest.mark.parametrize(
    ("file", "cases"),
    [("suite.json", OF_BOTH | OF_SUITES), ("pairs.jsonl", OF_BOTH | OF_PAIRS)],
)
def test_a_finished_run_with_other_settings_is_refused_before_anything_is_computed(
    score, here, file, cases
):
    assert score(file, "-q").code == 0
    shutil.rmtree(here / "r/one")
    for options, others in cases.items():
        done = score(file, *options.split())
        assert (done.code, done.out) == (2, "")
        said = f"evalmark: r/two was scored with {others}; --overwrite replaces its run\n"
        assert done.err.replace("\\", "/").endswith(said)
        assert not (here / "r/one").exists()


@pytest.mark.parametrize(
    ("file", "options", "same"),
    [
        ("suite.json", "", ["--dtype float32", "--kind causal", "--bos auto", "--join core"]),
        ("pairs.jsonl", "", ["--dtype float32", "--method sum", "--first-token undefined"]),
        ("pairs.jsonl", "--method mean --dtype auto --first-token zero --bos none", []),
    ],
)
def test_a_finished_run_with_equal_settings_is_kept_as_they_are_given_or_usual(
    score, file, options, same
):
    first = score(file, *options.split())
    assert first.code == 0, first.err
    for more in (options, *same):
        again = score(file, *more.split())
        assert (again.code, again.out) == (0, first.out), again.err
        assert again.err.count("is finished") == 2


def test_a_finished_run_of_other_weights_in_a_folder_of_this_name_is_refused(run, score, here):
    """A run is called after the last part of a model's path, whoever the folder is of."""
    assert score("suite.json", "-q").code == 0
    path = here / "lab/two"
    shutil.copytree(here / "two", path)
    models = ("--model", "one", "--model", "lab/two", "--device", "cpu")
    words = ("evalmark", "score", "suite.json", *models, "--out", "r")
    assert run(*words).code == 0, "a copy has the same weights"
    weights = bytearray((path / "model.safetensors").read_bytes())
    weights[-40_000:-30_000] = bytes(10_000)
    (path / "model.safetensors").write_bytes(weights)
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    said = "r/two was scored with other weights than lab/two has; --overwrite replaces its run\n"
    assert done.err.replace("\\", "/").endswith(said)


def test_other_settings_replace_a_run_with_overwrite(score):
    assert score("suite.json", "-q").code == 0
    assert score("suite.json", "-q", "--boundary", "corrected", "--overwrite").code == 0
    assert "is finished" in score("suite.json", "--boundary", "corrected").err
