"""A folder with a model is data: it runs no code, contacts no host and opens no other folder.

What it computes ends. Each test changes a copy of the demo model.
"""

import os
import pickle
import shutil
import socket
from contextlib import suppress

import pytest
from changed_models import changed
from conftest import FIXTURES, file_at, needs_fifos, needs_links, python
from evalmark.schemas.errors import ModelFailed, ScoringError
from evalmark.scoring.demo_files import DEMO_FOLDER
from evalmark.scoring.models import load_models, tokenizer_process
from evalmark.scoring.models.load_models import load_chat_model, load_model

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

SUITE = str(FIXTURES / "good/suite.json")
INDEX = "model.safetensors.index.json"


class Runs:
    """Runs code when it is unpickled."""

    def __init__(self, marker):
        self.marker = str(marker)

    def __reduce__(self):
        return open, (self.marker, "w")


@pytest.fixture
def model(tmp_path):
    """A copy of the demo model in a folder of its own."""
    shutil.copytree(DEMO_FOLDER, tmp_path / "home/model")
    return tmp_path / "home/model"


@pytest.fixture
def marker(tmp_path):
    return tmp_path / "code was run"


def names_in_index(folder, name):
    """An index in place of the file of weights, with one name for all tensors."""
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", "pt") as file:
        tensors = list(file.keys())
    changed(folder / INDEX, metadata={}, weight_map=dict.fromkeys(tensors, name))


def refused(folder):
    """Why a model cannot be loaded: the same line from both ways to load one."""
    lines = set()
    for load in (load_model, load_chat_model):
        with pytest.raises(ScoringError) as refusal:
            load(str(folder), device="cpu")
        lines.add(str(refusal.value))
    (line,) = lines
    assert "\n" not in line
    return line.partition(" cannot be loaded: ")[2]


# pickles


@pytest.mark.parametrize("name", ["x.bin", "pytorch_model.bin", "weights.pt", "model.SAFETENSORS"])
def test_an_index_names_no_pickled_weights(model, marker, name):
    """They were unpickled: ``use_safetensors`` is about the index, not about what it names."""
    names_in_index(model, name)
    (model / "model.safetensors").unlink()
    (model / name).write_bytes(pickle.dumps(Runs(marker)))
    line = f"{INDEX}: names {name!r}, which is not a safetensors file and can execute code"
    assert refused(model) == line
    assert not marker.exists()


def test_pickled_weights_of_an_index_load_if_that_is_allowed(model):
    from safetensors.torch import load_file

    names_in_index(model, "x.bin")
    torch.save(load_file(model / "model.safetensors"), model / "x.bin")
    (model / "model.safetensors").unlink()
    with pytest.raises(ScoringError) as refusal:
        load_model(str(model), device="cpu")
    assert refusal.value.argument == "allow_pickle"
    digests = [
        load_model(name, device="cpu", allow_pickle=name != "demo").info.details["weights_sha256"]
        for name in (str(model), "demo")
    ]
    assert digests[0] == digests[1]


def test_allowed_pickles_still_execute_nothing(model, marker):
    (model / "model.safetensors").unlink()
    (model / "pytorch_model.bin").write_bytes(pickle.dumps(Runs(marker)))
    with pytest.raises(ScoringError, match="cannot be loaded"):
        load_model(str(model), device="cpu", allow_pickle=True)
    assert not marker.exists()


def test_the_file_of_weights_that_a_configuration_names_is_no_pickle(model, marker):
    changed(model / "config.json", transformers_weights="adapter_model.bin")
    (model / "adapter_model.bin").write_bytes(pickle.dumps(Runs(marker)))
    assert "names 'adapter_model.bin', which is not a safetensors file" in refused(model)
    assert not marker.exists()


@pytest.mark.parametrize("version", ["2.5.1", "1.13.0+cpu"])
def test_a_torch_with_a_hole_is_refused(monkeypatch, version):
    monkeypatch.setattr(torch, "__version__", version)
    with pytest.raises(ScoringError, match=rf"torch {version.replace('+', '.')} is installed"):
        load_model("demo", device="cpu")


# other folders


