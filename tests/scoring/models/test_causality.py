"""A model that reads both ways is refused, however small its weights are."""

import json
import shutil

import pytest
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.demo_files import DEMO_FOLDER
from evalmark.scoring.models import language_models
from evalmark.scoring.models.language_models import LEFT_TO_RIGHT_IF, influence, require_causal
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.models.tokenizers import bos_ids

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

DTYPES = ("float32", "bfloat16", "float16")
SMALL = {"vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
ROPE = {**SMALL, "intermediate_size": 32, "num_key_value_heads": 2, "max_position_embeddings": 64}
BERT = {**SMALL, "intermediate_size": 32, "max_position_embeddings": 64}
GEMMA = {**ROPE, "head_dim": 8}
GPT2 = {"vocab_size": 50, "n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 64}
XLNET = {"vocab_size": 50, "d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 32}

#: Models that read both ways: class of the configuration, its arguments, and that of the model.
BOTH_WAYS = {
    "xlnet": ("XLNetConfig", XLNET, "XLNetLMHeadModel"),
    "bert": ("BertConfig", BERT, "BertLMHeadModel"),
    "roberta": ("RobertaConfig", BERT, "RobertaForCausalLM"),
    "gemma3": ("Gemma3TextConfig", {**GEMMA, "use_bidirectional_attention": True},
               "Gemma3ForCausalLM"),
}  # fmt: skip
LEFT_TO_RIGHT = {
    "gpt2": ("GPT2Config", GPT2, "GPT2LMHeadModel"),
    "llama": ("LlamaConfig", ROPE, "LlamaForCausalLM"),
    "mixtral": ("MixtralConfig", {**ROPE, "num_local_experts": 4}, "MixtralForCausalLM"),
    "gemma3": ("Gemma3TextConfig", GEMMA, "Gemma3ForCausalLM"),
    "mamba": ("MambaConfig", {"vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 2,
                              "state_size": 4}, "MambaForCausalLM"),
    "bert": ("BertConfig", {**BERT, "is_decoder": True}, "BertLMHeadModel"),
}  # fmt: skip


def made(of, dtype, size=None):
    """A tiny model; ``size`` is that of its weights, 0.02 by default."""
    config, arguments, model = of
    given = {} if size is None else {"initializer_range": size}
    torch.manual_seed(0)
    found = getattr(transformers, model)(getattr(transformers, config)(**arguments, **given))
    return found.eval().to(getattr(torch, dtype))


class Held:
    """What the check sees of a model that is loaded."""

    def __init__(self, model):
        self.model = model


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", BOTH_WAYS)
def test_a_model_of_small_weights_is_seen_to_read_both_ways(monkeypatch, name, dtype):
    monkeypatch.setattr(language_models, "LEFT_TO_RIGHT_IF", {})  # its type does not say so
    with pytest.raises(ScoringError, match=r"not causal: later tokens change the surprisal of ear"):
        require_causal(Held(made(BOTH_WAYS[name], dtype)), "m")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [0.02, 0.5])
@pytest.mark.parametrize("name", LEFT_TO_RIGHT)
def test_a_model_that_reads_from_left_to_right_is_accepted(name, dtype, size):
    require_causal(Held(made(LEFT_TO_RIGHT[name], dtype, size)), "m")


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_large_models_are_tried_in_their_own_dtype(monkeypatch, dtype):
    monkeypatch.setattr(language_models, "COPIED", 0)
    for name, of in LEFT_TO_RIGHT.items():
        changed, allowed = influence(made(of, dtype, 0.5))
        assert changed <= allowed, name
    for name, of in BOTH_WAYS.items():
        changed, allowed = influence(made(of, dtype, 0.5))
        assert changed > allowed, name


def test_known_architectures_are_refused_by_type_before_anything_is_computed():
    class Config:
        attn_type = "bi"

    for kind, (attribute, value) in LEFT_TO_RIGHT_IF.items():
        config = Config()
        config.model_type = kind
        with pytest.raises(ScoringError, match=f"{kind} reads both ways unless") as refusal:
            require_causal(Held(type("Model", (), {"config": config})()), "m")
        assert f"{attribute} = {value!r}" in str(refusal.value)


def test_every_type_of_the_table_is_one_of_transformers():
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

    for kind, (attribute, _) in LEFT_TO_RIGHT_IF.items():
        assert kind in CONFIG_MAPPING_NAMES
        assert hasattr(transformers.AutoConfig.for_model(kind), attribute), kind


def test_nan_weights_are_not_called_bidirectional():
    model = made(LEFT_TO_RIGHT["gpt2"], "float32")
    with torch.no_grad():
        model.transformer.wte.weight.fill_(float("nan"))
    require_causal(Held(model), "m")


def test_the_model_itself_keeps_its_dtype():
    model = made(LEFT_TO_RIGHT["gpt2"], "bfloat16")
    require_causal(Held(model), "m")
    assert {parameter.dtype for parameter in model.parameters()} == {torch.bfloat16}


def test_a_bidirectional_model_in_a_folder_is_refused_in_one_line(tmp_path):
    tokenizer = transformers.AutoTokenizer.from_pretrained(DEMO_FOLDER)
    of = ("XLNetConfig", {**XLNET, "vocab_size": len(tokenizer)}, "XLNetLMHeadModel")
    made(of, "float32").save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(ScoringError, match=r"not causal: xlnet reads both ways"):
        load_model(str(tmp_path), device="cpu")


# BOS and revision


def test_bos_may_be_the_unknown_token_too():
    class Stock:  # as GPT-2's and Pythia's tokenizers are
        unk_token = bos_token = "<|endoftext|>"
        unk_token_id = bos_token_id = 7

        def convert_tokens_to_ids(self, token):
            return {"<|endoftext|>": 7, "a": 1}.get(token, 7)

    assert bos_ids(Stock(), "<|endoftext|>") == bos_ids(Stock(), "auto") == (7,)
    assert bos_ids(Stock(), "a") == (1,)
    with pytest.raises(ScoringError, match="no token 'nope'"):
        bos_ids(Stock(), "nope")


def test_a_revision_of_a_folder_is_refused(run, tmp_path):
    shutil.copytree(DEMO_FOLDER, tmp_path / "m")
    suite = tmp_path / "s.json"
    suite.write_text(json.dumps({}))
    with pytest.raises(ScoringError, match="revision 'step1000' is of a model on the hub"):
        load_model(str(tmp_path / "m"), revision="step1000")
    from conftest import FIXTURES

    done = run("evalmark", "score", FIXTURES / "suites/garden_path.json", "--limit", "1",
               "--model", tmp_path / "m", "--revision", "step1000",
               "--out", tmp_path / "r", code=2)  # fmt: skip
    assert "is a folder without checkpoints; leave out --revision" in done.err
    assert not list((tmp_path / "r").rglob("*.json"))
