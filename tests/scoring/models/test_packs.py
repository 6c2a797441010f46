"""Packs of prefixes against a plain loop, for the architectures people use; and when not to pack.

Weights are ten times livelier than the default, so that a wrong position or a lost mask shows.
"""

import contextlib
import math
import os
import random

import pytest
from conftest import needs_links, needs_modes
from evalmark.scoring.models.language_models import CausalModel
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.score_settings import Computing
from evalmark.scoring.surprisals.prefix_packs import (
    Pack,
    PackValues,
    PrefixTree,
    batches,
    levels,
    packs,
    plan,
)
from evalmark.scoring.surprisals.surprisal_computation import (
    CHECKED,
    Computed,
    FolderStore,
    compute,
    fitting,
)
from evalmark.validator.settings.user_config import user_folder
from hypothesis import given
from hypothesis import strategies as st
from small_models import plain_bits

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

VOCABULARY = 97
TOLERANCE = {"float64": 1e-8, "float32": 1e-4}
#: These compute norms or attention in float32, whatever their dtype.
ROUGHER = {"Gemma 2": 1e-5, "GPT-Neo": 1e-5, "Bloom": 1e-5, "Mamba": 1e-5}

SMALL = {
    "vocab_size": VOCABULARY, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
    "max_position_embeddings": 128, "initializer_range": 0.2, "bos_token_id": 0, "eos_token_id": 0,
    "pad_token_id": 0,
}  # fmt: skip


def configs():
    t = transformers
    gpt2 = {"vocab_size": VOCABULARY, "n_positions": 128, "n_embd": 32, "n_layer": 2, "n_head": 4,
            "initializer_range": 0.2, "bos_token_id": 0, "eos_token_id": 0}  # fmt: skip
    return {
        "GPT-2": (t.GPT2LMHeadModel, t.GPT2Config(**gpt2)),
        "Llama": (
            t.LlamaForCausalLM,
            t.LlamaConfig(**SMALL, intermediate_size=64, num_key_value_heads=2),
        ),
        "GPT-NeoX": (t.GPTNeoXForCausalLM, t.GPTNeoXConfig(**SMALL, intermediate_size=64)),
        "Qwen2": (
            t.Qwen2ForCausalLM,
            t.Qwen2Config(**SMALL, intermediate_size=64, num_key_value_heads=2),
        ),
        "OPT": (
            t.OPTForCausalLM,
            t.OPTConfig(
                **{k: v for k, v in SMALL.items() if k != "initializer_range"},
                init_std=0.2, ffn_dim=64, word_embed_proj_dim=32,
            ),
        ),
        "Phi": (t.PhiForCausalLM, t.PhiConfig(**SMALL, intermediate_size=64)),
        "Gemma 2": (
            t.Gemma2ForCausalLM,
            t.Gemma2Config(
                **SMALL, intermediate_size=64, num_key_value_heads=2, head_dim=8,
                sliding_window=128,
            ),
        ),
        "GPT-Neo": (
            t.GPTNeoForCausalLM,
            t.GPTNeoConfig(
                vocab_size=VOCABULARY, hidden_size=32, num_layers=2, num_heads=4, window_size=16,
                attention_types=[[["global", "local"], 1]], max_position_embeddings=128,
                initializer_range=0.2, bos_token_id=0, eos_token_id=0,
            ),
        ),
        "Bloom": (
            t.BloomForCausalLM,
            t.BloomConfig(vocab_size=VOCABULARY, hidden_size=32, n_layer=2, n_head=4,
                          initializer_range=0.2, bos_token_id=0, eos_token_id=0),
        ),
        "Mamba": (
            t.MambaForCausalLM,
            t.MambaConfig(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2,
                          state_size=4, bos_token_id=0, eos_token_id=0, pad_token_id=0),
        ),
    }  # fmt: skip


ROWS = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6).map(tuple), min_size=1)
PACKABLE = ("GPT-2", "Llama", "GPT-NeoX", "Qwen2", "OPT", "Phi", "Gemma 2")