@pytest.mark.parametrize("name", ["../outside.safetensors", "{home}/outside.safetensors"])
def test_an_index_names_no_file_outside_the_folder(model, name):
    shutil.copy(model / "model.safetensors", model.parent / "outside.safetensors")
    name = name.format(home=model.parent)
    names_in_index(model, name)
    (model / "model.safetensors").unlink()
    assert refused(model) == f"{INDEX}: names {name!r}, which is not in the folder"


@needs_links
@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_link_out_of_the_folder_is_refused(model, name):
    (model / name).rename(model.parent / name)
    (model / name).symlink_to(model.parent / name)
    assert refused(model) == f"{name}: a link out of the folder; copy the file into the folder"


@needs_links
def test_a_model_in_the_cache_of_the_hub_links_to_its_blobs(tmp_path, model, monkeypatch):
    """By its folder and by its name, with the commit in the record; an index is checked as well."""
    from huggingface_hub import constants

    home = tmp_path / "hub/models--some--model"
    commit = "0123456789" * 4
    snapshot, blobs = home / "snapshots" / commit, home / "blobs"
    for folder in (snapshot, blobs, home / "refs"):
        folder.mkdir(parents=True)
    (home / "refs/main").write_text(commit)
    for path in model.iterdir():
        shutil.copy(path, blobs / path.name)
        (snapshot / path.name).symlink_to(f"../../blobs/{path.name}")
    assert load_model(str(snapshot), device="cpu").info.id == f"local/{commit}"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(load_models, "_hub_is_reachable", lambda: False)
    found = load_model("some/model", device="cpu")
    assert (found.info.id, found.info.details["commit"]) == ("some/model", commit)
    assert found.tokenize("The pilot laughs .") == load_model("demo").tokenize("The pilot laughs .")
    names_in_index(snapshot, "x.bin")
    with pytest.raises(ScoringError, match=r"names 'x\.bin', which is not a safetensors file"):
        load_model("some/model", device="cpu")
    (snapshot / INDEX).unlink()
    (blobs / "config.json").unlink()
    (blobs / "config.json").symlink_to(model / "config.json")
    assert "config.json: a link out of the folder" in refused(snapshot)


@needs_fifos
def test_a_pipe_in_the_folder_is_not_read(model):
    os.mkfifo(model / "generation_config.json")
    assert refused(model) == "generation_config.json: not a regular file"


def test_files_named_by_a_configuration_are_in_the_folder(model):
    outside = model.parent / "vocab.json"
    outside.write_text("{}")
    for key, value in (
        ("vocab_file", str(outside)),
        ("sp_model_kwargs", {"model_file": str(outside)}),
        ("gguf_file", "x.gguf"),
        ("init_inputs", [str(outside)]),
        ("fast_tokenizer_files", ["../tokenizer.4.0.json"]),
    ):
        changed(model / "tokenizer_config.json", **{key: value})
        inner = "model_file" if isinstance(value, dict) else key
        assert refused(model).startswith(f"tokenizer_config.json: {inner} "), key
        shutil.copy(DEMO_FOLDER / "tokenizer_config.json", model)
    changed(model / "config.json", configuration_files=["../config.4.0.0.json"])
    assert refused(model).startswith("config.json: configuration_files ")


def test_a_path_of_another_machine_in_a_configuration_means_nothing(model):
    """Older versions of transformers wrote where a tokenizer was saved."""
    changed(model / "tokenizer_config.json", tokenizer_file="/home/somebody/tokenizer.json")
    changed(model / "config.json", _name_or_path=str(model.parent))
    assert load_model(str(model), device="cpu").tokenize("The pilot").ids


# hosts and code


def test_an_adapter_is_refused(model):
    """With peft, it names another model by folder or host, and brings pickled weights."""
    changed(model / "adapter_config.json", base_model_name_or_path="some/model", peft_type="LORA")
    assert refused(model).startswith("adapter_config.json: adapters are not loaded")


