"""Which tokens of a pack see which, in three ways; and how large packs may be."""

import random
import shutil
import sys

import pytest
from evalmark.scoring.models import language_models as causal
from evalmark.scoring.models.language_models import (
    BLOCK,
    DENSE,
    LARGEST,
    Shape,
    additive_mask,
    agree,
    block_mask,
    filled,
    fitting_tokens,
    sample_pack,
    shape_of,
    tokens_that_fit,
)
from evalmark.scoring.score_settings import PACK_TOKENS, Computing
from evalmark.scoring.surprisals.compute import compute
from evalmark.scoring.surprisals.prefix_packs import PackValues, PrefixTree, packs
from hypothesis import given
from hypothesis import strategies as st
from test_packs import lively, sentences, worst

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

ROWS = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6).map(tuple), min_size=1)


def by_parents(pack):
    """Each token sees itself, its parent, and what that sees."""
    size = len(pack.tokens)
    seen = torch.zeros(size, size, dtype=torch.bool)
    for index, parent in enumerate(pack.parents):
        if parent >= 0:
            seen[index] = seen[parent]
        seen[index, index] = True
    return seen


def by_blocks(exits):
    """All pairs of a block mask: skipped blocks, whole ones, and the test inside the others."""
    mask = block_mask(exits)
    size = len(exits)
    at = torch.arange(size)
    inside = mask.mask_mod(0, 0, at[:, None], at[None])
    seen = torch.zeros(size, size, dtype=torch.bool)
    kinds = (
        (mask.kv_num_blocks, mask.kv_indices, inside),
        (mask.full_kv_num_blocks, mask.full_kv_indices, torch.ones_like(inside)),
    )
    for counts, indices, values in kinds:
        for row, count in enumerate(counts[0, 0].tolist()):
            for column in indices[0, 0, row, :count].tolist():
                part = (slice(row * BLOCK, row * BLOCK + BLOCK),
                        slice(column * BLOCK, column * BLOCK + BLOCK))  # fmt: skip
                seen[part] = values[part]
    return seen


def require_equal_masks(pack):
    exits = torch.tensor(pack.exits)
    expected = by_parents(pack)
    size = len(exits)
    added = additive_mask(exits, torch.float32)[0, 0]
    assert torch.equal(added == 0, expected)
    assert (added[~expected] == torch.finfo(torch.float32).min).all()
    long = filled(exits)
    inside = block_mask(long).mask_mod(0, 0, torch.arange(size)[:, None], torch.arange(size))
    assert torch.equal(inside, expected)
    blocks = by_blocks(long)
    assert torch.equal(blocks[:size, :size], expected)
    assert torch.equal(blocks[size:], torch.eye(len(long), dtype=torch.bool)[size:])
    assert not blocks[:size, size:].any()


@given(ROWS, st.integers(1, 30))
def test_all_masks_of_a_pack_are_the_same(rows, budget):
    for pack in packs(PrefixTree(rows), budget):
        if pack.tokens:
            require_equal_masks(pack)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_all_masks_of_a_pack_of_several_blocks_are_the_same(seed):
    r = random.Random(seed)
    rows = [(0,) * 300]
    while len(rows) < 80:
        start = r.choice(rows)[: r.choice([r.randrange(1, 40), 290])]
        rows.append((*start, *(r.randrange(5) for _ in range(r.randrange(1, 150)))))
    (pack,) = packs(PrefixTree(rows), 100_000)
    assert len(pack.tokens) > 10 * BLOCK
    require_equal_masks(pack)
    mask = block_mask(filled(torch.tensor(pack.exits)))
    assert mask.full_kv_num_blocks.sum() > 0
    assert mask.sparsity() > 50


def test_the_pack_that_attention_is_tried_on_has_several_blocks():
    pack = sample_pack(97, 1024)
    assert BLOCK < len(pack.tokens) < DENSE
    assert max(pack.tokens) < 97
    assert max(pack.depths) < 24
    assert max(sample_pack(97, 8).depths) < 8


@pytest.fixture
def without_compiling(monkeypatch):
    """FlexAttention as plain functions of torch; to compile it takes a minute."""
    from torch.nn.attention import flex_attention as theirs
    from transformers.integrations import flex_attention as used

    def plain(query, key, value, training=False, **options):
        return theirs.flex_attention(query, key, value, **options)

    monkeypatch.setattr(theirs, "_FLEX_ATTENTION_DISABLE_COMPILE_DEBUG", True)
    monkeypatch.setattr(used, "compile_friendly_flex_attention", plain)


