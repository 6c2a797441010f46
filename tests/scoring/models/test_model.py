"""Token surprisals against a plain loop over single sentences, with models that can tell.

The weights are initialised ten times livelier than the default: a model of small random weights
gives nearly the same number everywhere, and would not notice a wrong position or a lost mask.
"""

import json

import pytest
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.language_models import CausalModel
from evalmark.scoring.models.load_models import load_chat_model, load_model
from evalmark.scoring.models.tokenizers import bos_ids
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.suites.suite_loading import load_suite, prepare
from evalmark.scoring.suites.suite_run import score_suites
from evalmark.scoring.surprisals.prefix_packs import PrefixTree, batches
from evalmark.scoring.surprisals.sentence_surprisals import token_values
from evalmark.scoring.surprisals.surprisal_computation import fill
from small_models import (
    demo_model,
    demo_tokenizer,
    lively_gpt2,
    our_sentences,
    plain_bits,
    tokenizer_of,
)
from suites import suite_of

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TOLERANCE = {"float64": 1e-8, "float32": 1e-4}


def plain_loop(model, bos, ids):
    values = plain_bits(model, [*bos, *ids])
    return values if bos else [None, *values]


def largest_difference(model, sentences, batch_tokens=2048):
    tokenized = [model.tokenize(text).ids for text in sentences]
    tree = PrefixTree(model.bos + ids for ids in tokenized)
    fill(tree, model.surprisals, batch_tokens=batch_tokens)
    worst = 0.0
    for ids in tokenized:
        ours = token_values(tree, model.bos, ids, Settings())
        theirs = plain_loop(model.model, model.bos, ids)
        for one, other in zip(ours, theirs, strict=True):
            if other is None:
                assert one is None
            else:
                worst = max(worst, abs(one - other))
    return worst


def two_hundred(shared):
    texts = set()
    for path in sorted((shared / "data/suites/published-json").glob("*.json")):
        suite = load_suite(str(path))
        texts |= {sentence.text for row in suite.sentences[:4] for sentence in row}
    return sorted(texts)[:200]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "dtype", "bos"),
    [
        ("byte-level BPE", "float32", "auto"), ("byte-level BPE", "float64", "none"),
        ("Unigram", "float32", "none"), ("WordPiece", "float64", "auto"),
    ],
)  # fmt: skip
def test_surprisals_equal_a_plain_loop_on_real_sentences(shared, kind, dtype, bos):
    sentences = two_hundred(shared)
    assert len(sentences) == 200
    tokenizer = tokenizer_of(kind, sentences)
    model = CausalModel(
        lively_gpt2(len(tokenizer), dtype),
        tokenizer,
        ("local/test", "test"),
        bos=bos_ids(tokenizer, bos),
    )
    assert largest_difference(model, sentences) < TOLERANCE[dtype]


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("batch_tokens", [1, 100, 10_000])
def test_surprisals_do_not_depend_on_batches(dtype, batch_tokens):
    sentences = our_sentences()[::20]
    tokenizer = tokenizer_of("byte-level BPE", sentences)
    bos = bos_ids(tokenizer, "auto")
    model = CausalModel(lively_gpt2(len(tokenizer), dtype), tokenizer, ("local/t", "t"), bos=bos)
    assert largest_difference(model, sentences, batch_tokens) < TOLERANCE[dtype]


def test_equal_texts_have_equal_numbers_to_the_bit():
    items = [
        {
            "a": ["The pilot", "near the guard", "laughs"],
            "b": ["The pilot", "near the guard", "laughs ."],
        },
        {"a": ["The pilot", "near", "the guard"], "b": ["The pilot", "near", "the guards sing ."]},
    ]
    data = suite_of(items, ["(2;%a%) > (2;%b%)", "(1;%a%) < (1;%b%)", "(2;%a%) = (2;%b%)"])
    suite = prepare(data, "x", "core")
    for batch_tokens in (1, 64, 4096):
        computing = Computing("padded", batch_tokens=batch_tokens)
        scores = score_suites([suite], demo_model(), Settings(), computing=computing)
        for item in scores.suites[0].surprisals:
            assert item[0][:2] == item[1][:2]
        outcomes = [p.outcomes for p in scores.suites[0].result.predictions]
        assert outcomes == [(False, False), (False, False), (True, True)]


