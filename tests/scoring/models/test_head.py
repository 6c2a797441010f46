"""The output head in float32: the logits of the model, whatever it does to them afterwards."""

import math

import pytest
from evalmark.scoring.models import output_head as head_module
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.models.output_head import Lookup, find_head
from small_models import bert, roberta
from test_packs import SMALL, VOCABULARY, configs

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TOKENS = [[0, 5, 9, 31, 7, 2], [0, 4, 8, 8, 11, 89]]


def more_configs():
    """Models that change the logits of their head: by a factor, a cap, or nothing but a bias."""
    t = transformers
    wide = {**SMALL, "intermediate_size": 64, "num_key_value_heads": 2}
    rotary = {"n_embd": 32, "n_layer": 2, "n_head": 4, "rotary_dim": 4, "n_positions": 64}
    return {
        "Cohere": (t.CohereForCausalLM, t.CohereConfig(**wide)),
        "Granite": (t.GraniteForCausalLM, t.GraniteConfig(**wide, logits_scaling=8.0)),
        "GPT-J": (t.GPTJForCausalLM, t.GPTJConfig(vocab_size=VOCABULARY, **rotary)),
    }


ALL = {**configs(), **more_configs()}
AFTER = {"Gemma 2": "_capped", "Cohere": "_scaled", "Granite": "_scaled"}


def made(name, dtype):
    kind, config = ALL[name]
    torch.manual_seed(0)
    model = kind(config).eval()
    with torch.no_grad():  # large logits, so that a lost cap or factor shows
        weight = model.get_output_embeddings().weight
        model.get_output_embeddings().weight = torch.nn.Parameter(weight * 20)
    return model.to(getattr(torch, dtype))


def inputs(tokens=TOKENS):
    ids = torch.tensor(tokens)
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def logits_of(head, tokens=TOKENS):
    """The logits of all tokens, from chunks of rows."""
    at = torch.cartesian_prod(torch.arange(len(tokens)), torch.arange(len(tokens[0]))).unbind(-1)
    with torch.inference_mode():
        found = torch.cat(list(head.logits(inputs(tokens), at)))
    return found.reshape(len(tokens), len(tokens[0]), -1)


def own_logits(model, tokens=TOKENS):
    with torch.inference_mode():
        return model(**inputs(tokens)).logits


