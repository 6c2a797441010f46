"""``score --like``: what each name decides, against plain loops over the logits of a model."""

import math
import sys
from types import SimpleNamespace

import pytest
from conftest import FIXTURES
from evalmark.converters.records.run import Producer
from evalmark.schemas.errors import ScoringError, UnknownNameError
from evalmark.scoring.comparison.run_comparison import compare, shown_difference
from evalmark.scoring.models.language_models import NextTokenModel
from evalmark.scoring.models.tokenizers import bos_ids
from evalmark.scoring.pairs.load_pairs import load_pairs
from evalmark.scoring.pairs.pair_output import PAIR_RUN
from evalmark.scoring.runs.run_files import write_results
from evalmark.scoring.score_settings import (
    FIRST_TOKENS,
    NAMED_SETTINGS,
    Settings,
    chosen_settings,
)
from evalmark.scoring.suites.regions import whole_texts
from evalmark.scoring.surprisals.pseudo_likelihood import pseudo_surprisals
from pairs import pair, pairs_at
from small_models import bert, plain_bits, plain_masked_loop, roberta
from test_pairs import Words, score_pairs
from test_pairs_models import ewok, gpt2, our_pairs

torch = pytest.importorskip("torch")

COMPS = [
    {"prefix_acceptable": "A dog", "prefix_unacceptable": "A cat", "property_phrase": "barks ."}
]


def settings_like(name, **given):
    return chosen_settings({"like": name, **given} if name else given)


def listed(name, **given):
    return settings_like(name, **given).listed(of_pairs=True)


def scores_like(folder, name, rows, model, **given):
    """The scores of a file of pairs; a causal model has the BOS of the settings."""
    settings = settings_like(name, **given)
    if model.kind == "causal" and not isinstance(model, Words):
        model.bos = bos_ids(model.tokenizer, settings.bos)
    files = load_pairs(
        [pairs_at(folder, rows)], method=settings.own_method, reading=settings.reading,
        like=settings.like,
    )  # fmt: skip
    return score_pairs(files, model, settings)


def contests_of(scores):
    return [contest for uid in scores.uids for contest in uid.contests]


def log_probabilities(model, text, *, before=()):
    """log2 p of each token but the first of what a model reads: one pass, one softmax."""
    ids = [*before, *model.tokenizer(text)["input_ids"]]
    return [-bits for bits in plain_bits(model.model, ids)]


#: Name -> the score of a text with a GPT-2 whose tokenizer adds nothing, as the program has it.
CAUSAL = {
    "babylm": lambda model, text: sum(log_probabilities(model, text)),
    "minicons": lambda model, text: (
        math.fsum(values := log_probabilities(model, text)) / len(values)
    ),
    "lm-eval": lambda model, text: sum(
        log_probabilities(model, f" {text}", before=(model.tokenizer.bos_token_id,))
    ),
}


@pytest.mark.parametrize("name", CAUSAL)
def test_a_causal_model_has_the_scores_of_the_program(tmp_path, name):
    rows, model = our_pairs(8), gpt2()
    contests = contests_of(scores_like(tmp_path, name, rows, model))
    for row, contest in zip(rows, contests, strict=True):
        texts = row["sentence_good"], row["sentence_bad"]
        assert contest.scores == pytest.approx([-CAUSAL[name](model, t) for t in texts], abs=1e-9)


@pytest.mark.parametrize("name", ["babylm", "minicons"])
def test_a_masked_model_masks_each_token_alone(tmp_path, name):
    rows, model = our_pairs(3), bert()
    scores = scores_like(tmp_path, name, rows, model)
    for row, contest in zip(rows, contests_of(scores), strict=True):
        texts = row["sentence_good"], row["sentence_bad"]
        for text, score in zip(texts, contest.scores, strict=True):
            bits = plain_masked_loop(model, text, alone=True)
            divisor = len(bits) if name == "minicons" else 1
            assert score == pytest.approx(math.fsum(bits) / divisor, abs=1e-8)
    assert scores.computed.way == "masked alone"


@pytest.mark.parametrize("kind", ["mlm", "mntp"])
@pytest.mark.parametrize("made", [bert, roberta])
def test_masked_models_have_the_numbers_of_babylms_pipeline(made, kind, shared, monkeypatch):
    monkeypatch.syspath_prepend(shared / "peers/babylm-eval/strict")
    unused = SimpleNamespace(read_files=None)  # it needs further libraries
    of_files = "evaluation_pipeline.sentence_zero_shot.read_files"
    monkeypatch.setitem(sys.modules, of_files, unused)
    from evaluation_pipeline.sentence_zero_shot.dataset import CompletionRankingDataset

    masked = made("float32")
    model = masked if kind == "mlm" else NextTokenModel(masked.model, masked.tokenizer, ("a", "b"))
    text = "The author that the senators hurt laughs."
    dataset = SimpleNamespace(tokenizer=masked.tokenizer, processor=masked.tokenizer)
    sentences = {"sentences": [text], "completions": [text]}
    process = getattr(CompletionRankingDataset, f"process_{kind}_sentences")
    rows = process(dataset, sentences, None)
    with torch.no_grad():
        logits = masked.model(torch.stack([*rows["sentence_0_tokens"]])).logits
    of_rows = logits[torch.arange(len(logits)), rows["sentence_0_indices"]].log_softmax(-1)
    total = of_rows.gather(1, rows["sentence_0_targets"][:, None]).sum().item()
    texts = whole_texts({text: model.tokenize(text)})
    bits = pseudo_surprisals(texts, model, method="original")[text]
    assert -sum(bits) * math.log(2) == pytest.approx(total, abs=1e-4)