@pytest.mark.parametrize("name", ["AutoModel", "AutoTokenizer", "GPT2LMHeadModel", "pipeline"])
def test_the_class_of_a_tokenizer_is_one(model, name):
    """Any name of transformers was loaded, models with pickled weights as well."""
    changed(model / "tokenizer_config.json", tokenizer_class=name)
    line = f"tokenizer_config.json: tokenizer_class is {name!r}, which is not a tokenizer"
    assert refused(model) == line


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("attn_implementation", "somebody/kernel"),
        ("text_config", {"_attn_implementation": "somebody/kernel"}),
        ("text_config", {"auto_map": {"AutoModel": "own.M"}}),
        ("n_layer", 10**9),
    ],
)
def test_a_configuration_names_no_code_and_ends(model, key, value):
    changed(model / "config.json", **{key: value})
    assert refused(model).startswith("config.json: ")


@pytest.mark.parametrize("offline", [False, True])
def test_a_folder_contacts_no_host(model, monkeypatch, offline):
    from huggingface_hub import constants

    def connect(*given, **_):
        raise AssertionError(given)

    monkeypatch.setattr(socket, "getaddrinfo", connect)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", offline)
    seen = []

    def weights(*given):
        seen.append(constants.HF_HUB_OFFLINE)
        return own(*given)

    own = load_models._weights
    monkeypatch.setattr(load_models, "_weights", weights)
    load_model(str(model), device="cpu")
    assert (seen, constants.HF_HUB_OFFLINE) == ([True], offline)


def test_code_of_a_tokenizer_is_not_run(model, marker):
    (model / "own.py").write_text(f"open({str(marker)!r}, 'w')\nclass T: pass\n")
    changed(
        model / "tokenizer_config.json",
        auto_map={"AutoTokenizer": ["own.T", "own.T"]}, tokenizer_class="T",
    )  # fmt: skip
    changed(model / "config.json", auto_map={"AutoModelForCausalLM": "own.T"})
    file_at(model / "custom_generate/generate.py", f"open({str(marker)!r}, 'w')\n")
    with suppress(ScoringError):
        load_model(str(model), device="cpu")
    with suppress(ScoringError):
        load_chat_model(str(model), device="cpu")
    assert not marker.exists()


# what never ends, and what ends the process


def tokenizer(folder, **changes):
    changed(folder / "tokenizer.json", **changes)


def split_by(pattern):
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def grows(times):
    """A normalizer that doubles a text some times."""
    each = {"type": "Replace", "pattern": {"Regex": "."}, "content": "ee"}
    return {"type": "Sequence", "normalizers": [each] * times}