@pytest.mark.parametrize("name", ALL)
def test_in_float32_the_logits_are_those_of_the_model(name):
    model = made(name, "float32")
    head = find_head(model)
    assert head.dtype_text == "float32"
    assert head.accurate is model.get_output_embeddings(), "no copy is needed"
    assert head.after.__qualname__.partition(".")[0] == AFTER.get(name, "_unchanged")
    assert torch.allclose(logits_of(head), own_logits(model), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("name", ALL)
def test_in_bfloat16_they_are_those_of_the_model_less_its_rounding(name):
    model = made(name, "bfloat16")
    before = {key: value.clone() for key, value in model.state_dict().items()}
    head = find_head(model)
    assert head.dtype_text.startswith("float32, in a copy of ")
    ours, own = logits_of(head), own_logits(model)
    assert ours.dtype == torch.float32
    assert (ours - own.float()).abs().max() < 0.04 * own.abs().max()
    assert ours.unique().numel() > 0.8 * ours.numel()
    assert ours.unique().numel() > 1.2 * own.unique().numel()
    assert all(torch.equal(value, before[key]) for key, value in model.state_dict().items())
    assert model.get_output_embeddings().weight.dtype == torch.bfloat16


@pytest.mark.parametrize("made_masked", [bert, roberta])
def test_heads_of_masked_models(made_masked):
    model = made_masked("bfloat16")
    assert model.head.dtype_text.startswith("float32, in a copy of ")
    ours, own = logits_of(model.head), own_logits(model.model)
    assert (ours - own.float()).abs().max() < 0.04 * own.abs().max()


def test_logits_are_computed_in_chunks_and_only_where_they_are_needed(monkeypatch):
    model = made("Gemma 2", "bfloat16")
    head = find_head(model)
    monkeypatch.setattr(head_module, "CHUNK_BYTES", 4 * 4 * VOCABULARY)
    rows = []
    head.accurate.register_forward_hook(lambda _, given, found: rows.append(len(given[0][0])))
    at = [torch.tensor([0, 0, 0, 1, 1]), torch.tensor([0, 2, 3, 1, 4])]
    with torch.inference_mode():
        parts = list(head.logits(inputs(), at))
    assert rows == [len(part) for part in parts] == [4, 1]
    whole = logits_of(head)
    assert torch.allclose(torch.cat(parts), whole[at[0], at[1]], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["GPT-2", "GPT-J", "Gemma 2"])
def test_many_columns_and_rows_are_computed_by_parts_with_the_same_values(name, monkeypatch):
    head = find_head(made(name, "float32"))  # without a bias, with one, and with a cap
    lookup = Lookup(range(12), range(12), range(12), (3, 89))
    at = torch.cartesian_prod(torch.arange(2), torch.arange(6)).unbind(-1)
    whole, values = logits_of(head), lookup.read_off(iter([logits_of(head).flatten(0, 1)]))
    monkeypatch.setattr(head_module, "COLUMNS", 7)
    monkeypatch.setattr(head_module, "CACHED_BYTES", 5 * 4 * VOCABULARY)
    rows = []
    head.accurate.register_forward_hook(lambda _, given, found: rows.append(found[..., 0].numel()))
    assert torch.allclose(logits_of(head), whole, rtol=1e-6, atol=1e-5)
    assert rows == [1], "all but the one that the model computes"
    with torch.inference_mode():
        parts = lookup.read_off(head.logits(inputs(), at))
    assert parts[0] == pytest.approx(values[0], abs=2e-5)
    assert parts[1] == pytest.approx(values[1], abs=2e-5)


class Changed(torch.nn.Module):
    """A model whose logits are changed in a way of its own."""

    def __init__(self, model, change):
        super().__init__()
        self.model, self.change = model, change
        self.config, self.device, self.dtype = model.config, model.device, model.dtype
        self.get_output_embeddings = model.get_output_embeddings
        self.get_input_embeddings = model.get_input_embeddings

    def forward(self, **inputs):
        found = self.model(**inputs)
        found.logits = self.change(found.logits)
        return found


BIAS = torch.linspace(-3, 3, VOCABULARY)


@pytest.mark.parametrize(
    "change",
    [
        lambda logits: logits + BIAS.to(logits.dtype),
        lambda logits: 5 * torch.tanh(logits * 0.3 / 5),
        lambda logits: logits.log_softmax(-1),
        lambda logits: logits[..., :90],
    ],
)
def test_a_change_that_is_not_known_is_left_to_the_model_and_still_in_float32(change):
    body = made("Llama", "bfloat16")
    head = find_head(Changed(body, change))
    assert head.after is None
    assert head.dtype_text.startswith("float32, in a copy of ")
    expected = change(logits_of(find_head(body)))
    assert torch.allclose(logits_of(head), expected, rtol=1e-5, atol=1e-4)


class LowRank(torch.nn.Module):
    """A head that is not one matrix."""

    def __init__(self):
        super().__init__()
        self.down, self.up = torch.nn.Linear(32, 8), torch.nn.Linear(8, VOCABULARY)

    def forward(self, hidden):
        return self.up(torch.relu(self.down(hidden)))


def test_a_head_that_is_not_one_matrix():
    body = made("Llama", "float32")
    body.lm_head = LowRank()
    body = body.to(torch.bfloat16)
    head = find_head(body)
    assert isinstance(head.accurate, LowRank)
    assert head.accurate.up.weight.dtype == torch.float32
    assert head.after is not None
    ours, own = logits_of(head), own_logits(body)
    assert (ours - own.float()).abs().max() < 0.04 * own.abs().max()


def test_a_model_that_converts_its_logits_back_is_read_as_it_is():
    model = Changed(made("Llama", "bfloat16"), lambda logits: (logits * 2).bfloat16())
    head = find_head(model)
    assert head.dtype_text == "bfloat16, of the model: it converts its logits to bfloat16"
    assert torch.equal(logits_of(head), own_logits(model).float())


def test_a_model_that_does_not_use_its_head_is_read_as_it_is():
    config = transformers.MobileBertConfig(
        **SMALL, intermediate_size=64, embedding_size=16, intra_bottleneck_size=16
    )
    torch.manual_seed(0)
    model = transformers.MobileBertForMaskedLM(config).eval().to(torch.bfloat16)
    head = find_head(model)
    assert head.dtype_text == (
        "bfloat16, of the model: it does not use its output head once for all tokens"
    )
    ours = logits_of(head)
    assert ours.dtype == torch.float32
    assert torch.equal(ours, own_logits(model).float())


def test_a_head_whose_copy_gives_other_logits_is_not_used(monkeypatch):
    model = made("Llama", "bfloat16")
    wrong = torch.nn.Linear(32, VOCABULARY)
    monkeypatch.setattr(head_module.copy, "deepcopy", lambda _: wrong)
    head = find_head(model)
    assert head.dtype_text == "bfloat16, of the model: its logits are not those of its output head"
    assert torch.equal(logits_of(head), own_logits(model).float())


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_rows_and_packs_of_a_loaded_model_use_it(dtype):
    model = load_model("demo", dtype=dtype, device="cpu")
    ids = (0, 5, 9, 31, 7, 2)
    (found,) = model.surprisals([ids])
    hidden = model.model.transformer(torch.tensor([ids])).last_hidden_state[0]
    logits = hidden.float() @ model.model.lm_head.weight.float().T
    bits = -logits.log_softmax(-1)[range(5), ids[1:]] / math.log(2)
    assert found == pytest.approx(bits.tolist(), abs=1e-5)