class Ids:
    """A model of the library, and no tokenizer: the tests say which tokens."""

    pack_digest = ""  # so that each run checks its packs

    def __init__(self, model):
        self.whole = CausalModel(model, None, ("local/test", "test"))

    def __getattr__(self, name):
        return getattr(self.whole, name)

    @property
    def info(self):
        dtype = str(next(self.whole.model.parameters()).dtype).removeprefix("torch.")
        return ModelInfo("local/test", "test", ("transformers", "5"), {"dtype": dtype})


def lively(name, dtype="float64", **changes):
    kind, config = configs()[name]
    for key, value in changes.items():
        setattr(config, key, value)
    torch.manual_seed(0)
    return Ids(kind(config).eval().to(getattr(torch, dtype)))


def sentences(count=60, longest=24, seed=0):
    """Sentences that share beginnings, as those of a suite do."""
    r = random.Random(seed)
    stems = [[0, *(r.randrange(1, VOCABULARY) for _ in range(longest // 2))] for _ in range(6)]
    made = {(0, 1), (0, 1, 2)}
    while len(made) < count:
        stem = r.choice(stems)[: r.randrange(2, longest // 2)]
        made.add(
            (*stem, *(r.randrange(1, VOCABULARY) for _ in range(r.randrange(1, longest // 2))))
        )
    return sorted(made)


def worst(model, tree, rows):
    return max(
        abs(one - other)
        for ids in rows
        for one, other in zip(tree.values(ids)[1:], plain_bits(model.whole.model, ids), strict=True)
    )


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["packed", "padded"])
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", PACKABLE)
def test_a_model_reads_packs_as_it_reads_sentences(name, dtype, strategy):
    rows = sentences()
    for pack_tokens in (40, 500):
        tree = PrefixTree(rows)
        model = lively(name, dtype)
        computed = compute(tree, model, Computing(strategy, pack_tokens))
        assert computed.way == strategy, computed.reason
        assert worst(model, tree, rows) < max(TOLERANCE[dtype], ROUGHER.get(name, 0))


@pytest.mark.parametrize("pack_tokens", [None, 400])
def test_a_pack_is_never_longer_than_the_model_reads(pack_tokens):
    rows = sentences(count=120)
    model = lively("GPT-2", n_positions=32)
    tree = PrefixTree(rows)
    assert max(len(pack.tokens) for pack in packs(tree, 400)) > 64
    computing = Computing(pack_tokens=pack_tokens)
    assert fitting(computing, model).pack_size == 32
    assert compute(tree, model, computing).way == "packed"
    assert worst(model, tree, rows) < 1e-8


@pytest.mark.parametrize("name", ["GPT-Neo", "Bloom", "Mamba"])
def test_a_model_that_cannot_read_packs_computes_each_prefix_once_by_its_cache(name):
    rows = sentences()
    model = lively(name)
    tree = PrefixTree(rows)
    computed = compute(tree, model, Computing(pack_tokens=300))
    assert computed.way == "cached", computed
    assert computed.reason
    assert worst(model, tree, rows) < ROUGHER[name]


@pytest.mark.parametrize("name", ["GPT-Neo", "Bloom", "Mamba"])
def test_values_by_the_cache_are_those_of_plain_rows_in_float32(name):
    rows = sentences()
    values = []
    for strategy in ("packed", "padded"):
        model, tree = lively(name, "float32", initializer_range=0.02), PrefixTree(rows)
        computing = Computing(strategy, pack_tokens=300)
        assert compute(tree, model, computing).way == {"packed": "cached"}.get(strategy, strategy)
        values.append([bits for ids in rows for bits in tree.values(ids)[1:]])
    assert values[0] == pytest.approx(values[1], abs=1e-6 * VOCABULARY)


def test_the_cache_is_never_of_more_tokens_than_four_batches_and_prefixes_are_read_once():
    rows = sorted(sentences(count=120))
    tree, read = PrefixTree(rows), []

    class Noting(Ids):
        def read_levels(self, made):
            sizes = [depth * len(level.tokens) for depth, level in enumerate(made, 1)]
            read.append((max(sizes), sum(len(level.tokens) for level in made)))
            return self.whole.read_levels(made)

    computing = Computing(pack_tokens=300, batch_tokens=200)
    assert compute(tree, Noting(lively("Bloom").whole.model), computing).way == "cached"
    assert max(size for size, _ in read) <= 800
    assert len(read) > 3
    assert sum(tokens for _, tokens in read) < 0.7 * sum(map(len, rows))


@given(ROWS, st.integers(4, 40), st.booleans())
def test_levels_ask_for_every_prefix_once_and_read_what_is_before_it(rows, budget, with_ends):
    tree = PrefixTree(rows)
    ends = {tree.path(row)[-1] for row in rows} if with_ends else set()
    asked, known, ended = [], set(), []
    for group in batches(sorted(tree.leaves), budget):
        paths = [()]
        for level in levels(tree, group, known, ends):
            before = paths
            paths = [(*before[p], t) for p, t in zip(level.parents, level.tokens, strict=True)]
            asked += [(*paths[target.after], target.token) for target in level.targets]
            ended += [paths[end.after] for end in level.ends]
    assert sorted(asked) == sorted({row[: n + 1] for row in rows for n in range(1, len(row))})
    assert {*ended} == ({*rows} if with_ends else set())


def test_sentences_that_share_little_are_padded():
    rows = [(0, *range(first, first + 18)) for first in range(1, 60, 9)]
    computed = compute(PrefixTree(rows), lively("Bloom"))
    assert computed.way == "padded"
    assert "; sentences share too little for the model's cache" in computed.reason


def test_few_long_sentences_are_padded():
    """Steps of three tokens are slower than rows."""
    rows = [(0, *range(1, 40), last) for last in range(1, 4)]
    computed = compute(PrefixTree(rows), lively("Bloom"))
    assert computed.way == "padded"
    assert "; steps of the model's cache would have too few tokens (1.0" in computed.reason


def test_a_cache_that_goes_wrong_is_noticed():
    class Wrong(Ids):
        def read_levels(self, made):
            for values in self.whole.read_levels(made):
                yield PackValues([bits + 0.01 for bits in values.surprisals], values.bounds)

    rows = sentences()
    model, tree = Wrong(lively("Bloom").whole.model), PrefixTree(rows)
    computed = compute(tree, model)
    assert computed.way == "padded"
    assert computed.reason.endswith("values by the model's cache differ by 0.01 bits")
    assert worst(model, tree, rows) < ROUGHER["Bloom"]


@pytest.mark.parametrize(
    ("name", "strategy", "method"),
    [("Bloom", "padded", "surprisals"), ("Bloom", "packed", "read_levels"),
     ("GPT-2", "packed", "read_pack")],
)  # fmt: skip
def test_a_run_that_ends_anywhere_resumes_to_the_same_bits(tmp_path, name, strategy, method):
    """The batch that was being computed is computed again, and none before it."""
    rows, model = sentences(), lively(name, "float32")
    computing = Computing(strategy, pack_tokens=40, batch_tokens=20)
    undisturbed = PrefixTree(rows)
    done = compute(undisturbed, model, computing)
    read, calls = getattr(model.whole, method), []

    def dying(*arguments):
        calls.append(1)
        if len(calls) == dies:
            raise KeyboardInterrupt
        return read(*arguments)

    setattr(model.whole, method, dying)
    for dies in range(2, 22, 3):
        folder = tmp_path / str(dies)
        folder.mkdir()
        calls.clear()
        with contextlib.suppress(KeyboardInterrupt):
            compute(PrefixTree(rows), model, computing, store=FolderStore(folder, "plan", 0))
        if len(calls) < dies:
            break  # fewer calls than that in all
        tree, before = PrefixTree(rows), len(calls)
        resumed = compute(tree, model, computing, store=FolderStore(folder, "plan", 0))
        assert resumed == done
        assert [tree.values(ids) for ids in rows] == [undisturbed.values(ids) for ids in rows]
        if strategy == "padded":
            again = PrefixTree(rows)
            calls.clear()
            compute(again, model, computing, store=FolderStore(folder, "plan", 0))
            assert (calls, before) == ([], dies)


def test_packs_are_used_inside_a_window_that_is_wider_than_they_are():
    rows = sentences(count=40, longest=10)
    model = lively("GPT-Neo")
    assert (model.pack_tokens, lively("GPT-2").pack_tokens) == (16, 256)
    tree = PrefixTree(rows)
    assert compute(tree, model) == Computed("packed")
    assert worst(model, tree, rows) < ROUGHER["GPT-Neo"]


@pytest.mark.parametrize("error", [TypeError, ValueError, RuntimeError, IndexError])
def test_the_reason_has_no_words_of_a_library(error):
    class Refusing(Ids):
        def read_pack(self, pack):
            raise error("mat1 and mat2 shapes cannot be multiplied (3x4 and 5x6)")

    model = lively("GPT-2")
    computed = compute(PrefixTree(sentences()), Refusing(model.whole.model))
    assert computed == Computed("cached", "the model does not accept a tree mask")


def test_a_small_pack_hides_what_a_large_one_shows():
    """GPT-Neo looks at a window: packs within it are exact, packs beyond it are not."""
    rows = sentences(count=40, longest=10)
    model = lively("GPT-Neo")
    small = PrefixTree(rows)
    assert compute(small, model, Computing(pack_tokens=12)).way == "packed"
    assert worst(model, small, rows) < ROUGHER["GPT-Neo"]
    large = compute(PrefixTree(rows), model, Computing(pack_tokens=200))
    assert large.way == "cached"
    assert large.reason.startswith("a pack of")


class Broken(Ids):
    """A model whose packs go wrong in one way."""

    def __init__(self, model, how):
        super().__init__(model)
        self.how = how

    def read_pack(self, pack):
        size = len(pack.tokens)
        if self.how == "mask":  # every token sees all before it
            pack = Pack(pack.tokens, list(range(-1, size - 1)), pack.depths, pack.targets)
        if self.how == "position":
            depths = [depth + 1 for depth in pack.depths]
            pack = Pack(pack.tokens, pack.parents, depths, pack.targets)
        if self.how == "nan":
            return PackValues([math.nan] * len(pack.targets), [])
        return self.whole.read_pack(pack)


@pytest.mark.parametrize("how", ["mask", "position", "nan"])
def test_a_lost_mask_and_a_shifted_position_are_noticed(how):
    rows = sentences()
    model = Broken(lively("GPT-2").whole.model, how)
    tree = PrefixTree(rows)
    computed = compute(tree, model)
    assert computed.way == "cached"
    assert "differs by" in computed.reason
    assert worst(model, tree, rows) < 1e-8


def test_what_goes_wrong_after_the_probe_is_noticed_too():
    rows = sentences()
    model = lively("GPT-2")
    calls = []

    class Late(Ids):
        def read_pack(self, pack):
            calls.append(len(pack.tokens))
            values = self.whole.read_pack(pack)
            return (
                values if len(calls) < 2 else PackValues([v + 0.01 for v in values.surprisals], [])
            )

    late = Late(model.whole.model)
    tree = PrefixTree(rows)
    computed = compute(tree, late, Computing(pack_tokens=40))
    assert "computed again without packs differ by 0.01" in computed.reason
    assert worst(model, tree, rows) < 1e-8


def test_a_pack_that_cannot_be_computed_is_no_end_of_the_run():
    rows = sentences()
    model = lively("GPT-2")
    calls = []

    class Full(Ids):
        def read_pack(self, pack):
            calls.append(pack)
            if len(calls) > 2:
                raise torch.OutOfMemoryError("CUDA out of memory.\nTried to allocate 2 GiB")
            return self.whole.read_pack(pack)

    tree = PrefixTree(rows)
    computed = compute(tree, Full(model.whole.model), Computing(pack_tokens=40))
    assert computed.way == "cached"
    assert computed.reason == "a pack of 39 tokens does not fit into memory; smaller packs may"
    assert worst(model, tree, rows) < 1e-8


def test_single_tokens_without_bos_have_nothing_to_compute():
    tree = PrefixTree([(1,), (2,)])
    assert compute(tree, lively("GPT-2")).way == "packed"
    assert tree.values((1,)) == [None]


@given(ROWS, st.integers(1, 12))
def test_packs_ask_for_every_prefix_once_and_read_what_is_before_it(rows, budget):
    tree = PrefixTree(rows)
    asked = {}
    for pack in packs(tree, budget):
        assert len(pack.tokens) <= budget or sum(len(ids) > 1 for ids in pack.sequences) == 1
        for index, parent in enumerate(pack.parents):
            assert parent < index
            assert pack.depths[index] == (pack.depths[parent] + 1 if parent >= 0 else 0)
        for target in pack.targets:
            assert target.node not in asked
            path = [target.token]
            at = target.after
            while at >= 0:
                path.insert(0, pack.tokens[at])
                at = pack.parents[at]
            asked[target.node] = tuple(path)
    wanted = {row[: n + 1] for row in rows for n in range(1, len(row))}
    assert sorted(asked.values()) == sorted(wanted)


@given(ROWS)
def test_packs_do_not_depend_on_the_order_of_sentences(rows):
    def made(given):
        return [
            (p.tokens, p.parents, [(t.after, t.token) for t in p.targets])
            for p in packs(PrefixTree(given), 7)
        ]

    assert made(rows) == made(rows[::-1])


def test_the_plan_counts():
    rows = [(0, 1, 2), (0, 1, 3), (0, 1, 2, 4), (0, 5)]
    tree = PrefixTree(rows)
    made = list(packs(tree))
    found = plan(tree, rows, made)
    assert (found.sentences, found.tokens, found.prefixes) == (4, 12, 6)
    assert (found.read, found.packs, found.largest) == (3, 1, 3)  # what is last is not read
    assert found.saving == 4


class Counted(CausalModel):
    """A model that counts the tokens that it reads as plain rows, without and with packs."""

    plain = packed = 0

    def surprisals(self, rows, places=None, /):
        self.plain += sum(map(len, rows))
        return super().surprisals(rows, places)

    def read_pack(self, pack):
        self.packed += len(pack.tokens)
        return super().read_pack(pack)


class WithoutTokenizer(Counted):
    info = ModelInfo("local/test", "test", ("transformers", "5"), {"dtype": "float32"})


def counted(name="GPT-2", **changes):
    model = lively(name, "float32", **changes)
    return WithoutTokenizer(model.whole.model, None, ("local/test", "test"))


def checked(model, rows=None, pack_tokens=64):
    """How many tokens a run reads without packs, to compare values."""
    model.plain = model.packed = 0
    rows = sentences() if rows is None else rows
    computed = compute(PrefixTree(rows), model, Computing(pack_tokens=pack_tokens))
    assert computed.way == "packed", computed.reason
    return model.plain


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The user's folder of evalmark for caches."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "evalmark"


def test_the_check_of_packs_takes_a_bounded_share_of_a_run(cache):
    for count in (30, 60, 200):
        model, rows = counted(), sentences(count=count)
        longest = max(map(len, rows))
        assert 0 < checked(model, rows) <= 2 * max(CHECKED * model.packed, longest)


def test_a_model_that_passed_is_not_checked_again(cache):
    rows = sentences()
    first, second = PrefixTree(rows), PrefixTree(rows)
    assert checked(counted()) > 0
    (note,) = cache.rglob("*.*")
    before = note.read_bytes()
    model = counted()
    assert checked(model) == 0
    assert note.read_bytes() == before
    compute(first, model, Computing(pack_tokens=64))
    note.unlink()
    compute(second, model, Computing(pack_tokens=64))
    assert model.plain > 0
    assert [first.values(row) for row in rows] == [second.values(row) for row in rows]


def test_packs_that_reach_farther_are_checked(cache):
    few, long = sentences(longest=12), sentences(longest=40)
    assert checked(counted(), few, pack_tokens=40) > 0
    assert checked(counted(), few, pack_tokens=30) == 0
    assert checked(counted(), few, pack_tokens=64) > 0  # larger packs
    assert checked(counted(), long, pack_tokens=64) > 0  # longer sentences
    assert checked(counted(), few, pack_tokens=64) == 0
    assert checked(counted(), long, pack_tokens=64) == 0


def test_another_model_or_version_is_checked(cache, monkeypatch):
    assert checked(counted()) > 0
    with monkeypatch.context() as patch:
        patch.setattr(torch, "__version__", "99.0")
        assert checked(counted()) > 0
    with monkeypatch.context() as patch:
        patch.setattr(transformers, "__version__", "99.0")
        assert checked(counted()) > 0
    other = counted()
    with torch.no_grad():
        other.model.transformer.h[0].mlp.c_fc.bias[0] += 1
    assert checked(other) > 0
    # The same weights, configured in another way.
    assert checked(counted(scale_attn_by_inverse_layer_idx=True)) > 0
    assert checked(counted()) == 0


def test_settings_in_another_order_are_the_same_model():
    one, other = counted(first=1, second=2), counted(second=2, first=1)
    assert one.pack_digest == other.pack_digest
    assert one.pack_digest != counted(first=2, second=1).pack_digest


def test_code_that_is_not_of_transformers_is_always_checked(cache):
    class Own(transformers.GPT2LMHeadModel):
        """Code that comes with a model: its digest would not say when it changes."""

    for _ in range(2):
        torch.manual_seed(0)
        model = Own(configs()["GPT-2"][1]).eval()
        assert checked(WithoutTokenizer(model, None, ("local/test", "test"))) > 0
    assert not cache.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[1]", b"\xff", b'{"tokens": 256}', b'{"tokens": 256, "depth": "40"}',
        b'{"tokens": true, "depth": 40}', b'{"tokens": 256, "depth": 40, "more": 1}',
        b'{"tokens": 256, "depth": 40}' + b" " * 5000 + b"x",
    ],
)  # fmt: skip
def test_a_damaged_note_is_ignored_and_replaced(cache, content):
    assert checked(counted()) > 0
    (note,) = cache.rglob("*.json")
    good = note.read_bytes()
    note.write_bytes(content)
    assert checked(counted()) > 0
    assert note.read_bytes() == good
    assert checked(counted()) == 0


@needs_links
@needs_modes
def test_a_note_that_another_user_can_have_written_is_ignored(cache, monkeypatch):
    assert checked(counted()) > 0
    (note,) = cache.rglob("*.json")
    note.chmod(0o666)
    assert checked(counted()) > 0
    note.chmod(0o644)
    assert checked(counted()) == 0
    elsewhere = note.rename(cache / "elsewhere.json")
    note.symlink_to(elsewhere)
    assert checked(counted()) > 0
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    assert checked(counted()) > 0


def test_without_a_place_for_notes_each_run_is_checked(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert checked(counted()) > 0
    assert checked(counted()) > 0


def test_a_relative_cache_folder_is_not_used(here, monkeypatch):
    """It would be in whatever folder is current."""
    monkeypatch.setenv("HOME", str(here / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    assert checked(counted()) > 0
    assert not (here / "cache").exists()


def test_a_model_that_failed_is_not_remembered(cache):
    rows = sentences(count=40, longest=10)
    for _ in range(2):
        computed = compute(PrefixTree(rows), counted("GPT-Neo"), Computing(pack_tokens=200))
        assert computed.reason.startswith("a pack of")
    assert all(path.stem.endswith("-cache") for path in cache.rglob("*.json"))


def test_a_window_that_small_packs_hide_is_noticed_after_they_passed(cache):
    rows = sentences(count=40, longest=10)
    assert checked(counted("GPT-Neo"), rows, pack_tokens=12) > 0
    assert checked(counted("GPT-Neo"), rows, pack_tokens=12) == 0
    large = compute(PrefixTree(rows), counted("GPT-Neo"), Computing(pack_tokens=200))
    assert large.way == "cached"


@pytest.mark.parametrize(
    ("system", "folder"), [("linux", ".cache"), ("darwin", "Library/Caches"), ("win32", "local")]
)
def test_notes_are_in_the_cache_of_the_user(tmp_path, monkeypatch, system, folder):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setattr("evalmark.validator.settings.user_config.sys.platform", system)
    assert user_folder("cache") == str(tmp_path / folder / "evalmark")


def test_a_value_that_padding_makes_nan_is_read_again_alone():
    model, rows = lively("Gemma 2", sliding_window=4), [(0, 1, 2, 3, 4, 5, 6, 7), (0, 1)]
    padded = torch.tensor([rows[0], (*rows[1], *[0] * 6)])
    mask = torch.tensor([[1] * 8, [1, 1] + [0] * 6])
    logits = model.whole.model(padded, attention_mask=mask, use_cache=False).logits
    assert logits[1].isnan().all(), "in float64, the library's mask of the padding overflows"
    assert model.surprisals(rows) == [model.surprisals([row])[0] for row in rows]
