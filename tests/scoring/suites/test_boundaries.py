"""Word boundaries: probabilities of words, not of beginnings of words; they sum to one."""

import itertools
import math

import pytest
from conftest import FIXTURES
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.language_models import CausalModel
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.models.tokenizers import bos_ids
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.suites.regions import assign_tokens
from evalmark.scoring.suites.suite_loading import prepare
from evalmark.scoring.suites.suite_run import score_suites
from evalmark.scoring.surprisals.prefix_packs import PrefixTree
from evalmark.scoring.surprisals.surprisal_computation import compute
from evalmark.scoring.surprisals.word_boundaries import boundary_tokens, edges
from evalmark.validator.formats.suites.suite import join_regions
from run_data import settings_of
from small_models import demo_tokenizer, lively_gpt2, our_sentences, tokenizer_of
from suites import suite_of

torch = pytest.importorskip("torch")

#: A language of which all words can be written down: two stems, and at most two endings.
BOS, EOS, A, B, X, Y = range(6)
ENDINGS = (X, Y)


class Toy(torch.nn.Module):
    """A model whose choices depend on all that was before, with at most two endings in a row."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64))
        self.config = type("Config", (), {})()

    device = torch.device("cpu")

    def forward(self, input_ids, attention_mask=None, position_ids=None, use_cache=None):
        if position_ids is not None:
            raise TypeError("no positions")  # so that it is computed by rows
        logits = torch.stack([self.row(row.tolist()) for row in input_ids])
        return type("Output", (), {"logits": logits})()

    def row(self, ids):
        return torch.stack([self.after(tuple(ids[: n + 1])) for n in range(len(ids))])

    def after(self, ids):
        generator = torch.Generator().manual_seed(hash(ids) % 2**31)
        logits = torch.randn(6, generator=generator, dtype=torch.float64)
        logits[BOS] = -math.inf
        if ids[-1] == BOS or (ids[-2:-1] == (BOS,) and ids[-1] in ENDINGS):
            logits[EOS] = -math.inf  # a text has a word
        if len(ids) > 1 and ids[-1] in ENDINGS and ids[-2] in ENDINGS:
            logits[[X, Y]] = -math.inf
        return logits


class ToyTokenizer:
    eos_token_id, sep_token_id, bos_token_id = EOS, None, BOS
    all_special_ids = (BOS, EOS)

    def get_vocab(self):
        return {"<s>": BOS, "</s>": EOS, "Ġa": A, "Ġb": B, "x": X, "y": Y}


class ToyModel(CausalModel):
    """Its digests would need a whole tokenizer."""

    info = type("Info", (), {"details": {"dtype": "float64"}})()


def words():
    for stem in (A, B):
        for count in range(3):
            for endings in itertools.product(ENDINGS, repeat=count):
                yield (stem, *endings)


@pytest.mark.parametrize("context", [(A,), (B, X), (A, X, Y, B)])
def test_the_probabilities_of_all_next_words_sum_to_one(context):
    model = ToyModel(Toy(), ToyTokenizer(), ("local/toy", "toy"))
    assert boundary_tokens(model.tokenizer) == (EOS, A, B)
    before = (BOS, *context)
    rows = [(*before, *word) for word in words()]
    tree = PrefixTree(rows)
    ends = {node for row in rows for node in tree.path(row)[len(before) - 1 :]}
    assert compute(tree, model, ends=ends).way == "padded"
    total = 0.0
    naive = 0.0
    start = tree.path(before)[-1]
    for row in rows:
        tokens = sum(tree.values(row)[len(before) :])
        surprisal = tokens + tree.bounds[start] - tree.bounds[tree.path(row)[-1]]
        total += 2**-surprisal
        naive += 2**-tokens
    end = torch.softmax(model.model.after(before), -1)
    boundary = end[[EOS, A, B]].sum().item()
    assert tree.bounds[start] == pytest.approx(math.log2(boundary))
    # A word, or the end of the text.
    assert total + end[EOS].item() / boundary == pytest.approx(1, abs=1e-12)
    assert naive > 1.5 or abs(naive - 1) > 0.05


def bound_by_hand(model, ids, tokens):
    with torch.no_grad():
        logits = model.model(torch.tensor([list(ids)])).logits[0, -1].double()
    return math.log2(torch.softmax(logits, -1)[list(tokens)].sum().item())


@pytest.fixture(scope="module", params=["byte-level BPE", "Unigram"])
def model(request):
    sentences = our_sentences()[::20]
    tokenizer = tokenizer_of(request.param, sentences)
    bos = bos_ids(tokenizer, "auto")
    return CausalModel(lively_gpt2(len(tokenizer), "float64"), tokenizer, ("local/t", "t"), bos=bos)


@pytest.mark.parametrize("strategy", ["packed", "padded"])
def test_both_strategies_give_the_boundaries_of_a_plain_pass(model, strategy):
    rows = [model.bos + model.tokenize(text).ids for text in our_sentences()[::60]]
    tree = PrefixTree(rows)
    ends = {node for row in rows for node in tree.path(row)}
    assert compute(tree, model, Computing(strategy, 64), ends=ends).way == strategy
    chosen = boundary_tokens(model.tokenizer)
    for row in rows[:6]:
        for count, node in enumerate(tree.path(row), 1):
            assert tree.bounds[node] == pytest.approx(
                bound_by_hand(model, row[:count], chosen), abs=1e-6
            )


def scored(model, regions, boundary, join="core", **settings):
    data = suite_of([{"a": regions, "b": regions}], ["(1;%a%) = (1;%b%)"])
    suite = prepare(data, "x", join)
    choices = Settings(boundary=boundary, join=join, **settings)
    result = score_suites([suite], model, choices)
    return [math.fsum(values) for values in result.suites[0].surprisals[0][0]]


def test_terms_cancel_within_regions(model):
    words = ["The", "pilot", "near the guard", "laughs", "."]
    each = scored(model, words, "corrected")
    merged = scored(model, ["The pilot", "near the guard", "laughs ."], "corrected")
    assert merged == pytest.approx([each[0] + each[1], each[2], each[3] + each[4]])
    plain = scored(model, words, "none")
    ids = model.bos + model.tokenize("The pilot near the guard laughs .").ids
    end = bound_by_hand(model, ids, boundary_tokens(model.tokenizer))
    # Before the first word nothing has to end; after the last one, it has.
    assert sum(each) - sum(plain) == pytest.approx(-end)
    first = model.bos + model.tokenize("The").ids
    bound = bound_by_hand(model, first, boundary_tokens(model.tokenizer))
    assert each[0] - plain[0] == pytest.approx(-bound)


def test_punctuation_that_is_joined_without_a_space_has_no_term_there(model):
    regions = ["The pilot", "laughs", "."]
    plain = scored(model, regions, "none", join="brainscore")
    each = scored(model, regions, "corrected", join="brainscore")
    sentence = join_regions(regions, "brainscore")
    assert sentence.text == "The pilot laughs."
    tokens = model.tokenize(sentence.text)
    assigned = assign_tokens(tokens.spans, sentence)
    found = edges(tokens.spans, assigned, sentence)
    inner = {region if region >= 0 else ~region for count, region in found if count < len(assigned)}
    assert inner == {0, 1}
    assert len(found) == 3
    chosen = boundary_tokens(model.tokenizer)
    start = model.bos + tokens.ids[: assigned.index(1)]
    assert each[1] - plain[1] == pytest.approx(bound_by_hand(model, start, chosen))


def test_without_bos_the_first_region_is_undefined_all_the_same():
    sentences = our_sentences()[::20]
    tokenizer = tokenizer_of("byte-level BPE", sentences)
    model = CausalModel(lively_gpt2(len(tokenizer), "float64"), tokenizer, ("local/t", "t"))
    data = suite_of([{"a": ["The", "pilot"], "b": ["The", "guard"]}], ["(2;%a%) < (2;%b%)"])
    result = score_suites([prepare(data, "x", "core")], model, Settings(boundary="corrected"))
    assert result.suites[0].surprisals[0][0][0][0] is None


def test_metrics_of_single_tokens_are_refused():
    data = suite_of([{"a": ["The", "pilot"], "b": ["The", "guard"]}], ["(2;%a%) < (2;%b%)"], "mean")
    suite = prepare(data, "x", "core")
    with pytest.raises(ScoringError, match="needs the metric sum; the suite's is mean"):
        score_suites([suite], load_model("demo", device="cpu"), Settings(boundary="corrected"))


class Words:
    eos_token_id = sep_token_id = None
    all_special_ids = ()

    def __init__(self, *tokens):
        self.tokens = tokens

    def get_vocab(self):
        return {token: number for number, token in enumerate(self.tokens)}


def test_kinds_of_tokenizers():
    assert boundary_tokens(Words("Ġa", "b", "Ċ")) == (0, 2)
    assert boundary_tokens(Words("▁a", "b")) == (0,)
    assert boundary_tokens(Words("a", "##b", "c")) == (0, 2)
    assert boundary_tokens(Words("a</w>", "b")) is None  # words say themselves where they end
    with pytest.raises(ScoringError, match="neither the beginnings nor the ends of words"):
        boundary_tokens(Words("a", "b"))


#: Tokenizer -> how it spells a newline and a tab, and whether their tokens are in S.
LINE_BREAKS = {
    "byte-level BPE": ("Ċ", "ĉ", True),
    "demo": ("Ċ", "ĉ", True),
    "Unigram": ("<unk>", "<unk>", False),
    "WordPiece": (None, None, False),
}


@pytest.mark.parametrize("kind", LINE_BREAKS)
def test_newline_and_tab_end_a_word_and_have_tokens_in_some_tokenizers(kind):
    tokenizer = demo_tokenizer() if kind == "demo" else tokenizer_of(kind, our_sentences()[::20])
    *spelled, in_s = LINE_BREAKS[kind]
    ends = set(boundary_tokens(tokenizer))
    for break_, name in zip("\n\t", spelled, strict=True):
        sentence = join_regions([f"The pilot{break_}laughs"], "core")
        encoded = tokenizer(sentence.text, add_special_tokens=False, return_offsets_mapping=True)
        names = tokenizer.convert_ids_to_tokens(encoded["input_ids"])
        spans = [tuple(span) for span in encoded["offset_mapping"]]
        if name is None:
            assert not any(start <= 9 < end for start, end in spans)  # no token has it
            continue
        at = spans.index((9, 10))
        assert names[at] == name
        assert (encoded["input_ids"][at] in ends) == in_s
        # If a region ends there, it ends with a word; the token goes to the next region.
        cut = sentence._replace(spans=((0, 9), (10, 16)))
        assigned = assign_tokens(spans, cut)
        assert assigned[at] == 1
        assert {(at, ~0), (at, 1)} <= set(edges(spans, assigned, cut))


def test_only_newline_and_tab_are_ends_of_words_besides_the_space():
    assert boundary_tokens(Words("Ġa", "Ċ", "ĉ", "Ċb", "č", "c")) == (0, 1, 2, 3)
    assert boundary_tokens(Words("▁a", "<0x0A>", "<0x09>", "\n", "\t")) == (0,)


def test_the_command_says_it_in_the_record_and_refuses_recorded_values(run, tmp_path):
    suite = FIXTURES / "suites/garden_path.json"
    run(
        "evalmark", "score", suite, "--model", "demo", "--boundary", "corrected",
        "--out", tmp_path, "-q", "--limit", "4", code=0,
    )  # fmt: skip
    assert settings_of(tmp_path)["boundary"] == "corrected"
    evaluated = FIXTURES / "legacy/evaluated.new.json"
    refused = run(
        "evalmark", "score", evaluated, "--surprisals=recorded", "--boundary", "corrected", code=2
    )
    assert "'corrected' needs a model" in refused.err