def test_each_prefix_is_computed_once():
    rows = []

    def forward(batch):
        rows.extend(batch)
        return [[float(sum(ids[: i + 1])) for i in range(1, len(ids))] for ids in batch]

    tree = PrefixTree([(1, 2, 3), (1, 2), (1, 2, 4, 5), (1, 2, 3), (7,)])
    fill(tree, forward)
    assert sorted(rows) == [(1, 2, 3), (1, 2, 4, 5), (7,)]
    assert tree.tokens == 6
    assert tree.values((1, 2)) == [None, 3.0]
    assert tree.values((1, 2, 4, 5)) == [None, 3.0, 7.0, 12.0]


def test_batches_keep_to_their_budget_and_their_order():
    rows = sorted(((0,) * n for n in (1, 2, 2, 3, 9, 30)), key=len)
    made = list(batches(rows, 9))
    assert [row for batch in made for row in batch] == rows
    assert all(len(batch) == 1 or len(batch) * len(batch[-1]) <= 9 for batch in made)


def test_bos_is_put_once_and_by_wish():
    with_bos, without = demo_model(), demo_model(bos="none")
    assert len(with_bos.bos) == 1
    assert without.bos == ()
    assert demo_model(bos="<s>").bos == with_bos.bos
    with pytest.raises(ScoringError, match="no token '<nope>'"):
        demo_model(bos="<nope>")
    ids = with_bos.tokenize("The pilot laughs .").ids
    tree = PrefixTree([ids])
    fill(tree, without.surprisals)
    assert token_values(tree, (), ids, Settings())[0] is None
    assert token_values(tree, (), ids, Settings(first_token="zero"))[0] == 0.0
    assert token_values(tree, (), ids, Settings(first_token="zero"))[1:] == tree.values(ids)[1:]


def test_a_tokenizer_without_offsets_gives_the_same_regions():
    fast = demo_model()
    text = "The pilot café near the guards laughs ."
    expected = fast.tokenize(text)
    tokenizer = demo_tokenizer()

    class Slow:
        is_fast = False

        def __getattr__(self, name):
            return getattr(tokenizer, name)

    slow = CausalModel(fast.model, Slow(), ("local/t", "t"))
    found = slow.tokenize(text)
    assert found.ids == expected.ids

    def first_characters(tokens):
        return [start + (text[start] == " ") for start, _ in tokens.spans]

    assert first_characters(found) == first_characters(expected)


def test_a_sentence_that_is_too_long_is_refused_by_name():
    data = suite_of(
        [{"a": ["The", "pilot " * 300, "."], "b": ["The", "pilot", "."]}], ["(2;%a%) > 0"]
    )
    with pytest.raises(ScoringError, match="the model reads at most 256"):
        score_suites([prepare(data, "x", "core")], demo_model(), Settings())


@pytest.mark.parametrize("load", [load_model, load_chat_model])
def test_code_of_a_model_is_refused_without_a_question(load, monkeypatch, tmp_path):
    ours = demo_model()
    ours.model.save_pretrained(tmp_path)
    demo_tokenizer().save_pretrained(tmp_path)
    path = tmp_path / "config.json"
    changes = {"model_type": "own", "auto_map": {"AutoConfig": "own.Config"}}
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")
    (tmp_path / "own.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w').close()\nclass Config: pass\n"
    )
    asked = []

    def answer(prompt=""):
        asked.append(prompt)
        return "y"

    monkeypatch.setattr("builtins.input", answer)
    with pytest.raises(ScoringError, match="comes with its own code"):
        load(str(tmp_path), device="cpu")
    assert asked == []
    assert not (tmp_path / "ran").exists()


def test_model_info_never_holds_a_path(tmp_path):
    model = demo_model()
    model.model.save_pretrained(tmp_path / "mine")
    demo_tokenizer().save_pretrained(tmp_path / "mine")
    info = load_model(str(tmp_path / "mine")).info
    assert info.id == "local/mine"
    assert str(tmp_path) not in json.dumps([info.id, info.name, info.details])
    assert info.details["weights_sha256"] == model.info.details["weights_sha256"]
    assert load_model(str(tmp_path / "mine"), model_id="lab/m").info.id == "lab/m"
