"""Weights that are not plain safetensors: loaded, or one sentence that says what works."""

import json
import shutil

import pytest
from conftest import FIXTURES, edited, file_at
from evalmark.schemas.errors import NotInstalledError, ScoringError
from evalmark.scoring.demo_files import DEMO_FOLDER
from evalmark.scoring.models import load_models
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.surprisals.rounding import TOKEN, rounding_of

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

SUITE = FIXTURES / "suites/garden_path.json"


@pytest.fixture
def model(tmp_path):
    """A copy of the demo model in a folder of its own."""
    shutil.copytree(DEMO_FOLDER, tmp_path / "model")
    return tmp_path / "model"


def pickled(folder):
    """The weights of a folder as older programs saved them."""
    from safetensors.torch import load_file

    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


def reason(folder, **options):
    with pytest.raises(ScoringError) as refusal:
        load_model(str(folder), **options)
    assert "\n" not in str(refusal.value)
    return str(refusal.value).partition(" cannot be loaded: ")[2]


def test_pickled_weights_name_the_option_and_are_then_the_same_numbers(model, run):
    row = [(1, 2, 3, 4)]
    values = load_model(str(model), device="cpu").surprisals(row)
    pickled(model)
    done = run("evalmark", "score", SUITE, "--limit", "1", "--model", model, code=2)
    assert done.err.endswith(
        "cannot be loaded: pytorch_model.bin: pickled weights, which can execute code; "
        "--allow-pickle loads it\n"
    )
    assert load_model(str(model), device="cpu", allow_pickle=True).surprisals(row) == values


def test_a_model_of_the_hub_with_pickled_weights_only_names_the_option(
    model, tmp_path, monkeypatch
):
    from huggingface_hub import constants

    pickled(model)
    home, commit = tmp_path / "hub/models--a--b", "0123456789" * 4
    file_at(home / "refs/step5", commit)
    shutil.copytree(model, home / "snapshots" / commit)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(load_models, "_hub_is_reachable", lambda: False)
    with pytest.raises(ScoringError, match="no safetensors, only pickled weights") as refusal:
        load_model("a/b@step5", device="cpu")
    assert refusal.value.argument == "allow_pickle"
    info = load_model("a/b@step5", device="cpu", allow_pickle=True).info
    assert (info.id, info.details["revision"], info.details["commit"]) == ("a/b", "step5", commit)


