"""Which tokens of a pack see which, in two ways; and how large packs are."""

import pytest
from evalmark.scoring.models.language_models import additive_mask
from evalmark.scoring.score_settings import Computing
from evalmark.scoring.surprisals.prefix_packs import PrefixTree, packs
from evalmark.scoring.surprisals.surprisal_computation import fitting
from hypothesis import given
from hypothesis import strategies as st
from test_packs import lively

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


@given(ROWS, st.integers(1, 30))
def test_a_token_sees_its_path_and_nothing_else(rows, budget):
    for pack in packs(PrefixTree(rows), budget):
        if pack.tokens:
            expected = by_parents(pack)
            added = additive_mask(torch.tensor(pack.exits), torch.float32)[0, 0]
            assert torch.equal(added == 0, expected)
            assert (added[~expected] == torch.finfo(torch.float32).min).all()


@pytest.mark.parametrize(("device", "tokens"), [("cpu", 256), ("cuda", 2048)])
def test_a_pack_is_larger_on_cuda(monkeypatch, device, tokens):
    model = lively("Llama").whole
    monkeypatch.setattr(type(model.model), "device", torch.device(device))
    assert model.pack_tokens == tokens
    assert fitting(Computing(), model).pack_size == min(tokens, model.max_tokens)
