"""Minimal pairs under real models: against plain loops, and a model that knows nothing."""

import math
import pickle

import pytest
from evalmark.converters.records.run import Producer
from evalmark.scoring.contest_run import ContestTask
from evalmark.scoring.models.language_models import CausalModel
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.pairs.load_pairs import load_pairs
from evalmark.scoring.pairs.pair_output import PAIR_RUN
from evalmark.scoring.pairs.pair_run import PairContests
from evalmark.scoring.runs.run_files import run_of
from evalmark.scoring.score_settings import Computing, Settings
from pairs import pair, pairs_at
from small_models import (
    bert,
    lively_gpt2,
    our_sentences,
    plain_bits,
    plain_masked_loop,
    roberta,
    tokenizer_of,
)
from test_pairs import score_pairs

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


def gpt2(dtype="float64", tokenizer="byte-level BPE"):
    texts = our_sentences()
    found = tokenizer_of(tokenizer, texts)
    model = lively_gpt2(len(found), dtype)
    return CausalModel(model, found, ("local/gpt2", "gpt2"), bos=(found.bos_token_id,))


def knows_nothing():
    """GPT-2 whose logits are all equal."""
    model = gpt2("float32")
    with torch.no_grad():
        model.model.transformer.wte.weight.zero_()
    model.__post_init__()
    return model


def our_pairs(count=60):
    """Neighbouring sentences: they share beginnings, and differ in length."""
    texts = our_sentences()[::5][: 2 * count]
    return [pair(*texts[i : i + 2]) for i in range(0, len(texts), 2)]