@pytest.mark.parametrize("has_config", [False, True])
def test_an_adapter_says_how_to_merge_it(model, has_config):
    (model / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA"}))
    if not has_config:
        (model / "config.json").unlink()
    text = reason(model)
    assert text.startswith("adapter_config.json: adapters are not loaded")
    assert "`AutoPeftModelForCausalLM.from_pretrained(FOLDER).merge_and_unload()" in text
    assert "`AutoTokenizer.from_pretrained(BASE).save_pretrained(NEW)`" in text


@pytest.mark.parametrize("has_config", [False, True])
def test_gguf_says_what_to_give_instead(model, has_config):
    (model / "model.safetensors").rename(model / "model-q4.gguf")
    if not has_config:
        (model / "config.json").unlink()
    for name in (model, model / "model-q4.gguf"):
        text = reason(name)
        assert "GGUF files are not read; give the folder with safetensors" in text
        assert "gguf_file=NAME" in text
    shutil.copy(DEMO_FOLDER / "model.safetensors", model)
    shutil.copy(DEMO_FOLDER / "config.json", model)
    assert load_model(str(model), device="cpu").max_tokens, "safetensors beside it are read"


def test_weights_of_bitsandbytes_say_what_loads_them(model, monkeypatch):
    with edited(model / "config.json") as config:
        config["quantization_config"] = {"quant_method": "bitsandbytes", "load_in_8bit": True}
    monkeypatch.setattr(load_models, "find_spec", lambda _: None)
    assert reason(model) == (
        "its weights are quantized with bitsandbytes; `pip install accelerate bitsandbytes` loads "
        "them, or give the model before quantization"
    )


def test_quantized_weights_are_named_and_have_at_least_the_margin_of_float16(model):
    loaded = load_model(str(model), device="cpu")
    assert "quantization" not in loaded.info.details
    quantized = load_model(str(model), device="cpu")
    quantized.model.config.quantization_config = {"quant_method": "bitsandbytes"}
    assert quantized.info.details["quantization"] == "bitsandbytes"
    assert rounding_of(quantized.info, "none").token == TOKEN["float16"]
    assert rounding_of(loaded.info, "none").token == TOKEN["float32"]


def test_a_device_map_needs_accelerate_and_no_device(model, monkeypatch, run):
    from evalmark.schemas import errors

    monkeypatch.setattr(errors, "find_spec", lambda name: None if name == "accelerate" else name)
    with pytest.raises(NotInstalledError, match=r"\[device-map\]"):
        load_model(str(model), device_map="auto")
    with pytest.raises(ScoringError, match="a device map chooses the devices"):
        load_model(str(model), device_map="auto", device="cpu")
    done = run("evalmark", "score", SUITE, "--model", model, "--device", "balance", code=2)
    assert "balanced" in done.err


def test_a_model_with_a_device_map_is_the_same_model(model):
    pytest.importorskip("accelerate")
    shared, alone = load_model(str(model), device_map="auto"), load_model(str(model))
    assert shared.info.details["device_map"] == "auto"
    assert shared.surprisals([(1, 2, 3, 4)]) == alone.surprisals([(1, 2, 3, 4)])


# what has no float64, and what is no language model


SMALL = {
    "vocab_size": 512, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "intermediate_size": 64, "max_position_embeddings": 128,
}  # fmt: skip
EXPERTS = {"num_experts_per_tok": 2}
NO_FLOAT64 = {
    "Mixtral": {**SMALL, **EXPERTS, "num_local_experts": 4},
    "GptOss": {
        **SMALL, **EXPERTS, "num_local_experts": 4, "head_dim": 8,
        "layer_types": ["sliding_attention", "full_attention"],
    },
    "Qwen3Next": {
        **SMALL, **EXPERTS, "num_experts": 4, "head_dim": 8, "moe_intermediate_size": 16,
        "shared_expert_intermediate_size": 16, "linear_num_value_heads": 4,
        "linear_num_key_heads": 2, "linear_key_head_dim": 8, "linear_value_head_dim": 8,
        "layer_types": ["linear_attention", "full_attention"],
    },
    "DeepseekV3": {
        **SMALL, **EXPERTS, "num_key_value_heads": 4, "n_routed_experts": 4, "n_group": 1,
        "topk_group": 1, "moe_intermediate_size": 16, "first_k_dense_replace": 1,
        "q_lora_rank": 16, "kv_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8,
        "v_head_dim": 8,
    },
    "XGLM": {"vocab_size": 512, "d_model": 32, "ffn_dim": 64, "num_layers": 2,
             "attention_heads": 4},
}  # fmt: skip


def saved(folder, family, **settings):
    """A small model of a family with random weights, and the tokenizer of the demo model."""
    transformers = pytest.importorskip("transformers")
    config = getattr(transformers, f"{family}Config")(**settings)
    torch.manual_seed(0)
    getattr(transformers, f"{family}ForCausalLM")(config).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(DEMO_FOLDER / name, folder / name)
    return folder


@pytest.mark.parametrize("family", NO_FLOAT64)
def test_a_model_whose_kernels_have_no_float64_is_one_sentence(tmp_path, run, family):
    folder = saved(tmp_path / "m", family, **NO_FLOAT64[family])
    words = ("evalmark", "score", SUITE, "--limit", "1", "--model", folder, "--dtype", "float64")
    done = run(*words, "--out", tmp_path / "out", code=2)
    assert done.err.endswith(f"model '{folder}' does not compute in float64; --dtype float32\n")
    assert "Traceback" not in done.err


def test_a_classifier_is_refused_though_its_weights_would_load(model):
    with edited(model / "config.json") as config:
        config["architectures"] = ["GPT2ForSequenceClassification"]
    with pytest.raises(ScoringError, match="a GPT2ForSequenceClassification, which has"):
        load_model(str(model), device="cpu")
