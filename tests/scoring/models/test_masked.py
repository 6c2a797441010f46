"""Masked models: pseudo-log-likelihood within words from left to right, against a plain loop."""

import json
import shutil

import pytest
from conftest import FIXTURES
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.demo_files import DEMO_FOLDER
from evalmark.scoring.models.language_models import CausalModel, MaskedModel
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.runs.run_files import record_in
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.suites.chance import chances
from evalmark.scoring.suites.regions import whole_texts
from evalmark.scoring.suites.suite_loading import prepare
from evalmark.scoring.suites.suite_run import score_suites
from evalmark.scoring.surprisals.pseudo_likelihood import pseudo_surprisals
from evalmark.validator.check import check_file
from small_models import bert, our_sentences, plain_masked_loop, roberta
from suites import suite_of

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

SUITE = FIXTURES / "suites/garden_path.json"


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-8), ("float32", 1e-4)])
@pytest.mark.parametrize("made", [bert, roberta])
def test_every_token_has_the_surprisal_of_a_plain_loop(made, dtype, tolerance):
    model = made(dtype)
    texts = our_sentences()[::40]
    tokenized = {text: model.tokenize(text) for text in texts}
    assert any(len(set(tokens.words)) < len(tokens.ids) for tokens in tokenized.values())
    found = pseudo_surprisals(whole_texts(tokenized), model, batch_tokens=300)
    assert list(found) != texts, "the order of work is not that of the texts"
    for text in texts:
        assert found[text] == pytest.approx(plain_masked_loop(model, text), abs=tolerance)


def test_what_follows_a_word_changes_it_and_the_rest_of_a_word_is_hidden():
    model = bert()
    texts = ["The pilot laughs .", "The pilot laughs loudly ."]
    one, other = (
        pseudo_surprisals(whole_texts({text: model.tokenize(text)}), model)[text] for text in texts
    )  # fmt: skip
    assert abs(one[0] - other[0]) > 1e-6
    calls = []
    real = model.fill_in
    model.fill_in = lambda rows, places, tokens: (
        calls.append((rows, places)) or real(rows, places, tokens)
    )
    tokens = model.tokenize("The pilot laughs .")
    pseudo_surprisals(whole_texts({"x": tokens}), model)
    rows, places = calls[0]
    for row, place in zip(rows, places, strict=True):
        word = tokens.words[place - 1]
        hidden = [at for at, token in enumerate(row) if token == model.mask]
        assert hidden == [i + 1 for i, w in enumerate(tokens.words) if w == word and i + 1 >= place]


def test_roberta_has_two_positions_less_than_it_says():
    model = roberta()
    assert model.max_tokens == 62
    model.model(torch.tensor([[5] * 62]))
    with pytest.raises((IndexError, RuntimeError)):
        model.model(torch.tensor([[5] * 63]))
    long = {"a": ["The", "pilot " * 60, "."], "b": ["The", "pilot", "."]}
    suite = prepare(suite_of([long], ["(2;%a%) > 0"]), "x", "core")
    with pytest.raises(ScoringError, match="the model reads at most 62"):
        score_suites([suite], model, Settings())


def saved(model, folder):
    model.model.save_pretrained(folder)
    model.tokenizer.save_pretrained(folder)
    return str(folder)


def test_the_command_finds_out_says_so_and_its_record_passes(run, tmp_path, epoch):
    name = saved(bert("float32"), tmp_path / "bert")
    options = ("--device", "cpu")
    for out in ("one", "two"):
        done = run("evalmark", "score", SUITE, "--model", name, *options, "--out", tmp_path / out)
        assert done.code == 0, done.err
    files = sorted(p for p in (tmp_path / "one").rglob("*") if p.is_file())
    for path in files:
        assert (
            path.read_bytes()
            == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()
        )
    record = record_in(tmp_path / "one")
    assert not check_file(str(record)).findings
    assert "pseudo-log-likelihood" in record.read_text()
    details = json.loads(record.read_text())["model_info"]["additional_details"]
    assert details["architecture"] == "BertForMaskedLM"
    assert details["around"] == "[CLS] … [SEP]"