def contexts(count=20):
    texts = [text.removesuffix(" .") for text in our_sentences()[:: len(our_sentences()) // 60]]
    return [
        {"input_prefix": a, "options": [f" {b} .", f" {c} .", "s so ."], "numops": 1}
        for a, b, c in zip(texts[:count], texts[count:], texts[2 * count :], strict=False)
    ]


def ewok(count=20):
    texts = our_sentences()[:: len(our_sentences()) // 80]
    return [
        dict(zip(("Context1", "Context2", "Target1", "Target2"), texts[i : i + 4], strict=True))
        for i in range(0, 4 * count, 4)
    ]


def prefixed(count=20):
    texts = [text.split(" ") for text in our_sentences()[::30][:count]]
    return [
        pair(" ".join(words), "x", one_prefix_prefix=" ".join(words[:2]),
             one_prefix_word_good=words[2], one_prefix_word_bad=words[0],
             two_prefix_prefix_good=" ".join(words[:2]), two_prefix_prefix_bad=words[1],
             two_prefix_word=words[2])
        for words in texts
    ]  # fmt: skip


#: Method -> rows that it scores.
ROWS = {
    "sum": lambda: our_pairs(20),
    "mean": lambda: our_pairs(20),
    "per-char": lambda: our_pairs(20),
    "one-prefix": prefixed,
    "two-prefix": prefixed,
    "conditional": ewok,
}


def plainly(model, text, start):
    """The bits of the tokens that have a character from ``start`` on: one pass, one softmax."""
    encoded = model.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    ids, spans = encoded["input_ids"], encoded["offset_mapping"]
    bits = plain_bits(model.model, [*model.bos, *ids])
    return [value for value, (_, end) in zip(bits, spans, strict=True) if end > start]


@pytest.mark.parametrize("tokenizer", ["byte-level BPE", "WordPiece", "Unigram"])
def test_many_texts_are_tokenized_as_one_by_one(tokenizer):
    model = gpt2(tokenizer=tokenizer)
    texts = [*our_sentences()[:50], "", " a  b", "日本語 é"]
    assert model.tokenize_all(texts) == [model.tokenize(text) for text in texts]
    assert model.tokenize_all([]) == []


def mean_of(method, bits, characters):
    divisor = {"mean": len(bits), "per-char": characters}.get(method, 1)
    return math.fsum(bits) / divisor


def require_plain(scores, model, plain, tolerance):
    seen = 0
    for uid in scores.uids:
        for contest in uid.contests:
            file = contest.file
            for side, found in zip(contest.source.sides, contest.scores, strict=True):
                text, start = file.texts[side]
                bits = plain(model, text, start)
                expected = mean_of(file.method, bits, len(text) - start)
                assert abs(found - expected) < tolerance, (text, start)
                seen += 1
    assert seen


@pytest.mark.parametrize("method", ROWS)
def test_scores_are_those_of_a_plain_loop(tmp_path, method):
    model = gpt2()
    files = load_pairs([pairs_at(tmp_path, ROWS[method]())], method=method)
    scores = score_pairs(
        files, model, Settings(method=method), computing=Computing(pack_tokens=100)
    )
    assert scores.computed.way == "packed"
    require_plain(scores, model, plainly, 1e-9)


@pytest.mark.parametrize("tokenizer", ["WordPiece", "Unigram"])
def test_so_they_are_with_other_tokenizers_and_options(tmp_path, tokenizer):
    model = gpt2(tokenizer=tokenizer)
    files = load_pairs([pairs_at(tmp_path, contexts())])
    scores = score_pairs(files, model, Settings())
    require_plain(scores, model, plainly, 1e-9)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_outcomes_in_lower_precision_agree_beyond_rounding(tmp_path, dtype):
    path = pairs_at(tmp_path, our_pairs())
    exact, rough = (
        score_pairs(load_pairs([path]), load_model("demo", dtype=name, device="cpu"),
                    Settings())
        for name in ("float64", dtype)
    )  # fmt: skip
    assert [contest.outcome for contest in exact.uids[0].contests].count("right") > 10
    for one, other in zip(exact.uids[0].contests, rough.uids[0].contests, strict=True):
        assert one.outcome == other.outcome or other.is_tie


def by_masks(model, text, start):
    spans = model.tokenizer(text, return_offsets_mapping=True)
    ends = [
        end
        for (_, end), word in zip(spans["offset_mapping"], spans.word_ids(), strict=True)
        if word is not None
    ]
    bits = plain_masked_loop(model, text)
    return [value for value, end in zip(bits, ends, strict=True) if end > start]


@pytest.mark.parametrize(
    ("made", "method"), [(bert, "sum"), (bert, "conditional"), (roberta, "mean")]
)
def test_a_masked_model_gives_the_pseudo_log_likelihood_of_a_plain_loop(tmp_path, made, method):
    model = made()
    rows = ewok(3) if method == "conditional" else our_pairs(4)
    files = load_pairs([pairs_at(tmp_path, rows)], method=method)
    scores = score_pairs(files, model, Settings(method=method))
    assert scores.computed.way == "masked"
    require_plain(scores, model, by_masks, 1e-8)


@pytest.mark.parametrize("strategy", ["packed", "padded"])
def test_a_model_that_knows_nothing_is_never_right_on_average_tokens(tmp_path, strategy):
    model = knows_nothing()
    path = pairs_at(tmp_path, [*our_pairs(), *[{**row, "sentence_bad": row["sentence_good"]}
                                              for row in our_pairs(3)]])  # fmt: skip
    settings, computing = Settings(), Computing(strategy)
    (uid,) = score_pairs(
        load_pairs([path], method="mean"), model, settings, computing=computing
    ).uids
    assert (uid.counts.share, uid.counts.ties, uid.counts.impossible) == (0.0, 60, 3)
    files = load_pairs([path])
    (uid,) = score_pairs(files, model, settings, computing=computing).uids
    lengths = [
        [len(model.tokenize(files[0].texts[side].text).ids) for side in contest.sides]
        for contest in files[0].contests
    ]
    shorter = sum(good < bad for good, bad in lengths)
    assert 0 < shorter < 60
    assert (uid.counts.right, uid.counts.items) == (shorter, 63)
    assert uid.counts.ties == sum(good == bad for good, bad in lengths) - 3
    assert uid.counts.ties == uid.counts.exact_ties


def test_what_a_cluster_does_can_be_sent(tmp_path):
    files = load_pairs([pairs_at(tmp_path, our_pairs(5))])
    task = ContestTask(PairContests, files, Settings(), started=7)
    here = task.score(gpt2(), None, None)
    sent = pickle.loads(pickle.dumps(task)).score(gpt2(), None, None)
    back = pickle.loads(pickle.dumps(sent))
    one, other = (run_of(scores, PAIR_RUN, Producer(), started=1) for scores in (back, here))
    assert one.results == other.results
    assert list(one.samples) == list(other.samples)


def test_equal_texts_have_equal_numbers_to_the_bit_whatever_is_scored_with_them(tmp_path):
    rows = our_pairs()
    small = Computing("padded", batch_tokens=40)
    model = gpt2("float32")

    def scores(chosen, computing):
        files = load_pairs([pairs_at(tmp_path, chosen)])
        (uid,) = score_pairs(files, model, Settings(), computing=computing).uids
        return {
            files[0].texts[side].text: bits
            for contest in uid.contests
            for side, bits in zip(contest.source.sides, contest.bits, strict=True)
        }

    doubled = [*rows, *[pair(row["sentence_bad"], row["sentence_good"]) for row in rows]]
    for computing in (Computing(), small):
        assert scores(rows, computing) == scores(doubled, computing)