#: Tokenizers, and what is said about each.
HOSTILE = {
    "time": ({"normalizer": grows(25)}, "tokenizing takes longer than 3 seconds"),
    "memory": ({"normalizer": grows(99)}, "tokenizing ended the process (signal 6"),
    "panic": (
        {"pre_tokenizer": split_by(r"(?=((?:[a-z ]+)+)+\d)")},
        "tokenizing failed: PanicException: Onig: Regex search error",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_tokenizer_is_one_line_and_the_other_model_is_scored(
    model, hostile, here, monkeypatch, run
):
    """It was a traceback without the other model, or a command that never ended."""
    changes, said = HOSTILE[hostile]
    monkeypatch.setattr(tokenizer_process, "LIMIT", 3 if hostile == "time" else 60)
    monkeypatch.setattr(tokenizer_process, "MEMORY", (8 if hostile == "time" else 1) << 30)
    tokenizer(model, **changes)
    models = ("--model", str(model), "--model", "demo")
    done = run("evalmark", "score", SUITE, *models, "--out", "out")
    assert "Traceback" not in done.err
    (line,) = [line for line in done.err.splitlines() if line.startswith("evalmark: ")]
    assert f"model {str(model)!r} cannot be used: {said}" in line
    assert done.code == 2
    assert (here / "out/demo/run.json").exists()
    assert not (here / "out/model/run.json").exists()


def panics(*_):
    """As a library in Rust does: with what is no Exception."""
    raise type("PanicException", (BaseException,), {})("called `Option::unwrap()`\non None")


def test_a_panic_is_an_error_of_the_model():
    demo = load_model("demo", device="cpu")
    with pytest.raises(ModelFailed, match=r"tokenizing failed: PanicException: called `Option"):
        tokenizer_process.ask(demo.tokenizer, panics)
    assert demo.tokenize("The pilot").ids  # only that question failed


def test_a_panic_while_loading_is_one_line(monkeypatch):
    monkeypatch.setattr(load_models, "_weights", panics)
    with pytest.raises(ScoringError, match=r"cannot be loaded: PanicException: called `Option"):
        load_model("demo", device="cpu")


def interrupts(*_):
    raise KeyboardInterrupt


def test_an_interruption_is_none_of_the_model(monkeypatch):
    monkeypatch.setattr(load_models, "_weights", interrupts)
    with pytest.raises(KeyboardInterrupt):
        load_model("demo", device="cpu")


def aborts(_):
    os.abort()


def test_a_tokenizer_that_ends_its_process_ends_no_other():
    demo = load_model("demo", device="cpu")
    for _ in range(2):
        with pytest.raises(ModelFailed, match=r"tokenizing ended the process \(signal 6"):
            tokenizer_process.ask(demo.tokenizer, aborts)


def test_the_process_of_a_tokenizer_ends_with_the_model():
    demo = load_model("demo", device="cpu")
    process = demo.tokenizer._process
    assert process.is_alive()
    del demo
    assert not process.is_alive()


@pytest.mark.slow
def test_a_script_loads_a_model_where_processes_are_not_forked(tmp_path):
    """As on macOS and Windows, where a spawned process would run the script again."""
    script = tmp_path / "script.py"
    script.write_text(
        "from evalmark.scoring.models import tokenizer_process\n"
        "tokenizer_process.START = 'spawn'\n"
        "from evalmark.scoring.models.load_models import load_model\n"
        "print(load_model('demo').tokenize('The pilot laughs .').spans)\n"
    )
    done = python(script)
    assert done.stderr == ""
    assert done.stdout == f"{load_model('demo').tokenize('The pilot laughs .').spans}\n"


def test_a_lock_of_the_parent_is_not_held_by_the_process(tmp_path):
    """A run that was killed would leave its folder in use."""
    from evalmark.validator.io.writing import lock_folder

    with lock_folder(tmp_path):
        demo = load_model("demo", device="cpu")
    with lock_folder(tmp_path):
        assert demo.tokenize("The pilot").ids


# numbers


def test_weights_that_are_not_numbers_are_called_so(model, here, run):
    """It was: "the sum of ... is undefined"."""
    from safetensors.torch import load_file, save_file

    weights = load_file(model / "model.safetensors")
    name = next(name for name in weights if name.endswith("h.1.ln_2.weight"))
    weights[name][5:8] = float("nan")
    save_file(weights, model / "model.safetensors", {"format": "pt"})
    done = run("evalmark", "score", SUITE, "--model", str(model), "--model", "demo", "--out", "o")
    (line,) = [line for line in done.err.splitlines() if line.startswith("evalmark: ")]
    assert "its weights are not numbers: 3 of 128 values of transformer.h.1.ln_2.weight" in line
    assert "undefined" not in done.err
    assert (here / "o/demo/run.json").exists()
    with pytest.raises(ModelFailed, match=r"not numbers: 3 of 128 values of"):
        load_chat_model(str(model), device="cpu").respond(
            [{"role": "user", "content": "The pilot"}], temperature=0, max_tokens=2
        )


def test_logits_that_are_not_numbers_are_called_so(monkeypatch):
    from evalmark.scoring.models.output_head import OutputHead

    own = OutputHead.logits

    def logits(*given):
        return (chunk * float("nan") for chunk in own(*given))

    monkeypatch.setattr(OutputHead, "logits", logits)
    with pytest.raises(ModelFailed, match="its logits are NaN or infinite for the whole vocab"):
        load_model("demo", device="cpu")


@pytest.mark.parametrize("load", [load_model, load_chat_model])
def test_weights_that_lack_a_tensor_are_refused(model, load):
    """They were filled with random numbers, which became surprisals without a word."""
    from safetensors.torch import load_file, save_file

    weights = load_file(model / "model.safetensors")
    del weights["transformer.h.1.mlp.c_fc.weight"], weights["transformer.h.1.mlp.c_fc.bias"]
    save_file(weights, model / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelFailed) as refusal:
        load(str(model), device="cpu")
    assert "its weights have no transformer.h.1.mlp.c_fc.bias and 1 more" in str(refusal.value)