def test_babylm_compares_targets_after_the_first_context(tmp_path):
    rows = ewok(4)
    files = scores_like(tmp_path, "babylm", rows, gpt2())
    for row, contest in zip(rows, contests_of(files), strict=True):
        texts = [contest.file.texts[side] for side in contest.source.sides]
        context = row["Context1"]
        assert [text.text for text in texts] == [
            f"{context} {row['Target1']}", f"{context} {row['Target2']}"
        ]  # fmt: skip
        assert {text.start for text in texts} == {len(context)}


def test_the_space_before_a_property_of_comps_does_not_count_for_babylm(tmp_path):
    ours, theirs = (
        contests_of(scores_like(tmp_path, name, COMPS, Words()))[0].file.texts[0].start
        for name in (None, "babylm")
    )
    assert (ours, theirs) == (len("A dog"), len("A dog "))


@pytest.mark.parametrize(("name", "right"), [(None, 0), ("babylm", 2), ("lm-eval", 2)])
def test_equal_scores_are_a_success_where_the_program_takes_the_first(tmp_path, name, right):
    # Equal scores, identical texts, and a wrong text that is better.
    rows = [pair("a b", "a c"), pair("a b", "a b"), pair("a w", "a b")]
    scores = scores_like(tmp_path, name, rows, Words({"w": 3}))
    (uid,) = scores.uids
    outcomes = [contest.outcome for contest in uid.contests]
    assert outcomes == ["exact tie", "impossible", "wrong"], "ties are counted all the same"
    assert (uid.counts.right, uid.counts.ties) == (right, 1)
    assert scores.choices["ties"] == ("the first is right" if name else "never right")


def test_what_is_given_overrides_a_name_and_is_recorded():
    choice = settings_like("lm-eval", bos="none", leading_space="no")
    assert choice.like == "lm-eval, except bos none, leading space no"
    assert not choice.reading.spaced
    assert settings_like("babylm", bos="tokenizer").like == "babylm"
    assert listed("lm-eval")["leading_space"] == "blimp"
    assert listed(None, leading_space="yes")["leading_space"] == "all sets"


def test_without_a_name_records_list_no_named_settings():
    assert not {"like", "leading_space", "masked_method"} & listed(None).keys()


@pytest.mark.parametrize("name", NAMED_SETTINGS)
def test_a_set_that_the_program_does_not_score_is_refused(tmp_path, name):
    rows = [{"Context1": "a", "Context2": "b", "Target1": "c", "Target2": "d"}]
    if name == "babylm":
        rows = [{"sen": "a", "wrong_sen": "b"}]
    with pytest.raises(ScoringError, match=f"like '{name}' covers .* and not "):
        scores_like(tmp_path, name, rows, Words())


def test_suites_have_no_named_settings(refused):
    suite = FIXTURES / "suites/agreement_attractor.json"
    for more in ((), ("--method", "sum"), ("--leading-space", "yes", "--method", "mean")):
        said = refused("evalmark", "score", suite, "--model", "demo", *more, "--like", "babylm")
        assert "--like does not apply to suites" in said


def test_an_unknown_name_is_refused():
    with pytest.raises(UnknownNameError, match="babylm"):
        settings_like("babylon")


def test_a_tokenizer_says_what_it_puts_before_a_text():
    model = gpt2()
    bos = model.tokenizer.bos_token_id
    assert bos_ids(model.tokenizer, "tokenizer") == ()
    assert bos_ids(bert().tokenizer, "tokenizer") == (2,)
    assert bos_ids(model.tokenizer, "bos-or-eos") == (bos,)
    model.tokenizer.bos_token = None
    model.tokenizer.eos_token = "s"  # any token of its vocabulary
    assert bos_ids(model.tokenizer, "bos-or-eos") == (model.tokenizer.eos_token_id,)


def test_an_excluded_first_token_is_no_part_of_a_mean(tmp_path):
    rows = [pair("a b", "a c d")]
    for value, expected in (("excluded", (3.0, 1.0)), ("zero", (1.5, 2 / 3))):
        settings = Settings("none", value, method="mean")
        files = load_pairs([pairs_at(tmp_path, rows)], method="mean")
        (contest,) = contests_of(score_pairs(files, Words({"b": 3}, bos=()), settings))
        assert contest.scores == pytest.approx(expected)
    assert FIRST_TOKENS[-1] == "excluded"


def test_a_comparison_says_whose_settings_differ(tmp_path):
    folders = []
    for name in (None, "lm-eval"):
        (tmp_path / "data").mkdir(exist_ok=True)
        scores = scores_like(tmp_path / "data", name, [pair("a b", "a c")] * 2, Words({"b": 3}))
        folders.append(tmp_path / f"like {name}")
        write_results(scores, PAIR_RUN, folders[-1], source=Producer("us", "other"), started=0)
    said = [shown_difference(difference) for difference in compare(*folders).differences]
    assert said[0] == "settings of evalmark / lm-eval"
    assert {"leading space none / blimp", "ties count as never right / the first is right"} <= {
        *said
    }
    assert not any(text.startswith("masked tokens") for text in said)