def test_what_is_proved_of_left_to_right_models_is_not_repeated(run, here):
    name = saved(bert("float32"), here / "bert")
    items = [{"a": ["The pilot", "laughs ."], "b": ["The pilot", "laugh ."]}]
    (here / "s.json").write_text(json.dumps(suite_of(items, ["(1;%a%) > (1;%b%)"])))
    assert "SG206" in run("evalmark", "check", "s.json").out
    done = run("evalmark", "score", "s.json", "--model", name, "--device", "cpu", code=0)
    assert "never" not in done.out + done.err
    (here / "evalmark.toml").write_text('models = "any"\n')
    assert run("evalmark", "check", "s.json").code == 0
    (here / "evalmark.toml").write_text('models = "masked"\n')
    assert "`models` must be one of left-to-right, any" in run("evalmark", "check", "s.json").err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--boundary", "corrected"), "applies to causal models"),
        (("--bos", "none"), "has its own tokens"),
        (("--kind", "causal"), "has is_decoder = True; `--kind masked`"),
    ],
)
def test_what_is_meant_for_causal_models_is_refused(refused, tmp_path, options, said):
    name = saved(bert("float32"), tmp_path / "bert")
    assert said in refused("evalmark", "score", SUITE, "--model", name, "--device", "cpu", *options)


def test_a_dry_run_of_a_masked_model_has_no_packs(run, tmp_path):
    name = saved(bert("float32"), tmp_path / "bert")
    done = run("evalmark", "score", SUITE, "--model", name, "--device", "cpu", "--dry-run", code=0)
    assert "a masked model reads one row for each token" in done.out


def test_a_killed_run_goes_on(tmp_path, monkeypatch):
    from evalmark.scoring.suites.suite_loading import load_suite
    from evalmark.scoring.surprisals.surprisal_computation import PARTIAL

    model, suite = bert(), load_suite(str(SUITE), limit=4)
    whole = score_suites([suite], model, Settings(), computing=Computing(batch_tokens=200))
    real, calls = MaskedModel.fill_in, []

    def killed(self, rows, places, tokens):
        if len(calls) == 5:
            raise KeyboardInterrupt
        calls.append(rows)
        return real(self, rows, places, tokens)

    monkeypatch.setattr(MaskedModel, "fill_in", killed)
    with pytest.raises(KeyboardInterrupt):
        score_suites(
            [suite], model, Settings(), computing=Computing(batch_tokens=200), folder=tmp_path
        )
    assert len((tmp_path / PARTIAL).read_text().splitlines()) == 6
    calls[:] = [None] * 6  # from here on nothing is killed
    again = score_suites(
        [suite], model, Settings(), computing=Computing(batch_tokens=200), folder=tmp_path
    )
    assert again.suites[0].surprisals == whole.suites[0].surprisals
    assert calls.count(None) == 6


def test_chance_knows_that_what_stands_before_a_difference_is_free_too():
    """From left to right the same words before have the same surprisal; a masked model sees all."""
    data = suite_of(
        [{"a": ["The", "pilot", "."], "b": ["The", "guard", "."]}], ["(1;%a%) > (1;%b%)"]
    )
    suite = prepare(data, "x", "core")
    assert chances(suite)[-1].share == 0
    assert chances(suite, context="whole")[-1].fraction == "1/2"
    same = suite_of([{"a": ["The", "pilot", "."], "b": ["The", "pilot ."]}], ["(*;%a%) = (*;%b%)"])
    suite = prepare(same, "x", "core")
    assert chances(suite, context="whole")[-1].share == 1


def test_weights_that_are_no_safetensors_are_taken_only_when_asked(tmp_path):
    demo = load_model("demo", device="cpu")
    folder = tmp_path / "old"
    shutil.copytree(DEMO_FOLDER, folder)
    (folder / "model.safetensors").unlink()
    torch.save(demo.model.state_dict(), folder / "pytorch_model.bin")
    with pytest.raises(ScoringError, match=r"pytorch_model\.bin: pickled weights") as refusal:
        load_model(str(folder), device="cpu")
    assert refusal.value.argument == "allow_pickle"
    found = load_model(str(folder), device="cpu", allow_pickle=True)
    assert isinstance(found, CausalModel)
    assert found.info.details["weights_sha256"] == demo.info.details["weights_sha256"]