@pytest.mark.filterwarnings("ignore:flex_attention called without")
@pytest.mark.parametrize("name", ["Llama", "Gemma 2", "OPT"])
def test_a_model_reads_blocks_as_it_reads_sentences(name, without_compiling, monkeypatch):
    rows = sample_pack(97, None).sequences
    model = lively(name, "float32")
    before = model.whole.model.config._attn_implementation
    monkeypatch.setattr(causal, "DENSE", 100)
    model.whole.has_block_attention = True
    read = []
    real = causal.block_mask
    monkeypatch.setattr(causal, "block_mask", lambda exits: read.append(len(exits)) or real(exits))
    tree = PrefixTree(rows)
    computed = compute(tree, model, Computing(pack_tokens=400))
    assert computed.way == "packed", computed.reason
    assert read
    assert set(read) <= {128, 256, 512}
    assert worst(model, tree, rows) < 1e-4
    assert model.whole.model.config._attn_implementation == before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("g++"), reason="no compiler")
def test_packs_of_several_lengths_are_right_when_compiled(monkeypatch, tmp_path):
    """What was compiled for the mask of one pack is used with that of the next."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(causal, "DENSE", 60)
    read = []
    real = causal.block_mask
    monkeypatch.setattr(causal, "block_mask", lambda exits: read.append(len(exits)) or real(exits))
    model = lively("Llama", "float32", max_position_embeddings=512)
    model.whole.has_block_attention = True
    rows = sentences(count=150, longest=30)
    tree = PrefixTree(rows)
    computed = compute(tree, model, Computing(pack_tokens=240))
    assert computed.way == "packed", computed.reason
    assert set(read) == {128, 256}, read
    assert worst(model, tree, rows) < 1e-4


def test_without_a_gpu_packs_have_additive_masks_and_256_tokens():
    model = lively("Llama").whole
    assert not model.has_block_attention
    assert model.pack_tokens == fitting_tokens(model.model, blocks=False) == PACK_TOKENS


def test_attention_that_does_not_compile_or_is_wrong_is_not_used(monkeypatch):
    def has_block_attention(blocks, name="Llama"):
        model = lively(name, "float32").whole
        with monkeypatch.context() as patch:
            patch.setattr(type(model.model), "device", torch.device("cuda"))
            patch.setattr(causal.CausalModel, "_read_blocks", blocks)
            patch.setattr(causal.CausalModel, "_read_densely", lambda *_: PackValues([1.0], []))
            return model.has_block_attention

    def broken(self, pack):
        raise RuntimeError("no kernel")

    assert has_block_attention(lambda *_: PackValues([1.0], []))
    assert not has_block_attention(broken)
    assert not has_block_attention(lambda *_: PackValues([1.1], []))
    assert not has_block_attention(lambda *_: PackValues([1.0], []), "GPT-2")  # it has none


# memory


def test_packs_grow_with_free_memory_up_to_a_limit():
    small = Shape(hidden=768, inner=3072, heads=12, element=4)
    large = Shape(hidden=4096, inner=14_336, heads=32, element=2)
    sizes = [2**exponent for exponent in range(20, 38)]
    for shape in (small, large):
        for blocks, most in ((True, LARGEST), (False, DENSE)):
            found = [tokens_that_fit(free, shape, blocks=blocks) for free in sizes]
            assert found == sorted(found)
            assert (found[0], found[-1]) == (PACK_TOKENS, most)
            assert all(size & (size - 1) == 0 for size in found)
    for size in (512, 4096):
        free = 2 * large.bytes_of(size, blocks=True)
        assert tokens_that_fit(free, large, blocks=True) == size
        assert tokens_that_fit(free - 2, large, blocks=True) < size


def test_a_token_takes_the_activations_of_a_layer():
    wide = Shape(hidden=4096, inner=0, heads=32, element=2)
    each = wide.bytes_of(1, blocks=True) - wide.bytes_of(0, blocks=True)
    assert each == 2 * 12 * 4096 + 8 * 4096  # and its row in float64


def test_the_shape_is_that_of_the_configuration():
    assert shape_of(lively("GPT-2", "float32").whole.model) == (32, 128, 4, 4)
    assert shape_of(lively("Llama", "bfloat16").whole.model) == (32, 64, 4, 2)
    assert shape_of(lively("OPT", "float64").whole.model) == (32, 64, 4, 8)


def test_surprisals_that_differ_do_not_agree():
    assert agree([1.0, 2.0], [1.0, 2.0005], 1e-3)
    assert not agree([1.0, 2.0], [1.0, 2.1], 1e-3)
    assert not agree([1.0], [float("nan")], 1e-3)
